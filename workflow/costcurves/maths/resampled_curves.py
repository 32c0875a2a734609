"""Curves of resamples: what an estimate would have been on other draws of the instances.

In every resample thresholds are chosen again: its lower envelopes are those of its own counts, fold
by fold as the folds were, and its curve is their mean. Counts come from a product of the weights of
the units with a table of units and cells (see `cells`), hulls of all resamples are found together,
exactly, and their heights are kept at knots.

Knots. Between two knots a curve of a resample is not looked at. A lower envelope lies there above
its chord by at most a quarter of the distance times the change of its slope between the knots: with
knots 1/128 apart and its slope falling by 2 at most on the whole way, by 1/256 at the very worst,
on average over PC(+) by less than 1/32,000. Estimates themselves stay exact, they are not made of
knots.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costcurves.maths.cells import MOST_CELLS, cells
from costcurves.maths.curves import Curve
from costcurves.maths.held_out import Pieces, judged_on_held_out
from costcurves.maths.hulls import hull
from costcurves.maths.operating_points import OperatingPoints, from_scores
from costcurves.maths.resampling import Weights, check_resamples

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

SPACING = 128
AT_ONCE = 2**17  # counts that are worked on together


@dataclass(frozen=True, eq=False)
class Predicted:
    """All predictions of one model, row by row.

    Attributes
    ----------
    instance
        (rows,) index of each row's instance in the labels that were weighted.
    label
        (rows,) 0 or 1.
    score
        (rows,) scores; or decisions, 0 or 1.
    curve
        (rows,) codes 0 to k - 1 of the curves whose mean is taken: folds, repeats, or all 0.
    member
        (rows,) codes 0 to j - 1 of the members of a family; None: there is one. Every member
        predicts the same rows.
    """

    instance: IntArray
    label: NDArray[np.integer]
    score: NDArray[np.generic]
    curve: IntArray
    member: IntArray | None = None

    def of(self, rows: NDArray[np.generic]) -> "Predicted":
        """Give some of the rows."""
        member = None if self.member is None else self.member[rows]
        return Predicted(
            self.instance[rows], self.label[rows], self.score[rows], self.curve[rows], member
        )

    def parted(self, codes: NDArray[np.integer]) -> "list[Predicted]":
        """Give the rows of each code, from 0."""
        order = np.argsort(codes, kind="stable")
        bounds = np.cumsum(np.bincount(codes))[:-1]
        return [self.of(rows) for rows in np.split(order, bounds)]


def knots(curves: Sequence[Curve], marked: ArrayLike = (), spacing: int = SPACING) -> FloatArray:
    """Choose where curves of resamples are kept.

    Parameters
    ----------
    curves
        The estimates.
    marked
        PC(+) that must be among them, such as operating conditions.
    spacing
        Regular knots are 1 / spacing apart; an even number, so that 0.5 is one.

    Returns
    -------
    ndarray
        Rising, from 0 to 1: regular knots, the marked ones, and of each curve's break points the
        `spacing` at which its slope changes most.

    Examples
    --------
    >>> from costcurves.maths.curves import trivial
    >>> knots([trivial()], marked=[0.3], spacing=4).tolist()
    [0.0, 0.25, 0.3, 0.5, 0.75, 1.0]
    """
    places = [np.linspace(0, 1, spacing + 1), np.asarray(marked, dtype=np.float64)]
    for curve in curves:
        bend = np.abs(np.diff(curve.at1 - curve.at0))
        places.append(curve.pc[1:-1][np.argsort(-bend, kind="stable")[:spacing]])
    return np.unique(np.concatenate(places))


def envelopes_at(
    predicted: Predicted, weights: Weights, places: FloatArray, most_cells: int = MOST_CELLS
) -> FloatArray:
    """Resample the mean of a model's lower envelopes, thresholds and members chosen again.

    Parameters
    ----------
    predicted
        The model's predictions: scores, or decisions of one or several members.
    weights
        Of the data set's instances.
    places
        (knots,) PC(+), rising from 0 to 1.
    most_cells
        Cells of each curve, as in `cells.cells`; several members share them.

    Returns
    -------
    ndarray
        (resamples, knots) heights. Always-negative and always-positive belong to every envelope. A
        class of which a resample drew nothing in a curve stays there as it was.

    Raises
    ------
    ValueError
        As `operating_points.from_scores`.

    Examples
    --------
    >>> from costcurves.maths.resampling import weights
    >>> three = weights([0, 1, 0, 1], resamples=3, rng=np.random.default_rng(0))
    >>> rows = np.arange(4), np.array([0, 1, 0, 1]), np.array([1, 2, 3, 4]), np.zeros(4, int)
    >>> envelopes_at(Predicted(*rows), three, np.array([0, 0.5, 1])).tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.5, 0.0]]
    """
    parts = predicted.parted(predicted.curve)
    total = np.zeros((len(weights), len(places)))
    for rows in parts:
        tables = tables_of(rows, weights, bounds_of(rows, most_cells))
        for block in _blocks(weights, tables):
            fp, tp = (table.drawn(weights.drawn[block], refill=True) for table in tables)
            total[block] += heights(fp, tp, places)
    return total / len(parts)


def one_envelope_at(
    points: OperatingPoints,
    resamples: int,
    rng: np.random.Generator,
    places: FloatArray,
    most_cells: int = MOST_CELLS,
) -> FloatArray:
    """Resample the lower envelope of one model on one test set, not paired with anything.

    The fast way where every instance has one row: the counts of the cells are drawn themselves.

    Parameters
    ----------
    points
        Operating points of one curve of scores.
    resamples
        How many are drawn.
    rng
        Random numbers.
    places, most_cells
        As `envelopes_at`.

    Returns
    -------
    ndarray
        (resamples, knots) heights. Time and memory depend on the cells, not on the instances.

    Raises
    ------
    ValueError
        As `resampling.check_resamples`.

    Examples
    --------
    >>> points = from_scores([0.9, 0.4], [1, 0])
    >>> one_envelope_at(points, 2, np.random.default_rng(0), np.array([0, 0.5, 1])).tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    check_resamples(resamples)
    bounds = cells(points, most_cells)
    found = np.empty((resamples, len(places)))
    size = max(AT_ONCE // len(bounds), 1)
    for first in range(0, resamples, size):
        count = min(size, resamples - first)
        fp, tp = (
            _cumulated(rng, np.diff(counts[bounds]), count)
            for counts in (points.fp_count, points.tp_count)
        )
        found[first : first + count] = heights(fp, tp, places)
    return found


def lines_at(predicted: Predicted, weights: Weights, places: FloatArray) -> FloatArray:
    """Resample the mean cost line of a crisp classifier, the trivial classifiers left out.

    Parameters and result as `envelopes_at`, with decisions.

    Examples
    --------
    >>> from costcurves.maths.resampling import weights
    >>> two = weights([0, 1, 0, 1], resamples=2, rng=np.random.default_rng(0))
    >>> rows = np.arange(4), np.array([0, 1, 0, 1]), np.array([1, 1, 1, 1]), np.zeros(4, int)
    >>> lines_at(Predicted(*rows), two, np.array([0, 0.5, 1])).tolist()
    [[1.0, 0.5, 0.0], [1.0, 0.5, 0.0]]
    """
    parts = predicted.parted(predicted.curve)
    ends = np.zeros((2, len(weights)))
    for rows in parts:
        for value, table in enumerate(tables_of(rows, weights, [np.array([np.inf, 1.0, 0.0])])):
            counts = table.drawn(weights.drawn, refill=True)
            positive = counts[:, 1] / counts[:, 2]
            ends[value] += positive if value == 0 else 1 - positive
    at0, at1 = ends[:, :, np.newaxis] / len(parts)
    found: FloatArray = at0 * (1 - places) + at1 * places
    return found


def cross_fitted_at(
    predicted: Predicted,
    repeats: ArrayLike,
    weights: Weights,
    places: FloatArray,
    most_cells: int = MOST_CELLS,
) -> FloatArray:
    """Resample a cross-fitted curve: chosen on the other folds, judged on the held-out one.

    Parameters
    ----------
    predicted
        The model's predictions; its curves are folds.
    repeats
        (folds,) codes 0 to r - 1: which repeat each fold is of.
    weights, places, most_cells
        As `envelopes_at`; cells are those of a repeat.

    Returns
    -------
    ndarray
        (resamples, knots) heights, right-continuous. Counts are divided by the sizes that the folds
        had, so that a fold may lack a class in a resample.

    Raises
    ------
    ValueError
        As `operating_points.from_scores` and `held_out.judged_on_held_out`.
    """
    repeat = np.asarray(repeats)
    parts = predicted.parted(repeat[predicted.curve])
    total = np.zeros((len(weights), len(places)))
    for rows in parts:
        bounds = bounds_of(rows, most_cells)
        folds = rows.parted(np.unique(rows.curve, return_inverse=True)[1])
        tables = [tables_of(fold, weights, bounds) for fold in folds]
        negatives, positives = np.array([[t.size for t in pair] for pair in tables]).T
        for block in _blocks(weights, [table for pair in tables for table in pair]):
            drawn = [[table.drawn(weights.drawn[block]) for table in pair] for pair in tables]
            fp, tp = (np.stack(counts, axis=1) for counts in zip(*drawn, strict=True))
            fn = tp.max(axis=2, keepdims=True) - tp
            held_out = judged_on_held_out(fp, fn, negatives, positives)
            total[block] += sum(heights_of(pieces, places) for pieces in held_out) / len(folds)
    return total / len(parts)


def heights(fp_count: IntArray, tp_count: IntArray, places: FloatArray) -> FloatArray:
    """Find the heights of many lower envelopes.

    Parameters
    ----------
    fp_count, tp_count
        (curves, points) operating points of each curve, in any order; (0, 0) and all instances are
        among them.
    places
        (knots,) PC(+), rising from 0 to 1.

    Returns
    -------
    ndarray
        (curves, knots).

    Examples
    --------
    >>> fp, tp = np.array([[0, 0, 1, 2]]), np.array([[0, 1, 2, 2]])
    >>> heights(fp, tp, np.array([0, 0.25, 0.5, 1])).tolist()
    [[0.0, 0.125, 0.25, 0.0]]
    """
    curves, width = fp_count.shape
    negatives, positives = fp_count.max(axis=1), tp_count.max(axis=1)
    fp, tp = _by_fp(fp_count, tp_count)
    vertex = hull(fp, tp, width * np.arange(curves + 1))
    curve = vertex // width
    at0 = fp[vertex] / negatives[curve]
    at1 = (positives[curve] - tp[vertex]) / positives[curve]
    run, fall = np.diff(at0), -np.diff(at1)
    is_first = np.append(True, np.diff(curve) != 0)
    starts = np.zeros(len(vertex))
    np.divide(run, run + fall, out=starts[1:], where=~is_first[1:])
    return heights_of(
        Pieces(starts, at0, at1, np.append(np.flatnonzero(is_first), len(vertex))), places
    )


def heights_of(pieces: Pieces, places: FloatArray) -> FloatArray:
    """Find the heights of curves that are given end to end, right-continuous.

    Parameters
    ----------
    pieces
        The curves.
    places
        (knots,) PC(+), rising from 0 to 1.

    Returns
    -------
    ndarray
        (curves, knots).
    """
    first = np.searchsorted(places, pieces.pc, side="left")
    first = np.maximum.accumulate(first + len(places) * _curve(pieces.offsets))
    knots_of_piece = np.diff(first, append=len(places) * len(pieces))
    at0, at1 = (np.repeat(at, knots_of_piece) for at in (pieces.at0, pieces.at1))
    shape = len(pieces), len(places)
    found: FloatArray = at0.reshape(shape) * (1 - places) + at1.reshape(shape) * places
    return found


@dataclass(frozen=True, eq=False)
class Table:
    """How many instances of one class each unit has in each cell, members side by side.

    `ends` are the cells behind which a member's end; there the cumulated counts start anew.
    """

    unit: IntArray
    counts: NDArray[np.float32]
    ends: IntArray

    @property
    def size(self) -> int:
        """Instances of the class."""
        return round(float(self.counts[:, : self.ends[0]].sum(dtype=np.float64)))

    @property
    def points(self) -> int:
        """Operating points of all members."""
        return int(self.ends[-1]) + len(self.ends)

    def above(self) -> IntArray:
        """(units, points) instances of each unit at or above each threshold."""
        return self._cumulated(np.rint(self.counts).astype(np.int64))

    def drawn(self, drawn: NDArray[np.float32], refill: bool = False) -> IntArray:
        """(resamples, points) drawn at or above each threshold; all if `refill` and none was."""
        in_cell = np.rint(drawn[:, self.unit] @ self.counts).astype(np.int64)
        if refill:
            none = in_cell[:, : self.ends[0]].sum(axis=1) == 0
            in_cell[none] = self.counts.sum(axis=0)
        return self._cumulated(in_cell)

    def _cumulated(self, in_cell: IntArray) -> IntArray:
        """(rows, points) sums of the cells so far, anew for each member."""
        members = np.split(in_cell, self.ends[:-1], axis=1)
        return np.concatenate(
            [np.pad(np.cumsum(one, axis=1), ((0, 0), (1, 0))) for one in members], axis=1
        )


def _cumulated(rng: np.random.Generator, in_cell: IntArray, resamples: int) -> IntArray:
    """(resamples, points) instances above each threshold, one fewer drawn than there are."""
    total = int(in_cell.sum())
    drawn = rng.multinomial(max(total - 1, 1), in_cell / total, resamples)
    return np.pad(np.cumsum(drawn, axis=1), ((0, 0), (1, 0)))


def bounds_of(rows: Predicted, most_cells: int) -> list[FloatArray]:
    """Thresholds that bound the cells of each member, falling from inf."""
    members = [rows] if rows.member is None else rows.parted(rows.member)
    most = max(most_cells // len(members), 2)
    points = [from_scores(member.score, member.label) for member in members]
    return [one.threshold[cells(one, most)] for one in points]


def tables_of(rows: Predicted, weights: Weights, bounds: list[FloatArray]) -> list[Table]:
    """Count the negatives and the positives, by unit and cell."""
    ends = np.cumsum([len(bound) - 1 for bound in bounds])
    members = [rows] if rows.member is None else rows.parted(rows.member)
    cell = [
        end - len(bound) + np.searchsorted(-bound, -member.score.astype(np.float64))
        for end, bound, member in zip(ends, bounds, members, strict=True)
    ]
    label = np.concatenate([member.label for member in members])
    unit = weights.unit[np.concatenate([member.instance for member in members])]
    return [_table(unit[of], np.concatenate(cell)[of], ends) for of in (label == 0, label == 1)]


def _table(unit: IntArray, cell: IntArray, ends: IntArray) -> Table:
    unique, row = np.unique(unit, return_inverse=True)
    shape = len(unique), int(ends[-1])
    counts = np.bincount(row * shape[1] + cell, minlength=shape[0] * shape[1]).reshape(shape)
    return Table(unique, counts.astype(np.float32), ends)


def _blocks(weights: Weights, tables: Sequence[Table]) -> Iterator[slice]:
    """Cut the resamples into blocks of `AT_ONCE` counts of each table."""
    size = max(AT_ONCE // max(table.points for table in tables), 1)
    return (slice(first, first + size) for first in range(0, len(weights), size))


def _by_fp(fp: IntArray, tp: IntArray) -> tuple[IntArray, IntArray]:
    """Lay the points of all curves end to end, in each curve by `fp`."""
    if not (np.diff(fp, axis=1) >= 0).all():
        order = np.argsort(fp, axis=1, kind="stable")
        fp, tp = np.take_along_axis(fp, order, 1), np.take_along_axis(tp, order, 1)
    return fp.ravel(), tp.ravel()


def _curve(offsets: IntArray) -> IntArray:
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
