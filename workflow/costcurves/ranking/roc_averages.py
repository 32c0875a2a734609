"""Averages of the ROC curves of several folds or repeats, for contrast with that in cost space.

They differ in which points of the curves they put into correspondence ([DH06]_,
s4.5): those of the same FP rate (vertical), TP rate (horizontal) or threshold; or they add up the
counts (pooled). The first three never cost less than the average in cost space, the mean cost
([DH00]_, s2.2.3). A pooled curve can, although the paper says otherwise: where the folds' class
sizes differ, pooling gives the folds other weights.

An ROC curve is here a polyline: arrays (fp, tp) of its vertices, from (0, 0) to (1, 1), neither
rate ever falling. Steps are welcome; an average keeps both ends of a step. Its cost curve is the
lower envelope of the cost lines of its vertices. Where thresholds are needed they come third, one
for each vertex, falling strictly from +inf; a crisp classifier has the thresholds +inf, 1 and 0.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd

from costcurves.choosing.classifiers import Classifiers, classifiers
from costcurves.counts.counted import Counted, dataset_of, of_curves
from costcurves.counts.elementwise import FloatArray
from costcurves.counts.operating_points import OperatingPoints
from costcurves.curves.averages import AVERAGES
from costcurves.curves.curves import compensated_sum
from costcurves.curves.envelopes import lower_envelope
from costcurves.curves.hulls import hull
from costcurves.curves.pieces import pieces_of
from costcurves.ranking.roc import convex_hull
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

Roc = tuple[FloatArray, FloatArray]  # fp, tp of the vertices
ThresholdedRoc = tuple[FloatArray, FloatArray, FloatArray]  # fp, tp, threshold


def vertical(curves: Sequence[Roc]) -> Roc:
    """Average ROC curves vertically: the mean TP rate at each FP rate of any curve.

    Where a curve steps up there are two vertices: the means of the lower and of the upper ends.
    """
    places = np.unique(np.concatenate([fp for fp, _ in curves]))
    total = compensated_sum(_ends(fp, tp, places) for fp, tp in curves)
    return _without_repeats(np.repeat(places, 2), total.T.ravel() / len(curves))


def horizontal(curves: Sequence[Roc]) -> Roc:
    """Average ROC curves horizontally: the mean FP rate at each TP rate of any curve.

    Where a curve runs level there are two vertices: the means of the left and of the right ends.

    >>> step, diagonal = np.array([[0, 0.5, 1], [0, 1, 1]]), np.array([[0, 1], [0, 1]])
    >>> horizontal([(step[0], step[1]), (diagonal[0], diagonal[1])])
    (array([0.  , 0.75, 1.  ]), array([0., 1., 1.]))
    """
    tp, fp = vertical([(tp, fp) for fp, tp in curves])
    return fp, tp


def threshold(curves: Sequence[ThresholdedRoc]) -> Roc:
    """Average ROC curves by threshold: the mean FP and TP rates at each threshold of any curve.

    Curves of counts, (fp_count, tp_count, threshold) of which the last are the class sizes, are
    pooled: counts are added up. Vertices are in the order of falling thresholds; equal neighbours
    are one.
    """
    levels = np.unique(np.concatenate([-falling for _, _, falling in curves]))
    points = []
    for fp, tp, falling in curves:
        last = np.searchsorted(-falling, levels, side="right") - 1
        points.append(np.stack([fp[last], tp[last]]))
    fp, tp = compensated_sum(points)
    return _without_repeats(fp / fp[-1], tp / tp[-1])


def _ends(x: FloatArray, y: FloatArray, places: FloatArray) -> FloatArray:
    """Return a polyline's (2, n) lower and upper ends at each place, equal where it has no step."""
    lower = np.searchsorted(x, places, side="left")  # the first vertex not left of the place
    upper = np.searchsorted(x, places, side="right") - 1  # the last not right of it
    between = upper < lower
    right, left = lower[between], upper[between]
    share = (places[between] - x[left]) / (x[right] - x[left])
    ends = np.stack([y[lower], y[upper]])
    ends[:, between] = np.minimum(y[left] + share * (y[right] - y[left]), y[right])
    return ends


def _without_repeats(fp: FloatArray, tp: FloatArray) -> Roc:
    """Leave out points that equal the one before."""
    differs = (np.diff(fp, prepend=-1) != 0) | (np.diff(tp, prepend=-1) != 0)
    return fp[differs], tp[differs]


def roc(counted: Sequence[Counted], level: str) -> pd.DataFrame:
    """Average the ROC curves of each model in the four ways of the literature.

    Vertical and horizontal averages are of the ROC convex hulls (Drummond and Holte 2000, s2.2.3).
    By threshold, points correspond that have the same score or belong to the same member; a crisp
    classifier counts as the scores 0 and 1.
    """
    parts = []
    for model, at_level in classifiers(counted, level).items():
        hulls = [(curve.fp, curve.tp) for curve in convex_hull(at_level.curves)]
        methods = {
            "vertical": vertical(hulls),
            "horizontal": horizontal(hulls),
            "threshold": _by_member(at_level, counts=False),
            "pooled": _by_member(at_level, counts=True),
        }
        for method, (fp, tp) in methods.items():
            names = {"model": model, "method": method, "curves": len(hulls)}
            parts.append(pd.DataFrame({**names, "fp": fp, "tp": tp}))
    whole = pd.concat(parts).reset_index(names="vertex")
    return ROC.frame(**whole, dataset=dataset_of(counted), level=level)


def costs(roc: pd.DataFrame) -> pd.DataFrame:
    """Return what each ROC average costs, the lower envelope of its vertices' lines."""
    by = ["dataset", "model", "level", "method", "curves"]
    curves = []
    for key, vertices in roc.groupby(by, sort=False):
        fp, fn = vertices["fp"].to_numpy(), 1 - vertices["tp"].to_numpy()
        curves.append((dict(zip(by, key, strict=True)), lower_envelope(fp, fn).curve))
    return pieces_of(AVERAGES, curves, estimate=IN_SAMPLE)


def _by_member(classifiers: Classifiers, *, counts: bool) -> Roc:
    """Average each member's curves, scores apart from decisions, and join them by their hull."""
    members = []
    member = classifiers.codes("member", "crisp")
    for number in range(member.max() + 1):
        curves = of_curves(classifiers.points, np.flatnonzero(member == number))
        members.append(threshold([_thresholded(curve, counts) for curve in curves]))
    if len(members) == 1:
        return members[0]
    fp, tp = (np.concatenate(rates) for rates in zip(*members, strict=True))
    order = np.lexsort((tp, fp))
    vertices = order[hull(fp[order], tp[order], [0, len(order)])]
    return fp[vertices], tp[vertices]


def _thresholded(curve: OperatingPoints, counts: bool) -> ThresholdedRoc:
    """Return the points of a curve, as counts or as rates, with their thresholds."""
    fp, tp = (curve.fp_count, curve.tp_count) if counts else (curve.fp, curve.tp)
    if not np.isnan(curve.threshold[0]):
        return fp, tp, curve.threshold
    last = (*curve.negatives, *curve.positives) if counts else (1.0, 1.0)
    both = np.array([[0.0, *fp, last[0]], [0.0, *tp, last[1]]])
    return *both, np.array([np.inf, 1.0, 0.0])  # a threshold between the scores 0 and 1
