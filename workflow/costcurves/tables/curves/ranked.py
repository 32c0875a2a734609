"""How each model ranks the instances, in the numbers that reviewers ask for, and their counts."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.maths import roc
from costcurves.maths.delong import Components, components, interval, standard_error
from costcurves.maths.h_measure import h_measure
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.averages import headline_curves
from costcurves.tables.curves.operating_points import (
    DEALT,
    PASS,
    Counted,
    levels,
    of_curves,
)
from costcurves.tables.keys import DATASET, LEVEL, MODEL, curve_codes

KEYS: Final = ["model", "level"]
AUC: Final = (
    Column("auc", "float64", "area", "area under the ROC curve, mean over curves; NaN: no ranking"),
    Column("auc_se", "float64", "area", "DeLong's standard error of it; NaN: by cost, or unknown"),
)
AUC_Z: Final = Column(
    "auc_z", "float64", "sd", "its ranks within folds above chance; NaN: no ranking"
)
COUNTED: Final = (
    Column("brier", "float64", "squared error", "Brier score; NaN: scores are no probabilities"),
    Column("instances", "int64", "instances", "distinct instances judged"),
    Column("positives", "int64", "instances", "of them positive"),
    Column("negatives", "int64", "instances", "of them negative"),
    Column("repeats", "int64", "repeats", "repeats of cross-validation"),
    Column("folds", "int64", "folds", "folds of a repeat, the most of any"),
    Column("points", "int64", "points", "operating points of all curves together"),
)
RANKINGS: Final = Contract("rankings", DATASET, MODEL, LEVEL, *AUC, AUC_Z, *COUNTED)


def rankings(predictions: pd.DataFrame, counted: Sequence[Counted]) -> pd.DataFrame:
    """Say at each level how each model ranks the instances, and count them.

    DeLong's standard error is not defined where instances count by their costs.
    """
    frame = _areas(counted).merge(above_chance(counted), on="model", how="left")
    weighted = predictions["weight"].ne(1).any()
    errors = pd.DataFrame([] if weighted else _errors(predictions), columns=[*KEYS, "auc_se"])
    sizes = pd.DataFrame(
        {"model": str(model), **_sizes(own)}
        for model, own in predictions.groupby("model", sort=False)
    )
    whole = frame.merge(errors, on=KEYS, how="left").merge(sizes, on="model")
    return RANKINGS.frame(**whole, dataset=str(predictions["dataset"].iloc[0]))


def above_chance(counted: Sequence[Counted]) -> pd.DataFrame:
    """Hold each model's ranking of the instances of a fold, unweighted, against chance: `auc_z`.

    Pooled folds are left out: a model that knows nothing ranks instances of other folds worse than
    chance, as where one class is held out the other is learnt.
    """
    found = {}
    for one in counted:
        names = one.names[one.ranks() & one.names["level"].eq("fold") & one.names["fold"].ne("")]
        for model, own in names.groupby("model", sort=False):
            curves = of_curves(one.points, own.index.to_numpy())
            found[str(model)] = roc.above_chance(curves, own["repeat"])
    frame = pd.DataFrame({"model": list(found), "auc_z": list(found.values())})
    return frame.astype({"model": "str", "auc_z": "float64"})  # also where no model ranks


def measured(
    rankings: pd.DataFrame, averages: pd.DataFrame, weighted: bool, confidence: float
) -> pd.DataFrame:
    """Add the intervals ``auc_low``, ``auc_high`` of each AUC, and the H-measure ``h``.

    The H-measure has no place where instances count by their costs.
    """
    share = rankings["positives"].iloc[0] / rankings["instances"].iloc[0]
    curves = {level: headline_curves(averages, level) for level in rankings["level"].unique()}
    rows = []
    for model, level, auc, error in rankings[[*KEYS, "auc", "auc_se"]].itertuples(index=False):
        low, high = interval(auc, error, confidence)
        ranks = not (weighted or np.isnan(auc))
        h = h_measure(curves[level][model], share) if ranks else np.nan
        rows.append({"auc_low": low, "auc_high": high, "h": h})
    return rankings.join(pd.DataFrame(rows))


def _areas(counted: Sequence[Counted]) -> pd.DataFrame:
    """Average the AUC of the models that rank, and count operating points, at each level."""
    parts = [
        one.names[KEYS].assign(
            auc=roc.auc(one.weighed) if one.ranks().any() else np.nan,
            points=np.diff(one.points.offsets),
        )
        for one in counted
    ]
    whole = pd.concat(parts)
    whole["auc"] = whole["auc"].where(pd.concat([one.ranks() for one in counted]))
    grouped = whole[whole["level"] != DEALT].groupby(KEYS, sort=False)
    return grouped.agg({"auc": "mean", "points": "sum"}).reset_index()


def _errors(predictions: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Give DeLong's standard error of each model that ranks, at each level."""
    ranks = predictions["score"].notna() & predictions["member"].eq("")
    errors: dict[str, float] = {}
    for level, keys, is_new in levels(predictions):
        if is_new:
            models = predictions.assign(**keys)[ranks].groupby("model", sort=False)
            errors = {str(model): standard_error(components_of(own)) for model, own in models}
        yield from ({"model": it, "level": level, "auc_se": se} for it, se in errors.items())


def components_of(rows: pd.DataFrame) -> Components:
    """Take apart the mean AUC of one model's curves, folds as they were pooled."""
    codes, curves = curve_codes(rows, PASS)
    return components(
        scores=rows["score"],
        labels=rows["label"],
        groups=codes,
        instances=pd.factorize(rows["instance"])[0],
        repeat=pd.factorize(curves["repeat"])[0],
    )


def _sizes(rows: pd.DataFrame) -> dict[str, float]:
    labels = rows["label"][~rows["instance"].duplicated()]
    scores = rows["score"]
    probabilities = scores.between(0, 1).all() and not (rows["member"] != "").any()
    return {
        "instances": len(labels),
        "positives": int(labels.sum()),
        "negatives": int((1 - labels).sum()),
        "repeats": rows["repeat"].nunique(),
        "folds": int(rows.groupby("repeat", sort=False)["fold"].nunique().max()),
        "brier": roc.brier(scores.to_numpy(), rows["label"].to_numpy())
        if probabilities
        else np.nan,
    }
