"""Upper left convex hulls of many curves at once, exact on integers.

References
----------
.. [1] W. F. Eddy, "A new convex hull algorithm for planar sets", ACM Transactions on Mathematical
   Software 3, 398-403, 1977. https://doi.org/10.1145/355759.355766
"""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costcurves.maths.exact import LARGEST_PRODUCT
from costcurves.maths.ragged import falls, rows_of_slices

SMALL = 2**13  # points of a curve, on average, up to which looking for corners is faster


def hull(x: ArrayLike, y: ArrayLike, offsets: ArrayLike) -> NDArray[np.int64]:
    """Find the vertices of the upper left convex hulls of many curves at once.

    A hull runs from a curve's first point to the last that is as high as any, and the slopes of its
    edges fall strictly: no vertex lies on or below the chord of its neighbours. Of equal points the
    first is the vertex.

    Parameters
    ----------
    x, y
        Coordinates, all curves end to end, shape (n_points,); `x` must not fall within a curve, `y`
        may. Integers are treated exactly, floats in double precision.
    offsets
        Where each curve starts and the last ends, shape (n_curves + 1,).

    Returns
    -------
    Indices of the vertices, rising, shape (n_vertices,). A curve without points has none.

    Raises
    ------
    ValueError
        "x falls from 5 to 3 at point 7, within a curve"; "a curve is 2147483648 wide and
        2147483648 high ..." where a product of integers could overflow, from 2^62; x or y that is
        not a row of finite numbers; lengths that do not fit; offsets that fall.

    Notes
    -----
    Quickhull [1]_ on all curves together: each pass makes the highest point above each edge a
    vertex and drops what is not above an edge. The triangle above an edge that may still hold
    points loses three quarters of its area in a pass: with integers, ``log4(width * height) + 2``
    passes end it, 33 at most, wherever the points lie. Of small curves only corners are looked at,
    where y has risen and x is to rise. Large curves are walked from coarse to fine:
    in a block of neighbours is no vertex if the block's upper left corner is not above the hull of
    a sample, so few points are looked at.

    Examples
    --------
    >>> hull([0, 0, 1, 2, 3, 3], [0, 2, 2, 3, 3, 4], [0, 6]).tolist()
    [0, 1, 5]
    >>> hull([], [], [0, 0]).tolist()
    []
    """
    x, y, offsets = _row("x", x), _row("y", y), np.asarray(offsets)
    if len(x) != len(y) or offsets[0] != 0 or offsets[-1] != len(x):
        raise ValueError(f"{len(x)} x, {len(y)} y and offsets to {offsets[-1]}, expected equals")
    if (np.diff(offsets) < 0).any():
        raise ValueError(f"offsets {offsets} fall")
    for i in falls(x, offsets):
        raise ValueError(f"x falls from {x[i - 1]} to {x[i]} at point {i}, within a curve")
    if len(falls(y, offsets)) == 0:
        return _staircase_hull(x, y, offsets)
    rows = _as_high_as_any_before(y, offsets)
    return rows[_staircase_hull(x[rows], y[rows], np.searchsorted(rows, offsets))]


def _staircase_hull(
    x: NDArray[Any], y: NDArray[Any], offsets: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Find the vertices of hulls of curves on which neither `x` nor `y` falls."""
    first, size = offsets[:-1], np.diff(offsets)
    starts, size = first[size > 0], size[size > 0]
    last = starts + size - 1
    _expect_exact_products(x[last] - x[starts], y[last] - y[starts])
    ends = np.union1d(starts, last)
    small = len(x) <= SMALL * len(starts)
    rows = _corners(x, y, ends) if small else _near_hulls(x, y, starts, size, ends)
    return _first_equals(x, y, _quickhull(x, y, rows, ends), starts)


def _near_hulls(
    x: NDArray[Any],
    y: NDArray[Any],
    first: NDArray[np.int64],
    size: NDArray[np.int64],
    ends: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Give the rows that may be vertices: those above the hulls of finer and finer samples."""
    chain = ends
    for stride in _strides(int(size.max(initial=1))):
        first, size = _split(first, size, stride)
        edge = np.searchsorted(chain, first, side="right") - 1
        corner_above = _height(x, y, chain, edge, x[first], y[first + size - 1]) > 0
        first, size, edge = first[corner_above], size[corner_above], edge[corner_above]
        sample = first[_height(x, y, chain, edge, x[first], y[first]) > 0]
        chain = _quickhull(x, y, np.sort(np.concatenate((chain, sample))), ends)
    return chain


def _corners(x: NDArray[Any], y: NDArray[Any], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the rows that may be vertices: with `ends`, where y has risen before x rises again."""
    kept = np.zeros(len(x), dtype=bool)
    kept[1:] = y[1:] > y[:-1]
    kept[ends] = True
    rows = np.flatnonzero(kept)
    kept = np.zeros(len(rows), dtype=bool)
    kept[:-1] = x[rows[1:]] > x[rows[:-1]]
    kept[np.searchsorted(rows, ends)] = True
    return rows[kept]


def _first_equals(
    x: NDArray[Any], y: NDArray[Any], rows: NDArray[np.int64], starts: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Give the first rows that equal `rows` of curves on which neither `x` nor `y` falls."""
    start = starts[np.searchsorted(starts, rows, side="right") - 1]
    before = np.maximum(rows - 1, start)
    repeats = (x[before] == x[rows]) & (y[before] == y[rows]) & (rows > start)
    result = rows.copy()
    for i in np.flatnonzero(repeats):
        same_x = start[i] + np.searchsorted(x[start[i] : rows[i]], x[rows[i]])
        result[i] = same_x + np.searchsorted(y[same_x : rows[i]], y[rows[i]])
    return np.unique(result)


def _quickhull(
    x: NDArray[Any], y: NDArray[Any], rows: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Give those of `rows` that are vertices; `ends` are the first and last rows of the curves."""
    is_vertex = np.zeros(len(rows), dtype=bool)
    is_vertex[np.searchsorted(rows, ends)] = True
    while not is_vertex.all():
        edge = np.cumsum(is_vertex) - 1
        height = _height(x, y, rows[is_vertex], edge, x[rows], y[rows])
        top = np.maximum.reduceat(height, np.flatnonzero(is_vertex))
        is_above = height > 0
        peaks = np.flatnonzero(is_above & (height == top[edge]))
        is_vertex[peaks[np.diff(edge[peaks], prepend=-1) > 0]] = True
        kept = is_above | is_vertex
        rows, is_vertex = rows[kept], is_vertex[kept]
    return rows


def _height(
    x: NDArray[Any],
    y: NDArray[Any],
    chain: NDArray[np.int64],
    edge: NDArray[np.int64],
    point_x: NDArray[Any],
    point_y: NDArray[Any],
) -> NDArray[Any]:
    """Give how far points are above their edges of a chain of rows, times the edges' lengths."""
    left_x, left_y = x[chain], y[chain]
    dx, dy = np.diff(left_x, append=left_x[-1:]), np.diff(left_y, append=left_y[-1:])
    height: NDArray[Any] = dx[edge] * (point_y - left_y[edge]) - dy[edge] * (point_x - left_x[edge])
    return height


def _strides(largest: int) -> list[int]:
    """Give the sizes of blocks, each to be split into four of the next; the last is 1."""
    levels = max(1, largest.bit_length() // 2)
    return [4**level for level in reversed(range(levels))]


def _split(
    first: NDArray[np.int64], size: NDArray[np.int64], stride: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Split blocks of rows into blocks of `stride` rows and, at their ends, of less."""
    parts = -(-size // stride)
    before = rows_of_slices(np.zeros_like(parts), parts) * stride
    return np.repeat(first, parts) + before, np.minimum(np.repeat(size, parts) - before, stride)


def _as_high_as_any_before(y: NDArray[Any], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the rows that no earlier point of their curve is above."""
    highest = np.empty_like(y)
    for start, end in pairwise(offsets.tolist()):
        np.maximum.accumulate(y[start:end], out=highest[start:end])
    return np.flatnonzero(y == highest)


def _row(name: str, values: ArrayLike) -> NDArray[Any]:
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "biuf":
        raise ValueError(f"{name} of shape {array.shape} and type {array.dtype}, expected numbers")
    if array.dtype.kind != "f":
        return array.astype(np.int64, copy=False)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} at point {np.argmin(np.isfinite(array))} is not finite")
    return array.astype(np.float64, copy=False)


def _expect_exact_products(width: NDArray[Any], height: NDArray[Any]) -> None:
    if width.dtype.kind != "i" or height.dtype.kind != "i":
        return
    w, h = int(width.max(initial=0)), int(height.max(initial=0))
    if w * h >= LARGEST_PRODUCT:
        raise ValueError(f"a curve is {w} wide and {h} high, expected a product below 2^62")
