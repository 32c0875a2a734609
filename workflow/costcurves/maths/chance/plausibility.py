"""Numbers by which data look wrong: copies, runs, and folds that chance does not make.

References
----------
.. [1] G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators",
   OOPSLA 2014, 453-472. https://doi.org/10.1145/2660193.2660195
.. [2] W. Hoeffding, "Probability inequalities for sums of bounded random variables", Journal of the
   American Statistical Association 58, 13-30, 1963. https://doi.org/10.1080/01621459.1963.10500830
.. [3] A. Wald and J. Wolfowitz, "On a test whether two samples are from the same population",
   Annals of Mathematical Statistics 11, 147-162, 1940. https://doi.org/10.1214/aoms/1177731909
"""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costcurves.maths.counts.ragged import blocks

Prints = NDArray[np.uint64]

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1))


def prints(*columns: ArrayLike) -> Prints:
    """Give rows of numbers a fingerprint each: equal rows the same, others hardly ever ([1]_).

    Integers are told apart exactly, floats by their bits, but for 0 and -0; NaN is one value.
    """
    arrays = [np.asarray(column) for column in columns]
    found = np.zeros(len(arrays[0]), dtype=np.uint64)
    for rows in blocks(len(found)):
        for column in arrays:
            found[rows] = _mixed(found[rows], column[rows])
    return found


def _mixed(found: Prints, column: NDArray[Any]) -> Prints:
    if column.dtype.kind == "f":
        plain = np.where(np.isnan(column), np.nan, column + 0.0)
        bits = plain.astype(np.float64, copy=False).view(np.uint64)
    else:
        bits = column.astype(np.int64, copy=False).view(np.uint64)
    found = (found ^ bits) + _STEP
    for shift, factor in _MIX:
        found = (found ^ (found >> np.uint64(shift))) * np.uint64(factor)
    return found


def sums(found: Prints, groups: ArrayLike, count: int) -> Prints:
    """Add up the fingerprints of each group, numbered from 0: sets of rows are then compared."""
    total = np.zeros(count, dtype=np.uint64)
    np.add.at(total, np.asarray(groups), found)
    return total


def runs(labels: ArrayLike) -> tuple[int, float]:
    """Count the runs of equal neighbours among labels 0 and 1, and how unlikely they are few.

    The second number is their excess over what is expected where the order is random, in standard
    deviations ([3]_); NaN where one of the labels is missing, or there are but two.

    >>> runs([0, 0, 0, 1, 1, 1])[0], round(runs([0, 0, 0, 1, 1, 1])[1], 3)
    (2, -1.826)
    """
    given = np.asarray(labels)
    found = 1 + int(np.count_nonzero(np.diff(given)))
    size, ones = len(given), int(np.count_nonzero(given))
    pairs = 2 * ones * (size - ones)
    if pairs == 0 or size < 3:
        return found, math.nan
    variance = pairs * (pairs - size) / (size**2 * (size - 1))
    return found, (found - pairs / size - 1) / math.sqrt(variance) if variance > 0 else math.nan


def beyond_chance(positives: ArrayLike, sizes: ArrayLike, level: float) -> NDArray[np.bool_]:
    """Say which folds of one repeat have a share of positives that random folds hardly have.

    At most `level` is the chance that any fold does, where all are dealt at random: each is held to
    Hoeffding's bound, which holds for draws without replacement ([2]_, theorem 1 and section 6), at
    its part of that level. So the bound is exact for small folds, and wider than need be.

    >>> beyond_chance([9, 1, 2], [10, 10, 10], 0.1).tolist()
    [True, False, False]
    """
    ones, of = (np.asarray(one, dtype=np.int64).tolist() for one in (positives, sizes))
    share, limit = sum(ones) / sum(of), math.log(2 * len(of) / level)

    def divergence(one: int, size: int) -> float:
        parts = ((one, share), (size - one, 1 - share))
        return math.fsum(it * math.log(it / (size * chance)) for it, chance in parts if it)

    return np.array([divergence(*it) > limit for it in zip(ones, of, strict=True)], dtype=np.bool_)
