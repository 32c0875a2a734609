"""Decisions by a matrix of costs, against slow ones in exact fractions."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

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


def slow(p: np.ndarray, truth: np.ndarray, weight: np.ndarray, cost: np.ndarray) -> Fraction:
    """The mean cost, case by case."""
    exact = [[Fraction(one) for one in row] for row in cost.tolist()]
    total = Fraction(0)
    for own, true, counts in zip(p.tolist(), truth.tolist(), weight.tolist(), strict=True):
        costs = expected(own, exact)
        decided = max(j for j, one in enumerate(costs) if one == min(costs))
        total += Fraction(counts) * exact[true][decided]
    return total / sum(map(Fraction, weight.tolist()))


def expected(p: Sequence[float], cost: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    """What each decision is expected to cost."""
    shares = [Fraction(one) for one in p]
    zero = Fraction(0)
    return [
        sum((one * row[j] for one, row in zip(shares, cost, strict=True)), zero)
        for j in range(len(cost))
    ]


@given(seed=seeds, classes=st.sampled_from([2, 3, 5]))
def test_the_decision_is_the_cheapest_and_of_equal_ones_the_later(seed: int, classes: int) -> None:
    p, truth, weight, cost = drawn(seed, 30, classes)
    found = np.average(cost[truth, decisions(p, cost)], weights=weight)
    assert found == pytest.approx(float(slow(p, truth, weight, cost)), abs=1e-12)


def test_a_decision_of_no_doubt_is_the_right_one_and_without_costs_the_last() -> None:
    cost = np.array([[0.0, 4, 4], [2, 0, 5], [3, 1, 0]])
    assert decisions(np.eye(3), cost).tolist() == [0, 1, 2]
    assert decisions(np.eye(3), np.zeros((3, 3))).tolist() == [2, 2, 2]


# Recalibrated


def pooled(values: Sequence[Fraction], counts: Sequence[Fraction]) -> list[Fraction]:
    """Rates that never fall: adjacent ones that do are pooled."""
    blocks: list[tuple[Fraction, Fraction, int]] = []  # rate, weight, how many
    for value, count in zip(values, counts, strict=True):
        rate, size, many = value, count, 1
        while blocks and blocks[-1][0] >= rate:
            before, own, more = blocks.pop()
            rate = (before * own + rate * size) / (own + size)
            size, many = own + size, many + more
        blocks.append((rate, size, many))
    return [rate for rate, _, many in blocks for _ in range(many)]


def slowly_recalibrated(
    p: np.ndarray, truth: np.ndarray, weight: np.ndarray, fold: np.ndarray
) -> list[list[Fraction]]:
    """Of each case and class the rate on other folds at such a probability, by definition."""
    exact = [[Fraction(one) for one in row] for row in p.tolist()]
    found = []
    for case, row in enumerate(exact):
        others = [it for it in range(len(exact)) if fold[it] != fold[case]]
        rates = []
        for place, own in enumerate(row):
            each = sorted({exact[it][place] for it in others})
            tied = [[it for it in others if exact[it][place] == one] for one in each]
            counts = [sum((Fraction(weight[it]) for it in of), Fraction(0)) for of in tied]
            events = [
                sum((Fraction(weight[it]) for it in of if truth[it] == place), Fraction(0))
                for of in tied
            ]
            known = pooled([a / b for a, b in zip(events, counts, strict=True)], counts)
            below = max((it for it, one in enumerate(each) if one <= own), default=0)
            above = min((it for it, one in enumerate(each) if one >= own), default=len(each) - 1)
            gap = each[above] - each[below]
            share = (own - each[below]) / gap if gap > 0 and own > each[below] else Fraction(0)
            rates.append(known[below] + share * (known[above] - known[below]))
        total = sum(rates)
        found.append([one / total for one in rates] if total else row)
    return found


@given(seed=seeds, classes=sizes, folds=st.sampled_from([2, 3]))
def test_recalibrated_are_the_rates_of_other_folds(seed: int, classes: int, folds: int) -> None:
    p, truth, weight, _ = drawn(seed, 14, classes)
    fold = np.random.default_rng(seed).permutation(np.arange(14) ** 2 % 7 % folds)
    found = recalibrated(p, truth, weight, fold)
    exact = slowly_recalibrated(p, truth, weight, fold)
    assert found == pytest.approx(np.array(exact, dtype=float), abs=1e-12)
    assert found.sum(axis=1) == pytest.approx(1)
    assert ((found >= 0) & (found <= 1)).all()


@pytest.mark.parametrize("seed", range(3))
def test_recalibrated_are_what_scikit_learn_fits(seed: int) -> None:
    p, truth, weight, _ = drawn(seed, 200, 3)
    fold = np.random.default_rng(seed).integers(0, 4, 200)
    known = np.empty_like(p)
    for held in (fold == one for one in range(4)):
        for place, own in enumerate(p.T):
            fitted = IsotonicRegression(out_of_bounds="clip")
            fitted.fit(own[~held], truth[~held] == place, weight[~held])
            known[held, place] = fitted.predict(own[held])
    known /= known.sum(axis=1, keepdims=True)
    assert recalibrated(p, truth, weight, fold) == pytest.approx(known, abs=1e-12)


def test_a_case_of_which_no_class_is_left_keeps_its_own() -> None:
    """At 0 class 0 was never true on the other fold, nor was 1 up to 1/4, nor 2 ever."""
    p = np.array([[0, 0.25, 0.75], [0, 0.25, 0.75], [1, 0, 0], [0, 0.5, 0.5]])
    truth, fold = np.array([2, 2, 0, 1]), np.array([0, 0, 1, 1])
    found = recalibrated(p, truth, np.ones(4), fold)
    assert found[0].tolist() == [0, 1, 0]  # half way between 0 and 1/2, of nothing else
    p[:2] = [0, 0, 1]
    kept = recalibrated(p, truth, np.ones(4), fold)
    assert kept[:2].tolist() == [[0, 0, 1]] * 2
    assert kept[2:].tolist() == [[0, 0, 1]] * 2  # of 2 it was all
