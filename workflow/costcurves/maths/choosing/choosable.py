"""Operating points that a choice may stand on: all that is kept of curves with very many.

Of a million thresholds of a model some hundred are ever the cheapest: the vertices of the ROC
convex hull of each curve, those of the sums over the other folds, where a choice is judged on a
fold that did not make it, and those of the sum over all. With these thresholds alone every lower
envelope and every choice are the same as with all of them, to the last bit.
"""

import numpy as np

from costcurves.maths.choosing.candidates import align
from costcurves.maths.choosing.fold_sums import of_all, of_others, on_one_scale
from costcurves.maths.choosing.held_out import least
from costcurves.maths.counts.elementwise import Array, FloatArray
from costcurves.maths.counts.operating_points import OperatingPoints
from costcurves.maths.counts.ragged import offsets_of
from costcurves.maths.geometry.hulls import hull


def choosable(points: OperatingPoints) -> OperatingPoints:
    """Keep the thresholds that may be chosen of one model's scores, the same on every curve.

    The curves of `points` are the folds of one repeat, or there is one. Each has a point at every
    threshold that is kept, also where it decides as the one before.

    >>> from costcurves.maths.counts.operating_points import from_scores
    >>> points = from_scores(scores=[5, 4, 3, 2, 1], labels=[1, 0, 0, 1, 0])
    >>> choosable(points).threshold.tolist()
    [inf, 5.0, 2.0, 1.0]
    """
    kept = [points.threshold[hull(points.fp_count, points.tp_count, points.offsets)]]
    if len(points) > 1:
        kept.append(_chosen(points))
    threshold = np.unique(np.concatenate(kept))[::-1]
    rows = np.concatenate(
        [
            first + np.searchsorted(-curve.threshold, -threshold, side="right") - 1
            for first, curve in zip(points.offsets, points, strict=False)
        ]
    )
    return OperatingPoints(
        points.fp_count[rows],
        points.tp_count[rows],
        np.tile(threshold, len(points)),
        offsets_of(np.full(len(points), len(threshold))),
        points.negatives,
        points.positives,
    )


def _chosen(points: OperatingPoints) -> FloatArray:
    """Give the thresholds of least cost in sums over folds, and those that cost the same."""
    found = align(points, np.arange(len(points))[:, np.newaxis], _sums)
    fp, fp_unit = on_one_scale(found.fp_count, found.negatives)
    fn, fn_unit = on_one_scale(found.fn_count, found.positives)
    tied = least(_sums(fp), _sums(fn), fp_unit, fn_unit).tied
    threshold: FloatArray = found.threshold[tied % len(found.threshold)]
    return threshold


def _sums(values: Array) -> Array:
    """Add up the others of each fold, and all folds."""
    return np.concatenate([of_others(values), of_all(values)], axis=-2)
