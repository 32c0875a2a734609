"""Measures: the areas, costs, ranges and rankings of each model's curves, and how many cases."""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.choosing.headline import estimates_of, headline_of
from costcurves.counts.cost_weights import effective_size
from costcurves.counts.counted import PASS, Counted, from_table, levels, models_of, of_curves
from costcurves.counts.folds import SPLIT, folded
from costcurves.curves.averages import COST_SPACE
from costcurves.curves.curves import Curve, largest, operating_range
from costcurves.curves.pieces import curve_from
from costcurves.curves.priors import Prior
from costcurves.ranking.delong import components_of, interval, standard_error, variances
from costcurves.ranking.roc import above_chance, auc, auch, brier
from costcurves.tables.codes import first_rows
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import (
    DATASET,
    ESTIMATE,
    IN_SAMPLE,
    LEVEL,
    MODEL,
    curve_codes,
    group_codes,
    unit_of,
)
from costcurves.threads import on_threads

KEYS: Final = ["model", "level"]
AUC: Final = (
    Column("auc", "float64", "area", "area under the ROC curve, mean over curves; NaN: no ranking"),
    Column("auc_se", "float64", "area", "DeLong's standard error of it; NaN: by cost, or unknown"),
)
COUNTED: Final = (
    Column("brier", "float64", "squared error", "Brier score; NaN: scores are no probabilities"),
    Column("instances", "int64", "instances", "distinct instances judged"),
    Column("positives", "int64", "instances", "of them positive"),
    Column("negatives", "int64", "instances", "of them negative"),
    Column("share", "float64", "rate", "share of positives, by the weights of cases"),
    Column("effective", "float64", "instances", "of equal weight that say as much"),
    Column("clusters", "int64", "clusters", "to which they belong; 0: no clusters"),
    Column("repeats", "int64", "repeats", "repeats of cross-validation"),
    Column("folds", "int64", "folds", "folds of a repeat, the most of any"),
    Column("points", "int64", "points", "operating points of all curves together"),
)
# Of curves that rank; else NaN.
MEASURED: Final = ["auc", "auc_variance", "above_chance", "lowest", "highest"]
RANKINGS: Final = Contract("rankings", DATASET, MODEL, LEVEL, *AUC, *COUNTED)
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


def rankings(
    predictions: pd.DataFrame, counted: Sequence[Counted], threads: int = 1
) -> pd.DataFrame:
    """Measure at each level how each model ranks the instances, and count them.

    DeLong's standard error is not defined where instances count by their costs or weights.
    """
    weighted = predictions["weight"].ne(1).any()
    curves = measured_curves(counted)
    models = [] if weighted else models_of(folded(predictions))
    rows = chain.from_iterable(on_threads(partial(_errors, curves), models, threads))
    errors = pd.DataFrame([*rows], columns=[*KEYS, "auc_se"])
    sizes = pd.DataFrame(
        {"model": str(rows["model"].iloc[0]), "brier": _brier(rows), **_sizes(rows)}
        for rows in models_of(predictions)
    )
    grouped = curves[curves["level"] != SPLIT].groupby(KEYS, sort=False)
    areas = grouped.agg({"auc": "mean", "points": "sum"}).reset_index()
    whole = areas.merge(errors, on=KEYS, how="left").merge(sizes, on="model")
    return RANKINGS.frame(**whole, dataset=str(predictions["dataset"].iloc[0]))


def measured_curves(counted: Sequence[Counted]) -> pd.DataFrame:
    """Measure how each curve ranks, those of a model and level as their rows appear."""
    parts = [_measured(part).sort_values("curve", kind="stable") for part in counted]
    return pd.concat(parts, ignore_index=True)


def _measured(part: Counted) -> pd.DataFrame:
    """Measure the ranking of each curve, and of each model in its folds."""
    points, offsets = part.points, part.points.offsets
    ranks = part.ranks() & part.names["level"].ne(SPLIT)  # how a random fold ranks is not wanted
    names = part.names.assign(
        **dict.fromkeys(MEASURED, np.nan),
        points=np.diff(offsets),
        ranks=part.ranks(),
        negatives=points.negatives,
        positives=points.positives,
    )
    if ranks.any():
        names["auc"] = np.where(ranks, auc(part.weighed), np.nan)
        if part.weighed is points:
            names["auc_variance"] = np.where(ranks, variances(points), np.nan)
        names["lowest"] = points.threshold[offsets[1:] - 1]
        names["highest"] = points.threshold[offsets[:-1] + 1]  # after that of no positives
    in_folds = names[ranks & names["level"].eq("fold") & names["fold"].ne("")]
    for _, rows in in_folds.groupby("model"):
        curves = of_curves(points, rows.index.to_numpy())
        names.loc[rows.index, "above_chance"] = above_chance(curves, rows["repeat"])
    return names


def _errors(curves: pd.DataFrame, rows: pd.DataFrame) -> list[dict[str, Any]]:
    """Compute DeLong's standard error of one model at each level, if it ranks.

    Counts give it where each instance is judged once and there are no clusters; `curves` are what
    was measured of them.
    """
    model, error, errors = str(rows["model"].iloc[0]), np.nan, []
    ranks = rows["score"].notna() & rows["member"].eq("")
    ranked = rows if ranks.all() else rows[ranks]
    known = curves[curves["ranks"] & curves["model"].eq(model)]
    once = len(curve_codes(rows, ["repeat"])[1]) == 1 and unit_of(rows) == "instance"
    for level, keys, is_new in levels(rows) if len(ranked) else ():
        if is_new and once:
            of_level = known.loc[known["level"] == level, "auc_variance"]
            error = math.sqrt(math.fsum(of_level)) / len(of_level)
        elif is_new:
            error = standard_error(components_of(ranked, keys))
        errors.append({"model": model, "level": level, "auc_se": error})
    return errors


def _sizes(rows: pd.DataFrame) -> dict[str, float]:
    """Count the cases of one model, and its repeats and folds."""
    first = first_rows(group_codes(rows, ["instance"]))
    labels, weight = rows["label"].iloc[first], rows["case_weight"].to_numpy()[first]
    add = np.sum if (weight == 1).all() else math.fsum  # ones are exact either way
    folds = curve_codes(rows, PASS)[1].groupby("repeat").size()
    return {
        "instances": len(labels),
        "positives": int(labels.sum()),
        "negatives": int((1 - labels).sum()),
        "share": float(add(weight[labels == 1]) / add(weight)),
        "effective": effective_size(weight),
        "clusters": rows["cluster"].nunique() if unit_of(rows) == "cluster" else 0,
        "repeats": len(folds),
        "folds": int(folds.max()),
    }


def _brier(rows: pd.DataFrame) -> float:
    scores = rows["score"]
    probabilities = scores.between(0, 1).all() and rows["member"].eq("").all()
    return brier(scores, rows["label"], rows["case_weight"]) if probabilities else np.nan


def sizes_and_prior(predictions: pd.DataFrame, prior: float | None) -> pd.DataFrame:
    """Return the sizes and the prior that `measures` begins with, without measuring anything."""
    sizes = _sizes(models_of(predictions)[0])
    share = sizes["share"] if prior is None else prior
    return pd.DataFrame([{"dataset": predictions["dataset"].iloc[0], **sizes, "prior": share}])


def measures(
    points: pd.DataFrame,
    averages: pd.DataFrame,
    headline: pd.DataFrame,
    rankings: pd.DataFrame,
    *,
    level: str,
    weight: Prior,
    prior: float | None,
    confidence: float,
) -> pd.DataFrame:
    """Measure the headline of each model, and beside it its in-sample averages at every level.

    `weight` of PC(+) makes total expected cost, `prior` is p(+) in deployment (None: that of the
    data), `confidence` the level of intervals. A headline that is cross-fitted or fixed in advance
    is judged on folds, so its level is "fold".
    """
    rows = _judged(points, averages, headline, level)
    curves = pd.DataFrame({**names, **_of_curve(curve, weight)} for names, curve in rows)
    ragged, names = from_table(points[points["level"] != SPLIT])
    hulls = names.assign(auch=auch(ragged)).groupby(KEYS, sort=False)["auch"].mean().reset_index()
    errors = zip(rankings["auc"], rankings["auc_se"], strict=True)
    ends = [interval(area, error, confidence) for area, error in errors]
    low, high = zip(*ends, strict=True)
    frame = curves.merge(hulls, on=KEYS).merge(rankings.assign(auc_low=low, auc_high=high), on=KEYS)
    return MEASURES.frame(**frame, prior=frame["share"].iloc[0] if prior is None else prior)


def _judged(
    points: pd.DataFrame, averages: pd.DataFrame, headline: pd.DataFrame, level: str
) -> Iterator[tuple[dict[str, Any], Curve]]:
    """Return the in-sample averages, then the headlines that are no such averages."""
    estimates, curves = estimates_of(headline), headline_of(headline)
    rows = averages[averages["method"] == COST_SPACE]
    for (model, of), pieces in rows.groupby(["model", "level"], sort=False):
        is_headline = of == level and estimates[str(model)] == IN_SAMPLE
        names = {"model": model, "level": of, "estimate": IN_SAMPLE, "headline": is_headline}
        yield {**names, "curves": int(pieces["curves"].iloc[0])}, curve_from(pieces)
    folds = points[points["level"] == "fold"].drop_duplicates(["model", "repeat", "fold"])
    counted = folds["model"].value_counts()
    for model, estimate in estimates.items():
        if estimate != IN_SAMPLE:
            names = {"model": model, "level": "fold", "estimate": estimate, "headline": True}
            yield {**names, "curves": int(counted[model])}, curves[model]


def _of_curve(curve: Curve, weight: Prior) -> dict[str, float]:
    """Measure a curve: its mean costs, its operating range and where it is highest."""
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
