"""The two axes of losses: skews, which are PC(+), and cost proportions.

The cost proportion c is the positives' share of the two costs, C(-|+) / (C(-|+) + C(+|-)), at the
data's own class proportions; the skew z weighs in the class proportions too. On both axes the loss
at a condition x is Q(x) = 2 (x w+ fn + (1 - x) w- fp), see `threshold_choice`.

References
----------
.. [1] J. Hernández-Orallo, P. Flach and C. Ferri, "Technical note: towards ROC curves in cost
   space", 2011, s2.2. https://doi.org/10.48550/arXiv.1107.5930
"""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costcurves.maths.hybrids import one_curve
from costcurves.maths.operating_points import OperatingPoints

FloatArray = NDArray[np.float64]
Axis = Literal["skew", "cost proportion"]


class ClassWeights(NamedTuple):
    """Weights of the two classes in loss and rate; they add up to 1."""

    negative: float
    positive: float


def class_weights(points: OperatingPoints, axis: Axis = "skew") -> ClassWeights:
    """Give the weights of the classes on an axis; refuse other axes, and points of several curves.

    >>> from costcurves.maths.operating_points import from_scores
    >>> points = from_scores(scores=[0.1, 0.2, 0.7, 0.8], labels=[0, 0, 0, 1])
    >>> class_weights(points, "cost proportion")
    ClassWeights(negative=0.75, positive=0.25)
    """
    one_curve(points)
    if axis == "skew":
        return ClassWeights(0.5, 0.5)
    if axis != "cost proportion":
        raise ValueError(f'the axis must be "skew" or "cost proportion", found {axis!r}')
    negatives, positives = points.negatives[0].item(), points.positives[0].item()
    rows = negatives + positives
    return ClassWeights(negatives / rows, positives / rows)


def line_ends(points: OperatingPoints, axis: Axis = "skew") -> tuple[float, float]:
    """Give the factors that turn (fp, fn) into the ends of a loss line: 2 w- and 2 w+.

    >>> from costcurves.maths.operating_points import from_scores
    >>> line_ends(from_scores(scores=[0.1, 0.2, 0.7, 0.8], labels=[0, 0, 0, 1]), "cost proportion")
    (1.5, 0.5)
    """
    negative, positive = class_weights(points, axis)
    return 2 * negative, 2 * positive


def skew(cost_proportion: ArrayLike, weights: ClassWeights) -> FloatArray:
    """Turn cost proportions into skews: z = c w+ / (c w+ + (1 - c) w-) ([1]_, eq. 2).

    >>> skew([0, 0.75, 1], ClassWeights(0.75, 0.25)).tolist()
    [0.0, 0.5, 1.0]
    """
    c = np.asarray(cost_proportion, dtype=np.float64)
    return c * weights.positive / (c * weights.positive + (1 - c) * weights.negative)


def cost_proportion(skew: ArrayLike, weights: ClassWeights) -> FloatArray:
    """Turn skews into cost proportions: c = z w- / (z w- + (1 - z) w+) ([1]_, below eq. 2).

    >>> cost_proportion([0, 0.5, 1], ClassWeights(0.75, 0.25)).tolist()
    [0.0, 0.75, 1.0]
    """
    z = np.asarray(skew, dtype=np.float64)
    return z * weights.negative / (z * weights.negative + (1 - z) * weights.positive)
