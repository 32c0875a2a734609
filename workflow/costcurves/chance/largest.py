"""Distribution of a largest standardized deviation: critical values and p-values, ties included."""

import math
from dataclasses import dataclass

import numpy as np

from costcurves.chance.resampling import error_share
from costcurves.counts.elementwise import FloatArray

EQUAL = 1e-9  # values that are closer than this, relatively, are one


@dataclass(frozen=True, eq=False)
class Largest:
    """What the largest deviation is by chance.

    >>> found = Largest.simulated(np.array([1.0, 3.0, 2.0, 2.0]))
    >>> found.values.tolist(), found.tail.tolist(), found.beyond
    ([1.0, 2.0, 3.0], [1.0, 0.8, 0.4], 0.2)
    """

    values: FloatArray  # what it can be, rising
    tail: FloatArray  # chance of at least that much
    beyond: float  # chance that is allowed for more than any of the values

    @classmethod
    def simulated(cls, values: FloatArray) -> "Largest":
        """Make it from drawn values; what is observed counts as one more, for a valid test."""
        count = len(values)
        exact = cls.exact(values, np.full(count, 1 / (count + 1)))
        return cls(exact.values, exact.tail + 1 / (count + 1), 1 / (count + 1))

    @classmethod
    def exact(cls, values: FloatArray, chances: FloatArray) -> "Largest":
        """Make it from all values with their chances; equal ones in any order."""
        order = np.argsort(values, kind="stable")  # else ties are in the processor's order
        value = values[order]
        first = np.flatnonzero(np.append(True, np.diff(value) > EQUAL * value[1:]))
        each = np.add.reduceat(chances[order], first)
        return cls(value[first], np.cumsum(each[::-1])[::-1], 0.0)

    def critical(self, level: float) -> float:
        """Return what a deviation must exceed to be significant at a confidence of `level`.

        The largest value whose tail is more than 1 - level, and a hair (1e-9 of it) more, so that
        rounding makes no tie significant.
        """
        share = error_share(level)
        if self.beyond > share + EQUAL:
            count, needed = round(1 / self.beyond) - 1, math.ceil(1 / share) - 1
            raise ValueError(
                f"{count} resamples are too few for a level of {level}: {needed} are needed"
            )
        return float(self.values[self.tail > float(share) + EQUAL][-1]) * (1 + EQUAL)

    def p_value(self, height: float) -> float:
        """Return the chance of at least that much, ties included.

        >>> Largest.simulated(np.arange(1.0, 10.0)).p_value(9.0)
        0.2
        """
        at = int(np.searchsorted(self.values, height * (1 - EQUAL)))
        return float(min(self.tail[at], 1.0)) if at < len(self.values) else self.beyond
