"""Predictions of a model as counts: how many instances each unit of resampling has in each cell.

A resample draws units; how many instances it drew above each threshold is then a product of two
matrices, whatever the number of instances.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from costcurves.maths.cells import cells
from costcurves.maths.operating_points import from_scores
from costcurves.maths.resampling import Weights

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

AT_ONCE = 2**17  # counts that are worked on together


@dataclass(frozen=True, eq=False)
class Predicted:
    """All predictions of one model, row by row.

    Attributes
    ----------
    instance
        (rows,) index of each row's instance in the labels that were drawn.
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


@dataclass(frozen=True, eq=False)
class Table:
    """How many instances of one class each unit has in each cell, or how much they weigh.

    Members stand side by side.

    `ends` are the cells behind which a member's end; there the cumulated counts start anew.
    """

    unit: IntArray
    counts: NDArray[np.floating]
    ends: IntArray

    @property
    def size(self) -> int:
        """Instances of the class, or their weight."""
        return round(float(self.counts[:, : self.ends[0]].sum(dtype=np.float64)))

    @property
    def points(self) -> int:
        """Operating points of all members."""
        return int(self.ends[-1]) + len(self.ends)

    def above(self) -> IntArray:
        """(units, points) instances of each unit at or above each threshold."""
        return self._cumulated(np.rint(self.counts).astype(np.int64))

    def drawn(self, drawn: NDArray[np.float32], refill: bool = False) -> IntArray:
        """(resamples, points) drawn at or above each threshold; all if `refill` and none was.

        Products of whole numbers, so they are exact in whatever order a machine takes them.
        """
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


def bounds_of(rows: Predicted, weights: Weights, most_cells: int) -> list[FloatArray]:
    """Thresholds that bound the cells of each member, falling from inf."""
    members = [rows] if rows.member is None else rows.parted(rows.member)
    most = max(most_cells // len(members), 2)
    points = [
        from_scores(member.score, member.label, weights=weights.of(member.instance))
        for member in members
    ]
    return [one.threshold[cells(one, most)] for one in points]


def tables_of(rows: Predicted, weights: Weights, bounds: list[FloatArray]) -> list[Table]:
    """Add up the negatives and the positives, by unit and cell."""
    ends = np.cumsum([len(bound) - 1 for bound in bounds])
    members = [rows] if rows.member is None else rows.parted(rows.member)
    cell = [
        end - len(bound) + np.searchsorted(-bound, -member.score.astype(np.float64))
        for end, bound, member in zip(ends, bounds, members, strict=True)
    ]
    label = np.concatenate([member.label for member in members])
    instance = np.concatenate([member.instance for member in members])
    unit, weight, cells_of = weights.unit[instance], weights.of(instance), np.concatenate(cell)
    return [
        _table(unit[of], cells_of[of], None if weight is None else weight[of], ends)
        for of in (label == 0, label == 1)
    ]


def _table(unit: IntArray, cell: IntArray, weight: IntArray | None, ends: IntArray) -> Table:
    unique, row = np.unique(unit, return_inverse=True)
    shape = len(unique), int(ends[-1])
    counts = np.bincount(row * shape[1] + cell, weight, shape[0] * shape[1]).reshape(shape)
    exact = np.float32 if weight is None else np.float64  # larger whole numbers need more room
    return Table(unique, counts.astype(exact), ends)


def blocks(weights: Weights, tables: Sequence[Table]) -> Iterator[slice]:
    """Cut the resamples into blocks of `AT_ONCE` counts of each table."""
    size = max(AT_ONCE // max(table.points for table in tables), 1)
    return (slice(first, first + size) for first in range(0, len(weights), size))
