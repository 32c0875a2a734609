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


def test_resamples_are_read_at_their_own_mean_costs_with_an_interval_not_below_zero() -> None:
    paid, grid = Stake(0.25, 8.0, 8.0), np.array([0, 0.25, 0.5, 1])
    share = np.array([[1.0, 1.0], [0.5, 1.5], [1.0, 3.0]])
    heights = np.array([[0, 0.1, 0.3, 0], [0, 0.2, 0.4, 0.1], [0, 0, 0.2, 0.4]])
    costs = resampled_costs(paid, share, grid, heights)
    np.testing.assert_allclose(costs, [8 * 0.1, 6 * 0.4, 12 * 0.2])
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
    text = warning(sizes | {"positives": 40, "positives_effective": positives})
    assert text.startswith(words)
    assert bool(text) == bool(words)


def costs_of(frame: pd.DataFrame) -> Any:
    return tables_of(frame, weighted=True)["instance_costs"].set_index("model")


def test_a_decision_costs_what_its_mistakes_cost() -> None:
    frame = predictions().query("model == 'Bayes' and repeat == '1'").assign(fold="1")
    decided = frame.assign(decision=(frame["score"] > 0.5).astype(int), score=np.nan)
    rows = by_cost(lognormal, decided)
    label = rows["label"].to_numpy()
    paid = np.where(label == 1, rows["cost_fn"], rows["cost_fp"])
    wrong = rows["decision"].to_numpy() != label
    costs = costs_of(rows)
    expected = [(paid * loss).mean() for loss in (wrong, label, 1 - label)]
    assert costs["cost"][["Bayes", "always negative", "always positive"]].tolist() == (
        pytest.approx(expected)
    )
    means = costs.loc["Bayes", ["mean_cost_fp", "mean_cost_fn"]].tolist()
    assert means == pytest.approx([paid[label == value].mean() for value in (0, 1)])
    assert costs.loc["Bayes", ["negatives", "positives"]].tolist() == [30, 30]


def test_intervals_widen_with_the_spread_of_costs() -> None:
    varying, equal = costs_of(by_cost(lognormal)), costs_of(by_cost(lambda _: 2.5))
    assert equal.loc["always negative", ["low", "high"]].tolist() == [1.25, 1.25]
    assert equal["negatives_effective"].eq(30).all()
    assert varying["negatives_effective"].lt(30).all()
    assert varying["low"]["always negative"] < varying["high"]["always negative"]
    assert varying["low"]["Bayes"] <= varying["cost"]["Bayes"] <= varying["high"]["Bayes"]
    assert varying["auc"]["Bayes"] != varying["auciv"]["Bayes"]
    assert equal["auc"]["Bayes"] == equal["auciv"]["Bayes"]


def test_without_costs_the_table_is_empty() -> None:
    assert tables_of(staged(predictions()))["instance_costs"].empty
