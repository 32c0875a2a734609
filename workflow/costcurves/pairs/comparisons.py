"""Comparisons: the paired difference of every two models, with its confidence bands.

Crisp classifiers have the band of `paired.sign_flips`, curves that of `resampled_bands.difference`.
With several pairs, Holm's steps ([H79]_) keep the chance of any false verdict on any pair.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from costcurves.chance.largest import EQUAL
from costcurves.chance.resampled_bands import Resampled
from costcurves.chance.resamples import Resamples
from costcurves.chance.resampling import error_share, generator
from costcurves.choosing.headline import crisp_models, estimates_of, headline_of
from costcurves.counts.counted import is_weighted
from costcurves.counts.elementwise import FloatArray
from costcurves.counts.folds import folded
from costcurves.curves.curves import Curve
from costcurves.curves.pieces import PIECE, pieces_of
from costcurves.pairs.paired import Differences, SignFlips, differences, shares, sign_flips
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

Comparison = Resampled | SignFlips  # a paired difference, cost(A) - cost(B)


def holm(p_values: Sequence[float], level: float = 0.9) -> list[float]:
    """Compute the level of each pair's band, so that no verdict on any pair is false ([H79]_).

    `level` is for all pairs together. The j-th smallest p-value of P is compared with
    (1 - level) / (P - j + 1), and that is its pair's error, until one is larger: it and all
    after it have the error at which it stopped, and no verdicts. Read at these levels, bands and
    steps agree.

    >>> holm([0.5, 0.001, 0.04], level=0.9)
    [0.9, 0.9666666666666667, 0.95]
    >>> holm([0.5, 0.3], level=0.9), holm([], level=0.9)
    ([0.95, 0.95], [])
    """
    share = error_share(level)
    levels, stopped = [0.0] * len(p_values), Fraction(0)
    for step, pair in enumerate(np.argsort(p_values, kind="stable").tolist()):
        error = stopped or share / (len(p_values) - step)
        if p_values[pair] > error + EQUAL:
            stopped = error
        levels[pair] = float(1 - error)
    return levels


def adjusted(p_values: Sequence[float]) -> list[float]:
    """Compute Holm's adjusted p-values, to compare with 1 minus the level of all pairs together.

    >>> adjusted([0.5, 0.001, 0.04])
    [0.5, 0.003, 0.08]
    """
    order = np.argsort(p_values, kind="stable")
    stepped = np.asarray(p_values)[order] * np.arange(len(p_values), 0, -1)
    values = np.empty(len(p_values))
    values[order] = np.minimum(np.maximum.accumulate(stepped), 1)
    return [float(value) for value in values]


class Pair(NamedTuple):
    """Two models, and what their verdicts rest on."""

    family: str  # what shares one familywise error: `ALL_PAIRS`, or those with the `REFERENCE`
    a: str  # differences are cost(A) - cost(B)
    b: str
    comparison: Comparison  # for verdicts
    resampled: Resampled  # for the band at each PC(+) by itself
    means: Mapping[str, tuple[float, float]]  # each with its standard error
    deviations: FloatArray  # (resamples,) largest standardized one at the named PC(+)
    confidence: float  # the level at which the pair's band is read, by Holm's steps
    adjusted: float  # its p-value by the same steps; NaN: no test
    why_none: str  # why there is neither a verdict nor a band; empty: there are both


def pairs(
    predictions: pd.DataFrame,
    points: pd.DataFrame,
    headline: pd.DataFrame,
    resamples: Resamples,
    *,
    confidence: float,
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
    curves, estimates = headline_of(headline), estimates_of(headline)
    flipped = set(crisp_models(points))
    if is_weighted(points) or not resamples.of_cases:
        flipped = set()
    rows = folded(predictions) if flipped else predictions
    compared = []
    for family, names in families_of([*curves] if resamples.paired else [], reference).items():
        of_family = []
        for (a, b), resampled in zip(names, resamples.differences(names, curves), strict=True):
            of_means = {
                name: (mean(resampled.estimate), resampled.spread_of(mean))
                for name, mean in means.items()
            }
            deviations, settled = resampled.deviations_at(named), resampled.settled()
            both = {a, b} <= flipped
            comparison = _sign_flips(rows, a, b, resamples) if both else settled
            # An in-sample curve is not tested, and takes no share of the error: the more scores a
            # model has, the lower its envelope on the data that chose it: that does not cancel.
            why_none = IN_SAMPLE if IN_SAMPLE in (estimates[a], estimates[b]) else ""
            rests_on = comparison, settled, of_means, deviations
            of_family.append(Pair(family, a, b, *rests_on, confidence, math.nan, why_none))
        p_values = [pair.comparison.p_value for pair in of_family if not pair.why_none]
        steps = zip(holm(p_values, confidence), adjusted(p_values), strict=True)
        for pair in of_family:
            level, p_value = (confidence, math.nan) if pair.why_none else next(steps)
            compared.append(pair._replace(confidence=level, adjusted=p_value))
    return compared


def comparisons(dataset: str, pairs: Sequence[Pair], confidence: float) -> pd.DataFrame:
    """List the difference of each pair, cost(A) - cost(B), and its bands.

    `confidence` is the level of the pointwise band; the simultaneous one has its pair's own. A pair
    without a verdict has no bands.
    """
    curves = []
    for pair in pairs:
        level, whole = pair.confidence, pair.comparison.simultaneous(pair.confidence)
        lines = [("difference", pair.why_none or whole.method, level, pair.comparison.estimate)]
        if not pair.why_none:
            single = pair.resampled.pointwise(confidence)
            for extent, band in (("pointwise", single), ("simultaneous", whole)):
                for name, edge in (("lower", band.lower), ("upper", band.upper)):
                    lines.append((f"{extent} {name}", band.method, band.level, edge.drawn()))
        names = {"family": pair.family, "model_a": pair.a, "model_b": pair.b}
        for line, method, level, curve in lines:
            curves.append((names | {"line": line, "method": method, "confidence": level}, curve))
    return pieces_of(COMPARISONS, curves, dataset=dataset)


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


def _sign_flips(rows: pd.DataFrame, a: str, b: str, resamples: Resamples) -> SignFlips:
    """Compare two decisions by changing the signs of the instances' differences."""
    rng = generator(resamples.seed, resamples.dataset, a, b, "sign flips")
    return sign_flips(*crisp_differences(rows, a, b), resamples.resamples, rng)


def crisp_differences(rows: pd.DataFrame, a: str, b: str) -> tuple[Differences, Differences]:
    """Compute how the losses of two decisions differ: on the negatives, and on the positives.

    In `rows`, folds that lack a class are pooled away; both models have one decision an instance,
    on the same instances and folds.
    """
    of_a, of_b = (
        rows[rows["model"] == model].sort_values(["repeat", "fold", "instance"]) for model in (a, b)
    )
    sizes = of_a.groupby(["repeat", "fold", "label"], observed=True)["instance"].transform("size")
    # Each fold counts the same within its repeat, and each repeat the same.
    folds = of_a.groupby("repeat", observed=True)["fold"].transform("nunique")
    divided_by = (sizes * folds * of_a["repeat"].nunique()).to_numpy()
    labels = of_a["label"].to_numpy()
    classes = []
    for value in (0, 1):
        of_class = labels == value
        instances, names = pd.factorize(of_a["instance"][of_class])
        lost_a, lost_b = (of["decision"].to_numpy()[of_class] != value for of in (of_a, of_b))
        share = shares(instances, lost_a, lost_b, divided_by[of_class], len(names))
        classes.append(differences(share))
    return classes[0], classes[1]
