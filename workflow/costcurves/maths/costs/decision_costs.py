"""Decisions among several classes by a matrix of costs, and how they change with one entry of it.

`cost[i, j]` is the cost of deciding for class j where class i is true, in any unit. Probabilities
are trusted: the decision is the one of least expected cost. Of equal ones the later class counts,
as a score at a threshold is positive, so that for two classes it is the score-driven rule.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


SAME = 1e-14  # by which places at which decisions change may differ by rounding alone, relatively


class AlongEntry(NamedTuple):
    """Mean cost as a function of one entry of the matrix: lines on pieces, with jumps between.

    From `starts[k]` (the first is minus infinity) to the next it is `base[k] + slope[k] * entry`.
    """

    starts: FloatArray
    base: FloatArray
    slope: FloatArray


class Stretch(NamedTuple):
    """Entries from `low` to `high` where `cheapest` (its place) has the least mean cost."""

    low: float
    high: float
    cheapest: int


def decisions(probabilities: FloatArray, cost: FloatArray) -> IntArray:
    """Decide for the class of least expected cost; of equal ones for the later.

    >>> decisions(np.array([[0.75, 0.25], [0.9, 0.1]]), np.array([[0.0, 1.0], [3.0, 0.0]])).tolist()
    [1, 0]
    """
    return _last_least(probabilities @ cost)


def along_entry(
    probabilities: FloatArray, truth: IntArray, cost: FloatArray, true: int, decided: int
) -> AlongEntry:
    """Follow the mean cost while the entry `cost[true, decided]` changes, and decisions with it.

    A case is decided for that class as long as the entry is less than a value of its own, at which
    another decision costs as little. `probabilities` are (n, k), `truth` (n,) classes.
    """
    others = np.delete(np.arange(len(cost)), decided)
    expected = probabilities @ cost
    best = others[_last_least(expected[:, others])]
    share = probabilities[:, true]
    room = expected[np.arange(len(truth)), best] - probabilities @ _without(cost, true)[:, decided]
    always = (room > 0) | ((room == 0) & (decided > best))
    with np.errstate(divide="ignore", invalid="ignore"):
        until = np.where(share > 0, room / share, np.where(always, np.inf, -np.inf))
    pays, other = truth == true, cost[truth, best]
    own = np.where(pays, 0.0, cost[truth, decided])
    begins, changes = until > -np.inf, np.isfinite(until)
    values, place = np.unique(until[changes], return_inverse=True)
    steps = (np.bincount(place, by[changes], len(values)) for by in (other - own, pays))
    more, fewer = (np.concatenate([[0.0], np.cumsum(step)]) for step in steps)
    base = np.where(begins, own, other).sum() + more
    slope = np.count_nonzero(pays & begins) - fewer
    starts = np.concatenate([[-np.inf], values])
    return AlongEntry(starts, base / len(truth), slope / len(truth))


def constant_along(
    truth: IntArray, cost: FloatArray, true: int, decided: int, always: int
) -> AlongEntry:
    """Follow the mean cost of always deciding for one class, as `along_entry` does."""
    slope = np.mean(truth == true) if always == decided else 0.0
    base = np.mean(cost[truth, always]) - slope * cost[true, decided]
    return AlongEntry(np.array([-np.inf]), np.array([base]), np.array([slope]))


def cheapest_along(each: Sequence[AlongEntry], low: float, high: float) -> list[Stretch]:
    """Say where each is the cheapest between two values of the entry; of equal ones the first.

    >>> flat = AlongEntry(np.array([-np.inf]), np.array([2.0]), np.array([0.0]))
    >>> steep = AlongEntry(np.array([-np.inf]), np.array([0.0]), np.array([0.5]))
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
            if found and found[-1].cheapest == one.cheapest:
                one = found.pop()._replace(high=one.high)
            found.append(one)
    return found


def _last_least(expected: FloatArray) -> IntArray:
    """(n,) places of the least in each row, the last of equal ones."""
    found: IntArray = expected.shape[1] - 1 - np.argmin(expected[:, ::-1], axis=1)
    return found


def _without(cost: FloatArray, true: int) -> FloatArray:
    """Leave out what a true class costs."""
    rest = cost.copy()
    rest[true] = 0
    return rest


def _lowest(base: FloatArray, slope: FloatArray, left: float, right: float) -> list[Stretch]:
    """Follow the lowest of some lines from left to right."""
    found = []
    at, now = left, int(np.lexsort((slope, base + slope * left))[0])
    while True:
        flatter = np.flatnonzero(slope < slope[now])
        meet = (base[flatter] - base[now]) / (slope[now] - slope[flatter])
        until = min(float(meet.min(initial=np.inf)), right)
        if until > at:
            found.append(Stretch(at, until, now))
        if until >= right:
            return found
        there = flatter[meet == meet.min()]
        at, now = until, int(there[np.argmin(slope[there])])
