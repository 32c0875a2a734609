"""Hybrid classifiers: which operating point serves which operating condition, and what that costs.

A classifier with a threshold, or a family of classifiers, has many operating points. A selection
criterion says for each operating condition which of them decides. What results is a hybrid: the
cost line of the serving operating point, piece by piece. Where the server changes the curve may
jump, and it may lie above a trivial classifier ([DH00]_, s2.3; [DH06]_, s5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from costcurves.maths.counts.elementwise import FloatArray, IntArray
from costcurves.maths.counts.operating_points import OperatingPoints
from costcurves.maths.geometry.curves import Curve, better_than, mean, trivial


@dataclass(frozen=True, eq=False)
class Hybrid:
    """A hybrid's cost curve and who serves each of its pieces.

    A criterion may draw between two operating points for each case: piece i is then served by
    ``alternates[i]`` with probability ``shares[i]``, else by ``holders[i]``. Where one operating
    point serves alone, the two are the same and the share is 0.
    """

    curve: Curve  # jumps allowed, k pieces
    holders: IntArray  # (k,) index of the operating point, or a trivial classifier's, as `Envelope`
    alternates: IntArray
    shares: FloatArray  # (k,) probability of the alternate, in [0, 1)


def served_by(
    points: OperatingPoints,
    breaks: ArrayLike,
    holders: ArrayLike,
    alternates: ArrayLike | None = None,
    shares: ArrayLike = 0.0,
    weights: tuple[float, float] = (1.0, 1.0),
) -> Hybrid:
    """Build the hybrid in which these operating points of one curve serve between these breaks.

    Breaks are (k + 1,) operating conditions from 0 to 1 that do not fall; pieces without width are
    left out. Who serves each of the k pieces is given as in `Hybrid`. `weights` are factors on the
    lines' FP and FN rates: (1, 1) for PC(+).
    """
    one_curve(points)
    edges = np.asarray(breaks, dtype=np.float64)
    wide = np.flatnonzero(np.diff(edges) > 0)
    holder = np.asarray(holders, dtype=np.int64)[wide]
    share = np.broadcast_to(np.asarray(shares, dtype=np.float64), len(edges) - 1)[wide]
    at0, at1 = _lines(points, holder)
    alternate = holder
    if alternates is not None and share.any():
        alternate = np.where(share > 0, np.asarray(alternates, dtype=np.int64)[wide], holder)
        other0, other1 = _lines(points, alternate)
        at0, at1 = at0 + share * (other0 - at0), at1 + share * (other1 - at1)
    curve = Curve(np.append(edges[wide], 1.0), weights[0] * at0, weights[1] * at1)
    return Hybrid(curve, holder, alternate, share)


def average(curves: Sequence[Curve], repeats: Sequence[int] | IntArray | None = None) -> Curve:
    """Average the curves of folds: over the folds of each repeat, then over repeats.

    `repeats` says which repeat each fold belongs to; None: all to one. Each fold counts the same
    within its repeat, and each repeat the same. No curve, or another number of repeats than of
    curves, is a ValueError.
    """
    if repeats is None:
        return mean(curves)
    if len(repeats) != len(curves):
        raise ValueError(f"one repeat a curve: expected {len(curves)}, found {len(repeats)}")
    _, repeat, folds = np.unique(np.asarray(repeats), return_inverse=True, return_counts=True)
    if len(np.unique(folds)) <= 1:
        return mean(curves)
    return mean(curves, 1 / folds[repeat])


def regret(curve: Curve, reference: Curve) -> Curve:
    """Give what a curve costs more than a reference at each PC(+) ([DH00]_, s2.3 and Fig. 18).

    Its area is the additional expected cost when every PC(+) is equally likely. It is negative
    where the reference is more expensive.
    """
    return curve - reference


def worse_than_trivial(curve: Curve) -> list[tuple[float, float]]:
    """Find where a curve is strictly above the cheaper trivial classifier ([DH06]_, s5.1.2).

    Open intervals (low, high) of PC(+), as by `curves.operating_range`.
    """
    found = better_than(curve, trivial())
    return [(interval.low, interval.high) for interval in found if interval.sign > 0]


def one_curve(points: OperatingPoints) -> None:
    """Refuse operating points that are not of exactly one curve."""
    if len(points) != 1:
        raise ValueError(
            f"a criterion looks at one curve at a time, found {len(points)}: loop over the points"
        )


def _lines(points: OperatingPoints, holder: IntArray) -> tuple[FloatArray, FloatArray]:
    """Give FP and FN rates of operating points or trivial classifiers.

    The trivial ones are put last, so that ALWAYS_POSITIVE = -2 and ALWAYS_NEGATIVE = -1 find them.
    """
    negatives, positives = points.negatives[0], points.positives[0]
    fp_count = np.append(points.fp_count, [negatives, 0])[holder]
    tp_count = np.append(points.tp_count, [positives, 0])[holder]
    return fp_count / negatives, (positives - tp_count) / positives
