"""Bands of one cost line, and of a threshold in use: values, symmetries, what they cover."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from costcurves.chance import intervals
from costcurves.chance.intervals import Errors, height_at, in_use
from costcurves.chance.means import Mean, mean_of
from tests.simulations import lines

PLACES = np.linspace(0, 1, 101)
Z = 1.6448536269514722


@st.composite
def some_errors(draw: st.DrawFn) -> Errors:
    negatives, positives = draw(st.integers(1, 60)), draw(st.integers(1, 60))
    fp, fn = draw(st.integers(0, negatives)), draw(st.integers(0, positives))
    return Errors(fp, negatives, fn, positives)


@given(some_errors(), st.sampled_from([0.5, 0.8, 0.9, 0.99]))
def test_wilsons_intervals_are_joined_by_squares(errors: Errors, level: float) -> None:
    band = intervals.wilson(errors, level)
    below, above = [], []
    for end, share, count, size in ((0.0, 0.7, *errors[:2]), (1.0, 0.3, *errors[2:])):
        expected = stats.binomtest(count, size).proportion_ci(level, method="wilson")
        assert band.lower(end) == pytest.approx(expected.low, abs=1e-12)
        assert band.upper(end) == pytest.approx(expected.high, abs=1e-12)
        below.append(share * (band.estimate(end) - expected.low))
        above.append(share * (expected.high - band.estimate(end)))
    middle = band.estimate(0.3)
    assert middle - band.lower(0.3) == pytest.approx(math.hypot(*below), abs=1e-12)
    assert band.upper(0.3) - middle == pytest.approx(math.hypot(*above), abs=1e-12)


@given(some_errors())
def test_bands_lie_in_the_unit_square_around_the_line_and_in_each_other(errors: Errors) -> None:
    point, whole = intervals.wilson(errors), intervals.simultaneous(errors)
    for band in (point, whole):
        assert (band.lower(PLACES) >= -1e-15).all()
        assert (band.upper(PLACES) <= 1 + 1e-15).all()
        assert (band.lower(PLACES) <= band.estimate(PLACES)).all()
        assert (band.upper(PLACES) >= band.estimate(PLACES)).all()
        assert (band.upper(PLACES) > band.lower(PLACES)).all()
    assert (whole.lower(PLACES) <= point.lower(PLACES)).all()
    assert (whole.upper(PLACES) >= point.upper(PLACES)).all()


@given(some_errors())
def test_swaps_of_classes_and_of_right_and_wrong_mirror_the_bands(errors: Errors) -> None:
    fp, negatives, fn, positives = errors
    swapped = Errors(fn, positives, fp, negatives)
    right = Errors(negatives - fp, negatives, positives - fn, positives)
    for method in (intervals.wilson, intervals.simultaneous, intervals.normal):
        band, other, turned = method(errors), method(swapped), method(right)
        np.testing.assert_allclose(band.upper(PLACES), other.upper(1 - PLACES), atol=1e-14)
        np.testing.assert_allclose(band.lower(PLACES), other.lower(1 - PLACES), atol=1e-14)
        np.testing.assert_allclose(band.upper(PLACES), 1 - turned.lower(PLACES), atol=1e-13)


def test_equation_8() -> None:
    # [2006] s4.6, eq. 8 and its text: least at the class distribution m / (m + n) if fn = fp.
    band = intervals.normal(Errors(5, 10, 10, 20))
    half = band.upper(PLACES) - band.estimate(PLACES)
    sigma = np.sqrt(PLACES**2 * 0.25 / 20 + (1 - PLACES) ** 2 * 0.25 / 10)
    np.testing.assert_allclose(half, Z * sigma, rtol=1e-12)
    fine = np.linspace(0, 1, 3001)
    least = fine[np.argmin(band.upper(fine) - band.estimate(fine))]
    assert least == pytest.approx(20 / 30, abs=1e-3)


def test_the_papers_example_moves_in_steps_of_one_instance() -> None:
    # [2006] Fig. 16: 16 of 20 positives and 6 of 10 negatives right, 100 resamples.
    band = intervals.bootstrap(Errors(4, 10, 4, 20), 100, np.random.default_rng(20061))
    assert band.lower(0.0) * 10 == round(band.lower(0.0) * 10)
    assert band.upper(1.0) * 20 == round(band.upper(1.0) * 20)
    assert (band.estimate(0.0), band.estimate(1.0)) == (0.4, 0.2)
    none = intervals.bootstrap(Errors(0, 10, 0, 20), 100, np.random.default_rng(0))
    assert not none.upper(PLACES).any()


@pytest.mark.parametrize(("level", "ends"), [(0.9, (0.04, 0.95)), (0.95, (0.01, 0.98))])
def test_the_bootstrap_takes_the_fifth_of_a_hundred(
    level: float, ends: tuple[float, float]
) -> None:
    low, high = intervals.percentiles(np.arange(100), np.arange(100), 100, 100, level)
    assert (low(0.5), high(0.5)) == ends  # int(100 * (1 - .9) / 2) would be 4


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 5)), min_size=20, max_size=60))
def test_percentiles_are_ranks_in_exact_arithmetic(pairs: list[tuple[int, int]]) -> None:
    fp, fn = np.array(pairs).T
    low, high = intervals.percentiles(fp, fn, 8, 5, 0.9)
    k = len(pairs) // 20
    for pc in (Fraction(0), Fraction(1, 3), Fraction(1)):
        heights = sorted(Fraction(f, 8) * (1 - pc) + Fraction(g, 5) * pc for f, g in pairs)
        assert low(float(pc)) == pytest.approx(float(heights[k - 1]), abs=1e-15)
        assert high(float(pc)) == pytest.approx(float(heights[-k]), abs=1e-15)


def test_the_largest_deviation_over_pc_and_its_quantile() -> None:
    angle = np.linspace(0, math.pi / 2, 10001)
    for a, b in itertools.product([-1.5, -0.2, 0.7, 2.0], repeat=2):
        expected = np.abs(a * np.cos(angle) + b * np.sin(angle)).max()
        closed = math.hypot(a, b) if a * b > 0 else max(abs(a), abs(b))
        assert closed == pytest.approx(expected, rel=1e-7)
    u, v = np.random.default_rng(20061).normal(size=(2, 10**6))
    largest = np.where(u * v > 0, np.hypot(u, v), np.maximum(np.abs(u), np.abs(v)))
    for level in (0.5, 0.9, 0.99):
        beyond = (largest > intervals.largest_deviation(level)).mean()
        assert beyond == pytest.approx(1 - level, abs=4 * math.sqrt(level * (1 - level) / 1e6))


@given(some_errors(), st.sampled_from([0.1, 0.5, 0.8]), st.floats(0, 0.3))
def test_the_error_of_a_prior_is_added_in_quadrature(
    errors: Errors, pc: float, odds: float
) -> None:
    band = intervals.wilson(errors)
    low, estimate, high = height_at(band, pc)
    slope = band.estimate(1.0) - band.estimate(0.0)
    moved = Z * pc * (1 - pc) * odds * slope
    ends = (
        estimate - math.hypot(estimate - low, moved),
        estimate + math.hypot(high - estimate, moved),
    )
    assert height_at(band, pc, odds) == pytest.approx((ends[0], estimate, ends[1]), abs=1e-12)


def test_too_few_resamples() -> None:
    with pytest.raises(ValueError, match=r"19 resamples are too few for a level of 0\.9: 20 are"):
        intervals.bootstrap(Errors(1, 2, 1, 2), 19, np.random.default_rng(0))


@pytest.mark.parametrize("sizes", [(20, 10), (200, 20)])
@pytest.mark.parametrize("rates", [(0.5, 0.5), (0.067, 0.0228)])
def test_bands_of_a_line_cover_it(sizes: tuple[int, int], rates: tuple[float, float]) -> None:
    row = lines.coverage(*sizes, *rates)
    assert 0.89 <= row.mean <= 0.95
    assert row.least >= 0.86
    assert row.whole >= 0.885


# Means of cases and clusters

VALUES = np.array([0.5, 2.0, 3.5, 1.0, 4.0, 7.0, 2.5])


def test_a_mean_of_cases_has_the_t_interval() -> None:
    mean = mean_of(VALUES, np.arange(7))
    low, high = stats.t.interval(0.8, 6, VALUES.mean(), stats.sem(VALUES))
    assert mean.interval(0.8) == pytest.approx((low, high))
    assert mean.p_value == pytest.approx(stats.ttest_1samp(VALUES, 0).pvalue)
    assert (Mean(0.0, 0.0, 5).p_value, Mean(0.2, 0.0, 5).p_value) == (1, 0)
    single = mean_of(VALUES, np.zeros(7, dtype=int))
    assert single[:3] == (VALUES.mean(), np.inf, 0)
    assert np.isnan(single.interval(0.8)).all()


def test_clusters_are_drawn_whole_and_a_weight_of_two_is_two_cases_of_one() -> None:
    values, unit = np.append(VALUES, 3.0), np.array([0, 0, 1, 1, 2, 2, 3, 3])
    mean = mean_of(values, unit)
    assert mean[:3] == pytest.approx(
        (values.mean(), stats.sem(values.reshape(4, 2).mean(axis=1)), 3)
    )
    weight = np.array([3, 1, 2, 1])
    weighed = mean_of(VALUES[:4], np.arange(4), weight.astype(float))
    repeated = mean_of(np.repeat(VALUES[:4], weight), np.repeat(np.arange(4), weight))
    assert weighed[:3] == pytest.approx(repeated[:3])
    assert (weighed.size, repeated.size) == (49 / 15, 7)


def test_a_rate_of_few_heavy_cases_is_of_no_more_than_they_are() -> None:
    """One light case that is flagged, of 90, and ten that weigh 30 each, of which none is."""
    mean = mean_of(np.eye(100)[0], np.arange(100), np.repeat([1.0, 30.0], [90, 10]))
    assert mean.cases == mean.size == pytest.approx(390**2 / (90 + 9000))
    assert mean._replace(error=0.0).cases == mean.size


# A threshold in use, against sums of fractions, case by case

SCORES = [0.1, 0.4, 0.4, 0.9, 0.2, 0.7, 0.4, 0.8, 0.3, 0.6, 0.5, 0.1]
LABELS = [0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1]
WEIGHTS = [1, 2, 3, 1, 1, 2, 1, 1, 2, 1, 3, 1]
CLUSTERS = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


def rate(value: int, threshold: float, weights: list[int]) -> Fraction:
    """Add up the mistakes on a class."""
    of = [at for at, label in enumerate(LABELS) if label == value]
    wrong = [weights[at] for at in of if (SCORES[at] >= threshold) != value]
    return Fraction(sum(wrong), sum(weights[at] for at in of))


@pytest.mark.parametrize("weights", [[1] * 12, WEIGHTS])
@pytest.mark.parametrize("threshold", [0.4, 0.45, -np.inf, np.inf])
def test_costs_of_a_threshold_are_sums(weights: list[int], threshold: float) -> None:
    fp, fn = (rate(value, threshold, weights) for value in (0, 1))
    band = in_use(SCORES, LABELS, threshold, weights=weights)
    closed = intervals.wilson(Errors(int(6 * fp), 6, int(6 * fn), 6))
    for pc in (Fraction(0), Fraction(1, 8), Fraction(3, 4), Fraction(1)):
        low, cost, high = height_at(band, float(pc))
        assert cost == pytest.approx(float(pc * fn + (1 - pc) * fp), abs=1e-15)
        assert -1e-12 <= low <= cost + 1e-12
        assert cost - 1e-12 <= high <= 1 + 1e-12
        if weights != WEIGHTS:
            of_decisions = closed.lower(float(pc)), cost, closed.upper(float(pc))
            assert (low, cost, high) == pytest.approx(of_decisions)


def test_clusters_are_counted_whole_and_weights_by_what_they_say() -> None:
    """The ends of an interval are where its error, of so many cases, is z times the distance."""
    band = in_use(SCORES, LABELS, 0.45, weights=WEIGHTS, clusters=CLUSTERS)
    rates = [height_at(band, pc) for pc in (0.0, 1.0)]
    for value, (low, estimate, high) in enumerate(rates):
        p, sums = rate(value, 0.45, WEIGHTS), [Fraction(0)] * 6
        of = [at for at, label in enumerate(LABELS) if label == value]
        whole, units = sum(WEIGHTS[at] for at in of), len({CLUSTERS[at] for at in of})
        for at in of:
            sums[CLUSTERS[at]] += WEIGHTS[at] * (((SCORES[at] >= 0.45) != value) - p)
        error = sum(part**2 for part in sums) * Fraction(units, units - 1) / whole**2
        alike = Fraction(whole**2, sum(WEIGHTS[at] ** 2 for at in of))
        size = min(alike, units * p * (1 - p) / error / (units - 1))
        assert estimate == pytest.approx(float(p))
        for end in (low, high):
            assert (end - estimate) ** 2 == pytest.approx(Z**2 * end * (1 - end) / float(size))
    arms = np.hypot(*(np.diff(ends) for ends in rates)) / 2
    assert np.diff(height_at(band, 0.5)) == pytest.approx(arms)
    with pytest.raises(ValueError, match="a rate of positives needs two or more"):
        in_use([1, 2, 3], [0, 0, 1], 2)
