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
from typing import Final

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
        "curve 1 has no operating point" (without no-model baselines); "x falls from 5 to 3 within
        a curve, expected it to rise" where an `fp_count` falls; "curve 1 has 2147483648 negatives
        and 2147483648 positives ..." where products of counts could overflow, from 2^32 cases on.

    Examples
    --------
    >>> from costcurves.counts.operating_points import from_scores
    >>> points = from_scores(scores=[0.9, 0.8, 0.7, 0.6, 0.5, 0.4], labels=[1, 1, 0, 1, 0, 0])
    >>> envelope = lower_envelopes(points)[0]
    >>> envelope.holders.tolist(), envelope.curve.pc.tolist()
    ([2, 4], [0.0, 0.5, 1.0])
    """
    expect_exact_products(points.negatives, points.positives)
    curve = curve_of_rows(points.offsets)
    fn = points.positives[curve] - points.tp_count
    point = np.arange(len(curve)) - points.offsets[curve]
    sizes = points.negatives, points.positives
    return _envelopes(points.fp_count, fn, point, points.offsets, *sizes, trivial)


def lower_envelope(fp: ArrayLike, fn: ArrayLike, trivial: bool = True) -> Envelope:
    """Return the lower envelope of cost lines that are given as rates.

    As `lower_envelopes`, but in double precision: where three lines all but meet in one point,
    rounding decides which of them are members, though not how high the envelope is. `fp` and `fn`
    are (n_lines,) heights at PC(+) = 0 and at 1, in any order; holders are indices into these.
    Rates outside [0, 1], unequal lengths, more than one dimension, and no line at all without the
    no-model baselines, are a ValueError.
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
    """Return the envelopes of points by rising `fp`: counts, or rates (of classes of size 1)."""
    if trivial:
        nothing = np.zeros_like(negatives)
        fp, fn = framed(fp, offsets, nothing, negatives), framed(fn, offsets, positives, nothing)
        point = framed(point, offsets, ALWAYS_NEGATIVE, ALWAYS_POSITIVE)
        offsets = offsets + 2 * np.arange(len(offsets))
    for empty in np.flatnonzero(np.diff(offsets) == 0):
        raise ValueError(f"curve {empty} has no operating point")
    vertices = hull(fp, -fn, offsets)
    hulls = np.split(vertices, np.searchsorted(vertices, offsets[1:-1]))
    envelopes = []
    for rows, n, p in zip(hulls, negatives, positives, strict=True):
        if trivial:
            point[rows[-1]] = ALWAYS_POSITIVE  # also where an operating point equals it
        # Neighbours cost the same where (1 - pc) * (rise of fp) = pc * (fall of fn), in rates.
        more_fp, less_fn = np.diff(fp[rows]) * p, -np.diff(fn[rows]) * n
        breaks = quotient(more_fp, more_fp + less_fn)
        pc = np.maximum.accumulate(np.concatenate(([0.0], breaks, [1.0])))
        wide = pc[:-1] < pc[1:]  # else a vertex is no member
        members = rows[wide]
        curve = Curve(np.append(pc[:-1][wide], 1.0), fp[members] / n, fn[members] / p)
        envelopes.append(Envelope(curve, point[members]))
    return envelopes


def envelopes(points: pd.DataFrame) -> pd.DataFrame:
    """Take the lower envelope of each curve's cost lines, the no-model baselines included."""
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
    at = pd.DataFrame(conditions, columns=Condition._fields).merge(pooled, how="cross")
    at = at[at["pc_from"] <= at["pc"]].drop_duplicates(["name", "model"], keep="last")
    thresholds = points.loc[points["level"] == "pooled", ["model", "point", "threshold"]]
    at = at.merge(thresholds, how="left")
    pc, fp, fn = (at[name].to_numpy(np.float64) for name in ("pc", "at0", "at1"))
    nec, sloped = fn * pc + fp * (1 - pc), pc > 0
    lines = np.full((2, len(at)), np.nan)
    lines[:, sloped] = cost_point_to_roc_line(pc[sloped], nec[sloped])
    return DUALITY.frame(
        **at[["model", "pc", "point", "holder", "threshold"]],
        condition=at["name"],
        cost_ratio=ratio_from_pc(pc, float(measures["prior"].iloc[0])),
        fp=fp,
        tp=1 - fn,
        nec=nec,
        slope=lines[0],
        intercept=lines[1],
        dataset=str(measures["dataset"].iloc[0]),
    )
