"""Counting what each threshold decides: the core of `operating_points.from_scores`."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from costcurves.maths.ordered_integers import ByBits, ByRank
from costcurves.maths.ragged import batches, blocks, offsets_of

Room = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]


def count_into(
    room: Room,
    score: NDArray[np.float64],
    label: NDArray[np.uint8],
    rows: NDArray[np.int64],
    order: ByBits | ByRank,
) -> NDArray[np.int64]:
    """Count the false and true positives of each curve at each distinct score; give its points.

    `room` is for fp_count, tp_count and threshold, each (n_rows + n_curves,), what most points
    need; points then stand end to end at its start, and behind them is nothing of worth. `score`
    may be the last n_rows places of the room for thresholds. `rows` are offsets of curves, none
    empty.

    >>> from costcurves.maths.ordered_integers import order_of
    >>> score, label = np.array([0.5, 0.5, 0.7]), np.array([0, 1, 0], dtype=np.uint8)
    >>> fp, tp, threshold = np.empty(4, np.int64), np.empty(4, np.int64), np.empty(4)
    >>> count_into((fp, tp, threshold), score, label, np.array([0, 3]), order_of(score))
    array([3])
    >>> fp[:3].tolist(), tp[:3].tolist(), threshold[:3].tolist()
    ([0, 1, 2], [0, 0, 1], [inf, 0.7, 0.5])
    """
    fp, tp, threshold = room
    sizes, end = np.empty(len(rows) - 1, dtype=np.int64), 0
    for first, last in batches(rows):
        batch, offsets = slice(rows[first], rows[last]), rows[first : last + 1] - rows[first]
        rest = fp[end:], tp[end:], threshold[end:]
        sizes[first:last] = _count_batch(rest, score[batch], label[batch], offsets, order)
        end += int(sizes[first:last].sum())
    return sizes


def _count_batch(
    room: Room,
    score: NDArray[np.float64],
    label: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    order: ByBits | ByRank,
) -> NDArray[np.int64]:
    """Count the points of a few curves; `offsets` are theirs, from 0.

    The room for the counts first holds the rows' keys and running positives: new memory would cost
    more than the arithmetic.
    """
    fp, tp, threshold = room
    rows = len(score) + 1
    keys = tp[1:rows]
    order.keys(score, label, out=keys)
    for start, end in pairwise(offsets.tolist()):
        keys[start:end].sort()
    above, sizes = _rows_above(keys, offsets)
    positives_above = _running_positives(keys, out=fp[:rows])
    positives_before = positives_above[offsets[:-1]]
    order.scores(keys)
    points = slice(0, len(above))
    np.take(tp[:rows].view(np.float64), above, mode="clip", out=threshold[points])
    np.take(positives_above, above, mode="clip", out=tp[points])
    np.subtract(above, tp[points], out=fp[points])
    if len(sizes) > 1:
        tp[points] -= np.repeat(positives_before, sizes)
        fp[points] -= np.repeat(offsets[:-1] - positives_before, sizes)
    threshold[offsets_of(sizes)[:-1]] = np.inf
    return sizes


def _rows_above(
    keys: NDArray[np.int64], offsets: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give the rows at or above each point's threshold (of all curves so far), and points a curve.

    A point stands where a curve starts and behind each last row of a score.
    """
    bits = keys.view(np.uint64)
    is_last = np.empty(len(keys), dtype=bool)
    for rows in blocks(len(keys) - 1):
        here, below = bits[:-1][rows], bits[1:][rows]
        np.greater(here ^ below, 1, out=is_last[:-1][rows])
    is_last[offsets[1:] - 1] = True
    above = np.flatnonzero(np.insert(is_last, offsets[:-1], True))
    curves = np.arange(len(offsets))
    sizes = np.diff(np.searchsorted(above, offsets + curves))
    if len(sizes) > 1:
        above -= np.repeat(curves[:-1], sizes)
    return above, sizes


def _running_positives(keys: NDArray[np.int64], out: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the positives in no row, in the first row, in the first two ... into `out`."""
    out[0] = 0
    np.bitwise_and(keys, 1, out=out[1:])
    return np.cumsum(out, out=out)
