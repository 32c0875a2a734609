"""Figures of costs that differ: both views on the same axes, their order, and who holds a hull."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from costcurves import formats
from costcurves.figures import style
from costcurves.figures.sheet import LINE
from costcurves.figures.view_figures import RANKED, _orders
from tests.drawn import painted
from tests.figures.test_figures import (
    EVERY_CASE,
    KINDS,
    case,
    drawn,
    make,
    same_line,
    shown,
    texts_of,
)

SERIES = {"headline", "implied", "trivial"}


def joining(figure: Figure) -> list[Line2D]:
    """Lines on the sheet itself."""
    return [artist for artist in figure.artists if isinstance(artist, Line2D)]


@EVERY_CASE
def test_both_views_stand_on_the_same_axes_and_are_their_data(name: str) -> None:
    data, panels = shown("cost_views", name), drawn("cost_views", name).axes
    assert len({(axes.get_xlim(), axes.get_ylim()) for axes in panels}) == 1
    for axes, (_, own) in zip(panels, data.groupby("view", sort=False), strict=True):
        for _, rows in own[own["series"] == "headline"].groupby("model"):
            assert any(same_line(line, rows) for line in axes.lines)
        assert "these costs: PC(+) = 0.09" in {text.get_text() for text in axes.texts}
        assert any(np.array_equal(line.get_xdata(), [0.09, 0.09]) for line in axes.lines)
    assert (set(data["series"]) > SERIES) == (len(case(name).context.models) <= 4)


def test_what_is_said_of_each_view_is_read_off_its_own_curves() -> None:
    data = shown("cost_views", "five")
    for view, stage in (("unweighted", "original_headline"), ("by cost", "headline")):
        rows = case("five").tables[stage]
        holds = rows[(rows["pc_from"] <= 0.09) & (rows["pc_to"] > 0.09)].set_index("model")
        expected = holds["at0"] * (1 - 0.09) + holds["at1"] * 0.09
        found = data[(data["view"] == view) & (data["series"] == "implied")].set_index("model")
        pd.testing.assert_series_equal(
            found["nec"], expected[found.index], check_names=False, rtol=1e-12
        )
    (least,) = set(data.loc[data["series"] == "trivial", "nec"])
    assert least == 0.09


def test_a_line_joins_a_models_ranks_in_both_views() -> None:
    data, figure = shown("cost_views", "five"), drawn("cost_views", "five")
    context = case("five").context
    marked = data[data["series"].isin(["implied", "trivial"])]
    ranks = marked.groupby("view")["nec"].rank(method="first")
    lines = {line.get_gid(): line.get_ydata() for line in joining(figure)}
    assert len(lines) == 6
    changed = 0
    for model in context.models:
        unweighted, by_cost = ranks[marked["model"] == model]
        left, right = np.array(lines[context.tag(model)]) * figure.get_size_inches()[1] / LINE
        assert left - right == pytest.approx(by_cost - unweighted)
        changed += unweighted != by_cost
    assert changed > 1
    assert {formats.cost(cost) for cost in marked["nec"]} <= texts_of(figure)


def test_a_model_by_cost_only_stands_on_the_right() -> None:
    """Scores times costs are models of the view by cost."""
    tables, context = make(("A", "B", "A times cost"))
    unweighted = {
        name: tables[name][tables[name]["model"] != "A times cost"]
        for name in ("original_headline", "original_bands")
    }
    figure = painted(KINDS["cost_views"], {**tables, **unweighted}, context)
    names = [text.get_text() for text in figure.texts]
    assert [names.count(name) for name in context.models] == [2, 2, 1]
    assert len(joining(figure)) == 3
    assert all(text.get_position()[1] > 0 for text in figure.texts)


def test_views_that_choose_thresholds_in_other_ways_say_which_is_which() -> None:
    tables, context = make(("A", "B"))
    in_sample = tables["headline"].assign(estimate="in-sample selection")
    figure = painted(KINDS["cost_views"], {**tables, "headline": in_sample}, context)
    apart = "unweighted: cross-fitted; weighted by cost: in-sample selection"
    assert f"{apart}; {context.counts}" in texts_of(figure)
    alike = texts_of(painted(KINDS["cost_views"], tables, context))
    assert {"Unweighted", "Weighted by cost"} <= alike
    assert f"cross-fitted: threshold chosen on other folds; {context.counts}" in alike


def test_of_many_models_the_cheapest_by_cost_are_ranked() -> None:
    more = tuple(f"Classifier {number}" for number in range(1, RANKED + 3))
    figure = painted(KINDS["cost_views"], *make(more, size=10))
    assert any(f"the {RANKED} cheapest by cost" in words for words in texts_of(figure))
    assert len(joining(figure)) == RANKED + 1


def test_the_trivial_decision_stands_last_where_many_models_are_cheaper() -> None:
    more = [f"Classifier {number:02}" for number in range(RANKED + 10)]
    costs = [*np.linspace(0.02, 0.08, len(more)), 0.09]
    series = [*["implied"] * len(more), "trivial"]
    rows = pd.DataFrame({"series": series, "model": [*more, "always negative"], "nec": costs})
    orders = _orders(pd.concat([rows.assign(view="unweighted"), rows.assign(view="by cost")]))
    expected = [*[("implied", name) for name in more[:RANKED]], ("trivial", "always negative")]
    assert [list(order) for order in orders.values()] == [expected] * 2


@pytest.mark.parametrize("space", ["ROC", "ROCIV"])
def test_corners_of_the_hull_are_held_by_models_and_its_ends_by_none(space: str) -> None:
    data, figure = shown("instance_costs", "five"), drawn("instance_costs", "five")
    axes = figure.axes[["ROC", "ROCIV"].index(space)]
    hull = data[data["part"] == f"{space} hull"]
    ends = (hull["x"] == hull["y"]) & hull["x"].isin([0, 1])
    assert (hull["model"].eq("") == ends).all()
    said = {text.get_text() for text in axes.texts}
    for model, count in hull.loc[~ends, "model"].value_counts().items():
        assert f"{model} {count}" in said
        colour = style.colour(case("five").context.roster.index(str(model)))
        dots = [line for line in axes.lines if line.get_marker() == "o"]
        sizes = {
            len(np.atleast_1d(line.get_xdata())) for line in dots if line.get_color() == colour
        }
        assert sizes == {1, count}


@pytest.mark.parametrize("factor", [1e-5, 1.0, 1e7, 1e10])
def test_amounts_of_any_size_are_whole(factor: float) -> None:
    data = shown("instance_costs", "five").copy()
    data.loc[data["part"].isin(["benefit", "cost"]), "y"] *= factor
    figure = KINDS["instance_costs"].drawn(data, case("five").context)
    figure.draw_without_rendering()
    words = [text for axes in figure.axes[2:] for text in axes.get_yticklabels()]
    assert words
    assert all(text.get_window_extent().x0 >= 0 for text in words)
