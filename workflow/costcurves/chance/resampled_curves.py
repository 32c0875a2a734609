"""Curves of resamples: what an estimate would have been on other draws of the instances.

Counts come from a product of the weights of the units with a table of units and cells
(`resampled_counts`). On them a threshold rule chooses as on those of the data.

- `chosen_again_at`: the rule chooses again in each resample, in each fold by itself.
- `kept_at`: it looks at no counts, so its choices stay what they are.
- `cross_fitted_at`: chosen on the other folds, judged on the held-out one. Two things vary between
  data sets: the losses on held-out folds, and what the other folds choose. If choices are kept, the
  variance of choosing is missing. If they are made again in each resample, it is in twice: the
  resample's choices scatter around the estimate's, which are a draw of the same scatter themselves.
  (Choices are no smooth function of the counts, for which the bootstrap would be right.) The curve
  lies in between. Where that should be was measured, as no theory says it: kept choices have up to
  three times as many false verdicts as nominal, choices made again hardly any and so little power.
  At .6 of the way none of nine designs (50 + 50 to 150 + 150, 1 : 5, 1 : 10, five levels, clusters,
  one test set; 450 data sets each) had more than .107 with a nominal .10; at .5 six of them had
  .127 to .169. Error rates and power on designs that played no part in the choice are in
  tests/simulations/results/verdicts.json and by_design.json.

One test set is split at random several times, which serve the estimate: their choices are alike. So
the resamples are shared out: each chooses again in one of the splits. It then scatters more, as the
splits do not average out, by which it is brought nearer to choices that are kept: bands are 2 to
4 % wider than if each resample chose again in all splits, so that single claims at one PC(+) keep
their level, too.

Between two points of the grid a curve of a resample is not looked at. A lower envelope lies there
above its chord by at most a quarter of the distance times the change of its slope between them:
with points 1/128 apart and its slope falling by 2 at most on the whole way, by 1/256 at the very
worst, on average over PC(+) by less than 1/32,000. Estimates themselves stay exact, without a grid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from costcurves.chance.resampled_counts import Folds, Predicted, Table, bounds_of, tables_of
from costcurves.chance.resampling import Weights
from costcurves.choosing.choice import (
    GRAIN,
    Choice,
    Chosen,
    Counts,
    judged,
    least,
    seen_on_others,
    seen_there,
)
from costcurves.counts.elementwise import FloatArray, IntArray
from costcurves.counts.ragged import without_gaps
from costcurves.curves import cells
from costcurves.curves.curves import Curve
from costcurves.threads import product

__all__ = [
    "Predicted",
    "chosen_again_at",
    "cross_fitted_at",
    "envelopes_at",
    "evaluation_grid",
    "kept_at",
    "lines_at",
]

Choose = Callable[[Counts], Chosen]
Heights = Callable[[Counts, FloatArray], FloatArray]

SPACING: Final = 128
MADE_AGAIN: Final = 0.6
ALONE: Final = 0.85  # of it, where a resample chooses again in one split of many
MOST_CELLS: Final = 128  # of cross-fitting: bands are as wide as with 512, within 1 %


def evaluation_grid(
    curves: Sequence[Curve], marked: ArrayLike = (), spacing: int = SPACING
) -> FloatArray:
    """Choose the evaluation grid: the PC(+) at which curves of resamples are kept.

    Rising, from 0 to 1: regular points 1 / `spacing` apart (an even number, so that 0.5 is one),
    the `marked` ones, such as operating conditions, and of the break points of the curves, the
    estimates, the `spacing` at which a slope changes most.

    >>> from costcurves.curves.curves import trivial
    >>> evaluation_grid([trivial()], marked=[0.3], spacing=4).tolist()
    [0.0, 0.25, 0.3, 0.5, 0.75, 1.0]
    """
    regular = np.linspace(0, 1, spacing + 1)
    none = np.zeros(0)
    inner = np.concatenate([none, *(curve.pc[1:-1] for curve in curves)])
    bend = np.concatenate([none, *(np.diff(curve.at1 - curve.at0) for curve in curves)])
    largest = inner[np.argsort(-np.abs(bend), kind="stable")[:spacing]]
    return np.unique(np.concatenate([regular, np.asarray(marked, dtype=np.float64), largest]))


def chosen_again_at(
    rules: Sequence[Heights],
    predicted: Predicted,
    repeats: ArrayLike,
    weights: Weights,
    grid: FloatArray,
    most_cells: int = cells.MOST_CELLS,
) -> FloatArray:
    """Resample the curves of rules that choose again in the counts of each fold.

    A class of which a resample drew nothing in a fold stays there as it was.

    Parameters
    ----------
    rules
        What the choices of each cost: (curves, pc) of counts and an evaluation grid.
    predicted
        The model's predictions, scores or decisions of one or several members; its curves are
        folds.
    repeats
        (folds,) codes 0 to r - 1: which repeat each fold is of.
    weights
        Of the data set's instances.
    grid
        (pc,) evaluation grid, rising from 0 to 1.
    most_cells
        Cells of each fold, as in `cells.cells`; several members share them.

    Returns
    -------
    ndarray
        (rules, resamples, pc) heights, right-continuous.
    """
    total = np.zeros((len(rules), len(weights), len(grid)))
    folds = predicted.parted(predicted.curve)
    for rows, share in zip(folds, shares_of_folds(repeats), strict=True):
        tables = tables_of(rows, weights, bounds_of(rows, weights, most_cells))
        for block, counts in Folds([tables]).drawn(weights, refill=True):
            for heights, of_rule in zip(rules, total, strict=True):
                of_rule[block] += share * heights(counts, grid)
    return total


def envelopes_at(
    predicted: Predicted,
    weights: Weights,
    grid: FloatArray,
    most_cells: int = cells.MOST_CELLS,
) -> FloatArray:
    """Resample the mean of a model's lower envelopes, thresholds and members chosen again.

    Parameters as of `chosen_again_at`, but the curves are any. Returns (resamples, pc) heights.

    Examples
    --------
    >>> from costcurves.chance.resampling import weights
    >>> three = weights([0, 1, 0, 1], resamples=3, rng=np.random.default_rng(0))
    >>> rows = np.arange(4), np.array([0, 1, 0, 1]), np.array([1, 2, 3, 4]), np.zeros(4, int)
    >>> envelopes_at(Predicted(*rows), three, np.array([0, 0.5, 1])).tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.5, 0.0]]
    """
    once = np.zeros(int(predicted.curve.max()) + 1, dtype=np.int64)

    def cheapest(counts: Counts, grid: FloatArray) -> FloatArray:
        return judged(least(seen_there(counts)), counts).heights(grid)

    heights: FloatArray = chosen_again_at([cheapest], predicted, once, weights, grid, most_cells)[0]
    return heights


def kept_at(
    choose: Choose,
    predicted: Predicted,
    repeats: ArrayLike,
    weights: Weights,
    grid: FloatArray,
    train_pc: FloatArray | None = None,
) -> FloatArray:
    """Resample the curve of a rule that looks at no counts, only at thresholds or members.

    Parameters and (resamples, pc) heights as of `chosen_again_at`; `train_pc` is what each member
    was trained for. Counts are divided by the sizes that the folds had, so that a fold may lack a
    class in a resample.
    """
    if train_pc is None:
        scores = np.unique(predicted.score.astype(np.float64))[::-1]
        every = np.append(np.inf, scores)
        choice = _kept(choose(_uncounted(every)))
        serving = every[choice.candidate[_pieces(choice, grid)]]
        bounds = [np.unique(np.append(serving, [np.inf, scores[-1]]))[::-1]]
    else:
        bounds = [np.array([1.0, 0.0])] * len(train_pc)
        train_pc = np.column_stack([train_pc, np.full(len(train_pc), np.nan)]).ravel()
    threshold = np.concatenate(bounds)
    choice = _kept(choose(_uncounted(threshold, train_pc)))
    kept = Kept(weights, grid)
    folds = predicted.parted(predicted.curve)
    for rows, share in zip(folds, shares_of_folds(repeats), strict=True):
        kept.add(choice, tables_of(rows, weights, bounds), share)
    return kept.heights()


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

    Parameters and (resamples, pc) heights as of `chosen_again_at`. Counts of a resample are divided
    by the sizes that the folds had, so that a fold may lack a class there; weights by those sizes
    times the share of the class's weight that was drawn.

    Parameters
    ----------
    predicted, repeats, weights, grid, most_cells
        As of `chosen_again_at`; cells are those of each repeat.
    shared
        Of how many repeats each resample chooses again in one; the number of repeats is a multiple
        of it.
    made_again
        How far from choices that are kept, 0, to choices that are made again in all repeats, 1.
    """
    kept, again = Kept(weights, grid), np.zeros((len(weights), len(grid)))
    parts = [again[first::shared] for first in range(shared)]
    draws = weights.shared_out(shared)
    count = int(np.max(repeats)) + 1
    for number, folds in enumerate(_folds_of_repeats(predicted, repeats, weights, most_cells)):
        _add_kept(kept, folds, 1 / (count * len(folds.tables)))
        part = parts[number % shared]
        for block, counts in folds.drawn(draws[number % shared]):
            pieces = judged(least(seen_on_others(counts)), counts)
            part[block] += pieces.means(grid, len(folds.tables))
    again /= count / shared
    means = [part.mean(axis=0) for part in parts]
    for part, mean in zip(parts, means, strict=True):
        part += np.mean(means, axis=0) - mean
    as_chosen = kept.heights()
    made_again *= ALONE + (1 - ALONE) / shared
    between: FloatArray = as_chosen + made_again * (again - as_chosen)
    return between


def lines_at(
    predicted: Predicted, repeats: ArrayLike, weights: Weights, grid: FloatArray
) -> FloatArray:
    """Resample the mean cost line of a crisp classifier, the no-model baselines left out.

    Parameters and (resamples, pc) heights as of `chosen_again_at`, with decisions.
    """
    folds = predicted.parted(predicted.curve)
    ends = np.zeros((2, len(weights)))
    times = len(folds) * shares_of_folds(repeats)  # 1: all repeats have as many folds
    for rows, many in zip(folds, times, strict=True):
        for value, table in enumerate(tables_of(rows, weights, [np.array([np.inf, 1.0, 0.0])])):
            counts = table.drawn(weights.drawn, refill=True)
            positive = counts[:, 1] / counts[:, 2]
            ends[value] += many * (positive if value == 0 else 1 - positive)
    at0, at1 = ends[:, :, np.newaxis] / len(folds)
    heights: FloatArray = at0 * (1 - grid) + at1 * grid
    return heights


class Kept:
    """The mean curve of choices that are kept, in each resample.

    A class counts as much as it does in the data, though one unit fewer is drawn than there are;
    rates are shares of what the drawn instances weigh. Steps from piece to piece are added up in
    whole numbers of a grain, as in `choice.Pieces.means`.
    """

    def __init__(self, weights: Weights, grid: FloatArray) -> None:
        """Begin with no fold; the last row of steps is beyond the grid."""
        self.weights, self.grid = weights, grid
        self.risen = np.zeros((2, len(grid) + 1, len(weights)))

    def add(self, choice: Choice, tables: Sequence[Table], share: float) -> None:
        """Add one fold, of which this is the share of the curve; of ties the mean decides."""
        places = np.searchsorted(self.grid, choice.pc).tolist()
        for value, table in enumerate(tables):
            above = table.above[:, np.append(choice.candidate, -1)]
            drawn = product(above.T, self.weights.drawn.T[table.unit]).astype(np.float64)
            called, size = drawn[:-1], drawn[-1]
            if choice.starts is not None:
                ties = np.diff(choice.starts, append=len(called))
                called = np.add.reduceat(called, choice.starts) / ties[:, np.newaxis]
            mistakes = size - called if value else called
            grains = np.rint(mistakes * (share / table.size / GRAIN))
            steps = np.diff(grains, axis=0, prepend=0.0)
            for place, step in zip(places, steps, strict=True):
                self.risen[value, place] += step

    def heights(self) -> FloatArray:
        """Return (resamples, pc) heights, right-continuous."""
        rates = np.cumsum(self.risen[:, :-1], axis=1).transpose(0, 2, 1) * GRAIN
        at0, at1 = rates * (self.weights.scale / self.weights.share).T[:, :, np.newaxis]
        heights: FloatArray = at0 * (1 - self.grid) + at1 * self.grid
        return np.ascontiguousarray(heights)


def shares_of_folds(repeats: ArrayLike) -> FloatArray:
    """Return the weight of each fold: each repeat counts the same, and each of its folds."""
    repeat = np.asarray(repeats)
    folds = np.bincount(repeat)
    share: FloatArray = 1 / (len(folds) * folds[repeat])
    return share


def _folds_of_repeats(
    predicted: Predicted, repeats: ArrayLike, weights: Weights, most_cells: int
) -> Iterator[Folds]:
    """Count, repeat by repeat, at thresholds that its folds have in common."""
    for rows in predicted.parted(np.asarray(repeats)[predicted.curve]):
        bounds = bounds_of(rows, weights, most_cells)
        folds = rows.parted(without_gaps(rows.curve)[1])
        yield Folds([tables_of(fold, weights, bounds) for fold in folds])


def _add_kept(kept: Kept, folds: Folds, share: float) -> None:
    """Add the curves of one repeat, chosen in the data, of which each has this share."""
    counts = folds.counts()
    every = least(seen_on_others(counts))
    ends = np.append(np.asarray(every.starts), len(every.candidate))
    for fold, tables in enumerate(folds.tables):
        first, last = every.offsets[fold : fold + 2]
        starts = ends[first : last + 1]
        candidate = every.candidate[starts[0] : starts[-1]] - fold * counts.fp.shape[2]
        offsets = np.array([0, last - first])
        choice = Choice(every.pc[first:last], offsets, candidate, starts[:-1] - starts[0])
        kept.add(choice, tables, share)


def _pieces(choice: Choice, grid: FloatArray) -> IntArray:
    """Return the piece of a curve that serves each place of the grid."""
    return np.searchsorted(choice.pc, grid, side="right") - 1


def _kept(chosen: Chosen) -> Choice:
    """Return what can be kept: a choice in which nothing is drawn."""
    if not isinstance(chosen, Choice):
        raise TypeError("a rule that draws between candidates must choose again in each resample")
    return chosen


def _uncounted(threshold: FloatArray, train_pc: FloatArray | None = None) -> Counts:
    """Return candidates of a rule that looks at no counts."""
    nothing, unit = np.zeros((1, 1, len(threshold))), np.ones(1)
    trained = np.full(len(threshold), np.nan) if train_pc is None else train_pc
    return Counts(nothing, nothing, unit, unit, threshold, trained)
