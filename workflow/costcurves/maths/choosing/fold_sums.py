"""Sums over folds: of the others, of all; exact where integers on one scale can hold them.

The last axis of all arrays is the candidates, the one before it the folds.
"""

import math

import numpy as np

from costcurves.maths.counts.elementwise import Array

EXACT = 2**31  # products of two integers below it are exact in int64


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
        largest = int(count.max(initial=0)) * unit // int(size.min())
        if largest * count.shape[-2] < EXACT:
            times = (unit // size).astype(count.dtype)
            return (count if (times == 1).all() else count * times[..., np.newaxis]), unit
    return count / size[..., np.newaxis], 1


def as_they_are(count: Array, _: Array) -> tuple[Array, int]:
    """Leave counts as they are, so that folds count by their sizes: one pool of instances."""
    return count, 1
