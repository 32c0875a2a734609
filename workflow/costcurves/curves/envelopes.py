"""Lower envelopes of cost lines: the least that any of a set of operating points costs.

The lower envelope is the dual of the ROC convex hull ([DH00]_, s2.2.2; [DH06]_, s3): each piece is
the line of a hull vertex, each break point comes from an edge. But not every vertex is a member:
one before a vertical first edge or behind a horizontal last one (always-negative and
always-positive, where some threshold is faultless on one class) is least at PC(+) = 0 or 1 at most,
and holds nothing. Hulls are found on counts, with integers: exact, whatever is collinear or equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from costcurves import formats
from costcurves.counts.counted import from_table
from costcurves.counts.elementwise import Array, IntArray, rate
from costcurves.counts.exact import expect_exact_products, quotient
from costcurves.counts.folds import SPLIT
from costcurves.counts.operating_points import OperatingPoints
from costcurves.counts.ragged import curve_of_rows, framed
from costcurves.curves.conditions import Condition
from costcurves.curves.cost_space import cost_point_to_roc_line, ratio_from_pc
from costcurves.curves.curves import Curve
from costcurves.curves.hulls import hull
from costcurves.curves.pieces import PIECE, piece_columns
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import CURVE, DATASET, MODEL

ENVELOPES: Final = Contract(
    "envelopes",
    *CURVE,
    *PIECE,
    Column("point", "int64", "index", "the operating point that holds it; -1, -2: trivial"),
    Column("holder", "str", "", "that operating point in words"),
)
DUALITY: Final = Contract(
    "duality",
    DATASET,
    Column("condition", "str", "", "the operating condition's name"),
    Column("pc", "float64", "PC(+)", "the operating condition"),
    Column("cost_ratio", "float64", "cost ratio", "the same as C(-|+) / C(+|-) at the prior"),
    MODEL,
    Column("point", "int64", "index", "the pooled operating point that costs least there"),
    Column("holder", "str", "", "that point in words"),
    Column("fp", "float64", "rate", "its false positive rate"),
    Column("tp", "float64", "rate", "its true positive rate"),
    Column("threshold", "float64", "score", "its threshold; NaN: a decision or trivial"),
    Column("nec", "float64", "nec", "its normalized expected cost there"),
    Column("slope", "float64", "rate / rate", "slope of the iso-performance line through it"),
    Column("intercept", "float64", "rate", "that line's true positive rate at FP = 0"),
)

ALWAYS_NEGATIVE, ALWAYS_POSITIVE = -1, -2  # holders that are no operating point


@dataclass(frozen=True, eq=False)
class Envelope:
    """A lower envelope, continuous, and who holds each of its pieces.

    Holders are (n_pieces,) indices, within the curve, of the operating points whose cost lines the
    pieces are pieces of (of equal points the first), or `ALWAYS_NEGATIVE`, `ALWAYS_POSITIVE`.
    """

    curve: Curve
    holders: IntArray


def lower_envelopes(points: OperatingPoints, trivial: bool = True) -> list[Envelope]:
    """Return the lower envelope of the cost lines of each curve's operating points, one a curve.

    Break points are quotients of integers, rounded once; a piece that is narrower than the spacing
    of doubles there has no width and is left out.

    Parameters
    ----------
    points
        Of any number of curves.
    trivial
        Whether always-negative and always-positive belong to the set. If so, they also stand for
        operating points that are equal to them ((0, 0) and (N, P), which every scoring classifier
        has). If not, the points are taken as they are and such a point is one like any other.

    Raises
    ------
    ValueError
        "curve 1 has no operating point" (without trivial classifiers); "x falls from 5 to 3 at
        point 7, within a curve" where an `fp_count` falls; "curve 1 has 2147483648 negatives and
        2147483648 positives ..." where products of counts could overflow, from 2^32 instances on.

    Examples
    --------
    >>> from costcurves.counts.operating_points import from_scores
    >>> points = from_scores(scores=[0.9, 0.8, 0.7, 0.6, 0.5, 0.4], labels=[1, 1, 0, 1, 0, 0])
    >>> envelope = lower_envelopes(points)[0]
    >>> envelope.holders.tolist(), envelope.curve.pc.tolist()
    ([2, 4], [0.0, 0.5, 1.0])
    """
    expect_exact_products(points.negatives, points.positives)
    vertices = hull(points.fp_count, points.tp_count, points.offsets)
    offsets = np.searchsorted(vertices, points.offsets)
    curve = curve_of_rows(offsets)
    fp, fn = points.fp_count[vertices], points.positives[curve] - points.tp_count[vertices]
    point = vertices - points.offsets[curve]
    return _envelopes(fp, fn, point, offsets, points.negatives, points.positives, trivial)


def lower_envelope(fp: ArrayLike, fn: ArrayLike, trivial: bool = True) -> Envelope:
    """Return the lower envelope of cost lines that are given as rates.

    As `lower_envelopes`, but in double precision: where three lines all but meet in one point,
    rounding decides which of them are members, though not how high the envelope is. `fp` and `fn`
    are (n_lines,) heights at PC(+) = 0 and at 1, in any order; holders are indices into these.
    Rates outside [0, 1], unequal lengths, more than one dimension, and no line at all without the
    trivial classifiers, are a ValueError.
    """
    fp, fn = rate("fp", fp), rate("fn", fn)
    if fp.ndim != 1 or fp.shape != fn.shape:
        raise ValueError(f"fp and fn of shapes {fp.shape} and {fn.shape}, expected one length")
    order = np.lexsort((fn, fp))
    size, offsets = np.ones(1), np.array([0, len(order)])
    return _envelopes(fp[order], fn[order], order, offsets, size, size, trivial)[0]


def _envelopes(
    fp: Array,
    fn: Array,
    point: IntArray,
    offsets: IntArray,
    negatives: Array,
    positives: Array,
    trivial: bool,
) -> list[Envelope]:
    """Give the envelopes of points by rising `fp`, as counts or as rates (of classes of size 1)."""
    if trivial:
        fp, fn, point, offsets = _with_trivial(fp, fn, point, offsets, negatives, positives)
    for curve in np.flatnonzero(np.diff(offsets) == 0):
        raise ValueError(f"curve {curve} has no operating point")
    vertices = hull(fp, -fn, offsets)
    members = np.split(vertices, np.searchsorted(vertices, offsets[1:-1]))
    return [
        _envelope(fp[rows], fn[rows], point[rows], negatives[i], positives[i])
        for i, rows in enumerate(members)
    ]


def _with_trivial(
    fp: Array, fn: Array, point: IntArray, offsets: IntArray, negatives: Array, positives: Array
) -> tuple[Array, Array, IntArray, IntArray]:
    """Put the trivial classifiers at the ends of each curve, and in the place of their equals."""
    curve = curve_of_rows(offsets)
    is_negative = (fp == 0) & (fn == positives[curve])
    is_positive = (fp == negatives[curve]) & (fn == 0)
    point = np.where(is_negative, ALWAYS_NEGATIVE, np.where(is_positive, ALWAYS_POSITIVE, point))
    nothing = np.zeros_like(negatives)
    return (
        framed(fp, offsets, nothing, negatives),
        framed(fn, offsets, positives, nothing),
        framed(point, offsets, ALWAYS_NEGATIVE, ALWAYS_POSITIVE),
        offsets + 2 * np.arange(len(offsets)),
    )


def _envelope(fp: Array, fn: Array, point: IntArray, negatives: Any, positives: Any) -> Envelope:
    """Return the envelope of the vertices of one hull, from left to right.

    Neighbours cost the same where (1 - pc) * (rise of fp) = pc * (fall of fn), in rates. A piece
    without width belongs to a vertex that is no member.
    """
    more_fp, less_fn = np.diff(fp) * positives, -np.diff(fn) * negatives
    breaks = quotient(more_fp, more_fp + less_fn)
    pc = np.maximum.accumulate(np.concatenate(((0.0,), breaks, (1.0,))))
    wide = pc[:-1] < pc[1:]
    curve = Curve(np.append(pc[:-1][wide], 1.0), fp[wide] / negatives, fn[wide] / positives)
    return Envelope(curve, point[wide])


def envelopes(points: pd.DataFrame) -> pd.DataFrame:
    """Take the lower envelope of each curve's cost lines, the trivial classifiers included."""
    points = points[points["level"] != SPLIT].reset_index(drop=True)
    ragged, names = from_table(points)
    lowest = lower_envelopes(ragged)
    curve, columns = piece_columns([envelope.curve for envelope in lowest])
    holders = np.concatenate([envelope.holders for envelope in lowest])
    rows = points.iloc[ragged.offsets[curve] + np.maximum(holders, 0)]
    described = zip(holders, rows["member"], rows["threshold"], strict=True)
    return ENVELOPES.frame(
        **names.iloc[curve].reset_index(drop=True),
        **columns,
        point=holders,
        holder=[holder_in_words(*row) for row in described],
    )


def holder_in_words(point: int, member: str, threshold: float) -> str:
    """Name the classifier that holds a piece.

    >>> holder_in_words(-1, "", np.nan), holder_in_words(4, "", 0.53125)
    ('always negative', 'threshold 0.5312')
    >>> holder_in_words(2, "p(+)=0.3", np.nan), holder_in_words(0, "", np.nan)
    ('member p(+)=0.3', 'decision')
    >>> holder_in_words(3, "", 0.99999871), holder_in_words(3, "", 1.0)
    ('threshold 0.999999', 'threshold 1')
    >>> holder_in_words(5, "", -1.5562)
    'threshold −1.556'
    """
    if point < 0:
        return "always negative" if point == ALWAYS_NEGATIVE else "always positive"
    parts = [f"member {member}"] if member else []
    parts += [] if np.isnan(threshold) else [f"threshold {formats.threshold(threshold)}"]
    return ", ".join(parts) or "decision"


def duality(
    points: pd.DataFrame,
    envelopes: pd.DataFrame,
    measures: pd.DataFrame,
    conditions: Sequence[Condition],
) -> pd.DataFrame:
    """Read the pooled lower envelopes at the marked operating conditions, in both spaces.

    At a break point the piece to its right is taken. At PC(+) = 0 the iso-performance line is
    vertical: slope and intercept are NaN.
    """
    pooled = envelopes[envelopes["level"] == "pooled"]
    thresholds = points[points["level"] == "pooled"].groupby("model", observed=True)["threshold"]
    prior, rows = float(measures["prior"].iloc[0]), []
    for condition in conditions:
        pc = condition.pc
        for model, pieces in pooled.groupby("model", sort=False):
            piece = pieces[pieces["pc_from"] <= pc].iloc[-1]
            point, fp, fn = int(piece["point"]), float(piece["at0"]), float(piece["at1"])
            nec = fn * pc + fp * (1 - pc)
            slope, intercept = cost_point_to_roc_line(pc, nec) if pc > 0 else (np.nan, np.nan)
            row = {
                "condition": condition.name,
                "pc": pc,
                "cost_ratio": float(ratio_from_pc(pc, prior)),
                "model": model,
                "point": point,
                "holder": piece["holder"],
                "fp": fp,
                "tp": 1 - fn,
                "threshold": np.nan,
                "nec": nec,
                "slope": slope,
                "intercept": intercept,
            }
            if point >= 0:
                row["threshold"] = thresholds.get_group(model).iloc[point]
            rows.append(row)
    return DUALITY.rows(rows, dataset=str(measures["dataset"].iloc[0]))
