"""What choosing a threshold will cost: chosen on the other folds, judged on the held-out one.

A lower envelope is chosen on the data it is judged on: a promise that nobody can keep ([DH06]_,
s5.2). Here, for each fold of a repeat and each PC(+), the candidate is chosen that has the least
mean cost on the other folds, each counting the same, and its cost is read on the held-out fold.
That fold's curve breaks where the others' lower envelope does, and may jump there. The mean over
the folds, then over repeats, estimates what a choice made in this way costs on new data.

Candidates are the same on every fold: each distinct score of any fold, and "predict nothing"; of a
family its members (or all thresholds of all members) and the trivial classifiers, so that a family
has the ways out that a threshold has. Candidates that cost the same on the other folds at every
PC(+) cannot be told apart: their held-out lines are averaged. (Other lines meet in single points,
between two pieces, which do not matter.)

Rounding. The choice is exact, on integers, where the least common multiple of the class sizes
is below some 2^31 / folds: for equal sizes always, for ten folds of sizes n and n + 1 up to about
14,000. Beyond that rates are added in double precision, and the mean cost of what is chosen may
exceed the least by some 1e-15.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costcurves.maths.choosing.candidates import align, expect_others, layout
from costcurves.maths.choosing.fold_sums import of_all, of_others, on_one_scale
from costcurves.maths.choosing.held_out import judged_on_held_out, least
from costcurves.maths.choosing.hybrids import average
from costcurves.maths.counts.operating_points import OperatingPoints
from costcurves.maths.geometry.curves import Curve

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CrossFitted:
    """What choosing cost on the held-out folds.

    `curve` is the mean over folds, then over repeats; it may jump. `folds` are the curves of the
    held-out folds, by repeat and fold, `repeats` the number of each one's repeat, from 0.
    """

    curve: Curve
    folds: list[Curve]
    repeats: IntArray


@dataclass(frozen=True, eq=False)
class Deployed:
    """Who would serve each PC(+) if all folds had a say in the choice.

    Attributes
    ----------
    curve
        The mean cost over the folds that made the choice: optimistic.
    member
        (k,) the member that serves each piece, an index in the order of the members' codes, or
        `envelopes.ALWAYS_NEGATIVE`, `envelopes.ALWAYS_POSITIVE`.
    threshold
        (k,) its threshold: positive iff score >= threshold; ``nan`` for a crisp member.
    """

    curve: Curve
    member: IntArray
    threshold: FloatArray


def cross_fitted(
    points: OperatingPoints,
    repeats: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    members: ArrayLike | None = None,
) -> CrossFitted:
    """Choose on the other folds of the same repeat, judge on the held-out one.

    The module's docstring says what candidates are, and what happens where they tie.

    Parameters
    ----------
    points
        Operating points of one model: a curve of scores for each fold, or, of a family, a curve of
        scores or a crisp decision for each member and fold.
    repeats, folds, members
        (len(points),) which repeat, fold and member each curve is: integers. None: all curves are
        of one repeat; each is a fold of its own; there is one member.

    Raises
    ------
    ValueError
        If a repeat has one fold only, a fold lacks a member, its members were not judged on the
        same class sizes, a class is empty, or a member has neither the scores of one classifier on
        all folds nor one decision on all folds.

    Examples
    --------
    >>> from costcurves.maths.counts.operating_points import from_scores
    >>> scores, labels = [0.9, 0.3, 0.8, 0.5, 0.7, 0.6], [1, 0, 1, 0, 1, 0]
    >>> found = cross_fitted(from_scores(scores=scores, labels=labels, groups=[0, 0, 1, 1, 2, 2]))
    >>> [curve.area() for curve in found.folds]
    [0.0, 0.0, 0.3333333333333333]
    """
    curves, numbers = [], []
    for number, table in enumerate(layout(len(points), repeats, folds, members)):
        expect_others(table, number)
        found = align(points, table, of_others)
        held_out = judged_on_held_out(
            found.fp_count[np.newaxis], found.fn_count[np.newaxis], found.negatives, found.positives
        )
        curves += [held_out[fold] for fold in range(len(held_out))]
        numbers += [number] * len(table)
    return CrossFitted(average(curves, numbers), curves, np.array(numbers))


def deployed(
    points: OperatingPoints,
    repeats: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    members: ArrayLike | None = None,
) -> Deployed:
    """Choose on all folds of all repeats: which member or threshold to use from now on.

    Parameters and errors are those of `cross_fitted`, but that one fold is enough. Each fold counts
    the same. Of candidates that cost the same at every PC(+) the first serves: of one classifier's
    the highest threshold.

    >>> from costcurves.maths.counts.operating_points import from_scores
    >>> deployed(from_scores(scores=[0.9, 0.3, 0.8, 0.5], labels=[1, 0, 1, 0])).threshold
    array([0.8])
    """
    table = np.concatenate(layout(len(points), repeats, folds, members))
    found = align(points, table, of_all)
    fp, fp_unit = on_one_scale(found.fp_count, found.negatives)
    fn, fn_unit = on_one_scale(found.fn_count, found.positives)
    total = of_all(fp), of_all(fn)
    choice = least(*total, fp_unit, fn_unit)
    first = choice.tied[choice.starts]
    at0, at1 = (
        total[0][0, first] / (fp_unit * len(table)),
        total[1][0, first] / (fn_unit * len(table)),
    )
    curve = Curve(np.append(choice.pc, 1.0), at0, at1)
    return Deployed(curve, found.member[first], found.threshold[first])
