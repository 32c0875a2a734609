"""ROC curves: areas pair by pair, hulls in fractions, and chance by every order of labels."""

import math
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from costcurves.counts.operating_points import OperatingPoints, from_decisions, from_scores, union
from costcurves.ranking import roc
from tests.oracle import rankings


@given(rankings.grouped_rows())
def test_auc_is_the_share_of_pairs_in_order(
    drawn: tuple[list[rankings.Rows], list[float], list[int], list[int]],
) -> None:
    curves, scores, labels, groups = drawn
    expected = [float(rankings.auc(*rows)) for rows in curves]
    assert roc.auc(from_scores(scores=scores, labels=labels, groups=groups)).tolist() == expected
    decided = [int(score > 0.3) for score in scores]  # straight to the ends
    crisp = from_decisions(decisions=decided, labels=labels, groups=groups)
    expected = [float(rankings.auc([s > 0.3 for s in each], y)) for each, y in curves]
    assert roc.auc(crisp).tolist() == expected


def points_of(fp: Any, tp: Any, negatives: int, positives: int) -> OperatingPoints:
    """One curve of counts."""
    fp, tp = np.array(fp, dtype=np.int64), np.array(tp, dtype=np.int64)
    sizes = np.array([negatives]), np.array([positives])
    return OperatingPoints(fp, tp, fp / 2, np.array([0, len(fp)]), *sizes)


def test_auc_of_counts_that_doubles_do_not_hold_of_none_and_of_no_ranking() -> None:
    """Of a family, the points of its second curve are those of no ranking, but have a hull."""
    n, p = 2**31 - 1, 2**30 + 3
    expected = (1 + Fraction(p - 5, p) - Fraction(2**30 + 1, n)) / 2
    assert roc.auc(points_of([2**30 + 1], [p - 5], n, p)).tolist() == [float(expected)]
    nothing = points_of([], [], 3, 2)  # a straight line
    assert roc.auc(nothing).tolist() == roc.auch(nothing).tolist() == [0.5]
    for area in (roc.auc, roc.auch):
        with pytest.raises(ValueError, match=r"curve 0 has 2147483648 neg.* more than 2\^62 pairs"):
            area(points_of([1], [1], 2**31, 2**31))
    decisions, groups = [1, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0], np.repeat([0, 1, 2], 4)
    points = from_decisions(decisions=decisions, labels=[0, 0, 1, 1] * 3, groups=groups)
    family = union(points, [0, 1, 1])
    with pytest.raises(ValueError, match=r"falls from 2 to 0 at point 1 of curve 1: .* \(auch\)"):
        roc.auc(family)
    assert roc.auch(family).tolist() == [0.5, 1.0]


@given(rankings.rows())
def test_the_area_of_the_hull_is_that_of_the_best_of_all_orders(rows: rankings.Rows) -> None:
    points = from_scores(scores=rows[0], labels=rows[1])
    vertices = roc.convex_hull(points)
    assert (vertices.fp[0], vertices.tp[0], vertices.fp[-1], vertices.tp[-1]) == (0, 0, 1, 1)
    dx, dy = np.diff(vertices.fp_count), np.diff(vertices.tp_count)
    assert (dx[1:] * dy[:-1] > dx[:-1] * dy[1:]).all()
    steps = zip(vertices.fp_count.tolist(), vertices.tp_count.tolist(), strict=True)
    area = sum(Fraction((b[0] - a[0]) * (b[1] + a[1]), 2) for a, b in pairwise(steps))
    pairs = int(points.negatives[0] * points.positives[0])
    assert roc.auch(points).tolist() == [float(area / pairs)]
    assert roc.auch(points)[0] >= max(roc.auc(points)[0], 0.5)


def test_vertices_keep_their_thresholds() -> None:
    points = from_scores(scores=[0.9, 0.7, 0.5, 0.1], labels=[1, 0, 1, 0])
    assert roc.convex_hull(points).threshold.tolist() == [math.inf, 0.9, 0.5, 0.1]
    crisp = roc.convex_hull(from_decisions(decisions=[1, 0, 1, 0], labels=[1, 1, 1, 0]))
    assert crisp.threshold == pytest.approx([math.inf, math.nan, -math.inf], nan_ok=True)


@pytest.mark.parametrize(
    ("scores", "labels", "message"),
    [
        ([0.1, 1.7], [0, 1], r"index 1 is 1.7: no probability, so there is no Brier score"),
        ([-0.1, 0.5], [0, 1], "score at index 0 is -0.1: no probability"),
        ([0.1, math.nan], [0, 1], r"score at index 1 is nan: no probability"),
        ([0.1, 0.2], [0, 3], r"label at index 1 is 3, expected 0 or 1"),
        ([0.1], [0, 1], r"labels of length 2, expected 1"),
        ([], [], r"no rows"),
    ],
)
def test_forecasts_that_are_refused(scores: Any, labels: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        roc.brier(scores, labels)


@pytest.mark.parametrize(
    ("scores", "labels"),
    [([0.1, 0.4, 0.4, 0.7, 0.9], [1, 0, 1, 0, 0]), ([3, 3, 3, 1, 1, 2], [1, 0, 0, 0, 1, 0])],
)
def test_chance_is_every_order_of_the_labels(scores: list[float], labels: list[int]) -> None:
    """With the spread of all orders, the sum over folds, and repeats that agree at worst."""
    areas = [float(rankings.auc(scores, order)) for order in set(permutations(labels))]
    spread = float(np.std(areas))
    above = (float(rankings.auc(scores, labels)) - 0.5) / spread
    for curves, repeats, times in ((1, [1], 1), (3, [1, 1, 1], 3**0.5), (3, [1, 2, 3], 1)):
        groups = np.repeat(np.arange(curves), len(labels))
        points = from_scores(scores=scores * curves, labels=labels * curves, groups=groups)
        assert roc.above_chance(points, repeats) == pytest.approx(times * above, rel=1e-12)


def test_larger_folds_say_more_of_chance() -> None:
    """A fold counts by its pairs: 2 x 1 of which none is in order, and 2 x 3 of which all are."""
    scores, labels = [1, 2, 3, 9, 8, 7, 2, 1], [1, 0, 0, 1, 1, 0, 0, 0]
    points = from_scores(scores=scores, labels=labels, groups=[0] * 3 + [1] * 5)
    variance = 2 * 4 / 12 + 6 * 6 / 12
    assert roc.above_chance(points, [1, 1]) == pytest.approx((3 - 1) / variance**0.5, rel=1e-12)
    tied = from_scores(scores=[0.5] * 4, labels=[0, 1, 0, 1])
    assert np.isnan(roc.above_chance(tied, [1]))
