"""Means of cases, and how certain they are where cases belong together."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

Floats = NDArray[np.float64]


class Mean(NamedTuple):
    """A mean, its standard error, and the degrees of freedom of that."""

    value: float
    error: float
    dof: int

    def interval(self, level: float) -> tuple[float, float]:
        """Give the t interval."""
        half = self.error * float(student.ppf((1 + level) / 2, self.dof))
        return self.value - half, self.value + half

    @property
    def p_value(self) -> float:
        """The two-sided chance of a mean so far from 0, were it 0."""
        size = abs(self.value) / self.error if self.error else np.inf if self.value else 0.0
        return 2 * float(student.sf(size, self.dof))


def mean_of(values: Floats, unit: NDArray[np.integer], weight: Floats | None = None) -> Mean:
    """Give the mean of (n,) values; units, numbered from 0, are drawn whole.

    >>> mean_of(np.array([0.0, 1.0, 2.0, 5.0]), np.array([0, 0, 1, 1]))
    Mean(value=2.0, error=1.5, dof=1)
    """
    counts = np.ones(len(values)) if weight is None else weight
    whole = counts.sum()
    mean = float(values @ counts / whole)
    of_units = np.bincount(unit, counts * (values - mean))
    count = len(of_units)
    error = float(np.sqrt(count / (count - 1) * np.sum(of_units**2)) / whole)
    return Mean(mean, error, count - 1)
