"""Rankings: their AUC and Brier score, what thresholds that follow lose, and DeLong's test."""

from itertools import combinations
from typing import Final

import numpy as np
import pandas as pd

from costcurves.maths.chance.delong import difference
from costcurves.maths.choosing import threshold_choice as methods
from costcurves.maths.geometry.roc import auc, auch
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.classifiers import Classifiers, equal_classifiers
from costcurves.tables.curves.operating_points import pooled_away
from costcurves.tables.curves.ranked import components_of
from costcurves.tables.curves.threshold_choice import COST
from costcurves.tables.inference.resampling import paired_models
from costcurves.tables.keys import DATASET, LEVEL, MODEL, MODEL_A, MODEL_B

LOSSES: Final = Contract(
    "losses",
    DATASET,
    MODEL,
    Column("positives", "int64", "predictions", "positives ranked, of all repeats"),
    Column("negatives", "int64", "predictions", "negatives ranked, of all repeats"),
    Column("auc", "float64", "area", "area under the ROC curve of all predictions pooled"),
    Column("auch", "float64", "area", "area under its convex hull"),
    Column("brier", "float64", "loss", "Brier score; NaN: scores are no probabilities"),
    Column("refinement", "float64", "loss", "area of the optimal curve over cost proportions"),
    Column("calibration", "float64", "loss", "brier - refinement: the cost of trusting scores"),
    Column("rate_driven", "float64", "loss", "expected loss of rate-driven choice, exactly"),
    Column("rate_driven_limit", "float64", "loss", "the same of infinitely many instances"),
)
AUC_DIFFERENCES: Final = Contract(
    "auc_differences",
    DATASET,
    LEVEL,
    MODEL_A,
    MODEL_B,
    Column("difference", "float64", "area", "AUC(A) - AUC(B), means over the level's curves"),
    Column("error", "float64", "area", "its standard error by DeLong; NaN: unknown"),
    Column("p_value", "float64", "probability", "if both AUCs were equal; NaN: no test"),
)


def losses(points: pd.DataFrame) -> pd.DataFrame:
    """Measure each model's ranking of all predictions pooled, over cost proportions.

    Families have none, and none has one where instances count by their costs. The refinement loss
    is that of thresholds chosen on these very data, and so too low.
    """
    rankings = {model: own.ranking for model, own in equal_classifiers(points).items()}
    rows = [{"model": model, **_losses(own)} for model, own in rankings.items() if len(own.names)]
    return LOSSES.rows(rows, dataset=str(points["dataset"].iloc[0]))


def _losses(own: Classifiers) -> dict[str, float]:
    points = own.points
    if own.is_probability():
        scores = methods.decomposition(points, COST)._asdict()
    else:
        refinement = methods.optimal(points, COST).curve.area()
        scores = {"brier": np.nan, "refinement": refinement, "calibration": np.nan}
    return scores | {
        "positives": int(points.positives[0]),
        "negatives": int(points.negatives[0]),
        "auc": float(auc(points)[0]),
        "auch": float(auch(points)[0]),
        "rate_driven": methods.rate_driven_loss(points, COST),
        "rate_driven_limit": methods.rate_driven_limit(points, COST),
    }


def auc_differences(predictions: pd.DataFrame, measures: pd.DataFrame) -> pd.DataFrame:
    """Test each two models that rank, at the level of their headlines; each pair by itself.

    None where instances count by their costs, or models were not judged on the same folds.
    """
    ranks = measures[measures["headline"] & measures["auc"].notna()]
    models = paired_models(predictions, ranks["model"].to_list())
    if not models or predictions["weight"].ne(1).any():
        return AUC_DIFFERENCES.empty()
    level = str(ranks["level"].iloc[0])
    rows = predictions.assign(**pooled_away(predictions, level))
    rows = rows.sort_values(["repeat", "fold", "instance"], kind="stable")
    found = {model: components_of(rows[rows["model"] == model]) for model in models}
    tested = [
        {"model_a": a, "model_b": b, **difference(found[a], found[b])._asdict()}
        for a, b in combinations(models, 2)
    ]
    named = pd.DataFrame(tested, columns=["model_a", "model_b", "value", "error", "p_value"])
    return AUC_DIFFERENCES.frame(
        **named.rename(columns={"value": "difference"}),
        dataset=str(predictions["dataset"].iloc[0]),
        level=level,
    )
