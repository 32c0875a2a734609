"""Operating points that a choice may stand on: all that is kept of curves with very many.

Of a million thresholds of a model some hundred are ever the cheapest: the vertices of the ROC
convex hull of each curve, those of the sums over the other folds, where a choice is judged on a
fold that did not make it, and those of the sum over all. With these thresholds alone every lower
envelope and every choice are the same as with all of them, to the last bit.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import pandas as pd

from costcurves.choosing.candidates import align
from costcurves.choosing.choice import Counts, Seen, least, seen_on_all, seen_on_others
from costcurves.counts.counted import SET_TEXTS, Counted, end_to_end, of_curves
from costcurves.counts.elementwise import FloatArray
from costcurves.counts.operating_points import OperatingPoints
from costcurves.counts.ragged import curve_of_rows, offsets_of
from costcurves.curves.hulls import hull
from costcurves.tables.contract import Column, Contract, stacked
from costcurves.tables.keys import CURVE, CURVE_NAMES, curve_codes, group_codes

OPERATING_POINTS: Final = Contract(
    "operating_points",
    *CURVE,
    Column("point", "int64", "index", "place along its curve, from predicting nothing"),
    Column("member", "str", "", "member classifier of a family; empty: none"),
    Column("train_pc", "float64", "PC(+)", "what the member was trained for; NaN: not said"),
    Column("threshold", "float64", "score", "predict positive from here up; NaN: a decision"),
    Column("fp_count", "int64", "instances", "negatives predicted positive"),
    Column("tp_count", "int64", "instances", "positives predicted positive"),
    Column("negatives", "int64", "instances", "negatives judged"),
    Column("positives", "int64", "instances", "positives judged"),
    Column("fp_weight", "float64", "cost", "what the false positives weigh; else their number"),
    Column("tp_weight", "float64", "cost", "what the true positives weigh; else their number"),
    Column("negatives_weight", "float64", "cost", "what the negatives judged weigh"),
    Column("positives_weight", "float64", "cost", "what the positives judged weigh"),
    Column("fp", "float64", "rate", "false positive rate: the cost line's height at PC(+) = 0"),
    Column("fn", "float64", "rate", "false negative rate: the cost line's height at PC(+) = 1"),
    categories=True,
)

MANY: Final = 10_000  # points of a curve, beyond which only what may be chosen is kept


def choosable(points: OperatingPoints) -> OperatingPoints:
    """Keep the thresholds that may be chosen of one model's scores, the same on every curve.

    The curves of `points` are the folds of one repeat, or there is one. Each has a point at every
    threshold that is kept, also where it decides as the one before.

    >>> from costcurves.counts.operating_points import from_scores
    >>> points = from_scores(scores=[5, 4, 3, 2, 1], labels=[1, 0, 0, 1, 0])
    >>> choosable(points).threshold.tolist()
    [inf, 5.0, 2.0, 1.0]
    """
    kept = [points.threshold[hull(points.fp_count, points.tp_count, points.offsets)]]
    if len(points) > 1:
        kept.append(_chosen(points))
    threshold = np.unique(np.concatenate(kept))[::-1]
    rows = np.concatenate(
        [
            first + np.searchsorted(-curve.threshold, -threshold, side="right") - 1
            for first, curve in zip(points.offsets, points, strict=False)
        ]
    )
    sizes = np.full(len(points), len(threshold))
    taken = points.taken(rows, offsets_of(sizes), slice(None))
    return replace(taken, threshold=np.tile(threshold, len(points)))


def _chosen(points: OperatingPoints) -> FloatArray:
    """Return the thresholds of least cost in sums over folds, and those that cost the same."""
    counts, _ = align(points, np.arange(len(points))[:, np.newaxis], _seen)
    candidate = least(_seen(counts)).candidate
    threshold: FloatArray = counts.threshold[candidate % len(counts.threshold)]
    return threshold


def _seen(counts: Counts) -> Seen:
    """Look at the other folds of each fold, and at all folds."""
    others, every = seen_on_others(counts), seen_on_all(counts)
    fp, fn = np.concatenate([others.fp, every.fp]), np.concatenate([others.fn, every.fn])
    return others._replace(fp=fp, fn=fn)


def operating_points(counted: Sequence[Counted]) -> pd.DataFrame:
    """List operating points per fold, per repeat and over all, and in random folds.

    A scored model has a point for each distinct score and one that predicts nothing, a decision
    one for each member. A fold that lacks a class has no rates, so it is pooled (`pooled_away`).
    Curves with `MANY` points or more keep those that may be chosen (`choosing.choosable`).
    """
    points = stacked([_rows(_choosable(part)) for part in counted])
    # Curves by level and model, and within each the points rise by their weights, then by counts.
    level = pd.factorize(points["level"])[0]
    codes = curve_codes(points, CURVE_NAMES)[0].to_numpy()
    names = ("tp_count", "fp_count", "tp_weight", "fp_weight")
    keys = [*(points[name].to_numpy() for name in names), codes, points["place"].to_numpy(), level]
    order = np.lexsort(keys)
    ordered = points.drop(columns="place").iloc[order].reset_index(drop=True)
    begun = np.flatnonzero(np.diff(codes[order], prepend=-1))
    place = np.arange(len(order)) - np.repeat(begun, np.diff(begun, append=len(order)))
    return ordered.assign(point=place)


def _choosable(part: Counted) -> Counted:
    """Keep of curves with very many points those that may be chosen.

    Not where they weigh differently, nor of a family; nor where there are repeats of folds: what is
    chosen in one repeat is no threshold of another.
    """
    names = part.names
    if part.weighed is not part.points or not part.ranks().any():
        return part
    repeats = names.groupby("model", sort=False)["repeat"].transform("nunique")
    alone = names["level"].isin(["repeat", "pooled"]) | repeats.eq(1)
    may_lose = alone & part.ranks()
    codes = group_codes(names, ["model", "repeat"])
    order = np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])
    parts = []
    for curves in order:
        points = part.points if len(order) == 1 else of_curves(part.points, curves)
        many = np.diff(points.offsets).max() >= MANY
        parts.append(choosable(points) if many and may_lose[curves].all() else points)
    whole = end_to_end(parts)
    return Counted(whole, whole, names.iloc[np.concatenate(order)].reset_index(drop=True))


def _rows(part: Counted) -> pd.DataFrame:
    """Return a row for each operating point, named as its curve."""
    points, weighed = part.points, part.weighed
    owner = curve_of_rows(points.offsets)
    return OPERATING_POINTS.frame(
        **{name: pd.Categorical(part.names[name]).take(owner) for name in SET_TEXTS},
        train_pc=part.names["train_pc"].to_numpy()[owner],
        point=0,
        threshold=points.threshold,
        fp_count=points.fp_count,
        tp_count=points.tp_count,
        negatives=points.negatives[owner],
        positives=points.positives[owner],
        fp_weight=weighed.fp_count,
        tp_weight=weighed.tp_count,
        negatives_weight=weighed.negatives[owner],
        positives_weight=weighed.positives[owner],
        fp=weighed.fp,
        fn=weighed.fn,
    ).assign(place=part.names["place"].to_numpy()[owner])
