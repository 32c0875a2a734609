"""What panels draw is what tables say: vertices, ends of ranges, areas; and how large they are."""

import re
from itertools import pairwise
from types import ModuleType

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from costcurves.choosing.headline import headline_of
from costcurves.figures import (
    axes,
    calibration,
    cost_curves,
    cost_lines,
    decision_curves,
    differences,
    hybrids,
    roc_and_cost,
    style,
)
from costcurves.figures.polylines import AXES, UNSEEN, filtered, union
from costcurves.ranking.net_benefit import net_benefit, pc_at
from tests.figures.odd import MODELS, MODULES, context_of, drawn, panels, tables_of

GRID = np.linspace(0.0011, 0.9987, 301)  # no vertex is there
SEEN = 1.5 * UNSEEN / AXES[1]  # of the height of axes


def lines(ax: Axes, colour: str, least: float = 0, most: float = 99) -> list[NDArray[np.float64]]:
    """Vertices of the lines of a colour whose width lies between two."""
    of_colour = [line for line in ax.lines if line.get_color() == colour]
    wide = [line for line in of_colour if least <= line.get_linewidth() <= most]
    return [np.asarray(line.get_xydata(), float) for line in wide]


def bars(ax: Axes, colour: str) -> list[tuple[float, float]]:
    """Ranges of the bar below the axis that have a colour."""
    patches = [patch for patch in ax.patches if isinstance(patch, Rectangle) and patch.get_y() < 0]
    shade = Rectangle((0, 0), 1, 1, color=colour).get_facecolor()
    ends = [(bar.get_x(), bar.get_width()) for bar in patches if bar.get_facecolor() == shade]
    return sorted((low, low + width) for low, width in ends)


@pytest.mark.parametrize("name", MODELS)
def test_every_panel_has_a_columns_width_and_is_small(name: str) -> None:
    svgs = dict(panels(name))
    assert {"cost_curves", "cost_lines", "roc_and_cost"} <= {name[:-2] for name in svgs}
    for panel, svg in svgs.items():
        (width,) = re.findall(r'viewBox="0 0 (\S+) \S+"', svg)
        assert float(width) == pytest.approx(89 / 25.4 * 72, abs=0.01), panel
        assert len(svg) <= 45_000, panel
        sizes = {float(size) for size in re.findall(r"font-size: ([\d.]+)px", svg)}
        assert sizes == {style.POINTS}, panel


@pytest.mark.parametrize("name", ["two", "three", "twelve"])
def test_cost_curves_are_those_of_the_table(name: str) -> None:
    tables, context = tables_of(name), context_of(name)
    data = cost_curves.data(context)
    ax = drawn(cost_curves, data, context)
    curves = headline_of(tables["headline"])
    front = data.loc[data["series"] == "curve", "model"].unique()[: cost_curves.COLOURED]
    inside = (axes.window(context)[0] < GRID) & (axes.window(context)[1] > GRID)
    for model in front:
        thin, *_ = [line for line in lines(ax, context.colour(model), most=1) if len(line) > 1]
        heights = np.interp(GRID[inside], *thin.T)
        assert np.abs(heights - curves[model](GRID[inside])).max() < 20 * SEEN
        assert np.median(np.abs(heights - curves[model](GRID[inside]))) < SEEN
    assert len(lines(ax, style.GREYED)) == len(curves) - len(front)


@pytest.mark.parametrize("name", ["two", "three"])
def test_thick_parts_are_where_a_model_is_lowest(name: str) -> None:
    context = context_of(name)
    ax = drawn(cost_curves, cost_curves.data(context), context)
    known = context.lowest
    for model in context.models:
        thick = lines(ax, context.colour(model), least=2)
        wide = [span for span in known.get(model, []) if span[1] - span[0] > cost_curves.SEEN]
        ends = [(line[0][0], line[-1][0]) for line in thick]
        assert np.ravel(ends) == pytest.approx(np.ravel(wide))


def test_bars_are_dark_where_a_difference_is_shown() -> None:
    tables, context = tables_of("three"), context_of("three")
    data = cost_curves.data(context)
    whole, banded = (drawn(cost_curves, data, context, place) for place in range(2))
    rows = tables["verdicts"]
    rows = rows[rows["finding"].isin(["A cheaper", "B cheaper"])]
    shown = union(list(rows[["pc_from", "pc_to"]].itertuples(index=False, name=None)))
    assert bars(whole, style.DARK) == bars(banded, style.DARK)
    assert np.ravel(bars(whole, style.DARK)) == pytest.approx(np.ravel(shown))
    assert bars(whole, style.LIGHT) == [(0.0, 1.0)]
    context = context_of("three", verdicts=tables["verdicts"].assign(finding="undecided"))
    assert not bars(drawn(cost_curves, cost_curves.data(context), context), style.DARK)


def test_cost_lines_are_operating_points_above_their_envelope() -> None:
    tables, context = tables_of("three"), context_of("three")
    data = cost_lines.data(context)
    model = data["model"].iloc[0]
    rows = filtered(tables["operating_points"], level="repeat", model=model)
    known = {*zip(rows["fp"], rows["fn"], strict=True)}
    ax = drawn(cost_lines, data, context, 1)
    (drawn_lines,) = (part for part in ax.collections if isinstance(part, LineCollection))
    segments = np.array(drawn_lines.get_segments())
    assert {(start[1], end[1]) for start, end in segments} <= known
    assert len(segments) <= cost_lines.LINES
    (envelope,) = lines(ax, context.colour(model), least=2)
    heights = segments[:, 0, 1, None] * (1 - GRID) + segments[:, 1, 1, None] * GRID
    least = heights.min(axis=0)
    assert (np.interp(GRID, *envelope.T) <= least + SEEN).all()
    for fp, tp in zip(*data[data["series"] == "point"][["x", "y"]].to_numpy().T, strict=True):
        line = fp * (1 - GRID) + (1 - tp) * GRID
        assert (line >= np.interp(GRID, *envelope.T) - SEEN).all()


def test_what_is_expected_lies_above_the_average_in_hindsight() -> None:
    tables, context = tables_of("three"), context_of("three")
    data = cost_lines.data(context)
    words = cost_lines.words(data, context)
    measures = tables["measures"]
    area = measures.loc[measures["headline"] & measures["model"].eq(words["model"]), "area"]
    assert words["cross_fitted"] == pytest.approx(area.iloc[0], abs=1e-3)
    assert words["average"] < words["cross_fitted"]
    assert words["folds"] == 2


def test_points_lie_on_hulls_and_cost_what_their_lines_do() -> None:
    tables, context = tables_of("three"), context_of("three")
    data = roc_and_cost.data(context)
    marked = tables["duality"].drop_duplicates("model").set_index("model")
    for model in context.models:
        rows = data[data["model"] == model].set_index("series")[["x", "y"]]
        (fp, tp), (pc, cost) = rows.loc["point"].to_numpy(), rows.loc["cost"].to_numpy()
        assert cost == pytest.approx(fp * (1 - pc) + (1 - tp) * pc)
        assert (fp, tp, cost) == (marked["fp"][model], marked["tp"][model], marked["nec"][model])
        hull = rows.loc["hull"].to_numpy()
        assert np.abs(hull - [fp, tp]).sum(axis=1).min() == pytest.approx(0, abs=1e-12)
        slopes = np.diff(hull[:, 1]) / np.maximum(np.diff(hull[:, 0]), 1e-300)
        assert (np.diff(slopes) <= 1e-9 * slopes[:-1]).all()  # it turns right


def test_rules_are_listed_by_the_areas_of_the_table() -> None:
    tables, context = tables_of("two"), context_of("two")
    data = hybrids.data(context)
    words = hybrids.words(data, context)
    rows = tables["criteria"].set_index(["model", "criterion"])["area"]
    for model, areas in words["areas"].items():
        assert list(areas.values()) == sorted(areas.values())
        named = {"neyman-pearson (at most 0.2)", "workforce (at most 30\u202f%)"}
        for rule, area in areas.items():
            assert area == pytest.approx(rows[model, rule.partition(" (")[0]], abs=1e-12)
        assert named < set(areas)


def test_differences_are_coloured_where_verdicts_are() -> None:
    tables, context = tables_of("three"), context_of("three")
    data = differences.data(context)
    known = context.wins
    pairs = data[["model", "other"]].drop_duplicates().itertuples(index=False, name=None)
    for place, (a, b) in enumerate(pairs):
        ax = drawn(differences, data, context, place)
        for model, other in ((a, b), (b, a)):
            thick = lines(ax, context.colour(model), least=2)
            shown = [(line[0][0], line[-1][0]) for line in thick]
            assert np.ravel(shown) == pytest.approx(np.ravel(known.get((model, other), [])))
        rows = filtered(tables["comparisons"], model_a=a, model_b=b, line="difference")
        (line,) = (line for line in lines(ax, style.INK, least=1.1) if len(line) > 2)
        assert line[:, 1].min() == pytest.approx(rows[["nec_from", "nec_to"]].min().min(), abs=0.01)


def test_decision_curves_are_the_cost_curves_on_another_scale() -> None:
    tables, context = tables_of("three"), context_of("three")
    data = decision_curves.data(context)
    curves = headline_of(tables["headline"])
    at = np.linspace(0.02, 0.5, 50)
    for model in context.models:
        curve = filtered(data, series="net benefit", model=model)
        pc = pc_at(at, context.prior)
        exact = net_benefit(curves[model](pc), pc, context.prior)
        read = np.interp(at, curve["x"], curve["y"])
        seen = exact > decision_curves.BELOW * context.prior
        assert np.median(np.abs(read - exact)[seen]) < 0.01


def test_bins_of_scores_hold_all_cases() -> None:
    context = context_of("three")
    data = calibration.data(context)
    counts = data[data["series"].isin(["positives", "negatives"])].groupby("model")["y"].sum()
    assert counts.to_numpy() == pytest.approx(1.0)


def test_a_rare_class_has_an_axis_over_the_ratios_that_matter() -> None:
    context = context_of("rare")
    low, high = axes.window(context)
    assert low == 0
    assert 0.2 < high < 0.5
    ax = drawn(cost_curves, cost_curves.data(context), context)
    ticks = [label.get_text().split("\n")[0] for label in ax.get_xticklabels()]
    assert "5:1" in ticks
    assert "1:20" not in ticks
    places = [label.get_position()[0] for label in ax.get_xticklabels()]
    assert all(a < b for a, b in pairwise(places))


# The tables without whose rows a figure has nothing to draw.
SHOWN = {
    "averages": ("roc", "averages"),
    "calibration": ("reliability", "calibration"),
    "case_costs": ("instance_costs", "operating_points"),
    "cost_curves": ("bands", "verdicts"),
    "cost_lines": ("operating_points", "envelopes", "averages"),
    "decision_curves": ("bands",),
    "differences": ("comparisons", "verdicts"),
    "hybrids": ("hybrids", "choice_intervals"),
    "loss_curves": ("threshold_choice",),
    "map": ("map",),
    "roc_and_cost": ("operating_points", "envelopes", "duality"),
}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.NAME)
def test_a_figure_is_left_out_where_there_is_nothing_to_draw(module: ModuleType) -> None:
    empty = {table: tables_of("one")[table].iloc[:0] for table in SHOWN[module.NAME]}
    data = module.data(context_of("one", **empty))
    assert data.empty != (module in (cost_curves, decision_curves))
