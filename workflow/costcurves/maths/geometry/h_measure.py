"""The H-measure: the share of a trivial classifier's expected loss that a ranking saves.

Hand weighs the least expected loss over the cost proportion c, what a false positive costs in what
one and a false negative cost together, and scales it by that of the trivial classifiers ([1]_):
H = 1 - integral of L(c) u(c) dc / integral of T(c) u(c) dc. With shares pi0 and pi1 of negatives
and positives, L(c) = c pi0 fp + (1 - c) pi1 fn at the best threshold for c, and T(c) is the lesser
of c pi0 and (1 - c) pi1. At PC(+) = (1 - c) pi1 / (c pi0 + (1 - c) pi1), L(c) is the height of the
lower envelope times c pi0 + (1 - c) pi1. A line of a cost curve is a line in c too, from pi1 fn at
c = 0 to pi0 fp at c = 1: envelopes are carried over piece by piece, and weighted areas are exact.

The weight is Beta(1 + pi1, 1 + pi0), which Hand and Anagnostopoulos put in the place of Hand's
Beta(2, 2) ([2]_). Its mode is c = pi1, where both trivial classifiers cost the same (PC(+) = 1/2):
a mistake on the rarer class is taken to be the costlier. The mode of Beta(2, 2) is where mistakes
cost the same: with few positives it weighs most where to call everything negative is all but best.
(For the R package hmeasure this is `severity.ratio = -1`; its default is Beta(2, 1 + pi0 / pi1), of
the same mode.)

References
----------
.. [1] D. J. Hand, "Measuring classifier performance: a coherent alternative to the area under the
   ROC curve", Machine Learning 77, 103-123, 2009. https://doi.org/10.1007/s10994-009-5119-5
.. [2] D. J. Hand and C. Anagnostopoulos, "A better Beta for the H measure of classification
   performance", Pattern Recognition Letters 40, 41-46, 2014. https://arxiv.org/abs/1202.2564
"""

import numpy as np

from costcurves.maths.geometry.curves import Curve, trivial
from costcurves.maths.geometry.priors import Beta

DECIMALS = 12  # the last digits of the incomplete beta function depend on the processor


def h_measure(curve: Curve, positives: float) -> float:
    """Give the H-measure of a lower envelope, from 0 (trivial) to 1 (no mistakes), in 12 decimals.

    Of a mean of envelopes it is the mean of their H-measures, as it is linear in the curve.

    Parameters
    ----------
    curve
        Lower envelope of a ranking's cost lines and the trivial ones, or a mean of such.
    positives
        The share of positives pi1, which a weight and the losses rest on.

    Raises
    ------
    ValueError
        If the share is not between 0 and 1.

    Examples
    --------
    >>> from costcurves.maths.geometry.envelopes import lower_envelopes
    >>> from costcurves.maths.counts.operating_points import from_scores
    >>> points = from_scores(scores=[0.9, 0.8, 0.7, 0.6, 0.5, 0.4], labels=[1, 1, 0, 1, 0, 0])
    >>> round(h_measure(lower_envelopes(points)[0].curve, 0.5), 4)
    0.6667
    """
    if not 0 < positives < 1:
        raise ValueError(f"the share of positives must be between 0 and 1, found {positives!r}")
    weight = Beta(1 + positives, 1 + (1 - positives))
    least, without = (
        weight.expected_cost(_over_cost_proportion(one, positives)) for one in (curve, trivial())
    )
    return min(max(round(1 - least / without, DECIMALS), 0.0), 1.0)  # beyond by rounding


def _over_cost_proportion(curve: Curve, positives: float) -> Curve:
    """Give a cost curve's expected loss over c in place of its cost over PC(+)."""
    negatives = 1 - positives
    of_positives = positives * (1 - curve.pc)
    c = (of_positives / (of_positives + negatives * curve.pc))[::-1]
    wide = np.diff(c) > 0
    at0, at1 = (positives * curve.at1)[::-1], (negatives * curve.at0)[::-1]
    return Curve(np.append(c[:-1][wide], 1.0), at0[wide], at1[wide])
