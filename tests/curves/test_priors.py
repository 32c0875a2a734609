"""Priors of PC(+): against exact sums and slow integration, by identities, and every error."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.curves.curves import Curve, line, trivial
from costcurves.curves.priors import Beta, LogRatio, Prior, Uniform
from tests.oracle import exact
from tests.oracle import slow_study as slow
from tests.strategies import jumping_curves, rates

EPSILON = float(np.finfo(np.float64).eps)
INF, NAN = math.inf, math.nan
JUMP = Curve(pc=[0, 0.25, 1], at0=[0.5, 0], at1=[0.5, 1])

bounds = st.lists(rates, min_size=2, max_size=2, unique=True).map(sorted)
shapes = st.floats(0.5, 20)


@given(jumping_curves(), bounds, st.integers(1, 6), st.integers(1, 6))
def test_uniform_and_beta_are_means_of_polynomials(
    curve: exact.ExactCurve, between: list[Fraction], a: int, b: int
) -> None:
    ends = [*map(float, between)]
    for prior, shape in ((Uniform(*ends), (1, 1)), (Beta(a, b, *ends), (a, b))):
        expected = slow.expected(curve.pieces, *shape, *between)
        assert prior.expected_cost(curve.rounded()) == pytest.approx(float(expected), abs=1e-13)


DENSITIES: list[tuple[Prior, Callable[[float], float], float, float]] = [
    (Beta(0.5, 0.5), lambda x: (x * (1 - x)) ** -0.5, 0, 1),
    (Beta(7.5, 1.25, 0.1, 0.6), lambda x: x**6.5 * (1 - x) ** 0.25, 0.1, 0.6),
    # Uniform in log x / (1 - x), and so with the density 1 / (x (1 - x))
    (LogRatio(0.2, 5, 0.2), lambda x: 1 / (x * (1 - x)), 1 / 21, 5 / 9),
    (LogRatio(1, 1.01, 0.7), lambda x: 1 / (x * (1 - x)), 0.7, 0.7 * 1.01 / (0.3 + 0.7 * 1.01)),
    (LogRatio(1e-3, 1e4, 0.02), lambda x: 1 / (x * (1 - x)), 2e-5 / 0.98002, 200 / 200.98),
]


@pytest.mark.parametrize(("prior", "density", "low", "high"), DENSITIES)
@pytest.mark.parametrize("curve", [trivial(), JUMP, line(0.2, 0.7)])
def test_densities_agree_with_slow_integration(
    curve: Curve, prior: Prior, density: Callable[[float], float], low: float, high: float
) -> None:
    from scipy.integrate import quad

    cells = list(pairwise(sorted({low, high, *(x for x in curve.pc if low < x < high)})))
    mass = sum(quad(density, *cell, epsabs=1e-13)[0] for cell in cells)
    cost = sum(quad(lambda x: curve(x) * density(x), *cell, epsabs=1e-13)[0] for cell in cells)
    assert prior.expected_cost(curve) == pytest.approx(cost / mass, abs=1e-9)


def test_tails_and_narrow_ranges_keep_their_digits() -> None:
    tail = Fraction(9, 10), Fraction(1)
    expected = slow.expected(slow.whole(slow.NEGATIVE), 2, 300, *tail)  # a mass of 3e-298
    for prior, curve in ((Beta(2, 300, 0.9, 1), line(0, 1)), (Beta(300, 2, 0, 0.1), line(1, 0))):
        assert prior.expected_cost(curve) == pytest.approx(float(expected), rel=1e-12)
    # Where PC(+) is nearly c, or 1 - c, for odds c, the mean is (high - low) / log(high / low).
    small = 9e-15 / math.log(10)  # odds of 1e-15 to 1e-14
    assert LogRatio(1e-15, 1e-14, 0.5).expected_cost(line(0, 1)) == pytest.approx(small, rel=1e-13)
    assert LogRatio(1e14, 1e15, 0.5).expected_cost(line(1, 0)) == pytest.approx(small, rel=1e-13)
    narrow = LogRatio(1, 1 + 1e-9, 0.2)  # PC(+) = 0.2
    assert narrow.expected_cost(line(0.5, 0.5)) == pytest.approx(0.5, rel=4 * EPSILON)
    assert narrow.expected_cost(line(0, 1)) == pytest.approx(0.2, rel=1e-9)
    assert Uniform(0.3, 0.3 + 1e-12).expected_cost(line(0.1, 0.7)) == pytest.approx(0.28, abs=1e-12)


@given(jumping_curves(), shapes, shapes)
def test_swapping_the_classes_swaps_the_prior(curve: exact.ExactCurve, a: float, b: float) -> None:
    there, back = curve.rounded(), curve.mirrored().rounded()
    mirrored: list[tuple[Prior, Prior]] = [
        (Beta(a, b, 0.25, 1), Beta(b, a, 0, 0.75)),
        (LogRatio(1 / b, a + 21, 0.2), LogRatio(1 / (a + 21), b, 0.8)),
    ]
    for prior, other in mirrored:
        expected = other.expected_cost(back)
        assert prior.expected_cost(there) == pytest.approx(expected, abs=1e-13)
