"""Comparisons: the paired difference of every two models, with its confidence bands."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import pandas as pd

from costcurves.chance.resampled_bands import Resampled
from costcurves.chance.resamples import Resamples
from costcurves.chance.resampling import generator
from costcurves.choosing.headline import crisp_models, estimates_of, headline_of
from costcurves.counts.counted import is_weighted
from costcurves.counts.folds import folded
from costcurves.curves.curves import Curve
from costcurves.curves.pieces import PIECE, pieces_of
from costcurves.pairs.comparisons import Comparison, adjusted, holm
from costcurves.pairs.paired import Differences, differences, shares, sign_flips
from costcurves.tables.codes import Floats
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import CONFIDENCE, DATASET, IN_SAMPLE, METHOD, OF_PAIR

COMPARISONS: Final = Contract(
    "comparisons",
    DATASET,
    *OF_PAIR,
    Column("line", "str", "", "difference, or an edge of its pointwise or simultaneous band"),
    METHOD,
    CONFIDENCE,
    *PIECE,
)

ALL_PAIRS: Final = "all pairs"
REFERENCE: Final = "reference"


class Pair(NamedTuple):
    """Two models, and what their verdicts rest on."""

    family: str  # what shares one familywise error: `ALL_PAIRS`, or those with the `REFERENCE`
    a: str  # differences are cost(A) - cost(B)
    b: str
    comparison: Comparison  # for verdicts
    resampled: Resampled  # for the band at each PC(+) by itself
    means: Mapping[str, tuple[float, float]]  # each with its standard error
    deviations: Floats  # (resamples,) largest standardized one at the named PC(+)
    confidence: float  # the level at which the pair's band is read, by Holm's steps
    adjusted: float  # its p-value by the same steps; NaN: no test
    why_none: str  # why there is neither a verdict nor a band; empty: there are both


def pairs(
    predictions: pd.DataFrame,
    points: pd.DataFrame,
    headline: pd.DataFrame,
    resamples: Resamples,
    *,
    inference: Mapping[str, Any],
    reference: str | None = None,
    named: Sequence[float] = (),
    means: Mapping[str, Callable[[Curve], float]] = MappingProxyType({}),
) -> list[Pair]:
    """Compare all pairs of models, and each with the `reference` if there is one.

    `named` are the PC(+) of conditions and `means` the means that were fixed beforehand. Models
    that were not predicted on the same instances and folds are not compared. Two decisions
    are compared by sign changes where cases count the same and are independent, everything else by
    resampling.
    """
    curves = headline_of(headline)
    flipped = set(crisp_models(points))
    if is_weighted(points) or resamples.weights.per_cluster > 1:
        flipped = set()
    models = list(curves) if resamples.paired else []
    estimates = estimates_of(headline)
    rows = folded(predictions) if flipped else predictions
    found: list[Pair] = []
    for family, of_family in families_of(models, reference).items():
        own = [
            (one.settled(), _means_of(one, means), one.deviations_at(named))
            for one in resamples.differences(of_family, curves)
        ]
        tested: list[Comparison] = [
            _sign_flips(rows, a, b, resamples) if {a, b} <= flipped else difference
            for (a, b), (difference, *_) in zip(of_family, own, strict=True)
        ]
        # An in-sample curve is not tested, and takes no share of the error: the more scores a model
        # has, the lower its envelope on the data that chose it, and that does not cancel.
        whys = [IN_SAMPLE * (IN_SAMPLE in (estimates[a], estimates[b])) for a, b in of_family]
        p_values = [one.p_value for one, why in zip(tested, whys, strict=True) if not why]
        steps = zip(holm(p_values, inference["confidence"]), adjusted(p_values), strict=True)
        held = [(inference["confidence"], math.nan) if why else next(steps) for why in whys]
        parts = zip(of_family, tested, own, held, whys, strict=True)
        found += [
            Pair(family, a, b, test, *each, level, p_value, why)
            for (a, b), test, each, (level, p_value), why in parts
        ]
    return found


def _means_of(
    difference: Resampled, means: Mapping[str, Callable[[Curve], float]]
) -> dict[str, tuple[float, float]]:
    return {name: (it(difference.estimate), difference.spread_of(it)) for name, it in means.items()}


def comparisons(dataset: str, pairs: Sequence[Pair], confidence: float) -> pd.DataFrame:
    """Give the difference of each pair, cost(A) - cost(B), and its bands.

    `confidence` is the level of the pointwise band; the simultaneous one has its pair's own. A pair
    without a verdict has no bands.
    """
    found = [
        (
            {"family": pair.family, "model_a": pair.a, "model_b": pair.b}
            | {"line": line, "method": method, "confidence": level},
            curve,
        )
        for pair in pairs
        for line, method, level, curve in _lines(pair, confidence)
    ]
    return pieces_of(COMPARISONS, found, dataset=dataset)


def _lines(pair: Pair, confidence: float) -> Iterator[tuple[str, str, float, Curve]]:
    estimate, level = pair.comparison.estimate, pair.confidence
    if pair.why_none:
        yield "difference", pair.why_none, level, estimate
        return
    whole, single = pair.comparison.simultaneous(level), pair.resampled.pointwise(confidence)
    yield "difference", whole.method, level, estimate
    yield "pointwise lower", single.method, confidence, single.lower.drawn()
    yield "pointwise upper", single.method, confidence, single.upper.drawn()
    yield "simultaneous lower", whole.method, level, whole.lower.drawn()
    yield "simultaneous upper", whole.method, level, whole.upper.drawn()


def families_of(models: Sequence[str], reference: str | None) -> dict[str, list[tuple[str, str]]]:
    """List the pairs of each family that shares one familywise error.

    >>> families_of(["A", "B", "C"], "B")
    {'all pairs': [('A', 'B'), ('A', 'C'), ('B', 'C')], 'reference': [('A', 'B'), ('C', 'B')]}
    >>> families_of(["A", "B"], None)
    {'all pairs': [('A', 'B')]}
    """
    families = {ALL_PAIRS: list(combinations(models, 2))}
    if reference is not None and reference in models:
        families[REFERENCE] = [(model, reference) for model in models if model != reference]
    return families


def _sign_flips(rows: pd.DataFrame, a: str, b: str, resamples: Resamples) -> Comparison:
    """Compare two decisions by changing the signs of the instances' differences."""
    rng = generator(resamples.seed, resamples.dataset, a, b, "sign flips")
    return sign_flips(*crisp_differences(rows, a, b), resamples.resamples, rng)


def crisp_differences(rows: pd.DataFrame, a: str, b: str) -> tuple[Differences, Differences]:
    """Find how the losses of two decisions differ: on the negatives, and on the positives.

    In `rows`, folds that lack a class are pooled away; both models have one decision an instance,
    on the same instances and folds.
    """
    one, other = (
        rows[rows["model"] == model].sort_values(["repeat", "fold", "instance"]) for model in (a, b)
    )
    sizes = one.groupby(["repeat", "fold", "label"], observed=True)["instance"].transform("size")
    # Each fold counts the same within its repeat, and each repeat the same.
    folds = one.groupby("repeat", observed=True)["fold"].transform("nunique")
    divided_by = (sizes * folds * one["repeat"].nunique()).to_numpy()
    labels = one["label"].to_numpy()
    classes = []
    for value in (0, 1):
        own = labels == value
        instances, names = pd.factorize(one["instance"][own])
        lost, lost_by_other = (model["decision"].to_numpy()[own] != value for model in (one, other))
        share = shares(instances, lost, lost_by_other, divided_by[own], len(names))
        classes.append(differences(share))
    return classes[0], classes[1]
