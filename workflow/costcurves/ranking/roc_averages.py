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

import numpy as np
from numpy.typing import ArrayLike

from costcurves.counts.elementwise import FloatArray
from costcurves.curves.curves import compensated_sum

Roc = tuple[ArrayLike, ArrayLike]  # fp, tp of the vertices
ThresholdedRoc = tuple[ArrayLike, ArrayLike, ArrayLike]  # fp, tp, threshold


def vertical(curves: Sequence[Roc]) -> tuple[FloatArray, FloatArray]:
    """Average ROC curves vertically: the mean TP rate at each FP rate of any curve.

    Where a curve steps up there are two vertices: the means of the lower and of the upper ends.
    """
    return _average(curves)


def horizontal(curves: Sequence[Roc]) -> tuple[FloatArray, FloatArray]:
    """Average ROC curves horizontally: the mean FP rate at each TP rate of any curve.

    Where a curve runs level there are two vertices: the means of the left and of the right ends.

    >>> horizontal([([0, 0.5, 1], [0, 1, 1]), ([0, 1], [0, 1])])
    (array([0.  , 0.75, 1.  ]), array([0., 1., 1.]))
    """
    tp, fp = _average([(tp, fp) for fp, tp in curves])
    return fp, tp


def threshold(curves: Sequence[ThresholdedRoc]) -> tuple[FloatArray, FloatArray]:
    """Average ROC curves by threshold: the mean FP and TP rates at each threshold of any curve.

    Vertices are in the order of falling thresholds; equal neighbours are one.
    """
    fp, tp = _summed_by_threshold(curves)
    return _without_repeats(fp / len(curves), tp / len(curves))


def pooled(curves: Sequence[ThresholdedRoc]) -> tuple[FloatArray, FloatArray]:
    """Pool ROC curves: add up the counts of all curves at each threshold of any of them.

    Curves are (fp_count, tp_count, threshold): counts start at 0 and never fall, and the last are
    the class sizes, above 0. The result has the rates, in the order of falling thresholds; equal
    neighbours are one.
    """
    fp_count, tp_count = _summed_by_threshold(curves)
    return _without_repeats(fp_count / fp_count[-1], tp_count / tp_count[-1])


def _floats(curves: Sequence[Sequence[ArrayLike]]) -> list[list[FloatArray]]:
    return [[np.asarray(each, dtype=np.float64) for each in curve] for curve in curves]


def _average(curves: Sequence[Roc]) -> tuple[FloatArray, FloatArray]:
    """Give the vertices of the mean y at each x; both ends of a step are kept."""
    polylines = _floats(curves)
    places = np.unique(np.concatenate([x for x, _ in polylines]))
    total = compensated_sum(_ends(x, y, places) for x, y in polylines)
    return _without_repeats(np.repeat(places, 2), total.T.ravel() / len(polylines))


def _ends(x: FloatArray, y: FloatArray, places: FloatArray) -> FloatArray:
    """Give a polyline's (2, n) lower and upper ends at each place, equal where it has no step."""
    lower = np.searchsorted(x, places, side="left")  # the first vertex not left of the place
    upper = np.searchsorted(x, places, side="right") - 1  # the last not right of it
    between = upper < lower
    right, left = lower[between], upper[between]
    share = (places[between] - x[left]) / (x[right] - x[left])
    ends = np.stack([y[lower], y[upper]])
    ends[:, between] = np.minimum(y[left] + share * (y[right] - y[left]), y[right])
    return ends


def _summed_by_threshold(curves: Sequence[ThresholdedRoc]) -> tuple[FloatArray, FloatArray]:
    """Sum fp and tp over the curves at each threshold of any of them, falling from +inf."""
    found = _floats(curves)
    levels = np.unique(np.concatenate([-threshold for _, _, threshold in found]))
    last = [np.searchsorted(-threshold, levels, side="right") - 1 for _, _, threshold in found]
    points = zip(found, last, strict=True)
    fp, tp = compensated_sum(np.stack([fp[at], tp[at]]) for (fp, tp, _), at in points)
    return fp, tp


def _without_repeats(fp: FloatArray, tp: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Leave out points that equal the one before."""
    differs = (np.diff(fp, prepend=-1) != 0) | (np.diff(tp, prepend=-1) != 0)
    return fp[differs], tp[differs]
