"""Rankings: their AUC and Brier score, and what thresholds chosen in seven ways lose by them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.maths.choosing import threshold_choice as methods
from costcurves.maths.choosing.threshold_choice import Axis
from costcurves.maths.counts.operating_points import OperatingPoints
from costcurves.maths.geometry.curves import Curve
from costcurves.maths.geometry.roc import auc, auch
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.classifiers import Classifiers, equal_classifiers
from costcurves.tables.curves.pieces import PIECE, pieces_of
from costcurves.tables.keys import DATASET, MODEL

THRESHOLD_CHOICE: Final = Contract(
    "threshold_choice",
    DATASET,
    MODEL,
    Column("method", "str", "", "how the threshold follows from the condition"),
    Column("axis", "str", "", "what the condition is: cost proportion, or skew = PC(+)"),
    Column("loss", "float64", "loss", "expected loss if every condition is equally likely"),
    *PIECE,
)

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

COST: Final[Axis] = "cost proportion"
AXES: Final[tuple[Axis, ...]] = (COST, "skew")
PROBABILITIES: Final = ("score-uniform", "score-driven")
# In closed form; they equal the curves' areas.
CLOSED: Final = {"score-driven": methods.brier_score, "rate-driven": methods.rate_driven_loss}


def threshold_choice(points: pd.DataFrame, selection: Mapping[str, Any]) -> pd.DataFrame:
    """Give each model with scores the loss curves of all threshold choice methods.

    PC(+) in the columns stands for the operating condition that `axis` names. Over cost proportions
    lines end in 2 w- fp and 2 w+ fn, with the class proportions w- and w+. Families have no rows.
    """
    fixed = selection["score_threshold"], selection["rate"]
    found = [
        ({"model": model, **names}, curve)
        for model, own in equal_classifiers(points).items()
        for names, curve in _of_ranking(own.ranking, *fixed)
    ]
    return pieces_of(THRESHOLD_CHOICE, found, dataset=str(points["dataset"].iloc[0]))


def _of_ranking(
    ranking: Classifiers, score_threshold: float, rate: float | None
) -> Iterator[tuple[dict[str, object], Curve]]:
    for axis in AXES if len(ranking.names) else ():
        curves = _curves(ranking.points, axis, score_threshold, rate)
        for method, curve in curves.items():
            if ranking.is_probability() or method not in PROBABILITIES:
                thin = curve().simplified()
                closed = CLOSED.get(method)
                loss = closed(ranking.points, axis) if closed else thin.area()
                yield {"method": method, "axis": axis, "loss": loss}, thin


def _curves(
    points: OperatingPoints, axis: Axis, score_threshold: float, rate: float | None
) -> dict[str, Callable[[], Curve]]:
    share = float(points.positives[0] / (points.negatives[0] + points.positives[0]))
    at = share if rate is None else rate
    return {
        "score-fixed": lambda: methods.score_fixed(points, score_threshold, axis).curve,
        "score-uniform": lambda: methods.score_uniform(points, axis),
        "score-driven": lambda: methods.score_driven(points, axis).curve,
        "rate-fixed": lambda: methods.rate_fixed(points, at, axis).curve,
        "rate-uniform": lambda: methods.rate_uniform(points, axis),
        "rate-driven": lambda: methods.rate_driven(points, axis).curve,
        "optimal": lambda: methods.optimal(points, axis).curve,
    }


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
