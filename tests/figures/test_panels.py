"""What panels draw is what tables say: vertices, ends of ranges, areas."""

from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import Rectangle

from costcurves.choosing.headline import headline_of
from costcurves.figures import (
    axes,
    calibration,
    case_costs,
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
from tests.figures.odd import MODULES, context_of, drawn, made, tables_of

GRID = np.linspace(0.0011, 0.9987, 301)  # no vertex is there
SEEN = 1.5 * UNSEEN / AXES[1]  # of the height of axes


def lines(ax: Axes, colour: str, least: float = 0, most: float = 99) -> list[Any]:
    """Vertices of the lines of a colour whose width lies between two."""
    of_colour = [line for line in ax.lines if line.get_color() == colour]
    wide = [line for line in of_colour if least <= line.get_linewidth() <= most]
    return [np.asarray(line.get_xydata(), float) for line in wide]


def thick(ax: Axes, colour: str) -> list[float]:
    """The ends of the thick lines of a colour, one after the other."""
    return [end for line in lines(ax, colour, least=2) for end in (line[0][0], line[-1][0])]


def bars(ax: Axes, colour: str) -> list[float]:
    """The ends of the ranges of the bar below the axis that have a colour."""
    patches = [patch for patch in ax.patches if isinstance(patch, Rectangle) and patch.get_y() < 0]
    shade = Rectangle((0, 0), 1, 1, color=colour).get_facecolor()
    ends = [(bar.get_x(), bar.get_width()) for bar in patches if bar.get_facecolor() == shade]
    return [end for low, width in sorted(ends) for end in (low, low + width)]


@pytest.mark.parametrize("name", ["two", "three", "twelve"])
def test_cost_curves_are_those_of_the_table_and_thick_where_lowest(name: str) -> None:
    data, context = made(cost_curves, name)
    ax = drawn(cost_curves, data, context)
    curves = headline_of(context.tables["headline"])
    front = data.loc[data["series"] == "curve", "model"].unique()[: cost_curves.COLOURED]
    low, high = axes.window(context)
    inside = GRID[(low < GRID) & (high > GRID)]
    for model in front:
        colour = context.colour(model)
        thin, *_ = [line for line in lines(ax, colour, most=1) if len(line) > 1]
        apart = np.abs(np.interp(inside, *thin.T) - curves[model](inside))
        assert apart.max() < 20 * SEEN
        assert np.median(apart) < SEEN
        spans = context.lowest.get(model, [])
        wide = [span for span in spans if span[1] - span[0] > cost_curves.SEEN]
        assert thick(ax, colour) == pytest.approx(np.ravel(wide))
    assert len(lines(ax, style.GREYED)) == len(curves) - len(front)


def test_bars_are_dark_where_a_difference_is_shown() -> None:
    data, context = made(cost_curves, "three")
    rows = context.tables["verdicts"]
    sure = rows[rows["finding"].isin(["A cheaper", "B cheaper"])]
    shown = union(list(sure[["pc_from", "pc_to"]].itertuples(index=False, name=None)))
    for place in range(2):
        ax = drawn(cost_curves, data, context, place)
        assert bars(ax, style.DARK) == pytest.approx(np.ravel(shown))
        assert place or bars(ax, style.LIGHT) == [0.0, 1.0]
    undecided = made(cost_curves, "three", verdicts=rows.assign(finding="undecided"))
    assert not bars(drawn(cost_curves, *undecided), style.DARK)


def test_cost_lines_are_operating_points_above_their_envelope() -> None:
    data, context = made(cost_lines, "three")
    words = cost_lines.words(data, context)
    model, folds = words["model"], words["folds"]
    rows = filtered(context.tables["operating_points"], level="repeat", model=model)
    ax = drawn(cost_lines, data, context, 1)
    (drawn_lines,) = (part for part in ax.collections if isinstance(part, LineCollection))
    starts, ends = np.array(drawn_lines.get_segments())[:, :, 1, None].swapaxes(0, 1)
    assert {*zip(starts.flat, ends.flat, strict=True)} <= {
        *zip(rows["fp"], rows["fn"], strict=True)
    }
    assert len(starts) <= cost_lines.LINES
    (envelope,) = lines(ax, context.colour(model), least=2)
    lowest = np.interp(GRID, *envelope.T)
    assert (lowest <= (starts * (1 - GRID) + ends * GRID).min(axis=0) + SEEN).all()
    points = data.loc[data["series"] == "point", ["x", "y"]].to_numpy()
    assert (points[:, :1] * (1 - GRID) + (1 - points[:, 1:]) * GRID >= lowest - SEEN).all()
    measures = context.tables["measures"]
    area = measures.loc[measures["headline"] & measures["model"].eq(model), "area"]
    assert words["cross_fitted"] == pytest.approx(area.iloc[0], abs=1e-3)
    assert words["average"] < words["cross_fitted"]  # which is in hindsight
    assert folds == 2


def test_points_lie_on_hulls_and_cost_what_their_lines_do() -> None:
    data, context = made(roc_and_cost, "three")
    marked = context.tables["duality"].drop_duplicates("model").set_index("model")
    for model in context.models:
        rows = data[data["model"] == model].set_index("series")[["x", "y"]]
        (fp, tp), (pc, cost) = rows.loc["point"].to_numpy(), rows.loc["cost"].to_numpy()
        assert cost == pytest.approx(fp * (1 - pc) + (1 - tp) * pc)
        assert [fp, tp, cost] == [*marked.loc[model, ["fp", "tp", "nec"]]]
        hull = rows.loc["hull"].to_numpy()
        assert np.abs(hull - [fp, tp]).sum(axis=1).min() == pytest.approx(0, abs=1e-12)
        slopes = np.diff(hull[:, 1]) / np.maximum(np.diff(hull[:, 0]), 1e-300)
        assert (np.diff(slopes) <= 1e-9 * slopes[:-1]).all()  # it turns right


def test_rules_are_listed_by_the_areas_of_the_table() -> None:
    data, context = made(hybrids, "two")
    rows = context.tables["criteria"].set_index(["model", "criterion"])["area"]
    for model, areas in hybrids.words(data, context)["areas"].items():
        assert list(areas.values()) == sorted(areas.values())
        for rule, area in areas.items():
            assert area == pytest.approx(rows[model, rule.partition(" (")[0]], abs=1e-12)
        assert {"neyman-pearson (at most 0.2)", "workforce (at most 30\u202f%)"} < {*areas}


def test_differences_are_coloured_where_verdicts_are() -> None:
    data, context = made(differences, "three")
    pairs = data[["model", "other"]].drop_duplicates().itertuples(index=False, name=None)
    for place, (a, b) in enumerate(pairs):
        ax = drawn(differences, data, context, place)
        for model, other in ((a, b), (b, a)):
            shown = context.wins.get((model, other), [])
            assert thick(ax, context.colour(model)) == pytest.approx(np.ravel(shown))
        rows = filtered(context.tables["comparisons"], model_a=a, model_b=b, line="difference")
        (line,) = (line for line in lines(ax, style.INK, least=1.1) if len(line) > 2)
        assert line[:, 1].min() == pytest.approx(rows[["nec_from", "nec_to"]].min().min(), abs=0.01)


def test_decision_curves_are_the_cost_curves_on_another_scale() -> None:
    data, context = made(decision_curves, "three")
    at = np.linspace(0.02, 0.5, 50)
    pc = pc_at(at, context.prior)
    for model, curve in headline_of(context.tables["headline"]).items():
        rows = filtered(data, series="net benefit", model=model)
        exact = net_benefit(curve(pc), pc, context.prior)
        seen = exact > decision_curves.BELOW * context.prior
        assert np.median(np.abs(np.interp(at, rows["x"], rows["y"]) - exact)[seen]) < 0.01


def test_costs_of_cases_have_roc_curves_both_ways() -> None:
    assert {*made(case_costs, "three")[0]["series"]} == {"unweighted", "weighted", "cost"}


def test_bins_of_scores_hold_all_cases() -> None:
    data, _ = made(calibration, "three")
    counts = data[data["series"].isin(["positives", "negatives"])].groupby("model")["y"].sum()
    assert counts.to_numpy() == pytest.approx(1.0)


def test_a_rare_class_has_an_axis_over_the_ratios_that_matter() -> None:
    data, context = made(cost_curves, "rare")
    low, high = axes.window(context)
    assert low == 0
    assert 0.2 < high < 0.5
    assert axes.window(context_of("two")) == (0, 1)
    labels = drawn(cost_curves, data, context).get_xticklabels()
    ticks = [label.get_text().split("\n")[0] for label in labels]
    assert ("5:1" in ticks, "1:20" in ticks) == (True, False)
    assert all(a < b for a, b in pairwise(label.get_position()[0] for label in labels))


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.NAME)
def test_a_figure_is_left_out_where_there_is_nothing_to_draw(module: ModuleType) -> None:
    """But for curves and what they bring in, which need no more than the headline."""
    whole = tables_of("one").items()
    empty = {name: rows.iloc[:0] for name, rows in whole if name not in ("headline", "measures")}
    data, _ = made(module, "one", **empty)
    assert data.empty != (module in (cost_curves, decision_curves))
