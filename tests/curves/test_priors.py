"""Priors of PC(+): against exact sums and slow integration, by identities, and every error."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.curves.curves import Curve, line, trivial
from costcurves.curves.priors import Beta, LogRatio, Prior, Uniform
from tests import exact
from tests.strategies import jumping_curves, rates

EPSILON = float(np.finfo(np.float64).eps)
INF, NAN = math.inf, math.nan
JUMP = Curve(pc=[0, 0.25, 1], at0=[0.5, 0], at1=[0.5, 1])

bounds = st.lists(rates, min_size=2, max_size=2, unique=True).map(sorted)
shapes = st.floats(0.5, 20)


@given(jumping_curves(), bounds)
def test_uniform_between_bounds_is_the_mean_height_there(
    curve: exact.ExactCurve, between: list[Fraction]
) -> None:
    low, high = between
    cells = pairwise([low, *(x for x in curve.pc if low < x < high), high])
    integrals = [
        (end - start) * exact.height(curve.line(start, end), (start + end) / 2)
        for start, end in cells
    ]
    expected = sum(integrals, Fraction(0)) / (high - low)
    mean = Uniform(float(low), float(high)).expected_cost(curve.rounded())
    assert mean == pytest.approx(float(expected), abs=100 * EPSILON)
    narrow = Uniform(0.3, 0.3 + 1e-12)
    assert narrow.expected_cost(line(0.1, 0.7)) == pytest.approx(0.28, abs=1e-12)


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (0.1, 0.6), (0.55, 0.6), (0.0, 0.05)])
@pytest.mark.parametrize("shape", [(1, 1), (2, 5), (0.5, 0.5), (7.5, 1.25)])
@pytest.mark.parametrize("curve", [trivial(), JUMP, line(0.2, 0.7)])
def test_beta_agrees_with_slow_integration(
    curve: Curve, shape: tuple[float, float], bounds: tuple[float, float]
) -> None:
    from scipy.integrate import quad

    (a, b), (low, high) = shape, bounds
    density: Callable[[float], float] = lambda x: x ** (a - 1) * (1 - x) ** (b - 1)  # noqa: E731
    cells = list(pairwise(sorted({low, high, *(x for x in curve.pc if low < x < high)})))
    mass = sum(quad(density, *cell, epsabs=1e-13)[0] for cell in cells)
    cost = sum(quad(lambda x: curve(x) * density(x), *cell, epsabs=1e-13)[0] for cell in cells)
    mean = Beta(a, b, low, high).expected_cost(curve)
    assert mean == pytest.approx(cost / mass, abs=1e-8)


def test_far_tails_are_as_good_as_the_middle() -> None:
    """Beta(2, 300) beyond 0.9: a mass of 3e-298. With u = 1 - x the integrals are polynomials."""
    u = Fraction(1, 10)
    mass = u**300 / 300 - u**301 / 301  # of (1 - u) u^299
    moment = u**300 / 300 - 2 * u**301 / 301 + u**302 / 302  # of (1 - u)^2 u^299
    expected = pytest.approx(float(moment / mass), rel=1e-12)
    assert Beta(2, 300, 0.9, 1).expected_cost(line(0, 1)) == expected
    assert Beta(300, 2, 0, 0.1).expected_cost(line(1, 0)) == expected


@given(jumping_curves(), shapes, shapes)
def test_swapping_the_classes_swaps_the_prior(curve: exact.ExactCurve, a: float, b: float) -> None:
    there, back = curve.rounded(), curve.mirrored().rounded()
    mirrored: list[tuple[Prior, Prior]] = [
        (Uniform(0.25, 0.5), Uniform(0.5, 0.75)),
        (Beta(a, b), Beta(b, a)),
        (Beta(a, b, 0.25, 1), Beta(b, a, 0, 0.75)),
        (LogRatio(1 / b, a + 21, 0.2), LogRatio(1 / (a + 21), b, 0.8)),
    ]
    for prior, other in mirrored:
        expected = other.expected_cost(back)
        assert prior.expected_cost(there) == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("bounds", [(0.2, 5, 0.2), (1, 1.01, 0.7), (1e-3, 1e4, 0.02)])
@pytest.mark.parametrize("curve", [trivial(), JUMP, line(0.2, 0.7)])
def test_log_ratio_agrees_with_slow_integration_over_the_ratio(
    curve: Curve, bounds: tuple[float, float, float]
) -> None:
    from scipy.integrate import quad

    low, high, prior = bounds
    odds = prior / (1 - prior)
    inner = [x / (1 - x) / odds for x in curve.pc[1:-1]]
    cells = list(pairwise([low, *(ratio for ratio in inner if low < ratio < high), high]))
    place: Callable[[float], float] = lambda u: math.exp(u) * odds / (1 + math.exp(u) * odds)  # noqa: E731
    cost = sum(
        quad(lambda u: curve(place(u)), *map(math.log, cell), epsabs=1e-13)[0] for cell in cells
    )
    mean = LogRatio(low, high, prior).expected_cost(curve)
    assert mean == pytest.approx(cost / math.log(high / low), abs=1e-9)


def test_log_ratio_of_ends_near_zero_and_one_keeps_its_digits() -> None:
    """Where PC(+) is nearly c, or 1 - c, for odds c, the mean is (high - low) / log(high / low)."""
    small = 9e-15 / math.log(10)  # odds of 1e-15 to 1e-14
    assert LogRatio(1e-15, 1e-14, 0.5).expected_cost(line(0, 1)) == pytest.approx(small, rel=1e-13)
    assert LogRatio(1e14, 1e15, 0.5).expected_cost(line(1, 0)) == pytest.approx(small, rel=1e-13)
    narrow = LogRatio(1, 1 + 1e-9, 0.2)  # PC(+) = 0.2
    assert narrow.expected_cost(line(0.5, 0.5)) == pytest.approx(0.5, rel=4 * EPSILON)
    assert narrow.expected_cost(line(0, 1)) == pytest.approx(0.2, rel=1e-9)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Uniform(0.5, 0.5), r"Uniform: .* 0 <= low < high <= 1, found 0.5 and 0.5"),
        (lambda: Uniform(-0.1, 0.5), r"Uniform: .*found -0.1 and 0.5"),
        (lambda: Uniform(0.5, NAN), r"Uniform: .*found 0.5 and nan"),
        (lambda: Beta(0, 1), r"Beta: a must be positive and finite, found 0"),
        (lambda: Beta(1, -2), r"Beta: b must be positive and finite, found -2"),
        (lambda: Beta(1, INF), r"Beta: b must be positive and finite, found inf"),
        (lambda: Beta(2, 2, 0.7, 0.3), r"Beta: the bounds.*found 0.7 and 0.3"),
        (lambda: Beta(1e5, 1e5, 0.9, 1), r"Beta\(100000.0, 100000.0\) has no mass between 0.9 and"),
        (lambda: LogRatio(0, 1, 0.5), r"LogRatio: bounds must be .*, found 0 and 1"),
        (lambda: LogRatio(2, 2, 0.5), r"LogRatio: bounds must be .*, found 2 and 2"),
        (lambda: LogRatio(1, INF, 0.5), r"LogRatio: bounds must be .*, found 1 and inf"),
        (lambda: LogRatio(1, 2, 0), r"LogRatio: prior must be between 0 and 1, found 0"),
        (lambda: LogRatio(1, 2, 1), r"LogRatio: prior must be between 0 and 1, found 1"),
        (lambda: LogRatio(1, 1 + EPSILON, 0.5), r"LogRatio\(.*\) has no mass between its bounds"),
        (lambda: LogRatio(1e-9, 1, 5e-324), r"LogRatio\(.*\) has no mass between its bounds"),
        (lambda: LogRatio(1, 1e308, 1 - EPSILON), r"LogRatio\(.*\) has no mass between its"),
    ],
)
def test_what_is_no_distribution_is_refused(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()
