"""Rankings: their AUC and Brier score, and what thresholds that follow from them lose."""

from typing import Final

import numpy as np
import pandas as pd

from costcurves.maths.choosing import threshold_choice as methods
from costcurves.maths.geometry.roc import auc, auch
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.classifiers import Classifiers, equal_classifiers
from costcurves.tables.curves.threshold_choice import COST
from costcurves.tables.keys import DATASET, MODEL

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
