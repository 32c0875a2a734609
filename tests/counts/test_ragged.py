"""Arrays end to end: cut, framed and arranged."""

from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from costcurves.counts import ragged

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
