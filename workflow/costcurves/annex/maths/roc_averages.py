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
Other arrays, and no curve at all, are a ValueError that says what was found.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from costcurves.maths.counts.elementwise import FloatArray, finite, refuse
from costcurves.maths.geometry.curves import compensated_sum

Roc = tuple[ArrayLike, ArrayLike]  # fp, tp of the vertices
ThresholdedRoc = tuple[ArrayLike, ArrayLike, ArrayLike]  # fp, tp, threshold


def vertical(curves: Sequence[Roc]) -> tuple[FloatArray, FloatArray]:
    """Average ROC curves vertically: the mean TP rate at each FP rate of any curve.

    Where a curve steps up there are two vertices: the means of the lower and of the upper ends.
    """
    return _average([_polyline(fp, tp) for fp, tp in curves])


def horizontal(curves: Sequence[Roc]) -> tuple[FloatArray, FloatArray]:
    """Average ROC curves horizontally: the mean FP rate at each TP rate of any curve.

    Where a curve runs level there are two vertices: the means of the left and of the right ends.

    >>> horizontal([([0, 0.5, 1], [0, 1, 1]), ([0, 1], [0, 1])])
    (array([0.  , 0.75, 1.  ]), array([0., 1., 1.]))
    """
    polylines = [_polyline(fp, tp) for fp, tp in curves]
    tp, fp = _average([(tp, fp) for fp, tp in polylines])
    return fp, tp


def threshold(curves: Sequence[ThresholdedRoc]) -> tuple[FloatArray, FloatArray]:
    """Average ROC curves by threshold: the mean FP and TP rates at each threshold of any curve.

    Vertices are in the order of falling thresholds; equal neighbours are one.
    """
    found = [(*_polyline(fp, tp), _thresholds(t, fp)) for fp, tp, t in curves]
    fp, tp = _summed_by_threshold(found)
    return _without_repeats(fp / len(found), tp / len(found))


def pooled(curves: Sequence[ThresholdedRoc]) -> tuple[FloatArray, FloatArray]:
    """Pool ROC curves: add up the counts of all curves at each threshold of any of them.

    Curves are (fp_count, tp_count, threshold): counts start at 0 and never fall, and the last are
    the class sizes, above 0. The result has the rates, in the order of falling thresholds; equal
    neighbours are one.
    """
    found = [(*_both(fp, tp), _thresholds(t, fp)) for fp, tp, t in curves]
    fp_count, tp_count = _summed_by_threshold(found)
    return _without_repeats(fp_count / fp_count[-1], tp_count / tp_count[-1])


def _expect_some(curves: Sequence[object]) -> None:
    if not curves:
        raise ValueError("an average needs at least one curve, found none")


def _rising(name: str, values: ArrayLike) -> FloatArray:
    """Check for a row that starts at 0, never falls, and ends above 0."""
    array = finite(name, values)
    if array.ndim != 1 or len(array) < 2:
        raise ValueError(f"{name} must list two points at least, found shape {array.shape}")
    refuse(array[:1] != 0, array[:1], f"{name} must start at 0")
    refuse(array[1:] < array[:-1], array[1:], f"{name} must never fall")
    refuse(array[-1:] == 0, array[-1:], f"{name} must end above 0")
    return array


def _both(fp: ArrayLike, tp: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Check rates or counts of the points of one curve."""
    x, y = _rising("fp", fp), _rising("tp", tp)
    if len(x) != len(y):
        raise ValueError(f"a curve needs as many fp as tp, found {len(x)} and {len(y)}")
    return x, y


def _polyline(fp: ArrayLike, tp: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Check rates of the vertices of one curve from (0, 0) to (1, 1)."""
    x, y = _both(fp, tp)
    if (x[-1], y[-1]) != (1, 1):
        raise ValueError(f"an ROC curve must end at (1, 1), found {(float(x[-1]), float(y[-1]))}")
    return x, y


def _thresholds(threshold: ArrayLike, fp: ArrayLike) -> FloatArray:
    """Check thresholds of one curve, falling strictly from +inf."""
    array = np.asarray(threshold, dtype=np.float64)
    if array.shape != np.shape(fp):
        raise ValueError(f"a curve needs a threshold a point, found {array.size} for {np.size(fp)}")
    refuse(array[:1] != np.inf, array[:1], "thresholds must start at +inf")
    refuse(~(array[1:] < array[:-1]), array[1:], "thresholds must fall strictly")
    return array


def _average(polylines: Sequence[tuple[FloatArray, FloatArray]]) -> tuple[FloatArray, FloatArray]:
    """Give the vertices of the mean y at each x; both ends of a step are kept."""
    _expect_some(polylines)
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


def _summed_by_threshold(
    curves: Sequence[tuple[FloatArray, FloatArray, FloatArray]],
) -> tuple[FloatArray, FloatArray]:
    """Sum fp and tp over the curves at each threshold of any of them, falling from +inf."""
    _expect_some(curves)
    levels = np.unique(np.concatenate([-threshold for _, _, threshold in curves]))
    last = [np.searchsorted(-threshold, levels, side="right") - 1 for _, _, threshold in curves]
    points = zip(curves, last, strict=True)
    fp, tp = compensated_sum(np.stack([fp[at], tp[at]]) for (fp, tp, _), at in points)
    return fp, tp


def _without_repeats(fp: FloatArray, tp: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Leave out points that equal the one before."""
    differs = (np.diff(fp, prepend=-1) != 0) | (np.diff(tp, prepend=-1) != 0)
    return fp[differs], tp[differs]
