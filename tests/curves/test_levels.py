"""The k-level of lines, against exact fractions; isotonic rates by hulls, against scipy's."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import isotonic_regression

from costcurves.curves.isotonic import isotonic
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


@given(
    st.tuples(st.integers(1, 4), st.integers(1, 12)).flatmap(
        lambda shape: st.tuples(
            arrays(float, shape[1], elements=st.sampled_from([0.25, 1 / 3, 1.0, 7.0])),
            arrays(float, shape, elements=st.sampled_from([0.0, 0.2, 0.5, 1.0])),
        )
    )
)
def test_rates_are_those_of_pooling(given: tuple[np.ndarray, np.ndarray]) -> None:
    cases, rates = given
    for fitted, rate in zip(isotonic(cases, rates * cases), rates, strict=True):
        expected = isotonic_regression(rate, weights=cases).x
        np.testing.assert_allclose(fitted, expected, rtol=0, atol=1e-13)


def test_many_scores_are_fitted_in_the_same_way() -> None:
    label = np.random.default_rng(2).random((2, 9_000)) < np.linspace(0.2, 0.7, 9_000)
    cases = np.ones(9_000)
    expected = [isotonic_regression(each.astype(float)).x for each in label]
    np.testing.assert_allclose(isotonic(cases, label.astype(float)), expected, atol=1e-13)
