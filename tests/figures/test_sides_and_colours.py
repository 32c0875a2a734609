"""Which side, whose colour, which end: what drawings say without words is what their tables say."""

from functools import cache
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch, Rectangle

from costcurves.figures import map_figures, style
from costcurves.figures.choice_figures import METHODS
from costcurves.figures.dot_figures import TRIVIAL
from costcurves.figures.map_figures import Survey
from costcurves.figures.polylines import cost_vertices, height_at
from costcurves.figures.ratio_figures import cost_ratios
from costcurves.maths.costs.net_benefit import net_benefit, pc_at
from costcurves.tables.curves.pieces import curve_from
from tests.drawn import drawn_of, painted
from tests.figures.test_dot_figures import drawn as dots_of
from tests.figures.test_dot_figures import survey
from tests.figures.test_figures import KINDS, Case, case, drawn, make, shown
from tests.worded_study import votes

PAIR = ["model_a", "model_b"]
PC = np.array([0.031, 0.117, 0.283, 0.409, 0.551, 0.667, 0.823, 0.971])


def polygons(axes: Axes, colour: str) -> list[mpl.path.Path]:
    """The areas of a colour."""
    filled: list[tuple[Any, Any]] = [
        (one.get_facecolor(), [one.get_path()]) for one in axes.patches
    ]
    filled += [
        (np.asarray(one.get_facecolor())[0], one.get_paths())
        for one in axes.collections
        if len(np.asarray(one.get_facecolor()))
    ]
    return [path for own, paths in filled if to_hex(own) == to_hex(colour) for path in paths]


@cache
def eight() -> Case:
    """More models than have their names beside their curves, and their pairs in strips."""
    return make(tuple(f"Tree {number}" for number in range(1, 9)), size=10, repeats=1)


def several(name: str) -> Case:
    return eight() if name == "eight" else case(name)


# The map


MODELS = ("Rule", "Vote", "Ladder", "Bayes")
NAMES = ("d2", "d0", "d1")


def maps() -> dict[str, tuple[Figure, pd.DataFrame]]:
    """Maps of three pairs on three datasets: each row, count and area another one."""
    counts = votes()
    rows, areas = [], []
    pairs = counts.drop_duplicates(PAIR)[PAIR].itertuples(index=False, name=None)
    for place, (a, b) in enumerate(pairs):
        for number, name in enumerate(NAMES):
            low, high = 0.12 + 0.07 * number + 0.02 * place, 0.63 + 0.05 * number
            ends = [(0.0, low, "undecided"), (low, high, "A cheaper"), (high, 1.0, "B cheaper")]
            rows += [
                {"dataset": name, "family": "baseline", "model_a": a, "model_b": b}
                | {"pc_from": start, "pc_to": end, "finding": found, "largest_difference": 0.1}
                for start, end, found in ends
            ]
    for number, name in enumerate(NAMES):
        for place, model in enumerate(MODELS):
            area = 0.2 + (0.03 * number if model == "Vote" else 0.011 * place)
            areas.append({"dataset": name, "model": model, "area": area, "headline": True})
    titles = tuple((name, name.upper()) for name in NAMES)
    tables = {"map": counts, "verdicts": pd.DataFrame(rows), "measures": pd.DataFrame(areas)}
    return drawn_of((map_figures.map, map_figures.maps), tables, Survey("All", MODELS, titles))


def test_counts_beneath_a_map_stack_each_finding_in_its_colour() -> None:
    figure, data = maps()["map"]
    counted = data[data["dataset"] == ""]
    colour = {"a_cheaper": MODELS.index("Vote"), "b_cheaper": MODELS.index("Bayes")}
    _, below, _ = figure.axes
    steps = {one.get_facecolor(): one.get_data() for one in below.patches}  # type: ignore[attr-defined]
    found = {to_hex(key): value for key, value in steps.items()}
    for name, place in colour.items():
        values, edges, baseline = found[style.colour(place)]
        assert np.subtract(values, baseline).tolist() == counted[name].tolist(), name
        assert edges.tolist() == [*counted["pc_from"], 1.0]
    names = ["a_cheaper", "equivalent", "undecided", "b_cheaper"]
    assert below.get_ylim() == (0, counted[names].sum(axis=1).max())
    assert [tick for tick in below.get_yticks() if tick] == [8]


def test_a_map_names_its_models_in_the_order_of_its_pair_and_rows_by_their_areas() -> None:
    figure, data = maps()["map"]
    placed = {text.get_text(): text.get_position() for text in figure.texts}
    assert placed["Vote is cheaper"][0] < placed["Bayes is cheaper"][0]
    difference = data.dropna(subset="area_difference").groupby("dataset")["area_difference"].first()
    rows = sorted(NAMES, key=lambda name: -placed[name.upper()][1])
    assert rows == [*difference.sort_values().index]
    beside = [words for words in placed if words[0] in "+\N{MINUS SIGN}"]
    assert len(beside) == len(NAMES)
    (said,) = (words for words in placed if words.startswith("rows are in order"))
    assert said.endswith("of the area under the first model's curve minus that under the second's")


def test_small_maps_name_the_first_model_at_the_left_and_keep_the_reports_order() -> None:
    figure, data = maps()["maps"]
    pairs = data.drop_duplicates(PAIR)[PAIR].itertuples(index=False, name=None)
    for (a, b), axes in zip(pairs, figure.axes[::3], strict=True):
        own = [it for it in figure.texts if it.get_text() in (a, b)]
        height = axes.get_position().y1
        near = sorted(own, key=lambda it: abs(it.get_position()[1] - height))
        left, right = axes.get_position().x0, axes.get_position().x1
        words = {
            it.get_text(): it.get_position()[0]
            for it in near
            if left - 0.01 <= it.get_position()[0] <= right + 0.01
        }
        assert words[a] < words[b]
        ends = data[(data["dataset"] != "") & (data[PAIR] == [a, b]).all(axis=1)]
        patch = next(
            it for it in axes.patches if to_hex(it.get_facecolor()) == style.colour(_place(b))
        )
        assert isinstance(patch, PathPatch)
        corners = np.asarray(patch.get_path().vertices).reshape(-1, 5, 2)
        rows = {int(box[0, 1]): float(box[0, 0]) for box in corners}
        expected = ends[ends["finding"] == "B cheaper"].set_index("dataset")["pc_from"]
        assert rows == {number: expected[name] for number, name in enumerate(NAMES)}


def _place(model: str) -> int:
    return MODELS.index(model)


# Net benefit


@pytest.mark.parametrize("name", ["two", "five"])
def test_bands_of_decision_curves_are_those_for_the_whole_curve(name: str) -> None:
    tables, context = case(name)
    bands = tables["bands"][tables["bands"]["extent"] == "simultaneous"]
    data = shown("decision_curves", name)
    for (model, edge), own in bands.groupby(["model", "edge"]):
        rows = data[(data["model"] == model) & (data["series"] == edge)]
        t = rows["threshold"].to_numpy(float)
        pc = np.asarray(pc_at(t, context.prior))
        expected = net_benefit(curve_from(own)(pc), pc, context.prior)
        found = rows["net_benefit"].to_numpy(float)
        inside = found > rows["net_benefit"].min() + 1e-9
        assert found[inside] == pytest.approx(np.asarray(expected)[inside])


# Differences, bands and numbers


@pytest.mark.parametrize("name", ["two", "five"])
def test_a_difference_has_its_own_bands_and_strips(name: str) -> None:
    tables, context = case(name)
    comparisons, verdicts = tables["comparisons"], tables["verdicts"]
    axes = drawn("differences", name).axes
    pairs = [*verdicts[PAIR].drop_duplicates().itertuples(index=False, name=None)]
    for (a, b), panel, strip in zip(pairs, axes[::2], axes[1::2], strict=True):
        own = comparisons[(comparisons["model_a"] == a) & (comparisons["model_b"] == b)]
        curves = {name: curve_from(rows) for name, rows in own.groupby("line")}
        (light,) = polygons(panel, "#cfcfcf")
        for pc in PC:
            low, high = (float(curves[f"pointwise {edge}"](pc)) for edge in ("lower", "upper"))
            gap = 0.2 * (high - low)
            for height, inside in (
                (low - gap, 0),
                (low + gap, 1),
                (high - gap, 1),
                (high + gap, 0),
            ):
                assert light.contains_point((pc, height)) == bool(inside)
        shown_at = {
            (
                round(float(it.get_x()), 9),
                round(float(it.get_width()), 9),
                to_hex(it.get_facecolor()),
            )
            for it in strip.patches
            if isinstance(it, Rectangle) and not it.get_hatch()
        }
        rows: Any = verdicts[(verdicts["model_a"] == a) & (verdicts["model_b"] == b)]
        expected = {
            (round(row.pc_from, 9), round(row.pc_to - row.pc_from, 9), _colour(row, context))
            for row in rows.itertuples()
            if row.finding != "equivalent"
        }
        assert shown_at == expected


def _colour(row: Any, context: Any) -> str:
    winner = {"A cheaper": row.model_a, "B cheaper": row.model_b}.get(row.finding)
    return to_hex(context.colour(winner) if winner else style.EQUAL)


@pytest.mark.parametrize("name", ["two", "eight"])
def test_the_light_band_of_a_cost_curve_is_the_pointwise_one(name: str) -> None:
    tables, context = several(name)
    figure = painted(KINDS["cost_curves"], tables, context)
    panels = [axes for axes in figure.axes if axes.axison]
    named = [it.get_text() for it in figure.texts if it.get_text() in context.models]
    panels = panels if len(panels) > 1 else panels * len(named)
    assert len(named) == len(context.models)
    for model, axes in zip(named, panels, strict=True):
        rows = tables["bands"][tables["bands"]["model"] == model]
        curves = {
            (extent, edge): curve_from(own)
            for (extent, edge), own in rows.groupby(["extent", "edge"])
        }
        areas = polygons(axes, to_hex(context.colour(model)))
        for pc in PC[1:-1]:
            low, high = (float(curves["pointwise", edge](pc)) for edge in ("lower", "upper"))
            far = float(curves["simultaneous", "upper"](pc))
            assert areas[0].contains_point((pc, (low + high) / 2))
            assert not areas[0].contains_point((pc, (high + far) / 2))


def test_the_number_beside_a_loss_curve_is_the_area_of_its_table() -> None:
    tables, _ = case("two")
    rows = tables["threshold_choice"]
    rows = rows[rows["axis"] == "cost proportion"].drop_duplicates(["model", "method"])
    beside = [it.get_text() for it in drawn("thresholds", "two").texts]
    for row in rows.to_dict("records"):
        assert f"{row['loss']:.3f}" in beside
    looks = {(str(it["linestyle"]), it["color"], it["linewidth"]) for it in METHODS.values()}
    assert len(looks) == len(METHODS)


# Areas and shares


def test_dots_of_areas_have_their_models_colour_and_the_baseline_its_area() -> None:
    figure, data = dots_of(3)
    pcs = np.linspace(0, 1, 4001)
    assert np.mean(np.minimum(pcs, 1 - pcs)) == pytest.approx(TRIVIAL, abs=1e-3)
    dots = {
        float(np.asarray(line.get_xdata(), float)[0]): to_hex(line.get_color())
        for line in figure.axes[0].lines
        if len(np.atleast_1d(line.get_xdata())) == 1
    }
    expected = {row["area"]: survey(3).colour(row["model"]) for row in data.to_dict("records")}
    assert dots == {area: to_hex(colour) for area, colour in expected.items()}


def test_over_the_cost_ratio_the_grey_is_where_a_constant_decision_is_cheaper() -> None:
    tables, context = make(("Rule", "Bayes", "Vote"), prior=0.02, pcs=(0.1, 0.005))
    (axes,) = painted(cost_ratios, tables, context).axes
    (grey,) = (it for it in axes.patches if to_hex(it.get_facecolor()) == to_hex(style.SHADE))
    bottom = grey.get_window_extent().transformed(axes.transData.inverted()).y0
    assert bottom == pytest.approx(1)
    data = cost_ratios.data(tables, context)
    worse = data["nec"] > np.minimum(data["pc"], 1 - data["pc"])
    assert ((data["share"] > 1) == worse).all()
    assert data.sort_values("pc")["along"].is_monotonic_increasing


# Both spaces


def test_the_cheapest_model_and_a_constant_decision_are_marked_and_said() -> None:
    tables, context = case("two")
    (_, costs) = drawn("duality", "two").axes
    edges = {
        to_hex(line.get_markerfacecolor()): to_hex(line.get_markeredgecolor())
        for line in costs.lines
        if line.get_marker() == "o" and line.get_markersize() > 4
    }
    edges = {model: edges[to_hex(context.colour(model))] for model in context.models}
    pc = float(tables["duality"]["pc"].iloc[0])
    heights = {
        model: float(height_at(cost_vertices(rows, ["model"]), np.array([pc]), "right")[0])
        for model, rows in tables["headline"].groupby("model")
    }
    best = min(heights, key=lambda model: heights[model])
    dark, white = to_hex(style.INK), "#ffffff"
    constant = heights[best] >= min(pc, 1 - pc)
    assert not constant
    assert edges == {model: dark if model == best else white for model in edges}
    said = " ".join(text.get_text() for axes in drawn("duality", "two").axes for text in axes.texts)
    promised = tables["duality"].set_index("model")["nec"][best]
    assert f"{promised:.3f} in-sample at this PC(+)" in said
    tables, context = make(("A", "B"), useless=True, pcs=(0.3,), repeats=1, folds=1)
    figure = painted(KINDS["duality"], tables, context)
    said = " ".join(text.get_text() for axes in figure.axes for text in axes.texts)
    assert "0.300 at this PC(+),\nas always negative" in said


def test_what_is_read_is_said_with_the_ends_of_its_line() -> None:
    data = shown("reading", "two")
    (fp, tp) = data[(data["space"] == "roc") & (data["series"] == "point")][["x", "y"]].to_numpy()[
        0
    ]
    (roc, _) = drawn("reading", "two").axes
    said = " ".join(text.get_text() for text in roc.texts)
    assert f"FP {fp:.3f}, TP {tp:.3f}: its line\nruns from {fp:.3f} to {1 - tp:.3f}," in said
    words = {text.get_text() for text in drawn("reading", "two").texts}
    assert "cross-fitted: the cost to expect" in words


def test_each_line_of_a_cost_space_has_the_name_of_its_constant_decision() -> None:
    axes = drawn("cost_views", "two").axes[0]
    named = {text.get_text(): text.get_position()[0] for text in axes.texts}
    assert named["always negative"] < 0.5 < named["always positive"]  # cost PC(+) and 1 - PC(+)


# Costs of instances, and pairs


def test_scales_and_corners_of_costs_are_those_of_their_parts() -> None:
    data, figure = shown("instance_costs", "five"), drawn("instance_costs", "five")
    ends = data[data["part"].isin(["benefit", "cost"])].groupby("part")["y"].max()
    assert ends["benefit"] != pytest.approx(ends["cost"])
    for axes in figure.axes[2:]:
        low, zero, high = (text.get_text() for text in axes.get_yticklabels())
        assert zero == "0"
        both = [float(words.replace("\N{NARROW NO-BREAK SPACE}", "")) for words in (low, high)]
        assert both == pytest.approx([ends["cost"], ends["benefit"]], rel=1e-3)


def test_each_list_of_costs_stands_under_its_own_view() -> None:
    data, figure = shown("cost_views", "five"), drawn("cost_views", "five")
    marked = data[data["series"].isin(["implied", "trivial"])]
    width = figure.get_size_inches()[0]
    assert width > 0
    for view, sign in (("unweighted", -1), ("by cost", 1)):
        costs = {f"{cost:.3f}" for cost in marked.loc[marked["view"] == view, "nec"]}
        found = {
            it.get_text()
            for it in figure.texts
            if it.get_text() in costs and sign * (it.get_position()[0] - 0.5) > 0
        }
        assert found == costs


def test_cells_of_verdicts_run_from_0_to_1() -> None:
    (axes,) = drawn("verdicts", "two").axes
    verdicts = case("two").tables["verdicts"]
    grounds = [it for it in axes.patches if to_hex(it.get_facecolor()) == to_hex(style.EQUAL)]
    (ground,) = (it for it in grounds if isinstance(it, Rectangle))
    left, wide = ground.get_x(), ground.get_width()
    halves = [
        it
        for it in axes.patches
        if isinstance(it, Rectangle) and it is not ground and not it.get_hatch()
    ]
    found = {
        (round((it.get_x() - left) / wide, 6), round(it.get_width() / wide, 6)) for it in halves
    }
    decided = verdicts[verdicts["finding"].isin(["A cheaper", "B cheaper"])]
    assert found == {
        (round(row["pc_from"], 6), round(row["pc_to"] - row["pc_from"], 6))
        for row in decided.to_dict("records")
    }
    (words,) = (
        it.get_text()
        for it in painted(KINDS["verdicts"], *eight()).texts
        if it.get_text().startswith("upper half")
    )
    assert words.startswith(
        "upper half coloured: the row is cheaper; lower half: the column; grey: undecided"
    )
