"""A test set without folds is split at random: evenly, the same for all, and only where needed."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pandas as pd
import pytest

from costcurves.chance.resamples import resampled_instances
from costcurves.counts.folds import random_splits
from tests.result_tables import staged, tables_of
from tests.small_study import family, folds_of, scored

SEED = 20061


def one_test_set(instances: int = 60, positives: int = 17, repeats: int = 1) -> pd.DataFrame:
    rows = folds_of(instances, repeats, 1, seed=4)
    number = rows["instance"].astype(int)
    return rows[(rows["label"] == 0) | (number < instances // 2 + positives)]


def two_models(**sizes: int) -> pd.DataFrame:
    rows = one_test_set(**sizes)
    return staged(pd.concat([scored(rows, "A", 2.0, 2), scored(rows, "B", 1.0, 3)]))


def split(predictions: pd.DataFrame, seed: int = SEED) -> pd.DataFrame:
    splits = random_splits(predictions, seed)
    return predictions if splits is None else splits(predictions)


def folds_by_instance(rows: pd.DataFrame) -> pd.DataFrame:
    """(instances, splits) the fold of each instance, which must be one for all of its rows."""
    keys: dict[str, Any] = {"index": "instance", "columns": "repeat", "values": "fold"}
    assert rows.pivot_table(**keys, aggfunc="nunique").eq(1).all(axis=None)
    return rows.pivot_table(**keys, aggfunc="first")


@pytest.mark.parametrize(
    ("negatives", "positives", "folds", "splits"),
    [(30, 17, 10, 5), (30, 7, 7, 5), (2000, 1700, 10, 3)],
)
def test_classes_are_split_evenly_into_folds_several_times(
    negatives: int, positives: int, folds: int, splits: int
) -> None:
    """Also in threads, where NumPy 2.1 promotes integers by their values."""
    rows = two_models(instances=2 * negatives, positives=positives)
    with ThreadPoolExecutor(1) as pool:
        made = pool.submit(split, rows).result()
    pd.testing.assert_frame_equal(made, split(rows))
    assert made["repeat"].unique().tolist() == [f"1 split {number + 1}" for number in range(splits)]
    sizes = made.groupby(["label", "model", "repeat", "fold"], observed=True).size()
    assert len(sizes) == 2 * 2 * splits * folds
    for label, size in ((0, negatives), (1, positives)):
        assert {*sizes.xs(label)} == {size // folds, -(-size // folds)}


@pytest.mark.parametrize(
    ("instances", "folds", "resamples", "splits", "shared"),
    [
        (60, 1, 500, 5, 5),
        (60, 1, 499, 5, 1),
        (1990, 1, 400, 5, 1),
        (2600, 1, 400, 4, 4),
        (12000, 1, 500, 1, 1),
        (60, 4, 500, 1, 1),
    ],
)
def test_large_test_sets_are_split_less_often_and_resamples_shared_out(
    instances: int, folds: int, resamples: int, splits: int, shared: int
) -> None:
    rows = staged(scored(folds_of(instances, 1, folds, seed=4), "A", 1.0, 2))
    assert split(rows)["repeat"].nunique() == splits
    assert resampled_instances(rows, resamples, SEED, "d").shared == shared


def test_an_instance_has_one_fold_for_all_models_by_the_seed_and_not_the_order_of_rows() -> None:
    rows = one_test_set(repeats=2)
    models = scored(rows, "A", 2.0, 2), scored(rows, "B", 1.0, 3), family(rows, "F", 4)
    given = staged(pd.concat(models))
    first, other = (folds_by_instance(split(given, seed)) for seed in (SEED, SEED + 1))
    assert first.shape[1] == 10
    for number in range(1, 6):
        assert first[f"1 split {number}"].equals(first[f"2 split {number}"])
    assert len({tuple(first[name]) for name in first}) == 5
    shuffled = given.sample(frac=1, random_state=1)
    assert folds_by_instance(split(shuffled)).equals(first)
    assert not other.equals(first)


def test_only_what_has_one_fold_is_split() -> None:
    folds = staged(scored(folds_of(40, 2, 4, seed=1), "A", 2.0, 2))
    alone = two_models(positives=1)
    assert split(folds) is folds
    assert split(alone) is alone
    both = pd.concat([folds_of(40, 1, 4, seed=1), folds_of(40, 1, 1, seed=1).assign(repeat=2)])
    made = split(staged(scored(both, "A", 2.0, 2)))
    assert made.groupby("repeat")["fold"].nunique().to_dict() == {"1": 4, "2 split 1": 10}
    rows = one_test_set()
    others = pd.concat([scored(rows, "A", 2, 2), scored(rows[rows["instance"] > "005"], "B", 1, 3)])
    classes = split(staged(others)).groupby(["model", "repeat", "fold"])["label"].nunique()
    assert classes.eq(2).all()


def test_what_instances_cost_changes_no_split_but_no_fold_is_without_costs() -> None:
    """Of 17 positives in ten folds nine cost something: some fold has none of them."""
    rows = two_models()
    number = rows["instance"].astype(int)
    weighed = rows.assign(weight=np.where(number == 5, 0.0, 0.5 + number))
    assert folds_by_instance(split(weighed)).equals(folds_by_instance(split(rows)))
    costly = (rows["label"] == 0) | (number < 39)
    few = rows.assign(weight=np.where(costly, 0.5 + number, 0.0))
    assert split(few) is few
    criteria = tables_of(few)["criteria"].query("criterion == 'cross-fitted'")
    (reason,) = criteria["reason"].unique()
    assert "have no instance of a class that costs anything" in reason
