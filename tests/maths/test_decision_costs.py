"""Decisions by a matrix of costs, against slow ones in exact fractions."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.maths.costs.decision_costs import (
    AlongEntry,
    along_entry,
    cheapest_along,
    constant_along,
    decisions,
)

PARTS = 16  # probabilities are multiples of one part, exact in binary


def drawn(seed: int, cases: int, classes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Probabilities (some of them 0 or 1), true classes, and whole costs below a dearer rest."""
    rng = np.random.default_rng(seed)
    shares = rng.multinomial(PARTS, rng.dirichlet(np.full(classes, 0.5)), cases)
    cost = rng.integers(1, 12, (classes, classes)).astype(float)
    cost[np.diag_indices(classes)] = rng.integers(-2, 1, classes)
    return shares / PARTS, rng.integers(0, classes, cases), cost


def slow(probabilities: np.ndarray, truth: np.ndarray, cost: np.ndarray) -> Fraction:
    """The mean cost, case by case."""
    total = Fraction(0)
    exact = [[Fraction(one) for one in row] for row in cost.tolist()]
    for p, true in zip(probabilities.tolist(), truth.tolist(), strict=True):
        expected = [
            sum(
                (Fraction(share) * row[j] for share, row in zip(p, exact, strict=True)), Fraction(0)
            )
            for j in range(len(exact))
        ]
        least = min(expected)
        decided = max(j for j, one in enumerate(expected) if one == least)
        total += exact[true][decided]
    return total / len(truth)


def height(found: AlongEntry, at: float) -> float:
    piece = int(found.starts.searchsorted(at, "right")) - 1
    return float(found.base[piece] + found.slope[piece] * at)


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("seed", range(4))
def test_the_decision_is_the_cheapest_and_of_equal_ones_the_later(classes: int, seed: int) -> None:
    p, truth, cost = drawn(seed, 60, classes)
    found = cost[truth, decisions(p, cost)].mean()
    assert found == pytest.approx(float(slow(p, truth, cost)), abs=1e-12)


@given(seed=st.integers(0, 2**32 - 1), classes=st.integers(2, 4))
def test_along_an_entry_it_is_what_each_value_costs(seed: int, classes: int) -> None:
    """Also below 0; between the places where a decision changes, each side of which is tried."""
    p, truth, cost = drawn(seed, 12, classes)
    rng = np.random.default_rng(seed)
    true, decided = rng.integers(0, classes, 2).tolist()
    found = along_entry(p, truth, cost, true, decided)
    assert found.starts[0] == -np.inf
    assert (np.diff(found.starts) > 0).all()
    for at in rng.uniform(-5, 25, 6):
        changed = cost.copy()
        changed[true, decided] = at
        if np.abs(found.starts - at).min() > 1e-9:
            assert height(found, at) == pytest.approx(float(slow(p, truth, changed)), abs=1e-11)


@given(seed=st.integers(0, 2**32 - 1))
def test_the_cheapest_is_named_on_the_whole_way(seed: int) -> None:
    p, truth, cost = drawn(seed, 9, 3)
    other = drawn(seed + 1, 9, 3)[0]
    each = [
        *(along_entry(one, truth, cost, 1, 2) for one in (p, other)),
        *(constant_along(truth, cost, 1, 2, place) for place in range(3)),
    ]
    found = cheapest_along(each, 0.0, 15.0)
    assert (found[0].low, found[-1].high) == (0, 15)
    for one, following in pairwise(found):
        assert one.high == following.low
        assert one.cheapest != following.cheapest
    for one in found:
        for share in (0.01, 0.5, 0.99):
            at = one.low + share * (one.high - one.low)
            costs = [height(it, at) for it in each]
            assert costs[one.cheapest] == pytest.approx(min(costs), abs=1e-9)


def test_a_model_may_lead_on_several_stretches() -> None:
    """Worked by hand: the line of the second jumps below the first's and crosses it again."""
    first = AlongEntry(np.array([-np.inf]), np.array([1.0]), np.array([0.0]))
    second = AlongEntry(np.array([-np.inf, 2.0]), np.array([0.0, -2.0]), np.array([1.0, 1.0]))
    assert [tuple(one) for one in cheapest_along([first, second], 0.0, 5.0)] == [
        (0, 1, 1),
        (1, 2, 0),
        (2, 3, 1),
        (3, 5, 0),
    ]


def test_always_one_class_costs_what_its_column_says() -> None:
    p, truth, cost = drawn(7, 30, 3)
    found = constant_along(truth, cost, 0, 1, 1)
    changed = cost.copy()
    changed[0, 1] = 4.25
    assert height(found, 4.25) == pytest.approx(changed[truth, 1].mean())
    assert height(constant_along(truth, cost, 0, 1, 2), 4.25) == pytest.approx(
        cost[truth, 2].mean()
    )
    assert len(p) == len(truth)
