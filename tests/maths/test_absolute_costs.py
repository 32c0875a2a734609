"""Expected cost per instance in the costs' own unit, against adding up row by row."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from costcurves.costs.absolute_costs import Stake, interval, resampled_costs, stake
from costcurves.costs.instance_costs import FEW, instance_costs, warning
from tests.result_tables import resampled, staged, tables_of
from tests.tables.test_weighted_tables import by_cost, lognormal, predictions


def test_what_is_at_stake_is_what_trivial_decisions_cost() -> None:
    rng = np.random.default_rng(0)
    costs, labels = rng.lognormal(size=50), np.arange(50) % 3 == 0
    found = stake(costs, labels, labels.mean())
    assert found.at0 == pytest.approx(costs[~labels].sum() / 50)
    assert found.at1 == pytest.approx(costs[labels].sum() / 50)
    assert found.pc == pytest.approx(costs[labels].sum() / costs.sum())


def test_costs_up_to_1e300_do_not_overflow() -> None:
    found = stake(np.full(1000, 1e300), np.arange(1000) % 2, 0.5)
    assert found.whole == pytest.approx(1e300)


def test_resamples_are_read_at_their_own_mean_costs() -> None:
    found, grid = Stake(6.0, 2.0), np.array([0, 0.25, 0.5, 1])
    share = np.array([[1.0, 1.0], [0.5, 1.5], [1.0, 3.0]])
    heights = np.array([[0, 0.1, 0.3, 0], [0, 0.2, 0.4, 0.1], [0, 0, 0.2, 0.4]])
    costs = resampled_costs(found, share, grid, heights)
    np.testing.assert_allclose(costs, [8 * 0.1, 6 * 0.4, 12 * 0.2])


def test_an_interval_is_never_below_zero() -> None:
    low, value, high = interval(0.1, np.array([0.0, 1.0]), 5.0, 0.9)
    assert (low, value) == (0.0, 0.1)
    assert high > 1


def test_few_expensive_instances_are_warned_of() -> None:
    sizes = {"negatives": 200, "negatives_effective": 150, "positives": 40}
    assert warning({**sizes, "positives_effective": 40}) == ""
    assert warning({**sizes, "positives_effective": 20}) == (
        "the costs of the 40 positives say as much as 20 equal ones: few expensive instances "
        "decide, and the intervals of the cost per instance are too narrow"
    )
    assert "200 negatives" in warning({**sizes, "negatives_effective": FEW - 1, "positives": 0,
                                       "positives_effective": 0})  # fmt: skip


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    return by_cost(lognormal)


def costs_of(frame: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """Give the rows of the table by model."""
    table = tables_of(frame, weighted=True)["instance_costs"]
    return {str(model): dict(table.iloc[place]) for place, model in enumerate(table["model"])}


def test_a_decision_costs_what_its_mistakes_cost() -> None:
    frame = predictions().query("model == 'Bayes' and repeat == '1'").assign(fold="1")
    decided = frame.assign(decision=(frame["score"] > 0.5).astype(int), score=np.nan)
    own = by_cost(lognormal, decided)
    found = costs_of(own)
    label = own["label"].to_numpy()
    paid = np.where(label == 1, own["cost_fn"], own["cost_fp"])
    wrong = own["decision"].to_numpy() != label
    assert found["Bayes"]["cost"] == pytest.approx((paid * wrong).mean())
    assert found["always negative"]["cost"] == pytest.approx((paid * label).mean())
    assert found["always positive"]["cost"] == pytest.approx((paid * (1 - label)).mean())


def test_intervals_widen_with_the_spread_of_costs(rows: pd.DataFrame) -> None:
    varying = costs_of(rows)
    equal = costs_of(by_cost(lambda _: 2.5))
    assert equal["always negative"]["low"] == equal["always negative"]["high"] == 1.25
    assert all(row["negatives_effective"] == 30 for row in equal.values())
    assert all(row["negatives_effective"] < 30 for row in varying.values())
    assert varying["always negative"]["low"] < varying["always negative"]["high"]
    own = varying["Bayes"]
    assert own["low"] <= own["cost"] <= own["high"]
    assert own["auc"] != own["auciv"]
    assert equal["Bayes"]["auc"] == equal["Bayes"]["auciv"]


def test_without_costs_the_table_is_empty() -> None:
    unweighted = staged(predictions())
    tables = tables_of(unweighted)
    assert tables["instance_costs"].empty
    again = instance_costs(
        unweighted,
        tables["operating_points"],
        tables["headline"],
        tables["measures"],
        resampled(unweighted, tables, "repeat"),
        weighted=False,
        confidence=0.9,
    )
    assert list(again) == list(tables["instance_costs"])
