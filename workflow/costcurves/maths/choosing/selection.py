"""Selection criteria: which operating point serves which PC(+).

A criterion is a function from what it may look at to a `hybrids.Hybrid` ([DH06]_, s5; [DH00]_,
s2.2.2 and s2.3):

=================  ============================================  ==================================
criterion          what it is told                               what it looks at besides
=================  ============================================  ==================================
nearest_train_pc   the PC(+) each member was trained for         nothing
score_driven       nothing                                       the scores, as probabilities
score_fixed        a threshold                                   nothing
rate_fixed         a rate of positive predictions                the scores' ranking
rate_driven        nothing                                       the ranking, class by class
workforce          how many cases can be handled                 the ranking and the labels
neyman_pearson     the highest FP rate allowed                   the ranking and the labels
=================  ============================================  ==================================

The first three do not look at the data they are judged on: their curves are unbiased ([DH06]_,
s5.2). What looks at the labels is too low on those labels: what the choice costs on others is
measured by `limits.held_out`. Those on scores and rates are methods of `threshold_choice` too, over
other axes. The cheapest choice at each PC(+) is the lower envelope (`envelopes.lower_envelopes`);
what it costs on others, `cross_fitting.cross_fitted` measures.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from costcurves.maths.choosing.hybrids import Hybrid, one_curve, served_by
from costcurves.maths.choosing.threshold_choice import at_rate
from costcurves.maths.choosing.threshold_choice import rate_driven as rate_driven
from costcurves.maths.choosing.threshold_choice import score_driven as score_driven
from costcurves.maths.choosing.threshold_choice import score_fixed as score_fixed
from costcurves.maths.counts.elementwise import FloatArray, IntArray, rate
from costcurves.maths.counts.operating_points import OperatingPoints
from costcurves.maths.geometry.curves import Extreme
from costcurves.maths.geometry.envelopes import ALWAYS_NEGATIVE, ALWAYS_POSITIVE, lower_envelopes


def nearest_train_pc(points: OperatingPoints, train_pc: ArrayLike) -> Hybrid:
    """Let the member serve that was trained for the nearest PC(+) ([DH00]_, s2.3; [DH06]_, s5.1.1).

    It switches at the mid-point of two neighbouring `train_pc` (of the PC(+) values, not of the
    ratios). Trivial classifiers are not added: the curve may be worse than they are.

    Parameters
    ----------
    points
        Operating points of one family, one for each member.
    train_pc
        (n_points,) the PC(+) that each member was trained for, in any order.

    Raises
    ------
    ValueError
        If `train_pc` is not one number in [0, 1] for each operating point (NaN: the member has
        none), if two are equal, or if `points` is not of exactly one curve.

    Examples
    --------
    >>> from costcurves.maths.counts.operating_points import from_decisions, union
    >>> members = from_decisions(decisions=[1, 0, 1, 1], labels=[1, 0, 1, 0], groups=[0, 0, 1, 1])
    >>> hybrid = nearest_train_pc(union(members, [0, 0]), [0.2, 0.6])
    >>> hybrid.curve.pc.tolist(), hybrid.holders.tolist()
    ([0.0, 0.4, 1.0], [0, 1])
    """
    one_curve(points)
    order, breaks = in_turn(_distinct_train_pc(train_pc, len(points.fp_count)))
    return served_by(points, breaks, order)


def in_turn(train_pc: FloatArray) -> tuple[IntArray, FloatArray]:
    """Give the members in the order in which they serve, and where each starts and the last ends.

    >>> order, breaks = in_turn(np.array([0.6, 0.2]))
    >>> order.tolist(), breaks.tolist()
    ([1, 0], [0.0, 0.4, 1.0])
    """
    order = np.argsort(train_pc)
    middles = (train_pc[order][1:] + train_pc[order][:-1]) / 2
    return order, np.concatenate([[0.0], middles, [1.0]])


def rate_fixed(points: OperatingPoints, rate: float) -> Hybrid:
    """Predict a fixed share of all cases positive, at the data's proportions, by falling scores.

    Between two operating points a draw decides, so that the rate is met exactly. Refuses what
    `threshold_choice.rate_fixed` refuses.
    """
    holder, share = at_rate(points, rate, "cost proportion")
    return served_by(points, [0, 1], [holder], [holder + 1], share)


def neyman_pearson(points: OperatingPoints, max_fp: float) -> Hybrid:
    """Reach the highest TP rate whose FP rate is at most `max_fp` ([DH06]_, s5.1.3).

    One piece: the point of the ROC convex hull (trivial classifiers included) at FP rate `max_fp`,
    a random choice between the two ends of its edge. Also where a lower FP rate reaches the same TP
    rate: on a horizontal last edge. A `max_fp` outside [0, 1], and `points` that are not of exactly
    one curve, are a ValueError.

    >>> from costcurves.maths.counts.operating_points import from_decisions
    >>> hybrid = neyman_pearson(from_decisions(decisions=[1, 0, 1, 0], labels=[1, 0, 0, 1]), 0.25)
    >>> hybrid.curve, hybrid.holders.tolist(), hybrid.alternates.tolist(), hybrid.shares.tolist()
    (Curve(pc=[0.0, 1.0], at0=[0.25], at1=[0.75]), [-1], [-2], [0.25])
    """
    if not 0 <= max_fp <= 1:
        raise ValueError(f"the highest FP rate allowed must be in [0, 1], found {max_fp}")
    holders, fp_count, _ = _hull(points)
    return _along(points, holders, fp_count, max_fp * points.negatives[0].item())


def workforce(points: OperatingPoints, capacity: float) -> Hybrid:
    """Find as many positives as a workforce can that handles `capacity` cases ([DH06]_, eqs 11-12).

    One piece: where the ROC convex hull (trivial classifiers included) meets the constraint
    tp P + fp N <= capacity, a random choice between the two ends of its edge. The capacity is in
    cases of the P + N that there are, from which on there is no limit; a negative one, or NaN, is
    refused. All else is as in `neyman_pearson`.
    """
    if not capacity >= 0:
        raise ValueError(f"the workforce's capacity must be 0 cases or more, found {capacity}")
    holders, fp_count, tp_count = _hull(points)
    return _along(points, holders, fp_count + tp_count, capacity)


def workforce_point(negatives: int, positives: int, capacity: float) -> Extreme | None:
    """Give the cost point that is dual to the workforce's constraint ([DH06]_, s5.1.4 and Fig. 24).

    The lines of all classifiers that handle just `capacity` cases meet there: at
    pc = P / (P - N), nec = (P - capacity) / (P - N), a virtual point, left of 0 if N > P and right
    of 1 if N < P (the paper says "negative"). None if N = P: it is at infinity. Refused are an
    empty class and a capacity that is negative or NaN.

    >>> workforce_point(300, 100, 50)
    Extreme(pc=-0.5, nec=-0.25)
    """
    if not (negatives > 0 and positives > 0):
        raise ValueError(f"class sizes must be positive, found {negatives} and {positives}")
    if not capacity >= 0:
        raise ValueError(f"the workforce's capacity must be 0 cases or more, found {capacity}")
    if negatives == positives:
        return None
    more = positives - negatives
    return Extreme(positives / more, (positives - capacity) / more)


def _distinct_train_pc(train_pc: ArrayLike, count: int) -> FloatArray:
    """Check what members were trained for."""
    trained = np.asarray(train_pc, dtype=np.float64)
    if trained.shape != (count,):
        raise ValueError(f"one train_pc a member: expected {count}, found {trained.size}")
    if np.isnan(trained).any():
        raise ValueError(
            f"member {int(np.flatnonzero(np.isnan(trained))[0])} has no train_pc: choosing the "
            "nearest needs the PC(+) that each member was trained for"
        )
    trained = rate("train_pc", trained)
    values, counts = np.unique(trained, return_counts=True)
    if (counts > 1).any():
        raise ValueError(
            f"{counts.max()} operating points have train_pc {values[np.argmax(counts)]}: choosing "
            "the nearest needs members with one operating point and one train_pc each"
        )
    return trained


def _hull(points: OperatingPoints) -> tuple[IntArray, IntArray, IntArray]:
    """Give the vertices of the ROC hull from (0, 0) to (N, P): who holds them, and their counts.

    They hold the lower envelope, but for its ends, where a vertex may serve no PC(+).
    """
    one_curve(points)
    held = lower_envelopes(points)[0].holders
    inner = held[(held != ALWAYS_NEGATIVE) & (held != ALWAYS_POSITIVE)]
    return (
        np.concatenate([[ALWAYS_NEGATIVE], inner, [ALWAYS_POSITIVE]]),
        np.concatenate([[0], points.fp_count[inner], points.negatives]),
        np.concatenate([[0], points.tp_count[inner], points.positives]),
    )


def _along(points: OperatingPoints, holders: IntArray, reach: IntArray, limit: float) -> Hybrid:
    """Go along a hull until its `reach`, which never falls, is at the limit."""
    last = int(np.searchsorted(reach, limit, side="right")) - 1
    if last == len(reach) - 1:
        return served_by(points, [0, 1], holders[-1:])
    share = (limit - reach[last]) / (reach[last + 1] - reach[last])
    return served_by(points, [0, 1], [holders[last]], [holders[last + 1]], share)
