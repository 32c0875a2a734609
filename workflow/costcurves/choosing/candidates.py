"""Candidates: the same choices on every fold, and how many mistakes each makes there.

A choice that is made on some folds and judged on another must be the same thing on all of them: a
threshold, not a fold's third operating point. So the folds' counts are read at common thresholds.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costcurves.choosing.choice import Choice, Chosen, Counts, Seen, judged, least, seen_on_all
from costcurves.counts.elementwise import FloatArray, IntArray
from costcurves.counts.operating_points import OperatingPoints
from costcurves.curves.curves import Curve
from costcurves.curves.hulls import height_above, hull

BLOCK = 16
MANY = 64  # blocks from which on leaving some out pays
ROUNDING = 1e-12  # far more than heights of points in double precision can be off

Codes = tuple[IntArray, IntArray, IntArray]  # of each curve: its repeat, fold and member


def layout(codes: Codes) -> list[IntArray]:
    """Return the (folds, members) numbers of curves of each repeat, in increasing order.

    Each fold of a repeat has each member once.
    """
    repeat, fold, member = codes
    tables = []
    for number in np.unique(repeat):
        rows = np.flatnonzero(repeat == number)
        rows = rows[np.lexsort((member[rows], fold[rows]))]
        tables.append(rows.reshape(-1, len(np.unique(member))))
    return tables


def on_folds(
    choose: Callable[[Counts], Chosen],
    seen: Callable[[Counts], Seen],
    points: OperatingPoints,
    codes: Codes,
) -> tuple[list[Curve], IntArray]:
    """Choose on the other folds of the same repeat, and judge on the held-out one.

    Parameters
    ----------
    choose, seen
        The rule, and what it looks at.
    points
        Operating points of one model: a curve of scores for each fold, or, of a family, a curve of
        scores or a decision for each member and fold. Folds have both classes, and a repeat two or
        more.
    codes
        The repeat, fold and member of each curve.

    Returns
    -------
    list, ndarray
        The curve of each held-out fold, by repeat and fold; and each one's repeat, from 0.
    """
    curves, numbers = [], []
    for number, table in enumerate(layout(codes)):
        counts, _ = align(points, table, seen)
        pieces = judged(choose(counts), counts)
        curves += [pieces[fold] for fold in range(len(pieces))]
        numbers += [number] * len(table)
    return curves, np.array(numbers)


def on_all(points: OperatingPoints, codes: Codes) -> tuple[Choice, Counts, IntArray]:
    """Choose on all folds of all repeats, each counting the same: what to use from now on.

    Parameters are those of `on_folds`, but that one fold is enough. Returns the choice, which is of
    one curve, the counts, and the member of each candidate, as `align` does.
    """
    counts, members = align(points, np.concatenate(layout(codes)), seen_on_all)
    return least(seen_on_all(counts)), counts, members


def mistakes_of(points: OperatingPoints, train_pc: FloatArray | None = None) -> Counts:
    """Count the mistakes at each operating point of one curve alone, and of the baselines."""
    negatives, positives = points.negatives[0], points.positives[0]
    fp, fn, threshold = points.fp_count, positives - points.tp_count, points.threshold
    trained = np.full(len(fp), np.nan) if train_pc is None else train_pc
    if not is_ranking(points):
        fp, fn = np.concatenate([[0], fp, [negatives]]), np.concatenate([[positives], fn, [0]])
        threshold = np.concatenate([[np.inf], threshold, [-np.inf]])
        trained = np.concatenate([[np.nan], trained, [np.nan]])
    shape = 1, 1, len(fp)
    sizes = points.negatives, points.positives
    return Counts(fp.reshape(shape), fn.reshape(shape), *sizes, threshold, trained)


def align(
    points: OperatingPoints, curves: IntArray, seen: Callable[[Counts], Seen]
) -> tuple[Counts, IntArray]:
    """Count the mistakes of the candidates on every fold, and name the member of each.

    `curves` are (folds, members) numbers of curves. Candidates are always-negative, each distinct
    score of each member on any fold, falling, and always-positive if no member has scores (else the
    lowest score is that); the member of the two is -1. Scores that `seen` tells can never cost
    least may be left out.
    """
    negatives, positives = points.negatives[curves[:, [0]]], points.positives[curves[:, [0]]]
    columns: list[tuple[ArrayLike, ...]] = [(0 * negatives, positives, [np.inf], [-1])]
    for number, rows in enumerate(curves.T):
        folds = [points[row] for row in rows]
        threshold = np.unique(np.concatenate([fold.threshold for fold in folds]))[::-1]
        threshold = threshold[threshold != np.inf]  # nan: a decision
        if len(threshold) >= MANY * BLOCK:
            threshold = threshold[_may_be_chosen(folds, threshold, seen)]
        counts = _mistakes(folds, threshold)
        columns.append((counts.fp[0], counts.fn[0], threshold, np.full(len(threshold), number)))
    if np.isnan(points.threshold).all():
        columns.append((negatives, 0 * positives, [-np.inf], [-1]))
    fp, fn, threshold, member = (
        np.concatenate(parts, axis=-1) for parts in zip(*columns, strict=True)
    )
    untrained = np.full(len(threshold), np.nan)
    sizes = negatives[:, 0], positives[:, 0]
    return Counts(fp[np.newaxis], fn[np.newaxis], *sizes, threshold, untrained), member


def is_ranking(points: OperatingPoints) -> bool:
    """Return whether one curve's points come from scores: thresholds fall from inf."""
    threshold = points.threshold
    return bool((threshold[:1] == np.inf).all() and (threshold[1:] < threshold[:-1]).all())


def _mistakes(folds: list[OperatingPoints], threshold: FloatArray) -> Counts:
    """Count the mistakes of one classifier at falling thresholds."""
    fp, fn = [], []
    for fold in folds:
        at = np.searchsorted(-fold.threshold, -threshold, side="right") - 1
        fp.append(fold.fp_count[at])
        fn.append(fold.positives[0] - fold.tp_count[at])
    negatives = np.array([fold.negatives[0] for fold in folds])
    positives = np.array([fold.positives[0] for fold in folds])
    return Counts(np.array([fp]), np.array([fn]), negatives, positives, threshold, threshold)


def _may_be_chosen(
    folds: list[OperatingPoints], threshold: FloatArray, seen: Callable[[Counts], Seen]
) -> NDArray[np.bool_]:
    """Leave out blocks of falling thresholds that hold no vertex of any hull of what is seen.

    A block's best corner is as good as its first threshold on the negatives and as its last on the
    positives. If it lies below the hull of a sample, so does every candidate of the block.
    """
    sample = seen(_mistakes(folds, np.append(threshold[::BLOCK], threshold[-1])))
    may = np.zeros(sample.fp.shape[-1] - 1, dtype=bool)
    for x, y in zip(sample.fp, -sample.fn, strict=True):
        chain = hull(x, y, [0, len(x)])
        edge = np.repeat(np.arange(len(chain)), np.diff(chain, append=len(x)))[:-1]
        may |= height_above(x, y, chain, edge, x[:-1], y[1:]) >= -ROUNDING
    return np.repeat(may, BLOCK)[: len(threshold)]
