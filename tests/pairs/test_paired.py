"""Paired decisions: sign flips against enumeration, McNemar's test and symmetries."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from costcurves.pairs import paired
from costcurves.pairs.verdicts import divided
from tests.simulations.datasets import of_tables

PLACES = np.linspace(0, 1, 201)

Counts = list[int]  # both right, only A, only B, both wrong
counts = st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(any)
signs = st.lists(st.sampled_from([-2, -1, 0, 0, 1, 2]), min_size=1, max_size=7)


def flips(negatives: Counts, positives: Counts, resamples: int = 2000) -> paired.SignFlips:
    rng = np.random.default_rng(0)
    return paired.sign_flips(*of_tables(negatives, positives), resamples, rng)


def exact_tail(negatives: Counts, positives: Counts) -> Fraction:
    """Chance of at least the observed largest statistic, by flipping every instance.

    Differences are halves of an instance; no spread is less than a whole one.
    """
    classes = negatives, positives
    squares = [sum(d * d for d in each) for each in classes]
    more = sum(squares) / sum(d != 0 for d in negatives + positives)
    spread0, spread1 = (math.sqrt(max(square + more, 2**2)) for square in squares)

    def statistic(b: int, a: int) -> float:
        u, v = abs(a) / spread1, abs(b) / spread0
        return math.hypot(u, v) if a * b > 0 else max(u, v)

    observed = statistic(sum(negatives), sum(positives))
    totals = [
        [sum(each) for each in itertools.product(*((-d, d) for d in of_class))]
        for of_class in classes
    ]
    beyond = [statistic(*both) >= observed * (1 - 1e-9) for both in itertools.product(*totals)]
    return Fraction(sum(beyond), len(beyond))


@given(signs, signs)
@example([-1, -1], [-1, -1, 1, 2])  # where the spread of the negatives is below one instance
@settings(max_examples=40)
def test_the_p_value_is_that_of_flipping_every_instance(
    negatives: list[int], positives: list[int]
) -> None:
    first, other = (paired.differences(np.array(d) / len(d) / 2) for d in (negatives, positives))
    result = paired.sign_flips(first, other, 10, np.random.default_rng(0))
    expected = exact_tail(negatives, positives) if any(negatives + positives) else 1
    assert result.p_value == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize(("only_a", "only_b"), [(1, 1), (1, 3), (1, 5), (1, 8), (0, 3)])
def test_where_one_class_is_identical_it_is_mcnemars_test(only_a: int, only_b: int) -> None:
    """MATHS s6: three against none has p = .25, though the papers' percentiles leave zero out."""
    result = flips([20, only_a, only_b, 0], [10, 0, 0, 2])
    assert result.p_value == pytest.approx(binomtest(only_a, only_a + only_b).pvalue)


def test_simulated_flips_agree_with_exact_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    both = [80, 6, 14, 0], [70, 8, 19, 3]
    exact = flips(*both)
    monkeypatch.setattr(paired, "MOST_OUTCOMES", 10)
    simulated = flips(*both, 40000)
    error = 4 * math.sqrt(exact.p_value / 40000)
    assert simulated.p_value == pytest.approx(exact.p_value, abs=error)
    assert simulated.critical(0.9) == pytest.approx(exact.critical(0.9), rel=0.02)


@given(counts, counts, st.sampled_from([0.5, 0.8, 0.9, 0.95]))
@example([5, 0, 0, 5], [7, 0, 0, 3], 0.9)
@example([10, 0, 0, 0], [20, 4, 1, 0], 0.9)
def test_bands_turn_over_agree_with_p_values_and_have_a_width_where_models_differ(
    negatives: Counts, positives: Counts, level: float
) -> None:
    """Models that never differ have the band zero; else each class keeps a width."""
    first = flips(negatives, positives)
    swapped = [[right, b, a, wrong] for right, a, b, wrong in (negatives, positives)]
    other = flips(swapped[0], swapped[1])
    band, turned = first.simultaneous(level), other.simultaneous(level)
    np.testing.assert_allclose(band.upper(PLACES), -turned.lower(PLACES), atol=1e-12)
    decided = any(part.finding != "undecided" for part in divided(band))
    assert decided == (first.p_value <= 1 - level + 1e-9)
    assert first.p_value == pytest.approx(other.p_value)
    if any(negatives[1:3] + positives[1:3]):
        assert (band.upper(PLACES) > band.lower(PLACES)).all()
    else:
        assert not np.append(band.upper(PLACES), band.lower(PLACES)).any()
        assert first.p_value == 1


def test_shares_average_losses_over_repeats_whatever_the_order_of_rows() -> None:
    wrong_a, wrong_b = np.array([1, 0, 1, 1, 0, 0]), np.array([0, 0, 1, 0, 1, 0])
    result = paired.shares(np.tile(np.arange(3), 2), wrong_a, wrong_b, [6] * 6, 3)
    assert result.tolist() == [1 / 3, -1 / 6, 0]
    assert paired.differences(result).total == pytest.approx(1 / 6)
    rng = np.random.default_rng(0)
    instances, sizes = np.tile(np.arange(50), 10), rng.integers(28, 31, 500)
    (a, b), order = rng.integers(0, 2, (2, 500)), rng.permutation(500)
    turned = paired.shares(instances[order], a[order], b[order], sizes[order], 50)
    np.testing.assert_array_equal(turned, paired.shares(instances, a, b, sizes, 50))
