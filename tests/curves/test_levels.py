"""The k-level of lines, against exact fractions."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.curves.levels import k_level

Counts = list[tuple[int, int]]

sizes = st.integers(1, 9)
lines = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=30)


@given(lines, st.data(), sizes, sizes)
def test_it_is_the_kth_lowest_everywhere_and_breaks_only_where_lines_cross(
    pairs: Counts, data: st.DataObject, negatives: int, positives: int
) -> None:
    k = data.draw(st.integers(1, len(pairs)))
    fp, fn = zip(*pairs, strict=True)
    level = k_level(fp, fn, k, negatives, positives)
    exact = [(Fraction(f, negatives), Fraction(g, positives)) for f, g in pairs]
    for pc in [*level.pc, *(level.pc[:-1] + level.pc[1:]) / 2]:
        x = Fraction(float(pc))
        heights = sorted(at0 * (1 - x) + at1 * x for at0, at1 in exact)
        assert level(pc) == pytest.approx(float(heights[k - 1]), abs=4e-15)
    assert (np.diff([level.at0, level.at1]) != 0).any(axis=0).all()
    steps = [(a - c, d - b) for (a, b), (c, d) in product(exact, exact)]
    assert {*level.pc[1:-1]} <= {float(at0 / (at0 + at1)) for at0, at1 in steps if at0 * at1 > 0}


def test_large_counts_agree_with_sorting() -> None:
    rng = np.random.default_rng(20061)
    fp, fn = rng.binomial(10**7, 0.2, 2000), rng.binomial(10**7, 0.1, 2000)
    places = np.linspace(0, 1, 301)
    heights = np.sort(np.outer(1 - places, fp / 10**7) + np.outer(places, fn / 10**7), axis=1)
    for k in (1, 100, 1000, 2000):
        level = k_level(fp, fn, k, 10**7, 10**7)
        np.testing.assert_allclose(level(places), heights[:, k - 1], rtol=0, atol=1e-15)
