"""Operating points: what every threshold, decision or member classifier gets wrong, as counts."""

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import numpy as np
import pandas as pd

from costcurves.maths.cost_weights import as_counts
from costcurves.maths.operating_points import OperatingPoints, from_decisions, from_scores
from costcurves.tables.contract import Column, Contract, stacked
from costcurves.tables.keys import CURVE, CURVE_NAMES, LEVELS, curve_codes

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

# Each weight, and what it is where all instances weigh 1.
COUNTS: Final = {
    "fp_weight": "fp_count",
    "tp_weight": "tp_count",
    "negatives_weight": "negatives",
    "positives_weight": "positives",
}

SET_TEXTS: Final = [*CURVE_NAMES, "member"]
SET_NAMES: Final = [*SET_TEXTS, "train_pc"]

FOLDS: Final = 10  # into which is dealt at most: each has both classes
DEALINGS: Final = 5  # of a small test set; their mean hardly depends on the draw
ENOUGH: Final = 10_000  # instances that are dealt at least, if need be again: fewer are a draw
DEALT: Final = "dealt"
REPEAT: Final = ["model", "repeat"]
CLASS: Final = ["model", "repeat", "member", "label"]


def operating_points(predictions: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Count the errors of every operating point per fold, per repeat and over all.

    Of a test set without folds also per fold that it is dealt into (`dealt`).

    A scored model has a point for each distinct score and one that predicts nothing, a decision
    one for each member. A fold that lacks a class has no rates, so it is pooled (`pooled_away`).
    """
    levels = [at_level(predictions, level) for level in LEVELS]
    folded = predictions.assign(**pooled_away(predictions, "fold"))
    others = dealt(folded, seed)
    if others is not folded:
        levels.append(at_level(others, DEALT))
    return stacked(levels)


def at_level(predictions: pd.DataFrame, level: str) -> pd.DataFrame:
    """Count the errors at one level only: "fold", "repeat", "pooled", or "dealt" as they are."""
    rows = predictions.assign(level=level, **pooled_away(predictions, level))
    rows[SET_TEXTS] = rows[SET_TEXTS].astype("category")
    scored, decided = rows[rows["score"].notna()], rows[rows["decision"] >= 0]
    points = stacked(
        [
            _points(partial(from_scores, scores=scored["score"]), scored),
            _points(partial(from_decisions, decisions=decided["decision"]), decided),
        ]
    )
    # Curves by model, and within each the points rise by their weights, then by their counts.
    model = pd.Index(rows["model"].unique()).get_indexer(points["model"])
    codes = curve_codes(points, CURVE_NAMES)[0].to_numpy()
    keys = [points[name] for name in ("tp_count", "fp_count", "tp_weight", "fp_weight")]
    order = np.lexsort((*keys, codes, model))
    ordered = points.iloc[order].reset_index(drop=True)
    begun = np.flatnonzero(np.diff(codes[order], prepend=-1))
    place = np.arange(len(order)) - np.repeat(begun, np.diff(begun, append=len(order)))
    return ordered.assign(point=place)


def pooled_away(predictions: pd.DataFrame, level: str) -> dict[str, pd.Series | str]:
    """Empty the keys over which a level pools; keys that don't change are left out.

    At level "fold" the folds of a repeat are pooled, for all models, if one of them lacks a class
    for any model.
    """
    if level == "pooled":
        return {"repeat": "", "fold": ""}
    if level == "repeat":
        return {"fold": ""}
    if level == DEALT:
        return {}
    folds = predictions.groupby(["model", "repeat", "fold"], sort=False)["label"]
    lacking = folds.transform("min").eq(folds.transform("max"))
    pooled = lacking.groupby(predictions["repeat"]).transform("any")
    return {"fold": predictions["fold"].mask(pooled, "")}


def dealt(predictions: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Deal what has one fold only into several, classes evenly; or give back the very same frame.

    The scores of one test set are of one classifier, so that its instances can be told apart at
    will: no threshold is judged on what chose it. Folds that lack a class are dealt anew, all of a
    repeat together; leave-one-out is such a case.

    `predictions` are those of a dataset, folds without a class pooled. Which fold an instance is
    dealt into depends on the seed and on the instances alone: it is the same for all models, and in
    all repeats. Each dealing is a repeat of its own. What has one instance of a class stays, and so
    do instances that count by their costs: what a fold of them weighs would be left to chance.
    """
    if predictions["weight"].ne(1).any():
        return predictions
    folds = predictions.groupby(REPEAT, sort=False)["fold"].transform("nunique")
    sizes = predictions.groupby(CLASS, sort=False)["label"].transform("size")
    smallest = predictions.assign(size=sizes).groupby(REPEAT, sort=False)["size"].transform("min")
    single = folds.eq(1) & smallest.ge(2)
    if not single.any():
        return predictions
    rows = predictions[single].reset_index(drop=True)
    into = smallest[single].clip(upper=FOLDS).to_numpy()
    enough = -(-ENOUGH // rows["instance"].nunique())
    count = 1 if folds.gt(1).any() else min(enough, DEALINGS)
    parts = [predictions[~single]]
    for number in range(1, count + 1):
        fold = (_places(rows, f"{seed} {number}") % into + 1).astype(str)
        parts.append(rows.assign(repeat=rows["repeat"] + f" dealt {number}", fold=fold))
    found: pd.DataFrame = pd.concat(parts, ignore_index=True)
    return found


def _places(rows: pd.DataFrame, purpose: str) -> "pd.Series[int]":
    """Give each instance its place in its class, from 0, in the order of a hash of their names."""
    names = rows["instance"].to_numpy(dtype=object)
    key = hashlib.sha256(purpose.encode()).hexdigest()[:16]
    order = np.lexsort((names.astype(str), pd.util.hash_array(names, hash_key=key)))
    return rows.iloc[order].groupby(CLASS, sort=False).cumcount().reindex(rows.index)


def _points(make: Callable[..., OperatingPoints], rows: pd.DataFrame) -> pd.DataFrame:
    """Count what is decided, and weigh it where instances weigh differently."""
    if rows.empty:
        return OPERATING_POINTS.empty()
    codes, sets = curve_codes(rows, SET_NAMES)
    count = partial(make, labels=rows["label"], groups=codes)
    points, weight = count(), rows["weight"]
    weighed = points if (weight == 1).all() else count(weights=weight)
    owner = np.repeat(np.arange(len(points)), np.diff(points.offsets))
    keys = sets.astype(dict.fromkeys(SET_TEXTS, "category")).iloc[owner].reset_index(drop=True)
    return OPERATING_POINTS.frame(
        **{name: keys[name] for name in SET_NAMES},
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
    )


def from_table(
    points: pd.DataFrame, by: Sequence[str] = CURVE_NAMES
) -> tuple[OperatingPoints, pd.DataFrame]:
    """Give a table's curves, rows of whole curves, back to the maths, and what names each curve.

    Counts are the weights, as integers where they are whole.
    """
    codes, curves = curve_codes(points, list(by))
    sizes = np.bincount(codes.to_numpy(), minlength=len(curves))
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    fp, tp, negatives, positives = as_counts(*(points[name].to_numpy() for name in COUNTS))
    ragged = OperatingPoints(
        fp_count=fp,
        tp_count=tp,
        threshold=points["threshold"].to_numpy(),
        offsets=starts,
        negatives=negatives[starts[:-1]],
        positives=positives[starts[:-1]],
    )
    return ragged, curves


def is_weighted(points: pd.DataFrame) -> bool:
    """Say whether instances have different weights."""
    return any((points[weight] != points[count]).any() for weight, count in COUNTS.items())
