"""What one dataset says to one claim: where that is hardest to support, and what chance may do.

Every claim says that a curve stays below a limit, or between two of the same size: the cost of a
model, or cost(A) - cost(B), of which one may be a no-model baseline, whose cost is known. It is
made on a range of PC(+) fixed in advance, so the largest deviation by chance, standardized, is
taken on that range only: its quantiles are smaller than over all PC(+).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from costcurves.chance.largest import Largest
from costcurves.chance.resampled_bands import (
    Resampled,
    compared_with_known,
    student_p_value,
    student_quantile,
)
from costcurves.chance.resampled_rules import ResampledCriteria, Ruled, resampled_criteria
from costcurves.chance.resamples import Resamples, are_paired
from costcurves.chance.resampling import generator
from costcurves.choosing.headline import COST_OF, crisp_models, estimates_of, headline_of
from costcurves.costs.instance_costs import stake_of
from costcurves.counts.counted import is_weighted
from costcurves.counts.elementwise import FloatArray
from costcurves.counts.folds import folded
from costcurves.curves.bands import Band, Edge, in_common, through
from costcurves.curves.cost_space import pc_from_ratio
from costcurves.curves.curves import Curve, Side, crossings, line
from costcurves.curves.priors import Prior, weight_of_range
from costcurves.curves.slivers import is_narrow, is_sliver
from costcurves.pairs.comparisons import crisp_differences
from costcurves.pairs.paired import Differences, Totals, distribution, signed_totals
from costcurves.settings import AT_MOST, BASELINES, CHEAPER, EQUIVALENT, Claim, Selection
from costcurves.tables.keys import IN_SAMPLE

MANY: Final = 1e9  # degrees of freedom with which Student's t is normal
TEC: Final = "tec"  # the mean that the study's prior weighs
UNPAIRED: Final = "not predicted on the same instances and folds"


class Outcome(NamedTuple):
    """A standardized height above the limit of a claim, and its p-value, on one dataset."""

    height: float
    p_value: float


UNTESTED: Final = Outcome(math.nan, 1.0)


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
    spreads: tuple[float, float] = 0.0, 0.0  # of a line's ends, in place of `wide`

    def band(self, level: float, both: bool = False) -> Band:
        """Make the band that holds on the range; beyond it, it means nothing.

        `level` and `both` are as for `Chance.critical`.
        """
        (down, up), (at0, at1) = self.chance.critical(level, both), self.spreads
        places = np.union1d(self.places, [0.0, 1.0])
        width = through(places, np.interp(places, self.places, self.wide))
        lower = Edge(self.estimate - width * up, -1, up * at0, up * at1)
        upper = Edge(self.estimate + width * down, 1, down * at0, down * at1)
        return Band(self.estimate, lower, upper, level, simultaneous=True, method=self.method)

    def highest(self, above: Curve) -> Highest:
        """Find the largest standardized height of the curve above a limit."""
        # Of a line it is at an end of the range, or where the two spreads balance.
        (at0, at1), low, high = self.spreads, self.places[0], self.places[-1]
        first, second = above(0.0) * at1**2, above(1.0) * at0**2
        balanced = second / (first + second) if first > 0 and second > 0 else low
        places = np.union1d(self.places, np.clip(balanced, low, high))
        wide = np.interp(places, self.places, self.wide)
        return highest(above, places, wide + np.hypot((1 - places) * at0, places * at1))


def highest(above: Curve, places: FloatArray, wide: FloatArray) -> Highest:
    """Find the largest height over `wide`, which is known at `places` and straight in between.

    Exact: between breaks a ratio of straight lines has no extreme. At a jump at an end of the range
    only the side within counts.
    """
    low, high = places[[0, -1]]
    at = np.union1d(places, np.clip(above.pc, low, high))
    width = np.interp(at, places, wide)
    heights = np.stack([above(at), above(at, "left")])
    # Without a width a height is infinitely far from zero, and zero is zero.
    far = np.where(heights == 0, 0.0, np.copysign(np.inf, heights))
    ratio = np.divide(heights, width, out=far, where=width > 0)
    if low < high:
        ratio[1, 0] = ratio[0, -1] = -np.inf
    place = int(np.argmax(ratio.max(axis=0)))
    side = int(np.argmax(ratio[:, place]))
    return Highest(float(at[place]), float(ratio[side, place]), "left" if side else "right")


def on_range(
    curve: Resampled, low: float, high: float, least: tuple[float, float] = (0.0, 0.0)
) -> Evidence:
    """Return a resampled curve, or difference of two, on a range that was fixed in advance.

    Spreads are those of `resampled_bands`, with the floor in the shape 4 pc (1 - pc) taken from the
    largest spread on the range. `least` bounds the spreads of the FP rate and of the FN rate from
    below: two models that happen to agree on every instance need not be equal.
    """
    grid = curve.grid
    places = np.unique(np.clip(grid, low, high))
    values = np.apply_along_axis(lambda drawn: np.interp(places, grid, drawn), 1, curve.values)
    spread = np.interp(places, grid, curve.spread)
    enlarged = np.interp(places, grid, curve.narrow)
    shape = places * (1 - places)
    floor = spread.max() * shape / (shape.max() or 1.0)
    bound = np.hypot((1 - places) * least[0], places * least[1])
    wide = np.maximum.reduce([spread, floor, enlarged, bound])
    deviation = values - values.mean(axis=0)
    ratio = np.divide(deviation, wide, out=np.zeros_like(deviation), where=wide > 0)
    up = ratio.max(axis=1, initial=0) / curve.studentizer
    down = -ratio.min(axis=1, initial=0) / curve.studentizer
    either = Largest.simulated(np.maximum(up, down))
    chance = Chance(Largest.simulated(up), Largest.simulated(down), either, curve.dof)
    return Evidence(curve.estimate, places, wide, chance, curve.method)


def flips_on_range(
    classes: tuple[Differences, Differences],
    low: float,
    high: float,
    resamples: int,
    rng: np.random.Generator,
) -> Evidence:
    """Change signs of two crisp classifiers' differences, on a range fixed in advance.

    Chance is that of all sign changes, but at least the normal's with a spread of at least one
    instance: two models that happen to agree on every instance need not be equal. If the truth is
    a difference other than zero, the sums of squares that are kept are too large, not too small.
    """
    negatives, positives = classes
    totals = signed_totals(negatives, positives, resamples, rng)
    spread0 = max(totals.spread0, 1 / negatives.size)
    spread1 = max(totals.spread1, 1 / positives.size)
    totals = totals._replace(spread0=spread0, spread1=spread1)
    up, down = (_highest_flipped(totals, low, high, sign) for sign in (1, -1))
    either = distribution(np.maximum(up, down), totals.chances)
    tail = distribution(up, totals.chances)  # downwards the same, by symmetry
    estimate = line(negatives.total, positives.total)
    chance = Chance(tail, tail, either, MANY)
    places = np.unique([low, high])
    none = np.zeros(len(places))
    return Evidence(estimate, places, none, chance, "sign flips", (spread0, spread1))


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


@dataclass(frozen=True, eq=False)
class Basis:
    """What claims about one dataset are decided by: its tables, and its resamples."""

    original: str  # the dataset's name
    prior: float  # of positives in deployment
    level: str
    marked: Sequence[float]  # PC(+)
    selection: Selection
    predictions: pd.DataFrame
    operating_points: pd.DataFrame
    hybrids: pd.DataFrame
    criteria: pd.DataFrame
    headline: pd.DataFrame
    resampling: Resamples

    @cached_property
    def resampled_criteria(self) -> ResampledCriteria:
        """The curve of every threshold rule in the same resamples, where a claim names one."""
        return resampled_criteria(
            self.predictions,
            self.hybrids,
            self.headline,
            self.resampling,
            marked=self.marked,
            level=self.level,
            selection=self.selection,
        )

    def curve(self, choice: Ruled) -> tuple[Curve, str]:
        """Return the curve of a model under a rule, or without one its headline, and its kind."""
        if choice.criterion:
            return self.resampled_criteria.curves[choice]
        model = choice.model
        return headline_of(self.headline)[model], estimates_of(self.headline)[model]

    def resampled(self, choice: Ruled) -> Resampled:
        """Return the same curve with its resamples."""
        if choice.criterion:
            return self.resampled_criteria.of(choice)
        return self.resampling.of(choice.model, *self.curve(choice))

    def difference(self, a: Ruled, b: Ruled) -> Resampled:
        """Subtract the second from the first, resample by resample."""
        if a.criterion:
            each = {choice: self.resampled(choice) for choice in (a, b)}
            return self.resampled_criteria.compared(a, b, each)
        pair = a.model, b.model
        return next(self.resampling.differences([pair], headline_of(self.headline)))


@dataclass(frozen=True, eq=False)
class Judgement:
    """What one dataset says to one claim."""

    low: float  # from this PC(+) to the next it is claimed
    high: float
    most: float  # what its amounts are divided by
    limit: float  # normalized
    estimate: Curve  # what is claimed to keep it
    method: str  # how chance was measured, or why it was not
    value: float = math.nan  # of the estimate, where the claim is hardest to support
    pc: float = math.nan  # that place; NaN: a mean
    side: Side = "right"  # of a jump there
    tested: Outcome = UNTESTED
    evidence: Evidence | None = None  # for the band; None: there is none
    spread: float = math.nan  # of a mean
    dof: float = math.nan

    def band(self, claim: Claim, confidence: float) -> tuple[float, float]:
        """Return the ends of the band where the claim is hardest to support."""
        if self.evidence is None:  # of a mean, or NaN
            error = (1 - confidence) / _ends(claim, self.tested.height)
            half = student_quantile(1 - error, self.dof) * self.spread
            return self.value - half, self.value + half
        band = self.evidence.band(confidence, claim.kind == EQUIVALENT)
        return band.lower(self.pc, self.side), band.upper(self.pc, self.side)

    def kept(self, claim: Claim, level: float) -> list[tuple[float, float]]:
        """List the stretches of the range on which the whole band keeps the limit.

        In rising order, without slivers (`curves.slivers`) unless the range itself is one.
        """
        if self.evidence is None:
            return []
        both, whole = claim.kind == EQUIVALENT, (self.low, self.high)
        band = self.evidence.band(level, both)
        above, below = line(self.limit, self.limit), line(-self.limit, -self.limit)
        lists = [[whole], [part[:2] for part in band.upper.against(above) if part.sign < 0]]
        if both:
            lists.append([part[:2] for part in band.lower.against(below) if part.sign > 0])
        parts = in_common(lists)
        return [part for part in parts if part == whole or not is_sliver(self.estimate, *part)]

    def crossing(self, claim: Claim) -> float:
        """Return where two curves cross by estimate, next to an end of the range; NaN: nowhere."""
        if claim.kind == CHEAPER and self.low < self.high:
            for pc in crossings(self.estimate, line(0, 0)):
                for end in (self.low, self.high):
                    if is_narrow(min(pc, end), max(pc, end)):
                        return float(pc)
        return math.nan


def judge(claim: Claim, results: Basis, weight: Prior) -> Judgement:
    """Judge a claim by a dataset, where that is furthest from supporting it."""
    low, high, most = place_of(claim, results)
    why = _untested(claim, results)
    estimate = _estimate(claim, results)
    judgement = Judgement(low, high, most, claim.limit / most, estimate, why)
    if claim.average:
        return _of_mean(judgement, claim, results, weight)
    return _of_range(judgement, claim, results)


def place_of(claim: Claim, results: Basis) -> tuple[float, float, float]:
    """Return between which PC(+) a claim is made on a dataset, and its unit as a cost."""
    if claim.condition is not None:
        pc = claim.condition.at(results.prior)
        return pc, pc, claim.condition.most(results.prior) if claim.condition.unit else 1.0
    if claim.at_own_costs:
        pc = stake_of(results.predictions, results.prior).pc
        return pc, pc, 1.0
    low, high = claim.ends or (0.0, 1.0)
    if claim.by_ratio:
        prior = results.prior if claim.prior is None else claim.prior
        low, high = (float(pc_from_ratio(ratio, prior)) for ratio in (low, high))
    return low, high, 1.0


def _of_range(judgement: Judgement, claim: Claim, results: Basis) -> Judgement:
    """Test a curve at every PC(+) of a range, or find where it is highest."""
    evidence = None if judgement.method else _evidence(judgement, claim, results)
    estimate, both, tops = judgement.estimate, claim.kind == EQUIVALENT, []
    ends = np.unique([judgement.low, judgement.high])
    for way in (1, -1) if both else (1,):
        above = estimate * way - line(judgement.limit, judgement.limit)
        top = evidence.highest(above) if evidence else highest(above, ends, np.ones(len(ends)))
        tops.append((top, way))
    top, way = max(tops, key=lambda pair: pair[0].height)
    value = estimate(top.pc, side=top.side)
    judgement = replace(judgement, value=value, pc=top.pc, side=top.side)
    if evidence is None:
        return judgement
    tested = Outcome(top.height, evidence.chance.p_value(way * top.height, both))
    return replace(judgement, tested=tested, method=evidence.method, evidence=evidence)


def _of_mean(judgement: Judgement, claim: Claim, results: Basis, weight: Prior) -> Judgement:
    """Test a mean by Student's t; that two are equivalent by two one-sided tests.

    Its spread is at least what one case of each class would change in a difference: two models
    that happen to agree on every case need not be equal.
    """
    if (kind := mean_of(claim)) != TEC:
        weight = weight_of_range(kind, judgement.low, judgement.high)
    mean = weight.expected_cost
    value = mean(judgement.estimate)
    if judgement.method:
        return replace(judgement, value=value)
    resampled, drawn = _resampled(claim, results), results.resampling.weights
    spread = resampled.spread_of(mean)
    if len(_models(claim)) == 2:
        of_case = mean(line(1 / drawn.negatives, 0)), mean(line(0, 1 / drawn.positives))
        spread = max(spread, math.hypot(*of_case))
    above = (abs(value) if claim.kind == EQUIVALENT else value) - judgement.limit
    height = above / spread if spread else float(np.sign(above) * np.inf)
    p_value = min(_ends(claim, height) * student_p_value(abs(height), resampled.dof), 1.0)
    return replace(
        judgement,
        value=value,
        method=resampled.method,
        tested=Outcome(height, p_value),
        spread=spread,
        dof=resampled.dof,
    )


def mean_of(claim: Claim) -> str:
    """Return which mean is claimed; empty: the cost at every PC(+)."""
    if not claim.average:
        return ""
    return TEC if claim.ends is None else "cost ratio" if claim.by_ratio else "range"


def _ends(claim: Claim, height: float) -> int:
    """Count the limits by which a mean may be called wrongly: beyond them, two of equivalence."""
    return 2 if claim.kind == EQUIVALENT and height > 0 else 1


def _evidence(judgement: Judgement, claim: Claim, results: Basis) -> Evidence:
    drawn, points, models = results.resampling, results.operating_points, _models(claim)
    least = 0.0, 0.0
    if len(models) == 2:
        least = 1 / drawn.weights.negatives, 1 / drawn.weights.positives
        a, b = (side.model for side in models)
        flipped = not is_weighted(points) and drawn.of_cases and not any(claim.criteria)
        if flipped and {a, b} <= {*crisp_models(points)}:
            rng = generator(drawn.seed, drawn.dataset, *sorted([a, b]), "claims")
            classes = crisp_differences(folded(results.predictions), a, b)
            return flips_on_range(classes, judgement.low, judgement.high, drawn.resamples, rng)
    return on_range(_resampled(claim, results), judgement.low, judgement.high, least)


def _resampled(claim: Claim, results: Basis) -> Resampled:
    """Resample what is claimed to keep a limit."""
    models = _models(claim)
    if len(models) == 2:
        return results.difference(*models)
    model = results.resampled(models[0])
    if claim.kind == AT_MOST:
        return model
    return compared_with_known(model, _estimate(claim, results), claim.models[0] in BASELINES)


def _estimate(claim: Claim, results: Basis) -> Curve:
    """Return the cost of a model, or cost(A) - cost(B)."""
    first, *others = (
        COST_OF[model] if model in BASELINES else results.curve(Ruled(model, rule))[0]
        for model, rule in claim.sides
    )
    return first - others[0] if others else first


def _models(claim: Claim) -> list[Ruled]:
    """List what is not a baseline."""
    return [Ruled(*side) for side in claim.sides if side[0] not in BASELINES]


def _untested(claim: Claim, results: Basis) -> str:
    """Return why chance can't be measured, so that nothing is decided; empty: it can."""
    models = _models(claim)
    if any(results.curve(choice)[1] == IN_SAMPLE for choice in models):
        return IN_SAMPLE
    paired = are_paired(results.predictions, sorted({choice.model for choice in models}))
    return "" if paired else UNPAIRED
