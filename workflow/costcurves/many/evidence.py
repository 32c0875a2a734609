"""What one dataset says to one claim: where that is hardest to support, and what chance may do.

Every claim says that a curve stays below a limit, or between two of the same size: the cost of a
model, or cost(A) - cost(B), of which one may be a no-model baseline, whose cost is known. It is
made on a range of PC(+) fixed in advance, so the largest deviation by chance, standardized, is
taken on that range only: its quantiles are smaller than over all PC(+).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from costcurves.chance.largest import Largest
from costcurves.chance.means import Mean
from costcurves.chance.resampled_bands import (
    Resampled,
    compared_with_known,
    student_p_value,
    student_quantile,
)
from costcurves.chance.resampled_rules import ResampledCriteria, Ruled
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
from costcurves.pairs.paired import Differences, distribution, signed_totals
from costcurves.settings import AT_MOST, BASELINES, CHEAPER, EQUIVALENT, Claim
from costcurves.tables.keys import IN_SAMPLE

MANY: Final = 1e9  # degrees of freedom with which Student's t is normal
TEC: Final = "tec"  # the mean that the study's prior weighs
UNPAIRED: Final = "not predicted on the same instances and folds"


class Outcome(NamedTuple):
    """A standardized height above the limit of a claim, and its p-value, on one dataset."""

    height: float
    p_value: float


UNTESTED: Final = Outcome(math.nan, 1.0)


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
    up: Largest  # distributions of the largest standardized deviation; the same, of either way,
    down: Largest  # where there are limits on both sides
    dof: float  # of Student's t, whose quantile deviations must exceed at least
    method: str
    spreads: tuple[float, float] = 0.0, 0.0  # of a line's ends, in place of `wide`

    def p_value(self, height: float) -> float:
        """Compute twice the chance of so large a deviation, towards the sign of `height`.

        The height is standardized, above a limit.
        """
        tail = self.up if height > 0 else self.down
        least = student_p_value(abs(height), self.dof)
        return min(max(2 * tail.p_value(abs(height)), least), 1.0)

    def critical(self, level: float) -> tuple[float, float]:
        """Return what a deviation downwards, and one upwards, must exceed."""
        least = student_quantile(level, self.dof)
        down, up = (max(tail.critical((1 + level) / 2), least) for tail in (self.down, self.up))
        return down, up

    def band(self, level: float) -> Band:
        """Make the band that holds on the range; beyond it, it means nothing."""
        (down, up), (at0, at1) = self.critical(level), self.spreads
        places = np.union1d(self.places, [0.0, 1.0])
        width = through(places, np.interp(places, self.places, self.wide))
        lower = Edge(self.estimate - width * up, -1, up * at0, up * at1)
        upper = Edge(self.estimate + width * down, 1, down * at0, down * at1)
        return Band(self.estimate, lower, upper, level, simultaneous=True, method=self.method)

    def highest(self, above: Curve) -> Highest:
        """Find the largest standardized height of the curve above a limit."""
        # Of a line it is at an end of the range, or where the two spreads balance.
        low, high = self.places[0], self.places[-1]
        balanced = _balanced(above(0.0), above(1.0), self.spreads, low, high)
        places = np.union1d(self.places, balanced)
        wide = np.interp(places, self.places, self.wide)
        return highest(above, places, wide + _width(places, self.spreads))


def _width(places: FloatArray, spreads: tuple[float, float]) -> FloatArray:
    """Compute the spread of a line at some PC(+) from those of its ends."""
    return np.asarray(np.hypot((1 - places) * spreads[0], places * spreads[1]))


def _balanced(
    at0: ArrayLike, at1: ArrayLike, spreads: tuple[float, float], low: float, high: float
) -> FloatArray:
    """Find where on a range lines from `at0` to `at1` may be most spreads above 0."""
    first, second = np.multiply(at0, spreads[1] ** 2), np.multiply(at1, spreads[0] ** 2)
    inside = (first > 0) & (second > 0)
    pc = np.divide(second, first + second, out=np.full(inside.shape, float(low)), where=inside)
    return np.asarray(np.clip(pc, low, high))


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
    curve: Resampled,
    low: float,
    high: float,
    least: tuple[float, float] = (0.0, 0.0),
    *,
    both: bool = False,
) -> Evidence:
    """Return a resampled curve, or difference of two, on a range that was fixed in advance.

    Spreads are those of `resampled_bands`, with the floor in the shape 4 pc (1 - pc) taken from the
    largest spread on the range. `least` bounds the spreads of the FP rate and of the FN rate from
    below: two models that happen to agree on every instance need not be equal. With `both` there
    are limits on both sides, and a deviation either way counts.
    """
    grid = curve.grid
    places = np.unique(np.clip(grid, low, high))
    values = np.apply_along_axis(lambda drawn: np.interp(places, grid, drawn), 1, curve.values)
    spread = np.interp(places, grid, curve.spread)
    enlarged = np.interp(places, grid, curve.narrow)
    shape = places * (1 - places)
    floor = spread.max() * shape / (shape.max() or 1.0)
    wide = np.maximum.reduce([spread, floor, enlarged, _width(places, least)])
    deviation = values - values.mean(axis=0)
    ratio = np.divide(deviation, wide, out=np.zeros_like(deviation), where=wide > 0)
    up = ratio.max(axis=1, initial=0) / curve.studentizer
    down = -ratio.min(axis=1, initial=0) / curve.studentizer
    if both:
        up = down = np.maximum(up, down)
    tails = Largest.simulated(up), Largest.simulated(down)
    return Evidence(curve.estimate, places, wide, *tails, curve.dof, curve.method)


def flips_on_range(
    classes: tuple[Differences, Differences],
    low: float,
    high: float,
    resamples: int,
    rng: np.random.Generator,
    *,
    both: bool = False,
) -> Evidence:
    """Change signs of two crisp classifiers' differences, on a range fixed in advance.

    Chance is that of all sign changes, but at least the normal's with a spread of at least one
    instance: two models that happen to agree on every instance need not be equal. If the truth is
    a difference other than zero, the sums of squares that are kept are too large, not too small.
    """
    negatives, positives = classes
    totals = signed_totals(negatives, positives, resamples, rng)
    spreads = max(totals.spread0, 1 / negatives.size), max(totals.spread1, 1 / positives.size)
    up = _highest_flipped(totals.at0, totals.at1, spreads, low, high)
    if both:
        up = np.maximum(up, _highest_flipped(-totals.at0, -totals.at1, spreads, low, high))
    tail = distribution(up, totals.chances)  # downwards the same, by symmetry
    estimate, places = line(negatives.total, positives.total), np.unique([low, high])
    none = np.zeros(len(places))
    return Evidence(estimate, places, none, tail, tail, MANY, "sign flips", spreads)


def _highest_flipped(
    at0: FloatArray, at1: FloatArray, spreads: tuple[float, float], low: float, high: float
) -> FloatArray:
    """Find the largest standardized height on the range in each outcome, at least 0."""
    most = np.zeros(np.broadcast_shapes(at0.shape, at1.shape))
    for pc in (np.array(low), np.array(high), _balanced(at0, at1, spreads, low, high)):
        np.maximum(most, ((1 - pc) * at0 + pc * at1) / _width(pc, spreads), out=most)
    return most


@dataclass(frozen=True, eq=False)
class Basis:
    """What claims about one dataset are decided by: its tables, and its resamples."""

    original: str  # the dataset's name
    prior: float  # of positives in deployment
    rules: Callable[[], ResampledCriteria]
    predictions: pd.DataFrame
    operating_points: pd.DataFrame
    hybrids: pd.DataFrame
    criteria: pd.DataFrame
    headline: pd.DataFrame
    resampling: Resamples

    @cached_property
    def resampled_criteria(self) -> ResampledCriteria:
        """The curve of every threshold rule in the same resamples, where a claim names one."""
        return self.rules()

    def curve(self, choice: Ruled) -> tuple[Curve, str]:
        """Return the curve of a model under a rule, or without one its headline, and its kind."""
        if choice.criterion:
            return self.resampled_criteria.curves[choice]
        model = choice.model
        return headline_of(self.headline)[model], estimates_of(self.headline)[model]

    def resampled(self, choice: Ruled) -> Resampled:
        """Return the same curve with its resamples."""
        if choice.criterion:
            return self.resampled_criteria.of([choice])[choice]
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

    claim: Claim
    models: Sequence[Ruled]  # what of its sides is no baseline
    low: float  # from this PC(+) to the next it is claimed
    high: float
    most: float  # what its amounts are divided by
    estimate: Curve  # what is claimed to keep the limit
    method: str  # how chance was measured, or why it was not
    value: float = math.nan  # of the estimate, where the claim is hardest to support
    pc: float = math.nan  # that place; NaN: a mean
    side: Side = "right"  # of a jump there
    tested: Outcome = UNTESTED
    evidence: Evidence | Mean | None = None  # for the band; None: there is none

    @property
    def limit(self) -> float:
        """The limit, normalized."""
        return self.claim.limit / self.most

    @property
    def both(self) -> bool:
        """Whether there is a limit on both sides."""
        return self.claim.kind == EQUIVALENT

    def ends(self, height: float) -> int:
        """Count limits by which a mean may be called wrongly: beyond them, two of equivalence."""
        return 2 if self.both and height > 0 else 1

    def band(self, confidence: float) -> tuple[float, float]:
        """Return the ends of the band where the claim is hardest to support."""
        if self.evidence is None:
            return math.nan, math.nan
        if isinstance(self.evidence, Mean):
            return self.evidence.interval(1 - (1 - confidence) / self.ends(self.tested.height))
        band = self.evidence.band(confidence)
        return band.lower(self.pc, self.side), band.upper(self.pc, self.side)

    def kept(self, level: float) -> list[tuple[float, float]]:
        """List the stretches of the range on which the whole band keeps the limit.

        In rising order, without slivers (`curves.slivers`) unless the range itself is one.
        """
        if not isinstance(self.evidence, Evidence):
            return []
        whole, band = (self.low, self.high), self.evidence.band(level)
        above, below = line(self.limit, self.limit), line(-self.limit, -self.limit)
        lists = [[whole], [part[:2] for part in band.upper.against(above) if part.sign < 0]]
        if self.both:
            lists.append([part[:2] for part in band.lower.against(below) if part.sign > 0])
        parts = in_common(lists)
        return [part for part in parts if part == whole or not is_sliver(self.estimate, *part)]

    def crossing(self) -> float:
        """Return where two curves cross by estimate, next to an end of the range; NaN: nowhere."""
        if self.claim.kind == CHEAPER and self.low < self.high:
            for pc in crossings(self.estimate, line(0, 0)):
                for end in (self.low, self.high):
                    if is_narrow(min(pc, end), max(pc, end)):
                        return float(pc)
        return math.nan


def judge(claim: Claim, results: Basis, weight: Prior) -> Judgement:
    """Judge a claim by a dataset, where that is furthest from supporting it.

    A difference varies at least by what one case of each class would change: two models that happen
    to agree on every case need not be equal.
    """
    models = [Ruled(*side) for side in claim.sides if side[0] not in BASELINES]
    estimate, why = _estimate(claim, results), _untested(models, results)
    judgement = Judgement(claim, models, *place_of(claim, results), estimate, why)
    drawn = results.resampling.weights
    least = (1 / drawn.negatives, 1 / drawn.positives) if len(models) == 2 else (0.0, 0.0)
    if claim.average:
        return _of_mean(judgement, results, weight, least)
    return _of_range(judgement, None if why else _evidence(judgement, results, least))


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


def _of_range(judgement: Judgement, evidence: Evidence | None) -> Judgement:
    """Test a curve at every PC(+) of a range, or find where it is highest."""
    estimate, limit = judgement.estimate, line(judgement.limit, judgement.limit)
    heights = [estimate - limit, estimate * -1 - limit][: 1 + judgement.both]
    if evidence:
        tops = [evidence.highest(above) for above in heights]
    else:
        ends = np.unique([judgement.low, judgement.high])
        tops = [highest(above, ends, np.ones(len(ends))) for above in heights]
    pc, height, side = max(tops, key=lambda top: top.height)
    judgement = replace(judgement, value=estimate(pc, side=side), pc=pc, side=side)
    if evidence is None:
        return judgement
    tested = Outcome(height, evidence.p_value(height))
    return replace(judgement, tested=tested, method=evidence.method, evidence=evidence)


def _of_mean(
    judgement: Judgement, results: Basis, weight: Prior, least: tuple[float, float]
) -> Judgement:
    """Test a mean by Student's t; that two are equivalent by two one-sided tests."""
    if (kind := mean_of(judgement.claim)) != TEC:
        weight = weight_of_range(kind, judgement.low, judgement.high)
    mean = weight.expected_cost
    value = mean(judgement.estimate)
    if judgement.method:
        return replace(judgement, value=value)
    resampled = _resampled(judgement, results)
    of_case = mean(line(least[0], 0)), mean(line(0, least[1]))
    spread = max(resampled.spread_of(mean), math.hypot(*of_case))
    above = (abs(value) if judgement.both else value) - judgement.limit
    height = above / spread if spread else float(np.sign(above) * np.inf)
    p_value = judgement.ends(height) * student_p_value(abs(height), resampled.dof)
    return replace(
        judgement,
        value=value,
        method=resampled.method,
        tested=Outcome(height, min(p_value, 1.0)),
        evidence=Mean(value, spread, resampled.dof),
    )


def mean_of(claim: Claim) -> str:
    """Return which mean is claimed; empty: the cost at every PC(+)."""
    if not claim.average:
        return ""
    return TEC if claim.ends is None else "cost ratio" if claim.by_ratio else "range"


def _evidence(judgement: Judgement, results: Basis, least: tuple[float, float]) -> Evidence:
    drawn, points, both = results.resampling, results.operating_points, judgement.both
    range_, models = (judgement.low, judgement.high), [each.model for each in judgement.models]
    by_flips = not is_weighted(points) and drawn.of_cases and not any(judgement.claim.criteria)
    if len(models) == 2 and by_flips and {*models} <= {*crisp_models(points)}:
        rng = generator(drawn.seed, drawn.dataset, *sorted(models), "claims")
        classes = crisp_differences(folded(results.predictions), *models)
        return flips_on_range(classes, *range_, drawn.resamples, rng, both=both)
    return on_range(_resampled(judgement, results), *range_, least, both=both)


def _resampled(judgement: Judgement, results: Basis) -> Resampled:
    """Resample what is claimed to keep a limit."""
    if len(judgement.models) == 2:
        return results.difference(*judgement.models)
    model, claim = results.resampled(judgement.models[0]), judgement.claim
    if claim.kind == AT_MOST:
        return model
    return compared_with_known(model, judgement.estimate, claim.models[0] in BASELINES)


def _estimate(claim: Claim, results: Basis) -> Curve:
    """Return the cost of a model, or cost(A) - cost(B)."""
    first, *others = (
        COST_OF[model] if model in BASELINES else results.curve(Ruled(model, rule))[0]
        for model, rule in claim.sides
    )
    return first - others[0] if others else first


def _untested(models: Sequence[Ruled], results: Basis) -> str:
    """Return why chance can't be measured, so that nothing is decided; empty: it can."""
    if any(results.curve(choice)[1] == IN_SAMPLE for choice in models):
        return IN_SAMPLE
    paired = are_paired(results.predictions, sorted({choice.model for choice in models}))
    return "" if paired else UNPAIRED
