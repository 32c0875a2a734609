"""Upper left convex hulls of many curves at once, exact on integers.

Quickhull (W. F. Eddy, ACM Transactions on Mathematical Software 3, 398-403, 1977,
https://doi.org/10.1145/355759.355766) on all curves together: each pass makes the highest point
above each edge a vertex and drops what is not above an edge. The triangle above an edge that may
still hold points loses three quarters of its area in a pass: with integers,
``log4(width * height) + 2`` passes end it, 33 at most, wherever the points lie. Before it come up
to 16 rounds that drop what is not above the chord of its neighbours, which mostly leave it nothing
to do. Only corners are looked at, where y has risen and x is to rise. Large curves are walked from
coarse to fine: in a block of neighbours is no vertex if the block's upper left corner is not above
the hull of a sample.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costcurves.counts.elementwise import Array, IntArray
from costcurves.counts.ragged import falls, rows_of_slices

ROUNDS = 16  # after which quickhull takes over: it needs few passes wherever points lie
SMALL = 2**13  # points of a curve, on average, up to which looking for corners is faster


def hull(x: ArrayLike, y: ArrayLike, offsets: ArrayLike) -> IntArray:
    """Find the vertices of the upper left convex hulls of many curves, as indices, rising.

    A hull runs from a curve's first point to the last that is as high as any, and the slopes of its
    edges fall strictly: no vertex lies on or below the chord of its neighbours. Of equal points the
    first is the vertex. `y` may fall; (n_points,) integers are treated exactly, floats in double
    precision, as long as the width of a curve times its height is below 2^62 (as
    `counts.exact.expect_exact_products` has it). `offsets` are (n_curves + 1,), of curves that may
    be empty. An `x` that falls within a curve is a ValueError.
    """
    x, y, offsets = _exact(np.asarray(x)), _exact(np.asarray(y)), np.asarray(offsets)
    for i in falls(x, offsets):
        raise ValueError(f"x falls from {x[i - 1]} to {x[i]} within a curve, expected it to rise")
    if len(falls(y, offsets)) == 0:
        return _staircase_hull(x, y, offsets)
    highest = np.empty_like(y)
    for start, end in pairwise(offsets.tolist()):
        np.maximum.accumulate(y[start:end], out=highest[start:end])
    rows = np.flatnonzero(y == highest)
    return rows[_staircase_hull(x[rows], y[rows], np.searchsorted(rows, offsets))]


def hulls(x: Array, y: Array) -> IntArray:
    """Find the vertices of hulls of many curves of equally many points, as flat places, rising.

    As by `hull`; but of points that equal the last of a curve the last may stand for them.
    """
    curves, width = x.shape
    if width > SMALL or (y[:, 1:] < y[:, :-1]).any():
        return hull(x.ravel(), y.ravel(), width * np.arange(curves + 1))
    rows, is_end = _corners_of_curves(x, y)
    return rows[_convex(_exact(x.ravel()[rows]), _exact(y.ravel()[rows]), is_end)]


def _corners_of_curves(x: Array, y: Array) -> tuple[IntArray, NDArray[np.bool_]]:
    """Return the places that may be vertices, as `_corners`, and which of them end curves."""
    rises = np.ones(x.shape, dtype=bool)
    np.greater(y[:, 1:-1], y[:, :-2], out=rises[:, 1:-1])
    rows = np.flatnonzero(rises)
    last = np.cumsum(np.count_nonzero(rises, axis=1)) - 1
    is_end = np.zeros(len(rows), dtype=bool)
    is_end[last] = is_end[np.append(0, last[:-1] + 1)] = True
    across = x.ravel()[rows]
    kept = is_end.copy()
    kept[:-1] |= across[1:] > across[:-1]
    return rows[kept], is_end[kept]


def _staircase_hull(x: Array, y: Array, offsets: IntArray) -> IntArray:
    """Find the vertices of hulls of curves on which neither `x` nor `y` falls."""
    first, size = offsets[:-1], np.diff(offsets)
    starts, size = first[size > 0], size[size > 0]
    ends = np.union1d(starts, starts + size - 1)
    if len(x) > SMALL * len(starts):
        vertices = _near_hulls(x, y, starts, size, ends)
    else:
        vertices = _convex_rows(x, y, _corners(x, y, ends), ends)
    return _first_equals(x, y, vertices, starts)


def _near_hulls(x: Array, y: Array, first: IntArray, size: IntArray, ends: IntArray) -> IntArray:
    """Return the rows that may be vertices: those above the hulls of finer and finer samples."""
    chain = ends
    levels = max(1, int(size.max(initial=1)).bit_length() // 2)
    for level in reversed(range(levels)):  # a block is split into four, at last into rows
        first, size = _split(first, size, 4**level)
        edge = np.searchsorted(chain, first, side="right") - 1
        corner_above = height_above(x, y, chain, edge, x[first], y[first + size - 1]) > 0
        first, size, edge = first[corner_above], size[corner_above], edge[corner_above]
        sample = first[height_above(x, y, chain, edge, x[first], y[first]) > 0]
        rows = np.sort(np.concatenate((chain, sample)))
        rows = rows[_corners(x[rows], y[rows], np.searchsorted(rows, ends))]
        chain = _convex_rows(x, y, rows, ends)
    return chain


def _corners(x: Array, y: Array, ends: IntArray) -> IntArray:
    """Return the rows that may be vertices: with `ends`, where y has risen before x rises again."""
    kept = np.zeros(len(x), dtype=bool)
    kept[1:] = y[1:] > y[:-1]
    kept[ends] = True
    rows = np.flatnonzero(kept)
    kept = np.zeros(len(rows), dtype=bool)
    kept[:-1] = x[rows[1:]] > x[rows[:-1]]
    kept[np.searchsorted(rows, ends)] = True
    return rows[kept]


def _first_equals(x: Array, y: Array, rows: IntArray, starts: IntArray) -> IntArray:
    """Return the first rows that equal `rows` of curves on which neither `x` nor `y` falls."""
    start = starts[np.searchsorted(starts, rows, side="right") - 1]
    before = np.maximum(rows - 1, start)
    repeats = (x[before] == x[rows]) & (y[before] == y[rows]) & (rows > start)
    result = rows.copy()
    for i in np.flatnonzero(repeats):
        same_x = start[i] + np.searchsorted(x[start[i] : rows[i]], x[rows[i]])
        result[i] = same_x + np.searchsorted(y[same_x : rows[i]], y[rows[i]])
    return result[np.append(True, result[1:] != result[:-1])] if len(result) else result


def _convex_rows(x: Array, y: Array, rows: IntArray, ends: IntArray) -> IntArray:
    """Return those of some corners that are vertices; `ends` are first and last rows of curves."""
    is_end = np.zeros(len(rows), dtype=bool)
    is_end[np.searchsorted(rows, ends)] = True
    return rows[_convex(x[rows], y[rows], is_end)]


def _convex(x: Array, y: Array, is_end: NDArray[np.bool_]) -> IntArray:
    """Return the places of the vertices among corners, of which no two neighbours are equal.

    Rounds that drop half of what is left are far cheaper than passes of quickhull.
    """
    rows = np.arange(len(x))
    for _ in range(ROUNDS):
        dx, dy = np.diff(x), np.diff(y)
        kept = is_end.copy()
        kept[1:-1] |= dy[:-1] * dx[1:] > dx[:-1] * dy[1:]
        left = np.flatnonzero(kept)
        if len(left) == len(rows):
            return rows
        x, y, rows, is_end = x.take(left), y.take(left), rows.take(left), is_end.take(left)
    return rows[_quickhull(x, y, is_end)]


def _quickhull(x: Array, y: Array, is_end: NDArray[np.bool_]) -> IntArray:
    """Return the places of the vertices among points; some are known to be first or last ones."""
    rows, is_vertex = np.arange(len(x)), is_end.copy()
    while not is_vertex.all():
        edge = np.cumsum(is_vertex) - 1
        height = height_above(x, y, rows[is_vertex], edge, x[rows], y[rows])
        top = np.maximum.reduceat(height, np.flatnonzero(is_vertex))
        is_above = height > 0
        peaks = np.flatnonzero(is_above & (height == top[edge]))
        is_vertex[peaks[np.diff(edge[peaks], prepend=-1) > 0]] = True
        kept = is_above | is_vertex
        rows, is_vertex = rows[kept], is_vertex[kept]
    return rows


def height_above(
    x: Array, y: Array, chain: IntArray, edge: IntArray, point_x: Array, point_y: Array
) -> Array:
    """Return how far points are above their edges of a chain of rows, times the edges' lengths."""
    left_x, left_y = x[chain], y[chain]
    dx, dy = np.diff(left_x, append=left_x[-1:]), np.diff(left_y, append=left_y[-1:])
    height: Array = dx[edge] * (point_y - left_y[edge]) - dy[edge] * (point_x - left_x[edge])
    return height


def _split(first: IntArray, size: IntArray, stride: int) -> tuple[IntArray, IntArray]:
    """Split blocks of rows into blocks of `stride` rows and, at their ends, of less."""
    parts = -(-size // stride)
    before = rows_of_slices(np.zeros_like(parts), parts) * stride
    return np.repeat(first, parts) + before, np.minimum(np.repeat(size, parts) - before, stride)


def _exact(values: Array) -> Array:
    """Return integers as those of 64 bits, in which products are exact."""
    return values if values.dtype.kind == "f" else values.astype(np.int64, copy=False)
