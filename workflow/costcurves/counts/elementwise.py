"""Types of arrays; arguments and results of functions that work element by element."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]
IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
Values = Any  # a float where all arguments are numbers, else a `FloatArray`
Pair = tuple[Values, Values]


def refuse(bad: ArrayLike, values: ArrayLike, message: str) -> None:
    """Raise ValueError with the message and the first bad value, if there is one."""
    if np.any(bad):
        first = np.asarray(values, dtype=np.float64)[np.asarray(bad)].flat[0]
        raise ValueError(f"{message}, found {float(first)!r}")


def finite(name: str, values: ArrayLike) -> FloatArray:
    """Return a float array whose values are all finite, else raise ValueError."""
    array = np.asarray(values, dtype=np.float64)
    refuse(~np.isfinite(array), array, f"{name} must be finite")
    return array


def rate(name: str, values: ArrayLike) -> FloatArray:
    """Return a float array whose values are all in [0, 1], else raise ValueError."""
    array = np.asarray(values, dtype=np.float64)
    refuse(~((array >= 0) & (array <= 1)), array, f"{name} must be in [0, 1]")
    return array


def quotient(above: FloatArray, below: FloatArray) -> FloatArray:
    """Divide; raise ValueError where the quotient is beyond the floating-point numbers."""
    with np.errstate(over="ignore"):
        divided = np.asarray(above / below)
    refuse(~np.isfinite(divided), divided, "the result is beyond the floating-point numbers")
    return divided


def plain(values: FloatArray) -> float | FloatArray:
    """Turn an array without dimensions into a float."""
    return float(values) if np.ndim(values) == 0 else values


def pair(first: FloatArray, second: FloatArray) -> Pair:
    """Broadcast two results, and turn arrays without dimensions into floats."""
    a, b = np.broadcast_arrays(first, second)
    return plain(a.copy()), plain(b.copy())
