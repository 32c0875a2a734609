"""Isotonic regression of rates on scores, by convex hulls.

A block of the pool-adjacent-violators algorithm is an edge of the ROC convex hull, and its rate
follows from the edge's slope: T. Fawcett and A. Niculescu-Mizil, "PAV and the ROC convex hull",
Machine Learning 68, 97-106, 2007, https://doi.org/10.1007/s10994-007-5011-0.
"""

import numpy as np

from costcurves.counts.elementwise import Array, FloatArray
from costcurves.curves.hulls import hulls


def isotonic(cases: Array, positives: Array) -> FloatArray:
    """Return the (curves, scores) rates that rise with the score and fit positives best.

    `cases` are (scores,) at each of the rising scores, above 0, `positives` (curves, scores) those
    that are positive.

    >>> isotonic(np.array([1, 1, 2, 1]), np.array([[0, 1, 1, 1]])).round(3).tolist()
    [[0.0, 0.667, 0.667, 1.0]]
    """
    curves, scores = positives.shape
    # Of the classes exchanged, and from the lowest score on, so that the rates come in order.
    across, up = np.zeros((2, curves, scores + 1))
    np.cumsum(positives, axis=1, out=across[:, 1:])
    np.cumsum(cases - positives, axis=1, out=up[:, 1:])
    vertex = hulls(across, up)
    more = np.diff(across.ravel()[vertex])
    rates = more / (more + np.diff(up.ravel()[vertex]))  # between two curves of no meaning
    rate_of_step = np.append(np.repeat(rates, np.diff(vertex)), 0.0)
    fitted: FloatArray = rate_of_step.reshape(curves, scores + 1)[:, :-1]
    return fitted
