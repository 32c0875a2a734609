"""Operating points: against counting one by one, at the extremes of floats, and what is refused."""

import inspect
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.counts.operating_points import (
    OperatingPoints,
    from_decisions,
    from_scores,
    union,
    union_order,
)
from costcurves.pairs import paired
from tests import rankings

RNG = np.random.default_rng(20061)

Drawn = tuple[list[rankings.Rows], list[float], list[int], list[int]]


def as_list(points: OperatingPoints) -> list[rankings.Point]:
    columns = points.threshold, points.fp_count, points.tp_count
    return list(zip(*(column.tolist() for column in columns), strict=True))


@given(rankings.grouped_rows())
def test_points_are_those_counted_one_by_one(drawn: Drawn) -> None:
    curves, scores, labels, groups = drawn
    points = from_scores(scores=scores, labels=labels, groups=groups)
    assert points.positives.tolist() == [sum(labels) for _, labels in curves]
    assert points.negatives.tolist() == [labels.count(0) for _, labels in curves]
    assert [as_list(curve) for curve in points] == [rankings.points(*rows) for rows in curves]
    alone = from_scores(scores=curves[0][0], labels=curves[0][1])
    assert as_list(alone) == as_list(points[0])


@given(rankings.grouped_rows())
def test_decisions_are_one_point_a_curve(drawn: Drawn) -> None:
    curves, scores, labels, groups = drawn
    points = from_decisions(
        decisions=[score > 0.3 for score in scores], labels=labels, groups=groups
    )
    assert np.isnan(points.threshold).all()
    assert points.offsets.tolist() == list(range(len(curves) + 1))
    for point, (row_scores, row_labels) in zip(points, curves, strict=True):
        pairs = zip(row_scores, row_labels, strict=True)
        positive = [label for score, label in pairs if score > 0.3]
        counts = point.fp_count[0], point.tp_count[0], point.positives[0]
        assert counts == (positive.count(0), positive.count(1), sum(row_labels))


@pytest.mark.parametrize("decimals", [1, 3, 17])
@pytest.mark.parametrize("shift", [0.0, 0.5, 5.0])
def test_large_curves_among_small_ones(decimals: int, shift: float) -> None:
    sizes = np.array([300_000, 5, 2, 200_000, 40, 7, 131_072])
    groups = np.repeat(np.arange(len(sizes)), sizes)
    scores = RNG.random(len(groups)).round(decimals) * 4 - shift
    labels = np.arange(len(groups)) % 2
    for curve, points in enumerate(from_scores(scores=scores, labels=labels, groups=groups)):
        rows = groups == curve
        threshold, place = np.unique(scores[rows], return_inverse=True)
        up, down = (np.bincount(place, labels[rows] == label) for label in (1, 0))
        assert points.threshold.tolist() == [math.inf, *threshold[::-1].tolist()]
        assert points.tp_count[1:].tolist() == np.cumsum(up[::-1]).tolist()
        assert points.fp_count[1:].tolist() == np.cumsum(down[::-1]).tolist()


@pytest.mark.parametrize("decimals", [2, 17])
@pytest.mark.parametrize(("size", "curves"), [(2_000, 3), (400_000, 10), (180_000, 70_000)])
def test_shuffled_rows_give_the_same_points(size: int, curves: int, decimals: int) -> None:
    """Also of more curves than sixteen bits can number."""
    labels = (RNG.random(size) < 0.3).astype(np.int8)
    groups = RNG.integers(0, curves, size)
    labels[: 2 * curves], groups[: 2 * curves] = np.tile([0, 1], curves), np.arange(2 * curves) // 2
    scores = RNG.normal(size=size).round(decimals)
    order = np.argsort(groups, kind="stable")
    shuffled = from_scores(scores=scores, labels=labels, groups=groups)
    side_by_side = from_scores(scores=scores[order], labels=labels[order], groups=groups[order])
    assert len(shuffled) == curves
    assert shuffled.offsets.tolist() == side_by_side.offsets.tolist()
    assert as_list(shuffled) == as_list(side_by_side)


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int32, np.uint64, bool])
def test_types_of_codes_labels_and_scores(dtype: Any) -> None:
    labels = np.array([0, 1, 1, 0], dtype=dtype)
    groups = None if dtype is bool else np.zeros(4, dtype=dtype)
    points = from_scores(scores=labels, labels=labels, groups=groups)
    assert as_list(points) == [(math.inf, 0, 0), (1.0, 0, 2), (0.0, 2, 2)]
    assert labels.tolist() == [0, 1, 1, 0]


def test_columns_of_a_table_and_other_views() -> None:
    table = np.array([[0.9, 1, 7.0], [0.4, 0, 7.0], [0.7, 1, 7.0]])
    expected = rankings.points([0.7, 0.4, 0.9], [1, 0, 1])
    assert as_list(from_scores(scores=table[::-1, 0], labels=table[::-1, 1])) == expected
    assert as_list(from_scores(scores=table[:, 0].astype(">f8"), labels=table[:, 1])) == expected


def test_scores_are_compared_exactly() -> None:
    close = [0.1 + 0.2, 0.3, math.nextafter(0.3, 0)]
    assert len(from_scores(scores=close, labels=[1, 0, 1]).threshold) == 4
    zeros = from_scores(scores=[0.0, -0.0], labels=[0, 1]).threshold
    assert (len(zeros), math.copysign(1, zeros[1])) == (2, 1)
    tiny = [5e-324, 1e-323, 0.0, -5e-324, -1e-323, 1.7e308, -1.7e308, 1e-308]
    labels = [1, 0] * 4
    assert as_list(from_scores(scores=tiny, labels=labels)) == rankings.points(tiny, labels)


# The points as an object


def test_rates_are_one_division_each() -> None:
    points = from_scores(scores=[0.9, 0.8, 0.7, 0.6], labels=[1, 1, 1, 0])
    assert points.tp.tolist() == [0, 1 / 3, 2 / 3, 1, 1]
    assert points.fn.tolist() == [1, 2 / 3, 1 / 3, 0, 0]
    assert points.fp.tolist() == [0, 0, 0, 0, 1]


def test_length_index_and_loop_are_over_curves() -> None:
    scores, groups = [0.9, 0.8, 0.7, 0.6, 0.5], [0, 0, 1, 1, 1]
    points = from_scores(scores=scores, labels=[1, 0, 1, 0, 0], groups=groups)
    assert len(points) == 2
    assert as_list(points[1]) == as_list(points[-1]) == as_list(list(points)[1])
    assert (points[1].offsets.tolist(), points[1].negatives.tolist()) == ([0, 4], [2])
    with pytest.raises(IndexError):
        points[2]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tp_count": [0]}, r"tp_count of length 1, expected 2"),
        ({"threshold": [0.0] * 3}, r"threshold of length 3, expected 2"),
        ({"negatives": [1, 1]}, r"negatives of length 2, expected 1"),
        ({"positives": []}, r"positives of length 0, expected 1"),
        ({"offsets": [0, 1]}, r"offsets must rise from 0 to 2 points, found \[0 1\]"),
        ({"offsets": [1, 2]}, r"offsets must rise from 0 to 2 points"),
        (
            {"offsets": [0, 3, 2], "negatives": [1, 1], "positives": [1, 1]},
            r"offsets must rise from 0 to 2 points",
        ),
    ],
)
def test_points_that_do_not_fit_together(change: dict[str, list[Any]], message: str) -> None:
    parts = {"fp_count": [0, 1], "tp_count": [0, 1], "threshold": [math.inf, 0.5]}
    parts |= {"offsets": [0, 2], "negatives": [1], "positives": [1]} | change
    with pytest.raises(ValueError, match=message):
        OperatingPoints(**{name: np.array(part) for name, part in parts.items()})


# Unions


def members(*decisions: list[int]) -> OperatingPoints:
    groups = np.repeat(np.arange(len(decisions)), 5)
    labels = [0, 0, 0, 1, 1] * len(decisions)
    return from_decisions(decisions=np.concatenate(decisions), labels=labels, groups=groups)


@given(rankings.rows(), st.permutations([0, 1, 1]))
def test_unions_have_all_points_of_their_members_in_order(
    rows: rankings.Rows, codes: list[int]
) -> None:
    scores, labels = rows
    three = [*scores, *(-score for score in scores), *scores[::-1]]
    points = from_scores(scores=three, labels=labels * 3, groups=np.repeat(range(3), len(labels)))
    families = union(points, codes)
    for code, family in enumerate(families):
        counts = [(p.fp_count, -p.tp_count) for i, p in enumerate(points) if codes[i] == code]
        expected = sorted(pair for fp, tp in counts for pair in zip(fp, tp, strict=True))
        assert list(zip(family.fp_count, -family.tp_count, strict=True)) == expected
    order = union_order(points, codes)
    assert np.array_equal(points.threshold[order], families.threshold)
    assert sorted(order.tolist()) == list(range(len(points.threshold)))


def test_points_that_are_equal_stay_in_the_members_order() -> None:
    points = members([1, 0, 0, 1, 0], [0, 1, 0, 0, 1], [0, 0, 1, 1, 0])
    assert union_order(points, [0, 0, 0]).tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("codes", "message"),
    [
        ([0], r"group codes of length 1, expected 2"),
        ([0, 2], r"group code at index 1 is 2, expected 0 to 1"),
        ([1, 1], r"curve 0 is empty"),
        ([0.0, 0.0], r"group codes of type float64"),
    ],
)
def test_codes_of_unions_that_are_refused(codes: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        union(members([0] * 5, [1] * 5), codes)


def test_a_union_needs_one_set_of_instances() -> None:
    labels, groups = [1, 0, 1, 0, 0], [0, 0, 1, 1, 1]
    points = from_decisions(decisions=[1, 0, 1, 0, 1], labels=labels, groups=groups)
    why = r"curve 1 has 2 negatives and 1 positives, the others .* 1 and 1"
    with pytest.raises(ValueError, match=why):
        union(points, [0, 0])
    assert len(union(points, [1, 0])) == 2
    none = np.array([], dtype=np.int64)
    with pytest.raises(ValueError, match=r"no rows"):
        union(OperatingPoints(none, none, none / 1.0, np.array([0]), none, none), none)


# What is refused

SCORES, LABELS = [0.1, 0.2, 0.3, 0.4], [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("scores", "labels", "groups", "message"),
    [
        ([], [], None, r"no rows"),
        ([0.1, math.nan, 0.3, math.nan], LABELS, None, r"score at index 1 is nan.*\(2 of 4"),
        ([0.1, 0.2, math.inf, 0.4], LABELS, None, r"score at index 2 is inf, expected a finite"),
        ([-math.inf, 0.2, 0.3, 0.4], LABELS, None, r"score at index 0 is -inf, expected a finite"),
        ([2**53 + 1, 1, 2, 3], LABELS, None, r"9007199254740993 in size.*up to 2\^53"),
        ([-(2**60), 1, 2, 3], LABELS, None, r"1152921504606846976 in size.*up to 2\^53"),
        (["0.1", "0.2", "0.3", "0.4"], LABELS, None, r"scores of type <U3, expected numbers"),
        (np.zeros(4, dtype=np.longdouble), LABELS, None, r"scores of type .*double precision"),
        ([[0.1, 0.2], [0.3, 0.4]], LABELS, None, r"scores of shape \(2, 2\), expected one dim"),
        (0.5, 1, None, r"scores of shape \(\), expected one dimension"),
        (SCORES, [0, 1, 2, 1], None, r"label at index 2 is 2, expected 0 or 1"),
        (SCORES, [0, 1, -1, 1], None, r"label at index 2 is -1, expected 0 or 1"),
        (SCORES, [0, 1, 0, 0.5], None, r"label at index 3 is 0.5, expected 0 or 1"),
        (SCORES, [math.nan, 1, 0, 1], None, r"label at index 0 is nan, expected 0 or 1"),
        (SCORES, ["0", "1", "0", "1"], None, r"labels of type <U1, expected 0 and 1"),
        (SCORES, [0, 1, 0], None, r"labels of length 3, expected 4"),
        (SCORES, [[0, 1, 0, 1]], None, r"labels of shape \(1, 4\), expected one dimension"),
        (SCORES, [1, 1, 1, 1], None, r"curve 0 has 4 positives and 0 negatives, expected both"),
        (SCORES, [0, 0, 0, 0], None, r"curve 0 has 0 positives and 4 negatives"),
        (SCORES, [0, 1, 0, 0], [0, 0, 1, 1], r"curve 1 has 0 positives and 2 negatives.* \(1 of 2"),
        (SCORES, LABELS, [0, 0, 0], r"group codes of length 3, expected 4"),
        (SCORES, LABELS, [0, 0, -1, 0], r"group code at index 2 is -1, expected 0 to 3"),
        (SCORES, LABELS, [0, 4, 0, 0], r"group code at index 1 is 4, expected 0 to 3"),
        (SCORES, LABELS, [0, 0, 2, 2], r"curve 1 is empty: nothing has its code"),
        (SCORES, LABELS, [2, 0, 2, 0], r"curve 1 is empty: nothing has its code"),
        (SCORES, LABELS, [0.0, 0.0, 0.0, 0.0], r"group codes of type float64, expected integers"),
        (SCORES, LABELS, [[0, 0, 0, 0]], r"group codes of shape \(1, 4\), expected one dimension"),
    ],
)
def test_rows_that_are_refused(scores: Any, labels: Any, groups: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_scores(scores=scores, labels=labels, groups=groups)


@pytest.mark.parametrize(
    ("decisions", "labels", "message"),
    [
        ([0, 1, 3, 1], LABELS, r"decision at index 2 is 3, expected 0 or 1"),
        ([0, 1, 0, -1], LABELS, r"decision at index 3 is -1, expected 0 or 1"),
        ([0, 1, 0], LABELS, r"labels of length 4, expected 3"),
        ([0, 1, 0, 1], [1, 1, 1, 1], r"curve 0 has 4 positives and 0 negatives"),
        ([], [], r"no rows"),
    ],
)
def test_decisions_that_are_refused(decisions: Any, labels: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_decisions(decisions=decisions, labels=labels)


def test_no_array_can_be_taken_for_another() -> None:
    for count in (from_scores, from_decisions, paired.tables):
        kinds = {parameter.kind for parameter in inspect.signature(count).parameters.values()}
        assert kinds == {inspect.Parameter.KEYWORD_ONLY}
    exchanged = r"label at index 0 is 0.1, expected 0 or 1; are two arrays exchanged\?"
    with pytest.raises(ValueError, match=exchanged):
        from_scores(scores=LABELS, labels=SCORES)
    with pytest.raises(ValueError, match=r"label at index 0 is -1, expected 0 or 1$"):
        from_scores(scores=SCORES, labels=[-1, 1, -1, 1])
