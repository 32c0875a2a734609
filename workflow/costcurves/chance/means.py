"""Means of cases, and how certain they are where cases belong together."""

from typing import NamedTuple

import numpy as np

from costcurves.counts.elementwise import FloatArray, IntArray


class Mean(NamedTuple):
    """A mean, its standard error, and the degrees of freedom of that."""

    value: float
    error: float
    dof: float
    size: float = np.inf  # how many cases of equal weight say as much, if they are independent

    @property
    def cases(self) -> float:
        """Of a rate: how many independent cases have its error, at most its size."""
        if not self.error:
            return min(self.size, self.dof + 1)
        variance = self.value * (1 - self.value) * (self.dof + 1) / self.dof
        return min(self.size, variance / self.error**2)

    def interval(self, level: float) -> tuple[float, float]:
        """Return the t interval."""
        from scipy.special import stdtrit

        half = self.error * float(stdtrit(self.dof, (1 + level) / 2))
        return self.value - half, self.value + half

    @property
    def p_value(self) -> float:
        """The two-sided chance of a mean so far from 0, were it 0."""
        from scipy.special import stdtr

        size = abs(self.value) / self.error if self.error else np.inf if self.value else 0.0
        return 2 * float(stdtr(self.dof, -size))


def mean_of(values: FloatArray, unit: IntArray, weight: FloatArray | None = None) -> Mean:
    """Return the mean of (n,) values; units, numbered from 0, are drawn whole.

    >>> mean_of(np.array([0.0, 1.0, 2.0, 5.0]), np.array([0, 0, 1, 1]))
    Mean(value=2.0, error=1.5, dof=1, size=4.0)
    """
    counts = np.ones(len(values)) if weight is None else weight
    whole, count = counts.sum(), len(np.unique(unit))
    mean = float(np.sum(counts * values) / whole)  # no product of matrices: BLAS is by processor
    of_units = np.bincount(unit, counts * (values - mean))
    error = np.sqrt(np.sum(of_units**2) * count / (count - 1)) / whole if count > 1 else np.inf
    return Mean(mean, float(error), count - 1, float(whole**2 / np.sum(counts**2)))
