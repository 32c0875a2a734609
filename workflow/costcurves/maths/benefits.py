"""From a matrix of benefits to the costs of mistakes, for instances that differ in an amount.

Predicting positive is the action Y, predicting negative is doing nothing, N. Only what the action
changes matters, so the row N is subtracted from both rows; the cell of a false positive is then
negated, as it is a cost (T. Fawcett, "ROC graphs with instance-varying costs", Pattern Recognition
Letters 27, 2006, s4, https://doi.org/10.1016/j.patrec.2005.10.012).
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from costcurves.maths.elementwise import FloatArray


class Cell(NamedTuple):
    """A benefit that grows with an amount x: constant + coefficient x; a cost is negative."""

    constant: float = 0.0
    coefficient: float = 0.0

    def at(self, amount: FloatArray) -> FloatArray:
        """Give the benefit at each amount."""
        return self.constant + self.coefficient * amount

    def minus(self, other: "Cell") -> "Cell":
        """Subtract another benefit."""
        constant = self.constant - other.constant
        return Cell(constant, self.coefficient - other.coefficient)


@dataclass(frozen=True)
class Benefits:
    """What each outcome brings."""

    tp: Cell
    fp: Cell
    fn: Cell
    tn: Cell

    @property
    def cost_fp(self) -> Cell:
        """What a false positive costs: what its action takes away, negated."""
        return self.tn.minus(self.fp)

    @property
    def cost_fn(self) -> Cell:
        """What a false negative costs: what the action would have brought."""
        return self.tp.minus(self.fn)


def costs_of(benefits: Benefits, amount: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Give the costs of a mistake on each instance; negative where a mistake brings more.

    Approving credit card transactions of the amount x (Fawcett, Fig. 2): positive is legitimate,
    predicting positive is approving.

    >>> matrix = Benefits(tp=Cell(0, 0.02), fp=Cell(0, -1), fn=Cell(-20), tn=Cell(20))
    >>> tuple(matrix.cost_fp), tuple(matrix.cost_fn)
    ((20, 1.0), (20, 0.02))
    >>> [cost.tolist() for cost in costs_of(matrix, [0, 100])]
    [[20.0, 120.0], [20.0, 22.0]]
    """
    x = np.asarray(amount, dtype=np.float64)
    return benefits.cost_fp.at(x), benefits.cost_fn.at(x)
