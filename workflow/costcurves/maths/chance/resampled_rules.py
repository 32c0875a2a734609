"""Curves of threshold rules that do not look at labels, in resamples of the instances.

- Thresholds and members that are chosen in advance (`kept_at`, `nearest_train_pc_at`) stay what
  they are: what the estimate chose is kept, and a resample is a weighted sum (`unit_costs`).
- A rate of positive predictions is met by ranks within the data that are judged (`met_again_at`):
  the threshold is found again in each resample, fold by fold. With more distinct scores than cells
  the ranks within a cell count as tied.

Curves of predictions are folds, `repeats` the repeat of each fold, `grid` the evaluation grid of
PC(+), from 0 to 1; heights are (resamples, pc). What each rule is, says `selection`.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costcurves.maths.chance.resampled_counts import (
    Predicted,
    bounds_of,
    drawn_in_blocks,
    tables_of,
)
from costcurves.maths.chance.resampling import Weights
from costcurves.maths.chance.unit_costs import fixed_at, shares_of_folds
from costcurves.maths.choosing.hybrids import Hybrid
from costcurves.maths.choosing.selection import in_turn
from costcurves.maths.counts.operating_points import OperatingPoints, from_scores
from costcurves.maths.geometry.cells import MOST_CELLS

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
# Heights at the grid, of (resamples, points) false and true positives that rise from 0.
OnCounts = Callable[[IntArray, IntArray, FloatArray], FloatArray]


def kept_at(
    rule: Callable[[OperatingPoints], Hybrid],
    predicted: Predicted,
    repeats: ArrayLike,
    weights: Weights,
    grid: FloatArray,
) -> FloatArray:
    """Resample the curve of a rule for scores whose thresholds do not depend on counts.

    `rule` is the one of the estimate. It chooses among the operating points of all rows; its
    threshold never rises along PC(+), and nothing is drawn between two of them. Right-continuous,
    but at PC(+) = 1 the limit from the left.
    """
    points = from_scores(scores=predicted.score, labels=predicted.label)
    chosen = rule(points)
    serves = chosen.holders[np.searchsorted(chosen.curve.pc[1:-1], grid, side="right")]
    positive_from = np.searchsorted(-points.threshold[serves], -predicted.score.astype(np.float64))
    negative = predicted.label == 0
    first, last = np.where(negative, positive_from, 0), np.where(negative, len(grid), positive_from)
    return fixed_at(predicted, first, last, repeats, weights, grid)


def nearest_train_pc_at(
    predicted: Predicted,
    train_pc: ArrayLike,
    repeats: ArrayLike,
    weights: Weights,
    grid: FloatArray,
) -> FloatArray:
    """Resample the curve of the member that was trained for the nearest PC(+), right-continuous."""
    order, breaks = in_turn(np.asarray(train_pc, dtype=np.float64))
    bounds = np.append(np.searchsorted(grid, breaks[:-1]), len(grid))
    member = predicted.member if predicted.member is not None else 0 * predicted.curve
    serves = np.argsort(order)[member]
    is_wrong = predicted.score.astype(np.int64) != predicted.label
    first = bounds[serves]
    last = np.where(is_wrong, bounds[serves + 1], first)
    return fixed_at(predicted, first, last, repeats, weights, grid)


def met_again_at(
    rule: OnCounts,
    predicted: Predicted,
    repeats: ArrayLike,
    weights: Weights,
    grid: FloatArray,
    most_cells: int = MOST_CELLS,
) -> FloatArray:
    """Resample the curve of a rule that finds its threshold again in the counts of each fold.

    A class of which a resample drew nothing in a fold stays there as it was.
    """
    total = np.zeros((len(weights), len(grid)))
    folds = predicted.parted(predicted.curve)
    for rows, share in zip(folds, shares_of_folds(repeats), strict=True):
        tables = tables_of(rows, weights, bounds_of(rows, weights, most_cells))
        for block, drawn in drawn_in_blocks(weights, tables, refill=True):
            fp, tp = (counts.astype(np.int64) for counts in drawn)
            total[block] += share * rule(fp, tp, grid)
    return total


def rate_fixed(fp: IntArray, tp: IntArray, grid: FloatArray, rate: float) -> FloatArray:
    """Call a fixed share of all cases positive, as `selection.rate_fixed` does."""
    above = fp + tp
    return _heights(fp, tp, _met(above, rate * above[:, -1:]), grid)


def rate_driven(fp: IntArray, tp: IntArray, grid: FloatArray) -> FloatArray:
    """Let the class-balanced rate of positive predictions be PC(+), right-continuous.

    As in `threshold_choice.rate_driven`, the break between two of the cuts of n instances whose
    rates have the mean m is at (n m + 1/2) / (n + 1). So as many breaks are passed at a PC(+) of x
    as there are cuts with m <= ((n + 1) x - 1/2) / n.
    """
    negatives, positives = fp[:, -1:], tp[:, -1:]
    rate = fp * positives + tp * negatives
    count = negatives + positives
    whole = 2 * negatives * positives
    aim = ((count + 1) * grid - 0.5) * whole / count
    met = _met(rate, aim)
    size = met.step(fp + tp)
    passed = np.clip(np.floor(met.share * size + 0.5), 0, size)
    share = np.divide(passed, size, out=np.zeros_like(passed), where=size > 0)
    return _heights(fp, tp, met._replace(share=share), grid)


class Met(NamedTuple):
    """Where (resamples, points) counts meet (resamples, pc) aims; points are flat places."""

    point: IntArray  # the last at or below the aim
    following: IntArray  # the next; the last of a resample is its own
    share: FloatArray  # of the way from there to the next; negative before the first, 0 at the last

    def step(self, counts: IntArray) -> IntArray:
        """(resamples, pc) what is counted between the two points."""
        found: IntArray = counts.take(self.following) - counts.take(self.point)
        return found


def _met(rising: IntArray, aim: NDArray[np.floating]) -> Met:
    """Find where counts that rise from 0 meet the aims."""
    rows, points = rising.shape
    whole = rising[:, -1:]
    row = np.arange(rows)[:, np.newaxis]
    stride = int(whole.max()) + 1
    target = np.clip(np.floor(aim), 0, whole).astype(np.int64) + row * stride
    flat = np.searchsorted((rising + row * stride).ravel(), target.ravel(), side="right")
    point = flat.reshape(aim.shape) - 1
    met = Met(point, np.minimum(point + 1, points * (row + 1) - 1), np.zeros(aim.shape))
    step = met.step(rising)
    np.divide(aim - rising.take(point), step, out=met.share, where=step > 0)
    return met


def _heights(fp: IntArray, tp: IntArray, met: Met, grid: FloatArray) -> FloatArray:
    """(resamples, pc) heights of a draw between a point and the next."""
    at0, found = (
        (counts.take(met.point) + met.share * met.step(counts)) / counts[:, -1:]
        for counts in (fp, tp)
    )
    heights: FloatArray = at0 * (1 - grid) + (1 - found) * grid
    return heights
