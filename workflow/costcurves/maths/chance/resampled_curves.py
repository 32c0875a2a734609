"""Curves of resamples: what an estimate would have been on other draws of the instances.

In every resample thresholds are chosen again: its lower envelopes are those of its own counts, fold
by fold as the folds were, and its curve is their mean. Counts come from a product of the weights of
the units with a table of units and cells (`resampled_counts`), hulls of all resamples are found
together, exactly, and their heights are kept on an `evaluation_grid`. Cross-fitted curves have a
module of their own, `resampled_choices`.

Between two points of the grid a curve of a resample is not looked at. A lower envelope lies there
above its chord by at most a quarter of the distance times the change of its slope between them:
with points 1/128 apart and its slope falling by 2 at most on the whole way, by 1/256 at the very
worst, on average over PC(+) by less than 1/32,000. Estimates themselves stay exact, without a grid.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costcurves.maths.chance.resampled_choices import cross_fitted_at
from costcurves.maths.chance.resampled_counts import (
    Predicted,
    bounds_of,
    drawn_in_blocks,
    tables_of,
)
from costcurves.maths.chance.resampling import Weights
from costcurves.maths.choosing.heights import heights
from costcurves.maths.geometry.cells import MOST_CELLS
from costcurves.maths.geometry.curves import Curve

__all__ = ["Predicted", "cross_fitted_at", "envelopes_at", "evaluation_grid", "lines_at"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

SPACING = 128


def evaluation_grid(
    curves: Sequence[Curve], marked: ArrayLike = (), spacing: int = SPACING
) -> FloatArray:
    """Choose the evaluation grid: the PC(+) at which curves of resamples are kept.

    Rising, from 0 to 1: regular points 1 / `spacing` apart (an even number, so that 0.5 is one),
    the `marked` ones, such as operating conditions, and of the break points of the curves, the
    estimates, the `spacing` at which a slope changes most.

    >>> from costcurves.maths.geometry.curves import trivial
    >>> evaluation_grid([trivial()], marked=[0.3], spacing=4).tolist()
    [0.0, 0.25, 0.3, 0.5, 0.75, 1.0]
    """
    regular = np.linspace(0, 1, spacing + 1)
    none = np.zeros(0)
    inner = np.concatenate([none, *(curve.pc[1:-1] for curve in curves)])
    bend = np.concatenate([none, *(np.diff(curve.at1 - curve.at0) for curve in curves)])
    largest = inner[np.argsort(-np.abs(bend), kind="stable")[:spacing]]
    return np.unique(np.concatenate([regular, np.asarray(marked, dtype=np.float64), largest]))


def envelopes_at(
    predicted: Predicted, weights: Weights, grid: FloatArray, most_cells: int = MOST_CELLS
) -> FloatArray:
    """Resample the mean of a model's lower envelopes, thresholds and members chosen again.

    Always-negative and always-positive belong to every envelope. A class of which a resample drew
    nothing in a curve stays there as it was. Errors are those of `operating_points.from_scores`.

    Parameters
    ----------
    predicted
        The model's predictions: scores, or decisions of one or several members.
    weights
        Of the data set's instances.
    grid
        (pc,) evaluation grid, rising from 0 to 1.
    most_cells
        Cells of each curve, as in `cells.cells`; several members share them.

    Returns
    -------
    ndarray
        (resamples, pc) heights.

    Examples
    --------
    >>> from costcurves.maths.chance.resampling import weights
    >>> three = weights([0, 1, 0, 1], resamples=3, rng=np.random.default_rng(0))
    >>> rows = np.arange(4), np.array([0, 1, 0, 1]), np.array([1, 2, 3, 4]), np.zeros(4, int)
    >>> envelopes_at(Predicted(*rows), three, np.array([0, 0.5, 1])).tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.5, 0.0]]
    """
    parts = predicted.parted(predicted.curve)
    total = np.zeros((len(weights), len(grid)))
    for rows in parts:
        tables = tables_of(rows, weights, bounds_of(rows, weights, most_cells))
        for block, (fp, tp) in drawn_in_blocks(weights, tables, refill=True):
            total[block] += heights(fp, tp, grid)
    return total / len(parts)


def lines_at(predicted: Predicted, weights: Weights, grid: FloatArray) -> FloatArray:
    """Resample the mean cost line of a crisp classifier, the trivial classifiers left out.

    Parameters and (resamples, pc) heights as of `envelopes_at`, with decisions.
    """
    parts = predicted.parted(predicted.curve)
    ends = np.zeros((2, len(weights)))
    for rows in parts:
        for value, table in enumerate(tables_of(rows, weights, [np.array([np.inf, 1.0, 0.0])])):
            counts = table.drawn(weights.drawn, refill=True)
            positive = counts[:, 1] / counts[:, 2]
            ends[value] += positive if value == 0 else 1 - positive
    at0, at1 = ends[:, :, np.newaxis] / len(parts)
    found: FloatArray = at0 * (1 - grid) + at1 * grid
    return found
