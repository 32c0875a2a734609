"""The k-level of lines, against exact fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.curves.levels import k_level

Counts = list[tuple[int, int]]

sizes = st.integers(1, 9)
lines = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=30)


def kth(pairs: Counts, k: int, negatives: int, positives: int, pc: Fraction) -> Fraction:
    """The k-th lowest height, by sorting."""
    heights = [Fraction(f, negatives) * (1 - pc) + Fraction(g, positives) * pc for f, g in pairs]
    return sorted(heights)[k - 1]


@given(lines, st.data(), sizes, sizes)
def test_it_is_the_kth_lowest_everywhere(
    pairs: Counts, data: st.DataObject, negatives: int, positives: int
) -> None:
    k = data.draw(st.integers(1, len(pairs)))
    fp, fn = zip(*pairs, strict=True)
    level = k_level(fp, fn, k, negatives, positives)
    middle = (level.pc[:-1] + level.pc[1:]) / 2
    for pc in [*level.pc.tolist(), *middle.tolist()]:
        expected = float(kth(pairs, k, negatives, positives, Fraction(pc)))
        assert level(pc) == pytest.approx(expected, abs=4e-15)


@given(lines, st.data(), sizes, sizes)
def test_break_points_are_where_two_lines_cross_rounded_once(
    pairs: Counts, data: st.DataObject, negatives: int, positives: int
) -> None:
    k = data.draw(st.integers(1, len(pairs)))
    fp, fn = zip(*pairs, strict=True)
    level = k_level(fp, fn, k, negatives, positives)
    crossings = set()
    for f, g in pairs:
        for p, q in pairs:
            at0, at1 = Fraction(f - p, negatives), Fraction(q - g, positives)
            if at0 * at1 > 0:
                crossings.add(float(at0 / (at0 + at1)))
    assert set(level.pc[1:-1].tolist()) <= crossings


def test_lines_through_one_point_swap_places_there() -> None:
    fp, fn = [0, 1, 2, 3, 4], [4, 3, 2, 1, 0]
    for k in range(1, 6):
        level = k_level(fp, fn, k, 4, 4)
        assert level.pc.tolist() == ([0, 1] if k == 3 else [0, 0.5, 1])
        assert level(0.0) == (k - 1) / 4
        assert level(1.0) == (k - 1) / 4


def test_large_counts_agree_with_sorting() -> None:
    rng = np.random.default_rng(20061)
    fp, fn = rng.binomial(10**7, 0.2, 2000), rng.binomial(10**7, 0.1, 2000)
    places = np.linspace(0, 1, 301)
    heights = np.sort(np.outer(1 - places, fp / 10**7) + np.outer(places, fn / 10**7), axis=1)
    for k in (1, 100, 1000, 2000):
        level = k_level(fp, fn, k, 10**7, 10**7)
        np.testing.assert_allclose(level(places), heights[:, k - 1], rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    ("fp", "fn", "k", "message"),
    [
        ([1, 2], [1, 2], 0, "k must be from 1 to 2, the number of lines, found 0"),
        ([1, 2], [1, 2], 3, "k must be from 1 to 2, the number of lines, found 3"),
        ([], [], 1, "counts must be a row of whole numbers"),
        (np.array([], int), np.array([], int), 1, "k must be from 1 to 0"),
        ([0.5], [1], 1, "counts must be a row of whole numbers, found float64"),
        ([[1]], [[1]], 1, r"found int64 of shape \(1, 1\)"),
        ([1, 2], [1], 1, "fp_count of length 2 and fn_count of length 1"),
        ([0, 2**26], [0, 1], 1, r"counts differ by 2\^26 or more"),
    ],
)
def test_bad_input(fp: list[int], fn: list[int], k: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        k_level(fp, fn, k, 4, 4)
