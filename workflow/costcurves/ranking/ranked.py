"""How each model ranks the instances, in the numbers that reviewers ask for, and their counts."""

import math
from collections.abc import Collection, Sequence
from functools import partial
from itertools import chain
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.counts.cost_weights import effective_size
from costcurves.counts.counted import (
    DEALT,
    PASS,
    Counted,
    folded,
    levels,
    models_of,
    of_curves,
)
from costcurves.ranking import roc
from costcurves.ranking.delong import Components, components, interval, standard_error, variances
from costcurves.tables.codes import first_rows
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import DATASET, LEVEL, MODEL, curve_codes, group_codes, unit_of
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


def rankings(
    predictions: pd.DataFrame, counted: Sequence[Counted], threads: int = 1
) -> pd.DataFrame:
    """Say at each level how each model ranks the instances, and count them.

    DeLong's standard error is not defined where instances count by their costs or weights.
    """
    weighted = predictions["weight"].ne(1).any()
    curves = measured_curves(counted)
    made = partial(_errors, curves)
    found = [] if weighted else on_threads(made, models_of(folded(predictions)), threads)
    errors = pd.DataFrame([*chain.from_iterable(found)], columns=[*KEYS, "auc_se"])
    sizes = pd.DataFrame(
        {"model": str(own["model"].iloc[0]), "brier": _brier(own), **_sizes(own)}
        for own in models_of(predictions)
    )
    whole = _areas(curves).merge(errors, on=KEYS, how="left").merge(sizes, on="model")
    return RANKINGS.frame(**whole, dataset=str(predictions["dataset"].iloc[0]))


def measured_curves(counted: Sequence[Counted]) -> pd.DataFrame:
    """Measure how each curve ranks, those of a model and level as their rows appear."""
    parts = [_measured(part).sort_values("curve", kind="stable") for part in counted]
    return pd.concat(parts, ignore_index=True)


def _measured(part: Counted) -> pd.DataFrame:
    """Measure the ranking of each curve, and of each model in its folds."""
    points, offsets = part.points, part.points.offsets
    ranks = part.ranks() & part.names["level"].ne(DEALT)  # nobody asks how a draw ranks
    names = part.names.assign(
        **dict.fromkeys(MEASURED, np.nan),
        points=np.diff(offsets),
        ranks=part.ranks(),
        negatives=points.negatives,
        positives=points.positives,
    )
    if ranks.any():
        names["auc"] = np.where(ranks, roc.auc(part.weighed), np.nan)
        if part.weighed is points:
            names["auc_variance"] = np.where(ranks, variances(points), np.nan)
        names["lowest"] = points.threshold[offsets[1:] - 1]
        names["highest"] = points.threshold[offsets[:-1] + 1]  # after that of no positives
    in_folds = names[ranks & names["level"].eq("fold") & names["fold"].ne("")]
    for _, rows in in_folds.groupby("model"):
        curves = of_curves(points, rows.index.to_numpy())
        names.loc[rows.index, "above_chance"] = roc.above_chance(curves, rows["repeat"])
    return names


def sizes_and_prior(predictions: pd.DataFrame, prior: float | None) -> pd.DataFrame:
    """Say what `measures` says first of sizes and of the prior, for which nothing is measured."""
    sizes = _sizes(models_of(predictions)[0])
    share = sizes["share"] if prior is None else prior
    return pd.DataFrame([{"dataset": predictions["dataset"].iloc[0], **sizes, "prior": share}])


def measured(rankings: pd.DataFrame, confidence: float) -> pd.DataFrame:
    """Add the intervals ``auc_low``, ``auc_high`` of each AUC."""
    rows = []
    for auc, error in rankings[["auc", "auc_se"]].itertuples(index=False):
        low, high = interval(auc, error, confidence)
        rows.append({"auc_low": low, "auc_high": high})
    return rankings.join(pd.DataFrame(rows))


def _areas(curves: pd.DataFrame) -> pd.DataFrame:
    """Average the AUC of the models that rank, and count operating points, at each level."""
    grouped = curves[curves["level"] != DEALT].groupby(KEYS, sort=False)
    return grouped.agg({"auc": "mean", "points": "sum"}).reset_index()


def _errors(curves: pd.DataFrame, rows: pd.DataFrame) -> list[dict[str, Any]]:
    """Give DeLong's standard error of one model at each level, if it ranks.

    Counts give it where each instance is judged once and there are no clusters; `curves` are what
    was measured of them.
    """
    model, error, found = str(rows["model"].iloc[0]), np.nan, []
    ranks = rows["score"].notna() & rows["member"].eq("")
    own = rows if ranks.all() else rows[ranks]
    known = curves[curves["ranks"] & curves["model"].eq(model)]
    once = len(curve_codes(rows, ["repeat"])[1]) == 1 and unit_of(rows) == "instance"
    for level, keys, is_new in levels(rows) if len(own) else ():
        if is_new and once:
            of_curves = known.loc[known["level"] == level, "auc_variance"]
            error = math.sqrt(math.fsum(of_curves)) / len(of_curves)
        elif is_new:
            error = standard_error(components_of(own, keys))
        found.append({"model": model, "level": level, "auc_se": error})
    return found


def components_of(rows: pd.DataFrame, pooled: Collection[str] = ()) -> Components:
    """Take apart the mean AUC of one model's curves, pooled over folds, or repeats as well.

    Curves that share clusters are as of different repeats, though they are folds of one.
    """
    codes, curves = curve_codes(rows, [name for name in PASS if name not in pooled])
    repeat = pd.factorize(curves["repeat"])[0] if "repeat" in curves else np.zeros(1, int)
    unit = group_codes(rows, [unit_of(rows)])
    places = pd.DataFrame({"unit": unit, "repeat": repeat[codes], "curve": codes}).drop_duplicates()
    if places.duplicated(["unit", "repeat"]).any():
        repeat = np.arange(len(curves))
    own = {"scores": rows["score"], "labels": rows["label"], "groups": codes}
    return components(**own, instances=unit, repeat=repeat)


def _sizes(rows: pd.DataFrame) -> dict[str, float]:
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
    probabilities = scores.between(0, 1).all() and not (rows["member"] != "").any()
    return roc.brier(scores, rows["label"], rows["case_weight"]) if probabilities else np.nan
