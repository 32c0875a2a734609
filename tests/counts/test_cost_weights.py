"""Costs as weights: exact sums, no overflow, and shares that scaling a class leaves as they are."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.counts.cost_weights import cost_weights, effective_size

NAN, INF = math.nan, math.inf

AMOUNTS = st.floats(0, 1e300, allow_subnormal=False)


@st.composite
def costs_and_labels(draw: st.DrawFn) -> tuple[list[float], list[int]]:
    """Costs with labels of both classes, some cost of each above 0."""
    sizes = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    labels = [0] * sizes[0] + [1] * sizes[1]
    costs = draw(st.lists(AMOUNTS, min_size=len(labels), max_size=len(labels)))
    costs[0], costs[-1] = (draw(st.floats(1e-3, 1e300)) for _ in range(2))
    return costs, labels


@given(costs_and_labels(), st.integers(1, 100), st.randoms(use_true_random=False), st.data())
def test_weights_are_shares_of_their_class_with_exact_sums_in_any_order(
    case: tuple[list[float], list[int]], copies: int, random: Any, data: st.DataObject
) -> None:
    costs, labels = (np.array(column) for column in case)
    plain, weights = cost_weights(costs, labels), cost_weights(costs, labels, copies)
    for value in (0, 1):
        amounts, parts = ([*map(Fraction, of[labels == value])] for of in (costs, plain))
        for amount, part in zip(amounts, parts, strict=True):
            assert abs(part / sum(parts) - amount / sum(amounts)) < 1e-14
        weights_of = weights[labels == value].tolist() * copies
        exact = sum(Fraction(weight) for weight in weights_of)
        random.shuffle(weights_of)
        assert np.cumsum(weights_of)[-1] == exact == Fraction(math.fsum(weights_of))
    # Powers of two change nothing at all.
    factors = np.array([2.0 ** data.draw(st.integers(-40, 40)) for _ in (0, 1)])
    scaled = cost_weights(costs / 2.0**200 * factors[labels], labels)
    np.testing.assert_array_equal(scaled, cost_weights(costs / 2.0**200, labels))


@pytest.mark.parametrize(
    ("costs", "labels", "weights"),
    [
        *[([cost] * 4, [0, 1, 1, 0], [1] * 4) for cost in (1.0, 0.1, 1e300, 1e-300, 4000.0)],
        ([30, 45, 0, 10, 4], [0, 0, 0, 1, 1], [2, 3, 0, 5, 2]),
        ([0.1, 0.1, 0, 5], [0, 0, 0, 1], [1, 1, 0, 1]),
        ([2.0**30 + 1, 2.0**30 - 1, 1], [0, 0, 1], [1, (2.0**30 - 1) / (2.0**30 + 1), 1]),  # large
    ],
)
def test_weights_by_hand(costs: list[float], labels: list[int], weights: list[float]) -> None:
    assert cost_weights(costs, labels).tolist() == pytest.approx(weights, rel=1e-15, abs=0)


def test_sums_of_whole_weights_stay_below_their_bound_with_all_copies() -> None:
    assert cost_weights([2.0**30, 1, 1], [0, 0, 1], copies=2).tolist() == [1, 2.0**-30, 1]
    assert effective_size([3.5] * 7) == 7
    assert effective_size([1e300, 1e300, 0]) == 2
    assert effective_size([1, 2, 3]) == pytest.approx(36 / 14, abs=1e-15)


@pytest.mark.parametrize(
    ("costs", "labels", "message"),
    [
        *[([1, bad], [0, 1], rf"index 1 is {bad}, expected a finite") for bad in (-1.0, NAN, INF)],
        ([1, 0, 0], [0, 1, 1], "the costs of all 2 positives are 0, expected a cost above 0 in"),
        ([1], [0, 1], "costs of length 1, expected 2"),
    ],
)
def test_costs_that_are_refused(costs: list[float], labels: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        cost_weights(costs, labels)
