"""The stages' tables of small cases, and what must be true of any."""

import numpy as np
import pandas as pd
import pytest

from costcurves.counts.counted import counted
from costcurves.curves.envelopes import envelopes
from costcurves.ranking.delong import components_of, standard_error
from costcurves.ranking.measures import rankings
from tests import asymmetric_study as unequal
from tests.result_tables import points_of, staged
from tests.small_study import family, folds_of, scored

LABELS, SCORES = [1, 0, 1, 0, 0], [0.9, 0.1, 0.5, 0.5, 0.2]
ROWS = pd.DataFrame({"fold": [*"11222"], "instance": [*"abcde"], "label": LABELS, "score": SCORES})
ROWS["model"] = "A"


@pytest.mark.parametrize("repeats", [1, 3])
def test_the_error_of_an_auc_is_that_of_its_rows(repeats: int) -> None:
    """Counted where each instance is judged once; else from what each row adds."""
    rows = unequal.folds_of(np.array([1] * 9 + [0] * 31), [3, 2, 3][:repeats], seed=2)
    ranking = [scored(rows, "Vote", 1.0, 3), scored(rows, "Bayes", 0.4, 4)]
    whole = staged(pd.concat([*ranking, family(rows, "F", 5)]))
    table = rankings(whole, counted(whole, seed=3)).set_index(["model", "level"])["auc_se"]
    assert table["F"].isna().all()  # a family does not rank
    for model, part in whole[whole["model"] != "F"].groupby("model", observed=True):
        for level, pooled in (("fold", ""), ("repeat", "fold"), ("pooled", "fold repeat")):
            expected = standard_error(components_of(part, pooled.split()))
            assert expected > 0
            assert table[model, level] == pytest.approx(expected, rel=1e-12)


def test_a_fold_without_a_class_pools_its_repeat_and_no_other() -> None:
    fold, names = [*"1122"] * 2, [*"abcdacbd"]
    rows = pd.DataFrame({"model": "A", "fold": fold, "instance": names, "score": 0.5})
    rows = rows.assign(repeat=[*"11112222"], label=[1, 1, 0, 0, 1, 0, 1, 0])
    points = points_of(staged(rows), seed=3)
    curves = points[points["level"] == "fold"][["repeat", "fold"]].drop_duplicates()
    assert curves.to_numpy().tolist() == [["1", ""], ["2", "1"], ["2", "2"]]
    # What one model lacks is pooled for all.
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
