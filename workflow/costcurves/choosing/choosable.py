"""Operating points that a choice may stand on: all that is kept of curves with very many.

Of a million thresholds of a model some hundred are ever the cheapest: the vertices of the ROC
convex hull of each curve, those of the sums over the other folds, where a choice is judged on a
fold that did not make it, and those of the sum over all. With these thresholds alone every lower
envelope and every choice are the same as with all of them, to the last bit.
"""

import numpy as np

from costcurves.choosing.candidates import align
from costcurves.choosing.choice import Counts, Seen, least, seen_on_all, seen_on_others
from costcurves.maths.counts.elementwise import FloatArray
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
    """Return the thresholds of least cost in sums over folds, and those that cost the same."""
    counts, _ = align(points, np.arange(len(points))[:, np.newaxis], _seen)
    candidate = least(_seen(counts)).candidate
    threshold: FloatArray = counts.threshold[candidate % len(counts.threshold)]
    return threshold


def _seen(counts: Counts) -> Seen:
    """Look at the other folds of each fold, and at all folds."""
    others, every = seen_on_others(counts), seen_on_all(counts)
    fp, fn = np.concatenate([others.fp, every.fp]), np.concatenate([others.fn, every.fn])
    return others._replace(fp=fp, fn=fn)
