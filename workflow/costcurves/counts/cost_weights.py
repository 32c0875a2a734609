"""Costs of instances as weights: what a mistake counts within its class.

Only shares of a class's total matter ([F06b]_, s4): scaling all costs of one class changes
nothing. So costs become weights whose sums are exact, in whatever order they are taken: of folds,
of repeats, of resamples, on any machine. Equal costs become ones, as without costs.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from costcurves.counts.elementwise import FloatArray, IntArray
from costcurves.counts.rows import binary, expect_length

EXACT_TOTAL = 2**31  # products of two such totals fit 64 bits
BITS = 52  # of a sum of doubles; one is left for rounding up
WHOLE_TOTAL = 2**26  # 32 times a class may be drawn before products of sums leave 64 bits


def cost_weights(costs: ArrayLike, labels: ArrayLike, copies: int = 1) -> FloatArray:
    """Turn costs into weights with exact sums, class by class.

    `copies` is how often each instance may occur in one sum (repeats of cross-validation). Where a
    class's costs are all equal or zero, weights are ones and zeros; where they are whole numbers,
    those over their common divisor, as long as their sum stays below 2^31; otherwise the costs over
    the class's largest, rounded to a grain of at most 2^-51 of the class's total. Refused are costs
    that are negative, not finite, or all 0 in a class.
    """
    cost, label = np.asarray(costs, dtype=np.float64), binary("label", labels)
    expect_length("costs", cost, len(label))
    for i in np.flatnonzero(~((cost >= 0) & np.isfinite(cost)))[:1]:
        raise ValueError(f"cost at index {i} is {cost[i]}, expected a finite number, at least 0")
    weight = np.empty_like(cost)
    for value, name in enumerate(("negatives", "positives")):
        of = label == value
        if not cost[of].any():
            count = np.count_nonzero(of)
            expected = "expected a cost above 0 in each class"
            raise ValueError(f"the costs of all {count} {name} are 0, {expected}")
        weight[of] = whole_class(cost[of], copies)
    return weight


def effective_size(weights: ArrayLike) -> float:
    """Return how many equal weights would say as much: (sum of w)^2 / (sum of w^2).

    >>> effective_size([1, 1, 1]), effective_size([1000, 1, 1]) < 1.005
    (3.0, True)
    """
    weight = np.asarray(weights, dtype=np.float64)
    share = weight / weight.max()
    return float(share.sum() ** 2 / (share**2).sum())


def whole_weights(weights: ArrayLike, labels: ArrayLike) -> IntArray:
    """Round weights to whole numbers, so that sums of what resamples draw are exact on any machine.

    They stay where they are whole and a class's sum is at most 2^26; otherwise they are the class's
    shares of 2^26: a share of 1 % is then off by less than a millionth of itself.

    >>> whole_weights([1, 3, 0.5, 0.25], [0, 0, 1, 1]).tolist()
    [1, 3, 44739243, 22369621]
    """
    weight, label = np.asarray(weights, dtype=np.float64), np.asarray(labels)
    whole = np.empty(len(weight), dtype=np.int64)
    for value in (0, 1):
        part = weight[label == value]
        is_whole = part.sum() <= WHOLE_TOTAL and (part == np.rint(part)).all()
        whole[label == value] = np.rint(part if is_whole else part * (WHOLE_TOTAL / part.sum()))
    return whole


def whole_class(cost: FloatArray, copies: int) -> FloatArray:
    """Return the weights of one class, or of cases of both, some of whose costs are above 0."""
    share = cost / cost.max()
    for numbers in (share, cost):
        if numbers.max() < EXACT_TOTAL and (numbers == np.rint(numbers)).all():
            whole: FloatArray = numbers / np.gcd.reduce(numbers.astype(np.int64))
            if whole.sum() * copies < EXACT_TOTAL:
                return whole
    grain = math.ldexp(1.0, math.frexp(share.sum() * copies)[1] - BITS)
    weight: FloatArray = np.rint(share / grain) * grain
    return weight
