"""Averages of ROC curves over folds and repeats, and what they cost."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.choosing.classifiers import Classifiers, classifiers
from costcurves.counts.counted import Counted, dataset_of, of_curves
from costcurves.counts.operating_points import OperatingPoints
from costcurves.curves.averages import AVERAGES
from costcurves.curves.envelopes import lower_envelope
from costcurves.curves.hulls import hull
from costcurves.curves.pieces import pieces_of
from costcurves.ranking import roc_averages
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import CURVES, DATASET, IN_SAMPLE, LEVEL, MODEL

ROC: Final = Contract(
    "roc",
    DATASET,
    MODEL,
    Column("method", "str", "", "way of averaging: vertical, horizontal, threshold, pooled"),
    LEVEL,
    CURVES,
    Column("vertex", "int64", "index", "place along the averaged curve, from (0, 0)"),
    Column("fp", "float64", "rate", "false positive rate of the vertex"),
    Column("tp", "float64", "rate", "true positive rate of the vertex"),
)

Rates = NDArray[np.float64]
Roc = tuple[Rates, Rates]  # fp, tp of the vertices
Thresholded = tuple[Rates, Rates, Rates]  # fp, tp, threshold


def costs(roc: pd.DataFrame) -> pd.DataFrame:
    """Give each ROC average its cost, the lower envelope of its vertices' lines."""
    by = ["dataset", "model", "level", "method", "curves"]
    found = []
    for key, vertices in roc.groupby(by, sort=False):
        fp, fn = vertices["fp"].to_numpy(), 1 - vertices["tp"].to_numpy()
        found.append((dict(zip(by, key, strict=True)), lower_envelope(fp, fn).curve))
    return pieces_of(AVERAGES, found, estimate=IN_SAMPLE)


def roc(counted: Sequence[Counted], level: str) -> pd.DataFrame:
    """Average the ROC curves of each model in the four ways of the literature.

    Vertical and horizontal averages are of the ROC convex hulls (Drummond and Holte 2000, s2.2.3).
    By threshold, points correspond that have the same score or belong to the same member; a crisp
    classifier counts as the scores 0 and 1.
    """
    parts = []
    for model, at_level in classifiers(counted, level).items():
        hulls = [_convex(curve.fp, curve.tp) for curve in at_level.curves]
        for method, (fp, tp) in _averages(at_level, hulls).items():
            names = {"model": model, "method": method, "curves": len(hulls)}
            parts.append(pd.DataFrame({**names, "fp": fp, "tp": tp}))
    whole = pd.concat(parts).reset_index(names="vertex")
    return ROC.frame(**whole, dataset=dataset_of(counted), level=level)


def _averages(classifiers: Classifiers, hulls: Sequence[Roc]) -> dict[str, Roc]:
    """Average one model's curves by each method."""
    return {
        "vertical": roc_averages.vertical(hulls),
        "horizontal": roc_averages.horizontal(hulls),
        "threshold": _by_member(classifiers, roc_averages.threshold, rates),
        "pooled": _by_member(classifiers, roc_averages.pooled, counts),
    }


def rates(curve: OperatingPoints) -> Roc:
    """Return both rates of each point."""
    return curve.fp, curve.tp


def counts(curve: OperatingPoints) -> Roc:
    """Return both counts of each point."""
    return curve.fp_count * 1.0, curve.tp_count * 1.0


def _convex(fp: Rates, tp: Rates) -> Roc:
    """Take the convex hull of ROC points and the two trivial ones, from (0, 0) to (1, 1)."""
    x, y = np.concatenate([[0.0], fp, [1.0]]), np.concatenate([[0.0], tp, [1.0]])
    order = np.lexsort((y, x))
    vertices = order[hull(x[order], y[order], np.array([0, len(x)]))]
    return x[vertices], y[vertices]


def _by_member(
    classifiers: Classifiers,
    average: Callable[[Sequence[Thresholded]], Roc],
    axes: Callable[[OperatingPoints], Roc],
) -> Roc:
    """Average each member's curves, scores apart from decisions, and join them by their hull."""
    members = []
    member = classifiers.codes("member", "crisp")
    for number in range(member.max() + 1):
        curves = of_curves(classifiers.points, np.flatnonzero(member == number))
        members.append(average([_thresholded(curve, axes) for curve in curves]))
    if len(members) == 1:
        return members[0]
    return _convex(*(np.concatenate(rates) for rates in zip(*members, strict=True)))


def _thresholded(curve: OperatingPoints, axes: Callable[[OperatingPoints], Roc]) -> Thresholded:
    fp, tp = axes(curve)
    if np.isnan(curve.threshold[0]):  # a decision is a threshold between the scores 0 and 1
        sizes = curve.negatives, curve.positives
        everything = OperatingPoints(*sizes, np.zeros(1), np.array([0, 1]), *sizes)
        ends = axes(everything)
        return (
            np.array([0.0, *fp, *ends[0]]),
            np.array([0.0, *tp, *ends[1]]),
            np.array([np.inf, 1.0, 0.0]),
        )
    return fp, tp, curve.threshold
