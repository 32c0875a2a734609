"""Counts: quotients that are rounded once, products that cannot overflow."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.counts.exact import LARGEST_PRODUCT, expect_exact_products, quotient

counts = st.integers(0, 60) | st.integers(0, 2**62)
parts = st.tuples(counts, counts.filter(bool)).map(lambda pair: (min(pair), max(pair)))


@given(st.lists(parts, min_size=1, max_size=5))
def test_quotients_are_the_nearest_doubles(pairs: list[tuple[int, int]]) -> None:
    above, below = (np.array(column) for column in zip(*pairs, strict=True))
    expected = [float(Fraction(a, b)) for a, b in pairs]
    assert quotient(above, below).tolist() == expected


def test_products_up_to_the_bound_pass() -> None:
    expect_exact_products(np.array([2**31]), np.array([2**31 - 1]))
    expect_exact_products(np.array([1]), np.array([LARGEST_PRODUCT - 2**10]))
    with pytest.raises(ValueError, match=r"curve 1 has 1099511627776 neg.*more than 2\^62 pairs"):
        expect_exact_products(np.array([1, 2**40]), np.array([1, 2**40]))
