"""What one dataset says to one claim: where that is hardest to support, and what chance may do.

Every claim says that a curve stays below a limit, or between two of the same size: the cost of a
model, or cost(A) - cost(B), of which one may be a no-model baseline, whose cost is known. It is
made on a range of PC(+) fixed in advance, so the largest deviation by chance, standardized, is
taken on that range only: its quantiles are smaller than over all PC(+).
"""

import math
from collections.abc import Mapping, Sequence
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
    curve: Resampled, low: float, high: float, least: tuple[float, float] = (0.0, 0.0)
) -> Evidence:
    """Return a resampled curve, or difference of two, on a range that was fixed in advance.

    Spreads are those of `resampled_bands`, with the floor in the shape 4 pc (1 - pc) taken from the
    largest spread on the range. `least` bounds the spreads of the FP rate and of the FN rate from
    below: two models that happen to agree on every instance need not be equal.
    """
    _check_range(low, high)
    inner = curve.grid[(low < curve.grid) & (curve.grid < high)]
    places = np.unique(np.concatenate([[low], inner, [high]]))
    values = _interpolated(curve.grid, curve.values, places)
    spread = np.interp(places, curve.grid, curve.spread)
    enlarged = np.interp(places, curve.grid, curve.narrow)
    shape = places * (1 - places)
    floor = spread.max() * shape / (shape.max() or 1.0)
    bound = np.hypot((1 - places) * least[0], places * least[1])
    wide = np.maximum.reduce([spread, floor, enlarged, bound])
    deviation = values - values.mean(axis=0)
    ratio = np.divide(deviation, wide, out=np.zeros_like(deviation), where=wide > 0)
    up = np.maximum(ratio.max(axis=1), 0) / curve.studentizer
    down = np.maximum(-ratio.min(axis=1), 0) / curve.studentizer
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
    _check_range(low, high)
    negatives, positives = classes
    totals = signed_totals(negatives, positives, resamples, rng)
    sizes = negatives.size, positives.size
    spread0, spread1 = max(totals.spread0, 1 / sizes[0]), max(totals.spread1, 1 / sizes[1])
    totals = totals._replace(spread0=spread0, spread1=spread1)
    up, down = (_highest_flipped(totals, low, high, sign) for sign in (1, -1))
    either = distribution(np.maximum(up, down), totals.chances)
    tail = distribution(up, totals.chances)  # downwards the same, by symmetry
    estimate = line(negatives.total, positives.total)
    chance = Chance(tail, tail, either, MANY)
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
    """Return (resamples, places) heights between points of the grid, by straight lines."""
    left = np.clip(np.searchsorted(grid, places, side="right") - 1, 0, len(grid) - 2)
    share = (places - grid[left]) / (grid[left + 1] - grid[left])
    heights: FloatArray = values[:, left] * (1 - share) + values[:, left + 1] * share
    return heights


def _standardized(heights: FloatArray, widths: FloatArray) -> FloatArray:
    """Divide; without a width a height is infinitely far from zero, and zero is zero."""
    far = np.where(heights == 0, 0.0, np.copysign(np.inf, heights))
    return np.divide(heights, widths, out=far, where=widths > 0)


def _check_range(low: float, high: float) -> None:
    """Refuse a range of PC(+) that is none."""
    if not 0 <= low <= high <= 1:
        raise ValueError(f"a range of PC(+) is within [0, 1] and not empty, found {low} to {high}")


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
    estimate = judgement.estimate if evidence is None else evidence.estimate
    both, tops = claim.kind == EQUIVALENT, []
    for way in (1, -1) if both else (1,):
        above = estimate * way - line(judgement.limit, judgement.limit)
        if evidence is None:
            places = np.unique([judgement.low, judgement.high])
            tops.append((highest(above, places, np.ones(len(places))), way))
        else:
            tops.append((evidence.highest(above), way))
    top, way = max(tops, key=lambda pair: pair[0].height)
    judgement = replace(
        judgement,
        estimate=estimate,
        value=estimate(top.pc, side=top.side),
        pc=top.pc,
        side=top.side,
        evidence=evidence,
    )
    if evidence is None:
        return judgement
    tested = Outcome(top.height, evidence.chance.p_value(way * top.height, both))
    return replace(judgement, tested=tested, method=evidence.method)


def _of_mean(judgement: Judgement, claim: Claim, results: Basis, weight: Prior) -> Judgement:
    """Test a mean by Student's t; that two are equivalent by two one-sided tests.

    Its spread is at least what one case of each class would change in a difference: two models
    that happen to agree on every case need not be equal.
    """
    if claim.ends is not None:
        weight = weight_of_range(
            "cost ratio" if claim.by_ratio else "range", judgement.low, judgement.high
        )
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
        return _difference(models[0], models[1], results)
    model = _of_model(models[0], results)
    if claim.kind == AT_MOST:
        return model
    return compared_with_known(model, _estimate(claim, results), claim.models[0] in BASELINES)


def _estimate(claim: Claim, results: Basis) -> Curve:
    """Return the cost of a model, or cost(A) - cost(B)."""
    first, *others = (
        COST_OF[side.model] if side.model in BASELINES else _curve(side, results)
        for side in (Ruled(*side) for side in claim.sides)
    )
    return first - others[0] if others else first


def _models(claim: Claim) -> list[Ruled]:
    """List what is not a baseline."""
    return [Ruled(*side) for side in claim.sides if side[0] not in BASELINES]


def _untested(claim: Claim, results: Basis) -> str:
    """Return why chance can't be measured, so that nothing is decided; empty: it can."""
    models = _models(claim)
    if any(_is_in_sample(choice, results) for choice in models):
        return IN_SAMPLE
    paired = are_paired(results.predictions, sorted({choice.model for choice in models}))
    return "" if paired else UNPAIRED


def is_in_sample(claim: Claim, results: Mapping[str, Basis]) -> bool:
    """Return whether any curve of a claim, on any dataset, was chosen on what judges it."""
    return any(
        _is_in_sample(model, results[name]) for name in claim.judged for model in _models(claim)
    )


def _curve(choice: Ruled, results: Basis) -> Curve:
    """Return the curve of a model: under a criterion, or without one its headline curve."""
    if choice.criterion:
        return results.resampled_criteria.curves[choice]
    return headline_of(results.headline)[choice.model]


def _is_in_sample(choice: Ruled, results: Basis) -> bool:
    """Return whether a curve was chosen on the very data that judge it, and so is too low."""
    if not choice.criterion:
        return estimates_of(results.headline)[choice.model] == IN_SAMPLE
    return results.resampled_criteria.estimates[choice] == IN_SAMPLE


def _of_model(choice: Ruled, results: Basis) -> Resampled:
    """Return the same curve with its resamples."""
    if choice.criterion:
        return results.resampled_criteria.of(choice)
    estimate = estimates_of(results.headline)[choice.model]
    return results.resampling.of(choice.model, _curve(choice, results), estimate)


def _difference(a: Ruled, b: Ruled, results: Basis) -> Resampled:
    """Subtract the second from the first, resample by resample."""
    if a.criterion:
        each = {choice: _of_model(choice, results) for choice in (a, b)}
        return results.resampled_criteria.compared(a, b, each)
    curves = headline_of(results.headline)
    return next(results.resampling.differences([(a.model, b.model)], curves))
