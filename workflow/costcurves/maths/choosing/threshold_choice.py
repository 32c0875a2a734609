"""Threshold choice methods: how thresholds follow from the operating condition, at what cost.

The note [1]_ (with [2]_ and [3]_) has six methods besides the optimal one. Each gives a classifier
with scores a curve over the operating condition; the area under it is the expected loss when every
condition is equally likely:

==============  =========================================================  =======================
method          threshold                                                  expected loss
==============  =========================================================  =======================
score-fixed     one score, whatever the condition                          mean of the line's ends
score-uniform   a score drawn from [0, 1]                                  mean absolute error
score-driven    positive iff p(+) >= 1 - condition: the Brier curve        the Brier score
rate-fixed      one rate of positive predictions                           mean of the line's ends
rate-uniform    a rate drawn from [0, 1]                                   `rate_uniform`
rate-driven     rate of positive predictions = condition: ROC cost curve   `rate_driven_loss`
optimal         the cheapest: the lower envelope                           the refinement loss
==============  =========================================================  =======================

The operating condition, `axis`, is the "skew" z, which is PC(+), or the "cost proportion" c, the
positives' share of the two costs at the data's own class proportions. With class weights
(w-, w+) = (1/2, 1/2) for skews and the class proportions for cost proportions, the loss at a
condition x is in both cases

    Q(x) = 2 (x w+ fn + (1 - x) w- fp),

and "rate" is w+ tp + w- fp: the share of all cases, or the mean of the two classes' rates. So a
curve over cost proportions consists of straight lines too: it is a `Curve` whose axis is c and
whose lines end in 2 w- fp and 2 w+ fn.

The note's class 0 is our positive class and its scores estimate p(-): everything is mirrored here.

All functions look at the operating points of one classifier with scores, `optimal` of any; others
are a ValueError, and so is any other axis.

References
----------
.. [1] J. Hernández-Orallo, P. Flach and C. Ferri, "Technical note: towards ROC curves in cost
   space", 2011. https://doi.org/10.48550/arXiv.1107.5930
.. [2] J. Hernández-Orallo, P. Flach and C. Ferri, "Brier curves: a new cost-based visualisation of
   classifier performance", ICML 2011.
.. [3] J. Hernández-Orallo, P. Flach and C. Ferri, "A unified view of performance metrics:
   translating threshold choice into expected classification loss", Journal of Machine Learning
   Research 13, 2813-2869, 2012.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from costcurves.maths.choosing.hybrids import Hybrid, one_curve, served_by
from costcurves.maths.counts.elementwise import FloatArray, IntArray
from costcurves.maths.counts.operating_points import OperatingPoints
from costcurves.maths.geometry.curves import Curve, line
from costcurves.maths.geometry.envelopes import Envelope, lower_envelopes
from costcurves.maths.geometry.roc import auc

Axis = Literal["skew", "cost proportion"]


class ClassWeights(NamedTuple):
    """Weights of the two classes in loss and rate; they add up to 1."""

    negative: float
    positive: float


class Decomposition(NamedTuple):
    """A Brier score and its two parts: brier = refinement + calibration."""

    brier: float  # area under the Brier curve
    refinement: float  # under the optimal curve: what remains if every threshold is chosen best
    calibration: float  # what trusting the scores costs on top; 0 if they are calibrated here


def score_fixed(points: OperatingPoints, threshold: float, axis: Axis = "skew") -> Hybrid:
    """Keep one threshold, whatever the operating condition ([1]_, s4).

    Positive iff score >= threshold: any number, ``inf`` for nobody, ``-inf`` for everybody; NaN is
    refused.
    """
    _expect_scores(points)
    if np.isnan(threshold):
        raise ValueError("a fixed threshold must be a number, found nan")
    holder = np.searchsorted(-points.threshold, -threshold, side="right") - 1
    return served_by(points, [0, 1], [holder], weights=_line_ends(points, axis))


def score_uniform(points: OperatingPoints, axis: Axis = "skew") -> Curve:
    """Draw the threshold uniformly from [0, 1], whatever the operating condition ([3]_).

    One piece: its rates are the negatives' mean score and 1 - the positives' mean score. Its area
    is the mean absolute error, with each class's weight. Refuses what `score_driven` refuses.
    """
    score, negative, positive = _shares_of_scores(points)
    ends = _line_ends(points, axis)
    fp, fn = np.sum(score * negative), np.sum((1 - score) * positive)
    return line(ends[0] * float(fp), ends[1] * float(fn))


def score_driven(points: OperatingPoints, axis: Axis = "skew") -> Hybrid:
    """Trust the scores: positive iff p(+) >= 1 - operating condition. The Brier curve ([1]_, s6).

    Drummond and Holte's performance-independent criterion for probabilities; their "threshold =
    PC(+)" acts on p(-). It breaks at 1 - score, for each distinct score; the one with that score
    serves from there on. Its area is the Brier score (`brier_score`), exactly. Scores outside
    [0, 1] are refused: margins and ranks are no probabilities of the positive class.

    >>> from costcurves.maths.counts.operating_points import from_scores
    >>> score_driven(from_scores(scores=[0.75, 0.5], labels=[1, 0])).curve
    Curve(pc=[0.0, 0.25, 0.5, 1.0], at0=[0.0, 0.0, 1.0], at1=[1.0, 0.0, 0.0])
    """
    score = _probabilities(points)
    breaks = np.concatenate([[0.0], 1 - score, [1.0]])
    return served_by(points, breaks, np.arange(len(score) + 1), weights=_line_ends(points, axis))


def brier_score(points: OperatingPoints, axis: Axis = "skew") -> float:
    """Give the mean squared error of probabilities: the Brier curve's area ([1]_, Theorem 5).

    For skews it is the mean of the two classes' Brier scores. Refuses what `score_driven` refuses.
    """
    score, negative, positive = _shares_of_scores(points)
    weights = class_weights(points, axis)
    of_negatives, of_positives = np.sum(score**2 * negative), np.sum((1 - score) ** 2 * positive)
    return float(weights.negative * of_negatives + weights.positive * of_positives)


def rate_fixed(points: OperatingPoints, rate: float, axis: Axis = "skew") -> Hybrid:
    """Keep one rate of positive predictions in [0, 1], whatever the condition ([1]_, eq. 14).

    Between two operating points a draw decides, so that the rate is met exactly.

    >>> from costcurves.maths.counts.operating_points import from_scores
    >>> hybrid = rate_fixed(from_scores(scores=[0.9, 0.6, 0.6, 0.1], labels=[1, 0, 1, 0]), 0.5)
    >>> hybrid.curve, hybrid.holders.tolist(), hybrid.alternates.tolist(), hybrid.shares.tolist()
    (Curve(pc=[0.0, 1.0], at0=[0.25], at1=[0.25]), [1], [2], [0.5])
    """
    holder, share = at_rate(points, rate, axis)
    ends = _line_ends(points, axis)
    return served_by(points, [0, 1], [holder], [holder + 1], share, weights=ends)


def rate_uniform(points: OperatingPoints, axis: Axis = "skew") -> Curve:
    """Draw the rate of positive predictions uniformly from [0, 1] ([3]_).

    One piece: its FP rate is w+ (1 - AUC) + w- / 2, its FN rate w- (1 - AUC) + w+ / 2. Its area is
    2 w+ w- (1 - AUC) + 1/2 - w+ w-, exactly at any number of instances.
    """
    _expect_scores(points)
    negative, positive = class_weights(points, axis)
    wrong = 1 - float(auc(points)[0])
    fp, fn = positive * wrong + negative / 2, negative * wrong + positive / 2
    ends = _line_ends(points, axis)
    return line(ends[0] * fp, ends[1] * fn)


def rate_driven(points: OperatingPoints, axis: Axis = "skew") -> Hybrid:
    """Let the rate of positive predictions be the condition: the ROC cost curve ([1]_, s4).

    It has n + 1 pieces for n instances, one for each cut of the ranking. Within a block of ties a
    cut is as likely to take any of its instances: a draw between the operating points at the
    block's two ends. Its area is `rate_driven_loss`.

    The cut behind k instances, of rate r, stands for the condition (n r + 1/2) / (n + 1), and each
    condition is served by the cut that stands nearest. For cost proportions r = k / n: cut k serves
    from k / (n + 1) to (k + 1) / (n + 1), as the note draws it (its eq. 19 leaves gaps). For skews
    instances of the rarer class weigh more and the pieces are of two widths (besides the ends), the
    same as above if the classes are balanced.
    """
    holder, share = _cuts(points)
    rate, whole = _rate_counts(points, axis)
    rates = rate[holder] + share * np.append(np.diff(rate), 0)[holder]
    rows = len(rates) - 1
    inner = (rows * (rates[:-1] + rates[1:]) + whole) / (2.0 * whole * (rows + 1))
    breaks = np.concatenate([[0.0], inner, [1.0]])
    ends = _line_ends(points, axis)
    return served_by(points, breaks, holder, holder + 1, share, weights=ends)


def rate_driven_loss(points: OperatingPoints, axis: Axis = "skew") -> float:
    """Give the area under the ROC cost curve in closed form, exact at any number of instances.

    It is what the note leaves open (s5); for cost proportions, and for skews if the classes are
    balanced, it is (n L + 1/6) / (n + 1), ties counting 1/2, where L is the area of infinitely
    many instances ([1]_, Prop. 3): 2 w+ w- (1 - AUC) + 1/3 - w+ w-.

    At rate r the loss is 2 (x (w+ - r) + w- fp), linear in r and fp. At cut k = 1 ... n let u_k be
    the step of the rate, m_k its middle, f_k the step of fp, and b_k = (n m_k + 1/2) / (n + 1) the
    break point. Summed by parts the area is

        w- + sum b_k^2 u_k - 2 w- sum b_k f_k,

    and middles make sums integrals, but for a cubic term: sum m_k u_k = 1/2,
    sum m_k^2 u_k = 1/3 - sum u_k^3 / 12, sum m_k f_k = w+ AUC + w- / 2. For cost proportions every
    u_k is 1 / n; for skews 1 / (2 P) or 1 / (2 N), and the mean of them within a block of ties.
    """
    rate, whole = _rate_counts(points, axis)
    block, step = np.diff(points.fp_count + points.tp_count), np.diff(rate) / whole
    cubes = float(np.sum(step * (step / block) ** 2))
    n = float(block.sum())
    negative, positive = class_weights(points, axis)
    squares = (n * n * (1 / 3 - cubes / 12) + n / 2 + 1 / 4) / (n + 1) ** 2
    steps = (n * (positive * float(auc(points)[0]) + negative / 2) + 1 / 2) / (n + 1)
    return negative + squares - 2 * negative * steps


def optimal(
    points: OperatingPoints, axis: Axis = "skew", envelope: Envelope | None = None
) -> Hybrid:
    """Let the cheapest operating point serve: the optimal cost curve ([1]_, s3).

    It is the lower envelope with the trivial classifiers (`envelope`, where it is at hand already),
    its break points carried over to the axis. Chosen on the data it is judged on, it is optimistic:
    see `cross_fitting`.
    """
    weights = class_weights(points, axis)
    held = envelope or lower_envelopes(points)[0]
    breaks = cost_proportion(held.curve.pc, weights)
    return served_by(points, breaks, held.holders, weights=_line_ends(points, axis))


def decomposition(
    points: OperatingPoints, axis: Axis = "skew", envelope: Envelope | None = None
) -> Decomposition:
    """Split the Brier score into refinement and calibration loss ([2]_).

    `envelope` is as in `optimal`. Refuses what `score_driven` refuses.

    >>> from costcurves.maths.counts.operating_points import from_scores
    >>> decomposition(from_scores(scores=[0.75, 0.25], labels=[1, 0]))
    Decomposition(brier=0.0625, refinement=0.0, calibration=0.0625)
    """
    brier = brier_score(points, axis)
    refinement = optimal(points, axis, envelope).curve.area()
    return Decomposition(brier, refinement, brier - refinement)


def at_rate(points: OperatingPoints, rate: float, axis: Axis) -> tuple[int, float]:
    """Find where a classifier has a rate of positive predictions.

    The last operating point whose rate is not higher, and how far the rate is on the way to the
    next one, in [0, 1).
    """
    if not 0 <= rate <= 1:
        raise ValueError(f"a rate of positive predictions must be in [0, 1], found {rate}")
    counts, whole = _rate_counts(points, axis)
    target = rate * whole
    holder = int(np.searchsorted(counts, target, side="right")) - 1
    if holder == len(counts) - 1:
        return holder, 0.0
    return holder, float((target - counts[holder]) / (counts[holder + 1] - counts[holder]))


def class_weights(points: OperatingPoints, axis: Axis = "skew") -> ClassWeights:
    """Give the weights of the classes on an axis.

    Other axes, and points of several curves, are a ValueError.
    """
    one_curve(points)
    if axis == "skew":
        return ClassWeights(0.5, 0.5)
    if axis != "cost proportion":
        raise ValueError(f'the axis must be "skew" or "cost proportion", found {axis!r}')
    negatives, positives = points.negatives[0].item(), points.positives[0].item()
    rows = negatives + positives
    return ClassWeights(negatives / rows, positives / rows)


def cost_proportion(skew: ArrayLike, weights: ClassWeights) -> FloatArray:
    """Turn skews into cost proportions: c = z w- / (z w- + (1 - z) w+) ([1]_, below eq. 2)."""
    z = np.asarray(skew, dtype=np.float64)
    return z * weights.negative / (z * weights.negative + (1 - z) * weights.positive)


def is_ranking(points: OperatingPoints) -> bool:
    """Tell whether one curve's points come from scores: thresholds fall from inf."""
    threshold = points.threshold
    return bool((threshold[:1] == np.inf).all() and (threshold[1:] < threshold[:-1]).all())


def _line_ends(points: OperatingPoints, axis: Axis) -> tuple[float, float]:
    """Give the factors that turn (fp, fn) into the ends of a loss line: 2 w- and 2 w+."""
    negative, positive = class_weights(points, axis)
    return 2 * negative, 2 * positive


def _expect_scores(points: OperatingPoints) -> None:
    """Refuse operating points that do not come from one classifier's scores."""
    one_curve(points)
    if not is_ranking(points):
        raise ValueError(
            "this needs the scores of one classifier (thresholds that fall from inf), "
            "found decisions or a family of classifiers"
        )


def _probabilities(points: OperatingPoints) -> FloatArray:
    """Give the distinct scores, highest first; refuse scores that are no probabilities."""
    _expect_scores(points)
    score = points.threshold[1:]
    outside = score[(score < 0) | (score > 1)]
    if len(outside):
        raise ValueError(
            "scores are compared with the operating condition here and must be probabilities of "
            f"the positive class, in [0, 1]; found {outside[0]} ({len(outside)} distinct scores "
            "outside): calibrate them, or leave this criterion out"
        )
    return score


def _shares_of_scores(points: OperatingPoints) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give the distinct scores and which share of the negatives and of the positives has each."""
    score = _probabilities(points)
    negative = np.diff(points.fp_count) / points.negatives[0]
    return score, negative, np.diff(points.tp_count) / points.positives[0]


def _rate_counts(points: OperatingPoints, axis: Axis) -> tuple[IntArray, int]:
    """Give rates of positive predictions of the points, as integers of a common whole."""
    _expect_scores(points)
    class_weights(points, axis)
    negatives, positives = points.negatives[0].item(), points.positives[0].item()
    if axis == "cost proportion":
        return points.fp_count + points.tp_count, negatives + positives
    return points.fp_count * positives + points.tp_count * negatives, 2 * negatives * positives


def _cuts(points: OperatingPoints) -> tuple[IntArray, FloatArray]:
    """Give each cut of the ranking by the operating point before it and its place in the block."""
    _expect_scores(points)
    above = points.fp_count + points.tp_count
    block = np.diff(above)
    before = np.repeat(np.arange(len(block)), block)
    place = (np.arange(above[-1]) - above[before]) / block[before]
    return np.append(before, len(block)), np.append(place, 0.0)
