"""Counting what each threshold decides: the core of `operating_points.from_scores`."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from costcurves.counts.elementwise import Array, FloatArray, IntArray
from costcurves.counts.ordered_integers import ByBits, ByRank
from costcurves.counts.ragged import batches, offsets_of
from costcurves.tables.codes import blocks

Labels = NDArray[np.uint8]
Counted = tuple[Array, Array, FloatArray, IntArray]


def count(score: FloatArray, label: Labels, rows: IntArray, order: ByBits | ByRank) -> Counted:
    """Count the false and true positives of each curve at each distinct score.

    Counts, thresholds and offsets of the points, each curve from (0, 0) at ``+inf``. `rows` are
    offsets of curves, none empty.
    """
    most = len(score) + len(rows) - 1
    fp, tp, threshold = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most)
    sizes, end = np.empty(len(rows) - 1, dtype=np.int64), 0
    for first, last in batches(rows):
        batch, offsets = slice(rows[first], rows[last]), rows[first : last + 1] - rows[first]
        room = fp[end:], tp[end:], threshold[end:]
        sizes[first:last] = _count_batch(room, score[batch], label[batch], offsets, order)
        end += int(sizes[first:last].sum())
    if 2 * end <= most:  # else most of the memory would be held for nothing
        fp, tp, threshold = fp[:end].copy(), tp[:end].copy(), threshold[:end].copy()
    return fp[:end], tp[:end], threshold[:end], offsets_of(sizes)


def weigh(
    score: FloatArray, label: Labels, weight: Array, rows: IntArray, order: ByBits | ByRank
) -> Counted:
    """Add up the weights of the false and true positives of each curve at each distinct score.

    As `count`; sums have the type of the weights. Weights have to follow the scores into their
    order, so here an `argsort` is needed.
    """
    keys = np.empty(len(score), dtype=np.int64)
    order.keys(score, label, out=keys)
    curves = [_weigh_curve(keys[a:b], weight[a:b]) for a, b in pairwise(rows.tolist())]
    fp, tp, last = (np.concatenate(column) for column in zip(*curves, strict=True))
    offsets = offsets_of(np.array([len(steps) for steps, _, _ in curves]))
    threshold = order.scores(last)
    threshold[offsets[:-1]] = np.inf
    return fp, tp, threshold, offsets


def _weigh_curve(keys: IntArray, weight: Array) -> tuple[Array, Array, IntArray]:
    """Return the running sums of one curve behind each distinct score, and the keys there.

    The first point, before all scores, has the first score's key for want of another.
    """
    falling = np.argsort(keys)
    keys, weight = keys.take(falling), weight.take(falling)
    last = np.flatnonzero(np.append((keys[1:] ^ keys[:-1]).view(np.uint64) > 1, True))
    of_positives = weight * (keys & 1)
    fp, tp = (
        np.append(np.zeros(1, weight.dtype), np.cumsum(part)[last])
        for part in (weight - of_positives, of_positives)
    )
    return fp, tp, np.append(keys[0], keys[last])


def _count_batch(
    room: tuple[IntArray, IntArray, FloatArray],
    score: FloatArray,
    label: Labels,
    offsets: IntArray,
    order: ByBits | ByRank,
) -> IntArray:
    """Write the points of a few curves, of which `offsets` are from 0, and give their numbers.

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
    positives_above = fp[:rows]  # in no row, in the first row, in the first two ...
    positives_above[0] = 0
    np.cumsum(np.bitwise_and(keys, 1, out=positives_above[1:]), out=positives_above[1:])
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


def _rows_above(keys: IntArray, offsets: IntArray) -> tuple[IntArray, IntArray]:
    """Return the rows at or above each point's threshold (of all curves so far), and points.

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
