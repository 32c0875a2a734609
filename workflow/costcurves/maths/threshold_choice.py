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

The operating condition is the skew z, which is PC(+), or the cost proportion c, the positives'
share of the two costs at the data's own class proportions. With class weights (w-, w+) = (1/2, 1/2)
for skews and the class proportions for cost proportions, the loss at a condition x is in both cases

    Q(x) = 2 (x w+ fn + (1 - x) w- fp),

and "rate" is w+ tp + w- fp. So a curve over cost proportions consists of straight lines too: it is
a `Curve` whose axis is c and whose lines end in 2 w- fp and 2 w+ fn.

The note's class 0 is our positive class and its scores estimate p(-): everything is mirrored here.

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

from typing import NamedTuple

from costcurves.maths.envelopes import Envelope, lower_envelopes
from costcurves.maths.hybrids import Hybrid, served_by
from costcurves.maths.loss_axes import Axis, class_weights, cost_proportion, line_ends
from costcurves.maths.operating_points import OperatingPoints
from costcurves.maths.rate_thresholds import (
    rate_driven,
    rate_driven_loss,
    rate_fixed,
    rate_uniform,
)
from costcurves.maths.score_thresholds import (
    brier_score,
    score_driven,
    score_fixed,
    score_uniform,
)

__all__ = [
    "Axis",
    "Decomposition",
    "brier_score",
    "decomposition",
    "optimal",
    "rate_driven",
    "rate_driven_loss",
    "rate_fixed",
    "rate_uniform",
    "score_driven",
    "score_fixed",
    "score_uniform",
]


class Decomposition(NamedTuple):
    """A Brier score and its two parts: brier = refinement + calibration.

    Attributes
    ----------
    brier
        Area under the Brier curve.
    refinement
        Area under the optimal curve: what remains if every threshold is chosen best.
    calibration
        What trusting the scores costs on top; 0 if they are calibrated on these data.
    """

    brier: float
    refinement: float
    calibration: float


def optimal(
    points: OperatingPoints, axis: Axis = "skew", envelope: Envelope | None = None
) -> Hybrid:
    """Let the cheapest operating point serve: the optimal cost curve ([1]_, s3).

    Parameters
    ----------
    points
        Operating points of one classifier, with scores or crisp.
    axis
        "skew" (PC(+)) or "cost proportion".
    envelope
        The points' lower envelope with the trivial classifiers, where it is at hand already.

    Returns
    -------
    Hybrid
        The lower envelope with the trivial classifiers, over the chosen axis: the same operating
        points serve, the break points are carried over. Chosen on the data it is judged on, it is
        optimistic: see `cross_fitting`.

    Raises
    ------
    ValueError
        As `class_weights`.

    Examples
    --------
    >>> from costcurves.maths.operating_points import from_scores
    >>> points = from_scores(scores=[0.5, 0.5, 0.5, 0.5], labels=[0, 0, 0, 1])
    >>> optimal(points, "cost proportion").curve.pc.tolist()
    [0.0, 0.75, 1.0]
    """
    weights = class_weights(points, axis)
    held = envelope or lower_envelopes(points)[0]
    breaks = cost_proportion(held.curve.pc, weights)
    return served_by(points, breaks, held.holders, weights=line_ends(points, axis))


def decomposition(
    points: OperatingPoints, axis: Axis = "skew", envelope: Envelope | None = None
) -> Decomposition:
    """Split the Brier score into refinement and calibration loss ([2]_).

    Parameters
    ----------
    points, axis
        As in `score_driven`.
    envelope
        As in `optimal`.

    Raises
    ------
    ValueError
        As `score_driven`.

    Examples
    --------
    >>> from costcurves.maths.operating_points import from_scores
    >>> decomposition(from_scores(scores=[0.75, 0.25], labels=[1, 0]))
    Decomposition(brier=0.0625, refinement=0.0, calibration=0.0625)
    """
    brier = brier_score(points, axis)
    refinement = optimal(points, axis, envelope).curve.area()
    return Decomposition(brier, refinement, brier - refinement)
