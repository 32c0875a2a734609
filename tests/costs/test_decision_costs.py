"""Decisions by a matrix of costs, against slow ones in exact fractions."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.costs.decision_costs import decisions, recalibrated

PARTS = (1, 2, 4, 16)  # of which probabilities are multiples: exact in binary, and tied
Arrays = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(2, 4)


def drawn(seed: int, cases: int, classes: int) -> Arrays:
    """Probabilities (some of them 0 or 1), true classes, weights, and whole costs below others."""
    rng = np.random.default_rng(seed)
    parts = int(rng.choice(PARTS))
    shares = rng.multinomial(parts, rng.dirichlet(np.full(classes, 0.5)), cases)
    cost = rng.integers(1, 5, (classes, classes)).astype(float)
    cost[np.diag_indices(classes)] = rng.integers(-2, 1, classes)
    weight = rng.integers(1, 5, cases).astype(float)
    return shares / parts, rng.integers(0, classes, cases), weight, cost


def in_fractions(values: np.ndarray) -> list[list[Fraction]]:
    return [[Fraction(value) for value in row] for row in values.tolist()]


@given(seed=seeds, classes=st.sampled_from([2, 3, 5]))
def test_the_decision_is_the_cheapest_and_of_equal_ones_the_later(seed: int, classes: int) -> None:
    p, _, _, cost = drawn(seed, 30, classes)
    exact = in_fractions(cost)
    cheapest = []
    for shares in in_fractions(p):
        expected = [
            sum((share * row[j] for share, row in zip(shares, exact, strict=True)), Fraction(0))
            for j in range(classes)
        ]
        cheapest.append(max(j for j, each in enumerate(expected) if each == min(expected)))
    assert decisions(p, cost).tolist() == cheapest


def test_a_decision_of_no_doubt_is_the_right_one_and_without_costs_the_last() -> None:
    cost = np.array([[0.0, 4, 4], [2, 0, 5], [3, 1, 0]])
    assert decisions(np.eye(3), cost).tolist() == [0, 1, 2]
    assert decisions(np.eye(3), np.zeros((3, 3))).tolist() == [2, 2, 2]


# Recalibrated


def pooled(events: Sequence[Fraction], counts: Sequence[Fraction]) -> list[Fraction]:
    """Rates that never fall: by the minimum over later ends of maxima over earlier starts."""
    places = range(len(counts))

    def rate(start: int, end: int) -> Fraction:
        return sum(events[start : end + 1], Fraction(0)) / sum(counts[start : end + 1], Fraction(0))

    return [min(max(rate(a, b) for a in range(at + 1)) for b in places[at:]) for at in places]


def slowly_recalibrated(
    p: np.ndarray, truth: np.ndarray, weight: np.ndarray, fold: np.ndarray
) -> list[list[Fraction]]:
    """Of each case and class the rate on other folds at such a probability, by definition."""
    exact = in_fractions(p)
    scaled = []
    for case, row in enumerate(exact):
        others = [other for other in range(len(exact)) if fold[other] != fold[case]]
        rates = []
        for place, value in enumerate(row):
            each = sorted({exact[other][place] for other in others})
            events, counts = [], []
            for known in each:
                tied = [other for other in others if exact[other][place] == known]
                counts.append(sum((Fraction(weight[i]) for i in tied), Fraction(0)))
                hits = (Fraction(weight[i]) for i in tied if truth[i] == place)
                events.append(sum(hits, Fraction(0)))
            rate = pooled(events, counts)
            below = max((i for i, known in enumerate(each) if known <= value), default=0)
            above = min((i for i, known in enumerate(each) if known >= value), default=-1)
            gap = each[above] - each[below]
            share = (value - each[below]) / gap if gap > 0 and value > each[below] else Fraction(0)
            rates.append(rate[below] + share * (rate[above] - rate[below]))
        total = sum(rates)
        scaled.append([each / total for each in rates] if total else row)
    return scaled


@given(seed=seeds, classes=sizes, folds=st.sampled_from([2, 3]))
def test_recalibrated_are_the_rates_of_other_folds(seed: int, classes: int, folds: int) -> None:
    p, truth, weight, _ = drawn(seed, 14, classes)
    fold = np.random.default_rng(seed).permutation(np.arange(14) ** 2 % 7 % folds)
    exact = np.array(slowly_recalibrated(p, truth, weight, fold), dtype=float)
    assert recalibrated(p, truth, weight, fold) == pytest.approx(exact, abs=1e-12)
    assert exact.sum(axis=1) == pytest.approx(1)


def test_a_case_of_which_no_class_is_left_keeps_its_own() -> None:
    """At 0 class 0 was never true on the other fold, nor was 1 up to 1/4, nor 2 ever."""
    p = np.array([[0, 0.25, 0.75], [0, 0.25, 0.75], [1, 0, 0], [0, 0.5, 0.5]])
    truth, fold = np.array([2, 2, 0, 1]), np.array([0, 0, 1, 1])
    first = recalibrated(p, truth, np.ones(4), fold)
    assert first[0].tolist() == [0, 1, 0]  # half way between 0 and 1/2, of nothing else
    p[:2] = [0, 0, 1]
    kept = recalibrated(p, truth, np.ones(4), fold)
    assert kept[:2].tolist() == [[0, 0, 1]] * 2
    assert kept[2:].tolist() == [[0, 0, 1]] * 2  # of 2 it was all
