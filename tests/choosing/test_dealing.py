"""A test set without folds is dealt into some: evenly, the same for all, and only where needed."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pandas as pd
import pytest

from costcurves.chance.resamples import resampled_instances
from costcurves.choosing.headline import headline_of
from costcurves.counts.folds import random_splits
from costcurves.counts.operating_points import from_scores
from costcurves.curves.curves import Curve, mean
from costcurves.invariants import check_results
from tests.choosing.fitted import cross_fitted
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


def dealt(predictions: pd.DataFrame, seed: int) -> pd.DataFrame:
    deal = random_splits(predictions, seed)
    return predictions if deal is None else deal(predictions)


def folds_by_instance(result: pd.DataFrame) -> pd.DataFrame:
    """(instances, dealings) the fold of each instance, which must be one for all of its rows."""
    keys: dict[str, Any] = {"index": "instance", "columns": "repeat", "values": "fold"}
    assert result.pivot_table(**keys, aggfunc="nunique").eq(1).all(axis=None)
    return result.pivot_table(**keys, aggfunc="first")


def test_classes_are_dealt_evenly_into_ten_folds_five_times() -> None:
    result = dealt(two_models(), SEED)
    assert result["repeat"].unique().tolist() == [f"1 split {number}" for number in range(1, 6)]
    for label, sizes in ((0, {3}), (1, {1, 2})):  # 30 negatives, 17 positives
        counts = result[result["label"] == label].groupby(["model", "repeat", "fold"]).size()
        assert len(counts) == 100
        assert set(counts) == sizes


def test_threads_deal_alike() -> None:
    """NumPy 2.1 promotes integers by their values in threads."""
    given = two_models(instances=40_000, positives=10_000)
    deal = random_splits(given, SEED)
    assert deal is not None
    with ThreadPoolExecutor(1) as pool:
        outcome = pool.submit(deal, given).result()
    pd.testing.assert_frame_equal(outcome, deal(given))
    sizes = outcome.groupby(["model", "fold", "label"], observed=True).size()
    assert {*sizes} == {1000, 2000}


def test_a_small_class_makes_fewer_folds() -> None:
    result = dealt(two_models(positives=7), SEED)
    assert result["fold"].nunique() == 7
    assert result.groupby(["model", "repeat", "fold"])["label"].nunique().eq(2).all()


@pytest.mark.parametrize(("instances", "dealings"), [(1990, 5), (2600, 4), (12000, 1)])
def test_large_test_sets_are_dealt_less_often(instances: int, dealings: int) -> None:
    rows = scored(one_test_set(instances, positives=instances // 2), "A", 1.0, 2)
    assert dealt(staged(rows), SEED)["repeat"].nunique() == dealings


def test_an_instance_has_one_fold_for_all_models_and_in_all_repeats() -> None:
    rows = one_test_set(repeats=2)
    models = scored(rows, "A", 2.0, 2), scored(rows, "B", 1.0, 3), family(rows, "F", 4)
    result = dealt(staged(pd.concat(models)), SEED)
    of_repeats = folds_by_instance(result)
    assert of_repeats.shape[1] == 10
    for number in range(1, 6):
        first, second = (of_repeats[f"{repeat} split {number}"] for repeat in (1, 2))
        assert first.equals(second)


def test_dealings_differ_and_depend_on_the_seed_but_not_on_the_order_of_rows() -> None:
    given = two_models()
    first, other = (folds_by_instance(dealt(given, seed)) for seed in (SEED, SEED + 1))
    shuffled = given.sample(frac=1, random_state=1)
    assert folds_by_instance(dealt(shuffled, SEED)).equals(first)
    assert not other.equals(first)
    assert len({tuple(first[name]) for name in first}) == 5


def test_names_whose_hashes_are_the_same_are_dealt_by_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def same_for_many(names: Any, **_: Any) -> Any:
        return np.array([int(name) % 5 for name in names], dtype=np.uint64)

    monkeypatch.setattr(pd.util, "hash_array", same_for_many)
    given = two_models()
    first, other = (folds_by_instance(dealt(given, seed)) for seed in (SEED, SEED + 1))
    shuffled = staged(given.sample(frac=1, random_state=1))
    assert folds_by_instance(dealt(shuffled, SEED)).equals(first)
    assert not other.equals(first)


def test_models_on_other_instances_are_dealt_by_themselves() -> None:
    rows = one_test_set()
    given = pd.concat(
        [scored(rows, "A", 2.0, 2), scored(rows[rows["instance"] > "005"], "B", 1, 3)]
    )
    result = dealt(staged(given), SEED)
    assert result.groupby(["model", "repeat", "fold"])["label"].nunique().eq(2).all()


def test_where_there_are_folds_nothing_is_dealt() -> None:
    given = staged(scored(folds_of(40, 2, 4, seed=1), "A", 2.0, 2))
    assert dealt(given, SEED) is given


def test_a_repeat_with_one_fold_is_dealt_once_beside_one_with_folds() -> None:
    folded = folds_of(40, 1, 4, seed=1)
    alone = folds_of(40, 1, 1, seed=1).assign(repeat=2)
    result = dealt(staged(scored(pd.concat([folded, alone]), "A", 2.0, 2)), SEED)
    assert result.groupby("repeat")["fold"].nunique().to_dict() == {"1": 4, "2 split 1": 10}


@pytest.mark.parametrize(
    ("instances", "folds", "resamples", "shared"),
    [(60, 1, 500, 5), (60, 1, 499, 1), (2600, 1, 400, 4), (12000, 1, 500, 1), (60, 4, 500, 1)],
)
def test_resamples_are_shared_out_where_each_split_has_enough(
    instances: int, folds: int, resamples: int, shared: int
) -> None:
    rows = scored(folds_of(instances, 1, folds, seed=4), "A", 1.0, 2)
    assert resampled_instances(staged(rows), resamples, SEED, "d").shared == shared


def test_one_instance_of_a_class_cannot_be_dealt() -> None:
    given = two_models(positives=1)
    assert dealt(given, SEED) is given


def test_the_headline_is_the_mean_of_what_dealings_cost() -> None:
    given = two_models()
    tables = tables_of(given)
    result = dealt(given, 1)  # the seed of these tables
    for model, part in result.groupby("model"):
        curves: list[Curve] = []
        for _, rows in part.groupby("repeat"):
            points = from_scores(
                scores=rows["score"], labels=rows["label"], groups=rows["fold"].astype(int) - 1
            )
            curves.append(cross_fitted(points).curve)
        places = np.linspace(0, 1, 41)
        curve = headline_of(tables["headline"])[str(model)]
        np.testing.assert_allclose(curve(places), mean(curves)(places), atol=1e-12)


def test_what_instances_cost_changes_no_dealing() -> None:
    given = two_models()
    number = given["instance"].astype(int)
    weighed = given.assign(weight=np.where(number == 5, 0.0, 0.5 + number))
    assert folds_by_instance(dealt(weighed, SEED)).equals(folds_by_instance(dealt(given, SEED)))


def test_what_would_leave_folds_without_costs_is_not_dealt() -> None:
    """Of 17 positives in ten folds nine cost something: some fold has none of them."""
    given = two_models()
    number = given["instance"].astype(int)
    costly = (given["label"] == 0) | (number < 39)
    weighed = given.assign(weight=np.where(costly, 0.5 + number, 0.0))
    assert dealt(weighed, SEED) is weighed
    (left_out,) = (
        tables_of(weighed)["criteria"].query("criterion == 'cross-fitted'")["reason"].unique()
    )
    assert "have no instance of a class that costs anything" in left_out


def test_by_cost_the_headline_is_cross_fitted_on_the_same_folds() -> None:
    """By hand: the choice on nine folds' costs, judged by the tenth's, averaged over folds."""
    given = two_models()
    number = given["instance"].astype(int)
    weighed = given.assign(weight=2.0 + number % 7)
    tables = tables_of(weighed)
    assert set(tables["headline"]["estimate"]) == {"cross-fitted"}
    result = dealt(given, 1).assign(weight=lambda rows: 2.0 + rows["instance"].astype(int) % 7)
    for model, part in result.groupby("model"):
        curves: list[Curve] = []
        for _, rows in part.groupby("repeat"):
            points = from_scores(
                scores=rows["score"],
                labels=rows["label"],
                groups=rows["fold"].astype(int) - 1,
                weights=rows["weight"],
            )
            curves.append(cross_fitted(points).curve)
        places = np.linspace(0, 1, 41)
        curve = headline_of(tables["headline"])[str(model)]
        np.testing.assert_allclose(curve(places), mean(curves)(places), atol=1e-12)
    check_results(tables)
