"""Curves of selection criteria that do not look at labels, in resamples of the instances.

- Thresholds and members that are fixed in advance (`score_driven_at`, `score_fixed_at`,
  `nearest_train_pc_at`) stay what they are: a resample is a weighted sum (`unit_costs`).
- A rate of positive predictions is met by ranks within the data that are judged (`rate_fixed_at`,
  `rate_driven_at`): the threshold is found again in each resample, fold by fold. With more distinct
  scores than cells the ranks within a cell count as tied.

Curves of predictions are folds, `repeats` the repeat of each fold, `grid` the evaluation grid of
PC(+), from 0 to 1; heights are (resamples, pc). What each criterion is, says `selection`.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costcurves.maths.cells import MOST_CELLS
from costcurves.maths.resampled_counts import Predicted, bounds_of, drawn_in_blocks, tables_of
from costcurves.maths.resampling import Weights
from costcurves.maths.unit_costs import fixed_at, shares_of_folds

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


def score_driven_at(
    predicted: Predicted, repeats: ArrayLike, weights: Weights, grid: FloatArray
) -> FloatArray:
    """Resample the curve of positive iff score >= 1 - PC(+), for scores in [0, 1].

    Right-continuous, but at PC(+) = 1 the limit from the left.
    """
    positive_at = 1 - predicted.score.astype(np.float64)
    serves_from = np.where(positive_at < 1, np.searchsorted(grid, positive_at), len(grid))
    return _thresholds_at(predicted, serves_from, repeats, weights, grid)


def score_fixed_at(
    predicted: Predicted,
    threshold: float,
    repeats: ArrayLike,
    weights: Weights,
    grid: FloatArray,
) -> FloatArray:
    """Resample the curve of positive iff score >= threshold, for any scores."""
    called = predicted.score.astype(np.float64) >= threshold
    serves_from = np.where(called, 0, len(grid))
    return _thresholds_at(predicted, serves_from, repeats, weights, grid)


def nearest_train_pc_at(
    predicted: Predicted,
    train_pc: ArrayLike,
    repeats: ArrayLike,
    weights: Weights,
    grid: FloatArray,
) -> FloatArray:
    """Resample the curve of the member that was trained for the nearest PC(+), right-continuous."""
    trained = np.asarray(train_pc, dtype=np.float64)
    order = np.argsort(trained)
    middles = (trained[order][1:] + trained[order][:-1]) / 2
    bounds = np.concatenate([[0], np.searchsorted(grid, middles), [len(grid)]])
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    serves = rank[predicted.member if predicted.member is not None else 0 * predicted.curve]
    is_wrong = predicted.score.astype(np.int64) != predicted.label
    first = bounds[serves]
    last = np.where(is_wrong, bounds[serves + 1], first)
    return fixed_at(predicted, first, last, repeats, weights, grid)


def rate_fixed_at(
    predicted: Predicted,
    rate: float,
    repeats: ArrayLike,
    weights: Weights,
    grid: FloatArray,
    most_cells: int = MOST_CELLS,
) -> FloatArray:
    """Resample the curve of a fixed share of each fold's cases predicted positive.

    A class of which a resample drew nothing in a fold stays there as it was.
    """

    def rule(fp: IntArray, tp: IntArray) -> tuple[FloatArray, FloatArray]:
        above = fp + tp
        return _mixed(fp, tp, _met(above, rate * above[:, -1:]))

    return _over_folds(rule, predicted, repeats, weights, grid, most_cells)


def rate_driven_at(
    predicted: Predicted,
    repeats: ArrayLike,
    weights: Weights,
    grid: FloatArray,
    most_cells: int = MOST_CELLS,
) -> FloatArray:
    """Resample the curve whose class-balanced rate of positive predictions is PC(+).

    Right-continuous. As in `threshold_choice.rate_driven`, the break between two of the cuts of n
    instances whose rates have the mean m is at (n m + 1/2) / (n + 1). So as many breaks are passed
    at a PC(+) of x as there are cuts with m <= ((n + 1) x - 1/2) / n.
    """

    def rule(fp: IntArray, tp: IntArray) -> tuple[FloatArray, FloatArray]:
        negatives, positives = fp[:, -1:], tp[:, -1:]
        rate = fp * positives + tp * negatives
        count = negatives + positives
        whole = 2 * negatives * positives
        aim = ((count + 1) * grid - 0.5) * whole / count
        met = _met(rate, aim)
        size = met.step(fp + tp)
        passed = np.clip(np.floor(met.share * size + 0.5), 0, size)
        share = np.divide(passed, size, out=np.zeros_like(passed), where=size > 0)
        return _mixed(fp, tp, met._replace(share=share))

    return _over_folds(rule, predicted, repeats, weights, grid, most_cells)


Rule = Callable[[IntArray, IntArray], tuple[FloatArray, FloatArray]]


def _thresholds_at(
    predicted: Predicted,
    serves_from: IntArray,
    repeats: ArrayLike,
    weights: Weights,
    grid: FloatArray,
) -> FloatArray:
    """Resample the curve of rows that are called positive from a point of the grid on."""
    negative = predicted.label == 0
    first, last = np.where(negative, serves_from, 0), np.where(negative, len(grid), serves_from)
    return fixed_at(predicted, first, last, repeats, weights, grid)


def _over_folds(
    rule: Rule,
    predicted: Predicted,
    repeats: ArrayLike,
    weights: Weights,
    grid: FloatArray,
    most_cells: int,
) -> FloatArray:
    """Add up the heights of the lines that a rule finds in the resamples of each fold."""
    total = np.zeros((len(weights), len(grid)))
    folds = predicted.parted(predicted.curve)
    for rows, share in zip(folds, shares_of_folds(repeats), strict=True):
        tables = tables_of(rows, weights, bounds_of(rows, weights, most_cells))
        for block, drawn in drawn_in_blocks(weights, tables, refill=True):
            at0, at1 = rule(*(counts.astype(np.int64) for counts in drawn))
            total[block] += share * (at0 * (1 - grid) + at1 * grid)
    return total


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


def _mixed(fp: IntArray, tp: IntArray, met: Met) -> tuple[FloatArray, FloatArray]:
    """(resamples, pc) FP and FN rates of a draw between a point and the next."""
    called = (
        (counts.take(met.point) + met.share * met.step(counts)) / counts[:, -1:]
        for counts in (fp, tp)
    )
    return next(called), 1 - next(called)
