"""Counts: quotients that are rounded once, products that cannot overflow."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.counts.counted import as_counts
from costcurves.counts.exact import LARGEST_PRODUCT, expect_exact_products, quotient
from costcurves.counts.operating_points import OperatingPoints

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


@pytest.mark.parametrize(("weight", "kind"), [(3.0, "i"), (0.5, "f"), (2.0**31, "f")])
def test_weights_are_integers_only_if_all_are_whole_and_not_too_large(
    weight: float, kind: str
) -> None:
    ones, offsets = np.ones(1), np.array([0, 1])
    points = as_counts(OperatingPoints(ones, ones, ones, offsets, ones, np.array([weight])))
    assert points.fp_count.dtype.kind == points.positives.dtype.kind == kind
    assert (points.fp_count[0], points.positives[0]) == (1, weight)
