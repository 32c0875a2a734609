"""Predictions of a model as counts: how many instances each unit of resampling has in each cell.

A resample draws units; how many instances it drew above each threshold is then a product of two
matrices, whatever the number of instances.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costcurves.chance.resampling import Weights
from costcurves.choosing.choice import Counts
from costcurves.counts.elementwise import FloatArray, IntArray
from costcurves.counts.operating_points import from_scores
from costcurves.counts.ragged import offsets_of, order_by, without_gaps
from costcurves.curves.cells import cells
from costcurves.threads import product

AT_ONCE = 2**18  # counts that are worked on together: they fit into the processor's cache
PRODUCT = 16  # blocks whose counts are one matrix product: a table is read once for all of them
EXACT = 2**23  # instances whose draws floats of 32 bits can count


@dataclass(frozen=True, eq=False)
class Predicted:
    """All predictions of one model, row by row; every member of a family predicts the same rows.

    Attributes
    ----------
    instance, label
        (rows,) index of each row's instance in the labels that were drawn, and that label, 0 or 1.
    score
        (rows,) scores; or decisions, 0 or 1.
    curve
        (rows,) codes 0 to k - 1 of the curves whose mean is taken: folds, repeats, or all 0.
    member
        (rows,) codes 0 to j - 1 of the members of a family; None: there is one.
    """

    instance: IntArray
    label: NDArray[np.integer]
    score: NDArray[np.generic]
    curve: IntArray
    member: IntArray | None = None

    def of(self, rows: NDArray[np.generic]) -> "Predicted":
        """Return some of the rows."""
        member = None if self.member is None else self.member[rows]
        return Predicted(
            self.instance[rows], self.label[rows], self.score[rows], self.curve[rows], member
        )

    def parted(self, codes: NDArray[np.integer]) -> "list[Predicted]":
        """Return the rows of each code, from 0."""
        sizes = np.bincount(codes)
        if len(sizes) == 1:
            return [self]
        return [
            self.of(rows) for rows in np.split(order_by(codes, len(sizes)), sizes.cumsum()[:-1])
        ]


@dataclass(frozen=True, eq=False)
class Table:
    """How many instances of one class each unit has above each threshold, or how much they weigh.

    Whole numbers, kept as floats so that a matrix product counts with them: of 32 bits where it is
    exact in those.
    """

    unit: IntArray  # (units,) those that have instances here
    above: NDArray[np.floating]  # (units, points) at or above each threshold, members side by side

    @property
    def size(self) -> int:
        """Instances of the class, or their weight."""
        return round(float(self.above[:, -1].sum(dtype=np.float64)))

    def all(self) -> IntArray:
        """(points,) instances at or above each threshold, or their weight."""
        counts: IntArray = self.above.sum(axis=0, dtype=np.float64).astype(np.int64)
        return counts

    def drawn(self, drawn: NDArray[np.float32], refill: bool = False) -> NDArray[np.integer]:
        """(resamples, points) drawn at or above each threshold; all if `refill` and none was.

        Products of whole numbers, so they are exact in whatever order a machine takes them.
        """
        counts = product(drawn.T[self.unit].T, self.above)
        if refill:
            counts[counts[:, -1] == 0] = self.above.sum(axis=0)
        return counts.astype(np.int32 if counts.dtype == np.float32 else np.int64)


def bounds_of(rows: Predicted, weights: Weights, most_cells: int) -> list[FloatArray]:
    """Thresholds that bound the cells of each member, falling from inf."""
    members = [rows] if rows.member is None else rows.parted(rows.member)
    most = max(most_cells // len(members), 2)
    points = [
        from_scores(scores=member.score, labels=member.label, weights=weights.of(member.instance))
        for member in members
    ]
    return [member.threshold[cells(member, most)] for member in points]


def tables_of(rows: Predicted, weights: Weights, bounds: list[FloatArray]) -> list[Table]:
    """Add up the negatives and the positives, by unit and threshold."""
    offsets = offsets_of(np.array([len(bound) for bound in bounds]))
    members = [rows] if rows.member is None else rows.parted(rows.member)
    point = [
        first + np.searchsorted(-bound, -member.score.astype(np.float64))
        for first, bound, member in zip(offsets, bounds, members, strict=False)
    ]
    label = np.concatenate([member.label for member in members])
    instance = np.concatenate([member.instance for member in members])
    unit, weight, points = weights.unit[instance], weights.of(instance), np.concatenate(point)
    return [
        _table(unit[of], points[of], None if weight is None else weight[of], offsets)
        for of in (label == 0, label == 1)
    ]


def _table(unit: IntArray, point: IntArray, weight: IntArray | None, offsets: IntArray) -> Table:
    unique, row = without_gaps(unit)
    shape = len(unique), int(offsets[-1])
    above = np.bincount(row * shape[1] + point, weight, shape[0] * shape[1]).reshape(shape)
    for member in (slice(*ends) for ends in pairwise(offsets.tolist())):
        np.cumsum(above[:, member], axis=1, out=above[:, member])
    exact = np.float32 if weight is None and len(unit) < EXACT else np.float64
    return Table(unique, above.astype(exact))


@dataclass(frozen=True, eq=False)
class Folds:
    """Folds that have their thresholds in common: of each the negatives and the positives."""

    tables: Sequence[list[Table]]

    def counts(self) -> Counts:
        """Return the counts of the data: each instance once."""
        fp, tp = (np.stack([pair[value].all() for pair in self.tables]) for value in (0, 1))
        return self._counts(fp[np.newaxis], tp[np.newaxis], *self._sizes)

    def drawn(self, weights: Weights, refill: bool = False) -> Iterator[tuple[slice, Counts]]:
        """Return blocks of resamples, of about `AT_ONCE` counts, with the counts there.

        Sizes are those of the folds in the data, times the share of a class's weight that was
        drawn. If `refill`, they are those that were drawn, and a class of which none was stays as
        it was.
        """
        tables = [table for pair in self.tables for table in pair]
        size = max(AT_ONCE // sum(table.above.shape[1] for table in tables), 1)
        for first in range(0, len(weights), PRODUCT * size):
            drawn = weights.drawn[first : first + PRODUCT * size]
            counts = [table.drawn(drawn, refill) for table in tables]
            for start in range(0, len(drawn), size):
                part = [of_table[start : start + size] for of_table in counts]
                fp, tp = _side_by_side(part[::2]), _side_by_side(part[1::2])
                block = slice(first + start, first + start + len(fp))
                negatives, positives = self._sizes
                share = weights.share[block]
                if refill:
                    negatives, positives = fp[:, :, -1], tp[:, :, -1]
                elif (share != 1).any():
                    negatives, positives = negatives * share[:, :1], positives * share[:, 1:]
                yield block, self._counts(fp, tp, negatives, positives)

    @cached_property
    def _sizes(self) -> tuple[NDArray[Any], NDArray[Any]]:
        negatives, positives = np.array([[table.size for table in pair] for pair in self.tables]).T
        return negatives, positives

    def _counts(self, fp: Any, tp: Any, negatives: Any, positives: Any) -> Counts:
        unknown = np.full(fp.shape[2], np.nan)
        return Counts(fp, tp[:, :, -1:] - tp, negatives, positives, unknown, unknown)


def _side_by_side(folds: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return (resamples, folds, cells) counts; a copy only where there are several folds."""
    return folds[0][:, np.newaxis] if len(folds) == 1 else np.stack(folds, axis=1)
