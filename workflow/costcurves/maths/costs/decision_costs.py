"""Decisions among several classes by a matrix of costs, and how they change with it.

`cost[i, j]` is the cost of deciding for class j where class i is true, in any unit. Probabilities
are trusted: the decision is the one of least expected cost. Of equal ones the later class counts,
as a score at a threshold is positive, so that for two classes it is the score-driven rule.

Recalibrated probabilities are those of Zadrozny and Elkan [1]_: of each class the rate at which it
is true at such a probability, by isotonic regression on other folds, scaled to add up to 1.

References
----------
.. [1] B. Zadrozny and C. Elkan, "Transforming classifier scores into accurate multiclass
   probability estimates", KDD 2002, 694-699. https://doi.org/10.1145/775047.775151
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


NEARLY = 0.01 + 1e-9  # from 1: the sum of probabilities that were rounded to two digits
SAME_COST = 1e-12  # by which expected costs that are equal may differ by rounding, relatively
SAME = 1e-14  # by which places at which decisions change may differ by rounding alone, relatively


class Along(NamedTuple):
    """Mean cost as a function of what a change is multiplied by: lines on pieces, with jumps.

    From `starts[k]` (the first is minus infinity) to the next it is `base[k] + slope[k] * at`.
    """

    starts: FloatArray
    base: FloatArray
    slope: FloatArray


class Stretch(NamedTuple):
    """From `low` to `high` what is `cheapest` (its place) has the least mean cost."""

    low: float
    high: float
    cheapest: int


def decisions(probabilities: FloatArray, cost: FloatArray) -> IntArray:
    """Decide for the class of least expected cost; of equal ones for the later.

    >>> decisions(np.array([[0.75, 0.25], [0.9, 0.1]]), np.array([[0.0, 1.0], [3.0, 0.0]])).tolist()
    [1, 0]
    """
    return _last_least(_expected(probabilities, cost), SAME_COST * np.abs(cost).max())


def recalibrated(
    probabilities: FloatArray, truth: IntArray, weight: FloatArray, fold: IntArray
) -> FloatArray:
    """(n, k) the rates that probabilities stood for on all other folds, scaled to add up to 1.

    Between the probabilities of others it is interpolated. Where no class is left, a case keeps its
    own. `probabilities` are (n, k); `truth` (classes), `weight` and `fold` (n,).
    """
    from scipy.optimize import isotonic_regression  # 0.6 s: imported where it is needed

    found = np.empty_like(probabilities)
    for held in (fold == one for one in np.unique(fold)):
        for place, each in enumerate(probabilities.T):
            distinct, at = np.unique(each[~held], return_inverse=True)
            counts, own = weight[~held], truth[~held] == place
            cases, events = (np.bincount(at, by) for by in (counts, counts * own))
            rates = isotonic_regression(events / cases, weights=cases).x
            found[held, place] = np.interp(each[held], distinct, rates)
    total = found.sum(axis=1, keepdims=True)
    scaled: FloatArray = np.divide(found, total, out=probabilities.copy(), where=total > 0)
    return scaled


def along(
    probabilities: FloatArray,
    truth: IntArray,
    weight: FloatArray,
    cost: FloatArray,
    change: FloatArray,
    ends: tuple[float, float],
) -> Along:
    """Follow the mean cost by the matrix `cost + at * change` between two values of `at`.

    Decisions change with it. The expected cost of each decision is a line, and a case is decided by
    the lowest one: on the way lines can only become flatter, so there are at most k - 1 steps.
    `probabilities` are (n, k), `truth` (n,) classes, `weight` (n,) what each counts.
    """
    low, high = ends
    base, slope = (_expected(probabilities, of) for of in (cost, change))
    least, same = base + low * slope, SAME_COST * np.abs(cost + low * change).max()
    near = least <= least.min(axis=1, keepdims=True) + same
    now = _last_least(np.where(near, slope, np.inf))
    first, case = now, np.arange(len(truth))
    steps: list[tuple[FloatArray, IntArray, IntArray, IntArray]] = []
    while len(case):
        own, other = (each[np.arange(len(case)), now, None] for each in (base, slope))
        with np.errstate(divide="ignore", invalid="ignore"):
            meet = np.where(slope < other, (base - own) / (other - slope), np.inf)
        until = meet.min(axis=1)
        then = _last_least(np.where(meet == until[:, None], slope, np.inf))
        goes = until < high
        case, base, slope, until = case[goes], base[goes], slope[goes], np.maximum(until[goes], low)
        steps.append((until, case, now[goes], then[goes]))
        now = then[goes]
    at, which, before, after = (np.concatenate(each) for each in zip(*steps, strict=True))
    values, place = np.unique(at, return_inverse=True)

    def summed(of: FloatArray) -> FloatArray:
        by = weight[which] * (of[truth[which], after] - of[truth[which], before])
        start = np.sum(weight * of[truth, first])
        sums: FloatArray = np.cumsum([start, *np.bincount(place, by, len(values))]) / weight.sum()
        return sums

    return Along(np.concatenate([[-np.inf], values]), summed(cost), summed(change))


def constant_along(
    truth: IntArray, weight: FloatArray, cost: FloatArray, change: FloatArray, always: int
) -> Along:
    """Follow the mean cost of always deciding for one class, as `along` does."""
    base, slope = (np.average(of[truth, always], weights=weight) for of in (cost, change))
    return Along(np.array([-np.inf]), np.array([base]), np.array([slope]))


def cheapest_along(each: Sequence[Along], low: float, high: float) -> list[Stretch]:
    """Say where each is the cheapest between two values; of equal ones the first.

    >>> flat = Along(np.array([-np.inf]), np.array([2.0]), np.array([0.0]))
    >>> steep = Along(np.array([-np.inf]), np.array([0.0]), np.array([0.5]))
    >>> [tuple(one) for one in cheapest_along([flat, steep], 0, 10)]
    [(0.0, 4.0, 1), (4.0, 10.0, 0)]
    """
    inner = np.concatenate([one.starts[(one.starts > low) & (one.starts < high)] for one in each])
    edges = np.unique([low, *inner, high]).astype(np.float64)
    edges = edges[np.append(np.diff(edges) > SAME * np.abs(edges[1:]), True)]
    edges[0] = low
    places = [one.starts.searchsorted(edges[:-1], "right") - 1 for one in each]
    base = np.stack([one.base[at] for one, at in zip(each, places, strict=True)])
    slope = np.stack([one.slope[at] for one, at in zip(each, places, strict=True)])
    ends = [np.argmin(base + slope * at, axis=0) for at in (edges[:-1], edges[1:])]
    found: list[Stretch] = []
    for piece, (first, last) in enumerate(zip(*ends, strict=True)):
        left, right = float(edges[piece]), float(edges[piece + 1])
        whole = [Stretch(left, right, int(first))]
        parts = whole if first == last else _lowest(base[:, piece], slope[:, piece], left, right)
        for one in parts:
            begins = found[-1].high if found else float(low)
            if found and found[-1].cheapest == one.cheapest:
                found[-1] = found[-1]._replace(high=one.high)
            elif one.high - begins > SAME * (high - low):  # else it is there by rounding alone
                found.append(one._replace(low=begins))
    return [*found[:-1], found[-1]._replace(high=float(high))]


def _expected(probabilities: FloatArray, cost: FloatArray) -> FloatArray:
    """(n, k) what each decision is expected to cost."""
    found: FloatArray = np.zeros_like(probabilities)  # no matrix product: BLAS is by processor
    for of, each in zip(probabilities.T, cost, strict=True):
        found += of[:, None] * each
    return found


def _last_least(expected: FloatArray, same: float = 0.0) -> IntArray:
    """(n,) places of the least in each row, the last of those that are at most `same` above."""
    equal = expected <= expected.min(axis=1, keepdims=True) + same
    found: IntArray = expected.shape[1] - 1 - np.argmax(equal[:, ::-1], axis=1)
    return found


def _lowest(base: FloatArray, slope: FloatArray, left: float, right: float) -> list[Stretch]:
    """Follow the lowest of some lines from left to right."""
    found = []
    at, now = left, int(np.lexsort((slope, base + slope * left))[0])
    while True:
        flatter = np.flatnonzero(slope < slope[now])
        meet = (base[flatter] - base[now]) / (slope[now] - slope[flatter])
        until = max(at, min(float(meet.min(initial=np.inf)), right))
        if until > at:
            found.append(Stretch(at, until, now))
        if until >= right:
            return found
        there = flatter[meet == meet.min()]
        at, now = until, int(there[np.argmin(slope[there])])
