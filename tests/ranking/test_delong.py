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
from scipy.special import expit, logit

from costcurves.counts.operating_points import from_scores
from costcurves.ranking.delong import (
    Components,
    components,
    difference,
    interval,
    standard_error,
    variances,
)
from tests.oracle import slow_study as slow


def of_classes(right: Sequence[float], wrong: Sequence[float]) -> Components:
    """The components of one ranking: the scores of positives, and of negatives."""
    return components(scores=[*right, *wrong], labels=[1] * len(right) + [0] * len(wrong))


def assert_error(error: float, variance: Fraction | None) -> None:
    if variance is None or abs(variance) > 1e-12:  # else its sign is rounding
        root = math.nan if variance is None or variance < 0 else math.sqrt(variance)
        assert error == pytest.approx(root, rel=1e-12, abs=1e-15, nan_ok=True)


def repeated(
    seed: int, repeats: int, folds: int, positives: int, negatives: int
) -> tuple[list[slow.Rows], list[dict[str, Any]]]:
    """Two models of few instances, cross-validated with ties: for the oracle, and for the maths."""
    rng = np.random.default_rng(seed)
    label = np.repeat([1, 0], [positives, negatives])
    cases = []
    for repeat in range(repeats):
        parts = [rng.permutation(np.arange(size) % folds) for size in (positives, negatives)]
        fold = np.concatenate(parts)
        cases += [(repeat, fold[i], i) for i in rng.permutation(len(label)).tolist()]
    curves = list(dict.fromkeys(case[:2] for case in cases))
    common = {
        "labels": [int(label[i]) for *_, i in cases],
        "groups": [curves.index(case[:2]) for case in cases],
        "instances": [i for *_, i in cases],
        "repeat": [repeat for repeat, _ in curves],
    }
    oracle, arguments = [], []
    for _ in range(2):
        scores = [float(rng.integers(0, 5) + label[i]) for *_, i in cases]
        rows = []
        for (repeat, part, i), score in zip(cases, scores, strict=True):
            keys = str(repeat), str(part), str(i)
            rows.append(slow.Row("A", "", None, *keys, bool(label[i]), score, False, Fraction(1)))
        oracle.append(slow.Rows(tuple(rows)))
        arguments.append({"scores": scores, **common})
    return oracle, arguments


SIZES = [(1, 1, 4), (1, 5, 7), (3, 7, 9), (2, 4, 11)]  # folds, positives, negatives


@given(st.integers(0, 2**32), st.integers(1, 3), st.sampled_from(SIZES))
def test_errors_of_means_and_of_differences_add_up_what_curves_share(
    seed: int, repeats: int, sizes: tuple[int, int, int]
) -> None:
    (rows, others), arguments = repeated(seed, repeats, *sizes)
    parts, other = (components(**each) for each in arguments)
    assert parts.auc == pytest.approx(float(slow.mean(map(slow.auc, rows.folds))), abs=1e-15)
    assert_error(standard_error(parts), slow.auc_variance(rows.folds))
    if len(rows.folds) == 1:
        points = from_scores(scores=arguments[0]["scores"], labels=arguments[0]["labels"])
        assert_error(math.sqrt(variances(points)[0]), slow.auc_variance(rows.folds))
    apart, swapped = difference(parts, other), difference(other, parts)
    assert (apart.value, swapped.value) == (parts.auc - other.auc, other.auc - parts.auc)
    assert apart[1:] == pytest.approx(swapped[1:], nan_ok=True)
    assert_error(apart.error, slow.auc_variance(rows.folds, others.folds))
    if apart.error > 0:
        expected = 2 * NormalDist().cdf(-abs(apart.value) / apart.error)
        assert apart.p_value == pytest.approx(expected, rel=1e-12)


def test_what_says_nothing_has_no_error_or_no_interval() -> None:
    """One instance of a class, rankings without a mistake, and rankings that are alike."""
    beside = from_scores(
        scores=[3, 2, 4, 3, 5, 2, 4], labels=[1, 0, 0, 1, 1, 0, 0], groups=[0] * 3 + [1] * 4
    )
    assert np.isnan(variances(beside)).tolist() == [True, False]
    right, wrong = of_classes([3, 4], [1, 2]), of_classes([1, 2], [3, 4])
    assert (right.auc, standard_error(right), difference(right, wrong)[:2]) == (1, 0, (1, 0))
    assert math.isnan(difference(right, wrong).p_value)
    stretched = difference(of_classes([3, 5, 1], [2, 4]), of_classes([30, 51, 1], [2, 47]))
    assert stretched == (0, 0, 1)
    for auc, error in ((1, 0), (0.8, 0), (0.8, math.nan)):
        assert all(map(math.isnan, interval(auc, error)))


@given(st.floats(0.01, 0.99), st.floats(1e-6, 10), st.floats(0.5, 0.999))
def test_an_interval_is_symmetric_in_the_logit(auc_: float, error: float, level: float) -> None:
    low, high = interval(auc_, error, level)
    assert 0 <= low < auc_ < high <= 1
    z = NormalDist().inv_cdf((1 + level) / 2)
    for end, sign in ((low, -1), (high, 1)):
        assert end == pytest.approx(
            float(expit(logit(auc_) + sign * z * error / auc_ / (1 - auc_)))
        )


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
