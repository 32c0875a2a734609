"""Arithmetic on counts that stays exact: products that cannot overflow, quotients rounded once."""

import numpy as np

from costcurves.counts.elementwise import Array, FloatArray

LARGEST_PRODUCT = 2**62
LARGEST_INTEGER = 2**53


def quotient(above: Array, below: Array) -> FloatArray:
    """Divide counts, 0 <= above <= below, with one rounding, also those beyond double precision."""
    if below.dtype.kind == "i" and below.max(initial=0) > LARGEST_INTEGER:
        above, below = above.astype(object), below.astype(object)
    divided: FloatArray = np.asarray(above / below, dtype=np.float64)
    return divided


def expect_exact_products(negatives: Array, positives: Array) -> None:
    """Refuse classes of which products of counts could overflow 64 bits.

    Twice the number of pairs must fit; it does for all curves of less than 2^32 instances.
    """
    for i in np.flatnonzero(negatives.astype(np.float64) * positives >= LARGEST_PRODUCT):
        raise ValueError(
            f"curve {i} has {negatives[i]} negatives and {positives[i]} positives: "
            "more than 2^62 pairs"
        )
