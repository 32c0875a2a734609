"""Batches of datasets: how a study is divided, and that a batch gives what its datasets give."""

import pandas as pd
import pytest

from costcurves.errors import InputError, of_all
from costcurves.tables.configuration.dataset import Dataset
from costcurves.tables.configuration.stages import MANY, TOGETHER, batches, of
from tests.result_tables import staged, tables_of
from tests.small_study import folds_of, scored

STUDY = [Dataset(f"name {i}", ("a.csv",), title=f"title {i}", slug=f"slug-{i}") for i in range(401)]


@pytest.mark.parametrize("count", [1, 2, MANY])
def test_few_datasets_are_batches_of_their_own(count: int) -> None:
    found = batches(STUDY[:count])
    assert list(found) == [f"slug-{i}" for i in range(count)]
    assert [one for part in found.values() for one in part] == STUDY[:count]


@pytest.mark.parametrize(("count", "last"), [(MANY + 1, 1), (100, 4), (400, 8), (401, 1)])
def test_many_datasets_are_as_many_batches_as_they_need(count: int, last: int) -> None:
    found = batches(STUDY[:count])
    assert [one for part in found.values() for one in part] == STUDY[:count]
    sizes = [len(part) for part in found.values()]
    assert {*sizes[:-1]} == {TOGETHER}
    assert sizes[-1] == last


def test_a_batch_is_named_after_its_first_and_last_dataset() -> None:
    assert list(batches(STUDY[:100]))[::12] == ["datasets-1-8", "datasets-97-100"]


def test_a_batch_gives_the_tables_of_its_datasets() -> None:
    alone = [_results(name, seed) for name, seed in (("b", 1), ("a", 2))]
    for stage in alone[0]:
        whole = pd.concat([one[stage] for one in alone], ignore_index=True)
        for name, one in zip("ba", alone, strict=True):
            pd.testing.assert_frame_equal(of(whole, name), one[stage])


def test_a_table_without_rows_of_a_dataset_is_empty_for_it() -> None:
    rows = pd.DataFrame({"dataset": ["b"], "n": [1]})
    assert [len(of(rows, name)) for name in "ab"] == [0, 1]


def test_the_findings_of_all_datasets_are_told() -> None:
    def refuse(name: str) -> str:
        raise InputError([f"{name} is wrong"])

    with pytest.raises(InputError) as caught:
        of_all(refuse, ["a", "b"])
    assert caught.value.findings == ("a is wrong", "b is wrong")


def _results(name: str, seed: int) -> dict[str, pd.DataFrame]:
    rows = folds_of(24, 1, 3, seed).astype({"repeat": str, "fold": str})
    models = [scored(rows, model, 1.0, seed + place) for place, model in enumerate("MN")]
    frame = staged(pd.concat(models, ignore_index=True))
    found = tables_of(frame.assign(dataset=name))
    return {stage: table.assign(dataset=name) for stage, table in found.items()}


def test_datasets_weighted_by_cost_are_datasets_like_others() -> None:
    few, many = ([*STUDY[:n], *(one.sibling for one in STUDY[:n])] for n in (2, 99))
    assert list(batches(few)) == ["slug-0", "slug-1", "slug-0--costs", "slug-1--costs"]
    found = batches(many)
    assert [one for part in found.values() for one in part] == many
    assert list(found)[11:14:2] == ["datasets-89-96", "datasets-105-112"]
    assert [one.weighted for one in found["datasets-97-104"]] == [False] * 3 + [True] * 5
