"""Cross-fitted curves of resamples: chosen on the other folds, judged on the held-out one.

Two things vary between data sets: the losses on held-out folds, and what the other folds choose.

- Choices are kept: what each instance adds to the curve is then known once and for all, and a
  resample is a weighted sum (`unit_costs`); the variance of choosing is missing.
- Choices are made again in each resample. That variance is then in twice: the resample's choices
  scatter around the estimate's, which are a draw of the same scatter themselves. (Choices are no
  smooth function of the counts, for which the bootstrap would be right.)

`cross_fitted_at` lies in between. Where that should be was measured, as no theory says it: kept
choices have up to three times as many false verdicts as nominal, choices made again hardly any and
so little power. At .6 of the way none of nine designs (50 + 50 to 150 + 150, 1 : 5, 1 : 10, five
levels, clusters, one test set; 450 data sets each) had more than .107 with a nominal .10; at .5 six
of them had .127 to .169. Error rates and power on designs that played no part in the choice are in
tests/simulations/results/verdicts.json and by_design.json.

One test set is split at random several times, which serve the estimate: their choices are alike. So
the resamples are shared out: each chooses again in one of the splits. It then scatters more, as the
splits do not average out, by which it is brought nearer to choices that are kept: bands are 2 to
4 % wider than if each resample chose again in all splits, so that single claims at one PC(+) keep
their level, too.
"""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costcurves.maths.chance.resampled_counts import (
    Predicted,
    Table,
    bounds_of,
    drawn_in_blocks,
    tables_of,
)
from costcurves.maths.chance.resampling import Weights
from costcurves.maths.chance.unit_costs import weighted_sums
from costcurves.maths.choosing.fold_sums import of_others, on_one_scale
from costcurves.maths.choosing.heights import heights_of
from costcurves.maths.choosing.held_out import Choice, judged_on_held_out, least
from costcurves.maths.counts.ragged import without_gaps

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

MADE_AGAIN: Final = 0.6
ALONE: Final = 0.85  # of it, where a resample chooses again in one split of many
MOST_CELLS: Final = 128  # bands are as wide as with 512, within 1 %


def cross_fitted_at(
    predicted: Predicted,
    repeats: ArrayLike,
    weights: Weights,
    grid: FloatArray,
    shared: int = 1,
    most_cells: int = MOST_CELLS,
    made_again: float = MADE_AGAIN,
) -> FloatArray:
    """Resample a cross-fitted curve, between choices that are kept and made again.

    Counts of a resample are divided by the sizes that the folds had, so that a fold may lack a
    class there; weights by those sizes times the share of the class's weight that was drawn.

    Parameters
    ----------
    predicted
        The model's predictions; its curves are folds.
    repeats
        (folds,) codes 0 to r - 1: which repeat each fold is of.
    weights, grid
        As in `resampled_curves.envelopes_at`.
    shared
        Of how many repeats each resample chooses again in one; the number of repeats is a multiple
        of it.
    most_cells
        Cells of each repeat, as in `cells.cells`; several members share them.
    made_again
        How far from choices that are kept, 0, to choices that are made again in all repeats, 1.

    Returns
    -------
    ndarray
        (resamples, pc) heights, right-continuous.

    Raises
    ------
    ValueError
        "choosing on other folds needs two or more, found 1"; as `operating_points.from_scores`.
    """
    resamples, units = weights.drawn.shape
    cost, again = np.zeros((2, units, len(grid))), np.zeros((resamples, len(grid)))
    parts = [again[first::shared] for first in range(shared)]
    own = weights.shared_out(shared)
    for number, tables in enumerate(_tables_by_repeat(predicted, repeats, weights, most_cells)):
        _add_unit_costs(cost, tables, grid)
        _add_chosen_again(parts[number % shared], tables, own[number % shared], grid)
    count = len(np.unique(repeats))
    kept = weighted_sums(cost / count, weights)
    again /= count / shared
    means = [part.mean(axis=0) for part in parts]
    for part, mean in zip(parts, means, strict=True):
        part += np.mean(means, axis=0) - mean
    made_again *= ALONE + (1 - ALONE) / shared
    found: FloatArray = kept + made_again * (again - kept)
    return found


def _add_chosen_again(
    total: FloatArray, tables: list[list[Table]], weights: Weights, grid: FloatArray
) -> None:
    """Add the (resamples, pc) heights of one repeat, chosen again in each resample."""
    negatives, positives = np.array([[table.size for table in pair] for pair in tables]).T
    in_a_row = [table for pair in tables for table in pair]
    for block, drawn in drawn_in_blocks(weights, in_a_row):
        fp, tp = np.stack(drawn[::2], axis=1), np.stack(drawn[1::2], axis=1)
        fn = tp[:, :, -1:] - tp
        sizes = _sizes(negatives, positives, weights.share[block])
        held_out = judged_on_held_out(fp, fn, *sizes)
        of_folds = heights_of(held_out, grid).reshape(-1, len(tables), len(grid))
        total[block] += of_folds.sum(axis=1) / len(tables)


def _tables_by_repeat(
    predicted: Predicted, repeats: ArrayLike, weights: Weights, most_cells: int
) -> Iterator[list[list[Table]]]:
    """Count, repeat by repeat: the negatives and the positives of each fold."""
    for rows in predicted.parted(np.asarray(repeats)[predicted.curve]):
        bounds = bounds_of(rows, weights, most_cells)
        folds = rows.parted(without_gaps(rows.curve)[1])
        yield [tables_of(fold, weights, bounds) for fold in folds]


def _sizes(
    negatives: IntArray, positives: IntArray, share: FloatArray
) -> tuple[NDArray[Any], NDArray[Any]]:
    """(folds,) sizes; (resamples, folds) where the resamples differ in what they weigh."""
    if (share == 1).all():
        return negatives, positives
    return negatives * share[:, :1], positives * share[:, 1:]


def unit_costs(
    predicted: Predicted,
    repeats: ArrayLike,
    weights: Weights,
    grid: FloatArray,
    most_cells: int = MOST_CELLS,
) -> FloatArray:
    """Give the (2, units, pc) costs that add up to a cross-fitted curve: of each class."""
    cost = np.zeros((2, weights.drawn.shape[1], len(grid)))
    for tables in _tables_by_repeat(predicted, repeats, weights, most_cells):
        _add_unit_costs(cost, tables, grid)
    cost /= len(np.unique(repeats))
    return cost


def _add_unit_costs(cost: FloatArray, tables: list[list[Table]], grid: FloatArray) -> None:
    """Add the (2, units, pc) costs of one repeat, its choices kept."""
    for choice, (negatives, positives) in zip(_choices(tables), tables, strict=True):
        at0 = _called_positive(choice, negatives, grid) / negatives.size
        cost[0, negatives.unit] += (1 - grid) * at0 / len(tables)
        at1 = _called_positive(choice, positives, grid)
        missed = positives.above[:, -1:] - at1
        cost[1, positives.unit] += grid * missed / positives.size / len(tables)


def _choices(tables: list[list[Table]]) -> list[Choice]:
    """Choose for each fold on the others, as `held_out.judged_on_held_out` does."""
    if len(tables) < 2:
        raise ValueError(f"choosing on other folds needs two or more, found {len(tables)}")
    above = [np.stack([pair[value].all() for pair in tables]) for value in (0, 1)]
    sizes = [np.array([pair[value].size for pair in tables]) for value in (0, 1)]
    fp, fp_unit = on_one_scale(above[0], sizes[0])
    fn, fn_unit = on_one_scale(sizes[1][:, np.newaxis] - above[1], sizes[1])
    fp, fn = of_others(fp), of_others(fn)
    return [least(fp[[fold]], fn[[fold]], fp_unit, fn_unit) for fold in range(len(tables))]


def _called_positive(choice: Choice, table: Table, grid: FloatArray) -> FloatArray:
    """(units, pc) instances of each unit that the choice calls positive, ties averaged."""
    above = table.above[:, choice.tied].astype(np.float64)
    ties = np.diff(choice.starts, append=len(choice.tied))
    pieces = np.add.reduceat(above, choice.starts, axis=1) / ties
    found: FloatArray = pieces[:, np.searchsorted(choice.pc, grid, side="right") - 1]
    return found
