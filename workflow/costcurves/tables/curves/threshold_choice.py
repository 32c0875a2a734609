"""Rankings: what thresholds chosen in seven ways lose by them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import pandas as pd

from costcurves.maths.choosing import threshold_choice as methods
from costcurves.maths.choosing.threshold_choice import Axis
from costcurves.maths.counts.operating_points import OperatingPoints
from costcurves.maths.geometry.curves import Curve
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
