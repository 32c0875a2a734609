"""Thresholds on the rate of positive predictions: one for all conditions, any, or the condition's.

Only the ranking matters here. The rate is w+ tp + w- fp with the class weights of the axis
(`loss_axes`): over cost proportions the share of all cases, over skews the mean of both classes'.
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
from costcurves.maths.hybrids import Hybrid, served_by
from costcurves.maths.loss_axes import Axis, class_weights, line_ends
from costcurves.maths.operating_points import OperatingPoints
from costcurves.maths.roc import auc
from costcurves.maths.score_thresholds import expect_scores

FloatArray = NDArray[np.float64]


def rate_fixed(points: OperatingPoints, rate: float, axis: Axis = "skew") -> Hybrid:
    """Keep one rate of positive predictions, whatever the operating condition ([1]_, eq. 14).

    Parameters
    ----------
    points
        Operating points of one classifier with scores.
    rate
        The rate, in [0, 1]: of all cases if `axis` is "cost proportion", the mean of the two
        classes' rates if it is "skew".
    axis
        "skew" (PC(+)) or "cost proportion".

    Returns
    -------
    Hybrid
        One piece. Between two operating points a draw decides, so that the rate is met exactly.

    Raises
    ------
    ValueError
        If the rate is not in [0, 1], the points are crisp decisions, or as `class_weights`.

    Examples
    --------
    >>> from costcurves.maths.operating_points import from_scores
    >>> hybrid = rate_fixed(from_scores(scores=[0.9, 0.6, 0.6, 0.1], labels=[1, 0, 1, 0]), 0.5)
    >>> hybrid.curve, hybrid.holders.tolist(), hybrid.alternates.tolist(), hybrid.shares.tolist()
    (Curve(pc=[0.0, 1.0], at0=[0.25], at1=[0.25]), [1], [2], [0.5])
    """
    holder, share = at_rate(points, rate, axis)
    return served_by(points, [0, 1], [holder], [holder + 1], share, weights=line_ends(points, axis))


def rate_uniform(points: OperatingPoints, axis: Axis = "skew") -> Curve:
    """Draw the rate of positive predictions uniformly from [0, 1] ([2]_).

    Its area is 2 w+ w- (1 - AUC) + 1/2 - w+ w-, exactly at any number of instances.

    Parameters
    ----------
    points, axis
        As in `rate_driven`.

    Returns
    -------
    Curve
        One piece: its FP rate is w+ (1 - AUC) + w- / 2, its FN rate w- (1 - AUC) + w+ / 2.

    Raises
    ------
    ValueError
        As `rate_driven`.

    Examples
    --------
    >>> from costcurves.maths.operating_points import from_scores
    >>> rate_uniform(from_scores(scores=[0.9, 0.1], labels=[1, 0])).area()
    0.25
    """
    expect_scores(points)
    negative, positive = class_weights(points, axis)
    wrong = 1 - float(auc(points)[0])
    ends = line_ends(points, axis)
    return line(
        ends[0] * (positive * wrong + negative / 2), ends[1] * (negative * wrong + positive / 2)
    )


def rate_driven(points: OperatingPoints, axis: Axis = "skew") -> Hybrid:
    """Let the rate of positive predictions be the condition: the ROC cost curve ([1]_, s4).

    Parameters
    ----------
    points
        Operating points of one classifier with scores; only their ranking matters.
    axis
        "skew" (PC(+)) or "cost proportion".

    Returns
    -------
    Hybrid
        n + 1 pieces for n instances, one for each cut of the ranking. Within a block of ties a cut
        is as likely to take any of its instances: a draw between the operating points at the
        block's two ends. Its area is `rate_driven_loss`.

    Raises
    ------
    ValueError
        If the points are crisp decisions, or as `class_weights`.

    Notes
    -----
    The cut behind k instances, of rate r, stands for the condition (n r + 1/2) / (n + 1), and each
    condition is served by the cut that stands nearest. For cost proportions r = k / n: cut k serves
    from k / (n + 1) to (k + 1) / (n + 1), as the note draws it (its eq. 19 leaves gaps). For skews
    instances of the rarer class weigh more and the pieces are of two widths (besides the ends), the
    same as above if the classes are balanced.

    Examples
    --------
    >>> from costcurves.maths.operating_points import from_scores
    >>> points = from_scores(scores=[0.9, 0.6, 0.1], labels=[1, 0, 1])
    >>> curve = rate_driven(points, "cost proportion").curve
    >>> curve.pc.tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    holder, share = _cuts(points)
    rate, whole = _rate_counts(points, axis)
    rates = rate[holder] + share * np.append(np.diff(rate), 0)[holder]
    rows = len(rates) - 1
    inner = (rows * (rates[:-1] + rates[1:]) + whole) / (2.0 * whole * (rows + 1))
    breaks = np.concatenate([[0.0], inner, [1.0]])
    return served_by(points, breaks, holder, holder + 1, share, weights=line_ends(points, axis))


def rate_driven_loss(points: OperatingPoints, axis: Axis = "skew") -> float:
    r"""Give the area under the ROC cost curve in closed form, exact at any number of instances.

    Parameters
    ----------
    points, axis
        As in `rate_driven`.

    Returns
    -------
    float
        For cost proportions, and for skews if the classes are balanced, (n L + 1/6) / (n + 1) with
        L = 2 w+ w- (1 - AUC) + 1/3 - w+ w-, ties counting 1/2 in AUC. L is the limit, which [1]_
        proves (Prop. 3); the exact area is what the note leaves open (s5).

    Raises
    ------
    ValueError
        As `rate_driven`.

    Notes
    -----
    At rate r the loss is 2 (x (w+ - r) + w- fp), linear in r and fp. At cut k = 1 ... n let u_k be
    the step of the rate, m_k its middle, f_k the step of fp, and b_k = (n m_k + 1/2) / (n + 1) the
    break point. Summed by parts the area is

        w- + sum b_k^2 u_k - 2 w- sum b_k f_k,

    and middles make sums integrals, but for a cubic term: sum m_k u_k = 1/2,
    sum m_k^2 u_k = 1/3 - sum u_k^3 / 12, sum m_k f_k = w+ AUC + w- / 2. For cost proportions every
    u_k is 1 / n; for skews 1 / (2 P) or 1 / (2 N), and the mean of them within a block of ties.

    Examples
    --------
    >>> from costcurves.maths.operating_points import from_scores
    >>> scores = [0.95, 0.9, 0.8, 0.7, 0.2, 0.1, 0.05]
    >>> points = from_scores(scores=scores, labels=[1, 1, 1, 0, 0, 1, 0])
    >>> round(112 * rate_driven_loss(points, "cost proportion"), 12)  # Fig. 2 of the note, mirrored
    19.0
    """
    rate, whole = _rate_counts(points, axis)
    block, step = np.diff(points.fp_count + points.tp_count), np.diff(rate) / whole
    cubes = float(np.sum(step * (step / block) ** 2))
    n = float(block.sum())
    negative, positive = class_weights(points, axis)
    squares = (n * n * (1 / 3 - cubes / 12) + n / 2 + 1 / 4) / (n + 1) ** 2
    steps = (n * (positive * float(auc(points)[0]) + negative / 2) + 1 / 2) / (n + 1)
    return negative + squares - 2 * negative * steps


def rate_driven_limit(points: OperatingPoints, axis: Axis = "skew") -> float:
    """Give the area under the ROC cost curve of infinitely many instances ([1]_, Prop. 3).

    It is L = 2 w+ w- (1 - AUC) + 1/3 - w+ w-, with the AUC and class weights of these points.

    >>> from costcurves.maths.operating_points import from_scores
    >>> scores = [0.95, 0.9, 0.8, 0.7, 0.2, 0.1, 0.05]
    >>> points = from_scores(scores=scores, labels=[1, 1, 1, 0, 0, 1, 0])
    >>> round(rate_driven_limit(points, "cost proportion"), 4)  # Fig. 2 of the note, mirrored
    0.1701
    """
    expect_scores(points)
    weights = class_weights(points, axis)
    both = weights.negative * weights.positive
    return 2 * both * (1 - float(auc(points)[0])) + 1 / 3 - both


def at_rate(points: OperatingPoints, rate: float, axis: Axis) -> tuple[int, float]:
    """Find where a classifier has a rate of positive predictions.

    The last operating point whose rate is not higher, and how far the rate is on the way to the
    next one, in [0, 1).

    >>> from costcurves.maths.operating_points import from_scores
    >>> points = from_scores(scores=[0.9, 0.6, 0.6, 0.1], labels=[1, 0, 1, 0])
    >>> at_rate(points, 0.5, "cost proportion")
    (1, 0.5)
    """
    if not 0 <= rate <= 1:
        raise ValueError(f"a rate of positive predictions must be in [0, 1], found {rate}")
    counts, whole = _rate_counts(points, axis)
    target = rate * whole
    holder = int(np.searchsorted(counts, target, side="right")) - 1
    if holder == len(counts) - 1:
        return holder, 0.0
    return holder, float((target - counts[holder]) / (counts[holder + 1] - counts[holder]))


def _rate_counts(points: OperatingPoints, axis: Axis) -> tuple[NDArray[np.int64], int]:
    """Give rates of positive predictions of the points, as integers of a common whole."""
    expect_scores(points)
    class_weights(points, axis)
    negatives, positives = points.negatives[0].item(), points.positives[0].item()
    if axis == "cost proportion":
        return points.fp_count + points.tp_count, negatives + positives
    return points.fp_count * positives + points.tp_count * negatives, 2 * negatives * positives


def _cuts(points: OperatingPoints) -> tuple[NDArray[np.int64], FloatArray]:
    """Give each cut of the ranking by the operating point before it and its place in the block."""
    expect_scores(points)
    above = points.fp_count + points.tp_count
    block = np.diff(above)
    before = np.repeat(np.arange(len(block)), block)
    place = (np.arange(above[-1]) - above[before]) / block[before]
    return np.append(before, len(block)), np.append(place, 0.0)
