"""Choices: which candidate decides at each PC(+), in many curves at once, and what that costs.

A choice is made on counts and judged on counts, of the data and of resamples alike: arrays of shape
(resamples, folds, candidates), where the data are a resample that drew each case once. A curve is
one fold of one resample; curves stand in that order.

Rounding. Where the least common multiple of the folds' class sizes is below some 2^31 / folds, the
least cost is found on integers: for equal sizes always, for ten folds of sizes n and n + 1 up to
about 14,000. Beyond that rates are added in double precision, and the mean cost of what is chosen
may exceed the least by some 1e-15.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from costcurves.counts.elementwise import Array, FloatArray, IntArray
from costcurves.counts.ragged import curve_of_rows, offsets_of, rows_of_slices, steps
from costcurves.curves.curves import Curve
from costcurves.curves.hulls import hull, hulls

EXACT = 2**31  # products of two integers below it are exact in int64
GRAIN = 2.0**-50


@dataclass(frozen=True, eq=False)
class Counts:
    """Mistakes of the same candidates on every fold: thresholds of scores, or members that decide.

    Attributes
    ----------
    fp, fn
        (resamples, folds, candidates) false positives and false negatives, or what they weigh.
    negatives, positives
        (folds,) or (resamples, folds): what is divided by for rates.
    threshold
        (candidates,) score from which on it is positive; ``inf``: nothing is, ``nan``: a decision.
    train_pc
        (candidates,) PC(+) that a member was trained for; ``nan``: none.
    """

    fp: Array
    fn: Array
    negatives: Array
    positives: Array
    threshold: FloatArray
    train_pc: FloatArray

    @property
    def curves(self) -> int:
        """How many curves there are: folds of resamples."""
        return len(self.fp) * int(self.fp.shape[1])

    def above(self) -> tuple[FloatArray, FloatArray]:
        """Return (curves, candidates) false and true positives."""
        fp = self.fp.astype(np.float64)
        tp = np.broadcast_to(self.positives, fp.shape[:2])[:, :, np.newaxis] - self.fn.astype(float)
        return fp.reshape(-1, fp.shape[2]), tp.reshape(-1, fp.shape[2])


class Seen(NamedTuple):
    """What a choice looks at: (curves, candidates) mistakes, and what makes rates of them."""

    fp: Array
    fn: Array
    negatives: Any = 1  # one number, or (curves,)
    positives: Any = 1


class Choice(NamedTuple):
    """Which candidates decide, piece by piece, in many curves."""

    pc: FloatArray  # (pieces,) where each piece starts
    offsets: IntArray  # (curves + 1,) where each curve's pieces start, and the last one's end
    candidate: IntArray  # of piece after piece: places in (resamples, folds, candidates), flat
    starts: IntArray | None = None  # (pieces,) of several in `candidate`; None: a piece has one


class Draw(NamedTuple):
    """A draw, case by case, between two choices of the same pieces."""

    first: Choice
    second: Choice
    share: FloatArray  # (pieces,) probability of the second


Chosen = Choice | Draw


@dataclass(frozen=True, eq=False)
class Pieces:
    """Cost curves end to end: piece i is the line (at0, at1) from pc[i] to the next, or to 1."""

    pc: FloatArray
    at0: FloatArray
    at1: FloatArray
    offsets: IntArray  # (curves + 1,) where each curve starts, at PC(+) = 0, and the last ends

    def __len__(self) -> int:
        """Count the curves."""
        return len(self.offsets) - 1

    def __getitem__(self, curve: int) -> Curve:
        """Return one curve."""
        i = range(len(self))[curve]
        rows = slice(self.offsets[i], self.offsets[i + 1])
        return Curve(np.append(self.pc[rows], 1.0), self.at0[rows], self.at1[rows])

    def heights(self, grid: FloatArray) -> FloatArray:
        """Return (curves, pc) heights on an evaluation grid from 0 to 1, right-continuous."""
        shape = len(self), len(grid)
        first = np.searchsorted(grid, self.pc, side="left")
        first = np.maximum.accumulate(first + len(grid) * curve_of_rows(self.offsets))
        grid_points = np.diff(first, append=len(grid) * len(self))
        at0, at1 = (np.repeat(at, grid_points) for at in (self.at0, self.at1))
        heights: FloatArray = at0.reshape(shape) * (1 - grid) + at1.reshape(shape) * grid
        return heights

    def means(self, grid: FloatArray, folds: int) -> FloatArray:
        """Return (resamples, pc) mean heights of so many curves each, right-continuous.

        Steps from piece to piece are added up in whole numbers of a grain, which is exact: curves
        that are equal stay equal.
        """
        shape = len(self) // folds, len(grid) + 1  # the last place is beyond the grid
        place = np.searchsorted(grid, self.pc, side="left")
        place += shape[1] * (curve_of_rows(self.offsets) // folds)
        sums = []
        for rate in (self.at0, self.at1):
            grains = np.rint(rate / (folds * GRAIN))
            risen = steps(grains, self.offsets[:-1])
            added = np.bincount(place, risen, math.prod(shape)).reshape(shape)
            sums.append(np.cumsum(added[:, :-1], axis=1) * GRAIN)
        heights: FloatArray = sums[0] * (1 - grid) + sums[1] * grid
        return heights


def judged(choice: Chosen, counts: Counts) -> Pieces:
    """Compute what a choice costs on the folds that it is made for."""
    pieces = choice.first if isinstance(choice, Draw) else choice
    at0 = _rates(choice, counts.fp, counts.negatives)
    at1 = _rates(choice, counts.fn, counts.positives)
    return Pieces(pieces.pc, at0, at1, pieces.offsets)


def _rates(choice: Chosen, count: Array, size: Array) -> FloatArray:
    """Return the (pieces,) rates of a mistake, the mean of those that decide."""
    if isinstance(choice, Draw):
        first, second = _rates(choice.first, count, size), _rates(choice.second, count, size)
        return first + choice.share * (second - first)
    mistakes = count.ravel().take(choice.candidate)
    whole = np.broadcast_to(size, count.shape[:2]).ravel().repeat(np.diff(choice.offsets))
    if choice.starts is not None:
        exact = mistakes.astype(np.result_type(mistakes, np.int64))  # sums need the room
        mistakes = np.add.reduceat(exact, choice.starts)
        whole = whole * np.diff(choice.starts, append=len(choice.candidate))
    rates: FloatArray = mistakes / whole
    return rates


# What a choice looks at


def seen_there(counts: Counts) -> Seen:
    """Look at the fold itself: in-sample."""
    width = counts.fp.shape[2]
    negatives, positives = (
        np.broadcast_to(size, counts.fp.shape[:2]).ravel()
        for size in (counts.negatives, counts.positives)
    )
    return Seen(counts.fp.reshape(-1, width), counts.fn.reshape(-1, width), negatives, positives)


def seen_on_others(counts: Counts) -> Seen:
    """Look at the mean rates of the other folds of the repeat, each fold counting the same."""
    return _on_one_scale(counts, of_others)


def seen_on_all(counts: Counts) -> Seen:
    """Look at the mean rates of all folds, each counting the same."""
    return _on_one_scale(counts, of_all)


def seen_in_other_cases(counts: Counts) -> Seen:
    """Look at the cases of the other folds as one pool; or of the fold itself if it is alone."""
    if counts.fp.shape[1] == 1:
        return seen_there(counts)
    width = counts.fp.shape[2]
    return Seen(of_others(counts.fp).reshape(-1, width), of_others(counts.fn).reshape(-1, width))


def _on_one_scale(counts: Counts, add_up: Callable[[Array], Array]) -> Seen:
    width = counts.fp.shape[2]
    fp, fp_unit = on_one_scale(counts.fp, counts.negatives)
    fn, fn_unit = on_one_scale(counts.fn, counts.positives)
    return Seen(add_up(fp).reshape(-1, width), add_up(fn).reshape(-1, width), fp_unit, fn_unit)


def of_others(values: Array) -> Array:
    """Add up, for each fold, the values of the other folds; in double precision without its own.

    So candidates that the other folds cannot tell apart stay equal.
    """
    if values.dtype.kind == "i":
        others: Array = of_all(values) - values
        return others
    before, after = np.zeros_like(values), np.zeros_like(values)
    for fold in range(1, values.shape[-2]):  # far faster than `cumsum` along this axis
        here, back = values[..., fold - 1, :], values[..., -fold, :]
        np.add(before[..., fold - 1, :], here, out=before[..., fold, :])
        np.add(after[..., -fold, :], back, out=after[..., -fold - 1, :])
    total: Array = before + after
    return total


def of_all(values: Array) -> Array:
    """Add up the values of all folds; their axis stays, with length 1."""
    total: Array = values.sum(axis=-2, keepdims=True, dtype=values.dtype)
    return total


def on_one_scale(count: Array, size: Array) -> tuple[Array, int]:
    """Divide the folds' counts by their class sizes: count / size = scaled / unit.

    Integers if they came as such and products of sums over folds are exact in 64 bits; else double
    precision and unit 1.

    >>> scaled, unit = on_one_scale(np.array([[1, 2], [1, 3]]), np.array([2, 3]))
    >>> scaled.tolist(), unit
    ([[3, 6], [2, 6]], 6)
    """
    if count.dtype.kind == "i" and size.dtype.kind == "i":
        unit = math.lcm(*np.unique(size).tolist())
        largest = int(count.max(initial=1)) * unit // int(size.min())
        if largest * count.shape[-2] < EXACT:
            times = (unit // size).astype(count.dtype)
            return (count if (times == 1).all() else count * times[..., np.newaxis]), unit
    return count / size[..., np.newaxis], 1


# How it chooses


def least(seen: Seen) -> Choice:
    """Choose the candidates of least cost at each PC(+): the lower envelope of their cost lines.

    Candidates that cost the same at every PC(+) cannot be told apart: all of them decide, on
    average. (Other lines meet in single points, between two pieces, which do not matter.)

    >>> choice = least(Seen(np.array([[0, 0, 2]]), np.array([[4, 0, 0]]), 2, 4))
    >>> choice.pc.tolist(), choice.candidate.tolist()
    ([0.0], [1])
    """
    fp, fn, order = in_order(seen)
    curves, width = fp.shape
    vertex, ties = vertices(fp, fn)
    at_fp, at_fn = (
        mistakes.ravel()[vertex].astype(np.result_type(mistakes, np.int64))  # products need it
        for mistakes in (fp, fn)
    )
    curve = vertex // width
    per_negative, per_positive = (
        np.broadcast_to(size, curves)[curve] for size in (seen.negatives, seen.positives)
    )
    starts, ends = _breaks(at_fp * per_positive, at_fn * per_negative, curve)
    decides = starts < ends
    vertex, ties = vertex[decides], ties[decides]
    return Choice(
        starts[decides],
        np.searchsorted(vertex, width * np.arange(curves + 1)),
        as_placed(rows_of_slices(vertex, ties), order),
        offsets_of(ties)[:-1],
    )


def in_order(seen: Seen) -> tuple[Array, Array, IntArray | None]:
    """Order candidates by mistakes: fp rises, and fn falls among equals; and say from where."""
    fp, fn = seen.fp, seen.fn
    if not (fp[:, 1:] < fp[:, :-1]).any() and not (fn[:, 1:] > fn[:, :-1]).any():
        return fp, fn, None
    order = np.lexsort((-fn, fp))
    in_order = np.take_along_axis(fp, order, 1), np.take_along_axis(fn, order, 1)
    return *in_order, (order + fp.shape[1] * np.arange(len(fp))[:, np.newaxis]).ravel()


def as_placed(candidate: IntArray, order: IntArray | None) -> IntArray:
    """Return the places that candidates had before `in_order`."""
    return candidate if order is None else order[candidate]


def vertices(fp: Array, fn: Array) -> tuple[IntArray, IntArray]:
    """Find the vertices of ROC hulls: the first candidate at each, flat, and how many equal it."""
    is_new = np.ones(fp.shape, dtype=bool)
    np.not_equal(fp[:, 1:], fp[:, :-1], out=is_new[:, 1:])
    is_new[:, 1:] |= fn[:, 1:] != fn[:, :-1]
    first = np.flatnonzero(is_new)
    if (fn[:, 1:] > fn[:, :-1]).any():  # of members, which are looked at without repetitions
        offsets = np.searchsorted(first, fp.shape[1] * np.arange(len(fp) + 1))
        vertex = first[hull(fp.ravel()[first], -fn.ravel()[first], offsets)]
    else:
        vertex = hulls(fp, -fn)
    repeats = vertex[~is_new.ravel()[vertex]]
    is_vertex = np.zeros(fp.size, dtype=bool)
    is_vertex[vertex] = is_vertex[first[np.searchsorted(first, repeats) - 1]] = True
    at = np.flatnonzero(is_vertex[first])
    return first[at], np.append(first, fp.size)[at + 1] - first[at]


def _breaks(fp: Array, fn: Array, curve: IntArray) -> tuple[FloatArray, FloatArray]:
    """Find where the lines of the vertices of hulls start and end to be least.

    Neighbours cost the same where (1 - pc) * (more fp) = pc * (less fn). Where a rounding leaves
    no difference between them the former has no piece.
    """
    starts = np.zeros(len(fp))
    more_fp, less_fn = np.diff(fp), -np.diff(fn)
    inside = curve[1:] == curve[:-1]
    both = more_fp + less_fn
    np.divide(more_fp, both, out=starts[1:], where=inside & (both > 0))
    while (falls := inside & (starts[1:] < starts[:-1])).any():  # by a rounding
        starts[1:][falls] = starts[:-1][falls]
    return starts, np.append(np.where(inside, starts[1:], 1.0), 1.0)


def the_same(counts: Counts, pc: FloatArray, candidate: IntArray) -> Choice:
    """Let these candidates decide from these PC(+) on, in all curves."""
    flat = candidate + counts.fp.shape[2] * np.arange(counts.curves)[:, np.newaxis]
    return everywhere(pc, flat)


def everywhere(pc: FloatArray, candidate: IntArray) -> Choice:
    """Let these (curves, pc) candidates, flat places, decide from the same PC(+) on."""
    curves = len(candidate)
    return Choice(np.tile(pc, curves), len(pc) * np.arange(curves + 1), candidate.ravel())


class Reached(NamedTuple):
    """Where (curves, candidates) counts that rise from 0 reach (curves, aims); flat places."""

    candidate: IntArray  # the last at or below the aim
    following: IntArray  # the next; the last of a curve is its own
    share: FloatArray  # of the way to the next; negative below the first, 0 at the last

    def step(self, counts: Array) -> Array:
        """Return (curves, aims) what is counted between the two."""
        return counts.take(self.following) - counts.take(self.candidate)

    def draw(self, pc: FloatArray) -> Draw:
        """Let a draw decide between the two from these PC(+) on."""
        first, second = everywhere(pc, self.candidate), everywhere(pc, self.following)
        return Draw(first, second, self.share.ravel())


def reached(rising: Array, aim: NDArray[np.floating]) -> Reached:
    """Find where counts that rise from 0 reach aims."""
    curves, width = rising.shape
    whole, row = rising[:, -1:], np.arange(curves)[:, np.newaxis]
    stride = int(whole.max()) + 1
    target = np.clip(np.floor(aim), 0, whole).astype(np.int64) + row * stride
    flat = np.searchsorted((rising + row * stride).ravel(), target.ravel(), side="right")
    candidate = flat.reshape(aim.shape) - 1
    following = np.minimum(candidate + 1, width * (row + 1) - 1)
    place = Reached(candidate, following, np.zeros(aim.shape))
    step = place.step(rising)
    np.divide(aim - rising.take(candidate), step, out=place.share, where=step > 0)
    return place
