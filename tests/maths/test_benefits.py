"""Benefit matrices against Fawcett's own, cell by cell."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.counts.cost_weights import Benefits, Cell, costs_of

# Fawcett 2006: what is printed in Figs 2b, 7b and 9b. In Fig. 9b the cost of a false alarm is
# printed as it was before it is negated, -2 - 0.10x.
FIGURES = {
    "2": (
        Benefits(tp=Cell(0, 0.02), fp=Cell(0, -1), fn=Cell(-20), tn=Cell(20)),
        Cell(20, 0.02),
        Cell(20, 1),
    ),
    "7": (
        Benefits(tp=Cell(0, 0.05), fp=Cell(0, -1), fn=Cell(-20), tn=Cell(20)),
        Cell(20, 0.05),
        Cell(20, 1),
    ),
    "9": (
        Benefits(tp=Cell(1), fp=Cell(-2), fn=Cell(-1, -0.20), tn=Cell(0, 0.10)),
        Cell(2, 0.20),
        Cell(2, 0.10),
    ),
}

CELLS = st.builds(Cell, st.integers(-9, 9), st.integers(-9, 9))


@pytest.mark.parametrize("figure", FIGURES)
def test_the_papers_matrices(figure: str) -> None:
    benefits, benefit, cost = FIGURES[figure]
    assert (benefits.cost_fn, benefits.cost_fp) == (benefit, cost)


@given(CELLS, CELLS, CELLS, CELLS, CELLS)
def test_what_both_actions_bring_alike_does_not_matter(
    tp: Cell, fp: Cell, fn: Cell, tn: Cell, more: Cell
) -> None:
    def with_more(cell: Cell) -> Cell:
        return Cell(cell.constant + more.constant, cell.coefficient + more.coefficient)

    plain = costs_of(Benefits(tp, fp, fn, tn), np.arange(3))
    richer = Benefits(with_more(tp), fp, with_more(fn), tn)
    np.testing.assert_array_equal(costs_of(richer, np.arange(3)), plain)
