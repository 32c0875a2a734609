"""Bands of headline curves, and every number of the summary with its confidence interval."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import pandas as pd

from costcurves.chance import intervals as of_rates
from costcurves.chance.intervals import Errors, height_at
from costcurves.chance.resampled_bands import Resampled
from costcurves.chance.resamples import Resamples
from costcurves.chance.resampling import generator
from costcurves.choosing.headline import estimates_of, headline_of
from costcurves.counts.counted import is_weighted
from costcurves.curves.bands import Band, below
from costcurves.curves.conditions import Condition
from costcurves.curves.curves import Curve, operating_range, trivial
from costcurves.curves.pieces import PIECE, pieces_of
from costcurves.curves.priors import Prior, means_of
from costcurves.settings import Inference
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import (
    CONFIDENCE,
    DATASET,
    ESTIMATE,
    EXTENT,
    FIXED,
    METHOD,
    MODEL,
    OF_CONDITION,
)

BANDS: Final = Contract(
    "bands",
    DATASET,
    MODEL,
    ESTIMATE,
    METHOD,
    CONFIDENCE,
    EXTENT,
    Column("edge", "str", "", "lower or upper"),
    *PIECE,
)
INTERVALS: Final = Contract(
    "intervals",
    DATASET,
    MODEL,
    ESTIMATE,
    Column("quantity", "str", "", "area, tec, range start, range end, or cost"),
    *OF_CONDITION,
    Column("value", "float64", "nec or PC(+)", "the estimate; NaN: an empty operating range"),
    Column("low", "float64", "nec or PC(+)", "lower end; NaN: not excluded that there is none"),
    Column("high", "float64", "nec or PC(+)", "upper end; NaN: not excluded that there is none"),
    METHOD,
    CONFIDENCE,
)


Row = dict[str, Any]
Bands = Mapping[str, tuple[Band, Band]]  # of each model, at each PC(+) and over all of them


def bands_of(
    points: pd.DataFrame, headline: pd.DataFrame, resamples: Resamples, inference: Inference
) -> Bands:
    """Make the pointwise and the simultaneous band of each model's headline curve.

    A decision that was made once for each instance has bands of its two rates, where these
    count the same and are independent; all else is resampled.
    """
    curves, estimates = headline_of(headline), estimates_of(headline)
    level, of_models = inference.confidence, {}
    for model, curve in curves.items():
        errors = _errors(points, model) if estimates[model] == FIXED else None
        if errors is not None and resamples.of_cases:
            pointwise = _of_rates(errors, resamples, inference, model)
            of_models[model] = pointwise, of_rates.simultaneous(errors, level)
        else:
            resampled = resamples.of(model, curve, estimates[model])
            of_models[model] = resampled.pointwise(level), resampled.simultaneous(level)
    return of_models


def _of_rates(errors: Errors, resamples: Resamples, inference: Inference, model: str) -> Band:
    """Make the pointwise band of a decision as the study asks."""
    confidence, band = inference.confidence, inference.band
    if band == "bootstrap":
        rng = generator(resamples.seed, resamples.dataset, model, "bootstrap")
        return of_rates.bootstrap(errors, resamples.resamples, rng, confidence)
    return (of_rates.normal if band == "normal" else of_rates.wilson)(errors, confidence)


def _errors(points: pd.DataFrame, model: str) -> Errors | None:
    """Count a decision's errors on one test set; None for several, or if errors are weighted."""
    folds = points[(points["model"] == model) & (points["level"] == "fold")]
    if len(folds) != 1 or is_weighted(folds):
        return None
    counts = folds[["fp_count", "negatives", "tp_count", "positives"]].to_numpy()
    false, negatives, right, positives = counts[0].tolist()
    return Errors(false, negatives, positives - right, positives)


def bands(headline: pd.DataFrame, of_models: Bands, confidence: float) -> pd.DataFrame:
    """List the edges of all bands.

    An edge that is no straight line (a Wilson band) is given by 64 chords.
    """
    estimates, edges = estimates_of(headline), []
    for model, both in of_models.items():
        for band in both:
            extent = "simultaneous" if band.simultaneous else "pointwise"
            names = {"model": model, "estimate": estimates[model], "method": band.method}
            names |= {"extent": extent}
            edges.append((names | {"edge": "lower"}, band.lower.drawn()))
            edges.append((names | {"edge": "upper"}, band.upper.drawn()))
    dataset = str(headline["dataset"].iloc[0])
    return pieces_of(BANDS, edges, dataset=dataset, confidence=confidence)


def intervals(
    headline: pd.DataFrame,
    of_models: Bands,
    resamples: Resamples,
    *,
    confidence: float,
    weight: Prior,
    conditions: Sequence[Condition],
) -> pd.DataFrame:
    """Give every number of each headline curve its interval, which has the confidence by itself.

    Where an operating range starts and ends is read off the simultaneous band, as it is a statement
    about all PC(+). `weight` is that of PC(+) for total expected cost. A cost at a cost ratio
    has the sampling error of the share of positives in its interval, unless a prior was given.
    """
    curves, estimates = headline_of(headline), estimates_of(headline)
    means, rows = means_of(weight), []
    for model, (pointwise, simultaneous) in of_models.items():
        resampled = resamples.of(model, curves[model], estimates[model])
        of_model = [
            *mean_rows(resampled, means, confidence),
            *_range(curves[model], simultaneous),
            *cost_rows(pointwise, conditions, resamples.weights.odds),
        ]
        rows += [{"model": model, "estimate": estimates[model], **row} for row in of_model]
    dataset = str(headline["dataset"].iloc[0])
    return INTERVALS.rows(rows, dataset=dataset, confidence=confidence)


def mean_rows(
    resampled: Resampled, means: Mapping[str, Callable[[Curve], float]], confidence: float
) -> Iterator[Row]:
    """Return the intervals of means over PC(+)."""
    for name, mean in means.items():
        yield _row(name, *resampled.scalar(mean, confidence), resampled.method)


def cost_rows(
    band: Band, conditions: Sequence[Condition], odds: float, least: float = 0.0
) -> Iterator[Row]:
    """Read the costs under conditions, with intervals, off a pointwise band.

    `odds` is as in `height_at`, `least` what such a cost is at the least.
    """
    for condition in conditions:
        low, value, high = height_at(band, condition.pc, odds * condition.by_sample)
        ends = max(low, least), value, min(high, 1.0)
        yield _row("cost", *ends, band.method, condition.name) | {"pc": condition.pc}


def _range(curve: Curve, band: Band) -> Iterator[Row]:
    """Return between what the operating range starts, and ends."""
    estimated = operating_range(curve)
    start, end = (estimated[0][0], estimated[-1][1]) if estimated else (math.nan, math.nan)
    between = below(band, trivial())
    starts = between.earliest_start, start, between.latest_start
    yield _row("range start", *starts, band.method)
    yield _row("range end", between.earliest_end, end, between.latest_end, band.method)


def _row(
    quantity: str, low: float, value: float, high: float, method: str, condition: str = ""
) -> Row:
    row = {"quantity": quantity, "condition": condition, "method": method}
    return row | {"value": value, "low": low, "high": high}
