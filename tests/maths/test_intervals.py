"""Bands of one cost line: values, symmetries, what they cover."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from costcurves.chance import intervals
from costcurves.chance.intervals import Errors
from tests.simulations import lines

PLACES = np.linspace(0, 1, 101)


@st.composite
def errors(draw: st.DrawFn) -> Errors:
    negatives, positives = draw(st.integers(1, 60)), draw(st.integers(1, 60))
    fp, fn = draw(st.integers(0, negatives)), draw(st.integers(0, positives))
    return Errors(fp, negatives, fn, positives)


@given(errors(), st.sampled_from([0.5, 0.8, 0.9, 0.99]))
def test_the_ends_of_wilson_are_wilsons_intervals(found: Errors, level: float) -> None:
    band = intervals.wilson(found, level)
    for end, count, size in ((0.0, *found[:2]), (1.0, *found[2:])):
        expected = binomtest(count, size).proportion_ci(level, method="wilson")
        assert band.lower(end) == pytest.approx(expected.low, abs=1e-12)
        assert band.upper(end) == pytest.approx(expected.high, abs=1e-12)


@given(errors())
def test_arms_add_by_squares(found: Errors) -> None:
    band = intervals.wilson(found)
    middle = band.estimate(0.3)
    below = [
        0.7 * (band.estimate(0.0) - band.lower(0.0)),
        0.3 * (band.estimate(1.0) - band.lower(1.0)),
    ]
    above = [
        0.7 * (band.upper(0.0) - band.estimate(0.0)),
        0.3 * (band.upper(1.0) - band.estimate(1.0)),
    ]
    assert middle - band.lower(0.3) == pytest.approx(math.hypot(*below), abs=1e-12)
    assert band.upper(0.3) - middle == pytest.approx(math.hypot(*above), abs=1e-12)


@given(errors())
def test_bands_lie_in_the_unit_square_around_the_line(found: Errors) -> None:
    for band in (intervals.wilson(found), intervals.simultaneous(found)):
        assert (band.lower(PLACES) >= -1e-15).all()
        assert (band.upper(PLACES) <= 1 + 1e-15).all()
        assert (band.lower(PLACES) <= band.estimate(PLACES)).all()
        assert (band.upper(PLACES) >= band.estimate(PLACES)).all()
        assert (band.upper(PLACES) > band.lower(PLACES)).all()


@given(errors())
def test_the_simultaneous_band_contains_the_pointwise_one(found: Errors) -> None:
    point, whole = intervals.wilson(found), intervals.simultaneous(found)
    assert (whole.lower(PLACES) <= point.lower(PLACES)).all()
    assert (whole.upper(PLACES) >= point.upper(PLACES)).all()


@given(errors())
def test_swapping_the_classes_mirrors_the_bands(found: Errors) -> None:
    swapped = Errors(found.fn_count, found.positives, found.fp_count, found.negatives)
    for method in (intervals.wilson, intervals.simultaneous, intervals.normal):
        one, other = method(found), method(swapped)
        np.testing.assert_allclose(one.upper(PLACES), other.upper(1 - PLACES), atol=1e-14)
        np.testing.assert_allclose(one.lower(PLACES), other.lower(1 - PLACES), atol=1e-14)


@given(errors())
def test_swapping_right_and_wrong_turns_the_bands_over(found: Errors) -> None:
    right = Errors(
        found.negatives - found.fp_count,
        found.negatives,
        found.positives - found.fn_count,
        found.positives,
    )
    for method in (intervals.wilson, intervals.simultaneous):
        one, other = method(found), method(right)
        np.testing.assert_allclose(one.upper(PLACES), 1 - other.lower(PLACES), atol=1e-13)


def test_no_errors_and_one_positive_leave_a_width() -> None:
    band = intervals.wilson(Errors(0, 10, 0, 1))
    assert (band.lower(0.0), band.lower(1.0)) == (0, 0)
    assert band.upper(0.0) == pytest.approx(binomtest(0, 10).proportion_ci(0.9, "wilson").high)
    assert band.upper(1.0) == pytest.approx(binomtest(0, 1).proportion_ci(0.9, "wilson").high)


def test_equation_8() -> None:
    # [2006] s4.6, eq. 8 and its text: least at the class distribution m / (m + n) if fn = fp.
    band = intervals.normal(Errors(5, 10, 10, 20))
    half = band.upper(PLACES) - band.estimate(PLACES)
    sigma = np.sqrt(PLACES**2 * 0.25 / 20 + (1 - PLACES) ** 2 * 0.25 / 10)
    np.testing.assert_allclose(half, 1.6448536269514722 * sigma, rtol=1e-12)
    fine = np.linspace(0, 1, 3001)
    assert fine[np.argmin(band.upper(fine) - band.estimate(fine))] == pytest.approx(
        20 / 30, abs=1e-3
    )


def test_the_papers_example_moves_in_steps_of_one_instance() -> None:
    # [2006] Fig. 16: 16 of 20 positives and 6 of 10 negatives right, 100 resamples.
    band = intervals.bootstrap(Errors(4, 10, 4, 20), 100, np.random.default_rng(20061))
    assert band.lower(0.0) * 10 == round(band.lower(0.0) * 10)
    assert band.upper(1.0) * 20 == round(band.upper(1.0) * 20)
    assert (band.estimate(0.0), band.estimate(1.0)) == (0.4, 0.2)


def test_the_bootstrap_takes_the_fifth_of_a_hundred() -> None:
    fp_count, fn_count = np.arange(100), np.arange(100)
    low, high = intervals.percentiles(fp_count, fn_count, 100, 100, 0.9)
    assert (low(0.5), high(0.5)) == (0.04, 0.95)  # int(100 * (1 - .9) / 2) would be 4
    low, high = intervals.percentiles(fp_count, fn_count, 100, 100, 0.95)
    assert (low(0.5), high(0.5)) == (0.01, 0.98)


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 5)), min_size=20, max_size=60))
def test_percentiles_are_ranks_in_exact_arithmetic(pairs: list[tuple[int, int]]) -> None:
    fp, fn = np.array(pairs).T
    low, high = intervals.percentiles(fp, fn, 8, 5, 0.9)
    k = len(pairs) // 20
    for pc in (Fraction(0), Fraction(1, 3), Fraction(1)):
        heights = sorted(
            Fraction(int(f), 8) * (1 - pc) + Fraction(int(g), 5) * pc for f, g in pairs
        )
        assert low(float(pc)) == pytest.approx(float(heights[k - 1]), abs=1e-15)
        assert high(float(pc)) == pytest.approx(float(heights[-k]), abs=1e-15)


def test_a_band_without_observed_errors_has_no_width_in_the_bootstrap() -> None:
    band = intervals.bootstrap(Errors(0, 10, 0, 20), 100, np.random.default_rng(0))
    assert not band.upper(PLACES).any()


def test_the_quantile_of_the_largest_deviation() -> None:
    rng = np.random.default_rng(20061)
    u, v = rng.normal(size=(2, 10**6))
    largest = np.where(u * v > 0, np.hypot(u, v), np.maximum(np.abs(u), np.abs(v)))
    for level in (0.5, 0.9, 0.99):
        beyond = (largest > intervals.largest_deviation(level)).mean()
        assert beyond == pytest.approx(1 - level, abs=4 * math.sqrt(level * (1 - level) / 1e6))


def test_it_is_the_largest_over_pc() -> None:
    angle = np.linspace(0, math.pi / 2, 10001)
    for u, v in itertools.product([-1.5, -0.2, 0.7, 2.0], repeat=2):
        expected = np.abs(u * np.cos(angle) + v * np.sin(angle)).max()
        found = math.hypot(u, v) if u * v > 0 else max(abs(u), abs(v))
        assert found == pytest.approx(expected, rel=1e-7)


BAD_LEVELS = [0, 1, 1.5, -0.1, 90, math.nan]


@pytest.mark.parametrize("level", BAD_LEVELS)
@pytest.mark.parametrize("method", [intervals.wilson, intervals.simultaneous, intervals.normal])
def test_bad_levels(method: object, level: float) -> None:
    with pytest.raises(ValueError, match="a confidence level must be between 0 and 1, found"):
        method(Errors(1, 2, 1, 2), level)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (Errors(0, 0, 0, 1), "there must be at least one of the negatives, found 0"),
        (Errors(0, 1, 0, 0), "there must be at least one of the positives, found 0"),
        (Errors(3, 2, 0, 1), "errors among 2 negatives must be a whole number up to 2, found 3"),
        (Errors(0, 2, -1, 1), "errors among 1 positives must be a whole number up to 1, found -1"),
        (Errors(0.5, 2, 0, 1), "whole number up to 2, found 0.5"),  # type: ignore[arg-type]
    ],
)
def test_bad_counts(found: Errors, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        intervals.wilson(found)


def test_too_few_resamples() -> None:
    with pytest.raises(ValueError, match=r"19 resamples are too few for a level of 0\.9: 20 are"):
        intervals.bootstrap(Errors(1, 2, 1, 2), 19, np.random.default_rng(0))
    with pytest.raises(ValueError, match="must be a whole number of at least 1, found 0"):
        intervals.bootstrap(Errors(1, 2, 1, 2), 0, np.random.default_rng(0))


@pytest.mark.parametrize("sizes", [(20, 10), (200, 20)])
@pytest.mark.parametrize("rates", [(0.5, 0.5), (0.067, 0.0228)])
def test_bands_of_a_line_cover_it(sizes: tuple[int, int], rates: tuple[float, float]) -> None:
    row = lines.coverage(*sizes, *rates)
    assert 0.89 <= row.mean <= 0.95
    assert row.least >= 0.86
    assert row.whole >= 0.885
