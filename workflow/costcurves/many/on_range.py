"""A curve on a range of PC(+) fixed in advance, and the distribution of its deviations by chance.

Deviations are standardized, and their largest is looked at on that range only: its quantiles are
smaller than over all PC(+). What follows for a claim, says `claims`.
"""

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from costcurves.chance.largest import Largest
from costcurves.chance.resampled_bands import Resampled, student_p_value, student_quantile
from costcurves.counts.elementwise import FloatArray
from costcurves.curves.bands import Band, Edge, through
from costcurves.curves.curves import Curve, Side, line
from costcurves.pairs.paired import Differences, Totals, distribution, signed_totals

MANY: Final = 1e9  # degrees of freedom with which Student's t is normal


@dataclass(frozen=True, eq=False)
class Chance:
    """Distributions of the largest standardized deviation on a range: up, down, either way."""

    up: Largest
    down: Largest
    either: Largest
    dof: float  # of Student's t, whose quantile deviations must exceed at least

    def p_value(self, height: float, both: bool = False) -> float:
        """Compute twice the chance of so large a deviation, towards the sign of `height`.

        The height is standardized, above a limit. With `both` a deviation either way counts: there
        are limits on both sides.
        """
        tail = self.either if both else self.up if height > 0 else self.down
        least = student_p_value(abs(height), self.dof)
        return min(max(2 * tail.p_value(abs(height)), least), 1.0)

    def critical(self, level: float, both: bool = False) -> tuple[float, float]:
        """Return what a deviation downwards, and one upwards, must exceed."""
        least = student_quantile(level, self.dof)
        tails = (self.either, self.either) if both else (self.down, self.up)
        down, up = (max(tail.critical((1 + level) / 2), least) for tail in tails)
        return down, up


class Highest(NamedTuple):
    """The largest standardized height of a curve on a range, and on which side of a jump it is."""

    pc: float
    height: float
    side: Side


@dataclass(frozen=True, eq=False)
class Evidence:
    """A curve, or a difference of two, on a range of PC(+), and its deviations by chance."""

    estimate: Curve
    places: FloatArray  # (k,) PC(+) from the range's beginning to its end
    wide: FloatArray  # (k,) what deviations are divided by, straight in between
    chance: Chance
    method: str
    spreads: tuple[float, float] | None = None  # of a line's ends, in place of `wide`

    def band(self, level: float, both: bool = False) -> Band:
        """Make the band that holds on the range; beyond it, it means nothing.

        `level` and `both` are as for `Chance.critical`.
        """
        down, up = self.chance.critical(level, both)
        places = np.union1d(self.places, [0.0, 1.0])
        width = through(places, np.interp(places, self.places, self.wide))
        lower, upper = Edge(self.estimate - width * up, -1), Edge(self.estimate + width * down, 1)
        if self.spreads is not None:
            at0, at1 = self.spreads
            lower = Edge(self.estimate, -1, up * at0, up * at1)
            upper = Edge(self.estimate, 1, down * at0, down * at1)
        return Band(self.estimate, lower, upper, level, simultaneous=True, method=self.method)

    def highest(self, above: Curve) -> Highest:
        """Find the largest standardized height of the curve above a limit."""
        if self.spreads is None:
            return highest(above, self.places, self.wide)
        # Of a line it is at an end of the range, or where the two spreads balance.
        (spread0, spread1), low, high = self.spreads, self.places[0], self.places[-1]
        first, second = above(0.0) * spread1**2, above(1.0) * spread0**2
        balanced = second / (first + second) if first > 0 and second > 0 else low
        places = np.unique([low, min(max(balanced, low), high), high])
        return highest(above, places, np.hypot((1 - places) * spread0, places * spread1))


def highest(above: Curve, places: FloatArray, wide: FloatArray) -> Highest:
    """Find the largest height over `wide`, which is known at `places` and straight in between.

    Exact: between breaks a ratio of straight lines has no extreme. At a jump at an end of the range
    only the side within counts.
    """
    low, high = places[[0, -1]]
    inner = above.pc[(low < above.pc) & (above.pc < high)]
    at = np.union1d(places, inner)
    width = np.interp(at, places, wide)
    ratio = np.stack([_standardized(above(at), width), _standardized(above(at, "left"), width)])
    if low < high:
        ratio[1, 0] = ratio[0, -1] = -np.inf
    place = int(np.argmax(ratio.max(axis=0)))
    side = int(np.argmax(ratio[:, place]))
    return Highest(float(at[place]), float(ratio[side, place]), "left" if side else "right")


def on_range(
    found: Resampled, low: float, high: float, least: tuple[float, float] = (0.0, 0.0)
) -> Evidence:
    """Look at a resampled curve, or difference of two, on a range only that was fixed in advance.

    Spreads are those of `resampled_bands`, with the floor in the shape 4 pc (1 - pc) taken from the
    largest spread on the range. `least` bounds the spreads of the FP rate and of the FN rate from
    below: two models that happen to agree on every instance need not be equal.
    """
    _check_range(low, high)
    inner = found.grid[(low < found.grid) & (found.grid < high)]
    places = np.unique(np.concatenate([[low], inner, [high]]))
    values = _interpolated(found.grid, found.values, places)
    spread, enlarged = (np.interp(places, found.grid, it) for it in (found.spread, found.narrow))
    shape = places * (1 - places)
    floor = spread.max() * shape / (shape.max() or 1.0)
    one = np.hypot((1 - places) * least[0], places * least[1])
    wide = np.maximum.reduce([spread, floor, enlarged, one])
    deviation = values - values.mean(axis=0)
    ratio = np.divide(deviation, wide, out=np.zeros_like(deviation), where=wide > 0)
    up, down = (np.maximum(it.max(axis=1), 0) / found.studentizer for it in (ratio, -ratio))
    tails = [Largest.simulated(it) for it in (up, down, np.maximum(up, down))]
    chance = Chance(tails[0], tails[1], tails[2], found.dof)
    return Evidence(found.estimate, places, wide, chance, found.method)


def flips_on_range(
    classes: tuple[Differences, Differences],
    low: float,
    high: float,
    resamples: int,
    rng: np.random.Generator,
) -> Evidence:
    """Change signs of two crisp classifiers' differences, and look at a range only.

    Chance is that of all sign changes, but at least the normal's with a spread of at least one
    instance: two models that happen to agree on every instance need not be equal. If the truth is
    a difference other than zero, the sums of squares that are kept are too large, not too small.
    """
    _check_range(low, high)
    negatives, positives = classes
    totals = signed_totals(negatives, positives, resamples, rng)
    sizes = negatives.size, positives.size
    spread0, spread1 = max(totals.spread0, 1 / sizes[0]), max(totals.spread1, 1 / sizes[1])
    totals = totals._replace(spread0=spread0, spread1=spread1)
    up, down = (_highest_flipped(totals, low, high, sign) for sign in (1, -1))
    either = distribution(np.maximum(up, down), totals.chances)
    one = distribution(up, totals.chances)  # downwards the same, by symmetry
    estimate = line(negatives.total, positives.total)
    chance = Chance(one, one, either, MANY)
    places = np.unique([low, high])
    wide = np.hypot((1 - places) * spread0, places * spread1)
    return Evidence(estimate, places, wide, chance, "sign flips", (spread0, spread1))


def _highest_flipped(totals: Totals, low: float, high: float, sign: int) -> FloatArray:
    """Find the largest standardized height on the range in each outcome, at least 0."""
    u, v = sign * totals.at1 / totals.spread1, sign * totals.at0 / totals.spread0
    first, last = (_direction(pc, totals.spread0, totals.spread1) for pc in (low, high))
    ends = np.maximum(u * first[0] + v * first[1], u * last[0] + v * last[1])
    between = (last[0] * v - last[1] * u >= 0) & (u * first[1] - v * first[0] >= 0) & (ends > 0)
    return np.maximum(np.where(between, np.hypot(u, v), ends), 0)


def _direction(pc: float, spread0: float, spread1: float) -> tuple[float, float]:
    """Return the direction of the (positives, negatives) plane that a PC(+) is."""
    along, across = pc * spread1, (1 - pc) * spread0
    return along / math.hypot(along, across), across / math.hypot(along, across)


def _interpolated(grid: FloatArray, values: FloatArray, places: FloatArray) -> FloatArray:
    """(resamples, places) heights between points of the grid, by straight lines."""
    left = np.clip(np.searchsorted(grid, places, side="right") - 1, 0, len(grid) - 2)
    share = (places - grid[left]) / (grid[left + 1] - grid[left])
    heights: FloatArray = values[:, left] * (1 - share) + values[:, left + 1] * share
    return heights


def _standardized(heights: FloatArray, widths: FloatArray) -> FloatArray:
    """Divide; without a width a height is infinitely far from zero, and zero is zero."""
    far = np.where(heights == 0, 0.0, np.copysign(np.inf, heights))
    return np.divide(heights, widths, out=far, where=widths > 0)


def _check_range(low: float, high: float) -> None:
    if not 0 <= low <= high <= 1:
        raise ValueError(f"a range of PC(+) is within [0, 1] and not empty, found {low} to {high}")
