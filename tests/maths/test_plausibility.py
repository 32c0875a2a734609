"""Numbers by which data look wrong, held to slow definitions."""

import math
from fractions import Fraction
from itertools import pairwise, product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.maths.chance.plausibility import beyond_chance, prints, runs, sums


@given(st.lists(st.tuples(st.floats(), st.integers(-(2**63), 2**63 - 1)), max_size=20))
def test_fingerprints_tell_rows_apart(rows: list[tuple[float, int]]) -> None:
    floats = np.array([one for one, _ in rows], dtype=np.float64)
    integers = np.array([two for _, two in rows], dtype=np.int64)
    found = prints(floats, integers)
    plain = [("nan" if math.isnan(one) else one + 0.0, two) for one, two in rows]
    assert len(found) == len(rows)
    for (one, a), (other, b) in product(zip(plain, found, strict=True), repeat=2):
        assert (one == other) == (a == b)


def test_sums_are_of_sets_of_rows() -> None:
    each = prints(np.arange(5))
    total = sums(each, [2, 0, 2, 0, 0], 4)
    assert total[3] == 0
    assert int(total[2]) == sum(map(int, each[[0, 2]])) % 2**64
    assert (sums(each[::-1], [0, 0, 2, 0, 2], 4) == total).all()


def test_runs_are_held_to_all_orders() -> None:
    """Their mean and variance over all orders of the labels, counted one by one."""
    for ones, size in ((2, 5), (3, 7), (1, 4)):
        orders = [it for it in product((0, 1), repeat=size) if sum(it) == ones]
        counts = [1 + sum(a != b for a, b in pairwise(it)) for it in orders]
        mean = Fraction(sum(counts), len(counts))
        variance = Fraction(sum(it * it for it in counts), len(counts)) - mean**2
        for order, count in zip(orders, counts, strict=True):
            found, z = runs(order)
            assert found == count
            if variance:
                assert z == pytest.approx(float(count - mean) / math.sqrt(variance), rel=1e-12)
    assert math.isnan(runs([1, 1, 1])[1])
    assert math.isnan(runs([0, 1])[1])


@pytest.mark.parametrize(("size", "ones", "folds"), [(60, 20, 6), (40, 6, 4), (300, 150, 3)])
def test_folds_beyond_chance_are_rarer_than_the_level(size: int, ones: int, folds: int) -> None:
    """By the exact distribution of a fold's positives, all folds dealt at random."""
    of, level = size // folds, 0.2
    odds = Fraction(0)
    for drawn in range(max(0, of - (size - ones)), min(of, ones) + 1):
        others = [min(of, max(0, ones - drawn - of * it)) for it in range(folds - 1)]
        if beyond_chance([drawn, *others], [of] * folds, level)[0]:
            odds += Fraction(comb(ones, drawn) * comb(size - ones, of - drawn), comb(size, of))
    assert 0 < float(odds) * folds <= level


def test_one_class_alone_is_never_beyond_chance() -> None:
    assert not beyond_chance([0, 0], [5, 9], 0.5).any()
    assert not beyond_chance([5, 9], [5, 9], 0.5).any()
