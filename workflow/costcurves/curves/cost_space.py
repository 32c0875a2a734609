"""Cost space: PC(+), normalized expected cost, and the point/line duality with ROC space.

The x axis is PC(+), written `pc`: the positives' share of the largest possible cost. The y axis is
the normalized expected cost, `nec`: the cost as a fraction of what it would be if every decision
were wrong. A classifier is a point (fp, tp) in ROC space; in cost space it is the straight line
through (0, at0) = (0, fp) and (1, at1) = (1, fn). A line in ROC space is a point in cost space.

`C(-|+)` is the cost of a false negative (`cost_fn`), `C(+|-)` that of a false positive (`cost_fp`),
and `prior` is p(+) where the classifier is deployed, not that of the test set.

All functions take numbers or arrays (which broadcast); numbers give floats, arrays give arrays.
What is refused is a ValueError with the first such value: rates, priors, PC(+) of classifiers and
heights of their lines outside [0, 1], other arguments that are not finite (but a cost ratio may be
infinite), results beyond the floating-point numbers, and what each function names.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from costcurves.counts.elementwise import (
    Pair,
    Values,
    finite,
    pair,
    plain,
    quotient,
    rate,
    refuse,
)


def pc(prior: ArrayLike, cost_fn: ArrayLike = 1.0, cost_fp: ArrayLike = 1.0) -> Values:
    """Place an operating condition on the x axis: PC(+) ([DH06]_, s3.2).

    It is ``p(+) C(-|+) / (p(+) C(-|+) + p(-) C(+|-))``, costs being in one unit. Negative costs are
    refused, and two weights of zero; where one is zero, PC(+) is 0 or 1.

    >>> pc(0.2), pc(0.2, cost_fn=4), pc(0.2, cost_fp=0)
    (0.2, 0.5, 1.0)
    """
    positive = rate("the prior p(+)", prior)
    fn, fp = finite("the cost C(-|+)", cost_fn), finite("the cost C(+|-)", cost_fp)
    refuse(fn < 0, fn, "the cost C(-|+) must not be negative")
    refuse(fp < 0, fp, "the cost C(+|-) must not be negative")
    fn, fp = np.where(positive == 0, 0, fn), np.where(positive == 1, 0, fp)
    largest = np.maximum(fn, fp)  # the unit in which no weight overflows
    if np.any(largest == 0):
        raise ValueError("PC(+) is undefined: both p(+) C(-|+) and p(-) C(+|-) are zero")
    weight_fn, weight_fp = positive * (fn / largest), (1 - positive) * (fp / largest)
    return plain(weight_fn / (weight_fn + weight_fp))


def pc_from_ratio(ratio: ArrayLike, prior: ArrayLike) -> Values:
    """Place a cost ratio ``C(-|+) / C(+|-)``, in [0, inf], on the x axis, at a given prior.

    Refused where PC(+) is undefined: ratio 0 at prior 1, infinite ratio at prior 0.
    """
    ratios = np.asarray(ratio, dtype=np.float64)
    refuse(~(ratios >= 0), ratios, "the cost ratio C(-|+)/C(+|-) must be at least 0")
    infinite = np.isinf(ratios)
    return pc(prior, np.where(infinite, 1, ratios), np.where(infinite, 0, 1))


def ratio_from_pc(pc: ArrayLike, prior: ArrayLike) -> Values:
    """Read a PC(+) as the cost ratio ``C(-|+) / C(+|-)`` at a prior; infinite at PC(+) = 1.

    Refused at priors of 0 and 1, where every cost ratio has the same PC(+).

    >>> ratio_from_pc([0, 0.5, 1], prior=0.2)
    array([ 0.,  4., inf])
    """
    x, positive = rate("PC(+)", pc), rate("the prior p(+)", prior)
    refuse(
        (positive == 0) | (positive == 1),
        positive,
        "a cost ratio needs a prior p(+) strictly between 0 and 1",
    )
    with np.errstate(divide="ignore", over="ignore"):
        return plain(x / (1 - x) * ((1 - positive) / positive))


def costs_from_matrix(matrix: ArrayLike) -> Pair:
    """Reduce cost matrices to what a mistake costs beyond a correct decision ([DH06]_, app. A).

    Matrices are (..., 2, 2); rows are the actual class, columns the predicted one, positive first:
    ``[[C(+|+), C(-|+)], [C(+|-), C(-|-)]]``. Benefits are negative costs. What comes out, cost_fn =
    ``C(-|+) - C(+|+)`` and cost_fp = ``C(+|-) - C(-|-)``, must be above 0.

    >>> pc(0.5, *costs_from_matrix([[-10, 90], [20, 0]]))
    0.8333333333333334
    """
    costs = finite("the costs", matrix)
    if costs.shape[-2:] != (2, 2):
        raise ValueError(f"a cost matrix must have shape (..., 2, 2), found {costs.shape}")
    cost_fn = costs[..., 0, 1] - costs[..., 0, 0]
    cost_fp = costs[..., 1, 0] - costs[..., 1, 1]
    refuse(cost_fn <= 0, cost_fn, "a false negative must cost more than a true positive")
    refuse(cost_fp <= 0, cost_fp, "a false positive must cost more than a true negative")
    return pair(cost_fn, cost_fp)


def nec(pc: ArrayLike, fp: ArrayLike, fn: ArrayLike) -> Values:
    """Compute the normalized expected cost fn PC(+) + fp (1 - PC(+)) ([DH06]_, eq. 6).

    Times ``p(+) C(-|+) + p(-) C(+|-)`` it is the cost of an instance ([DH00]_, eq. 7).

    >>> nec([0, 0.5, 1], fp=0.25, fn=0.5)
    array([0.25 , 0.375, 0.5  ])
    """
    x = rate("PC(+)", pc)
    return plain(rate("fn", fn) * x + rate("fp", fp) * (1 - x))


def point_to_line(fp: ArrayLike, tp: ArrayLike) -> Pair:
    """Turn the ROC point of a classifier into its cost line ([DH06]_, eq. 2).

    Its heights at PC(+) = 0 and 1 are fp and 1 - tp; as y = a PC(+) + b it has slope
    a = at1 - at0 and intercept b = at0 ([DH00]_, eqs 8 and 10).
    """
    return pair(rate("fp", fp), 1 - rate("tp", tp))


def line_to_point(at0: ArrayLike, at1: ArrayLike) -> Pair:
    """Turn a cost line into the ROC point (at0, 1 - at1) of its classifier ([DH06]_, s3)."""
    return pair(rate("at0", at0), 1 - rate("at1", at1))


def roc_line_to_cost_point(slope: ArrayLike, intercept: ArrayLike) -> Pair:
    """Turn the ROC line tp = slope fp + intercept into a cost point ([DH06]_, eq. 3).

    It is pc = 1 / (1 + slope), nec = (1 - intercept) / (1 + slope): a virtual point, with PC(+)
    outside [0, 1], of a falling line. A slope of -1 is refused. The vertical line at fp has the
    point (0, fp) ([DH00]_, eq. 9).
    """
    rise, start = finite("the slope", slope), finite("the intercept", intercept)
    refuse(rise == -1, rise, "a ROC line of slope -1 has no image in cost space")
    return pair(1 / (1 + rise), quotient(1 - start, 1 + rise))


def cost_point_to_roc_line(pc: ArrayLike, nec: ArrayLike) -> Pair:
    """Turn a cost point into its ROC line: all classifiers that cost `nec` at `pc` ([DH06]_, s3).

    Its slope is 1 / pc - 1, its intercept 1 - nec / pc; PC(+) outside [0, 1] gives the falling
    lines. PC(+) = 0 is refused: there the line is vertical, at fp = nec.

    >>> cost_point_to_roc_line(0.5, 0.25), cost_point_to_roc_line(1, 0.25)
    ((1.0, 0.5), (0.0, 0.75))
    """
    x, y = finite("PC(+)", pc), finite("the cost", nec)
    refuse(x == 0, x, "a cost point at PC(+) = 0 has a vertical ROC line, at fp = nec")
    return pair(quotient(1 - x, x), quotient(x - y, x))
