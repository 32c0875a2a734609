"""Many curves end to end in flat arrays: curve `i` is the slice ``offsets[i]:offsets[i + 1]``."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costcurves.counts.elementwise import Array, IntArray

BATCH = 2**17


def offsets_of(sizes: NDArray[np.integer]) -> IntArray:
    """Return the (n_curves + 1,) offsets of curves with these sizes, laid end to end.

    >>> offsets_of(np.array([2, 0, 3])).tolist()
    [0, 2, 2, 5]
    """
    offsets = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return offsets


def curve_of_rows(offsets: IntArray) -> IntArray:
    """Return the curve that each row belongs to."""
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def rows_of_slices(starts: IntArray, sizes: IntArray) -> IntArray:
    """Return the row numbers of many slices, one slice after the other.

    >>> rows_of_slices(np.array([7, 2]), np.array([3, 2])).tolist()
    [7, 8, 9, 2, 3]
    """
    shift = starts - offsets_of(sizes)[:-1]
    return np.repeat(shift, sizes) + np.arange(sizes.sum())


def framed(values: Array, offsets: IntArray, before: ArrayLike, after: ArrayLike) -> Array:
    """Put a value before the first row of each curve and one behind its last.

    >>> framed(np.array([5, 6, 7]), np.array([0, 2, 2, 3]), 0, [9, 8, 7]).tolist()
    [0, 5, 6, 9, 0, 8, 0, 7, 7]
    """
    places = np.stack((offsets[:-1], offsets[1:]), axis=1).ravel()
    frame = np.stack(np.broadcast_arrays(before, after, offsets[1:])[:2], axis=1).ravel()
    return np.insert(values, places, frame)


def falls(values: Array, offsets: IntArray) -> IntArray:
    """Return the rows whose value is below that of the row before, within a curve.

    >>> falls(np.array([1, 0, 0, 2, 1]), np.array([0, 1, 5])).tolist()
    [4]
    """
    rows = np.flatnonzero(values[1:] < values[:-1]) + 1
    is_start = np.zeros(len(values) + 1, dtype=bool)
    is_start[offsets] = True
    return rows[~is_start[rows]]


def steps(values: Array, first: IntArray) -> Array:
    """Return how far values are from those of the row before; in the `first` rows, from 0.

    >>> steps(np.array([1, 3, 2, 5]), np.array([0, 2])).tolist()
    [1, 2, 2, 3]
    """
    rises: Array = np.diff(values, prepend=0)
    rises[first] = values[first]
    return rises


def batches(offsets: IntArray, rows: int = BATCH) -> Iterator[tuple[int, int]]:
    """Cut the curves into runs `first` to `last - 1` of neighbours with about `rows` rows together.

    Small curves are worked on together, so that a thousand of them cost no thousand calls, and
    large ones alone, so that what one call needs stays in the processor's cache.

    >>> list(batches(np.array([0, 4, 8, 30, 34]), rows=10))
    [(0, 2), (2, 3), (3, 4)]
    """
    bin_of_curve = (offsets[1:] - 1) // rows
    cuts = np.flatnonzero(np.diff(bin_of_curve)) + 1
    bounds = [0, *cuts.tolist(), len(bin_of_curve)]
    return ((a, b) for a, b in pairwise(bounds) if a < b)


def without_gaps(codes: NDArray[np.integer]) -> tuple[IntArray, IntArray]:
    """Return the codes that occur, rising, and the place of each one's code among them.

    >>> [found.tolist() for found in without_gaps(np.array([7, 2, 7]))]
    [[2, 7], [1, 0, 1]]
    """
    occurs = np.bincount(codes) > 0
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[codes]


def order_by(codes: NDArray[np.integer], count: int) -> IntArray:
    """Return the rows in the order of their codes, those of a code as they were.

    >>> order_by(np.array([1, 0, 1]), 2).tolist()
    [1, 0, 2]
    """
    small = codes.astype(np.min_scalar_type(max(count - 1, 0)), copy=False)
    return np.argsort(small, kind="stable")  # a radix sort, where codes have 16 bits at most
