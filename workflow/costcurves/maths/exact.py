"""Arithmetic on counts that stays exact: products that cannot overflow, quotients rounded once."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGEST_PRODUCT = 2**62
LARGEST_INTEGER = 2**53


def quotient(above: NDArray[Any], below: NDArray[Any]) -> NDArray[np.float64]:
    """Divide counts, 0 <= above <= below, with one rounding, also those beyond double precision.

    >>> quotient(np.array([1, 2**60 - 1]), np.array([3, 2**60 - 1])).tolist()
    [0.3333333333333333, 1.0]
    """
    if below.dtype.kind == "i" and below.max(initial=0) > LARGEST_INTEGER:
        above, below = above.astype(object), below.astype(object)
    divided: NDArray[np.float64] = np.asarray(above / below, dtype=np.float64)
    return divided


def expect_exact_products(negatives: NDArray[Any], positives: NDArray[Any]) -> None:
    """Refuse classes of which products of counts could overflow 64 bits.

    Twice the number of pairs must fit; it does for all curves of less than 2^32 instances.

    >>> expect_exact_products(np.array([2**31]), np.array([2**31]))
    Traceback (most recent call last):
    ValueError: curve 0 has 2147483648 negatives and 2147483648 positives: more than 2^62 pairs
    """
    for i in np.flatnonzero(negatives.astype(np.float64) * positives >= LARGEST_PRODUCT):
        raise ValueError(
            f"curve {i} has {negatives[i]} negatives and {positives[i]} positives: "
            "more than 2^62 pairs"
        )
