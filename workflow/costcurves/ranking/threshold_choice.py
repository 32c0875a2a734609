"""Threshold choice methods: how thresholds follow from the operating condition, at what cost.

J. Hernández-Orallo, P. Flach and C. Ferri ("Technical note: towards ROC curves in cost space",
2011, https://doi.org/10.48550/arXiv.1107.5930; "A unified view of performance metrics", Journal of
Machine Learning Research 13, 2813-2869, 2012) have six methods besides the optimal one. Four are
here; the other two draw a score or a rate at random. Each gives a classifier with scores a curve
over the operating condition; the area under it is the expected loss when every condition is
equally likely:

==============  =========================================================  ======================
method          threshold                                                  expected loss
==============  =========================================================  ======================
score-fixed     one score, whatever the condition                          mean of the line's ends
score-driven    positive iff p(+) >= 1 - condition: the Brier curve        the Brier score
rate-fixed      one rate of positive predictions                           mean of the line's ends
rate-driven     rate of positive predictions = condition: ROC cost curve   (1)
optimal         the cheapest: the lower envelope                           the refinement loss
==============  =========================================================  ======================

The operating condition, `axis`, is the "skew" z, which is PC(+), or the "cost proportion" c, the
positives' share of the two costs at the data's own class proportions. With class weights
(w-, w+) = (1/2, 1/2) for skews and the class proportions for cost proportions, the loss at a
condition x is in both cases

    Q(x) = 2 (x w+ fn + (1 - x) w- fp),

and "rate" is w+ tp + w- fp: the share of all cases, or the mean of the two classes' rates. So a
curve over cost proportions consists of straight lines too: it is a `Curve` whose axis is c and
whose lines end in 2 w- fp and 2 w+ fn.

(1), for cost proportions or balanced classes, is (n L + 1/6) / (n + 1), exactly, with
L = 2 w+ w- (1 - AUC) + 1/3 - w+ w- and ties counting 1/2 in the AUC: what the note leaves open
(s5); its Prop. 3 is the limit L.
"""

from collections.abc import Sequence
from itertools import product
from typing import Final, Literal

import pandas as pd

from costcurves.choosing.classifiers import equal_classifiers
from costcurves.choosing.hybrids import curve_of
from costcurves.choosing.rules import (
    CostMinimizing,
    RateDriven,
    RateFixed,
    ScoreDriven,
    ScoreFixed,
    Setting,
)
from costcurves.counts.counted import Counted, dataset_of
from costcurves.counts.operating_points import OperatingPoints
from costcurves.curves.curves import Curve
from costcurves.curves.pieces import PIECE, pieces_of
from costcurves.settings import Selection
from costcurves.tables.contract import Column, Contract
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

Axis = Literal["skew", "cost proportion"]
COST: Final[Axis] = "cost proportion"
AXES: Final[tuple[Axis, ...]] = (COST, "skew")


def loss_curve(
    method: str, points: OperatingPoints, axis: Axis = "skew", selection: Selection = Selection()
) -> Curve:
    """Return the loss of a threshold choice method over the operating condition.

    `points` are of one classifier's scores. Scores outside [0, 1] are refused by the methods that
    take them for probabilities.
    """
    share = float(points.positives[0] / (points.negatives[0] + points.positives[0]))
    balanced = axis == "skew"
    w_negative, w_positive = (0.5, 0.5) if balanced else (1 - share, share)
    rules = {
        "score-fixed": ScoreFixed(),
        "score-driven": ScoreDriven(),
        "rate-fixed": RateFixed(balanced),
        "rate-driven": RateDriven(balanced),
        "optimal": CostMinimizing(),
    }
    if method not in rules:
        raise ValueError(f"method is {method!r}, expected one of {', '.join(METHODS)}")
    curve = curve_of(rules[method], points, Setting(selection, share))
    condition = z = curve.pc
    if method == "optimal":  # chosen by skews, which become cost proportions
        condition = z * w_negative / (z * w_negative + (1 - z) * w_positive)
    return Curve(condition, 2 * w_negative * curve.at0, 2 * w_positive * curve.at1)


METHODS: Final = ("score-fixed", "score-driven", "rate-fixed", "rate-driven", "optimal")


def threshold_choice(counted: Sequence[Counted], selection: Selection) -> pd.DataFrame:
    """Compute the loss curves of all threshold choice methods of each model with scores.

    PC(+) in the columns stands for the operating condition that `axis` names. Families have no
    rows.
    """
    curves = []
    for model, classifier in equal_classifiers(counted).items():
        ranking = classifier.ranking
        for axis, method in product(AXES, METHODS if len(ranking.names) else ()):
            if ranking.is_probability() or method != "score-driven":
                curve = loss_curve(method, ranking.points, axis, selection).simplified()
                names = {"model": model, "method": method, "axis": axis, "loss": curve.area()}
                curves.append((names, curve))
    return pieces_of(THRESHOLD_CHOICE, curves, dataset=dataset_of(counted))
