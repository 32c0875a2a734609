"""What choosing a threshold will cost: chosen on the other folds, judged on the held-out one.

A lower envelope is chosen on the data it is judged on: a promise that nobody can keep ([1]_, s5.2).
Here, for each fold of a repeat and each PC(+), the candidate is chosen that has the least mean cost
on the other folds, and its cost is read on the held-out fold. That fold's curve is made of its own
cost lines; it breaks where the others' lower envelope does, and may jump there. The mean over the
folds, then over repeats, estimates what a choice made in this way costs on new data.

Candidates are the same on every fold: each distinct score of any fold, and "predict nothing"; of a
family its members (or all thresholds of all members) and the trivial classifiers, so that a family
has the ways out that a threshold has. On the other folds each fold counts the same. Candidates that
cost the same there at every PC(+) cannot be told apart: their held-out lines are averaged. (Other
lines meet in single points, between two pieces, which do not matter.)

Rounding. The choice is exact, on integers, where the least common multiple of the class sizes
is below some 2^31 / folds: for equal sizes always, for ten folds of sizes n and n + 1 up to about
14,000. Beyond that rates are added in double precision, and the mean cost of what is chosen may
exceed the least by some 1e-15.

References
----------
.. [1] C. Drummond and R. C. Holte, "Cost curves: an improved method for visualizing classifier
   performance", Machine Learning 65, 95-130, 2006. https://doi.org/10.1007/s10994-006-8199-5
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costcurves.maths.candidates import align, layout, of_all, of_others, on_one_scale
from costcurves.maths.curves import Curve
from costcurves.maths.envelopes import hull
from costcurves.maths.hybrids import average
from costcurves.maths.operating_points import OperatingPoints
from costcurves.maths.ragged import offsets_of, rows_of_slices

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CrossFitted:
    """What choosing cost on the held-out folds.

    Attributes
    ----------
    curve
        The mean over folds, then over repeats; jumps allowed.
    folds
        The curve of each held-out fold, by repeat and fold.
    repeats
        (len(folds),) number of each fold's repeat, from 0.
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


class Optimism(NamedTuple):
    """Expected costs of one model, by which data the thresholds were chosen on.

    Attributes
    ----------
    pooled, repeat, fold
        Chosen on the data that are judged: area under the envelope of all predictions together,
        mean area of the repeats' envelopes, mean area of the folds' envelopes.
    cross_fitted
        Chosen on the other folds.
    """

    pooled: float
    repeat: float
    fold: float
    cross_fitted: float

    def missing(self) -> "Optimism":
        """Give by how much each falls short of the cross-fitted cost."""
        return Optimism(*(self.cross_fitted - area for area in self))


@dataclass(frozen=True, eq=False)
class Pieces:
    """Cost curves end to end: piece i is the line (at0, at1) from pc[i] to the next piece, or to 1.

    Attributes
    ----------
    pc, at0, at1
        (pieces,) where each piece starts and its line; the first of a curve starts at 0.
    offsets
        (curves + 1,) where each curve starts and the last ends.
    """

    pc: FloatArray
    at0: FloatArray
    at1: FloatArray
    offsets: IntArray

    def __len__(self) -> int:
        """Count the curves."""
        return len(self.offsets) - 1

    def __getitem__(self, curve: int) -> Curve:
        """Give one curve."""
        i = range(len(self))[curve]
        rows = slice(self.offsets[i], self.offsets[i + 1])
        return Curve(np.append(self.pc[rows], 1.0), self.at0[rows], self.at1[rows])

    def areas(self) -> FloatArray:
        """(curves,) areas under the curves."""
        end = np.append(self.pc[1:], 1.0)
        end[self.offsets[1:] - 1] = 1.0
        middle = (self.pc + end) / 2
        area = (end - self.pc) * (self.at0 * (1 - middle) + self.at1 * middle)
        return np.add.reduceat(area, self.offsets[:-1])


def cross_fitted(
    points: OperatingPoints,
    repeats: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    members: ArrayLike | None = None,
) -> CrossFitted:
    """Choose on the other folds of the same repeat, judge on the held-out one.

    Parameters
    ----------
    points
        Operating points of one model: a curve of scores for each fold, or, of a family, a curve of
        scores or a crisp decision for each member and fold.
    repeats, folds, members
        (len(points),) which repeat, fold and member each curve is: integers. None: all curves are
        of one repeat; each is a fold of its own; there is one member.

    Returns
    -------
    CrossFitted
        See the module's docstring for candidates and ties.

    Raises
    ------
    ValueError
        If a repeat has one fold only, a fold lacks a member, or as `candidates.align`.

    Examples
    --------
    >>> from costcurves.maths.operating_points import from_scores
    >>> scores, labels = [0.9, 0.3, 0.8, 0.5, 0.7, 0.6], [1, 0, 1, 0, 1, 0]
    >>> found = cross_fitted(from_scores(scores, labels, groups=[0, 0, 1, 1, 2, 2]))
    >>> [curve.area() for curve in found.folds]
    [0.0, 0.0, 0.3333333333333333]
    """
    curves, numbers = [], []
    for number, table in enumerate(layout(len(points), repeats, folds, members)):
        if len(table) < 2:
            raise ValueError(
                f"repeat number {number} has one fold only, but cross-fitting chooses on other "
                "folds than it judges on: give predictions of cross-validation with two folds or "
                "more, or split the test instances into folds"
            )
        found = align(points, table, of_others)
        held_out = judged_on_held_out(
            found.fp_count[np.newaxis],
            found.fn_count[np.newaxis],
            found.negatives,
            found.positives,
        )
        curves += [pieces[0] for pieces in held_out]
        numbers += [number] * len(table)
    return CrossFitted(average(curves, numbers), curves, np.array(numbers))


def deployed(
    points: OperatingPoints,
    repeats: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    members: ArrayLike | None = None,
) -> Deployed:
    """Choose on all folds of all repeats: which member or threshold to use from now on.

    Parameters
    ----------
    points, repeats, folds, members
        As in `cross_fitted`; one fold is enough.

    Returns
    -------
    Deployed
        Each fold counts the same. Of candidates that cost the same at every PC(+) the first serves:
        of one classifier's the highest threshold.

    Raises
    ------
    ValueError
        If a fold lacks a member, or as `candidates.align`.

    Examples
    --------
    >>> from costcurves.maths.operating_points import from_scores
    >>> deployed(from_scores([0.9, 0.3, 0.8, 0.5], [1, 0, 1, 0], groups=[0, 0, 1, 1])).threshold
    array([0.8])
    """
    table = np.concatenate(layout(len(points), repeats, folds, members))
    found = align(points, table, of_all)
    fp, fp_unit = on_one_scale(found.fp_count, found.negatives)
    fn, fn_unit = on_one_scale(found.fn_count, found.positives)
    total = of_all(fp), of_all(fn)
    choice = _least(*total, fp_unit, fn_unit)
    first = choice.tied[choice.starts]
    at0, at1 = (
        total[0][0, first] / (fp_unit * len(table)),
        total[1][0, first] / (fn_unit * len(table)),
    )
    curve = Curve(np.append(choice.pc, 1.0), at0, at1)
    return Deployed(curve, found.member[first], found.threshold[first])


def judged_on_held_out(
    fp_count: NDArray[Any], fn_count: NDArray[Any], negatives: NDArray[Any], positives: NDArray[Any]
) -> list[Pieces]:
    """Choose among candidates on the other folds and judge on each fold, for many curves at once.

    Parameters
    ----------
    fp_count, fn_count
        (curves, folds, candidates) false positives and false negatives of each candidate, not
        negative. Curves are data sets of their own, such as resamples.
    negatives, positives
        (folds,) or (curves, folds) what the counts are divided by to be rates, positive.

    Returns
    -------
    list of Pieces
        For each fold the curves of all data sets.

    Examples
    --------
    >>> fp, fn = np.array([[[0, 0, 1], [0, 0, 1]]]), np.array([[[1, 0, 0], [1, 1, 0]]])
    >>> one, other = judged_on_held_out(fp, fn, np.array([1, 1]), np.array([1, 1]))
    >>> one[0], other[0].at0
    (Curve(pc=[0.0, 0.5, 1.0], at0=[0.0, 1.0], at1=[0.5, 0.0]), array([0.]))
    """
    fp, fp_unit = on_one_scale(fp_count, negatives)
    fn, fn_unit = on_one_scale(fn_count, positives)
    others_fp, others_fn = of_others(fp), of_others(fn)
    sizes = [np.broadcast_to(size, fp_count.shape[:2]) for size in (negatives, positives)]
    held_out = []
    for fold in range(fp_count.shape[1]):
        choice = _least(others_fp[:, fold], others_fn[:, fold], fp_unit, fn_unit)
        at0 = _judged(choice, fp_count[:, fold], sizes[0][:, fold])
        at1 = _judged(choice, fn_count[:, fold], sizes[1][:, fold])
        held_out.append(Pieces(choice.pc, at0, at1, choice.offsets))
    return held_out


class Choice(NamedTuple):
    """Who is cheapest, piece by piece, in many curves.

    Attributes
    ----------
    pc
        (pieces,) where each piece starts.
    offsets
        (curves + 1,) where each curve's pieces start and the last's end.
    tied
        Candidates that are cheapest, piece after piece: places in (curves, candidates), flat.
    starts
        (pieces,) where each piece's candidates start in `tied`.
    """

    pc: FloatArray
    offsets: IntArray
    tied: IntArray
    starts: IntArray


def _least(fp: NDArray[Any], fn: NDArray[Any], fp_unit: int, fn_unit: int) -> Choice:
    """Choose the candidates of least cost, from (curves, candidates) errors in units of rates."""
    curves, width = fp.shape
    order = _by_fp(fp, fn)
    fp, fn = fp.ravel()[order], fn.ravel()[order]
    is_new = np.append(True, (np.diff(fp) != 0) | (np.diff(fn) != 0))
    is_new[::width] = True
    run = np.flatnonzero(is_new)
    vertex = hull(fp[run], -fn[run], np.searchsorted(run, width * np.arange(curves + 1)))
    size = np.diff(run, append=len(fp))[vertex]
    run = run[vertex]
    starts, ends = _breaks(fp[run] * fn_unit, fn[run] * fp_unit, run // width)
    serves = starts < ends
    tied = order[rows_of_slices(run[serves], size[serves])]
    return Choice(
        starts[serves],
        np.searchsorted(run[serves], width * np.arange(curves + 1)),
        tied,
        offsets_of(size[serves])[:-1],
    )


def _by_fp(fp: NDArray[Any], fn: NDArray[Any]) -> IntArray:
    """Order the candidates of each curve by `fp`, equal ones by `fn`: flat places."""
    places = np.arange(fp.size)
    if (np.diff(fp) >= 0).all() and (np.diff(fn) <= 0).all():
        return places
    order: IntArray = np.lexsort((fn, fp)) + places[:: fp.shape[1], np.newaxis]
    return order.ravel()


def _breaks(fp: NDArray[Any], fn: NDArray[Any], curve: IntArray) -> tuple[FloatArray, FloatArray]:
    """Where the lines of the vertices of hulls start and end to be least.

    Neighbours cost the same where (1 - pc) * (more fp) = pc * (less fn).
    """
    starts = np.zeros(len(fp))
    more_fp, less_fn = np.diff(fp), -np.diff(fn)
    inside = curve[1:] == curve[:-1]
    np.divide(more_fp, more_fp + less_fn, out=starts[1:], where=inside)
    while (falls := inside & (starts[1:] < starts[:-1])).any():  # by a rounding
        starts[1:][falls] = starts[:-1][falls]
    return starts, np.append(np.where(inside, starts[1:], 1.0), 1.0)


def _judged(choice: Choice, count: NDArray[Any], size: NDArray[Any]) -> FloatArray:
    """(pieces,) mean rate of the tied candidates, from (curves, candidates) counts of one fold."""
    ties = np.diff(choice.starts, append=len(choice.tied))
    curve = np.repeat(np.arange(len(size)), np.diff(choice.offsets))
    errors = np.add.reduceat(count.ravel()[choice.tied], choice.starts)
    rate: FloatArray = errors / (ties * size[curve])
    return rate
