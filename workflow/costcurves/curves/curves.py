"""Cost curves: piecewise linear functions of PC(+) on [0, 1], exact and without a grid.

A piece of a curve is a piece of a cost line, and is kept as that line: its height `at0` at
PC(+) = 0 (the FP rate) and its height `at1` at PC(+) = 1 (the FN rate). So equal curves subtract
to exactly zero, a mean of curves is again made of lines, and every piece has its dual ROC point
(fp = at0, tp = 1 - at1) at hand.

Rounding. Break points and rates are quotients of integers, each rounded once, and a `mean` adds
them with compensated summation (T. Ogita, S. M. Rump and S. Oishi, "Accurate sum and dot product",
SIAM Journal on Scientific Computing 26, 2005, algorithm Sum2, https://doi.org/10.1137/030601818).
A difference of two heights is then within 6 eps of its true value: 3 eps from the rates and their
two means, 1 eps from the break point, 2 eps from subtraction and evaluation. When two curves are
compared, heights that differ by at most 8 eps = 1.8e-15 (times the largest rate) therefore count as
equal, and nothing else does. Truly different rates that close would have to be means over k folds
with class sizes n and n + 1 where k n (n + 1) > 5e14, say ten folds with seven million positives
each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from costcurves.counts.elementwise import FloatArray, Values, finite, plain, rate

Side = Literal["left", "right"]

EPSILON = float(np.finfo(np.float64).eps)
EQUAL_HEIGHTS = 8 * EPSILON  # see "Rounding" above; relative to the largest rate of the two curves
EQUAL_BREAKS = 4 * EPSILON  # two roundings of the same break point are not further apart


class Interval(NamedTuple):
    """A stretch of PC(+) from `low` to `high` on which the sign of cost(a) - cost(b) is the same.

    The sign is -1 where a is cheaper, 0 where both cost the same, +1 where b is cheaper.
    """

    low: float
    high: float
    sign: int


class Extreme(NamedTuple):
    """A place `pc` on the x axis and the height `nec` (or difference of heights) there."""

    pc: float
    nec: float


@dataclass(frozen=True, eq=False)
class Curve:
    """A piecewise linear curve over PC(+) in [0, 1]; jumps between pieces are allowed.

    Piece i is the cost line through (0, at0[i]) and (1, at1[i]), used from pc[i] to pc[i + 1].
    Arrays are copied to float64 and made read-only. ``==`` compares identity: whether two curves
    are the same function is what `better_than` answers.

    Parameters
    ----------
    pc
        (k + 1,) break points, 0 = pc[0] < pc[1] < ... < pc[k] = 1.
    at0, at1
        (k,) heights of each piece's line at PC(+) = 0 and 1: its FP and its FN rate. Differences
        may be negative.

    Raises
    ------
    ValueError
        If an array is not one-dimensional or not finite, the lengths do not fit, there is no piece,
        or the break points do not increase strictly from 0 to 1.

    Examples
    --------
    >>> tent = Curve(pc=[0, 0.5, 1], at0=[0, 1], at1=[1, 0])
    >>> tent(0.25), tent.area()
    (0.25, 0.25)
    """

    pc: FloatArray
    at0: FloatArray
    at1: FloatArray

    def __init__(self, pc: ArrayLike, at0: ArrayLike, at1: ArrayLike) -> None:
        for name, values in (("pc", pc), ("at0", at0), ("at1", at1)):
            object.__setattr__(self, name, _finite(name, values))
        _check_pieces(self)

    def __repr__(self) -> str:
        """Show the arrays as plain lists."""
        return f"Curve(pc={self.pc.tolist()}, at0={self.at0.tolist()}, at1={self.at1.tolist()})"

    def __len__(self) -> int:
        """Count the pieces."""
        return len(self.at0)

    def __call__(self, pc: ArrayLike, side: Side = "right") -> Values:
        """Evaluate the curve at PC(+), a number or an array of any shape.

        At a jump the side "right" takes the piece that starts there, "left" the one that ends
        there. At 1 it is the last piece and at 0 the first, whatever the side. A PC(+) outside
        [0, 1] is a ValueError.
        """
        x = rate("PC(+)", pc)
        piece = np.clip(np.searchsorted(self.pc, x, side=side) - 1, 0, len(self) - 1)
        return plain(self.at0[piece] * (1 - x) + self.at1[piece] * x)

    @property
    def starts(self) -> FloatArray:
        """(k,) height of each piece where it starts."""
        return self.at0 * (1 - self.pc[:-1]) + self.at1 * self.pc[:-1]

    @property
    def ends(self) -> FloatArray:
        """(k,) height of each piece where it ends: the limit from the left."""
        return self.at0 * (1 - self.pc[1:]) + self.at1 * self.pc[1:]

    def area(self) -> float:
        """Return the mean height when every PC(+) is equally likely ([DH06]_, s3.3)."""
        return float(np.sum(np.diff(self.pc) * (self.starts + self.ends)) / 2)

    def simplified(self) -> Curve:
        """Merge neighbouring pieces of the very same line."""
        changes = (np.diff(self.at0) != 0) | (np.diff(self.at1) != 0)
        first = np.concatenate([[True], changes])
        return Curve(np.append(self.pc[:-1][first], 1.0), self.at0[first], self.at1[first])

    def __add__(self, other: Curve) -> Curve:
        """Add another curve, PC(+) by PC(+)."""
        breaks = np.union1d(self.pc, other.pc)
        return Curve(breaks, *(lines_between(self, breaks) + lines_between(other, breaks)))

    def __sub__(self, other: Curve) -> Curve:
        """Subtract another curve, PC(+) by PC(+): positive where the other one is cheaper."""
        return self + other * -1.0

    def __mul__(self, factor: float) -> Curve:
        """Multiply every height by a number."""
        return Curve(self.pc, self.at0 * factor, self.at1 * factor)


def line(at0: float, at1: float) -> Curve:
    """Build the cost line of one classifier: (fp, fn) = (at0, at1)."""
    return Curve([0, 1], [at0], [at1])


def trivial() -> Curve:
    """Build the cheaper of the two no-model baselines at every PC(+) ([DH06]_, s4.2)."""
    return Curve([0, 0.5, 1], [0, 1], [1, 0])


def mean(curves: Sequence[Curve], weights: ArrayLike | None = None) -> Curve:
    """Average curves, at least one, at every PC(+); break points are the union of theirs.

    `weights` are relative, one for each curve, finite, not negative, not all zero; None: all the
    same. Pieces are the means of the curves' lines, correct to rounding whatever the number of
    curves. Other weights, and no curve, are a ValueError.

    >>> mean([line(0, 1), line(1, 0)])
    Curve(pc=[0.0, 1.0], at0=[0.5], at1=[0.5])
    """
    shares = _weights(len(curves), weights)
    breaks = np.unique(np.concatenate([curve.pc for curve in curves]))
    weighed = zip(shares, curves, strict=True)
    total = compensated_sum(share * lines_between(curve, breaks) for share, curve in weighed)
    return Curve(breaks, *(total / np.sum(shares)))


def average(curves: Sequence[Curve], repeats: ArrayLike | None = None) -> Curve:
    """Average the curves of folds: over the folds of each repeat, then over repeats.

    `repeats` says which repeat each fold belongs to; None: all to one. Each fold counts the same
    within its repeat, and each repeat the same. No curve, or another number of repeats than of
    curves, is a ValueError.
    """
    if repeats is None:
        return mean(curves)
    codes = np.asarray(repeats)
    if len(codes) != len(curves):
        raise ValueError(f"one repeat a curve: expected {len(curves)}, found {len(codes)}")
    _, repeat, folds = np.unique(codes, return_inverse=True, return_counts=True)
    if len(np.unique(folds)) <= 1:
        return mean(curves)
    return mean(curves, 1 / folds[repeat])


def better_than(a: Curve, b: Curve) -> list[Interval]:
    """Say where which of two curves is cheaper: a partition of [0, 1] in increasing order.

    Neighbours differ in sign. Ends are break points (where the sign changes by a jump or an equal
    stretch begins or ends) and crossings of two lines. A point where the curves just touch makes no
    interval. Two different lines agree in one point at most: so a piece where the heights count as
    equal (see the module's docstring) at both ends although the lines differ goes to the interval
    beside it, and so does one that is not wider than the rounding of a break point.

    >>> better_than(line(0.25, 0.5), line(0.5, 0.25))
    [Interval(low=0.0, high=0.5, sign=-1), Interval(low=0.5, high=1.0, sign=1)]
    """
    edges, signs = _signs(a - b, EQUAL_HEIGHTS * max(_scale(a), _scale(b)))
    return merged(np.array([0.0, *edges[1:], 1.0]), signs)


def merged(places: FloatArray, signs: FloatArray) -> list[Interval]:
    """Join neighbouring intervals of one sign: (k,) signs between (k + 1,) places.

    >>> merged(np.array([0, 0.2, 0.5, 1]), np.array([1, 1, -1]))
    [Interval(low=0.0, high=0.5, sign=1), Interval(low=0.5, high=1.0, sign=-1)]
    """
    first = np.flatnonzero(np.diff(signs, prepend=np.inf))
    ends = np.append(places[first], places[-1]).tolist()
    parts = zip(pairwise(ends), signs[first].tolist(), strict=True)
    return [Interval(float(low), float(high), int(sign)) for (low, high), sign in parts]


def crossings(a: Curve, b: Curve) -> FloatArray:
    """Find the crossovers, in increasing order: where the cheaper one of two curves changes.

    Touching is not crossing, neither in a point nor along a stretch. Where the curves cross by way
    of an equal stretch: both its ends.
    """
    decided = [interval for interval in better_than(a, b) if interval.sign]
    changes: set[float] = set()
    for left, right in pairwise(decided):
        if left.sign != right.sign:
            changes |= {left.high, right.low}
    return np.array(sorted(changes), dtype=np.float64)


def largest(curve: Curve) -> Extreme:
    """Find the largest height of a curve; of several places, the leftmost.

    At a jump this may be the limit from one side.
    """
    places = np.repeat(curve.pc, 2)[1:-1]
    heights = np.column_stack([curve.starts, curve.ends]).ravel()
    highest = int(np.argmax(heights))
    return Extreme(float(places[highest]), float(heights[highest]))


def operating_range(curve: Curve) -> list[tuple[float, float]]:
    """Find where a curve is strictly below both no-model baselines ([DH06]_, s4.2).

    Open intervals (low, high) of PC(+) in increasing order; empty if the curve never is. The line
    of one classifier with tp > fp has one, from fp / (fp + tp) to (1 - fp) / ((1 - fp) + (1 - tp)).
    A point where the curve just touches a trivial line does not divide an interval.

    >>> operating_range(line(0.3, 0.3))
    [(0.3, 0.7)]
    """
    parts = better_than(curve, trivial())
    return [(interval.low, interval.high) for interval in parts if interval.sign < 0]


def compensated_sum(terms: Iterable[FloatArray]) -> FloatArray:
    """Add arrays of one shape, correct to rounding whatever the number of terms (Sum2)."""
    total = lost = np.zeros(())
    for term in terms:
        before, total = total, total + term
        added = total - before
        lost = lost + ((before - (total - added)) + (term - added))
    return total + lost


def _finite(name: str, values: ArrayLike) -> FloatArray:
    """Copy to a read-only float64 array of one dimension without NaN or infinity."""
    array = finite(name, np.array(values, dtype=np.float64))
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, found shape {array.shape}")
    array.flags.writeable = False
    return array


def _check_pieces(curve: Curve) -> None:
    """Refuse arrays that do not make a curve over [0, 1]."""
    breaks, pieces = len(curve.pc), (len(curve.at0), len(curve.at1))
    if breaks < 2 or pieces != (breaks - 1, breaks - 1):
        raise ValueError(
            "a curve of k >= 1 pieces has k + 1 break points, k at0 and k at1, "
            f"found {breaks} break points, {pieces[0]} at0 and {pieces[1]} at1"
        )
    if not np.all(np.diff(curve.pc) > 0):
        raise ValueError("the break points of PC(+) must increase strictly")
    if curve.pc[0] != 0 or curve.pc[-1] != 1:
        raise ValueError(
            f"the break points must run from 0 to 1, found {curve.pc[0]} to {curve.pc[-1]}"
        )


def lines_between(curve: Curve, breaks: FloatArray) -> FloatArray:
    """(2, len(breaks) - 1) at0 and at1 between finer break points that include the curve's own."""
    widths = np.diff(np.searchsorted(breaks, curve.pc))
    return np.stack([np.repeat(curve.at0, widths), np.repeat(curve.at1, widths)])


def _weights(count: int, weights: ArrayLike | None) -> FloatArray:
    """(count,) weights of the curves of a mean."""
    if count == 0:
        raise ValueError("a mean needs at least one curve, found none")
    shares = np.ones(count) if weights is None else _finite("weights", weights)
    if len(shares) != count:
        raise ValueError(f"a mean needs one weight a curve: {count}, found {len(shares)}")
    if np.any(shares < 0) or not np.any(shares > 0):
        raise ValueError("weights must not be negative and not all zero")
    return shares


def _scale(curve: Curve) -> float:
    """Largest absolute rate of a curve's lines."""
    return float(max(np.abs(curve.at0).max(), np.abs(curve.at1).max()))


def _signs(difference: Curve, bound: float) -> tuple[FloatArray, FloatArray]:
    """Edges (m,) and the sign from each to the next (m,), equal neighbours not yet merged."""
    start, end = (
        np.where(np.abs(heights) <= bound, 0, np.sign(heights))
        for heights in (difference.starts, difference.ends)
    )
    crosses = start * end < 0
    same = (np.abs(difference.at0) <= bound) & (np.abs(difference.at1) <= bound)
    speaks = ((start != 0) | (end != 0) | same) & (np.diff(difference.pc) > EQUAL_BREAKS)
    at0, at1 = difference.at0[crosses], difference.at1[crosses]
    after = np.flatnonzero(crosses) + 1
    edges = np.insert(difference.pc[:-1], after, at0 / (at0 - at1))
    signs = np.insert(np.where(start != 0, start, end), after, end[crosses])
    kept = np.insert(speaks, after, speaks[crosses])
    return (edges[kept], signs[kept]) if kept.any() else (np.zeros(1), np.zeros(1))
