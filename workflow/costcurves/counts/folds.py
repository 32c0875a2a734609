"""Folds: those that lack a class are pooled, and test sets without folds are split at random.

The scores of one test set are of one classifier, so that its cases can be told apart at will: no
threshold is judged on what chose it. Folds that lack a class are split anew, all of a repeat
together; leave-one-out is such a case. Clusters stay whole.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.tables.codes import Integers, blocks, first_rows
from costcurves.tables.contract import stacked
from costcurves.tables.keys import curve_codes, group_codes, unit_of

SPLIT: Final = "split"  # the level of folds at random
FOLDS: Final = 10  # of a random split at most: each has both classes
SPLITS: Final = 5  # of a small test set; their mean hardly depends on the draw
ENOUGH: Final = 10_000  # cases that are split at least, if need be again: fewer are a draw
REPEAT: Final = ["model", "repeat"]
CLASS: Final = ["model", "repeat", "member", "label"]


def folded(predictions: pd.DataFrame) -> pd.DataFrame:
    """Pool the folds that lack a class."""
    return predictions.assign(**pooled_away(predictions, "fold"))


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
class RandomSplits:
    """How the cases of a dataset are split into folds: their places in some random orders."""

    unit: str  # the column of what stays whole
    orders: Sequence[NDArray[np.int32]]
    repeats: int  # that there are then

    def __call__(self, predictions: pd.DataFrame) -> pd.DataFrame:
        """Split what has one fold only of some of its models, or return the very same frame."""
        smallest, codes, later = _alone(predictions, self.unit)
        single = smallest >= 2
        if not single.any():
            return predictions
        rows = predictions if single.all() else predictions[single].reset_index(drop=True)
        into, codes, later = smallest[single], codes[single], later[single].astype(np.int64)
        numbers = pd.Index([str(number) for number in range(1, FOLDS + 1)])
        parts = [predictions[~single]]
        for number, order in enumerate(self.orders, start=1):
            of_rows = pd.Series(order[rows[self.unit].array.codes] + later * len(order))
            place = of_rows.groupby(codes).rank(method="dense").to_numpy(np.int64) - 1
            names = [f"{name} split {number}" for name in rows["repeat"].cat.categories]
            repeat = rows["repeat"].cat.rename_categories(names)
            parts.append(
                rows.assign(repeat=repeat, fold=pd.Categorical.from_codes(place % into, numbers))
            )
        return stacked(parts)


def random_splits(predictions: pd.DataFrame, seed: int) -> RandomSplits | None:
    """Return how predictions are split, classes evenly; None: they stay as they are.

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
    units, repeat = (predictions[name].cat.codes.to_numpy() for name in (unit, "repeat"))
    enough = -(-ENOUGH // len(pd.unique(units[single])))
    draws = 1 if not smallest.all() else min(enough, SPLITS)
    names = predictions[unit].cat.categories
    parts = (np.array([*map(str, names[rows].tolist())], object) for rows in blocks(len(names)))
    hashes = np.concatenate([pd.util.hash_array(part, categorize=False) for part in parts])
    orders = [_order(hashes, f"{seed} {number}") for number in range(1, draws + 1)]
    repeats = len(pd.unique(repeat[~single])) + draws * len(pd.unique(repeat[single]))
    splits = RandomSplits(unit, orders, repeats)
    may_lack = unit == "cluster" or predictions["weight"].eq(0).any()
    return None if may_lack and pooled_away(splits(predictions), "fold") else splits


def _alone(
    predictions: pd.DataFrame, unit: str
) -> tuple[NDArray[np.int8], Integers, NDArray[np.int8]]:
    """Return into how many folds each row may come, 0 where it has some; its class; and 0.

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


def _order(hashes: NDArray[np.uint64], purpose: str) -> NDArray[np.int32]:
    """Return the places of hashed names in an order at random, which the purpose makes.

    Hashes are mixed with it, 64 bits one to one: the last steps of SplitMix64.
    """
    mixed = hashes ^ np.uint64(
        int.from_bytes(hashlib.sha256(purpose.encode()).digest()[:8], "little")
    )
    for shift, times in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ mixed >> np.uint64(shift)) * np.uint64(times)
    order = np.empty(len(mixed), np.int32)
    order[np.argsort(mixed ^ mixed >> np.uint64(31))] = np.arange(len(mixed), dtype=np.int32)
    return order
