"""Dealing: a test set without folds gets some, so that no threshold is judged on what chose it.

The scores of one test set are of one classifier, so that its instances can be told apart at will:
a threshold is chosen on nine tenths of them and judged on the last. Folds that lack a class are
dealt anew, all of a repeat together; leave-one-out is such a case.
"""

import hashlib
from typing import Final

import numpy as np
import pandas as pd

FOLDS: Final = 10  # at most: each has both classes
DEALINGS: Final = 5  # of a small test set; their mean hardly depends on the draw
ENOUGH: Final = 10_000  # instances that are dealt at least, if need be again: fewer are a draw

DEALT: Final = "dealt"
REPEAT: Final = ["model", "repeat"]
CLASS: Final = ["model", "repeat", "member", "label"]


def dealt(predictions: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Deal what has one fold only into several, classes evenly; or give back the very same frame.

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
