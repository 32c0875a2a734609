"""What one dataset says to one claim: where that is hardest to support, and what chance may do.

Every claim says that a curve stays below a limit, or between two of the same size: the cost of a
model, or cost(A) - cost(B), of which one may be a no-model baseline, whose cost is known.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
import pandas as pd

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
from costcurves.counts.folds import folded
from costcurves.curves.bands import in_common
from costcurves.curves.cost_space import pc_from_ratio
from costcurves.curves.curves import Curve, Side, crossings, line
from costcurves.curves.priors import weight_of_pc, weight_of_range
from costcurves.curves.slivers import is_narrow, is_sliver
from costcurves.many.on_range import Evidence, flips_on_range, highest, on_range
from costcurves.many.statements import Held
from costcurves.pairs.differences import crisp_differences
from costcurves.settings import AT_MOST, BASELINES, CHEAPER, EQUIVALENT, Claim
from costcurves.tables.keys import IN_SAMPLE

UNTESTED: Final = Held(math.nan, 1.0)
UNPAIRED: Final = "not predicted on the same instances and folds"


@dataclass(frozen=True, eq=False)
class Basis:
    """What claims about one dataset are decided by: its tables, and its resamples."""

    original: str  # the dataset's name
    prior: float  # of positives in deployment
    level: str
    marked: Sequence[float]  # PC(+)
    selection: Mapping[str, Any]
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
class Look:
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
    held: Held = UNTESTED
    evidence: Evidence | None = None  # for the band; None: there is none
    spread: float = math.nan  # of a mean
    dof: float = math.nan

    def band(self, claim: Claim, confidence: float) -> tuple[float, float]:
        """Return the ends of the band where the claim is hardest to support."""
        if self.evidence is None:  # of a mean, or NaN
            error = (1 - confidence) / _ends(claim, self.held.height)
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


def look_at(claim: Claim, results: Basis, prior: Mapping[str, Any]) -> Look:
    """Find where a dataset is furthest from supporting a claim."""
    low, high, most = place_of(claim, results)
    why = _untested(claim, results)
    look = Look(low, high, most, claim.limit / most, _estimate(claim, results), why)
    return (
        _of_mean(look, claim, results, prior) if claim.average else _of_range(look, claim, results)
    )


def place_of(claim: Claim, results: Basis) -> tuple[float, float, float]:
    """Return between which PC(+) a claim is made on a dataset, and what one in its unit is."""
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


def _of_range(look: Look, claim: Claim, results: Basis) -> Look:
    """Test a curve at every PC(+) of a range, or find where it is highest."""
    evidence = None if look.method else _evidence(look, claim, results)
    estimate = look.estimate if evidence is None else evidence.estimate
    both, tops = claim.kind == EQUIVALENT, []
    for way in (1, -1) if both else (1,):
        above = estimate * way - line(look.limit, look.limit)
        if evidence is None:
            places = np.unique([look.low, look.high])
            tops.append((highest(above, places, np.ones(len(places))), way))
        else:
            tops.append((evidence.highest(above), way))
    top, way = max(tops, key=lambda pair: pair[0].height)
    look = replace(
        look,
        estimate=estimate,
        value=estimate(top.pc, side=top.side),
        pc=top.pc,
        side=top.side,
        evidence=evidence,
    )
    if evidence is None:
        return look
    held = Held(top.height, evidence.chance.p_value(way * top.height, both))
    return replace(look, held=held, method=evidence.method)


def _of_mean(look: Look, claim: Claim, results: Basis, prior: Mapping[str, Any]) -> Look:
    """Test a mean by Student's t; that two are equivalent by two one-sided tests.

    Its spread is at least what one case of each class would change in a difference: two models
    that happen to agree on every case need not be equal.
    """
    weight = weight_of_pc(prior)
    if claim.ends is not None:
        weight = weight_of_range("cost ratio" if claim.by_ratio else "range", look.low, look.high)
    mean = weight.expected_cost
    value = mean(look.estimate)
    if look.method:
        return replace(look, value=value)
    resampled, drawn = _resampled(claim, results), results.resampling.weights
    spread = resampled.spread_of(mean)
    if len(_models(claim)) == 2:
        of_one = mean(line(1 / drawn.negatives, 0)), mean(line(0, 1 / drawn.positives))
        spread = max(spread, math.hypot(*of_one))
    above = (abs(value) if claim.kind == EQUIVALENT else value) - look.limit
    height = above / spread if spread else float(np.sign(above) * np.inf)
    p_value = min(_ends(claim, height) * student_p_value(abs(height), resampled.dof), 1.0)
    return replace(
        look,
        value=value,
        method=resampled.method,
        held=Held(height, p_value),
        spread=spread,
        dof=resampled.dof,
    )


def _ends(claim: Claim, height: float) -> int:
    """Count the limits by which a mean may be called wrongly: beyond them, two of equivalence."""
    return 2 if claim.kind == EQUIVALENT and height > 0 else 1


def _evidence(look: Look, claim: Claim, results: Basis) -> Evidence:
    drawn, points, models = results.resampling, results.operating_points, _models(claim)
    least = 0.0, 0.0
    if len(models) == 2:
        least = 1 / drawn.weights.negatives, 1 / drawn.weights.positives
        a, b = (side.model for side in models)
        flipped = not is_weighted(points) and drawn.of_cases and not any(claim.criteria)
        if flipped and {a, b} <= {*crisp_models(points)}:
            rng = generator(drawn.seed, drawn.dataset, *sorted([a, b]), "claims")
            classes = crisp_differences(folded(results.predictions), a, b)
            return flips_on_range(classes, look.low, look.high, drawn.resamples, rng)
    return on_range(_resampled(claim, results), look.low, look.high, least)


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
    """Return why chance can't be told, so that nothing is decided; empty: it can."""
    models = _models(claim)
    if any(_is_in_sample(choice, results) for choice in models):
        return IN_SAMPLE
    paired = are_paired(results.predictions, sorted({choice.model for choice in models}))
    return "" if paired else UNPAIRED


def is_in_sample(claim: Claim, results: Mapping[str, Basis]) -> bool:
    """Return whether any curve of a claim, on any dataset, was chosen on what judges it."""
    return any(_is_in_sample(it, results[name]) for name in claim.judged for it in _models(claim))


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
