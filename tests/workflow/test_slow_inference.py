"""Bands, differences, verdicts and choices, as far as they follow without the study's draws.

Recomputed are all estimates, levels (of Holm's steps from the stated p-values) and cost ratios. Of
what is resampled only the spread of decisions fixed in advance is, by a bootstrap of its own; that
of curves whose thresholds are chosen again is not.
"""

import math
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import pandas as pd
import pytest

from tests import slow_study as slow
from tests.asymmetric_study import REFERENCE
from tests.slow_study import Curve
from tests.slow_views import (
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


def test_bands_hold_the_headline_at_the_level_of_the_study(
    published: Published, view: View
) -> None:
    table = published("bands", view.name)
    assert table["confidence"].eq(LEVEL).all()
    assert table["method"].eq(RESAMPLED).all()
    for model, rows in each(table, "model"):
        edges = {name: pieces_of(band) for name, band in each(rows, "extent", "edge")}
        curve = [(low, high, *line) for low, high, line in view.headline(model)]
        pointwise, simultaneous = (
            [edges[extent, edge] for edge in ("lower", "upper")] for extent in EXTENTS
        )
        assert_nested([simultaneous[0], pointwise[0], curve, pointwise[1], simultaneous[1]])


def test_a_band_at_a_condition_is_the_interval_of_the_cost_there(
    published: Published, view: View
) -> None:
    bands, intervals = published("bands", view.name), published("intervals", view.name)
    pointwise = bands[bands["extent"] == "pointwise"]
    edges = {key: pieces_of(rows) for key, rows in each(pointwise, "model", "edge")}
    for row in intervals[intervals["quantity"] == "cost"].to_dict("records"):
        lower, upper = (edges[row["model"], edge] for edge in ("lower", "upper"))
        assert_close(height(lower, row["pc"]), row["low"], row)
        assert_close(height(upper, row["pc"]), row["high"], row)


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
    comparisons, intervals = (
        published("comparisons", view.name),
        published("choice_intervals", view.name),
    )
    edges = {
        key: pieces_of(rows)
        for key, rows in each(
            comparisons[comparisons["family"] == "all pairs"], "model_a", "model_b", "line"
        )
    }
    headline = published("headline", view.name)
    chosen = set(headline.loc[headline["estimate"] == CROSS_FITTED, "model"])
    both = intervals[
        intervals["model_a"].isin(chosen)
        & intervals["model_b"].isin(chosen)
        & (intervals["criterion_a"] == CROSS_FITTED)
        & (intervals["criterion_b"] == CROSS_FITTED)
        & (intervals["quantity"] == "cost")
    ]
    assert len(both)
    for row in both.to_dict("records"):
        key = row["model_a"], row["model_b"]
        assert_close(height(edges[*key, "pointwise lower"], row["pc"]), row["low"], key)
        assert_close(height(edges[*key, "pointwise upper"], row["pc"]), row["high"], key)


def test_a_crossing_lies_where_the_band_holds_zero(published: Published, view: View) -> None:
    """Of two models, whose only band is at the level of the study."""
    if len(view.models) > 2 or not view.can_choose:
        return
    lines = dict(list(each(published("comparisons", view.name), "family", "line")))
    lower, upper = (
        pieces_of(lines["all pairs", f"simultaneous {edge}"]) for edge in ("lower", "upper")
    )
    crossings = published("crossovers", view.name).query("pc_to < 1")
    for row in crossings.to_dict("records"):
        assert row["to_low"] <= row["pc_to"] <= row["to_high"]
        for end, beyond in ((row["to_low"], -1e-7), (row["to_high"], 1e-7)):
            inside, outside = end - beyond, end + beyond
            if row["to_low"] < row["to_high"]:
                assert height(lower, inside) <= CLOSE
                assert height(upper, inside) >= -CLOSE
            if 0 < outside < 1:
                assert height(lower, outside) > -CLOSE or height(upper, outside) < CLOSE
    assert (crossings["to_low"] < crossings["pc_to"]).any()


def test_verdicts_follow_from_the_published_bands(
    published: Published, view: View, differences: dict[tuple[str, str, str], Curve]
) -> None:
    table, comparisons = published("verdicts", view.name), published("comparisons", view.name)
    levels = levels_of(table)
    bands = {
        key: pieces_of(rows)
        for key, rows in each(comparisons, "family", "model_a", "model_b", "line")
    }
    rows_of = next(iter(view.models.values()))
    labels = rows_of.instances
    for key, rows in each(table, "family", "model_a", "model_b"):
        assert rows["pc_from"].tolist() == [0, *rows["pc_to"].tolist()[:-1]]
        assert rows["pc_to"].iloc[-1] == 1
        if not view.can_choose:
            (row,) = rows.to_dict("records")
            assert (row["finding"], row["reason"]) == ("undecided", IN_SAMPLE)
            assert pd.isna([row["p_value"], row["low"], row["high"]]).all()
            assert_largest(row, differences[key])
            continue
        lower, upper = (bands[(*key, f"simultaneous {edge}")] for edge in ("lower", "upper"))
        for row in rows.to_dict("records"):
            assert_ratios(row, view.prior)
            assert_largest(row, differences[key])
            assert_close(row["confidence"], levels[key])
            assert row["familywise"] == OF_RANGES
            assert row["equivalence"] == 0.03
            assert row["instances"] == len(labels)
            assert (row["repeats"], row["folds"]) == (3, 3)
            assert row["low"] <= row["largest_difference"] <= row["high"]
            for name, edge in (("low", lower), ("high", upper)):
                sides = [height(edge, row["at_pc"] + step) for step in (-1e-12, 0, 1e-12)]
                assert any(abs(row[name] - side) < CLOSE for side in sides), (key, row["at_pc"])
            _assert_decided(row, lower, upper)
        decided = rows[rows["finding"].isin(FOUND)]
        if len(decided):
            assert decided["projected"].le(len(labels)).all()
            assert decided["p_value"].le(1 - levels[key] + CLOSE).all()


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
    for name, ends in zip(("always negative", "always positive"), [(0, 1), (1, 0)], strict=True):
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
        stood = dict(zip(here["decision"], here["standing"], strict=True))
        least = min(costs.values())
        cheapest = [decision for decision, standing in stood.items() if standing == "cheapest"]
        assert cheapest == [decision for decision, cost in costs.items() if cost == least]
        out = {decision for decision, standing in stood.items() if standing == "ruled out"}
        assert not out & set(cheapest)
        assert ("always positive" if pc < Fraction(1, 2) else "always negative") in out
        if not view.can_choose:
            assert len(out) == 1
    assert view.can_choose == bool(
        (table["standing"].eq("ruled out") & table["decision"].isin(view.models)).any()
    )


def test_what_choices_cost_and_differ_by(published: Published, view: View) -> None:
    intervals, bands = (
        published("choice_intervals", view.name),
        published("choice_bands", view.name),
    )
    keys = ["model_a", "criterion_a", "model_b", "criterion_b"]
    intervals, bands = (table.fillna(dict.fromkeys(keys, "")) for table in (intervals, bands))
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
    assert bands["confidence"].eq(LEVEL).all()
    for _, rows in each(bands, *keys):
        half = {extent: pieces_of(band) for extent, band in each(rows, "extent")}
        zero = [(0.0, 1.0, 0.0, 0.0)]
        assert_nested([zero, half["pointwise"], half["simultaneous"]])


# Of a fixed decision a bootstrap of instances is a few lines; 4,000 draws are within 2 % of it, and
# the 400 draws of the study within 4 % (the standard error of a standard deviation).
DRAWS, NEAR = 4000, 0.16


@pytest.mark.parametrize("name", ["loans", "calls"])
def test_intervals_of_a_decision_are_as_wide_as_an_independent_bootstrap(
    published: Published, view_of: Callable[[str], View], name: str
) -> None:
    view = view_of(name)
    table = published("intervals", name)
    rows = table[(table["model"] == "Rule") & ~table["quantity"].str.startswith("range")]
    spread = _bootstrap(view)
    for row in rows.fillna({"condition": ""}).to_dict("records"):
        half = (row["high"] - row["low"]) / 2
        expected = 1.2816 * spread[row["quantity"], row["condition"]]  # 80 % of a normal
        assert half == pytest.approx(expected, rel=NEAR), row["quantity"]


def _bootstrap(view: View) -> dict[tuple[str, str | float], float]:
    """Standard deviations over draws of instances within their class, with all their repeats."""
    rows, rng = view.models["Rule"], random.Random(5)
    by_instance: dict[str, list[slow.Row]] = {}
    for row in rows.rows:
        by_instance.setdefault(row.instance, []).append(row)
    classes = [
        [judged for judged in by_instance.values() if judged[0].positive is positive]
        for positive in (False, True)
    ]
    folds = len(rows.repeats), {repeat.rows[0].repeat: len(repeat.folds) for repeat in rows.repeats}
    sizes = {(fold.rows[0].repeat, fold.rows[0].fold): fold.counts for fold in rows.folds}
    drawn = []
    for _ in range(DRAWS):
        wrong = [0.0, 0.0]
        for positive, instances in enumerate(classes):
            for judged in rng.choices(instances, k=len(instances)):
                for row in judged:
                    if (row.value >= 1) is not bool(positive):
                        size = sizes[row.repeat, row.fold][positive]
                        wrong[positive] += 1 / size / folds[1][row.repeat] / folds[0]
        line = slow.Line(*map(Fraction, wrong))
        drawn.append(quantities(slow.whole(line)))
    spread = {}
    for key in drawn[0]:
        values = [float(draw[key]) for draw in drawn]
        center = sum(values) / DRAWS
        spread[key] = math.sqrt(sum((draw - center) ** 2 for draw in values) / (DRAWS - 1))
    return spread
