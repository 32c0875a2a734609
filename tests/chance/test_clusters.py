"""Clusters, drawn whole: against sums over cases, rows that are drawn again, and definitions."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from costcurves.chance import resampled_curves as rc
from costcurves.chance.resampling import FEWEST, Weights, weights
from costcurves.counts.operating_points import from_scores
from costcurves.curves.curves import mean
from costcurves.curves.envelopes import lower_envelopes
from costcurves.ranking.delong import components, difference, standard_error
from tests.unit_costs import unit_costs

IntArray = NDArray[np.int64]
PLACES = np.unique(np.append(np.linspace(0, 1, 17), [1 / 3]))

PURE = np.repeat([1, 0, 1, 0, 0, 1, 0], [2, 3, 1, 4, 1, 3, 2])
OF_PURE = np.repeat([0, 1, 2, 3, 4, 5, 6], [2, 3, 1, 4, 1, 3, 2])
MIXED = np.array([1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1])


def drawn(seed: int, labels: IntArray, clusters: IntArray, resamples: int = 6) -> Weights:
    return weights(labels, resamples, np.random.default_rng(seed), clusters=clusters)


def rows(seed: int, labels: IntArray, clusters: IntArray, folds: int = 1) -> rc.Predicted:
    """Scores with ties; clusters are whole in a fold, and each fold has both classes."""
    rng = np.random.default_rng(seed)
    fold = clusters % folds
    scores = (labels + rng.normal(size=len(labels))).round(1)
    return rc.Predicted(np.arange(len(labels)), labels, scores, fold)


@pytest.mark.parametrize("most", [2000, 4])
def test_clusters_of_one_are_cases(most: int) -> None:
    part = np.random.default_rng(1).permutation(len(MIXED))
    as_cases = weights(MIXED, 50, np.random.default_rng(0), most)
    of_one = weights(MIXED[part], 50, np.random.default_rng(0), most, clusters=part)
    assert (of_one.drawn == as_cases.drawn).all()
    assert (of_one.unit == as_cases.unit[part]).all()
    assert of_one.share == pytest.approx(1, abs=1e-12) or most == 4
    for name in ("negatives", "positives", "per_cluster", "too_few", "dof"):
        assert getattr(of_one, name) == getattr(as_cases, name)
    assert (as_cases.per_cluster, as_cases.too_few) == (1, False)


def test_clusters_are_drawn_within_their_class() -> None:
    result = drawn(3, PURE, OF_PURE, 40)
    negatives, positives = result.holds
    assert not (negatives & positives).any()
    assert (result.drawn[:, negatives].sum(axis=1) == 3).all()  # of four
    assert (result.drawn[:, positives].sum(axis=1) == 2).all()  # of three
    assert result.scale.tolist() == [4 / 3, 3 / 2]
    # Sizes 3, 4, 1, 2 and 2, 1, 3: as many equal ones would say as much.
    assert (result.negatives, result.positives) == pytest.approx((100 / 30, 36 / 14))
    assert result.per_cluster == 2.5
    times = result.drawn[:, result.unit].astype(int)
    for value, scale, size in ((0, 4 / 3, 10), (1, 3 / 2, 6)):
        expected = scale * times[:, value == PURE].sum(axis=1) / size
        assert result.share[:, value] == pytest.approx(expected, abs=1e-12)


@given(st.integers(0, 10**6))
@settings(max_examples=20)
def test_a_resample_is_the_estimate_of_its_clusters(seed: int) -> None:
    of = np.arange(len(MIXED)) // 3
    predicted, draws = rows(seed, MIXED, of), drawn(seed, MIXED, of, 8)
    assert draws.holds.all(axis=0).any()  # all are drawn together
    assert (draws.drawn.sum(axis=1) == 5).all()
    for times, heights in zip(draws.drawn, rc.envelopes_at(predicted, draws, PLACES), strict=True):
        count = times[draws.unit].astype(int)
        if all(count[value == MIXED].any() for value in (0, 1)):
            again = np.repeat(np.arange(len(MIXED)), count)
            points = from_scores(scores=predicted.score[again], labels=MIXED[again])
            expected = mean([result.curve for result in lower_envelopes(points)])
            np.testing.assert_allclose(heights, expected(PLACES), rtol=0, atol=1e-15)


@pytest.mark.parametrize(("labels", "of"), [(PURE, OF_PURE), (MIXED, np.arange(16) // 3)])
def test_kept_choices_are_ratios_of_what_was_drawn(labels: IntArray, of: IntArray) -> None:
    predicted, draws = rows(4, labels, of, folds=2), drawn(4, labels, of)
    repeat = np.zeros(2, dtype=int)
    each = unit_costs(predicted, repeat, drawn(4, labels, np.arange(len(labels))), PLACES)
    by_case = each[:, drawn(4, labels, np.arange(len(labels))).unit]  # (2, cases, pc)
    result = rc.cross_fitted_at(predicted, repeat, draws, PLACES, made_again=0)
    for times, heights in zip(draws.drawn[:, draws.unit], result, strict=True):
        expected = np.zeros(len(PLACES))
        for value in (0, 1):
            whole = float(times[labels == value].mean(dtype=np.float64))
            if whole:
                expected += times @ by_case[value] / whole
        np.testing.assert_allclose(heights, expected, rtol=0, atol=1e-12)


def test_so_many_clusters_of_a_class_are_enough() -> None:
    labels, of = np.repeat([1, 0], [3 * (FEWEST - 1), 60]), np.arange(87) // 3
    assert drawn(6, labels, of, 200).too_few
    assert not drawn(6, np.append(labels, 1), np.append(of, 29), 200).too_few


# AUC: Obuchowski's variance, by definition.


def obuchowski(scores: Any, labels: Any, clusters: Any) -> tuple[Fraction, Fraction]:
    """An AUC and its variance, from all pairs: Biometrics 53, 567 (1997), equations 1 to 5."""
    positive = [at for at, label in enumerate(labels) if label]
    negative = [at for at, label in enumerate(labels) if not label]

    def wins(x: int, y: int) -> Fraction:
        return Fraction(int(scores[x] > scores[y]) * 2 + int(scores[x] == scores[y]), 2)

    m, n = len(positive), len(negative)
    of_x = {x: sum((wins(x, y) for y in negative), Fraction(0)) / n for x in positive}
    of_y = {y: sum((wins(x, y) for x in positive), Fraction(0)) / m for y in negative}
    area = sum(of_x.values(), Fraction(0)) / m
    sums = {
        predicted: (
            sum((of_x[x] - area for x in positive if clusters[x] == predicted), Fraction(0)),
            sum((of_y[y] - area for y in negative if clusters[y] == predicted), Fraction(0)),
        )
        for predicted in set(clusters)
    }
    i10, i01 = (len({clusters[at] for at in part}) for part in (positive, negative))
    s10 = sum((x * x for x, _ in sums.values()), Fraction(0)) * i10 / ((i10 - 1) * m)
    s01 = sum((y * y for _, y in sums.values()), Fraction(0)) * i01 / ((i01 - 1) * n)
    s11 = sum((x * y for x, y in sums.values()), Fraction(0)) * len(sums) / (len(sums) - 1)
    return area, s10 / m + s01 / n + 2 * s11 / (m * n)


@given(st.integers(0, 10**6))
@settings(max_examples=50)
def test_an_auc_of_clusters_has_obuchowskis_variance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    of, scores = np.sort(rng.integers(0, 6, 16)), rng.integers(0, 5, 16)
    inside = [len(set(of[value == MIXED])) for value in (0, 1)]
    if min(inside) < 2:
        return
    result = components(
        scores=scores, labels=MIXED, instances=np.unique(of, return_inverse=True)[1]
    )
    area, variance = obuchowski(scores.tolist(), MIXED.tolist(), of.tolist())
    assert result.auc == pytest.approx(float(area), abs=1e-12)
    expected = math.sqrt(variance) if variance >= 0 else math.nan
    assert standard_error(result) == pytest.approx(expected, abs=1e-7, nan_ok=True)


def test_a_difference_of_aucs_knows_clusters() -> None:
    of = np.arange(16) // 2
    a, b = (
        components(scores=MIXED + np.random.default_rng(name).normal(size=16), labels=MIXED)
        for name in (1, 2)
    )
    apart = difference(a, b)
    whole = difference(*(replace(predicted, instance=of) for predicted in (a, b)))
    assert whole.value == apart.value
    assert whole.error != pytest.approx(apart.error, rel=0.01)
