"""Weighted operating points: ROCIV, AUCIV, and all that is made of points, against slow oracles."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from costcurves.counts.cost_weights import cost_weights
from costcurves.counts.operating_points import OperatingPoints, from_decisions, from_scores
from costcurves.curves.envelopes import lower_envelope, lower_envelopes
from costcurves.ranking.roc import auc
from tests.choosing.fitted import cross_fitted, deployed

Rows = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[Any]]


@st.composite
def weighted_rows(draw: st.DrawFn) -> Rows:
    """Scores with ties, labels of both classes, and whole weights of which none or many are 0."""
    size = draw(st.integers(2, 25))
    scores = draw(st.lists(st.integers(-3, 3), min_size=size, max_size=size))
    labels = [0, 1, *draw(st.lists(st.integers(0, 1), min_size=size - 2, max_size=size - 2))]
    weights = draw(st.lists(st.integers(0, 9), min_size=size, max_size=size))
    weights[0], weights[1] = 1 + weights[0], 1 + weights[1]
    return np.array(scores, float), np.array(labels), np.array(weights)


def random_rows(size: int, seed: int = 0) -> Rows:
    """Binormal scores, a third of them tied, with log-normal costs."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation((np.arange(size) % 3 == 0).astype(np.int64))
    scores = rng.normal(labels)
    scores = np.where(rng.random(size) < 1 / 3, scores.round(1), scores)
    return scores, labels, rng.lognormal(sigma=1.5, size=size)


def algorithm_2(scores: NDArray[np.float64], labels: object, costs: object) -> Fraction:
    """Fawcett's algorithm 2, line by line, in fractions: AUCIV."""
    rows = zip(
        scores.tolist(), np.asarray(labels).tolist(), np.asarray(costs).tolist(), strict=True
    )
    ordered = sorted(rows, key=lambda row: -row[0])
    fp = tp = fp_before = tp_before = area = Fraction(0)
    previous = None
    for score, label, cost in [*ordered, (None, 0, 0)]:
        if score != previous:
            area += (fp - fp_before) * (tp + tp_before) / 2
            previous, fp_before, tp_before = score, fp, tp
        if label:
            tp += Fraction(cost)
        else:
            fp += Fraction(cost)
    return area / (tp * fp)


def same(first: OperatingPoints, other: OperatingPoints) -> None:
    """Check that two sets of points have the same values and types."""
    for name in ("fp_count", "tp_count", "threshold", "offsets", "negatives", "positives"):
        a, b = getattr(first, name), getattr(other, name)
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)


@given(weighted_rows())
def test_whole_weights_are_instances_that_occur_so_often(rows: Rows) -> None:
    scores, labels, weights = rows
    points = from_scores(scores=scores, labels=labels, weights=weights)
    often = from_scores(scores=np.repeat(scores, weights), labels=np.repeat(labels, weights))
    assert points.fp_count.dtype == np.int64
    np.testing.assert_array_equal(points.negatives, often.negatives)
    for threshold, fp, tp in zip(often.threshold, often.fp_count, often.tp_count, strict=True):
        at = points.threshold == threshold
        assert (points.fp_count[at], points.tp_count[at]) == (fp, tp)


@given(weighted_rows())
def test_weights_of_one_change_nothing(rows: Rows) -> None:
    scores, labels, _ = rows
    same(
        from_scores(scores=scores, labels=labels, weights=np.ones(len(labels), int)),
        from_scores(scores=scores, labels=labels),
    )
    decisions = scores > 0
    ones = np.ones(len(labels), int)
    same(
        from_decisions(decisions=decisions, labels=labels, weights=ones),
        from_decisions(decisions=decisions, labels=labels),
    )


@given(weighted_rows())
def test_auciv_is_what_algorithm_2_adds_up(rows: Rows) -> None:
    scores, labels, weights = rows
    expected = algorithm_2(scores, labels, weights)
    assert auc(from_scores(scores=scores, labels=labels, weights=weights))[0] == float(expected)


@pytest.mark.parametrize(("far", "weight"), [(1e-300, 1), (2.0, 2**50)])
def test_ties_whose_scores_or_sums_are_too_far_apart(far: float, weight: int) -> None:
    scores, labels = np.tile([1.0, 1 + 2**-52, far, 3.0], 600), np.repeat([0, 1], 1200)
    points = from_scores(scores=scores, labels=labels, weights=np.full(2400, weight))
    assert points.threshold.tolist()[1:] == sorted({*scores.tolist()}, reverse=True)
    assert points.fp_count.tolist() == [300 * i * weight for i in range(5)]


def test_costs_up_to_1e300_do_not_overflow() -> None:
    scores, labels, costs = random_rows(300)
    huge = np.minimum(costs * 1e299, 1e300)
    points = from_scores(scores=scores, labels=labels, weights=cost_weights(huge, labels))
    expected = algorithm_2(scores, labels, huge)
    assert auc(points)[0] == pytest.approx(float(expected), abs=1e-12)
    assert np.isfinite(lower_envelopes(points)[0].curve.area())


def test_groups_are_curves_of_their_own_in_any_order_of_rows() -> None:
    scores, labels, costs = random_rows(400)
    weights, groups = cost_weights(costs, labels), np.arange(400) % 4
    points = from_scores(scores=scores, labels=labels, groups=groups, weights=weights)
    for group in range(4):
        rows = groups == group
        same(
            points[group],
            from_scores(scores=scores[rows], labels=labels[rows], weights=weights[rows]),
        )


def test_the_envelope_is_the_least_of_all_lines() -> None:
    scores, labels, costs = random_rows(500)
    points = from_scores(scores=scores, labels=labels, weights=cost_weights(costs, labels))
    curve = lower_envelopes(points)[0].curve
    at = np.linspace(0, 1, 1001)[:, np.newaxis]
    lines = points.fn * at + points.fp * (1 - at)
    np.testing.assert_allclose(curve(at.ravel()), lines.min(axis=1), rtol=0, atol=1e-14)
    assert lower_envelope(points.fp, points.fn).curve.area() == pytest.approx(curve.area())


def test_decisions_weigh_as_much_as_scores_that_say_the_same() -> None:
    scores, labels, costs = random_rows(300)
    weights = cost_weights(costs, labels)
    decided = from_decisions(decisions=scores >= 0.5, labels=labels, weights=weights)
    ranked = from_scores(scores=(scores >= 0.5).astype(float), labels=labels, weights=weights)
    assert (decided.fp[0], decided.tp[0]) == (ranked.fp[1], ranked.tp[1])
    np.testing.assert_array_equal(decided.negatives, ranked.negatives)


def test_cross_fitting_with_whole_costs_is_that_of_repeated_instances() -> None:
    scores, labels, _ = random_rows(120)
    rng = np.random.default_rng(1)
    weights, folds = rng.integers(1, 6, 120), rng.permutation(np.arange(120) % 4)
    rows = {"scores": scores, "labels": labels, "groups": folds}
    often = {name: np.repeat(first, weights) for name, first in rows.items()}
    for fit in (cross_fitted, deployed):
        weighted = fit(from_scores(**rows, weights=weights)).curve
        repeated = fit(from_scores(**often)).curve
        np.testing.assert_allclose(weighted.pc, repeated.pc, rtol=0, atol=1e-14)
        np.testing.assert_allclose(weighted.at0, repeated.at0, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 1, -1, 1], "weight at index 2 is -1, expected a finite number, at least 0"),
        ([1, np.nan, 1, 1], "weight at index 1 is nan, expected a finite number, at least 0"),
        ([1, 1, 1], "weights of length 3, expected 4"),
        (["a"] * 4, "weights of shape .4,. and type <U1, expected numbers"),
        ([0, 1, 0, 1], "the negatives of curve 0 weigh 0, expected a finite weight above 0"),
        ([1, 0, 1, 0], "the positives of curve 0 weigh 0, expected a finite weight above 0"),
    ],
)
def test_bad_weights_are_named(weights: list[float], message: str) -> None:
    labels = [0, 1, 0, 1]
    with pytest.raises(ValueError, match=message):
        from_scores(scores=[1, 2, 3, 4], labels=labels, weights=weights)
    with pytest.raises(ValueError, match=message):
        from_decisions(decisions=[1, 0, 1, 0], labels=labels, weights=weights)


def test_a_class_of_a_curve_that_costs_nothing_is_named() -> None:
    with pytest.raises(ValueError, match="the positives of curve 1 weigh 0"):
        from_scores(
            scores=[1, 2, 3, 4], labels=[0, 1, 0, 1], groups=[0, 0, 1, 1], weights=[1, 1, 1, 0]
        )
