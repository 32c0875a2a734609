"""Operating points: what every threshold, decision or member classifier gets wrong, as counts."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.maths.choosable import choosable
from costcurves.maths.cost_weights import as_counts
from costcurves.maths.operating_points import OperatingPoints, from_decisions, from_scores
from costcurves.maths.ragged import curve_of_rows, offsets_of, rows_of_slices
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
MANY: Final = 10_000  # points of a curve, beyond which only what may be chosen is kept
ENOUGH: Final = 10_000  # instances that are dealt at least, if need be again: fewer are a draw
DEALT: Final = "dealt"
PASS: Final = ["repeat", "fold"]
REPEAT: Final = ["model", "repeat"]
CLASS: Final = ["model", "repeat", "member", "label"]


@dataclass(frozen=True, eq=False)
class Counted:
    """Operating points of all curves at one level, scores apart from decisions."""

    points: OperatingPoints  # their counts, and
    weighed: OperatingPoints  # what these weigh: the same thing where instances are unweighted
    names: pd.DataFrame  # of each curve: `SET_NAMES`

    def renamed(self, **names: str) -> "Counted":
        """Give its curves other names."""
        return replace(self, names=self.names.assign(**names))

    def ranks(self) -> pd.Series:
        """Say which curves are of a model's scores, one for each instance."""
        scored = not np.isnan(self.points.threshold[0])
        return self.names["member"].map(lambda member: scored and not member).astype(bool)


def counted(predictions: pd.DataFrame, seed: int) -> list[Counted]:
    """Count what every threshold gets wrong per fold, per repeat and over all.

    Of a test set without folds also per fold that it is dealt into (`dealt`).
    """
    found, last, extra = [], list[Counted](), list[Counted]()
    for level, keys, is_new in levels(predictions):
        rows = predictions.assign(level=level, **keys)
        last = count(rows) if is_new else [one.renamed(level=level, **keys) for one in last]
        found += last
        if level == "fold" and (others := dealt(rows, seed)) is not rows:
            extra = count(others.assign(level=DEALT))
    return found + extra


def counted_in_folds(predictions: pd.DataFrame) -> list[Counted]:
    """Count what every threshold gets wrong per fold alone."""
    return count(predictions.assign(level="fold", **pooled_away(predictions, "fold")))


def levels(predictions: pd.DataFrame) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Give each level, the keys over which it pools, and whether the level before had other curves.

    Where there is one fold, or one repeat, levels have the same curves by other names.
    """
    before = 0
    for level in LEVELS:
        keys = pooled_away(predictions, level)
        passes = len(curve_codes(predictions[PASS].assign(**keys), PASS)[1])
        yield level, keys, passes != before
        before = passes


def count(rows: pd.DataFrame) -> list[Counted]:
    """Count what is decided, and weigh it where instances weigh differently."""
    scored, decided = rows[rows["score"].notna()], rows[rows["decision"] >= 0]
    kinds = [
        (scored, partial(from_scores, scores=scored["score"])),
        (decided, partial(from_decisions, decisions=decided["decision"])),
    ]
    return [_count(own, make) for own, make in kinds if len(own)]


def _count(rows: pd.DataFrame, make: Callable[..., OperatingPoints]) -> Counted:
    codes, names = curve_codes(rows, SET_NAMES)
    points, weight = make(labels=rows["label"], groups=codes), rows["weight"]
    if (weight == 1).all():
        return Counted(points, points, names)
    return Counted(points, make(labels=rows["label"], groups=codes, weights=weight), names)


def operating_points(
    predictions: pd.DataFrame, counted: Sequence[Counted], every_threshold: bool
) -> pd.DataFrame:
    """List every operating point per fold, per repeat and over all, and as dealt.

    A scored model has a point for each distinct score and one that predicts nothing, a decision
    one for each member. A fold that lacks a class has no rates, so it is pooled (`pooled_away`).
    Unless `every_threshold` is asked for, curves of scores with `MANY` points or more have those
    only that may be chosen (`maths.choosable`).
    """
    kept = counted if every_threshold else [_choosable(one) for one in counted]
    points = stacked([_rows(one) for one in kept])
    # Curves by level and model, and within each the points rise by their weights, then by counts.
    level = pd.factorize(points["level"])[0]
    model = pd.Index(predictions["model"].unique()).get_indexer(points["model"])
    codes = curve_codes(points, CURVE_NAMES)[0].to_numpy()
    keys = [points[name] for name in ("tp_count", "fp_count", "tp_weight", "fp_weight")]
    order = np.lexsort((*keys, codes, model, level))
    ordered = points.iloc[order].reset_index(drop=True)
    begun = np.flatnonzero(np.diff(codes[order], prepend=-1))
    place = np.arange(len(order)) - np.repeat(begun, np.diff(begun, append=len(order)))
    return ordered.assign(point=place)


def _choosable(one: Counted) -> Counted:
    """Keep of curves with very many points those that may be chosen.

    Not where they weigh differently, nor of a family; nor where there are repeats of folds: what is
    chosen in one repeat is no threshold of another.
    """
    names = one.names
    if one.weighed is not one.points or not one.ranks().any():
        return one
    repeats = names.groupby("model", sort=False)["repeat"].transform("nunique")
    alone = names["level"].isin(["repeat", "pooled"]) | repeats.eq(1)
    may_lose = alone & one.ranks()
    order = [own.index.to_numpy() for _, own in names.groupby(REPEAT, sort=False)]
    parts = []
    for curves in order:
        points = of_curves(one.points, curves)
        many = np.diff(points.offsets).max() >= MANY
        parts.append(choosable(points) if many and may_lose[curves].all() else points)
    whole = end_to_end(parts)
    return Counted(whole, whole, names.iloc[np.concatenate(order)].reset_index(drop=True))


def pooled_away(predictions: pd.DataFrame, level: str) -> dict[str, Any]:
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
    codes, folds = curve_codes(predictions, [*REPEAT, "fold"])
    sizes, positives = np.bincount(codes), np.bincount(codes, predictions["label"])
    lacking = (positives == 0) | (positives == sizes)
    if not lacking.any():
        return {}
    pooled = folds["repeat"].isin(folds.loc[lacking, "repeat"])[codes].to_numpy()
    return {"fold": predictions["fold"].astype("str").mask(pooled, "").astype("category")}


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
    codes, classes = curve_codes(predictions, CLASS)
    classes["size"] = np.bincount(codes)
    folds = curve_codes(predictions, [*REPEAT, "fold"])[1].groupby(REPEAT, sort=False).size()
    own = pd.MultiIndex.from_frame(classes[REPEAT])
    many = folds.reindex(own).to_numpy()[codes] > 1
    smallest = classes.groupby(REPEAT, sort=False)["size"].transform("min").to_numpy()[codes]
    single = ~many & (smallest >= 2)
    if not single.any():
        return predictions
    rows = predictions[single].reset_index(drop=True)
    into = smallest[single].clip(max=FOLDS)
    enough = -(-ENOUGH // rows["instance"].nunique())
    draws = 1 if many.any() else min(enough, DEALINGS)
    numbers = pd.Index([str(number) for number in range(1, FOLDS + 1)])
    parts = [predictions[~single]]
    for number in range(1, draws + 1):
        place: NDArray[np.int64] = _places(rows, f"{seed} {number}") % into
        fold = pd.Categorical.from_codes(place, numbers)
        names = [f"{name} dealt {number}" for name in rows["repeat"].cat.categories]
        repeat = rows["repeat"].cat.rename_categories(names)
        parts.append(rows.assign(repeat=repeat, fold=fold))
    return stacked(parts)


def _places(rows: pd.DataFrame, purpose: str) -> NDArray[np.int64]:
    """Give each instance its place in its class, from 0, in the order of a hash of their names."""
    names = rows["instance"].cat.categories.to_numpy(dtype=object)
    key = hashlib.sha256(purpose.encode()).hexdigest()[:16]
    rank = np.argsort(np.argsort(pd.util.hash_array(names, hash_key=key), kind="stable"))
    codes, classes = curve_codes(rows, CLASS)
    in_order = np.argsort(codes * len(rank) + rank[rows["instance"].cat.codes], kind="stable")
    sizes = np.bincount(codes, minlength=len(classes))
    place = np.empty_like(in_order)
    place[in_order] = np.arange(len(rows)) - np.repeat(offsets_of(sizes)[:-1], sizes)
    return place


def _rows(one: Counted) -> pd.DataFrame:
    """Give a row for each operating point, named as its curve."""
    points, weighed = one.points, one.weighed
    owner = curve_of_rows(points.offsets)
    names = one.names.astype(dict.fromkeys(SET_TEXTS, "category")).iloc[owner]
    return OPERATING_POINTS.frame(
        **names.reset_index(drop=True),
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


def of_curves(points: OperatingPoints, curves: NDArray[np.integer]) -> OperatingPoints:
    """Take some of the curves, in the order in which they are named."""
    sizes = np.diff(points.offsets)[curves]
    rows = rows_of_slices(points.offsets[curves], sizes)
    return OperatingPoints(
        points.fp_count[rows],
        points.tp_count[rows],
        points.threshold[rows],
        offsets_of(sizes),
        points.negatives[curves],
        points.positives[curves],
    )


def end_to_end(parts: Sequence[OperatingPoints]) -> OperatingPoints:
    """Put curves behind each other."""
    return OperatingPoints(
        np.concatenate([one.fp_count for one in parts]),
        np.concatenate([one.tp_count for one in parts]),
        np.concatenate([one.threshold for one in parts]),
        offsets_of(np.concatenate([np.diff(one.offsets) for one in parts])),
        np.concatenate([one.negatives for one in parts]),
        np.concatenate([one.positives for one in parts]),
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
