"""The headline: the curve by which each model is judged, honest where it can be, and measures."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, get_args

import numpy as np
import pandas as pd

from costcurves.maths.geometry import roc
from costcurves.maths.geometry.curves import (
    Curve,
    average,
    largest,
    line,
    operating_range,
    trivial,
)
from costcurves.maths.geometry.priors import LogRatio, Prior, Uniform
from costcurves.settings import BASELINES
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.averages import COST_SPACE
from costcurves.tables.curves.operating_points import DEALT, from_table
from costcurves.tables.curves.pieces import PIECE, curve_from, pieces_of
from costcurves.tables.curves.ranked import AUC, COUNTED, KEYS, measured
from costcurves.tables.keys import (
    CROSS_FITTED,
    DATASET,
    ESTIMATE,
    FIXED,
    IN_SAMPLE,
    LEVEL,
    MODEL,
    in_order,
)

HEADLINE: Final = Contract("headline", DATASET, MODEL, ESTIMATE, *PIECE)
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


# What baselines cost, which stand in place of a model.
COST_OF: Final = dict(zip(BASELINES, (trivial(), line(0, 1), line(1, 0)), strict=True))
KINDS: Final = ("uniform", "beta", "cost ratio")
WEIGHTS: Final = dict(zip(KINDS, get_args(Prior), strict=True))


def headline(points: pd.DataFrame, hybrids: pd.DataFrame) -> pd.DataFrame:
    """Choose each model's headline curve, models in their order.

    Where nothing is chosen (one decision, no scores) it is the mean cost line. Otherwise it is the
    cross-fitted curve; if one model of the dataset can't be cross-fitted, all have the in-sample
    average instead, as estimates of different kinds can't be compared.
    """
    crisp, models = crisp_models(points), in_order(points["model"])
    fitted = headline_of(hybrids[hybrids["criterion"] == "cross-fitted"])
    honest = all(model in fitted for model in models if model not in crisp)
    in_sample = headline_of(hybrids[hybrids["criterion"] == "cost-minimizing"])
    curves = fitted if honest else in_sample
    kind = CROSS_FITTED if honest else IN_SAMPLE
    found = [
        ({"model": model, "estimate": FIXED}, _line(points, model))
        if model in crisp
        else ({"model": model, "estimate": kind}, curves[model])
        for model in models
    ]
    return pieces_of(HEADLINE, found, dataset=str(points["dataset"].iloc[0]))


def headline_of(headline: pd.DataFrame) -> dict[str, Curve]:
    """Read the headline curves back, by model."""
    return {str(model): curve_from(rows) for model, rows in headline.groupby("model", sort=False)}


def estimates_of(headline: pd.DataFrame) -> dict[str, str]:
    """Say of which kind each model's headline is."""
    first = headline.drop_duplicates("model")
    return dict(zip(first["model"], first["estimate"], strict=True))


def crisp_models(points: pd.DataFrame) -> list[str]:
    """List the models with one decision for each instance and nothing to choose from."""
    plain = points["threshold"].isna() & points["member"].eq("")
    whole = plain.groupby(points["model"], sort=False, observed=True).all()
    return [str(model) for model in whole.index[whole]]


def _line(points: pd.DataFrame, model: str) -> Curve:
    """Average the cost lines of a decision over folds, then over repeats."""
    folds = points[(points["model"] == model) & (points["level"] == "fold")]
    lines = [line(fp, fn) for fp, fn in zip(folds["fp"], folds["fn"], strict=True)]
    return average(lines, pd.factorize(folds["repeat"])[0])


def weight_of_pc(prior: Mapping[str, Any]) -> Prior:
    """Make the distribution of PC(+) that a configuration describes.

    >>> weight_of_pc({"kind": "uniform", "low": 0.2, "high": 0.4})
    Uniform(low=0.2, high=0.4)
    """
    own = {key: value for key, value in prior.items() if key != "kind"}
    weight: Prior = WEIGHTS[prior["kind"]](**own)
    return weight


def means_of(prior: Mapping[str, Any]) -> dict[str, Callable[[Curve], float]]:
    """Give the means of a curve that are measured: over all PC(+), and by the study's weights."""
    return {"area": Curve.area, "tec": weight_of_pc(prior).expected_cost}


def weight_of_range(mean: str, low: float, high: float) -> Prior:
    """Make the distribution of a claim's mean over a range of PC(+).

    It is even in PC(+), or for "cost ratio" in the ratio's logarithm, whatever the proportion of
    positives that made PC(+) of ratios.
    """
    if mean == "range":
        return Uniform(low, high)
    odds = [pc / max(1 - pc, 2**-53) for pc in (low, high)]
    return LogRatio(odds[0], odds[1], 0.5)


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
