"""Costs as weights: exact sums, no overflow, and shares that scaling a class leaves as they are."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from costcurves.counts.cost_weights import as_counts, cost_weights, effective_size

Costs = NDArray[np.float64]

AMOUNTS = st.floats(0, 1e300, allow_subnormal=False)


@st.composite
def costs_and_labels(draw: st.DrawFn) -> tuple[list[float], list[int]]:
    """Costs with labels of both classes, some cost of each above 0."""
    sizes = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    labels = [0] * sizes[0] + [1] * sizes[1]
    costs = draw(st.lists(AMOUNTS, min_size=len(labels), max_size=len(labels)))
    costs[0], costs[-1] = (draw(st.floats(1e-3, 1e300)) for _ in range(2))
    return costs, labels


def shares(weights: Costs, labels: list[int], value: int) -> list[Fraction]:
    """Give the exact shares of a class's total."""
    own = [Fraction(w) for w, label in zip(weights.tolist(), labels, strict=True) if label == value]
    return [weight / sum(own) for weight in own]


@given(costs_and_labels())
def test_weights_are_the_costs_shares_of_their_class(case: tuple[list[float], list[int]]) -> None:
    costs, labels = case
    weights = cost_weights(costs, labels)
    for value in (0, 1):
        expected = shares(np.array(costs), labels, value)
        found = shares(weights, labels, value)
        assert all(abs(a - b) < 1e-14 for a, b in zip(found, expected, strict=True))


@given(costs_and_labels(), st.integers(1, 100), st.randoms(use_true_random=False))
def test_sums_are_exact_in_any_order(
    case: tuple[list[float], list[int]], copies: int, random: object
) -> None:
    costs, labels = case
    weights = cost_weights(costs, labels, copies)
    for value in (0, 1):
        own = weights[np.array(labels) == value].tolist() * copies
        exact = sum(Fraction(weight) for weight in own)
        random.shuffle(own)  # type: ignore[attr-defined]
        assert np.cumsum(own)[-1] == exact == Fraction(math.fsum(own))


@given(costs_and_labels(), st.integers(-40, 40), st.integers(-40, 40))
def test_scaling_a_class_by_powers_of_two_changes_nothing_at_all(
    case: tuple[list[float], list[int]], down: int, up: int
) -> None:
    costs, labels = np.array(case[0]) / 2.0**200, np.array(case[1])
    scaled = costs * np.where(labels == 0, 2.0**down, 2.0**up)
    np.testing.assert_array_equal(cost_weights(scaled, labels), cost_weights(costs, labels))


def test_scaling_a_class_by_any_number_changes_the_last_digit_at_most() -> None:
    rng = np.random.default_rng(0)
    labels, costs = np.arange(300) % 3 == 0, rng.lognormal(size=300)
    scaled = cost_weights(np.where(labels, 0.3, 7.7e150) * costs, labels)
    np.testing.assert_allclose(scaled, cost_weights(costs, labels), rtol=0, atol=1e-15 * 300)


@pytest.mark.parametrize("cost", [1.0, 0.1, 1e300, 1e-300, 4000.0])
def test_equal_costs_are_ones(cost: float) -> None:
    assert cost_weights([cost] * 4, [0, 1, 1, 0]).tolist() == [1.0] * 4


def test_whole_costs_are_whole_numbers() -> None:
    assert cost_weights([30, 45, 0, 10, 4], [0, 0, 0, 1, 1]).tolist() == [2, 3, 0, 5, 2]
    assert cost_weights([0.1, 0.1, 0, 5], [0, 0, 0, 1]).tolist() == [1, 1, 0, 1]


def test_whole_costs_that_are_too_large_for_exact_products_are_fractions() -> None:
    costs = [2**30 + 1, 2**30, 1]
    assert cost_weights(costs, [0, 0, 1])[:2].max() == 1.0


@pytest.mark.parametrize("bad", [-1.0, math.nan, math.inf])
def test_a_bad_cost_is_named(bad: float) -> None:
    message = rf"cost at index 1 is {bad}, expected a finite number, at least 0"
    with pytest.raises(ValueError, match=message):
        cost_weights([1, bad], [0, 1])


def test_a_class_without_costs_is_named() -> None:
    message = "the costs of all 2 positives are 0, expected a cost above 0 in each class"
    with pytest.raises(ValueError, match=message):
        cost_weights([1, 0, 0], [0, 1, 1])


def test_lengths_that_differ_are_refused() -> None:
    with pytest.raises(ValueError, match="costs of length 1, expected 2"):
        cost_weights([1], [0, 1])


def test_effective_size_counts_equal_weights() -> None:
    assert effective_size([3.5] * 7) == 7
    assert effective_size([1e300, 1e300, 0]) == 2
    assert effective_size([1, 2, 3]) == pytest.approx(36 / 14, abs=1e-15)


def test_counts_are_integers_only_if_all_are() -> None:
    whole, fractional = np.array([1.0, 3.0]), np.array([0.5])
    assert [one.dtype.kind for one in as_counts(whole, whole)] == ["i", "i"]
    assert [one.dtype.kind for one in as_counts(whole, fractional)] == ["f", "f"]
    assert as_counts(np.array([2.0**31]))[0].dtype.kind == "f"
