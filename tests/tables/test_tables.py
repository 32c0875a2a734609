"""The stages' tables of small cases, and what must be true of any."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from costcurves.counts.counted import counted
from costcurves.curves.envelopes import envelopes
from costcurves.ranking.delong import components_of, standard_error
from costcurves.ranking.measures import rankings
from tests import asymmetric_study as unequal
from tests.result_tables import points_of, staged, tables_of
from tests.small_study import family, folds_of, scored

# Two folds of one repeat, worked by hand: fold 1 is ranked without a mistake, fold 2 has one tie.
COLUMNS: dict[str, list[Any]] = {
    "fold": ["1", "1", "2", "2", "2"], "instance": [*"abcde"], "label": [1, 0, 1, 0, 0],
    "score": [0.9, 0.1, 0.5, 0.5, 0.2],
}  # fmt: skip
ROWS = pd.DataFrame({"model": "A", **COLUMNS})


def test_envelopes_by_hand() -> None:
    pieces = envelopes(points_of(staged(ROWS), seed=3))
    first = pieces[(pieces["level"] == "fold") & (pieces["fold"] == "1")]
    assert first[["at0", "at1"]].to_numpy().tolist() == [[0, 0]]
    assert first["holder"].tolist() == ["threshold 0.9"]
    # Fold 2: always negative (0, 1) meets the line (1/2, 0) at PC(+) = 1/3.
    second = pieces[(pieces["level"] == "fold") & (pieces["fold"] == "2")]
    assert second["holder"].tolist() == ["always negative", "threshold 0.5"]
    assert second["pc_to"].tolist() == [1 / 3, 1]
    assert second["point"].tolist() == [-1, 1]


def test_what_does_not_rank_has_no_interval() -> None:
    names = ["auc_se", "auc_low", "auc_high"]
    rows = folds_of(24, 1, 2, seed=1)
    both = staged(pd.concat([scored(rows, "Vote", 1.0, 3), family(rows, "F", 4)]))
    table = tables_of(both)["measures"]
    assert table.loc[table["model"] == "Vote", names].notna().all(axis=None)
    assert table.loc[table["model"] == "F", names].isna().all(axis=None)


@pytest.mark.parametrize("repeats", [1, 3])
def test_the_error_of_an_auc_is_that_of_its_rows(repeats: int) -> None:
    """Counted where each instance is judged once; else from what each row adds."""
    rows = unequal.folds_of(np.array([1] * 9 + [0] * 31), [3, 2, 3][:repeats], seed=2)
    both = staged(pd.concat([scored(rows, "Vote", 1.0, 3), scored(rows, "Bayes", 0.4, 4)]))
    table = rankings(both, counted(both, seed=3)).set_index(["model", "level"])["auc_se"]
    for model, part in both.groupby("model", observed=True):
        for level, pooled in (("fold", ""), ("repeat", "fold"), ("pooled", "fold repeat")):
            expected = standard_error(components_of(part, pooled.split()))
            assert expected > 0
            assert table[model, level] == pytest.approx(expected, rel=1e-12)


def test_a_fold_without_a_class_pools_its_repeat_and_no_other() -> None:
    fold, names = ["1", "1", "2", "2"] * 2, [*"abcd", *"acbd"]
    rows = pd.DataFrame({"model": "A", "fold": fold, "instance": names, "score": 0.5})
    rows = rows.assign(repeat=["1"] * 4 + ["2"] * 4, label=[1, 1, 0, 0, 1, 0, 1, 0])
    points = points_of(staged(rows), seed=3)
    curves = points[points["level"] == "fold"][["repeat", "fold"]].drop_duplicates()
    assert curves.to_numpy().tolist() == [["1", ""], ["2", "1"], ["2", "2"]]


def test_a_fold_that_lacks_a_class_for_one_model_is_pooled_for_all() -> None:
    fewer = ROWS[ROWS["instance"] != "c"].assign(model="B")
    points = points_of(staged(pd.concat([ROWS, fewer], ignore_index=True)), seed=3)
    folds = points[points["level"] == "fold"].groupby("model")["fold"].unique()
    assert [list(names) for names in folds] == [[""], [""]]


def test_decisions_beside_scores_are_one_more_point() -> None:
    rows = ROWS.assign(fold="1", decision=[1, 0, 1, 0, 0])
    points = points_of(staged(rows), seed=3).query("level == 'pooled'")
    assert len(points) == len({*rows["score"]}) + 2
    assert envelopes(points)["holder"].tolist() == ["decision"]


def test_members_are_named_where_they_hold() -> None:
    members = staged(family(folds_of(24, 2, 3, seed=1), "F", 4))
    holders = {*envelopes(points_of(members, seed=3)).query("point >= 0")["holder"]}
    assert holders <= {"member p=0.2", "member p=0.5", "member p=0.8"}
    assert len(holders) > 1
