"""Pairs of models: their paired difference, and its confidence band."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import pandas as pd

from costcurves.maths.comparisons import Comparison, holm
from costcurves.maths.paired import Differences, differences, shares, sign_flips
from costcurves.maths.resampled_bands import Resampled
from costcurves.maths.resampling import generator
from costcurves.tables.curves.headline import crisp_models, estimates_of, headline_of
from costcurves.tables.curves.operating_points import is_weighted, pooled_away
from costcurves.tables.inference.resampled_instances import paired_models
from costcurves.tables.inference.resampling import Resamples
from costcurves.tables.keys import IN_SAMPLE

ALL_PAIRS = "all pairs"
BASELINE = "baseline"


class Pair(NamedTuple):
    """Two models, and what their verdicts rest on."""

    family: str  # what shares one familywise error: `ALL_PAIRS`, or those with the `BASELINE`
    a: str  # differences are cost(A) - cost(B)
    b: str
    comparison: Comparison  # for verdicts
    resampled: Resampled  # for the band at each PC(+) by itself
    confidence: float  # the level at which the pair's band is read, by Holm's steps
    why_none: str  # why there is neither a verdict nor a band; empty: there are both


def pairs(
    predictions: pd.DataFrame,
    points: pd.DataFrame,
    headline: pd.DataFrame,
    resamples: Resamples,
    inference: Mapping[str, Any],
) -> list[Pair]:
    """Compare all pairs of models, and each with the baseline if there is one.

    Models that were not predicted on the same instances and folds are not compared. Two decisions
    are compared by sign changes where instances are unweighted, everything else by resampling.
    """
    curves = headline_of(headline)
    flipped = set() if is_weighted(points) else set(crisp_models(points))
    models = paired_models(predictions, list(curves))
    estimates = estimates_of(headline)
    folded = predictions.assign(**pooled_away(predictions, "fold"))
    found: list[Pair] = []
    for family, named in families_of(models, inference["baseline"]).items():
        own = [one.settled() for one in resamples.differences(named, curves)]
        tested: list[Comparison] = [
            _sign_flips(folded, a, b, resamples) if {a, b} <= flipped else difference
            for (a, b), difference in zip(named, own, strict=True)
        ]
        # An in-sample curve is not tested, and takes no share of the error: the more scores a model
        # has, the lower its envelope on the data that chose it, and that does not cancel.
        whys = [IN_SAMPLE * (IN_SAMPLE in (estimates[a], estimates[b])) for a, b in named]
        p_values = [one.p_value for one, why in zip(tested, whys, strict=True) if not why]
        steps = iter(holm(p_values, inference["confidence"]))
        levels = [inference["confidence"] if why else next(steps) for why in whys]
        parts = zip(named, tested, own, levels, whys, strict=True)
        found += [
            Pair(family, a, b, test, each, level, why) for (a, b), test, each, level, why in parts
        ]
    return found


def families_of(models: Sequence[str], baseline: str | None) -> dict[str, list[tuple[str, str]]]:
    """List the pairs of each family that shares one familywise error.

    >>> families_of(["A", "B", "C"], "B")
    {'all pairs': [('A', 'B'), ('A', 'C'), ('B', 'C')], 'baseline': [('A', 'B'), ('C', 'B')]}
    >>> families_of(["A", "B"], None)
    {'all pairs': [('A', 'B')]}
    """
    families = {ALL_PAIRS: list(combinations(models, 2))}
    if baseline is not None and baseline in models:
        families[BASELINE] = [(model, baseline) for model in models if model != baseline]
    return families


def _sign_flips(folded: pd.DataFrame, a: str, b: str, resamples: Resamples) -> Comparison:
    """Compare two decisions by changing the signs of the instances' differences."""
    rng = generator(resamples.seed, str(folded["dataset"].iloc[0]), a, b, "sign flips")
    return sign_flips(*crisp_differences(folded, a, b), resamples.resamples, rng)


def crisp_differences(folded: pd.DataFrame, a: str, b: str) -> tuple[Differences, Differences]:
    """Find how the losses of two decisions differ: on the negatives, and on the positives.

    In `folded`, folds that lack a class are pooled away; both models have one decision an instance,
    on the same instances and folds.
    """
    one, other = (
        folded[folded["model"] == model].sort_values(["repeat", "fold", "instance"])
        for model in (a, b)
    )
    sizes = one.groupby(["repeat", "fold", "label"])["instance"].transform("size")
    curves = len(one[["repeat", "fold"]].drop_duplicates())
    labels = one["label"].to_numpy()
    classes = []
    for value in (0, 1):
        own = labels == value
        instances, names = pd.factorize(one["instance"][own])
        lost, lost_by_other = (model["decision"].to_numpy()[own] != value for model in (one, other))
        share = shares(instances, lost, lost_by_other, sizes.to_numpy()[own] * curves, len(names))
        classes.append(differences(share))
    return classes[0], classes[1]
