"""Means of cases, and how certain they are where cases belong together."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm
from scipy.stats import t as student

Floats = NDArray[np.float64]
Integers = NDArray[np.integer]


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


def mean_of(values: Floats, unit: Integers, weight: Floats | None = None) -> Mean:
    """Give the mean of (n,) values; units, numbered from 0, are drawn whole.

    >>> mean_of(np.array([0.0, 1.0, 2.0, 5.0]), np.array([0, 0, 1, 1]))
    Mean(value=2.0, error=1.5, dof=1)
    """
    value, by, count = _about(values, unit, np.ones(len(values)) if weight is None else weight)
    return Mean(value, float(np.sqrt(np.sum(by**2))), count - 1)


def difference_of(
    values: Floats, inside: NDArray[np.bool_], unit: Integers, weight: Floats
) -> Mean:
    """Give the mean of some values less that of all others; a unit may have values of both.

    The degrees of freedom are those of the side with fewer units.

    >>> inside = np.array([True, True, False, False])
    >>> difference_of(np.array([4.0, 6, 1, 1]), inside, np.arange(4), np.ones(4))
    Mean(value=4.0, error=1.0, dof=1)
    """
    units = int(unit.max()) + 1
    one, other = (_about(values[of], unit[of], weight[of], units) for of in (inside, ~inside))
    error = float(np.sqrt(np.sum((one[1] - other[1]) ** 2)))
    return Mean(one[0] - other[0], error, min(one[2], other[2]) - 1)


def wilson(mean: Mean, level: float) -> tuple[float, float]:
    """Give Wilson's interval of a rate: of as many cases as its standard error says it is of."""
    z, p, units = float(norm.ppf((1 + level) / 2)), mean.value, mean.dof + 1
    n = units * p * (1 - p) / mean.error**2 / mean.dof if mean.error else units
    centre, half = p + z**2 / (2 * n), z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return float((centre - half) / (1 + z**2 / n)), float((centre + half) / (1 + z**2 / n))


def _about(
    values: Floats, unit: Integers, weight: Floats, units: int = 0
) -> tuple[float, Floats, int]:
    """Give a weighted mean, what each unit adds to its error, and how many units there are."""
    whole, count = weight.sum(), len(np.unique(unit))
    mean = float(values @ weight / whole)
    by_unit = np.bincount(unit, weight * (values - mean), units)
    return mean, by_unit * (np.sqrt(count / (count - 1)) / whole), count
