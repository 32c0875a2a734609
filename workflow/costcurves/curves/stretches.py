"""Stretches of PC(+), all of them at once: where a curve is furthest from zero on each."""

import numpy as np
from numpy.typing import ArrayLike

from costcurves.counts.elementwise import FloatArray
from costcurves.curves.curves import Curve


def furthest(curve: Curve, ends: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Find where a curve is furthest from zero on each stretch, and its height there.

    `ends` are (k + 1,), rising from 0 to 1: stretches lie between neighbours. Of several places it
    is the leftmost; at a jump it may be the limit from one side.

    >>> [found.tolist() for found in furthest(Curve([0, 1], [-0.5], [1]), [0, 0.25, 1])]
    [[0.0, 1.0], [-0.5, 1.0]]
    """
    places = np.union1d(curve.pc, ends)
    heights = np.column_stack([curve(places[:-1]), curve(places[1:], side="left")]).ravel()
    first, apart = 2 * np.searchsorted(places, ends)[:-1], np.abs(heights)
    stretch = np.searchsorted(first, np.arange(len(apart)), side="right") - 1
    equal = np.flatnonzero(apart == np.maximum.reduceat(apart, first)[stretch])
    at = equal[np.unique(stretch[equal], return_index=True)[1]]
    return np.repeat(places, 2)[1:-1][at], heights[at]
