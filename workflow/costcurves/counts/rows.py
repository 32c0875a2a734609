"""Rows of predictions, checked: scores, decisions, labels, and which curve each row belongs to."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costcurves.counts.elementwise import Array, FloatArray, IntArray
from costcurves.counts.exact import LARGEST_INTEGER


def expect_both_classes(label: NDArray[np.uint8], offsets: IntArray) -> None:
    """Refuse curves of one class."""
    positives = np.add.reduceat(label, offsets[:-1], dtype=np.int64)
    negatives = np.diff(offsets) - positives
    one_class = np.flatnonzero((negatives == 0) | (positives == 0))
    for i in one_class[:1]:
        raise ValueError(
            f"curve {i} has {positives[i]} positives and {negatives[i]} negatives, expected both "
            f"({len(one_class)} of {len(positives)} curves have one class only)"
        )


def doubles(scores: ArrayLike) -> FloatArray:
    """Check that double precision holds scores exactly; `order_of` checks that they are finite."""
    array = _one_dimension("score", scores)
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        raise ValueError(f"scores of type {array.dtype}, expected numbers in double precision")
    if array.dtype.kind in "iu" and array.size:
        largest = max(int(array.max()), -int(array.min()))
        if largest > LARGEST_INTEGER:
            raise ValueError(
                f"a score of {largest} in size, expected integers up to 2^53 "
                "(beyond it, different ones are equal in double precision)"
            )
    return np.ascontiguousarray(array, dtype=np.float64)


def binary(name: str, values: ArrayLike) -> NDArray[np.uint8]:
    """Check labels or decisions, 0 and 1 or booleans; bytes are not copied."""
    array = _one_dimension(name, values)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name}s of type {array.dtype}, expected 0 and 1")
    if array.dtype.kind == "f" or array.min(initial=0) < 0 or array.max(initial=0) > 1:
        for i in np.flatnonzero((array != 0) & (array != 1))[:1]:
            exchanged = "; are two arrays exchanged?" if len(np.unique(array)) > 2 else ""
            raise ValueError(f"{name} at index {i} is {array[i]}, expected 0 or 1{exchanged}")
    return array.view(np.uint8) if array.dtype.itemsize == 1 else array.astype(np.uint8)


def curve_codes(codes: ArrayLike, rows: int) -> tuple[IntArray, IntArray]:
    """Check codes of curves, 0 to less than `rows`; give them and how often each occurs."""
    array = _one_dimension("group code", codes)
    expect_length("group codes", array, rows)
    if rows == 0:
        raise ValueError("no rows")
    if array.dtype.kind not in "iu":
        raise ValueError(f"group codes of type {array.dtype}, expected integers from 0")
    for i in np.flatnonzero((array < 0) | (array >= rows))[:1]:
        raise ValueError(
            f"group code at index {i} is {array[i]}, expected 0 to {rows - 1} "
            f"({rows} rows make no more curves)"
        )
    curves = array.astype(np.int64, copy=False)
    sizes = np.bincount(curves)
    for curve in np.flatnonzero(sizes == 0):
        raise ValueError(f"curve {curve} is empty: nothing has its code")
    return curves, sizes


def _one_dimension(name: str, values: ArrayLike) -> Array:
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"{name}s of shape {array.shape}, expected one dimension")
    return array


def expect_length(name: str, array: Array, length: int) -> None:
    """Raise ValueError ("labels of length 3, expected 4") where a length is another."""
    if len(array) != length:
        raise ValueError(f"{name} of length {len(array)}, expected {length}")


def expect_weights(weights: ArrayLike, length: int) -> Array:
    """Check weights: numbers, finite, none negative."""
    array = np.asarray(weights)
    if array.ndim != 1 or array.dtype.kind not in "biuf":
        raise ValueError(f"weights of shape {array.shape} and type {array.dtype}, expected numbers")
    expect_length("weights", array, length)
    for i in np.flatnonzero(~((array >= 0) & np.isfinite(array)))[:1]:
        raise ValueError(f"weight at index {i} is {array[i]}, expected a finite number, at least 0")
    return array.astype(np.float64 if array.dtype.kind == "f" else np.int64, copy=False)


def expect_weighty(negatives: Array, positives: Array) -> None:
    """Refuse curves of which a class weighs nothing, or more than a double holds."""
    for name, total in (("negatives", negatives), ("positives", positives)):
        for i in np.flatnonzero(~((total > 0) & np.isfinite(total)))[:1]:
            raise ValueError(
                f"the {name} of curve {i} weigh {total[i]}, expected a finite weight above 0"
            )
