"""Decisions among several classes by a matrix of costs.

`cost[i, j]` is the cost of deciding for class j where class i is true, in any unit. Probabilities
are trusted: the decision is the one of least expected cost. Of equal ones the later class counts,
as a score at a threshold is positive, so that for two classes it is the score-driven rule.

Recalibrated probabilities are those of Zadrozny and Elkan [1]_: of each class the rate at which it
is true at such a probability, by isotonic regression on other folds, scaled to add up to 1.

References
----------
.. [1] B. Zadrozny and C. Elkan, "Transforming classifier scores into accurate multiclass
   probability estimates", KDD 2002, 694-699. https://doi.org/10.1145/775047.775151
"""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


NEARLY = 0.01 + 1e-9  # from 1: the sum of probabilities that were rounded to two digits
SAME_COST = 1e-12  # by which expected costs that are equal may differ by rounding, relatively


def decisions(probabilities: FloatArray, cost: FloatArray) -> IntArray:
    """Decide for the class of least expected cost; of equal ones for the later.

    >>> decisions(np.array([[0.75, 0.25], [0.9, 0.1]]), np.array([[0.0, 1.0], [3.0, 0.0]])).tolist()
    [1, 0]
    """
    return _last_least(_expected(probabilities, cost), SAME_COST * np.abs(cost).max())


def recalibrated(
    probabilities: FloatArray, truth: IntArray, weight: FloatArray, fold: IntArray
) -> FloatArray:
    """(n, k) the rates that probabilities stood for on all other folds, scaled to add up to 1.

    Between the probabilities of others it is interpolated. Where no class is left, a case keeps its
    own. `probabilities` are (n, k); `truth` (classes), `weight` and `fold` (n,).
    """
    from scipy.optimize import isotonic_regression  # 0.6 s: imported where it is needed

    found = np.empty_like(probabilities)
    for held in (fold == one for one in np.unique(fold)):
        for place, each in enumerate(probabilities.T):
            distinct, at = np.unique(each[~held], return_inverse=True)
            counts, own = weight[~held], truth[~held] == place
            cases, events = (np.bincount(at, by) for by in (counts, counts * own))
            rates = isotonic_regression(events / cases, weights=cases).x
            found[held, place] = np.interp(each[held], distinct, rates)
    total = found.sum(axis=1, keepdims=True)
    scaled: FloatArray = np.divide(found, total, out=probabilities.copy(), where=total > 0)
    return scaled


def _expected(probabilities: FloatArray, cost: FloatArray) -> FloatArray:
    """(n, k) what each decision is expected to cost."""
    found: FloatArray = np.zeros_like(probabilities)  # no matrix product: BLAS is by processor
    for of, each in zip(probabilities.T, cost, strict=True):
        found += of[:, None] * each
    return found


def _last_least(expected: FloatArray, same: float = 0.0) -> IntArray:
    """(n,) places of the least in each row, the last of those that are at most `same` above."""
    equal = expected <= expected.min(axis=1, keepdims=True) + same
    found: IntArray = expected.shape[1] - 1 - np.argmax(equal[:, ::-1], axis=1)
    return found
