"""What a limit is worth: kept on the folds that choose, met or broken on the one that is held out.

A highest FP rate, or a workforce's capacity, is kept exactly on the data that chose the operating
point ([DH06]_, s5.1.3 and s5.1.4), and the true positives found there are too many. Here, for each
fold of a repeat, a rule such as `selection.neyman_pearson` chooses on the other folds, pooled; what
it chose, with the same draw between two operating points, then serves the held-out fold. So the
mean FP and TP rates over the folds, then over repeats, are those to expect on new data, and the
limit may be broken there.

Candidates are those of `cross_fitting`: the same on every fold. Candidates that have the same
counts on the other folds cannot be told apart, so their counts on the held-out fold are averaged.
Always-negative and always-positive are what they are on every fold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from costcurves.maths.choosing.candidates import Candidates, align, expect_others, layout
from costcurves.maths.choosing.fold_sums import as_they_are, of_others
from costcurves.maths.choosing.hybrids import Hybrid
from costcurves.maths.counts.elementwise import FloatArray, IntArray
from costcurves.maths.counts.operating_points import OperatingPoints
from costcurves.maths.geometry.curves import Curve, line
from costcurves.maths.geometry.envelopes import ALWAYS_NEGATIVE, ALWAYS_POSITIVE

Rule = Callable[[OperatingPoints], Hybrid]


@dataclass(frozen=True, eq=False)
class HeldOut:
    """What was chosen on the other folds does on each fold, by repeat and fold; all (folds,)."""

    fp_count: FloatArray  # negatives predicted positive: the mean over draws and ties
    tp_count: FloatArray
    negatives: IntArray
    positives: IntArray
    repeats: IntArray  # number of each fold's repeat, from 0

    @property
    def fp(self) -> FloatArray:
        """(folds,) false positive rates."""
        return self.fp_count / self.negatives

    @property
    def tp(self) -> FloatArray:
        """(folds,) true positive rates."""
        return self.tp_count / self.positives

    def curves(self) -> list[Curve]:
        """Give each fold's cost line."""
        fn = (self.positives - self.tp_count) / self.positives
        return [line(*rates) for rates in zip(self.fp.tolist(), fn.tolist(), strict=True)]


def held_out(
    points: OperatingPoints,
    rule: Rule,
    repeats: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    members: ArrayLike | None = None,
) -> HeldOut:
    """Choose under a limit on the other folds of the same repeat, and serve the held-out one.

    `points`, `repeats`, `folds` and `members` are as in `cross_fitting.cross_fitted`. `rule`
    chooses on operating points of one curve, those of the other folds, pooled; its hybrid has one
    piece, which serves every PC(+). Refused is what `cross_fitting.cross_fitted` and `rule` refuse.

    What is faultless on one fold lets every negative of the other through, or finds no positive:

    >>> from costcurves.maths.counts.operating_points import from_scores
    >>> from costcurves.maths.choosing.selection import neyman_pearson
    >>> points = from_scores(scores=[0.9, 0.8, 0.3, 0.2], labels=[1, 0, 1, 0], groups=[0, 0, 1, 1])
    >>> found = held_out(points, lambda others: neyman_pearson(others, 0))
    >>> found.fp.tolist(), found.tp.tolist()
    ([1.0, 0.0], [1.0, 0.0])
    """
    served, sizes, numbers = [], [], []
    for number, table in enumerate(layout(len(points), repeats, folds, members)):
        expect_others(table, number)
        found = align(points, table, of_others, as_they_are)
        served += list(_served(found, rule))
        sizes.append(np.stack([found.negatives, found.positives]))
        numbers += [number] * len(table)
    fp_count, tp_count = np.array(served).T
    negatives, positives = np.concatenate(sizes, axis=1)
    return HeldOut(fp_count, tp_count, negatives, positives, np.array(numbers))


def _served(found: Candidates, rule: Rule) -> Iterator[FloatArray]:
    """Give for each fold the counts (fp, tp) of what the other folds choose."""
    sizes = np.stack([found.negatives, found.positives])
    counts = np.stack([found.fp_count, found.positives[:, np.newaxis] - found.fn_count])
    others, other_sizes = of_others(counts), of_others(sizes[:, :, np.newaxis])[:, :, 0]
    for fold in range(counts.shape[1]):
        known, own, threshold = others[:, fold], counts[:, fold], found.threshold
        if (known[:, 1:] < known[:, :-1]).any():
            order = np.lexsort(known[::-1])
            known, own, threshold = known[:, order], own[:, order], threshold[order]
        ends, (negatives, positives) = np.array([0, len(threshold)]), other_sizes[:, [fold]]
        hybrid = rule(OperatingPoints(known[0], known[1], threshold, ends, negatives, positives))
        first, second = (
            _counts(int(holder), known, own, sizes[:, fold])
            for (holder,) in (hybrid.holders, hybrid.alternates)
        )
        yield first + hybrid.shares[0] * (second - first)


def _counts(holder: int, known: IntArray, own: IntArray, sizes: IntArray) -> FloatArray:
    """Give the mean counts of all candidates that the other folds cannot tell from the holder."""
    if holder in (ALWAYS_NEGATIVE, ALWAYS_POSITIVE):
        return np.where(holder == ALWAYS_POSITIVE, sizes, 0).astype(np.float64)
    first, last = 0, known.shape[1]
    for count in known:  # in order, so that equal ones are neighbours
        value = count[holder]
        last = first + int(np.searchsorted(count[first:last], value, side="right"))
        first += int(np.searchsorted(count[first:last], value))
    mean: FloatArray = own[:, first:last].mean(axis=1)
    return mean
