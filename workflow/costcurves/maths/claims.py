"""What is claimed of a cost curve, or of a difference of two, on a range of PC(+) fixed in advance.

A claim says that a curve stays below a limit everywhere on a range; one that it stays above is the
same claim about both with their signs changed. Its statistic is the largest standardized height
above the limit there, h: where h < -c the whole band lies below the limit, and the claim is
supported; where h > c the band lies above it somewhere, and the claim is contradicted. As the range
was fixed before the data were looked at, c needs to hold on that range only: it is a quantile of
the largest standardized deviation there, which is smaller than over all PC(+).

What is controlled. Whatever the truth, only one of the two calls can be wrong. If the claim is
false, the curve's expectation reaches the limit at some PC(+), and "supported" needs a deviation
below -c there; if it is true, "contradicted" needs a deviation above c somewhere. Each has a chance
of at most (1 - level) / 2; p-values are twice the one-sided ones, so that they compare with
1 - level.

Several claims. Falsely supported and falsely contradicted ones are two families, each with half of
the error and with Holm's steps of its own ([1]_), in which a claim that points the other way counts
as one with p = 1. So the chance that ANY claim is called supported or contradicted wrongly is at
most 1 - level, however the claims depend on each other. (Holm's steps over both directions at once
would be a little stronger, but that they keep the error is proven for independent claims only.)
With levels of their own, it is at most 1 - level over all claims of that level or a higher one.

Measured (tests/golden/simulated/claims.json): of 1,000 data sets with claims that lie exactly on
their limits, 0.7 to 2.8 % had any wrong call at a level of 90 % (standard errors of 0.3 to 0.5 %),
the least of them with claims about selection criteria. That is less than allowed, as half of the
error is kept for each direction, and each claim can be wrong in one only.

Several data sets. A claim about all of them is supported where it is on each, at no cost
(intersection-union); it is contradicted where it is on one, with the error divided by their number.

References
----------
.. [1] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
   Statistics 6, 65-70, 1979.
.. [2] R. L. Berger, "Multiparameter hypothesis testing and acceptance sampling", Technometrics 24,
   295-300, 1982 (intersection-union).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from costcurves.maths.comparisons import holm
from costcurves.maths.curves import Curve, Extreme, line
from costcurves.maths.largest import EQUAL, Largest
from costcurves.maths.paired import Differences, Totals, distribution, signed_totals
from costcurves.maths.resampled_bands import SIDES, Resampled, student_p_value, student_quantile

FloatArray = NDArray[np.float64]

SUPPORTED: Final = "SUPPORTED"
CONTRADICTED: Final = "CONTRADICTED"
UNDECIDED: Final = "UNDECIDED"
MANY = 1e9  # degrees of freedom with which Student's t is normal


@dataclass(frozen=True, eq=False)
class Chance:
    """How far chance takes standardized heights on a range.

    Attributes
    ----------
    up, down, either
        Distribution of the largest deviation upwards, downwards, and either way, all not negative.
    freedom
        Degrees of freedom of Student's t, whose quantile deviations must exceed at least.
    """

    up: Largest
    down: Largest
    either: Largest
    freedom: float

    def p_value(self, height: float, both: bool = False) -> float:
        """Give twice the chance of so large a deviation, towards the height's sign.

        Parameters
        ----------
        height
            The largest standardized height above a limit.
        both
            Whether a deviation either way counts: the limit is on both sides.
        """
        tail = self.either if both else self.up if height > 0 else self.down
        least = student_p_value(abs(height), self.freedom)
        return min(max(2 * tail.p_value(abs(height)), least), 1.0)

    def critical(self, level: float, both: bool = False) -> tuple[float, float]:
        """Give what a deviation downwards, and one upwards, must exceed.

        Raises
        ------
        ValueError
            If the level is not between 0 and 1, or the resamples are too few for it.
        """
        least = student_quantile(level, self.freedom)
        tails = (self.either, self.either) if both else (self.down, self.up)
        down, up = (max(tail.critical((1 + level) / 2), least) for tail in tails)
        return down, up


class Evidence(Protocol):
    """An estimated curve on a range, and how far chance takes it."""

    @property
    def estimate(self) -> Curve:
        """The curve itself."""

    @property
    def chance(self) -> Chance:
        """Distribution of its standardized deviations on the range."""

    @property
    def method(self) -> str:
        """How chance was measured."""

    def width(self, pc: float) -> float:
        """Give what deviations at a PC(+) are divided by."""

    def highest(self, above: Curve) -> Extreme:
        """Find the largest standardized height of the curve above a limit, on the range."""


@dataclass(frozen=True, eq=False)
class OnRange:
    """A resampled curve on a range of PC(+); attributes as `Evidence`.

    Attributes
    ----------
    places
        (k,) PC(+) from the range's beginning to its end.
    wide
        (k,) what deviations are divided by.
    """

    estimate: Curve
    places: FloatArray
    wide: FloatArray
    chance: Chance
    method: str

    def width(self, pc: float) -> float:
        """Give what deviations at a PC(+) are divided by."""
        return float(np.interp(pc, self.places, self.wide))

    def highest(self, above: Curve) -> Extreme:
        """Find it exactly: between breaks a ratio of straight lines has no extreme."""
        low, high = self.places[[0, -1]]
        inner = above.pc[(low < above.pc) & (above.pc < high)]
        places = np.union1d(self.places, inner)
        heights = np.stack([above(places, side=side) for side in SIDES])
        if low < high:  # what is beyond the range does not count
            heights[0, 0], heights[1, -1] = heights[1, 0], heights[0, -1]
        ratio = _standardized(heights.max(axis=0), np.interp(places, self.places, self.wide))
        at = int(np.argmax(ratio))
        return Extreme(float(places[at]), float(ratio[at]))


@dataclass(frozen=True, eq=False)
class FlippedOnRange:
    """A difference of two cost lines on a range, and its sign changes; attributes as `Evidence`.

    Attributes
    ----------
    low, high
        The range.
    spread0, spread1
        As in `paired.SignFlips`.
    """

    estimate: Curve
    low: float
    high: float
    spread0: float
    spread1: float
    chance: Chance
    method: str = "sign flips"

    def width(self, pc: float) -> float:
        """Give what deviations at a PC(+) are divided by."""
        return math.hypot((1 - pc) * self.spread0, pc * self.spread1)

    def highest(self, above: Curve) -> Extreme:
        """Find it in closed form: at the range's ends, or where the two spreads balance."""
        at0, at1 = above(0.0), above(1.0)
        places = [self.low, self.high]
        if at0 > 0 and at1 > 0:
            first, second = at0 * self.spread1**2, at1 * self.spread0**2
            balanced = second / (first + second) if first + second else self.low
            places.append(min(max(balanced, self.low), self.high))
        widths = np.array([self.width(pc) for pc in places])
        ratio = _standardized(np.asarray(above(np.array(places))), widths)
        at = int(np.argmax(ratio))
        return Extreme(places[at], float(ratio[at]))


def on_range(
    found: Resampled, low: float, high: float, least: tuple[float, float] = (0.0, 0.0)
) -> OnRange:
    """Look at a resampled curve, or difference of two, on a range only.

    Parameters
    ----------
    found
        The curve and its resamples.
    low, high
        The range of PC(+), 0 <= low <= high <= 1, fixed before the data were looked at.
    least
        What the spread of the FP rate and of the FN rate is taken to be at least: two models that
        happen to agree on every instance need not be equal.

    Returns
    -------
    OnRange
        Spreads are those of `resampled_bands`, with the floor in the shape 4 pc (1 - pc) taken
        from the largest spread on the range.

    Raises
    ------
    ValueError
        "a range of PC(+) is within [0, 1] and not empty, found 0.5 to 0.2".

    Examples
    --------
    >>> from costcurves.maths.resampled_bands import resampled
    >>> from costcurves.maths.resampling import weights
    >>> draws = weights([0, 1] * 50, resamples=99, rng=np.random.default_rng(0))
    >>> heights = np.random.default_rng(1).normal(0.2, 0.02, (99, 3))
    >>> found = resampled(line(0.2, 0.2), np.array([0, 0.5, 1]), heights, draws)
    >>> part = on_range(found, 0.4, 0.6)
    >>> part.places.tolist(), part.highest(line(0.2, 0.2) - line(0.1, 0.1)).nec > 1
    ([0.4, 0.5, 0.6], True)
    """
    _check_range(low, high)
    inner = found.knots[(low < found.knots) & (found.knots < high)]
    places = np.unique(np.concatenate([[low], inner, [high]]))
    values = _interpolated(found.knots, found.values, places)
    spread, enlarged = (np.interp(places, found.knots, it) for it in (found.spread, found.least))
    shape = places * (1 - places)
    floor = spread.max() * shape / (shape.max() or 1.0)
    one = np.hypot((1 - places) * least[0], places * least[1])
    wide = np.maximum.reduce([spread, floor, enlarged, one])
    deviation = values - values.mean(axis=0)
    ratio = np.divide(deviation, wide, out=np.zeros_like(deviation), where=wide > 0)
    up, down = (np.maximum(it.max(axis=1), 0) / found.studentizer for it in (ratio, -ratio))
    tails = [Largest.simulated(it) for it in (up, down, np.maximum(up, down))]
    chance = Chance(tails[0], tails[1], tails[2], found.freedom)
    return OnRange(found.estimate, places, wide, chance, found.method)


def flips_on_range(
    classes: tuple[Differences, Differences],
    low: float,
    high: float,
    resamples: int,
    rng: np.random.Generator,
) -> FlippedOnRange:
    """Change signs of two crisp classifiers' differences, and look at a range only.

    Parameters
    ----------
    classes
        Differences of the negatives and of the positives.
    low, high
        The range of PC(+).
    resamples, rng
        As `paired.sign_flips`.

    Returns
    -------
    FlippedOnRange
        Chance is that of all sign changes, but at least the normal's with a spread of at least one
        instance: two models that happen to agree on every instance need not be equal. Where a
        difference as large as a limit is held against chance, the sums of squares that are kept are
        too large rather than too small.

    Raises
    ------
    ValueError
        As `on_range` and `paired.sign_flips`.

    Examples
    --------
    >>> from costcurves.maths.paired import Tables
    >>> tables = Tables(np.array([8, 0, 2, 0]), np.array([16, 0, 4, 0]))
    >>> found = flips_on_range(tables.differences(), 0.5, 0.5, 99, np.random.default_rng(0))
    >>> round(found.chance.p_value(found.highest(found.estimate).nec), 4)
    0.0523
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
    return FlippedOnRange(estimate, low, high, spread0, spread1, chance)


class Called(NamedTuple):
    """How a claim came out.

    Attributes
    ----------
    verdict
        `SUPPORTED`, `CONTRADICTED` or `UNDECIDED`.
    p_value
        The smallest error, familywise over all claims, at which it is decided.
    confidence
        The level at which each of its bands is read, after Holm and the number of data sets.
    decides
        Which of its data sets is nearest to another verdict, or contradicts it most.
    """

    verdict: str
    p_value: float
    confidence: float
    decides: int


class Held(NamedTuple):
    """What one data set says to a claim: a standardized height above the limit, and its p-value."""

    height: float
    p_value: float


def called(claims: Sequence[Sequence[Held]], levels: Sequence[float]) -> list[Called]:
    """Decide claims so that hardly ever any of them is called wrongly, see the module's docstring.

    Parameters
    ----------
    claims
        What each data set says to each claim, one or more; NaN for a height that there is not.
    levels
        The level of each claim.

    Returns
    -------
    list of Called

    Raises
    ------
    ValueError
        If a level is not between 0 and 1.

    Examples
    --------
    >>> found = called([[Held(-4, 0.002)], [Held(3, 0.04)], [Held(-1, 0.6)]], [0.9, 0.9, 0.9])
    >>> [(one.verdict, round(one.p_value, 3)) for one in found]
    [('SUPPORTED', 0.006), ('UNDECIDED', 0.12), ('UNDECIDED', 1.0)]
    """
    joint = [_joint(held) for held in claims]
    directions = [[p if sign == way else 1.0 for sign, p, _ in joint] for way in (-1, 1)]
    found = []
    for place, (sign, p_value, decides) in enumerate(joint):
        family = directions[sign > 0]
        confidence = holm(family, levels[place])[place]
        share = len(claims[place]) if sign > 0 else 1
        decided = sign != 0 and p_value <= 1 - confidence + EQUAL
        verdict = (SUPPORTED if sign < 0 else CONTRADICTED) if decided else UNDECIDED
        adjusted = _adjusted(family)[place]
        found.append(Called(verdict, adjusted, 1 - (1 - confidence) / share, decides))
    return found


def _joint(held: Sequence[Held]) -> tuple[int, float, int]:
    """Join data sets: the direction in which a claim can be decided, its p-value, and by which."""
    heights = np.array([one.height for one in held])
    p_values = np.array([one.p_value for one in held])
    if (heights > 0).any():
        least = int(np.argmin(np.where(heights > 0, p_values, np.inf)))
        return 1, min(len(held) * float(p_values[least]), 1.0), least
    if np.isnan(heights).any():
        return 0, 1.0, int(np.argmax(np.isnan(heights)))
    most = int(np.argmax(p_values))
    return -1, float(p_values[most]), most


def _adjusted(p_values: Sequence[float]) -> list[float]:
    """Give each p-value what Holm's steps make of it."""
    order = np.argsort(p_values, kind="stable")
    factors = np.arange(len(p_values), 0, -1)
    stepped = np.maximum.accumulate(np.asarray(p_values)[order] * factors)
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(stepped, 1)
    return [float(one) for one in adjusted]


def _highest_flipped(totals: Totals, low: float, high: float, sign: int) -> FloatArray:
    """Largest standardized height on the range in each outcome, at least 0: a projection."""
    u = sign * totals.at1 / (totals.spread1 or 1.0)
    v = sign * totals.at0 / (totals.spread0 or 1.0)
    first, last = (_direction(pc, totals.spread0, totals.spread1) for pc in (low, high))
    ends = np.maximum(u * first[0] + v * first[1], u * last[0] + v * last[1])
    between = (last[0] * v - last[1] * u >= 0) & (u * first[1] - v * first[0] >= 0) & (ends > 0)
    return np.maximum(np.where(between, np.hypot(u, v), ends), 0)


def _direction(pc: float, spread0: float, spread1: float) -> tuple[float, float]:
    """Give the direction of the (positives, negatives) plane that a PC(+) is."""
    along, across = pc * (spread1 or 1.0), (1 - pc) * (spread0 or 1.0)
    return along / math.hypot(along, across), across / math.hypot(along, across)


def _interpolated(knots: FloatArray, values: FloatArray, places: FloatArray) -> FloatArray:
    """(resamples, places) heights between knots, by straight lines."""
    left = np.clip(np.searchsorted(knots, places, side="right") - 1, 0, len(knots) - 2)
    share = (places - knots[left]) / (knots[left + 1] - knots[left])
    found: FloatArray = values[:, left] * (1 - share) + values[:, left + 1] * share
    return found


def _standardized(heights: FloatArray, widths: FloatArray) -> FloatArray:
    """Divide; without a width a height is infinitely far from zero, and zero is zero."""
    far = np.where(heights == 0, 0.0, np.copysign(np.inf, heights))
    return np.divide(heights, widths, out=far, where=widths > 0)


def _check_range(low: float, high: float) -> None:
    if not 0 <= low <= high <= 1:
        found = f"found {low} to {high}"
        raise ValueError(f"a range of PC(+) is within [0, 1] and not empty, {found}")
