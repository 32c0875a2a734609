"""Measures: the areas, costs, ranges and rankings of each model's curves."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.choosing.headline import estimates_of, headline_of
from costcurves.counts.counted import DEALT, from_table
from costcurves.curves.averages import COST_SPACE
from costcurves.curves.curves import Curve, largest, operating_range
from costcurves.curves.pieces import curve_from
from costcurves.curves.priors import Prior, weight_of_pc
from costcurves.ranking import roc
from costcurves.ranking.ranked import AUC, COUNTED, KEYS, measured
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import DATASET, ESTIMATE, IN_SAMPLE, LEVEL, MODEL

MEASURES: Final = Contract(
    "measures",
    DATASET,
    MODEL,
    LEVEL,
    ESTIMATE,
    Column("headline", "bool", "", "whether models are judged by this curve"),
    Column("area", "float64", "nec", "area under the cost curve: mean cost over PC(+)"),
    Column("tec", "float64", "nec", "total expected cost under the study's prior on PC(+)"),
    Column("range_from", "float64", "PC(+)", "operating range begins; NaN: it is empty"),
    Column("range_to", "float64", "PC(+)", "operating range ends; NaN: it is empty"),
    Column("largest_nec", "float64", "nec", "largest cost of the curve"),
    Column("largest_pc", "float64", "PC(+)", "where it is largest"),
    *AUC,
    Column("auc_low", "float64", "area", "its confidence interval begins; NaN: none"),
    Column("auc_high", "float64", "area", "its confidence interval ends; NaN: none"),
    Column("auch", "float64", "area", "area under the ROC convex hull, mean over the curves"),
    Column("curves", "int64", "curves", "how many curves were averaged"),
    *COUNTED,
    Column("prior", "float64", "p(+)", "deployment prior at which PC(+) is read as a ratio"),
)


def measures(
    points: pd.DataFrame,
    averages: pd.DataFrame,
    headline: pd.DataFrame,
    rankings: pd.DataFrame,
    *,
    level: str,
    prior: Mapping[str, Any],
    priors: Mapping[str, float | None],
    confidence: float,
) -> pd.DataFrame:
    """Measure the headline of each model, and beside it its in-sample averages at every level.

    `prior` is the weight of PC(+) for total expected cost, `priors` each dataset's p(+) in
    deployment (None: that of the data), `confidence` the level of intervals. A headline that is
    cross-fitted or fixed in advance is judged on folds, so its level is "fold".
    """
    weight = weight_of_pc(prior)
    rows = _judged(points, averages, headline, level)
    curves = pd.DataFrame({**names, **_of_curve(curve, weight)} for names, curve in rows)
    ranked = measured(rankings, confidence)
    ranked = ranked.drop(columns="dataset")
    frame = curves.merge(_auch(points[points["level"] != DEALT]), on=KEYS).merge(ranked, on=KEYS)
    dataset = str(rankings["dataset"].iloc[0])
    share, stated = rankings["share"].iloc[0], priors[dataset]
    return MEASURES.frame(**frame, dataset=dataset, prior=share if stated is None else stated)


def _judged(
    points: pd.DataFrame, averages: pd.DataFrame, headline: pd.DataFrame, level: str
) -> Iterator[tuple[dict[str, Any], Curve]]:
    """Give the in-sample averages, then the headlines that are no such averages."""
    estimates, curves = estimates_of(headline), headline_of(headline)
    rows = averages[averages["method"] == COST_SPACE]
    for (model, own), pieces in rows.groupby(["model", "level"], sort=False):
        is_headline = own == level and estimates[str(model)] == IN_SAMPLE
        names = {"model": model, "level": own, "estimate": IN_SAMPLE, "headline": is_headline}
        yield {**names, "curves": int(pieces["curves"].iloc[0])}, curve_from(pieces)
    folds = points[points["level"] == "fold"].drop_duplicates(["model", "repeat", "fold"])
    counted = folds["model"].value_counts()
    for model, estimate in estimates.items():
        if estimate != IN_SAMPLE:
            names = {"model": model, "level": "fold", "estimate": estimate, "headline": True}
            yield {**names, "curves": int(counted[model])}, curves[model]


def _of_curve(curve: Curve, weight: Prior) -> dict[str, float]:
    ranges = operating_range(curve)
    peak = largest(curve)
    return {
        "area": curve.area(),
        "tec": weight.expected_cost(curve),
        "range_from": ranges[0][0] if ranges else np.nan,
        "range_to": ranges[-1][1] if ranges else np.nan,
        "largest_nec": peak.nec,
        "largest_pc": peak.pc,
    }


def _auch(points: pd.DataFrame) -> pd.DataFrame:
    ragged, curves = from_table(points)
    areas = curves.assign(auch=roc.auch(ragged))
    return areas.groupby(KEYS, sort=False)["auch"].mean().reset_index()
