"""Decisions by a matrix of costs, against slow ones in exact fractions."""

from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.costs.decision_costs import decisions, recalibrated

PARTS = (1, 2, 4, 16)  # of which probabilities are multiples: exact in binary, and tied
Arrays = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
seeds = st.integers(0, 2**32 - 1)


def drawn(seed: int, cases: int, classes: int) -> Arrays:
    """Probabilities (some of them 0 or 1), true classes, weights, and whole costs below others."""
    rng = np.random.default_rng(seed)
    parts = int(rng.choice(PARTS))
    shares = rng.multinomial(parts, rng.dirichlet(np.full(classes, 0.5)), cases)
    cost = rng.integers(1, 5, (classes, classes)).astype(float)
    cost[np.diag_indices(classes)] = rng.integers(-2, 1, classes)
    weight = rng.integers(1, 5, cases).astype(float)
    return shares / parts, rng.integers(0, classes, cases), weight, cost


@given(seed=seeds, classes=st.sampled_from([2, 3, 5]))
def test_the_decision_is_the_cheapest_and_of_equal_ones_the_later(seed: int, classes: int) -> None:
    """Multiples of 1/16 times whole costs are exact in floats."""
    p, _, _, cost = drawn(seed, 30, classes)
    expected = p @ cost
    cheapest = classes - 1 - np.argmin(expected[:, ::-1], axis=1)
    assert decisions(p, cost).tolist() == cheapest.tolist()
    assert decisions(p, 0 * cost).tolist() == [classes - 1] * 30
    assert decisions(np.eye(classes), cost).tolist() == list(range(classes))


# Recalibrated


def pooled(events: list[Fraction], counts: list[Fraction]) -> list[Fraction]:
    """Rates that never fall: by the minimum over later ends of maxima over earlier starts."""
    above = [Fraction(0), *accumulate(events)], [Fraction(0), *accumulate(counts)]
    places = range(len(counts))

    def rate(start: int, end: int) -> Fraction:
        return (above[0][end + 1] - above[0][start]) / (above[1][end + 1] - above[1][start])

    return [min(max(rate(a, b) for a in range(at + 1)) for b in places[at:]) for at in places]


def slowly_recalibrated(
    p: np.ndarray, truth: np.ndarray, weight: np.ndarray, fold: np.ndarray
) -> list[list[Fraction]]:
    """Of each case and class the rate on other folds at such a probability, by definition."""
    exact, scaled = [[Fraction(share) for share in row] for row in p.tolist()], []
    for case, row in enumerate(exact):
        others, rates = np.flatnonzero(fold != fold[case]), []
        for place, value in enumerate(row):
            each = sorted({exact[other][place] for other in others})
            sums = [[Fraction(0)] * len(each) for _ in range(2)]
            for other in others:
                at = each.index(exact[other][place])
                sums[0][at] += Fraction(weight[other]) * int(truth[other] == place)
                sums[1][at] += Fraction(weight[other])
            rate = pooled(*sums)
            below = max((i for i, known in enumerate(each) if known <= value), default=0)
            above = min((i for i, known in enumerate(each) if known >= value), default=-1)
            gap = each[above] - each[below]
            share = (value - each[below]) / gap if gap > 0 and value > each[below] else Fraction(0)
            rates.append(rate[below] + share * (rate[above] - rate[below]))
        total = sum(rates)
        scaled.append([each / total for each in rates] if total else row)
    return scaled


@given(seed=seeds, classes=st.integers(2, 4), folds=st.sampled_from([2, 3]))
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
    assert kept.tolist() == [[0, 0, 1]] * 4  # of 2 it was all on the other fold
