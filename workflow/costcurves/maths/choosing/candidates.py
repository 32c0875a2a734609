"""Candidates: the same choices on every fold, and how many errors each makes there.

A choice that is made on some folds and judged on another must be the same thing on all of them: a
threshold, not a fold's third operating point. So the folds' counts are read at common thresholds.
The last axis of all arrays is the candidates, the one before it the folds.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costcurves.maths.choosing.fold_sums import on_one_scale
from costcurves.maths.choosing.threshold_choice import is_ranking
from costcurves.maths.counts.elementwise import Array, FloatArray, IntArray
from costcurves.maths.counts.operating_points import OperatingPoints
from costcurves.maths.geometry.envelopes import ALWAYS_NEGATIVE, ALWAYS_POSITIVE
from costcurves.maths.geometry.hulls import hull

Sums = Callable[[Array], Array]
Scale = Callable[[Array, Array], tuple[Array, int]]

BLOCK = 16
MANY = 64  # blocks from which on leaving some out pays
ROUNDING = 1e-12  # far more than heights of points in double precision can be off


@dataclass(frozen=True, eq=False)
class Candidates:
    """Candidates and their errors on each fold."""

    fp_count: Array  # (folds, candidates), counted or weighted
    fn_count: Array
    negatives: Array  # (folds,)
    positives: Array
    member: IntArray  # (candidates,) index; or `envelopes.ALWAYS_NEGATIVE`, `ALWAYS_POSITIVE`
    threshold: FloatArray  # score from which on it is positive; +-inf: trivial; nan: crisp member


def layout(
    count: int,
    repeats: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    members: ArrayLike | None = None,
) -> list[IntArray]:
    """Give the (folds, members) numbers of curves of each repeat, in increasing order.

    Codes are any integers; folds need only differ within a repeat. None: one repeat; each curve a
    fold of its own; one member.
    """
    nothing = np.zeros(count, dtype=np.int64)
    repeat = _codes("repeat", repeats, nothing)
    fold = _codes("fold", folds, np.arange(count))
    member = _codes("member", members, nothing)
    everyone = np.unique(member)
    tables = []
    for code in np.unique(repeat):
        rows = np.flatnonzero(repeat == code)
        rows = rows[np.lexsort((member[rows], fold[rows]))]
        width = len(everyone)
        expected = np.tile(everyone, len(np.unique(fold[rows])))
        found = member[rows]
        if len(found) != len(expected) or (found != expected).any():
            raise ValueError(
                f"each fold of repeat {code} must have each of the {width} members once"
            )
        tables.append(rows.reshape(-1, width))
    return tables


def expect_others(curves: IntArray, number: int) -> None:
    """Refuse a repeat in which no fold is left to choose on."""
    if len(curves) < 2:
        raise ValueError(
            f"repeat number {number} has one fold only, but cross-fitting chooses on other "
            "folds than it judges on: give predictions of cross-validation with two folds or "
            "more, or split the test instances into folds"
        )


def align(
    points: OperatingPoints, curves: IntArray, sums: Sums, scale: Scale = on_one_scale
) -> Candidates:
    """Count the errors of the candidates on every fold.

    Candidates are always-negative, each distinct score of each member on any fold, falling, and
    always-positive if no member has scores (else the lowest score is that). `sums` says on which
    folds choices are made, `scale` whether folds or instances count the same there.
    """
    negatives, positives = _class_sizes(points, curves)
    columns = [_column(ALWAYS_NEGATIVE, np.inf, 0 * negatives, positives)]
    crisp = []
    for member, rows in enumerate(curves.T):
        folds = [points[row] for row in rows]
        crisp.append(all(np.isnan(fold.threshold).all() for fold in folds))
        if crisp[-1]:
            columns.append(_decisions(member, folds))
        else:
            columns.append(_scores(member, folds, sums, scale))
    if all(crisp):
        columns.append(_column(ALWAYS_POSITIVE, -np.inf, negatives, 0 * positives))
    fp_count, fn_count, member_of, threshold = zip(*columns, strict=True)
    return Candidates(
        np.concatenate(fp_count, axis=1),
        np.concatenate(fn_count, axis=1),
        negatives,
        positives,
        np.concatenate(member_of),
        np.concatenate(threshold),
    )


def _codes(what: str, codes: ArrayLike | None, default: IntArray) -> IntArray:
    """Check codes of curves."""
    found = default if codes is None else np.asarray(codes)
    if found.shape != default.shape:
        raise ValueError(f"one {what} a curve: expected {len(default)}, found {found.size}")
    return found


def _class_sizes(points: OperatingPoints, curves: IntArray) -> tuple[Array, Array]:
    """(folds,) class sizes, the same for all members."""
    sizes = np.stack([points.negatives[curves], points.positives[curves]])
    different = np.flatnonzero((sizes != sizes[:, :, :1]).any(axis=(0, 2)))
    if len(different):
        raise ValueError(
            f"the members of fold {different[0]} have {sizes[0, different[0]].tolist()} negatives "
            f"and {sizes[1, different[0]].tolist()} positives: members are compared on the same "
            "instances"
        )
    for fold in np.flatnonzero((sizes[:, :, 0] <= 0).any(axis=0)):
        raise ValueError(f"fold {fold} lacks a class: it has no rates; pool folds, or leave it out")
    return sizes[0, :, 0], sizes[1, :, 0]


Column = tuple[Array, Array, IntArray, FloatArray]


def _column(member: int, threshold: float, fp_count: Array, fn_count: Array) -> Column:
    """One candidate, from its errors on each fold."""
    return fp_count[:, None], fn_count[:, None], np.array([member]), np.array([threshold])


def _decisions(member: int, folds: list[OperatingPoints]) -> Column:
    """See a crisp member as one candidate."""
    if any(len(fold.fp_count) != 1 for fold in folds):
        raise ValueError(
            f"member {member} has several decisions on a fold: which belongs to which on another "
            "fold is not known; give each as a member of its own"
        )
    fp_count = np.array([fold.fp_count[0] for fold in folds])
    fn_count = np.array([fold.positives[0] - fold.tp_count[0] for fold in folds])
    return _column(member, np.nan, fp_count, fn_count)


def _scores(member: int, folds: list[OperatingPoints], sums: Sums, scale: Scale) -> Column:
    """See each distinct score of a member as a candidate."""
    for fold in folds:
        if not is_ranking(fold):
            raise ValueError(
                f"member {member} has neither the scores of one classifier on every fold nor one "
                "decision on every fold"
            )
    everything = np.unique(np.concatenate([fold.threshold[1:] for fold in folds]))[::-1]
    chosen = everything[_may_be_chosen(folds, everything, sums, scale)]
    fp_count, fn_count = _errors(folds, chosen)
    return fp_count, fn_count, np.full(len(chosen), member), chosen


def _errors(folds: list[OperatingPoints], threshold: FloatArray) -> tuple[Array, Array]:
    """(folds, thresholds) errors of one classifier at falling thresholds."""
    at = [np.searchsorted(-fold.threshold, -threshold, side="right") - 1 for fold in folds]
    pairs = list(zip(folds, at, strict=True))
    fp_count = np.stack([fold.fp_count[row] for fold, row in pairs])
    fn_count = np.stack([fold.positives[0] - fold.tp_count[row] for fold, row in pairs])
    return fp_count, fn_count


def _may_be_chosen(
    folds: list[OperatingPoints], threshold: FloatArray, sums: Sums, scale: Scale
) -> NDArray[np.bool_]:
    """Leave out blocks of falling thresholds that hold no vertex of any hull of the sums.

    A block's best corner is as good as its first threshold on the negatives and as its last on the
    positives. If it lies below the hull of a sample, so does every candidate of the block.
    """
    if len(threshold) < MANY * BLOCK:
        return np.ones(len(threshold), dtype=bool)
    fp_count, fn_count = _errors(folds, np.append(threshold[::BLOCK], threshold[-1]))
    fp = sums(scale(fp_count, np.array([fold.negatives[0] for fold in folds]))[0])
    fn = sums(scale(fn_count, np.array([fold.positives[0] for fold in folds]))[0])
    kept = np.zeros(fp.shape[-1] - 1, dtype=bool)
    for x, y in zip(fp, -fn, strict=True):
        kept |= _corners_above_hull(x, y) >= -ROUNDING
    return np.repeat(kept, BLOCK)[: len(threshold)]


def _corners_above_hull(x: Array, y: Array) -> Array:
    """Give how far corners of a staircase are above its hull, times the edges' lengths."""
    chain = hull(x, y, [0, len(x)])
    edge = np.repeat(np.arange(len(chain)), np.diff(chain, append=len(x)))[:-1]
    left, right = chain[edge], chain[np.minimum(edge + 1, len(chain) - 1)]
    height: Array = (x[right] - x[left]) * (y[1:] - y[left])
    height -= (y[right] - y[left]) * (x[:-1] - x[left])
    return height
