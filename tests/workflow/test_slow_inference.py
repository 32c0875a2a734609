"""Bands, differences, verdicts and choices, as far as they follow without the study's draws.

Recomputed are all estimates, levels (of Holm's steps from the stated p-values) and cost ratios.
What each report is checked against (`invariants`) is not looked at again.
"""

from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import pandas as pd
import pytest

from tests.asymmetric_study import REFERENCE
from tests.oracle import slow_study as slow
from tests.oracle.slow_study import Curve
from tests.oracle.slow_views import (
    CLOSE,
    CONDITIONS,
    CRITERIA,
    CROSS_FITTED,
    IN_SAMPLE,
    LEVEL,
    LIMITS,
    OF_RANGES,
    Published,
    View,
    assert_close,
    assert_curve,
    assert_largest,
    assert_ratios,
    each,
    expected_cost,
    height,
    pieces_of,
)

EXTENTS = ("pointwise", "simultaneous")
RESAMPLED = "resampled instances"
FOUND = {"A cheaper": -1, "B cheaper": 1}


def quantities(curve: Curve) -> dict[tuple[str, str | float], Fraction]:
    """What intervals are given of, with the condition of a cost."""
    values: dict[tuple[str, str | float], Fraction] = {
        ("area", ""): slow.area(curve),
        ("tec", ""): expected_cost(curve),
    }
    for name, pc in CONDITIONS.items():
        values["cost", name] = slow.value(curve, pc)
    return values


def assert_intervals(rows: pd.DataFrame, curve: Curve) -> None:
    """Hold the intervals of one curve's area, expected cost and costs to it."""
    rows = rows.fillna({"condition": ""})
    expected = quantities(curve)
    assert list(zip(rows["quantity"], rows["condition"], strict=True)) == list(expected)
    for row, value in zip(rows.to_dict("records"), expected.values(), strict=True):
        assert_close(row["value"], value)
        assert row["low"] <= row["value"] <= row["high"]
        assert_close(row["pc"], CONDITIONS.get(row["condition"]))
        assert (row["confidence"], row["method"]) == (LEVEL, RESAMPLED)


def test_a_simultaneous_band_holds_the_pointwise_one(published: Published, view: View) -> None:
    table = published("bands", view.name)
    assert table["confidence"].eq(LEVEL).all()
    assert table["method"].eq(RESAMPLED).all()
    for _, rows in each(table, "model"):
        edges = {name: pieces_of(band) for name, band in each(rows, "extent", "edge")}
        lower, upper = ([edges[extent, edge] for extent in EXTENTS] for edge in ("lower", "upper"))
        assert_nested([lower[1], lower[0], upper[0], upper[1]])


def test_a_band_at_a_condition_is_the_interval_of_the_cost_there(
    published: Published, view: View
) -> None:
    bands, intervals = published("bands", view.name), published("intervals", view.name)
    pointwise = bands[bands["extent"] == "pointwise"]
    edges = {key: pieces_of(rows) for key, rows in each(pointwise, "model", "edge")}
    for row in intervals[intervals["quantity"] == "cost"].to_dict("records"):
        for edge, end in (("lower", "low"), ("upper", "high")):
            assert_close(height(edges[row["model"], edge], row["pc"]), row[end], row)


def assert_nested(curves: list[Any]) -> None:
    """Each curve lies nowhere above the next one."""
    plain = [[tuple(map(float, piece)) for piece in curve] for curve in curves]
    ends = sorted({end for curve in plain for piece in curve for end in piece[:2]})
    for low, high in pairwise(ends):
        if high - low > CLOSE:
            for part in (0.001, 0.999):
                heights = [height(curve, low + part * (high - low)) for curve in plain]
                for lower, upper in pairwise(heights):
                    assert lower <= upper + 1e-3 * (high - low) + CLOSE


def pairs_of(view: View) -> dict[tuple[str, str, str], Curve]:
    """The differences of both families: of all pairs, and with the reference."""
    all_pairs = [("all pairs", a, b) for a, b in combinations(view.models, 2)]
    others = [("reference", model, REFERENCE) for model in view.models if model != REFERENCE]
    return {
        (family, a, b): slow.minus(view.headline(a), view.headline(b))
        for family, a, b in [*all_pairs, *others]
    }


def levels_of(verdicts: pd.DataFrame) -> dict[tuple[str, str, str], float]:
    """The level at which each pair's band is read, by Holm's steps over its family."""
    level_of: dict[tuple[str, str, str], float] = {}
    for _, rows in each(verdicts, "family"):
        first = rows.drop_duplicates(["model_a", "model_b"])
        keys = first[["family", "model_a", "model_b"]].itertuples(index=False, name=None)
        levels = slow.holm(first["p_value"].tolist(), OF_RANGES)
        level_of |= dict(zip(keys, levels, strict=True))
    return level_of


@pytest.fixture
def differences(view: View) -> dict[tuple[str, str, str], Curve]:
    return pairs_of(view)


def test_differences_and_their_bands_at_holms_levels(
    published: Published, view: View, differences: dict[tuple[str, str, str], Curve]
) -> None:
    table, levels = published("comparisons", view.name), levels_of(published("verdicts", view.name))
    pairs = dict(list(each(table, "family", "model_a", "model_b")))
    if view.can_choose:  # between in-sample curves there need not be verdicts
        assert set(pairs) == set(differences) == set(levels)
    for key, rows in pairs.items():
        lines = dict(list(each(rows, "line")))
        assert_curve(lines["difference"], differences[key], key)
        for name, line in lines.items():
            (level,) = set(line["confidence"])
            assert_close(level, LEVEL if name.startswith("pointwise") else levels[key], name)
        curves = {name: pieces_of(line) for name, line in lines.items()}
        for extent in EXTENTS if view.can_choose else ():
            names = [f"{extent} lower", "difference", f"{extent} upper"]
            assert_nested([curves[name] for name in names])


def test_the_pointwise_band_of_a_difference_is_its_interval_at_a_condition(
    published: Published, view: View
) -> None:
    if not view.can_choose:
        return
    comparisons = published("comparisons", view.name).query("family == 'all pairs'")
    edges = {key: pieces_of(rows) for key, rows in each(comparisons, "model_a", "model_b", "line")}
    headline = published("headline", view.name)
    chosen = {*headline.loc[headline["estimate"] == CROSS_FITTED, "model"]}
    intervals = published("choice_intervals", view.name).query("quantity == 'cost'")
    count = 0
    for row in intervals.to_dict("records"):
        models = row["model_a"], row["model_b"]
        criteria = {row["criterion_a"], row["criterion_b"]}
        if {*models} <= chosen and criteria == {CROSS_FITTED}:
            count += 1
            for edge, end in (("lower", "low"), ("upper", "high")):
                there = height(edges[*models, f"pointwise {edge}"], row["pc"])
                assert_close(there, row[end], models)
    assert count


def test_a_crossing_lies_where_the_band_holds_zero(published: Published, view: View) -> None:
    """Of two models, whose only band is at the level of the study."""
    if len(view.models) > 2 or not view.can_choose:
        return
    lines = dict(list(each(published("comparisons", view.name), "family", "line")))
    lower, upper = (
        pieces_of(lines["all pairs", f"simultaneous {edge}"]) for edge in ("lower", "upper")
    )
    crossings = published("crossovers", view.name).query("to_low < to_high")
    assert len(crossings)
    for row in crossings.to_dict("records"):
        assert row["to_low"] <= row["pc_to"] <= row["to_high"]
        for end, step in ((row["to_low"], 1e-7), (row["to_high"], -1e-7)):
            assert height(lower, end + step) <= CLOSE
            assert height(upper, end + step) >= -CLOSE
            if 0 < end - step < 1:
                outside = height(lower, end - step), -height(upper, end - step)
                assert max(outside) > -CLOSE


def test_verdicts_follow_from_the_published_bands(
    published: Published, view: View, differences: dict[tuple[str, str, str], Curve]
) -> None:
    table, comparisons = published("verdicts", view.name), published("comparisons", view.name)
    levels = levels_of(table)
    bands = {
        key: pieces_of(rows)
        for key, rows in each(comparisons, "family", "model_a", "model_b", "line")
    }
    instances = len(next(iter(view.models.values())).instances)
    for key, rows in each(table, "family", "model_a", "model_b"):
        for row in rows.to_dict("records"):
            assert_largest(row, differences[key])
            if not view.can_choose:
                assert (row["finding"], row["reason"]) == ("undecided", IN_SAMPLE)
                assert pd.isna([row["p_value"], row["low"], row["high"]]).all()
                continue
            assert_ratios(row, view.prior)
            assert_close(row["confidence"], levels[key])
            assert (row["familywise"], row["equivalence"]) == (OF_RANGES, 0.03)
            assert (row["instances"], row["repeats"], row["folds"]) == (instances, 3, 3)
            lower, upper = (bands[(*key, f"simultaneous {edge}")] for edge in ("lower", "upper"))
            for name, edge in (("low", lower), ("high", upper)):
                sides = [height(edge, row["at_pc"] + step) for step in (-1e-12, 0, 1e-12)]
                assert any(abs(row[name] - side) < CLOSE for side in sides), (key, row["at_pc"])
            _assert_decided(row, lower, upper)
            assert row["finding"] not in FOUND or row["projected"] <= instances


def _assert_decided(
    row: dict[Any, Any], lower: list[tuple[float, ...]], upper: list[tuple[float, ...]]
) -> None:
    """Where a model is cheaper the band excludes zero, and at the ends it begins to hold it."""
    low, high = row["pc_from"], row["pc_to"]
    inside = [low + part * (high - low) for part in (1e-6, 0.1, 0.5, 0.9, 1 - 1e-6)]
    edges = [(height(lower, pc), height(upper, pc)) for pc in inside]
    if row["finding"] in FOUND:
        sign = FOUND[row["finding"]]
        for below, above in edges:
            assert (above < 0) if sign < 0 else (below > 0)
        for end, beyond in ((low, low - 1e-7), (high, high + 1e-7)):
            if 0 < end < 1:
                below, above = height(lower, beyond), height(upper, beyond)
                within = max(abs(below), abs(above)) <= row["equivalence"] + 1e-6
                assert below <= CLOSE <= above + 2 * CLOSE or within
    if row["finding"] == "equivalent":
        for edge in (edge for both in edges for edge in both):
            assert abs(edge) <= row["equivalence"] + CLOSE


def test_who_is_not_ruled_out(published: Published, view: View) -> None:
    """Who is the cheapest follows from the headline curves; who is out costs more than another."""
    table = published("not_ruled_out", view.name)
    curves = {model: view.headline(model) for model in view.models}
    for name, ends in (("always negative", (0, 1)), ("always positive", (1, 0))):
        curves[name] = slow.whole(slow.Line(*map(Fraction, ends)))
    assert table["decision"].unique().tolist() == list(curves)
    assert table["confidence"].eq(OF_RANGES).all()
    assert table["method"].eq(RESAMPLED if view.can_choose else IN_SAMPLE).all()
    for row in table.to_dict("records"):
        assert_ratios(row, view.prior)
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
    intervals = published("choice_intervals", view.name)
    keys = ["model_a", "criterion_a", "model_b", "criterion_b"]
    intervals = intervals.fillna(dict.fromkeys(keys, ""))
    single = set()
    for (model, criterion, other, by), rows in each(intervals, *keys):
        curve = view.hybrid(model, criterion)
        if other:
            curve = slow.minus(curve, view.hybrid(other, by))
        else:
            single.add((model, criterion))
        assert_intervals(rows, curve)
    assert single == {
        (model, criterion)
        for model in view.models
        for criterion in CRITERIA
        if view.applies(model, criterion) and criterion not in LIMITS
    }
