"""Operating points: what a classifier does at each of its thresholds, as counts and as rates.

Label 1 is positive; a higher score means more positive; "predict positive" means ``score >= t``.
Counts of many curves (folds, repeats, models) stand end to end; rates are derived from them, never
the other way round, so that everything made of points can be exact.

Where mistakes on some instances cost more than on others, an instance counts as much as its weight
(see `cost_weights`): "counts" are then sums of weights, and rates are shares of a class's total
cost ([F06b]_, algorithm 2). Weights of one are the special case.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from costcurves.counts.counting import count, weigh
from costcurves.counts.elementwise import Array, FloatArray, IntArray
from costcurves.counts.ordered_integers import order_of
from costcurves.counts.ragged import curve_of_rows, offsets_of, order_by
from costcurves.counts.rows import (
    binary,
    curve_codes,
    doubles,
    expect_both_classes,
    expect_length,
    expect_weights,
    expect_weighty,
)


@dataclass(frozen=True, eq=False)
class OperatingPoints:
    """Operating points of many curves, end to end.

    Curve `i` has the points ``offsets[i]:offsets[i + 1]``, in an order in which `fp_count` never
    falls. Length, index and loop are over curves: ``points[i]`` holds curve `i` alone. Lengths that
    disagree, and offsets that do not rise from 0 to the number of points, are a ValueError.

    Attributes
    ----------
    fp_count, tp_count
        (n_points,) negatives and positives that are predicted positive: integers, or sums of
        weights.
    threshold
        (n_points,) score from which on the prediction is positive; ``+inf`` predicts nothing
        positive, ``nan`` is a crisp decision.
    offsets
        (n_curves + 1,) where each curve starts and the last one ends.
    negatives, positives
        (n_curves,) instances of each class, or their weight.
    """

    fp_count: Array
    tp_count: Array
    threshold: FloatArray
    offsets: IntArray
    negatives: Array
    positives: Array

    def __post_init__(self) -> None:
        """Refuse lengths that do not fit together."""
        points, curves = len(self.fp_count), len(self.offsets) - 1
        expect_length("tp_count", self.tp_count, points)
        expect_length("threshold", self.threshold, points)
        expect_length("negatives", self.negatives, curves)
        expect_length("positives", self.positives, curves)
        steps = np.diff(self.offsets)
        if curves < 0 or self.offsets[0] != 0 or self.offsets[-1] != points or (steps < 0).any():
            raise ValueError(f"offsets must rise from 0 to {points} points, found {self.offsets}")

    def __len__(self) -> int:
        """Count the curves."""
        return len(self.positives)

    def __getitem__(self, curve: int) -> OperatingPoints:
        """Return one curve; from the end where `curve` is negative, IndexError beyond."""
        i = range(len(self))[curve]
        rows = slice(self.offsets[i], self.offsets[i + 1])
        return self.taken(rows, self.offsets[i : i + 2] - self.offsets[i], slice(i, i + 1))

    def taken(self, rows: Any, offsets: IntArray, curves: Any) -> OperatingPoints:
        """Return the points of some rows as curves with these offsets and these curves' sizes."""
        return OperatingPoints(
            self.fp_count[rows],
            self.tp_count[rows],
            self.threshold[rows],
            offsets,
            self.negatives[curves],
            self.positives[curves],
        )

    def __iter__(self) -> Iterator[OperatingPoints]:
        """Return the curves one after the other."""
        return (self[i] for i in range(len(self)))

    @property
    def fp(self) -> FloatArray:
        """(n_points,) false positive rates: one division of counts each."""
        rate: FloatArray = self.fp_count / self._of_each_point(self.negatives)
        return rate

    @property
    def tp(self) -> FloatArray:
        """(n_points,) true positive rates: one division of counts each."""
        rate: FloatArray = self.tp_count / self._of_each_point(self.positives)
        return rate

    @property
    def fn(self) -> FloatArray:
        """(n_points,) false negative rates: counts divided, not 1 - tp."""
        positives = self._of_each_point(self.positives)
        rate: FloatArray = (positives - self.tp_count) / positives
        return rate

    def _of_each_point(self, of_each_curve: Array) -> Array:
        return np.repeat(of_each_curve, np.diff(self.offsets))


def from_scores(
    *,
    scores: ArrayLike,
    labels: ArrayLike,
    groups: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> OperatingPoints:
    """Count what each distinct score decides ([F06a]_, algorithm 1).

    One point for each distinct score, a block of ties being one step, behind the point (0, 0) with
    threshold ``+inf``: thresholds fall, counts never do, the last point is (N, P). Scores are
    compared exactly; ``-0.0`` equals ``0.0``. All arguments have names, as nothing else tells
    scores that are 0 and 1 from labels.

    Parameters
    ----------
    scores
        (n_rows,) finite numbers; integers up to 2^53.
    labels
        (n_rows,) 0 or 1 (or booleans).
    groups
        (n_rows,) which curve each row belongs to: codes 0 to k - 1, rows in any order (but faster
        when a curve's rows are neighbours and the codes never fall). None: all are one curve.
    weights
        (n_rows,) how much each row counts, not negative: integers, or floats on a grain, as
        `cost_weights.cost_weights` gives them (others are added up with rounding). None: 1 each.
        Counts have the same type.

    Raises
    ------
    ValueError
        "score at index 3 is nan, expected a finite number"; "label at index 3 is 0.7, expected 0
        or 1; are two arrays exchanged?"; "labels of length 3, expected 4"; "no rows"; "curve 1 is
        empty"; "curve 1 has 5 positives and 0 negatives, expected both"; "group code at index 3 is
        -1, expected 0 to 9"; types that are not numbers, or scores that double precision does not
        hold exactly; more than one dimension.

    Examples
    --------
    >>> points = from_scores(scores=[0.2, 0.7, 0.7, 0.1], labels=[0, 1, 0, 1], groups=[0, 0, 1, 1])
    >>> points.offsets.tolist(), points.fp_count.tolist(), points.tp_count.tolist()
    ([0, 3, 6], [0, 0, 1, 0, 1, 1], [0, 1, 1, 0, 0, 1])
    """
    score, label, weight, rows = _in_curves(doubles(scores), labels, groups, weights)
    order = order_of(score)
    fp, tp, threshold, offsets = (
        count(score, label, rows, order)
        if weight is None
        else weigh(score, label, weight, rows, order)
    )
    negatives, positives = fp[offsets[1:] - 1], tp[offsets[1:] - 1]
    expect_weighty(negatives, positives)
    return OperatingPoints(fp, tp, threshold, offsets, negatives, positives)


def _in_curves(
    values: Array, labels: ArrayLike, groups: ArrayLike | None, weights: ArrayLike | None
) -> tuple[Array, Array, Array | None, IntArray]:
    """Check rows, and return values, labels and weights curve by curve, and curves' offsets."""
    label = binary("label", labels)
    expect_length("labels", label, len(values))
    of_one = np.zeros(len(values), np.int64)
    codes, sizes = curve_codes(of_one if groups is None else groups, len(values))
    weight = None if weights is None else expect_weights(weights, len(values))
    if (codes[1:] < codes[:-1]).any():
        order = order_by(codes, len(sizes))
        values, label = values[order], label[order]
        weight = None if weight is None else weight[order]
    rows = offsets_of(sizes)
    expect_both_classes(label, rows)
    return values, label, weight, rows


def from_decisions(
    *,
    decisions: ArrayLike,
    labels: ArrayLike,
    groups: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> OperatingPoints:
    """Count what crisp decisions decide: one point for each curve, its threshold ``nan``.

    `decisions` are (n_rows,), 1 (or True) where predicted positive, else 0. All else is as in
    `from_scores`, errors included.
    """
    decision, label, weight, rows = _in_curves(
        binary("decision", decisions), labels, groups, weights
    )
    is_negative, each = 1 - label, np.int64(1) if weight is None else weight
    negatives, positives, fp, tp = (
        np.add.reduceat(chosen * each, rows[:-1])
        for chosen in (is_negative, label, decision & is_negative, decision & label)
    )
    expect_weighty(negatives, positives)
    crisp = np.full(len(tp), np.nan)
    return OperatingPoints(fp, tp, crisp, np.arange(len(tp) + 1), negatives, positives)


def union(points: OperatingPoints, curves: ArrayLike) -> OperatingPoints:
    """Make one curve of several: the family that has the points of all its members.

    `curves` says which family each member, one curve of `points`, belongs to: codes 0 to k - 1. No
    point is dropped; they are in the order of `union_order`: by `fp_count`, at equal ones the
    higher `tp_count` first. Members of one family with other class sizes, and bad codes as in
    `from_scores`, are a ValueError.
    """
    code, sizes = curve_codes(curves, len(points))
    first = np.argsort(code, kind="stable")[offsets_of(sizes)[:-1]]
    negatives, positives = points.negatives[first], points.positives[first]
    wrong = (points.negatives != negatives[code]) | (points.positives != positives[code])
    if wrong.any():
        i = int(np.flatnonzero(wrong)[0])
        raise ValueError(
            f"curve {i} has {points.negatives[i]} negatives and {points.positives[i]} positives, "
            f"the others of its union {negatives[code[i]]} and {positives[code[i]]}"
        )
    order = union_order(points, code)
    point_sizes = np.bincount(code, weights=np.diff(points.offsets))
    return points.taken(order, offsets_of(point_sizes.astype(np.int64)), first)


def union_order(points: OperatingPoints, curves: ArrayLike) -> IntArray:
    """Return the index in `points` of each point of ``union(points, curves)``, shape (n_points,).

    So whatever is known of each point, its member for one, can follow it into the union. Points
    that are equal stay in the order of `points`. Bad codes are refused as in `from_scores`.
    """
    code, _ = curve_codes(curves, len(points))
    code_of_point = code[curve_of_rows(points.offsets)]
    return np.lexsort((-points.tp_count, points.fp_count, code_of_point))
