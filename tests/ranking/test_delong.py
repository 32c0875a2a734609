"""DeLong's standard error, interval and test: against the sums over pairs, and against chance."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.counts.operating_points import from_scores
from costcurves.ranking.delong import (
    Components,
    components,
    difference,
    interval,
    standard_error,
    variances,
)
from tests import rankings
from tests.oracle import slow_study as slow


def of_classes(right: Sequence[float], wrong: Sequence[float]) -> Components:
    """The components of one ranking: the scores of positives, and of negatives."""
    return components(scores=[*right, *wrong], labels=[1] * len(right) + [0] * len(wrong))


def assert_error(parts: float, variance: Fraction | None) -> None:
    if variance is None or variance < 0:
        assert math.isnan(parts)
    else:
        assert parts == pytest.approx(math.sqrt(variance), rel=1e-12, abs=1e-15)


def repeated(
    seed: int, repeats: int, folds: int, positives: int, negatives: int
) -> tuple[slow.Rows, dict[str, Any]]:
    """Cross-validation of few instances, with ties: for the oracle, and for the maths."""
    rng = np.random.default_rng(seed)
    label = np.repeat([1, 0], [positives, negatives])
    rows = []
    for repeat in range(repeats):
        random = [rng.permutation(np.arange(size) % folds) for size in (positives, negatives)]
        fold, score = np.concatenate(random), rng.integers(0, 5, len(label)) + label
        for i in rng.permutation(len(label)):
            keys = ("A", "", None, str(repeat), str(fold[i]), str(i), bool(label[i]))
            rows.append(slow.Row(*keys, float(score[i]), False, Fraction(1)))
    names = dict.fromkeys((row.repeat, row.fold) for row in rows)
    place = {name: code for code, name in enumerate(names)}
    return slow.Rows(tuple(rows)), {
        "scores": [row.value for row in rows],
        "labels": [int(row.positive) for row in rows],
        "groups": [place[row.repeat, row.fold] for row in rows],
        "instances": [int(row.instance) for row in rows],
        "repeat": [int(repeat) for repeat, _ in names],
    }


@pytest.mark.parametrize("repeats", [1, 2, 3])
@pytest.mark.parametrize(
    ("folds", "positives", "negatives"), [(1, 1, 4), (1, 5, 7), (3, 7, 9), (2, 4, 11)]
)
@given(seed=st.integers(0, 2**32))
def test_the_error_of_a_mean_adds_up_what_curves_share(
    seed: int, repeats: int, folds: int, positives: int, negatives: int
) -> None:
    rows, arguments = repeated(seed, repeats, folds, positives, negatives)
    parts = components(**arguments)
    assert parts.auc == pytest.approx(float(slow.mean(map(slow.auc, rows.folds))), abs=1e-15)
    variance = slow.auc_variance(rows.folds)
    if variance is None or abs(variance) > 1e-12:  # else its sign is rounding
        assert_error(standard_error(parts), variance)
    if len(rows.folds) == 1:
        points = from_scores(scores=arguments["scores"], labels=arguments["labels"])
        assert_error(math.sqrt(variances(points)[0]), variance)


def test_what_says_nothing_has_no_error_or_no_interval() -> None:
    """One instance of a class, and rankings without a mistake."""
    assert math.isnan(standard_error(of_classes([3], [2, 4])))
    assert math.isnan(standard_error(of_classes([3, 5, 1], [2])))
    beside = from_scores(
        scores=[3, 2, 4, 3, 5, 2, 4], labels=[1, 0, 0, 1, 1, 0, 0], groups=[0] * 3 + [1] * 4
    )
    assert np.isnan(variances(beside)).tolist() == [True, False]
    right, wrong = of_classes([3, 4], [1, 2]), of_classes([1, 2], [3, 4])
    assert (right.auc, standard_error(right), difference(right, wrong)[:2]) == (1, 0, (1, 0))
    assert math.isnan(difference(right, wrong).p_value)
    for auc, error in ((1, 0), (0.8, 0), (0.8, math.nan)):
        assert all(map(math.isnan, interval(auc, error)))


@given(st.floats(0.01, 0.99), st.floats(1e-6, 10), st.floats(0.5, 0.999))
def test_an_interval_holds_its_auc_and_mirrors(auc_: float, error: float, level: float) -> None:
    low, high = interval(auc_, error, level)
    assert 0 <= low < auc_ < high <= 1
    other = interval(1 - auc_, error, level)
    assert other == pytest.approx((1 - high, 1 - low), abs=1e-9)


@given(st.data())
def test_the_error_of_a_difference_is_that_of_pairs(data: st.DataObject) -> None:
    scores, labels = data.draw(rankings.rows())
    others = data.draw(st.lists(rankings.few_scores, min_size=len(labels), max_size=len(labels)))
    first, other = (components(scores=each, labels=labels) for each in (scores, others))
    parts, swapped = difference(first, other), difference(other, first)
    assert (parts.value, swapped.value) == (first.auc - other.auc, other.auc - first.auc)
    assert parts[1:] == pytest.approx(swapped[1:], nan_ok=True)
    if min(sum(labels), len(labels) - sum(labels)) > 1:
        ranks = np.unique(np.add(scores, 0.0), return_inverse=True)[1]
        stretched = components(scores=ranks / 7, labels=labels)
        assert difference(first, first) == difference(first, stretched) == (0, 0, 1)
        variances = (standard_error(each) ** 2 for each in (first, other))
        covariances = [
            np.cov(first.deviation[first.label == kind], other.deviation[first.label == kind])[0, 1]
            * np.sum(first.label == kind)
            for kind in (0, 1)
        ]
        assert parts.error**2 == pytest.approx(sum(variances) - 2 * sum(covariances), abs=1e-12)


def test_a_p_value_is_that_of_a_normal_error() -> None:
    first, other = of_classes([5, 4, 3, 1], [2, 2, 0, 0]), of_classes([5, 1, 3, 1], [2, 0, 4, 4])
    parts = difference(first, other)
    expected = 2 * NormalDist().cdf(-parts.value / parts.error)
    assert parts.value > 0
    assert parts.p_value == pytest.approx(expected, rel=1e-12)


ROWS = {"scores": [1, 2, 3, 4], "labels": [0, 1, 0, 1]}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: difference(of_classes([3, 4], [1, 2]), of_classes([3, 4], [1, 2, 0])),
            "the two rankings have different rows: label differs",
        ),
        (lambda: components(**ROWS, instances=[0, 1]), "group codes of length 2, expected 4"),
        (lambda: components(**ROWS, repeat=[0, 0]), "group codes of length 2, expected 1"),
        (lambda: components(**ROWS, groups=[0, 0]), "group codes of length 2, expected 4"),
    ],
)
def test_what_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


SAMPLES = 1000


@pytest.mark.parametrize(("gap", "logit", "symmetric"), [(1.0, 0.9, 0.88), (2.3, 0.88, 0.8)])
def test_intervals_cover_what_they_claim(gap: float, logit: float, symmetric: float) -> None:
    """Of 20 and 20 normal scores, at 90 %: shares within three standard errors of what they are."""
    rng, z = np.random.default_rng(1), NormalDist().inv_cdf(0.95)
    truth, labels = NormalDist().cdf(gap / math.sqrt(2)), np.repeat([1, 0], 20)
    covered = np.zeros((SAMPLES, 2))
    for sample in range(SAMPLES):
        parts = components(scores=rng.normal(size=40) + gap * labels, labels=labels)
        error = standard_error(parts)
        low, high = interval(parts.auc, error, 0.9)
        covered[sample] = low <= truth <= high, abs(parts.auc - truth) <= z * error
    allowed = 3 * math.sqrt(0.9 * 0.1 / SAMPLES)
    assert covered.mean(axis=0) == pytest.approx([logit, symmetric], abs=allowed)


def test_errors_of_repeated_cross_validation_are_those_of_samples() -> None:
    """Of 20 and 20 instances in 10 folds, 3 times, with models that differ between folds."""
    rng, labels = np.random.default_rng(2), np.repeat([1, 0], 20)
    angle, samples = rng.normal(scale=0.3, size=(3, 10)), 500
    areas, variances = np.zeros(samples), np.zeros(samples)
    for sample in range(samples):
        x, y = rng.normal(size=(2, 40))
        x = x + 1.5 * labels
        fold = np.array([[*rng.permutation(20) % 10, *rng.permutation(20) % 10] for _ in range(3)])
        turn = np.take_along_axis(angle, fold, axis=1)
        parts = components(
            scores=(np.cos(turn) * x + np.sin(turn) * y).ravel(),
            labels=np.tile(labels, 3),
            groups=(fold + np.array([[0], [10], [20]])).ravel(),
            instances=np.tile(np.arange(40), 3),
            repeat=np.repeat([0, 1, 2], 10),
        )
        areas[sample], variances[sample] = parts.auc, standard_error(parts) ** 2
    allowed = 3 * math.sqrt(2 / samples)  # of a variance
    assert np.nanmean(variances) / areas.var() == pytest.approx(1, abs=allowed)
    assert np.isnan(variances).mean() < 0.01
    assert areas.mean() > 0.8
