"""Every stage with instances that count by their costs: equal costs are a special case."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from costcurves.api.study import Tables
from costcurves.counts.counted import is_weighted
from costcurves.detail import STAGES
from costcurves.invariants import check_results
from costcurves.predictions.staged import weighted
from tests.result_tables import staged, tables_of
from tests.small_study import family, folds_of, scored


def predictions() -> pd.DataFrame:
    """Two models with scores and a family, predicted on the same instances."""
    rows = folds_of(60, 2, 3, seed=9).astype({"repeat": str, "fold": str})
    parts = scored(rows, "Bayes", 1.5, 2), scored(rows, "Trees", 0.8, 3), family(rows, "F", 4)
    return pd.concat(parts, ignore_index=True)


def by_cost(costs: Any, frame: pd.DataFrame | None = None) -> pd.DataFrame:
    """Staged predictions whose rows count by their costs."""
    rows = predictions() if frame is None else frame
    paid = {name: rows["instance"].map(costs).astype(float) for name in ("cost_fp", "cost_fn")}
    return weighted(staged(rows.assign(**paid)))


def lognormal(instance: str) -> float:
    return float(np.random.default_rng(int(instance)).lognormal(sigma=1.0))


@pytest.fixture(scope="module")
def costed() -> Tables:
    return tables_of(by_cost(lognormal), weighted=True)


@pytest.fixture(scope="module")
def unweighted() -> Tables:
    return tables_of(staged(predictions()))


def test_equal_costs_give_the_very_same_tables(unweighted: Tables) -> None:
    equal = tables_of(by_cost(lambda _: 0.3))
    for name in STAGES:
        pd.testing.assert_frame_equal(equal[name], unweighted[name], check_exact=True)


def test_costs_that_differ_give_other_tables_that_hold_every_invariant(
    costed: Tables, unweighted: Tables
) -> None:
    """Tables and rules of counts alone do not apply."""
    assert not costed["headline"].equals(unweighted["headline"])
    assert (check_results(costed)["worst"] <= 1e-12).all()
    for tables, weigh in ((costed, True), (unweighted, False)):
        assert is_weighted(tables["operating_points"]) == weigh
    assert not costed["calibration"].size + costed["threshold_choice"].size
    assert costed["measures"][["auc_se", "auc_low", "auc_high"]].isna().all(axis=None)
    rules = costed["criteria"].query("model == 'Bayes'").set_index("criterion")
    assert "here instances count by their costs or weights; of" in rules["reason"]["rate-driven"]
    assert rules.loc[["cross-fitted", "score-driven", "score-fixed"], "applies"].all()


def test_scaling_the_costs_of_one_class_changes_nothing(costed: Tables) -> None:
    label = dict(zip(predictions()["instance"], predictions()["label"], strict=True))
    scaled = by_cost(lambda name: lognormal(name) * (2**70 if label[name] else 1))
    tables = tables_of(scaled, weighted=True)
    for name in set(STAGES) - {"instance_costs"}:  # in the unit of the costs
        pd.testing.assert_frame_equal(tables[name], costed[name], check_exact=True)


def test_what_decisions_cost_more_is_paired() -> None:
    """Of two models that predict the same one costs nothing more, surely; others are unsure."""
    rows = predictions()
    same = rows[rows["model"] == "Bayes"].assign(model="Twin")
    tables = tables_of(by_cost(lognormal, pd.concat([rows, same])), weighted=True)
    costs = tables["instance_costs"].set_index("model")
    assert costs["more"].equals(costs["cost"] - costs["cost"].min())
    above, below = costs["more_high"] - costs["more"], costs["more"] - costs["more_low"]
    assert (above >= 0).all()
    np.testing.assert_allclose(above, below)
    assert costs.loc[["Bayes", "Twin"], ["more", "more_low", "more_high"]].eq(0).all(axis=None)
    trees, best = (costs["high"] - costs["cost"])[["Trees", "Bayes"]]
    assert abs(trees - best) < above["Trees"] < trees + best


def test_a_fold_of_which_a_class_costs_nothing_is_pooled() -> None:
    free = predictions().query("repeat == '2' and fold == '3' and label == 0")
    costs = dict.fromkeys(free["instance"], 0.0)
    tables = tables_of(by_cost(lambda name: costs.get(name, 1.0 + int(name))), weighted=True)
    check_results(tables)
    folds = tables["envelopes"].query("level == 'fold'").groupby("repeat")["fold"].agg(set)
    assert folds.to_dict() == {"1": {"1", "2", "3"}, "2": {""}}


def test_decisions_count_by_cost_too_also_where_one_costs_a_million() -> None:
    rows = predictions().query("model != 'F'")
    decided = rows.assign(decision=(rows["score"] > 0.5).astype(int), score=np.nan)
    tables = tables_of(by_cost(lognormal, decided))
    for name in ("bands", "comparisons"):
        assert {*tables[name]["method"]} == {"resampled instances"}
    check_results(tables)
    tables = tables_of(by_cost(lambda name: 1e6 if name == "007" else 1.0))
    widths = tables["intervals"].query("quantity == 'area' and model == 'Bayes'")
    assert (widths["high"] - widths["low"]).iloc[0] > 0.1
    check_results(tables)
