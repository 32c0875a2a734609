"""Expected cost per instance in the costs' own unit, against adding up row by row."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from costcurves.costs.instance_costs import FEW, Stake, interval, resampled_costs, stake, warning
from tests.result_tables import staged, tables_of
from tests.tables.test_weighted_tables import by_cost, lognormal, predictions


def test_what_is_at_stake_is_what_trivial_decisions_cost() -> None:
    rng = np.random.default_rng(0)
    costs, labels = rng.lognormal(size=50), np.arange(50) % 3 == 0
    paid = stake(costs, labels, labels.mean())
    assert paid.at0 == pytest.approx(costs[~labels].sum() / 50)
    assert paid.at1 == pytest.approx(costs[labels].sum() / 50)
    assert paid.pc == pytest.approx(costs[labels].sum() / costs.sum())
    assert stake(np.full(1000, 1e300), np.arange(1000) % 2, 0.5).whole == pytest.approx(1e300)


def test_resamples_are_read_at_their_own_mean_costs() -> None:
    paid, grid = Stake(0.25, 8.0, 8.0), np.array([0, 0.25, 0.5, 1])
    share = np.array([[1.0, 1.0], [0.5, 1.5], [1.0, 3.0]])
    heights = np.array([[0, 0.1, 0.3, 0], [0, 0.2, 0.4, 0.1], [0, 0, 0.2, 0.4]])
    costs = resampled_costs(paid, share, grid, heights)
    np.testing.assert_allclose(costs, [8 * 0.1, 6 * 0.4, 12 * 0.2])


def test_an_interval_is_never_below_zero() -> None:
    low, value, high = interval(0.1, np.array([0.0, 1.0]), 5.0, 0.9)
    assert (low, value) == (0.0, 0.1)
    assert high > 1


@pytest.mark.parametrize(
    ("negatives", "positives", "words"),
    [
        (150, 40, ""),
        (150, 20, "the costs of the 40 positives say as much as 20 equal ones: few expensive"),
        (FEW - 1, 40, "the costs of the 200 negatives say as much as 59 equal ones"),
    ],
)
def test_few_expensive_instances_are_warned_of(negatives: int, positives: int, words: str) -> None:
    sizes = {"negatives": 200, "negatives_effective": negatives}
    sizes |= {"positives": 40, "positives_effective": positives}
    text = warning(sizes)
    assert text.startswith(words)
    assert bool(text) == bool(words)


def costs_of(frame: pd.DataFrame) -> dict[str, dict[Any, Any]]:
    """The rows of the table by model."""
    table = tables_of(frame, weighted=True)["instance_costs"]
    return {row["model"]: row for row in table.to_dict("records")}


def test_a_decision_costs_what_its_mistakes_cost() -> None:
    frame = predictions().query("model == 'Bayes' and repeat == '1'").assign(fold="1")
    decided = frame.assign(decision=(frame["score"] > 0.5).astype(int), score=np.nan)
    rows = by_cost(lognormal, decided)
    label = rows["label"].to_numpy()
    paid = np.where(label == 1, rows["cost_fn"], rows["cost_fp"])
    wrong = rows["decision"].to_numpy() != label
    costs = costs_of(rows)
    assert costs["Bayes"]["cost"] == pytest.approx((paid * wrong).mean())
    assert costs["always negative"]["cost"] == pytest.approx((paid * label).mean())
    assert costs["always positive"]["cost"] == pytest.approx((paid * (1 - label)).mean())
    assert costs["Bayes"]["mean_cost_fp"] == pytest.approx(paid[label == 0].mean())
    assert costs["Bayes"]["mean_cost_fn"] == pytest.approx(paid[label == 1].mean())
    assert (costs["Bayes"]["negatives"], costs["Bayes"]["positives"]) == (30, 30)


def test_intervals_widen_with_the_spread_of_costs() -> None:
    varying, equal = costs_of(by_cost(lognormal)), costs_of(by_cost(lambda _: 2.5))
    assert equal["always negative"]["low"] == equal["always negative"]["high"] == 1.25
    assert all(row["negatives_effective"] == 30 for row in equal.values())
    assert all(row["negatives_effective"] < 30 for row in varying.values())
    assert varying["always negative"]["low"] < varying["always negative"]["high"]
    row = varying["Bayes"]
    assert row["low"] <= row["cost"] <= row["high"]
    assert row["auc"] != row["auciv"]
    assert equal["Bayes"]["auc"] == equal["Bayes"]["auciv"]


def test_without_costs_the_table_is_empty() -> None:
    assert tables_of(staged(predictions()))["instance_costs"].empty
