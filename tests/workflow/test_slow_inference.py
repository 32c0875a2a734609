"""Bands, differences, verdicts and choices, as far as they follow without the study's draws.

Recomputed are all estimates, levels (of Holm's steps from the stated p-values) and cost ratios.
What each report is checked against (`invariants`) is not compared again.
"""

from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Any, Final

import numpy as np
import pandas as pd
import pytest

from tests.asymmetric_study import REFERENCE
from tests.oracle import slow_study as slow
from tests.oracle import slow_views as views
from tests.oracle.slow_study import Curve
from tests.oracle.slow_views import CLOSE, Published, View, assert_row, each, height

ENDS: Final = (("lower", "low"), ("upper", "high"))
RESAMPLED: Final = "resampled instances"
SIGNS: Final = {"A cheaper": -1, "B cheaper": 1}
PAIR: Final = ("family", "model_a", "model_b")
Pieces = list[tuple[float, ...]]
Pair = tuple[str, str, str]


def curves_of(rows: pd.DataFrame, *names: str) -> dict[Any, Pieces]:
    return {key: views.pieces_of(part) for key, part in each(rows, *names)}


def assert_nested(*curves: Pieces) -> None:
    """Each curve lies nowhere above the next one."""
    ends = sorted({end for curve in curves for piece in curve for end in piece[:2]})
    for low, high in pairwise(ends):
        if high - low > CLOSE:
            for part in (0.001, 0.999):
                heights = [height(curve, low + part * (high - low)) for curve in curves]
                assert np.diff(heights).min() >= -1e-3 * (high - low) - CLOSE


def test_bands_are_nested_and_at_a_condition_the_interval_of_the_cost_there(
    published: Published, view: View
) -> None:
    table, intervals = published("bands", view.name), published("intervals", view.name)
    assert table["confidence"].eq(views.LEVEL).all()
    assert table["method"].eq(RESAMPLED).all()
    bands = curves_of(table, "model", "extent", "edge")
    assert {model for model, *_ in bands} == {*view.models}
    for model in view.models:
        (low, lowest), (high, highest) = (
            [bands[model, extent, edge] for extent in ("pointwise", "simultaneous")]
            for edge in ("lower", "upper")
        )
        assert_nested(lowest, low, high, highest)
    for row in intervals[intervals["quantity"] == "cost"].to_dict("records"):
        for edge, end in ENDS:
            there = height(bands[row["model"], "pointwise", edge], row["pc"])
            assert views.is_close(there, row[end]), row


@pytest.fixture
def differences(view: View) -> dict[Pair, Curve]:
    """Of both families: of all pairs, and with the reference."""
    pairs = [("all pairs", *pair) for pair in combinations(view.models, 2)]
    others = [model for model in view.models if model != REFERENCE]
    pairs += [("reference", model, REFERENCE) for model in others]
    curves = {model: view.headline(model) for model in view.models}
    return {(family, a, b): slow.minus(curves[a], curves[b]) for family, a, b in pairs}


@pytest.fixture
def levels(published: Published, view: View) -> dict[Pair, float]:
    """The level at which each pair's band is read, by Holm's steps over its family."""
    levels: dict[Pair, float] = {}
    for _, rows in each(published("verdicts", view.name).drop_duplicates([*PAIR]), "family"):
        keys = rows[[*PAIR]].itertuples(index=False, name=None)
        by_holm = slow.holm(rows["p_value"].tolist(), views.OF_RANGES)
        levels |= dict(zip(keys, by_holm, strict=True))
    return levels


def test_differences_and_their_bands_at_holms_levels(
    published: Published, view: View, differences: dict[Pair, Curve], levels: dict[Pair, float]
) -> None:
    pairs = dict(each(published("comparisons", view.name), *PAIR))
    if view.can_choose:  # between in-sample curves there need not be verdicts
        assert {*pairs} == {*differences} == {*levels}
    for key, rows in pairs.items():
        lines = dict(each(rows, "line"))
        views.assert_curve(lines["difference"], differences[key], key)
        for name, line in lines.items():
            level = views.LEVEL if name.startswith("pointwise") else levels[key]
            np.testing.assert_allclose(line["confidence"], level, rtol=0, atol=CLOSE, err_msg=name)
        curves = curves_of(rows, "line")
        for extent in ("pointwise", "simultaneous") if view.can_choose else ():
            edges = (curves[f"{extent} {edge}"] for edge, _ in ENDS)
            lower, upper = edges
            assert_nested(lower, curves["difference"], upper)


def test_a_crossing_lies_where_the_band_holds_zero(published: Published, view: View) -> None:
    """Of two models, whose only band is at the level of the study."""
    if len(view.models) > 2 or not view.can_choose:
        return
    lines = curves_of(published("comparisons", view.name), "family", "line")
    lower, upper = (lines["all pairs", f"simultaneous {edge}"] for edge, _ in ENDS)
    crossings = published("crossovers", view.name).query("to_low < to_high")
    assert len(crossings)
    for row in crossings.to_dict("records"):
        assert row["to_low"] <= row["pc_to"] <= row["to_high"]
        for end, step in ((row["to_low"], 1e-7), (row["to_high"], -1e-7)):
            assert height(lower, end + step) <= CLOSE
            assert height(upper, end + step) >= -CLOSE
            if 0 < end - step < 1:
                assert max(height(lower, end - step), -height(upper, end - step)) > -CLOSE


def test_verdicts_follow_from_the_published_bands(
    published: Published, view: View, differences: dict[Pair, Curve], levels: dict[Pair, float]
) -> None:
    bands = curves_of(published("comparisons", view.name), *PAIR, "line")
    instances = len(next(iter(view.models.values())).instances)
    for row in published("verdicts", view.name).to_dict("records"):
        key = row["family"], row["model_a"], row["model_b"]
        views.assert_largest(row, differences[key])
        if not view.can_choose:
            assert (row["finding"], row["reason"]) == ("undecided", views.IN_SAMPLE)
            assert pd.isna([row["p_value"], row["low"], row["high"]]).all()
            continue
        views.assert_ratios(row, view.prior)
        assert_row(row, confidence=levels[key])
        assert (row["familywise"], row["equivalence"]) == (views.OF_RANGES, 0.03)
        assert (row["instances"], row["repeats"], row["folds"]) == (instances, 3, 3)
        lower, upper = edges = [bands[(*key, f"simultaneous {edge}")] for edge, _ in ENDS]
        for (_, end), edge in zip(ENDS, edges, strict=True):
            sides = [height(edge, row["at_pc"] + step) for step in (-1e-12, 0, 1e-12)]
            assert any(abs(row[end] - side) < CLOSE for side in sides), (key, row["at_pc"])
        _assert_decided(row, lower, upper)
        assert row["finding"] not in SIGNS or row["projected"] <= instances


def _assert_decided(row: dict[Any, Any], lower: Pieces, upper: Pieces) -> None:
    """Where a model is cheaper the band excludes zero, and at the ends it begins to hold it."""
    low, high, margin = row["pc_from"], row["pc_to"], row["equivalence"]
    inside = [low + part * (high - low) for part in (1e-6, 0.1, 0.5, 0.9, 1 - 1e-6)]
    edges = np.array([[height(edge, pc) for pc in inside] for edge in (lower, upper)])
    if row["finding"] == "equivalent":
        assert np.abs(edges).max() <= margin + CLOSE
    if row["finding"] in SIGNS:
        assert (edges[1] < 0).all() if SIGNS[row["finding"]] < 0 else (edges[0] > 0).all()
        for end, beyond in ((low, low - 1e-7), (high, high + 1e-7)):
            if 0 < end < 1:
                below, above = height(lower, beyond), height(upper, beyond)
                within = max(abs(below), abs(above)) <= margin + 1e-6
                assert below <= CLOSE <= above + 2 * CLOSE or within


def test_who_is_not_ruled_out(published: Published, view: View) -> None:
    """Who is the cheapest follows from the headline curves; who is out costs more than another."""
    table = published("not_ruled_out", view.name)
    curves = {model: view.headline(model) for model in view.models}
    curves["always negative"] = slow.whole(slow.NEGATIVE)
    curves["always positive"] = slow.whole(slow.POSITIVE)
    assert table["decision"].unique().tolist() == [*curves]
    assert table["confidence"].eq(views.OF_RANGES).all()
    assert table["method"].eq(RESAMPLED if view.can_choose else views.IN_SAMPLE).all()
    for row in table.to_dict("records"):
        views.assert_ratios(row, view.prior)
    for low, high in pairwise(sorted({0.0, *table["pc_to"]})):
        pc = (Fraction(low) + Fraction(high)) / 2
        costs = {decision: slow.value(curve, pc) for decision, curve in curves.items()}
        here = table[(table["pc_from"] < pc) & (pc < table["pc_to"])]
        standing = here.groupby("standing", sort=False)["decision"].agg(list).to_dict()
        least = min(costs.values())
        assert standing["cheapest"] == [name for name, cost in costs.items() if cost == least]
        out = standing["ruled out"]
        assert ("always positive" if pc < Fraction(1, 2) else "always negative") in out
        assert view.can_choose or len(out) == 1


def test_what_choices_cost_and_differ_by(published: Published, view: View) -> None:
    keys = ["model_a", "criterion_a", "model_b", "criterion_b"]
    texts = dict.fromkeys([*keys, "condition"], "")
    table = published("choice_intervals", view.name)
    table = table.astype(dict.fromkeys(texts, object)).fillna(texts)
    single: list[tuple[str, str]] = []
    more: list[tuple[str, str]] = []
    for (model, criterion, other, by), rows in each(table, *keys):
        curve = view.hybrid(model, criterion)
        if other:
            assert (other, by) == (model, "cross-fitted")
            curve = slow.minus(curve, view.hybrid(other, by))
        (more if other else single).append((model, criterion))
        expected = {("area", ""): slow.area(curve), ("tec", ""): views.expected_cost(curve)}
        expected |= {("cost", at): slow.value(curve, pc) for at, pc in views.CONDITIONS.items()}
        for row, (kind, value) in zip(rows.to_dict("records"), expected.items(), strict=True):
            assert (row["quantity"], row["condition"]) == kind
            assert_row(row, value=value, pc=views.CONDITIONS.get(kind[1]))
            assert row["low"] <= row["value"] <= row["high"]
            assert (row["confidence"], row["method"]) == (views.LEVEL, RESAMPLED)
    every = product(view.models, views.CRITERIA)
    chosen = [key for key in every if view.applies(*key) and key[1] not in views.LIMITS]
    assert single == chosen
    fitted = [model for model, criterion in chosen if criterion == "cross-fitted"]
    assert more == [key for key in chosen if key[0] in fitted and key[1] != "cross-fitted"]
