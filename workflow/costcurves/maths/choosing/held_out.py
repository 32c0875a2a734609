"""The core of cross-fitting, on counts: chosen on the other folds, judged on the held-out one.

Everything is done for many data sets at once, such as resamples of one, so that an estimate and its
uncertainty go the same way. See `cross_fitting` for what is estimated, and its rounding.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from costcurves.maths.choosing.fold_sums import of_others, on_one_scale
from costcurves.maths.counts.ragged import curve_of_rows, offsets_of, rows_of_slices
from costcurves.maths.geometry.curves import Curve
from costcurves.maths.geometry.hulls import hulls

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


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
        """Give one curve."""
        i = range(len(self))[curve]
        rows = slice(self.offsets[i], self.offsets[i + 1])
        return Curve(np.append(self.pc[rows], 1.0), self.at0[rows], self.at1[rows])

    def areas(self) -> FloatArray:
        """(curves,) areas under the curves."""
        end = np.append(self.pc[1:], 1.0)
        end[self.offsets[1:] - 1] = 1.0
        middle = (self.pc + end) / 2
        area = (end - self.pc) * (self.at0 * (1 - middle) + self.at1 * middle)
        return np.add.reduceat(area, self.offsets[:-1])


class Choice(NamedTuple):
    """Who is cheapest, piece by piece, in many curves."""

    pc: FloatArray  # (pieces,) where each piece starts
    offsets: IntArray  # (curves + 1,) where each curve's pieces start and the last's end
    tied: IntArray  # cheapest candidates, piece after piece: places in (curves, candidates), flat
    starts: IntArray  # (pieces,) where each piece's candidates start in `tied`


def judged_on_held_out(
    fp_count: NDArray[Any], fn_count: NDArray[Any], negatives: NDArray[Any], positives: NDArray[Any]
) -> Pieces:
    """Choose among candidates on the other folds and judge on each fold, for many curves at once.

    Counts are (curves, folds, candidates), a curve being a data set such as a resample; what they
    are divided by is (folds,) or (curves, folds). Of the result, the folds of the first data set
    come first, then those of the next.
    """
    folds = fp_count.shape[1]
    if folds < 2:
        raise ValueError(f"choosing on other folds needs two or more, found {folds}")
    if (negatives <= 0).any() or (positives <= 0).any():
        raise ValueError(
            "a fold lacks a class: it has no rates; resample within folds, or divide by the sizes "
            "of the folds as they were"
        )
    fp, fp_unit = on_one_scale(fp_count, negatives)
    fn, fn_unit = on_one_scale(fn_count, positives)
    shape = -1, fp_count.shape[2]
    choice = least(of_others(fp).reshape(shape), of_others(fn).reshape(shape), fp_unit, fn_unit)
    at0, at1 = (
        _judged(choice, count, np.broadcast_to(size, count.shape[:2]))
        for count, size in ((fp_count, negatives), (fn_count, positives))
    )
    return Pieces(choice.pc, at0, at1, choice.offsets)


def least(fp: NDArray[Any], fn: NDArray[Any], fp_unit: int, fn_unit: int) -> Choice:
    """Choose the candidates of least cost, for many curves at once: lower envelopes.

    Counts are (curves, candidates), over all folds that choose; units are what makes rates of them.

    >>> choice = least(np.array([[0, 0, 2]]), np.array([[4, 0, 0]]), 2, 4)
    >>> choice.pc.tolist(), choice.tied.tolist()
    ([0.0], [1])
    """
    if not (fp[:, 1:] < fp[:, :-1]).any() and not (fn[:, 1:] > fn[:, :-1]).any():
        return _least_in_order(fp, fn, fp_unit, fn_unit)
    order = np.lexsort((fn, fp))
    in_order = [np.take_along_axis(errors, order, 1) for errors in (fp, fn)]
    choice = _least_in_order(in_order[0], in_order[1], fp_unit, fn_unit)
    order += fp.shape[1] * np.arange(len(fp))[:, np.newaxis]
    return choice._replace(tied=order.ravel()[choice.tied])


def _least_in_order(fp: NDArray[Any], fn: NDArray[Any], fp_unit: int, fn_unit: int) -> Choice:
    """Choose as `least` among candidates that are ordered by `fp`, equal ones by `fn`."""
    curves, width = fp.shape
    vertex, ties = _vertices(fp, fn)
    at_fp, at_fn = (
        errors.ravel()[vertex].astype(np.result_type(errors, np.int64))  # products need the room
        for errors in (fp, fn)
    )
    starts, ends = _breaks(at_fp * fn_unit, at_fn * fp_unit, vertex // width)
    serves = starts < ends
    vertex, ties = vertex[serves], ties[serves]
    return Choice(
        starts[serves],
        np.searchsorted(vertex, width * np.arange(curves + 1)),
        rows_of_slices(vertex, ties),
        offsets_of(ties)[:-1],
    )


def _vertices(fp: NDArray[Any], fn: NDArray[Any]) -> tuple[IntArray, IntArray]:
    """Give the first candidate at each vertex of the hulls, and how many equal it: flat places."""
    is_new = np.ones(fp.shape, dtype=bool)
    np.not_equal(fp[:, 1:], fp[:, :-1], out=is_new[:, 1:])
    is_new[:, 1:] |= fn[:, 1:] != fn[:, :-1]
    first = np.flatnonzero(is_new)
    vertex = hulls(fp, -fn)
    repeats = vertex[~is_new.ravel()[vertex]]
    is_vertex = np.zeros(fp.size, dtype=bool)
    is_vertex[vertex] = is_vertex[first[np.searchsorted(first, repeats) - 1]] = True
    at = np.flatnonzero(is_vertex[first])
    return first[at], np.append(first, fp.size)[at + 1] - first[at]


def _breaks(fp: NDArray[Any], fn: NDArray[Any], curve: IntArray) -> tuple[FloatArray, FloatArray]:
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


def _judged(choice: Choice, count: NDArray[Any], size: NDArray[Any]) -> FloatArray:
    """(pieces,) mean rate of the tied candidates, from (curves, folds, candidates) counts."""
    exact = np.result_type(count.dtype, np.int64)
    ties = np.diff(choice.starts, append=len(choice.tied))
    curve = curve_of_rows(choice.offsets)
    errors = np.add.reduceat(count.ravel()[choice.tied].astype(exact), choice.starts)
    rate: FloatArray = errors / (ties * size.ravel()[curve])
    return rate
