"""Operating points: what every threshold, decision or member classifier gets wrong, as counts."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.counts.cost_weights import as_counts
from costcurves.counts.operating_points import OperatingPoints, from_decisions, from_scores
from costcurves.counts.ragged import batches, offsets_of, order_by, rows_of_slices
from costcurves.tables.codes import Integers, blocks, first_rows
from costcurves.tables.contract import stacked
from costcurves.tables.keys import CURVE_NAMES, LEVELS, curve_codes, group_codes, unit_of
from costcurves.threads import on_threads

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
AT_ONCE: Final = 2**20  # rows of small models that are counted together
ENOUGH: Final = 10_000  # instances that are dealt at least, if need be again: fewer are a draw
DEALT: Final = "dealt"
PASS: Final = ["repeat", "fold"]
REPEAT: Final = ["model", "repeat"]
CLASS: Final = ["model", "repeat", "member", "label"]


@dataclass(frozen=True, eq=False)
class Counted:
    """Operating points of all curves at one level, scores apart from decisions."""

    points: OperatingPoints  # their counts, and
    weighed: OperatingPoints  # what these weigh: the same thing where cases count the same
    names: pd.DataFrame  # of each curve: `SET_NAMES`, its number `curve`, the model's `place`

    def rank(self) -> tuple[int, bool]:
        """Rank by level, and scores before decisions."""
        return [*LEVELS, DEALT].index(self.names["level"].iloc[0]), not self.scored

    @property
    def scored(self) -> bool:
        """Whether its points are thresholds of scores."""
        return not np.isnan(self.points.threshold[0])

    def ranks(self) -> pd.Series:
        """Say which curves are of a model's scores, one for each instance."""
        return self.names["member"].eq("") & self.scored


def models_of(predictions: pd.DataFrame, rows: int = 1) -> list[pd.DataFrame]:
    """Cut predictions into those of each model, or of a few with about `rows` rows together."""
    codes = group_codes(predictions, ["model"])
    starts = np.flatnonzero(np.append(True, codes[1:] != codes[:-1]))
    if len(starts) > int(codes.max()) + 1:  # rows of a model are apart, as they never are if staged
        return models_of(predictions.iloc[np.argsort(codes, kind="stable")], rows)
    ends = np.append(starts, len(codes))
    return [predictions.iloc[ends[a] : ends[b]] for a, b in batches(ends, rows)]


def folded(predictions: pd.DataFrame) -> pd.DataFrame:
    """Pool the folds that lack a class."""
    return predictions.assign(**pooled_away(predictions, "fold"))


def counted(predictions: pd.DataFrame, seed: int, threads: int = 1) -> list[Counted]:
    """Count what every threshold gets wrong per fold, per repeat and over all.

    Of a test set without folds also per fold that it is dealt into (`dealt`).
    """
    pooled = folded(predictions)
    deal = dealing(pooled, seed)
    places = {model: place for place, model in enumerate(pooled["model"].unique())}

    def of_some(rows: pd.DataFrame) -> list[Counted]:
        return [
            replace(part, names=part.names.assign(place=part.names["model"].map(places)))
            for part in _counted(rows, deal)
        ]

    parts = chain.from_iterable(on_threads(of_some, models_of(pooled, AT_ONCE), threads))
    return sorted(parts, key=Counted.rank)


def _counted(rows: pd.DataFrame, deal: "Dealing | None") -> Iterator[Counted]:
    """Count at each level for some of the models."""
    last: list[Counted] = []
    for level, keys, is_new in levels(rows):
        last = count(rows, level, keys) if is_new else last
        last = [replace(part, names=part.names.assign(level=level, **keys)) for part in last]
        yield from last
    others = rows if deal is None else deal(rows)
    if others is not rows:
        yield from count(others, DEALT, {})


def dataset_of(counted: Sequence[Counted]) -> str:
    """Return the name of the dataset whose predictions were counted."""
    return str(counted[0].names["dataset"].iloc[0])


def counted_in_folds(predictions: pd.DataFrame) -> list[Counted]:
    """Count what every threshold gets wrong per fold alone."""
    return count(folded(predictions), "fold", {})


def levels(rows: pd.DataFrame) -> Iterator[tuple[str, dict[str, str], bool]]:
    """Give each level, the keys over which it pools, and whether the level before had other curves.

    Where there is one fold, or one repeat, levels have the same curves by other names. In `rows`
    folds without a class are pooled.
    """
    before, passes = 0, curve_codes(rows, PASS)[1]
    counts = len(passes), passes["repeat"].nunique(), 1
    for level, count, over in zip(LEVELS, counts, ([], ["fold"], PASS), strict=True):
        yield level, dict.fromkeys(over, ""), count != before
        before = count


def count(rows: pd.DataFrame, level: str, keys: Mapping[str, str]) -> list[Counted]:
    """Count what is decided at a level, and weigh it where instances weigh differently."""
    kinds: list[tuple[Callable[..., OperatingPoints], str, str, pd.Series]] = [
        (from_scores, "scores", "score", rows["score"].notna()),
        (from_decisions, "decisions", "decision", rows["decision"] >= 0),
    ]
    found = []
    for make, name, column, given in kinds:
        if given.any():
            own = rows if given.all() else rows[given]
            made = partial(make, **{name: own[column]}, labels=own["label"])
            found.append(_count(own, made, level, keys))
    return found


def _count(
    rows: pd.DataFrame, make: Callable[..., OperatingPoints], level: str, keys: Mapping[str, str]
) -> Counted:
    codes, names = curve_codes(rows, [it for it in SET_TEXTS if it not in ("level", *keys)])
    train_pc = rows["train_pc"].to_numpy()[first_rows(codes.to_numpy())]
    names = names.assign(train_pc=train_pc, level=level, **keys)[SET_NAMES]
    groups = codes if len(names) > 1 else None
    points, weight = make(groups=groups), rows["weight"]
    weighed = points if (weight == 1).all() else make(groups=groups, weights=weight)
    return Counted(points, weighed, names.assign(curve=np.arange(len(points))))


def pooled_away(predictions: pd.DataFrame, level: str) -> dict[str, Any]:
    """Empty the keys over which a level pools; keys that don't change are left out.

    At level "fold" the folds of a repeat are pooled, for all models, if one of them lacks a class
    for any model, or has nothing of it that weighs anything.
    """
    if level == "pooled":
        return {"repeat": "", "fold": ""}
    if level == "repeat":
        return {"fold": ""}
    codes, folds = curve_codes(predictions, [*REPEAT, "fold"])
    weighs, positive = (predictions["weight"] > 0).to_numpy(), predictions["label"] == 1
    sizes, positives = (
        np.bincount(codes[which], minlength=len(folds)) for which in (weighs, weighs & positive)
    )
    lacking = (positives == 0) | (positives == sizes)
    if not lacking.any():
        return {}
    pooled = folds["repeat"].isin(folds.loc[lacking, "repeat"])[codes].to_numpy()
    return {"fold": predictions["fold"].astype("str").mask(pooled, "").astype("category")}


@dataclass(frozen=True)
class Dealing:
    """How the instances of a dataset are split into folds: their places in some random orders.

    The scores of one test set are of one classifier, so that its instances can be told apart at
    will: no threshold is judged on what chose it. Folds that lack a class are split anew, all of a
    repeat together; leave-one-out is such a case. Clusters stay whole.
    """

    unit: str  # the column of what stays whole
    orders: Sequence[NDArray[np.int32]]
    repeats: int  # that there are then

    def __call__(self, predictions: pd.DataFrame) -> pd.DataFrame:
        """Deal what has one fold only of some of its models, or give back the very same frame."""
        smallest, codes, later = _alone(predictions, self.unit)
        single = smallest >= 2
        if not single.any():
            return predictions
        rows = predictions if single.all() else predictions[single].reset_index(drop=True)
        into, codes, later = smallest[single], codes[single], later[single]
        numbers = pd.Index([str(number) for number in range(1, FOLDS + 1)])
        parts = [predictions[~single]]
        for number, order in enumerate(self.orders, start=1):
            of_rows = order[rows[self.unit].array.codes]
            of_rows += later.astype(order.dtype) * len(order)
            place = _places(codes, of_rows) % into
            names = [f"{name} dealt {number}" for name in rows["repeat"].cat.categories]
            repeat = rows["repeat"].cat.rename_categories(names)
            parts.append(rows.assign(repeat=repeat, fold=pd.Categorical.from_codes(place, numbers)))
        return stacked(parts)


def dealing(predictions: pd.DataFrame, seed: int) -> Dealing | None:
    """Say how the predictions of a dataset are split, classes evenly; None: they stay as they are.

    Into which fold an instance comes depends on the seed and on the instances alone: it is the same
    for all models, in all repeats, and whatever instances weigh. Each split counts as a repeat.
    What has one instance or cluster of a class stays, and so does everything where a fold would
    have nothing of a class that weighs anything. In `predictions` folds without a class are pooled.
    """
    unit = unit_of(predictions)
    smallest, *_ = _alone(predictions, unit)
    single = smallest >= 2
    if not single.any():
        return None
    own, repeat = (predictions[name].cat.codes.to_numpy() for name in (unit, "repeat"))
    enough = -(-ENOUGH // _distinct(own[single]))
    draws = 1 if not smallest.all() else min(enough, DEALINGS)
    names = predictions[unit].cat.categories
    parts = (np.array([*map(str, names[rows].tolist())], object) for rows in blocks(len(names)))
    hashes = np.concatenate([pd.util.hash_array(part, categorize=False) for part in parts])
    orders = [_order(names, hashes, f"{seed} {number}") for number in range(1, draws + 1)]
    deal = Dealing(unit, orders, _distinct(repeat[~single]) + draws * _distinct(repeat[single]))
    may_lack = unit == "cluster" or predictions["weight"].eq(0).any()
    return None if may_lack and pooled_away(deal(predictions), "fold") else deal


def _distinct(codes: NDArray[np.integer[Any]]) -> int:
    return int(np.count_nonzero(np.bincount(codes)))


def _alone(
    predictions: pd.DataFrame, unit: str
) -> tuple[NDArray[np.int8], Integers, NDArray[np.int8]]:
    """Give of each row into how many folds it may come, 0 where it has some; its class; and 0.

    Where a cluster has both classes, all are one class in place of two, in which those with
    positives alone come first, and those with negatives alone last: 0, 1 or 2. So each fold gets
    both.
    """
    by = CLASS, REPEAT, [*REPEAT, "fold"]
    codes, repeat, fold = (group_codes(predictions, names) for names in by)
    folds, sizes = np.bincount(repeat[first_rows(fold)]), np.bincount(codes)
    together, later = codes, np.zeros(len(predictions), dtype=np.int8)
    if unit == "cluster":
        sizes = np.bincount(codes[first_rows(group_codes(predictions, [*CLASS, unit]))])
        cluster = group_codes(predictions, [unit])
        share = np.bincount(cluster, predictions["label"]) / np.bincount(cluster)
        if ((share > 0) & (share < 1)).any():
            later = (2 - (share > 0) - (share == 1)).astype(np.int8)[cluster]
            together = group_codes(predictions, [*REPEAT, "member"])
    into = np.where(folds > 1, 0, FOLDS)
    np.minimum.at(into, repeat[first_rows(codes)], sizes)
    return into.astype(np.int8)[repeat], together, later


def _order(names: pd.Index, hashes: NDArray[np.uint64], purpose: str) -> NDArray[np.int32]:
    """Give names their places in an order at random: of their hashes, mixed with the purpose."""
    key = int.from_bytes(hashlib.sha256(purpose.encode()).digest()[:8], "little")
    mixed, bits = _mixed(hashes ^ np.uint64(key)), len(names).bit_length()
    # Rows stand behind what is left of their hashes: a plain sort, several times an argsort.
    keys = np.sort(mixed >> bits << bits | np.arange(len(names), dtype=np.uint64))
    short, rows = keys >> bits, (keys & np.uint64(2**bits - 1)).astype(np.int32)
    for equal in short[1:][short[1:] == short[:-1]]:
        run = slice(*np.searchsorted(short, [equal, equal + np.uint64(1)]))
        rows[run] = sorted(rows[run], key=lambda row: (mixed[row], str(names[row])))
    order = np.empty_like(rows)
    order[rows] = np.arange(len(rows), dtype=np.int32)
    return order


def _mixed(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Mix 64 bits, one to one: the last steps of SplitMix64."""
    for shift, times in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        hashes = (hashes ^ hashes >> np.uint64(shift)) * np.uint64(times)
    return hashes ^ hashes >> np.uint64(31)


def _places(codes: Integers, order: Integers) -> Integers:
    """Give rows the places of their units in their classes, from 0, in an order of all units."""
    place, sizes = np.empty_like(order), np.bincount(codes)
    for rows in np.split(order_by(codes, len(sizes)), np.cumsum(sizes)[:-1]):
        own = order[rows]
        there = np.zeros(own.max(initial=-1) + 1, dtype=np.bool_)
        there[own] = True
        place[rows] = np.cumsum(there, dtype=order.dtype)[own] - 1
    return place


def of_curves(points: OperatingPoints, curves: NDArray[np.integer]) -> OperatingPoints:
    """Take some of the curves, in the order in which they are named; all of them are no copy."""
    if np.array_equal(curves, np.arange(len(points))):
        return points
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
    """Put curves behind each other; those of one part are no copy."""
    if len(parts) == 1:
        return parts[0]
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
    """Give a table's curves, rows of whole curves, back as counts, and what names each curve.

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
