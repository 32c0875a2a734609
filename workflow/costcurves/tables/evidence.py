"""What one dataset says to one claim: where that is hardest to support, and what chance may do."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.choosing.resampled import ResampledCriteria, Ruled, resampled_criteria
from costcurves.choosing.rules import RULES
from costcurves.maths.chance.claims import Held
from costcurves.maths.chance.evidence import Evidence, flips_on_range, on_range
from costcurves.maths.chance.resampled_bands import SIDES, Resampled, student_p_value
from costcurves.maths.chance.resampling import generator
from costcurves.maths.costs.absolute_costs import stake
from costcurves.maths.geometry.bands import in_common
from costcurves.maths.geometry.curves import Curve, Side, line, trivial
from costcurves.maths.geometry.slivers import is_sliver
from costcurves.settings import (
    CHEAPER,
    EQUIVALENT,
    OPERATING_RANGE,
    PAIRS,
    WORSE_THAN_TRIVIAL,
    Claim,
)
from costcurves.tables.curves.headline import (
    crisp_models,
    estimates_of,
    headline_of,
    weight_of_pc,
    weight_of_range,
)
from costcurves.tables.curves.operating_points import folded, is_weighted
from costcurves.tables.inference.comparisons import crisp_differences
from costcurves.tables.inference.instance_costs import costs_of
from costcurves.tables.inference.resampling import Resamples, are_paired
from costcurves.tables.keys import IN_SAMPLE

UNPAIRED: Final = "not predicted on the same instances and folds"

# On which side of a curve its limit is: 1 above it, -1 below it.
WAYS: Final = {EQUIVALENT: (1, -1), WORSE_THAN_TRIVIAL: (-1,)}


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

    held: Held  # the standardized height beyond the limit, and its p-value
    pc: float  # where that is; NaN: a mean
    side: Side  # of a jump there
    value: float  # what is claimed to keep the limit
    limit: float  # the limit there
    evidence: Evidence | None  # of the curve, for the band; None: there is none
    single: tuple[float, float] | None  # spread and degrees of freedom of a mean
    method: str  # how chance was measured, or why it was not


def look_at(one: Claim, results: Basis, prior: Mapping[str, Any]) -> Look:
    """Say where a dataset is furthest from supporting a claim."""
    one = asked(one, results)
    if any(_is_in_sample(choice, results) for choice in _choices(one)):
        return _untested(one, results, prior, IN_SAMPLE)
    if one.kind in PAIRS and not are_paired(results.predictions, sorted({*one.models})):
        return _untested(one, results, prior, UNPAIRED)
    if one.mean is not None:
        return _of_mean(one, results, prior)
    evidence = _evidence(one, results)
    above = {way: evidence.estimate * way - _limit(one) for way in WAYS.get(one.kind, (1,))}
    found = [(*evidence.highest(excess), way) for way, excess in above.items()]
    pc, height, way = max(found, key=lambda it: it[1])
    _, side = _highest_side(above[way], pc, one)
    held = Held(height, evidence.chance.p_value(way * height, one.kind == EQUIVALENT))
    value, limit = evidence.estimate(pc, side=side), abs(_limit(one)(pc))
    return Look(held, pc, side, value, limit, evidence, None, evidence.method)


def kept(one: Claim, evidence: Evidence, level: float) -> list[tuple[float, float]]:
    """Say on which stretches of its range a claim keeps its limit with its whole band.

    In rising order, without slivers (`maths.geometry.slivers`) unless the range itself is one.
    """
    band = evidence.band(level, one.kind == EQUIVALENT)
    edges = {1: band.upper, -1: band.lower}
    ways = WAYS.get(one.kind, (1,))
    parts = [
        [part[:2] for part in edges[way].against(_limit(one) * way) if part.sign == -way]
        for way in ways
    ]
    found = in_common([[(one.low, one.high)], *parts])
    whole, curve = (one.low, one.high), evidence.estimate
    return [part for part in found if part == whole or not is_sliver(curve, *part)]


def _highest_side(above: Curve, pc: float, one: Claim) -> tuple[float, Side]:
    """Give the height at a place, at a jump the higher one of those within the range."""
    sides = [side for side, end in zip(SIDES, (one.low, one.high), strict=True) if pc != end]
    return max((above(pc, side=side), side) for side in (sides or SIDES))


def _limit(one: Claim) -> Curve:
    """Give what the curve stays below; or, where it stays above something, the curve negated."""
    if one.kind == WORSE_THAN_TRIVIAL:
        return trivial() * -1
    return trivial() if one.kind == OPERATING_RANGE else line(one.limit, one.limit)


def _of_mean(one: Claim, results: Basis, prior: Mapping[str, Any]) -> Look:
    """Test a mean by Student's t; that two are equivalent by two one-sided tests.

    Its spread is at least what one case of each class would change in a difference: two models
    that happen to agree on every case need not be equal.
    """
    mean, sides, drawn = _mean(one, prior), _choices(one), results.resampling.weights
    found = _difference(sides[0], sides[1], results) if sides[1:] else _resampled(sides[0], results)
    value, spread = float(mean(found.estimate)), found.spread_of(mean)
    if sides[1:]:
        of_one = mean(line(1 / drawn.negatives, 0)), mean(line(0, 1 / drawn.positives))
        spread = max(spread, math.hypot(*of_one))
    above = max(value * way for way in WAYS.get(one.kind, (1,))) - one.limit
    height = above / spread if spread else float(np.sign(above) * np.inf)
    held = Held(height, min(ends(one, height) * student_p_value(abs(height), found.dof), 1.0))
    single = spread, found.dof
    return Look(held, float("nan"), "left", value, one.limit, None, single, found.method)


def ends(one: Claim, height: float) -> int:
    """Say by how many limits a mean may be called wrongly: beyond them, two of equivalence."""
    return 2 if one.kind == EQUIVALENT and height > 0 else 1


def _mean(one: Claim, prior: Mapping[str, Any]) -> Callable[[Curve], float]:
    if one.mean in ("area", "tec"):
        return Curve.area if one.mean == "area" else weight_of_pc(prior).expected_cost
    return weight_of_range(str(one.mean), one.low, one.high).expected_cost


def _untested(one: Claim, results: Basis, prior: Mapping[str, Any], why: str) -> Look:
    """Say what is observed where chance cannot be told: it decides nothing."""
    held, (first, *others) = Held(float("nan"), 1.0), (_curve(it, results) for it in _choices(one))
    curve = sum((other * -1 for other in others), first)
    if one.mean is not None:
        value = float(_mean(one, prior)(curve))
        return Look(held, float("nan"), "left", value, one.limit, None, None, why)
    limit = _limit(one)
    above = [curve * way - limit for way in WAYS.get(one.kind, (1,))]
    breaks = np.concatenate([it.pc for it in above])
    inner = breaks[(one.low < breaks) & (breaks < one.high)]
    places = np.unique(np.concatenate([[one.low], inner, [one.high]])).tolist()
    heights = [(max(_highest_side(it, pc, one) for it in above), pc) for pc in places]
    (_, side), pc = max(heights)
    value = curve(pc, side=side)
    return Look(held, pc, side, value, abs(limit(pc)), None, None, why)


def _evidence(one: Claim, results: Basis) -> Evidence:
    sides = _choices(one)
    if one.kind not in PAIRS:
        return on_range(_resampled(sides[0], results), one.low, one.high)
    drawn, (a, b) = results.resampling, one.models
    points = results.operating_points
    flipped = not is_weighted(points) and drawn.weights.per_cluster == 1
    if not any(one.criteria) and flipped and {a, b} <= {*crisp_models(points)}:
        rows = folded(results.predictions)
        rng = generator(drawn.seed, drawn.dataset, *sorted(one.models), "claims")
        classes = crisp_differences(rows, a, b)
        return flips_on_range(classes, one.low, one.high, drawn.resamples, rng)
    least = 1 / drawn.weights.negatives, 1 / drawn.weights.positives
    return on_range(_difference(sides[0], sides[1], results), one.low, one.high, least)


def undecidable(one: Claim, predictions: pd.DataFrame) -> Iterator[str]:
    """Say why predictions can hardly decide a claim, as far as that is known before any curve."""
    if one.kind in PAIRS and not are_paired(predictions, sorted({*one.models})):
        yield f"can't be decided: the two models are {UNPAIRED}"
    if any(name and RULES[name].kind == IN_SAMPLE for name in one.criteria):
        yield "can't be decided: its criterion chooses on the data that judge it"
    scored = predictions.loc[predictions["model"].isin(one.models), "score"].notna().any()
    at_ends = not one.at_own_costs and one.mean is None and (one.low <= 0 or one.high >= 1)
    if one.kind in (CHEAPER, WORSE_THAN_TRIVIAL) and scored and at_ends:
        where = "at PC(+) = 0 and 1 a model with scores costs nothing, or hardly more"
        yield f"can hardly be supported: {where}; end its range before"


def is_in_sample(one: Claim, results: Mapping[str, Basis]) -> bool:
    """Say whether any curve of a claim, on any of its datasets, was chosen on what judges it."""
    return any(_is_in_sample(it, results[name]) for name in one.judged for it in _choices(one))


def asked(one: Claim, results: Basis) -> Claim:
    """Give a claim as it is about this dataset: maybe at the PC(+) of its own costs."""
    if not one.at_own_costs:
        return one
    costs, labels, cases = costs_of(results.predictions)
    pc = stake(costs, labels, results.prior, cases).pc
    return replace(one, low=pc, high=pc)


def _choices(one: Claim) -> list[Ruled]:
    return [Ruled(*side) for side in one.sides]


def _curve(choice: Ruled, results: Basis) -> Curve:
    """Give the curve of a model: under a criterion, or without one its headline curve."""
    if choice.criterion:
        return results.resampled_criteria.curves[choice]
    return headline_of(results.headline)[choice.model]


def _is_in_sample(choice: Ruled, results: Basis) -> bool:
    """Say whether a curve was chosen on the very data that judge it, and so is too low."""
    if not choice.criterion:
        return estimates_of(results.headline)[choice.model] == IN_SAMPLE
    return results.resampled_criteria.estimates[choice] == IN_SAMPLE


def _resampled(choice: Ruled, results: Basis) -> Resampled:
    """Give the same curve with its resamples."""
    if choice.criterion:
        return results.resampled_criteria.of(choice)
    estimate = estimates_of(results.headline)[choice.model]
    return results.resampling.of(choice.model, _curve(choice, results), estimate)


def _difference(a: Ruled, b: Ruled, results: Basis) -> Resampled:
    """Subtract the second from the first, resample by resample."""
    if a.criterion:
        each = {it: _resampled(it, results) for it in (a, b)}
        return results.resampled_criteria.compared(a, b, each)
    curves = headline_of(results.headline)
    return next(results.resampling.differences([(a.model, b.model)], curves))
