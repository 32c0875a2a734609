"""Bands of one cost line, and of a threshold in use: values, symmetries, what they cover."""

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
def test_bands_mirror_and_lie_around_the_line_and_in_each_other(errors: Errors) -> None:
    fp, negatives, fn, positives = errors
    swapped = Errors(fn, positives, fp, negatives)
    right = Errors(negatives - fp, negatives, positives - fn, positives)
    edges = {}
    for method in (intervals.normal, intervals.wilson, intervals.simultaneous):
        band, other, turned = method(errors), method(swapped), method(right)
        lower, upper = edges[method.__name__] = band.lower(PLACES), band.upper(PLACES)
        np.testing.assert_allclose(upper, other.upper(1 - PLACES), atol=1e-14)
        np.testing.assert_allclose(lower, other.lower(1 - PLACES), atol=1e-14)
        np.testing.assert_allclose(upper, 1 - turned.lower(PLACES), atol=1e-13)
        if method is not intervals.normal:
            assert lower.min() >= -1e-15
            assert upper.max() <= 1 + 1e-15
            assert (lower <= band.estimate(PLACES)).all()
            assert (upper >= band.estimate(PLACES)).all()
            assert (upper > lower).all()
    assert (edges["simultaneous"][0] <= edges["wilson"][0]).all()
    assert (edges["simultaneous"][1] >= edges["wilson"][1]).all()


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
    with pytest.raises(ValueError, match=r"19 resamples are too few for a level of 0\.9: 20 are"):
        intervals.bootstrap(Errors(1, 2, 1, 2), 19, np.random.default_rng(0))


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 5)), min_size=20, max_size=60))
def test_percentiles_are_ranks_in_exact_arithmetic(pairs: list[tuple[int, int]]) -> None:
    fp, fn = np.array(pairs).T
    low, high = intervals.percentiles(fp, fn, 8, 5, 0.9)
    k = len(pairs) // 20
    for pc in (Fraction(0), Fraction(1, 3), Fraction(1)):
        heights = sorted(Fraction(f, 8) * (1 - pc) + Fraction(g, 5) * pc for f, g in pairs)
        assert low(float(pc)) == pytest.approx(float(heights[k - 1]), abs=1e-15)
        assert high(float(pc)) == pytest.approx(float(heights[-k]), abs=1e-15)


def test_the_quantile_of_the_largest_deviation_over_pc() -> None:
    u, v = np.random.default_rng(20061).normal(size=(2, 10**6))
    largest = np.where(u * v > 0, np.hypot(u, v), np.maximum(np.abs(u), np.abs(v)))
    for level in (0.5, 0.9, 0.99):
        beyond = (largest > intervals.largest_deviation(level)).mean()
        assert beyond == pytest.approx(1 - level, abs=4 * math.sqrt(level * (1 - level) / 1e6))


@given(some_errors(), st.sampled_from([0.1, 0.5, 0.8]), st.floats(0, 0.3))
def test_the_error_of_a_prior_is_added_by_squares(errors: Errors, pc: float, odds: float) -> None:
    band = intervals.wilson(errors)
    low, estimate, high = height_at(band, pc)
    moved = Z * pc * (1 - pc) * odds * (band.estimate(1.0) - band.estimate(0.0))
    below, above = math.hypot(estimate - low, moved), math.hypot(high - estimate, moved)
    ends = estimate - below, estimate, estimate + above
    assert height_at(band, pc, odds) == pytest.approx(ends, abs=1e-12)


@pytest.mark.parametrize("sizes", [(20, 10), (200, 20)])
@pytest.mark.parametrize("rates", [(0.5, 0.5), (0.067, 0.0228)])
def test_bands_of_a_line_cover_it(sizes: tuple[int, int], rates: tuple[float, float]) -> None:
    row = lines.coverage(*sizes, *rates)
    assert 0.89 <= row["mean"] <= 0.95
    assert row["least"] >= 0.86
    assert row["whole"] >= 0.885


# Means of cases and clusters

VALUES = np.array([0.5, 2.0, 3.5, 1.0, 4.0, 7.0, 2.5, 3.0])


def test_a_mean_of_cases_has_the_t_interval_and_clusters_are_drawn_whole() -> None:
    mean = mean_of(VALUES, np.arange(8))
    low, high = stats.t.interval(0.8, 7, VALUES.mean(), stats.sem(VALUES))
    assert mean.interval(0.8) == pytest.approx((low, high))
    assert mean.p_value == pytest.approx(stats.ttest_1samp(VALUES, 0).pvalue)
    assert (Mean(0.0, 0.0, 5).p_value, Mean(0.2, 0.0, 5).p_value) == (1, 0)
    pairs = VALUES.mean(), stats.sem(VALUES.reshape(4, 2).mean(axis=1)), 3
    assert mean_of(VALUES, np.arange(8) // 2)[:3] == pytest.approx(pairs)
    single = mean_of(VALUES, np.zeros(8, dtype=int))
    assert single[:3] == (VALUES.mean(), np.inf, 0)
    assert np.isnan(single.interval(0.8)).all()
    with pytest.raises(ValueError, match="a rate of positives needs two or more"):
        in_use([1, 2, 3], [0, 0, 1], 2)


def test_a_weight_of_two_is_two_cases_and_few_heavy_ones_are_no_more_than_they_are() -> None:
    weight = np.array([3, 1, 2, 1])
    weighed = mean_of(VALUES[:4], np.arange(4), weight.astype(float))
    repeated = mean_of(np.repeat(VALUES[:4], weight), np.repeat(np.arange(4), weight))
    assert weighed[:3] == pytest.approx(repeated[:3])
    assert (weighed.size, repeated.size) == (49 / 15, 7)
    # A light case that is flagged, of 90, and ten that weigh 30 each, of which none is.
    mean = mean_of(np.eye(100)[0], np.arange(100), np.repeat([1.0, 30.0], [90, 10]))
    assert mean.cases == mean.size == pytest.approx(390**2 / (90 + 9000))
    assert mean._replace(error=0.0).cases == mean.size


# A threshold in use, against sums of fractions, case by case

SCORES = [0.1, 0.4, 0.4, 0.9, 0.2, 0.7, 0.4, 0.8, 0.3, 0.6, 0.5, 0.1]
LABELS = [0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1]
Ints = list[int]
ALONE, WEIGHTS = [1] * 12, [1, 2, 3, 1, 1, 2, 1, 1, 2, 1, 3, 1]
CLUSTERS = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


def rate(value: int, threshold: float, weights: Ints, clusters: Ints) -> tuple[Fraction, Fraction]:
    """Return the mistakes on a class, and of how many alike cases they have the error."""
    called = [score >= threshold for score in SCORES]
    rows = zip(LABELS, clusters, weights, called, strict=True)
    each = [(unit, times, call != value) for label, unit, times, call in rows if label == value]
    whole, units = sum(times for _, times, _ in each), {unit for unit, _, _ in each}
    p = Fraction(sum(times for _, times, wrong in each if wrong), whole)
    sums = [
        sum((times * (wrong - p) for at, times, wrong in each if at == unit), Fraction(0))
        for unit in units
    ]
    alike = Fraction(whole**2, sum(times**2 for _, times, _ in each))
    error = sum((part**2 for part in sums), Fraction(0)) * len(units) / whole**2  # times units - 1
    return p, min(alike, len(units) * p * (1 - p) / error if error else Fraction(len(units)))


@pytest.mark.parametrize("threshold", [0.4, 0.45, -np.inf, np.inf])
@pytest.mark.parametrize("clusters", [None, CLUSTERS])
@pytest.mark.parametrize("weights", [ALONE, WEIGHTS])
def test_costs_in_use_are_sums(weights: Ints, clusters: Ints | None, threshold: float) -> None:
    """The ends of an interval are where its error, of so many cases, is z times the distance."""
    band = in_use(SCORES, LABELS, threshold, weights=weights, clusters=clusters)
    arms, rates = [], []
    for value in (0, 1):
        p, size = rate(value, threshold, weights, clusters or [*range(12)])
        low, estimate, high = height_at(band, float(value))
        assert estimate == pytest.approx(float(p), abs=1e-15)
        for end in (low, high):
            squared = Z**2 * end * (1 - end) / float(size)
            assert (end - estimate) ** 2 == pytest.approx(squared, abs=1e-15)
        assert low < high
        arms.append((estimate - low, high - estimate))
        rates.append(float(p))
    for pc in (0.125, 0.5, 0.75):
        low, cost, high = height_at(band, pc)
        assert cost == pytest.approx(pc * rates[1] + (1 - pc) * rates[0], abs=1e-15)
        joined = [math.hypot((1 - pc) * arm0, pc * arm1) for arm0, arm1 in zip(*arms, strict=True)]
        assert (cost - low, high - cost) == pytest.approx(tuple(joined))
