"""ROC curves: areas and convex hulls; and the Brier score.

References
----------
.. [1] F. Provost and T. Fawcett, "Robust classification for imprecise environments", Machine
   Learning 42, 203-231, 2001. https://doi.org/10.1023/A:1007601015854
.. [2] G. W. Brier, "Verification of forecasts expressed in terms of probability", Monthly Weather
   Review 78, 1-3, 1950. https://doi.org/10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2
.. [3] E. L. Lehmann, Nonparametrics: Statistical Methods Based on Ranks, Holden-Day, 1975, s1.4.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from costcurves.counts.elementwise import FloatArray
from costcurves.counts.exact import expect_exact_products, quotient
from costcurves.counts.operating_points import OperatingPoints
from costcurves.counts.ragged import falls, framed, steps
from costcurves.counts.rows import binary, doubles, expect_length
from costcurves.curves.hulls import hull


def auc(points: OperatingPoints) -> FloatArray:
    """Return the area under the ROC polyline of each curve, shape (n_curves,) ([F06a]_, s7).

    It is the share of the pairs of a positive and a negative in which the positive has the higher
    score; pairs that tie count 1/2. A polyline that does not start at (0, 0) or end at (N, P) is
    led there straight. Numbers of pairs are exact and divided with one rounding; of weighted points
    it is AUCIV, in double precision: each pair counts the product of its weights ([F06b]_, s5).

    Raises
    ------
    ValueError
        "tp_count falls from 5 to 3 at point 7 of curve 1 ...": that is a family, with several
        rankings or decisions (see `auch`); more than 2^62 pairs.

    Examples
    --------
    >>> from costcurves.counts.operating_points import from_scores
    >>> auc(from_scores(scores=[0.9, 0.5, 0.5, 0.1], labels=[1, 1, 0, 0])).tolist()
    [0.875]
    """
    expect_exact_products(points.negatives, points.positives)
    fp, tp, offsets = points.fp_count, points.tp_count, points.offsets
    for i in falls(tp, offsets):
        curve = np.searchsorted(offsets, i, side="right") - 1
        raise ValueError(
            f"tp_count falls from {tp[i - 1]} to {tp[i]} at point {i - offsets[curve]} of curve "
            f"{curve}: that is no ranking, only the area of its hull (auch) has a meaning"
        )
    twice_area = points.negatives * points.positives
    filled = np.diff(offsets) > 0
    first, last = offsets[:-1][filled], offsets[1:][filled] - 1
    heights = tp.copy()  # of both ends of each step to the right
    heights[1:] += tp[:-1]
    heights[first] = tp[first]
    negatives, positives = points.negatives[filled], points.positives[filled]
    twice_area[filled] = (negatives - fp[last]) * (positives + tp[last])
    twice_area[filled] += np.add.reduceat(steps(fp, first) * heights, first)
    whole = 2 * points.negatives * points.positives
    return quotient(np.minimum(twice_area, whole), whole)


def above_chance(points: OperatingPoints, repeat: ArrayLike) -> float:
    """Say by how many standard deviations scores rank better than chance, within their curves.

    Chance deals the labels of each curve out anew; then the number of pairs in order has a known
    mean and variance, less where scores tie ([3]_). Repeats judge the same instances, so their
    standard deviations add up as if they always agreed. It is below 0 where scores rank worse than
    chance, and NaN where all scores of each curve tie. Refuses what `auc` refuses.

    Parameters
    ----------
    points
        Curves of one model, counted, with a point for each distinct score, as `from_scores` makes
        them: of folds, as scores of different folds come from different models.
    repeat
        (n_curves,) the repeat that each curve belongs to.
    """
    tied = steps(points.fp_count + points.tp_count, points.offsets[:-1]).astype(np.float64)
    pairs = points.negatives.astype(np.float64) * points.positives
    sizes = (points.negatives + points.positives).astype(np.float64)
    lost = np.add.reduceat(tied**3 - tied, points.offsets[:-1])
    variance = pairs / 12 * (sizes + 1 - lost / (sizes * (sizes - 1)))
    spread = math.fsum(
        math.sqrt(math.fsum(variance[np.asarray(repeat) == name])) for name in np.unique(repeat)
    )
    excess = math.fsum((auc(points) - 0.5) * pairs)
    return excess / spread if spread > 0 else math.nan


def auch(points: OperatingPoints) -> FloatArray:
    """Return the area under each curve's ROC convex hull, no-model baselines included ([1]_).

    Any curves, families among them; shape (n_curves,), exact numerators, rounded once. Never less
    than 1/2, nor than the `auc`. Refuses what `convex_hull` refuses.
    """
    return auc(convex_hull(points))


def convex_hull(points: OperatingPoints) -> OperatingPoints:
    """Return the vertices of the ROC convex hull of each curve, no-model baselines included ([1]_).

    They run from (0, 0) to (N, P), each with its own threshold; a no-model baseline that is no
    operating point has ``+inf`` or ``-inf``. On slopes between vertices nothing is kept. An
    `fp_count` that falls within a curve, and more than 2^62 pairs, are a ValueError.
    """
    expect_exact_products(points.negatives, points.positives)
    nothing = np.zeros_like(points.negatives)
    fp = framed(points.fp_count, points.offsets, nothing, points.negatives)
    tp = framed(points.tp_count, points.offsets, nothing, points.positives)
    threshold = framed(points.threshold, points.offsets, np.inf, -np.inf)
    offsets = points.offsets + 2 * np.arange(len(points.offsets))
    rows = hull(fp, tp, offsets)
    ends = points.negatives, points.positives
    return OperatingPoints(
        fp[rows], tp[rows], threshold[rows], np.searchsorted(rows, offsets), *ends
    )


def brier(scores: ArrayLike, labels: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Return the Brier score: the mean squared difference of probability and label ([2]_).

    `weights` say how often each row counts; None: once.

    From 0 (certain and right) to 1; half of Brier's own sum over both classes. Scores outside
    [0, 1], no rows, and what `from_scores` refuses of scores and labels, are a ValueError.

    >>> brier([0.75, 0.5], [1, 0])
    0.15625
    """
    probability, label = doubles(scores), binary("label", labels)
    expect_length("labels", label, len(probability))
    if len(label) == 0:
        raise ValueError("no rows")
    for i in np.flatnonzero(~((probability >= 0) & (probability <= 1)))[:1]:
        raise ValueError(
            f"score at index {i} is {probability[i]}: no probability, so there is no Brier score"
        )
    times = None if weights is None else doubles(weights)
    return float(np.average((probability - label) ** 2, weights=times))
