"""Heights of many cost curves at given PC(+), all curves at once."""

import numpy as np
from numpy.typing import NDArray

from costcurves.maths.choosing.held_out import Pieces
from costcurves.maths.counts.elementwise import FloatArray
from costcurves.maths.counts.ragged import curve_of_rows
from costcurves.maths.geometry.hulls import hulls

Counts = NDArray[np.integer]


def heights(fp_count: Counts, tp_count: Counts, grid: FloatArray) -> FloatArray:
    """Find the (curves, pc) heights of many lower envelopes on an evaluation grid from 0 to 1.

    The (curves, points) are in any order; (0, 0) and all instances are among each curve's.
    """
    negatives, positives = fp_count.max(axis=1), tp_count.max(axis=1)
    fp, tp = fp_count, tp_count
    if (fp[:, 1:] < fp[:, :-1]).any():
        order = np.argsort(fp, axis=1, kind="stable")
        fp, tp = np.take_along_axis(fp, order, 1), np.take_along_axis(tp, order, 1)
    vertex = hulls(fp, tp)
    curve = vertex // fp.shape[1]
    at0 = fp.ravel()[vertex] / negatives[curve]
    at1 = (positives[curve] - tp.ravel()[vertex]) / positives[curve]
    run, fall = np.diff(at0), -np.diff(at1)
    is_first = np.append(True, np.diff(curve) != 0)
    starts = np.zeros(len(vertex))
    np.divide(run, run + fall, out=starts[1:], where=~is_first[1:])
    offsets = np.append(np.flatnonzero(is_first), len(vertex))
    return heights_of(Pieces(starts, at0, at1, offsets), grid)


def heights_of(pieces: Pieces, grid: FloatArray) -> FloatArray:
    """Find the (curves, pc) heights of curves that are given end to end, right-continuous."""
    first = np.searchsorted(grid, pieces.pc, side="left")
    first = np.maximum.accumulate(first + len(grid) * curve_of_rows(pieces.offsets))
    grid_points = np.diff(first, append=len(grid) * len(pieces))
    at0, at1 = (np.repeat(at, grid_points) for at in (pieces.at0, pieces.at1))
    shape = len(pieces), len(grid)
    found: FloatArray = at0.reshape(shape) * (1 - grid) + at1.reshape(shape) * grid
    return found
