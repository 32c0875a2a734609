"""Thresholds on scores: one for all conditions, any, or the one that probabilities ask for.

See `threshold_choice` for all methods and what they cost.

References
----------
.. [1] J. Hernández-Orallo, P. Flach and C. Ferri, "Technical note: towards ROC curves in cost
   space", 2011. https://doi.org/10.48550/arXiv.1107.5930
.. [2] J. Hernández-Orallo, P. Flach and C. Ferri, "A unified view of performance metrics:
   translating threshold choice into expected classification loss", Journal of Machine Learning
   Research 13, 2813-2869, 2012.
"""

import numpy as np
from numpy.typing import NDArray

from costcurves.maths.curves import Curve, line
from costcurves.maths.hybrids import Hybrid, one_curve, served_by
from costcurves.maths.loss_axes import Axis, class_weights, line_ends
from costcurves.maths.operating_points import OperatingPoints

FloatArray = NDArray[np.float64]


def score_fixed(points: OperatingPoints, threshold: float, axis: Axis = "skew") -> Hybrid:
    """Keep one threshold, whatever the operating condition ([1]_, s4).

    Parameters
    ----------
    points
        Operating points of one classifier with scores.
    threshold
        Positive iff score >= threshold; any number, ``inf`` for nobody, ``-inf`` for everybody.
    axis
        "skew" (PC(+)) or "cost proportion".

    Returns
    -------
    Hybrid
        One piece.

    Raises
    ------
    ValueError
        If the threshold is NaN, the points are crisp decisions, or as `class_weights`.

    Examples
    --------
    >>> from costcurves.maths.operating_points import from_scores
    >>> points = from_scores(scores=[0.9, 0.6, 0.4, 0.1], labels=[1, 0, 1, 0])
    >>> score_fixed(points, 0.5).curve, score_fixed(points, 0.5).holders.tolist()
    (Curve(pc=[0.0, 1.0], at0=[0.5], at1=[0.5]), [2])
    """
    expect_scores(points)
    if np.isnan(threshold):
        raise ValueError("a fixed threshold must be a number, found nan")
    holder = np.searchsorted(-points.threshold, -threshold, side="right") - 1
    return served_by(points, [0, 1], [holder], weights=line_ends(points, axis))


def score_uniform(points: OperatingPoints, axis: Axis = "skew") -> Curve:
    """Draw the threshold uniformly from [0, 1], whatever the operating condition ([2]_).

    Its area is the mean absolute error, with each class's weight.

    Parameters
    ----------
    points, axis
        As in `score_driven`.

    Returns
    -------
    Curve
        One piece: its rates are the negatives' mean score and 1 - the positives' mean score.

    Raises
    ------
    ValueError
        As `score_driven`.

    Examples
    --------
    >>> from costcurves.maths.operating_points import from_scores
    >>> score_uniform(from_scores(scores=[0.75, 0.25], labels=[1, 0]))
    Curve(pc=[0.0, 1.0], at0=[0.25], at1=[0.25])
    """
    score, negative, positive = _shares_of_scores(points)
    ends = line_ends(points, axis)
    fp, fn = np.sum(score * negative), np.sum((1 - score) * positive)
    return line(ends[0] * float(fp), ends[1] * float(fn))


def score_driven(points: OperatingPoints, axis: Axis = "skew") -> Hybrid:
    """Trust the scores: positive iff p(+) >= 1 - operating condition. The Brier curve ([1]_, s6).

    Drummond and Holte's performance-independent criterion for probabilities; their "threshold =
    PC(+)" acts on p(-).

    Parameters
    ----------
    points
        Operating points of one classifier whose scores are probabilities of the positive class.
    axis
        "skew" (PC(+)) or "cost proportion".

    Returns
    -------
    Hybrid
        It breaks at 1 - score, for each distinct score; the one with that score serves from there
        on. Its area is the Brier score (`brier_score`), exactly.

    Raises
    ------
    ValueError
        If scores are not in [0, 1] (margins and ranks are no probabilities), the points are crisp
        decisions, or as `class_weights`.

    Examples
    --------
    >>> from costcurves.maths.operating_points import from_scores
    >>> points = from_scores(scores=[0.75, 0.5], labels=[1, 0])
    >>> score_driven(points).curve
    Curve(pc=[0.0, 0.25, 0.5, 1.0], at0=[0.0, 0.0, 1.0], at1=[1.0, 0.0, 0.0])
    >>> score_driven(points).curve.area(), brier_score(points)
    (0.15625, 0.15625)
    """
    score = _probabilities(points)
    breaks = np.concatenate([[0.0], 1 - score, [1.0]])
    return served_by(points, breaks, np.arange(len(score) + 1), weights=line_ends(points, axis))


def brier_score(points: OperatingPoints, axis: Axis = "skew") -> float:
    """Give the mean squared error of probabilities: the Brier curve's area ([1]_, Theorem 5).

    Parameters
    ----------
    points, axis
        As in `score_driven`.

    Returns
    -------
    float
        The Brier score if `axis` is "cost proportion"; the mean of the two classes' Brier scores if
        it is "skew".

    Raises
    ------
    ValueError
        As `score_driven`.

    Examples
    --------
    >>> from costcurves.maths.operating_points import from_scores
    >>> points = from_scores(scores=[0.5, 0.5, 0.0], labels=[1, 0, 0])
    >>> brier_score(points, "cost proportion") == 0.5 / 3
    True
    """
    score, negative, positive = _shares_of_scores(points)
    weights = class_weights(points, axis)
    of_negatives, of_positives = np.sum(score**2 * negative), np.sum((1 - score) ** 2 * positive)
    return float(weights.negative * of_negatives + weights.positive * of_positives)


def is_ranking(points: OperatingPoints) -> bool:
    """Tell whether one curve's points come from scores: thresholds fall from inf."""
    threshold = points.threshold
    return bool((threshold[:1] == np.inf).all() and (threshold[1:] < threshold[:-1]).all())


def expect_scores(points: OperatingPoints) -> None:
    """Refuse operating points that do not come from one classifier's scores."""
    one_curve(points)
    if not is_ranking(points):
        raise ValueError(
            "this needs the scores of one classifier (thresholds that fall from inf), "
            "found decisions or a family of classifiers"
        )


def _shares_of_scores(points: OperatingPoints) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give the distinct scores and which share of the negatives and of the positives has each."""
    score = _probabilities(points)
    negative = np.diff(points.fp_count) / points.negatives[0]
    return score, negative, np.diff(points.tp_count) / points.positives[0]


def _probabilities(points: OperatingPoints) -> FloatArray:
    """Give the distinct scores, highest first; refuse scores that are no probabilities."""
    expect_scores(points)
    score = points.threshold[1:]
    outside = score[(score < 0) | (score > 1)]
    if len(outside):
        raise ValueError(
            "scores are compared with the operating condition here and must be probabilities of "
            f"the positive class, in [0, 1]; found {outside[0]} ({len(outside)} distinct scores "
            "outside): calibrate them, or leave this criterion out"
        )
    return score
