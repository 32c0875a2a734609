"""Numbers behind counts: exact quotients and keys, arrays end to end, products in one thread."""

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from threadpoolctl import ThreadpoolController

from costcurves.counts import ragged
from costcurves.counts.counted import as_counts
from costcurves.counts.exact import LARGEST_PRODUCT, expect_exact_products, quotient
from costcurves.counts.operating_points import OperatingPoints
from costcurves.counts.ordered_integers import ByRank, order_of
from costcurves.tables.codes import BLOCK
from costcurves.threads import product
from tests.oracle.rankings import HARD_SCORES, hard_scores

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


# Keys in the order of scores, whatever their range

some_scores = st.lists(hard_scores, min_size=1, max_size=12)


@given(some_scores)
@example(HARD_SCORES)
@example([0.0])
@example([-0.0, 0.0])
@example([math.ulp(0.0), -math.ulp(0.0)])
@example([1.7976931348623157e308, -1.7976931348623157e308, 0.0])
@example([1.7976931348623157e308, 2.0**-1022, 2.0**-1023])
def test_keys_have_the_order_and_the_ties_of_the_scores(drawn: list[float]) -> None:
    scores = -np.sort(-np.array(drawn))
    labels = np.arange(len(scores), dtype=np.uint8) % 2
    order, keys = order_of(scores), np.empty(len(scores), np.int64)
    order.keys(scores, labels, out=keys)
    for (s, t), (i, j) in zip(pairwise(scores), pairwise((keys >> 1).tolist()), strict=True):
        assert (s > t) == (i < j)
        assert (s == t) == (i == j)
    assert (keys & 1).tolist() == labels.tolist()
    back = order.scores(keys)
    assert np.shares_memory(back, keys)
    assert back.tolist() == (scores + 0.0).tolist()
    assert not np.signbit(back[back == 0]).any()


@pytest.mark.parametrize("place", [0, BLOCK, BLOCK + 1])
def test_what_underflows_or_is_not_finite_is_seen_in_any_block(place: int) -> None:
    for wrong in (math.nan, math.inf, -math.inf):
        scores = np.zeros(BLOCK + 2)
        scores[place] = wrong
        with pytest.raises(ValueError, match=rf"score at index {place} is {wrong}, .*\(1 of 32770"):
            order_of(scores)
    scores = np.full(BLOCK + 2, 4.0)
    scores[place] = 5e-324
    order = order_of(scores)
    assert isinstance(order, ByRank)
    assert order.distinct.tolist() == [5e-324, 4.0]


# Arrays end to end: cut, framed and arranged

sizes = st.lists(st.integers(0, 40), max_size=12).map(lambda drawn: np.array(drawn, dtype=np.int64))


@given(sizes, st.integers(1, 50))
def test_batches_are_all_curves_in_runs_of_about_that_size(sizes: Any, rows: int) -> None:
    offsets = ragged.offsets_of(sizes)
    runs = list(ragged.batches(offsets, rows))
    curves = [curve for first, last in runs for curve in range(first, last)]
    assert curves == list(range(len(sizes)))
    assert all(sizes[first + 1 : last].sum() <= rows for first, last in runs)
    assert len(runs) <= offsets[-1] // rows + 2


@given(sizes, st.data())
def test_curves_end_to_end(sizes: Any, data: st.DataObject) -> None:
    """Rows, curves, falls and rises within curves, and frames around them, one by one."""
    offsets, starts = ragged.offsets_of(sizes), np.arange(len(sizes)) * 100
    slices = [start + i for start, size in zip(starts, sizes, strict=True) for i in range(size)]
    assert ragged.rows_of_slices(starts, sizes).tolist() == slices
    curves = [curve for curve, size in enumerate(sizes) for _ in range(size)]
    assert ragged.curve_of_rows(offsets).tolist() == curves
    many = len(curves)
    values = np.array(data.draw(st.lists(st.integers(0, 3), min_size=many, max_size=many)), int)
    inner = [i for a, b in pairwise(offsets) for i in range(a + 1, b)]
    falls = [i for i in inner if values[i] < values[i - 1]]
    assert ragged.falls(values, offsets).tolist() == falls
    parts, ends = [values[a:b].tolist() for a, b in pairwise(offsets)], -np.arange(len(sizes)) - 2
    framed = [v for rows, end in zip(parts, ends, strict=True) for v in [-1, *rows, end]]
    assert ragged.framed(values, offsets, -1, ends).tolist() == framed
    order = np.argsort(values, kind="stable")
    assert ragged.order_by(values, 4).tolist() == order.tolist()
    rises = [b - a for rows in parts for a, b in pairwise([0, *rows])]
    assert ragged.steps(values, offsets[:-1][sizes > 0]).tolist() == rises


# Matrix products take one thread, and leave those of who calls us alone

BLAS = ThreadpoolController().select(user_api="blas")


def threads() -> set[int]:
    return {pool["num_threads"] for pool in BLAS.info()}


class Left:
    """What is multiplied, and notes how many threads there are meanwhile."""

    during: set[int] | None = None

    def __matmul__(self, other: Any) -> Any:
        self.during = threads()
        return other


def test_products_take_one_thread_and_leave_what_was_set_also_where_they_fail() -> None:
    left: Any = Left()
    with BLAS.limit(limits=2):
        product(left, np.ones(2))
        assert (left.during, threads()) == ({1}, {2})
        with pytest.raises(ValueError, match="matmul"):
            product(np.ones((2, 3)), np.ones((2, 3)))
        assert threads() == {2}
        assert product(np.array([[1, 2]]), np.array([[3], [5]])).tolist() == [[13]]
