"""Coverage of bands of one cost line, and errors of sign flips: exact, by summing over all counts.

No simulation: what a band does is known for each pair of counts, and so are their chances.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from costcurves.chance.intervals import Errors, simultaneous, wilson
from costcurves.curves.bands import Band
from costcurves.pairs.paired import sign_flips
from tests.simulations.datasets import of_tables
from tests.simulations.making import Row

FloatArray = NDArray[np.float64]

LEVEL = 0.9
SIZES = [(20, 10), (50, 50), (200, 20)]  # positives, negatives
RATES = [0.5, 0.227, 0.067, 0.0228]
PLACES = np.linspace(0.05, 0.95, 91)
DISCORDANT_SIZES = [(20, 10), (50, 50), (100, 100)]
DISCORDANCES = [0.05, 0.1, 0.2, 0.3, 0.4]


class _Arms(NamedTuple):
    """Distances of the edges of all bands at one end, shape (counts,): estimate, below, above."""

    estimate: FloatArray
    below: FloatArray
    above: FloatArray


def coverage(positives: int, negatives: int, fn: float, fp: float) -> Row:
    """Sum over all counts of both classes how often bands contain the true line.

    `mean` and `least` of the pointwise band are over PC(+) in [.05, .95]; `whole` is the chance
    that the simultaneous band contains the line everywhere.
    """
    point, whole = _arms(positives, negatives, wilson), _arms(positives, negatives, simultaneous)
    chances = np.outer(
        binom.pmf(np.arange(negatives + 1), negatives, fp),
        binom.pmf(np.arange(positives + 1), positives, fn),
    )
    inside = [(chances * (_deviation(point, fp, fn, pc) <= 1 + 1e-12)).sum() for pc in PLACES]
    everywhere = (chances * (_largest_deviation(whole, fp, fn) <= 1 + 1e-12)).sum()
    row: Row = {"positives": positives, "negatives": negatives, "fn": fn, "fp": fp}
    numbers = {"mean": np.mean(inside), "least": np.min(inside), "whole": everywhere}
    return row | {name: round(float(value), 4) for name, value in numbers.items()}


def _arms(positives: int, negatives: int, band: Callable[[Errors], Band]) -> tuple[_Arms, _Arms]:
    """Arms at PC(+) = 0 for all counts of the negatives, at 1 for all of the positives."""
    ends = []
    for end, size in ((0, negatives), (1, positives)):
        counts = [Errors(k, size, k, size) for k in range(size + 1)]
        bands = [band(errors) for errors in counts]
        estimates = np.array([band.estimate(float(end)) for band in bands])
        widths = [
            np.array([(edge.width0, edge.width1)[end] for edge in edges])
            for edges in zip(*((band.lower, band.upper) for band in bands), strict=True)
        ]
        ends.append(_Arms(estimates, *widths))
    return ends[0], ends[1]


def _deviation(arms: tuple[_Arms, _Arms], fp: float, fn: float, pc: float) -> FloatArray:
    """(negatives, positives) error at a PC(+) in units of the half-width on its side."""
    at0, at1 = arms[0], arms[1]
    error = (1 - pc) * (fp - at0.estimate)[:, np.newaxis] + pc * (fn - at1.estimate)
    above = np.hypot((1 - pc) * at0.above[:, np.newaxis], pc * at1.above)
    below = np.hypot((1 - pc) * at0.below[:, np.newaxis], pc * at1.below)
    return np.abs(error) / np.where(error > 0, above, below)


def _largest_deviation(arms: tuple[_Arms, _Arms], fp: float, fn: float) -> FloatArray:
    """(negatives, positives) largest of these over PC(+)."""
    errors = []
    for arm, rate in zip(arms, (fp, fn), strict=True):
        error = rate - arm.estimate
        errors.append(error / np.where(error > 0, arm.above, arm.below))
    u, v = errors[0][:, np.newaxis], errors[1]
    return np.where(u * v > 0, np.hypot(u, v), np.maximum(np.abs(u), np.abs(v)))


def familywise_error(positives: int, negatives: int, discordance: float) -> Row:
    """Return the chance of any verdict between equal classifiers that differ on such a share."""
    numbers = [np.arange(size + 1) for size in (negatives, positives)]
    chances = np.outer(*(binom.pmf(k, k[-1], discordance) for k in numbers))
    likely = np.argwhere(chances > 1e-9)
    errors = [_error(negatives, positives, int(i), int(j)) * chances[i, j] for i, j in likely]
    row: Row = {"positives": positives, "negatives": negatives, "discordance": discordance}
    return row | {"any": round(float(np.sum(errors)), 4)}


@cache
def _error(negatives: int, positives: int, discordant0: int, discordant1: int) -> float:
    """Chance of a verdict, given how many instances the two differ on."""
    table0 = np.array([negatives - discordant0, discordant0, 0, 0])
    table1 = np.array([positives - discordant1, discordant1, 0, 0])
    both = of_tables(table0, table1)
    largest = sign_flips(*both, 1, np.random.default_rng(0)).largest
    beyond = largest.tail[largest.values > largest.critical(LEVEL)]
    return float(beyond[0]) if len(beyond) else 0.0
