"""Cells of the score order: few enough to resample their counts, fine where thresholds are chosen.

A resample of a million scores needs no million draws: its operating points at a few hundred
thresholds follow from how many of each class it drew between them. With 512 cells a resampled lower
envelope lies about 1 % of the width of a 90 % band higher (a test holds it), nearly the
same in every resample. With fewer distinct scores than cells nothing is lost.
"""

import numpy as np

from costcurves.counts.elementwise import FloatArray, IntArray
from costcurves.counts.operating_points import OperatingPoints
from costcurves.curves.hulls import hull

MOST_CELLS = 512


def cells(points: OperatingPoints, most: int = MOST_CELLS) -> IntArray:
    """Choose the operating points that bound the cells of one curve: (cells + 1,) rising indices.

    The first and the last are among them, and all if there are no more than that. Otherwise a third
    at most are vertices of the ROC convex hull, and between them points at equal steps of half the
    way along the ROC curve (fp + tp) and half the way along PC(+), where edges of the hull decide.
    """
    last = len(points.fp_count) - 1
    if last <= most:
        return np.arange(last + 1)
    vertices = hull(points.fp_count, points.tp_count, points.offsets)
    third = np.linspace(0, len(vertices) - 1, min(len(vertices), most // 3)).astype(np.int64)
    steps = np.linspace(0, 1, most - len(third) + 1)[1:-1]
    between = np.searchsorted(_way(points, vertices), steps)
    return np.unique(np.concatenate([[0, last], vertices[third], between]))


def _way(points: OperatingPoints, vertices: IntArray) -> FloatArray:
    """(points,) how much of both ways lies behind each point, from 0 to 1."""
    along = (points.fp + points.tp) / 2
    run, rise = np.diff(points.fp[vertices]), np.diff(points.tp[vertices])
    decides = np.concatenate([[0.0], run / (run + rise), [1.0]])
    corners = np.append(along[vertices], 1.0)
    middle = np.concatenate([[0.0], (corners[:-1] + corners[1:]) / 2])
    places = np.append(middle[: len(decides) - 1], 1.0)
    way: FloatArray = (along + np.interp(along, places, decides)) / 2
    return way
