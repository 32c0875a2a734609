"""Operating points: against counting one by one, weighed or not, and what is refused."""

import math
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.counts.cost_weights import cost_weights
from costcurves.counts.operating_points import (
    OperatingPoints,
    from_decisions,
    from_scores,
    union,
    union_order,
)
from costcurves.curves.envelopes import lower_envelopes
from costcurves.ranking.roc import auc
from tests.oracle import rankings

RNG = np.random.default_rng(20061)
BAD_OFFSETS = ([0, 1, 1], [1, 1, 2], [0, 3, 2])
NAMES = ("fp_count", "tp_count", "threshold", "offsets", "negatives", "positives")


@st.composite
def weighed_rows(draw: st.DrawFn) -> dict[str, Any]:
    """Rows of some curves, with whole weights: some are 0, but none of a class together."""
    _, scores, labels, groups = draw(rankings.grouped_rows())
    weights = draw(st.lists(st.integers(0, 9), min_size=len(labels), max_size=len(labels)))
    first = {(group, label): place for place, (group, label) in enumerate(zip(groups, labels))}  # noqa: B905
    for place in first.values():
        weights[place] += 1
    columns = {"scores": scores, "labels": labels, "groups": groups, "weights": weights}
    return {name: np.array(column) for name, column in columns.items()}


def as_list(points: OperatingPoints) -> list[rankings.Point]:
    columns = points.threshold, points.fp_count, points.tp_count
    return list(zip(*(column.tolist() for column in columns), strict=True))


def same(first: OperatingPoints, other: OperatingPoints) -> bool:
    """Whether two sets of points have the same values and types."""
    pairs = [(getattr(first, name), getattr(other, name)) for name in NAMES]
    return all(
        a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in pairs
    )


@given(weighed_rows())
def test_points_are_those_counted_one_by_one(rows: dict[str, Any]) -> None:
    """Weights of one change nothing; whole ones are rows that occur so often."""
    scores, weights = rows.pop("scores"), rows.pop("weights")
    decisions, ones = scores > 0.3, np.ones_like(weights)
    plain, crisp = from_scores(scores=scores, **rows), from_decisions(decisions=decisions, **rows)
    assert same(from_scores(scores=scores, **rows, weights=ones), plain)
    assert same(from_decisions(decisions=decisions, **rows, weights=ones), crisp)
    for times in (ones, weights):
        points = from_scores(scores=scores, **rows, weights=times)
        decided = from_decisions(decisions=decisions, **rows, weights=times)
        for number, area in enumerate(auc(points)):
            of = rows["groups"] == number
            each = [column[of].tolist() for column in (scores, rows["labels"], times)]
            expected = rankings.points(*each)
            sizes = points[number].negatives[0], points[number].positives[0]
            assert (as_list(points[number]), sizes) == (expected, expected[-1][1:])
            positive = max((at for at in expected if at[0] > 0.3), key=lambda at: at[1:])
            ((threshold, *counts),) = as_list(decided[number])
            assert (math.isnan(threshold), tuple(counts)) == (True, positive[1:])
            assert (decided.negatives[number], decided.positives[number]) == sizes
            assert area == float(rankings.auc(*each))


LARGE = np.repeat(np.arange(7), [300_000, 5, 2, 200_000, 40, 7, 131_072])
MANY = np.append(np.arange(140_000) // 2, RNG.integers(0, 70_000, 40_000))


@pytest.mark.parametrize(
    ("groups", "decimals", "shift"),
    [*product([LARGE], [1, 3, 17], [0.0, 5.0]), (RNG.permutation(LARGE), 2, 1.0), (MANY, 2, 1.0)],
)
def test_large_curves_of_rows_side_by_side_and_shuffled(
    groups: Any, decimals: int, shift: float
) -> None:
    """Also of more curves than sixteen bits can number."""
    scores = RNG.random(len(groups)).round(decimals) * 4 - shift
    labels: Any = np.arange(len(groups)) % 2
    if groups is not LARGE:  # of each curve the first two rows are of both classes
        labels = pd.Series(groups).groupby(groups).cumcount().to_numpy() % 2
    rows = pd.DataFrame({"down": -scores, "fp": 1 - labels, "tp": labels})
    sums = rows.groupby([groups, "down"]).sum().groupby(level=0).cumsum().reset_index()
    points = from_scores(scores=scores, labels=labels, groups=groups)
    seen = points.threshold < math.inf
    assert np.flatnonzero(~seen).tolist() == points.offsets[:-1].tolist()
    for counts, name in ((points.fp_count, "fp"), (points.tp_count, "tp")):
        np.testing.assert_array_equal(counts[seen], sums[name])
    np.testing.assert_array_equal(points.threshold[seen], -sums["down"])


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int32, np.uint64, bool])
def test_types_and_views(dtype: Any) -> None:
    labels = np.array([0, 1, 1, 0], dtype=dtype)
    groups = None if dtype is bool else np.zeros(4, dtype=dtype)
    points = from_scores(scores=labels, labels=labels, groups=groups)
    assert as_list(points) == [(math.inf, 0, 0), (1.0, 0, 2), (0.0, 2, 2)]
    assert labels.tolist() == [0, 1, 1, 0]
    table = np.array([[0.9, 1, 7.0], [0.4, 0, 7.0], [0.7, 1, 7.0]])
    expected = rankings.points([0.7, 0.4, 0.9], [1, 0, 1])
    assert as_list(from_scores(scores=table[::-1, 0], labels=table[::-1, 1])) == expected
    assert as_list(from_scores(scores=table[:, 0].astype(">f8"), labels=table[:, 1])) == expected


def test_scores_are_compared_exactly() -> None:
    close = [0.1 + 0.2, 0.3, math.nextafter(0.3, 0)]
    assert len(from_scores(scores=close, labels=[1, 0, 1]).threshold) == 4
    zeros = from_scores(scores=[0.0, -0.0], labels=[0, 1]).threshold
    assert (len(zeros), math.copysign(1, zeros[1])) == (2, 1)
    for far, weight in ((1e-300, 1), (2.0, 2**50)):  # scores, or sums, too far apart
        scores, labels = np.tile([1.0, 1 + 2**-52, far, 3.0], 600), np.repeat([0, 1], 1200)
        points = from_scores(scores=scores, labels=labels, weights=np.full(2400, weight))
        assert points.threshold.tolist()[1:] == sorted({*scores.tolist()}, reverse=True)
        assert points.fp_count.tolist() == [300 * i * weight for i in range(5)]


def test_costs_of_any_size_make_areas_and_envelopes() -> None:
    """Binormal scores, a third of them tied, with log-normal costs up to 1e300."""
    rng = np.random.default_rng(0)
    labels = rng.permutation((np.arange(150) % 3 == 0).astype(np.int64))
    scores = rng.normal(labels)
    scores = np.where(rng.random(150) < 1 / 3, scores.round(1), scores)
    huge = np.minimum(rng.lognormal(sigma=1.5, size=150) * 1e299, 1e300)
    points = from_scores(scores=scores, labels=labels, weights=cost_weights(huge, labels))
    area = rankings.auc(scores.tolist(), labels.tolist(), huge.tolist())
    assert auc(points)[0] == pytest.approx(float(area), abs=1e-12)
    curve, at = lower_envelopes(points)[0].curve, np.linspace(0, 1, 1001)[:, np.newaxis]
    lines = points.fn * at + points.fp * (1 - at)
    np.testing.assert_allclose(curve(at.ravel()), lines.min(axis=1), rtol=0, atol=1e-14)


# The points as an object


def test_rates_are_one_division_each_and_loops_are_over_curves() -> None:
    points = from_scores(scores=[0.9, 0.8, 0.7, 0.6], labels=[1, 1, 1, 0])
    rates = points.tp.tolist(), points.fn.tolist(), points.fp.tolist()
    assert rates == ([0, 1 / 3, 2 / 3, 1, 1], [1, 2 / 3, 1 / 3, 0, 0], [0, 0, 0, 0, 1])
    points = from_scores(scores=[4, 3, 2, 1, 0], labels=[1, 0, 1, 0, 0], groups=[0, 0, 1, 1, 1])
    assert len(points) == 2
    assert as_list(points[1]) == as_list(points[-1]) == as_list(list(points)[1])
    assert (points[1].offsets.tolist(), points[1].negatives.tolist()) == ([0, 4], [2])
    with pytest.raises(IndexError):
        points[2]


# Unions


@given(rankings.rows(), st.permutations([0, 1, 1]))
def test_unions_have_all_points_of_their_members_in_order(
    rows: rankings.Rows, codes: list[int]
) -> None:
    """Points that are equal stay in the members' order."""
    scores, labels = rows
    three = [*scores, *(-score for score in scores), *scores[::-1]]
    points = from_scores(scores=three, labels=labels * 3, groups=np.repeat(range(3), len(labels)))
    code = np.repeat(codes, np.diff(points.offsets)).tolist()
    counts = points.fp_count.tolist(), (-points.tp_count).tolist()
    keys = list(zip(code, *counts, strict=True))
    order, families = union_order(points, codes), union(points, codes)
    assert order.tolist() == sorted(range(len(keys)), key=keys.__getitem__)
    sizes = [code.count(0), code.count(1)]
    expected = points.taken(
        order, np.array([0, *np.cumsum(sizes)]), [codes.index(0), codes.index(1)]
    )
    assert same(families, expected)


# What is refused

UNLIKE = from_decisions(decisions=[1, 0, 1, 0, 1], labels=[1, 0, 1, 0, 0], groups=[0, 0, 1, 1, 1])


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        *((name, [0], f"{name} of length 1, expected 2") for name in NAMES if name[0] in "tnp"),
        *(("offsets", bad, "offsets must rise from 0 to 2") for bad in BAD_OFFSETS),
        ("curves", [0, 0], r"curve 1 has 2 negatives and 1 positives, the others .* 1 and 1"),
    ],
)
def test_points_that_do_not_fit_together(name: str, values: list[int], message: str) -> None:
    assert len(union(UNLIKE, [1, 0])) == 2
    with pytest.raises(ValueError, match=message):
        union(UNLIKE, values) if name == "curves" else replace(UNLIKE, **{name: np.array(values)})


SCORES, LABELS, TWO = [0.1, 0.2, 0.3, 0.4], [0, 1, 0, 1], [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scores": [], "labels": []}, r"no rows"),
        ({"scores": [0.1, math.nan, 0.3, math.nan]}, r"score at index 1 is nan.*\(2 of 4"),
        ({"scores": [-math.inf, 0.2, 0.3, 0.4]}, r"score at index 0 is -inf, expected a finite"),
        ({"scores": [2**53 + 1, 1, 2, 3]}, r"9007199254740993 in size.*up to 2\^53"),
        ({"scores": [-(2**60), 1, 2, 3]}, r"1152921504606846976 in size.*up to 2\^53"),
        ({"scores": ["0.1", "0.2", "0.3", "0.4"]}, r"scores of type <U3, expected numbers"),
        ({"scores": np.zeros(4, np.longdouble)}, r"scores of type .*double precision"),
        ({"scores": [[0.1, 0.2], [0.3, 0.4]]}, r"scores of shape \(2, 2\), expected one dim"),
        ({"labels": [0, 1, 2, 1]}, r"label at index 2 is 2, expected 0 or 1"),
        ({"labels": [-1, 1, -1, 1]}, r"label at index 0 is -1, expected 0 or 1$"),
        ({"labels": [math.nan, 1, 0, 1]}, r"label at index 0 is nan, expected 0 or 1"),
        ({"labels": SCORES}, r"label at index 0 is 0.1, .*; are two arrays exchanged\?"),
        ({"labels": ["0", "1", "0", "1"]}, r"labels of type <U1, expected 0 and 1"),
        ({"labels": [0, 1, 0]}, r"labels of length 3, expected 4"),
        ({"labels": [1, 1, 1, 1]}, r"curve 0 has 4 positives and 0 negatives, expected both"),
        ({"labels": [0, 1, 0, 0], "groups": TWO}, r"1 has 0 positives and 2 negatives.* \(1 of 2"),
        ({"groups": [0, 0, 0]}, r"group codes of length 3, expected 4"),
        ({"groups": [0, 0, -1, 0]}, r"group code at index 2 is -1, expected 0 to 3"),
        ({"groups": [0, 4, 0, 0]}, r"group code at index 1 is 4, expected 0 to 3"),
        ({"groups": [2, 0, 2, 0]}, r"curve 1 is empty: nothing has its code"),
        ({"groups": [0.0, 0.0, 0.0, 0.0]}, r"group codes of type float64, expected integers"),
        ({"groups": [[0, 0, 0, 0]]}, r"group codes of shape \(1, 4\), expected one dimension"),
        ({"weights": [1, 1, -1, 1]}, "weight at index 2 is -1, expected a finite number, at least"),
        ({"weights": [1, math.nan, 1, 1]}, "weight at index 1 is nan, expected a finite number"),
        ({"weights": [1, 1, 1]}, "weights of length 3, expected 4"),
        ({"weights": ["a"] * 4}, "weights of shape .4,. and type <U1, expected numbers"),
        ({"weights": [0, 1, 1, 1], "groups": TWO}, "the negatives of curve 0 weigh 0, expected a"),
        ({"weights": [1, 1, 1, 0], "groups": TWO}, "the positives of curve 1 weigh 0, expected a"),
        ({"decisions": [0, 1, 3, 1]}, r"decision at index 2 is 3, expected 0 or 1"),
        ({"decisions": [0, 1, 0]}, r"labels of length 4, expected 3"),
    ],
)
def test_rows_that_are_refused(change: dict[str, Any], message: str) -> None:
    """Of scores, and of decisions where it is not the scores that are bad."""
    rows: dict[str, Any] = {"scores": SCORES, "decisions": LABELS, "labels": LABELS} | change
    scores, decisions = rows.pop("scores"), rows.pop("decisions")
    if "decisions" not in change:
        with pytest.raises(ValueError, match=message):
            from_scores(scores=scores, **rows)
    if "scores" not in change:
        with pytest.raises(ValueError, match=message):
            from_decisions(decisions=decisions, **rows)
