"""`compare_decisions`: several classes and a matrix of costs, as callers use it."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import costcurves as cc
from costcurves.costs.decision_costs import recalibrated
from costcurves.pairs.comparisons import adjusted

LABELS = ["ill", "unsure", "well"]
COSTS = pd.DataFrame(
    [[-1.0, 4.0, 30.0], [2.0, 0.0, 5.0], [3.0, 1.0, 0.0]], index=LABELS, columns=LABELS
)


def cases(count: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """One class in eight is ill; one model is good, one worse and too sure of itself."""
    rng = np.random.default_rng(5)
    truth = rng.choice(3, count, p=[0.125, 0.25, 0.625])
    models = {}
    for name, skill, sureness in (("good", 1.6, 1.0), ("sure", 0.7, 3.0)):
        logit = sureness * (skill * np.eye(3)[truth] + rng.normal(size=(count, 3)))
        models[name] = np.exp(logit) / np.exp(logit).sum(axis=1, keepdims=True)
    return np.array(LABELS)[truth], models


Y, MODELS = cases(600)


def slow_mean(
    loss: np.ndarray, ends: Any, level: float, unit: np.ndarray, weight: np.ndarray
) -> tuple[list[float], float]:
    """A mean with its t interval, and its p-value; one case more may be as far as can be."""
    mean, units = np.average(loss, weights=weight), np.unique(unit)
    sums = np.array([(weight * (loss - mean))[unit == of].sum() for of in units])
    error = np.sqrt((sums**2).sum() * len(units) / (len(units) - 1)) / weight.sum()
    far = np.abs(np.ravel(ends) - mean).max() * (weight**2).sum() / weight.sum() ** 2
    error = np.hypot(error, far)
    half = error * stats.t.ppf((1 + level) / 2, len(units) - 1)
    ends = np.clip([mean - half, mean + half], np.min(ends), np.max(ends))
    return [mean, *ends], 2 * stats.t.sf(abs(mean) / error, len(units) - 1)


@pytest.mark.parametrize(("count", "clusters"), [(600, 0), (300, 23)])
def test_costs_and_differences_are_means_with_t_intervals(count: int, clusters: int) -> None:
    """Of cases; and of clusters of cases that weigh differently."""
    y, models = cases(count)
    place, cost = np.arange(count), COSTS.to_numpy()
    unit, weight = place % (clusters or count), np.where(clusters, 1.0 + place % 3, 1.0)
    given: dict[str, Any] = {"cost_matrix": COSTS, "confidence": 0.8, "folds": place % 3}
    given |= {"groups": unit, "sample_weight": weight} if clusters else {}
    decided = cc.compare_decisions(y, models, **given)
    truth, losses, columns = np.array([LABELS.index(label) for label in y]), {}, {}
    for name, p in models.items():
        fitted = recalibrated(p, truth, weight, place % 3)
        losses[name, "cheapest"] = cost[truth, (p @ cost).argmin(axis=1)]
        losses[name, "recalibrated"] = cost[truth, (fitted @ cost).argmin(axis=1)]
        losses[name, "most probable"] = cost[truth, p.argmax(axis=1)]
    for of, label in enumerate(LABELS):
        losses[f"always {label}", "always"] = cost[truth, of]
        columns[f"always {label}"] = cost[:, of]
    costs = decided.costs.set_index(["name", "rule"])[["cost", "low", "high"]]
    assert (decided.labels, {*costs.index}) == (LABELS, {*losses})
    share = weight[y == "ill"].sum() / weight.sum()
    for by, loss in losses.items():
        known, _ = slow_mean(loss, columns.get(by[0], cost), 0.8, unit, weight)
        assert costs.loc[[by]].to_numpy()[0] == pytest.approx(known), by
        table = decided.confusion(*by)
        assert (table.to_numpy() * cost).sum() / 1000 == pytest.approx(known[0])
        assert table.loc["ill"].sum() == pytest.approx(1000 * share)
    compared = [by for by in losses if by[1] != "most probable"]
    assert len(decided.differences) == len(compared) * (len(compared) - 1) / 2 == 21
    widest = np.ptp(cost, axis=1).max()
    p_values, dearer = [], set()
    for row in decided.differences.to_dict("records"):
        a, b = ((str(row[f"name_{side}"]), str(row[f"rule_{side}"])) for side in "ab")
        loss = losses[a] - losses[b]
        known, p_value = slow_mean(loss, (-widest, widest), 1 - 0.2 / 21, unit, weight)
        assert [row["cost"], row["low"], row["high"]] == pytest.approx(known)
        p_values.append(p_value)
        if row["p"] <= 0.2:
            dearer.add(a if row["cost"] > 0 else b)
    assert decided.differences["p"].tolist() == pytest.approx(adjusted(p_values))
    assert {*decided.not_ruled_out} == {*compared} - dearer
    assert dearer


def test_classes_may_be_in_any_order_and_named_by_predictions() -> None:
    usual = cc.compare_decisions(Y, MODELS, cost_matrix=COSTS)
    assert list(usual.costs["rule"]) == ["cheapest"] * 2 + ["most probable"] * 2 + ["always"] * 3
    frames = {name: pd.DataFrame(p, columns=LABELS)[LABELS[::-1]] for name, p in MODELS.items()}
    turned = cc.compare_decisions(Y, frames, cost_matrix=COSTS.iloc[::-1, [1, 2, 0]])
    pd.testing.assert_frame_equal(usual.costs, turned.costs)
    order, named = [2, 0, 1], [LABELS[place] for place in (2, 0, 1)]
    others, matrix = {name: p[:, order] for name, p in MODELS.items()}, COSTS.loc[named, named]
    relabelled = cc.compare_decisions(Y, others, cost_matrix=matrix.to_numpy(), labels=named)
    each = [made.costs.sort_values(["name", "rule"]).to_numpy() for made in (usual, relabelled)]
    assert each[0].tolist() == each[1].tolist()
    predicted = {name: np.array(LABELS)[p.argmax(axis=1)] for name, p in MODELS.items()}
    decided = cc.compare_decisions(Y, predicted, cost_matrix=COSTS).costs.iloc[:2]
    assert list(decided["rule"]) == ["predicted"] * 2
    assert decided["cost"].tolist() == usual.costs["cost"].iloc[2:4].tolist()


def test_cases_that_weigh_nothing_change_nothing() -> None:
    """Their probabilities are as distinct as those of others, so that nothing is left of some."""
    rng = np.random.default_rng(4)
    y, folds = rng.integers(0, 3, 60), rng.integers(0, 4, 60)
    p, weight = rng.dirichlet([1, 2, 3], 60), rng.choice([0.0, 1.0, 2.0], 60)
    other, matrix = np.roll(p, 1, axis=0), [[0, 1, 5], [2, 0, 3], [1, 4, 0]]
    tables = []
    for of in (weight >= 0, weight > 0):
        given: dict[str, Any] = {"sample_weight": weight[of], "folds": folds[of]}
        decided = cc.compare_decisions(
            y[of], {"m": p[of], "other": other[of]}, cost_matrix=matrix, **given
        )
        tables.append(pd.concat([decided.costs, decided.differences]))
    pd.testing.assert_frame_equal(tables[0], tables[1])


def test_a_dear_mistake_may_be_too_rare_to_be_among_the_cases() -> None:
    """Nobody is sent home ill here, and yet one of 40 more might be, which costs 60."""
    y = np.repeat([False, True], [5, 35])
    models = {"m": np.where(y[:, None], [0, 1], [1, 0]), "same": y}
    decided = cc.compare_decisions(y, models, cost_matrix=[[0, 60], [1, 0]])
    half = 60 / 40 * stats.t.ppf(0.95, 39)
    ends = decided.costs[["cost", "low", "high"]].to_numpy()[:2]
    assert ends == pytest.approx(np.array([[0, 0, half]] * 2))  # none earns
    known = ["m", "same", "always False", "always True"]
    assert [name for name, _ in decided.not_ruled_out] == known


@pytest.mark.parametrize(("count", "few"), [(9, True), (10, False)])
def test_of_a_few_clusters_nothing_is_said(count: int, few: bool) -> None:
    """Intervals are all that the matrix makes possible, and nothing is ruled out."""
    groups = np.arange(len(Y)) % count
    decided = cc.compare_decisions(Y, MODELS, cost_matrix=COSTS, groups=groups)
    ends = decided.costs[["low", "high"]].drop_duplicates().to_numpy().tolist()
    columns = [[COSTS[label].min(), COSTS[label].max()] for label in LABELS]
    assert (ends == [[-1, 30], *columns]) == few
    assert (set(decided.differences["p"]) == {1.0}) == few
    assert (len(decided.not_ruled_out) == 5) == few


def test_ties_of_rounded_probabilities_are_decided_for_the_later_class() -> None:
    """In exact fractions: in tenths with whole costs many are tied, and floats would not say so."""
    parts = np.floor(MODELS["good"] * 10).astype(int)
    parts[:, 2] = 10 - parts[:, :2].sum(axis=1)
    cost = np.array([[0, 1, 2], [1, 0, 1], [2, 1, 0]])
    decided = cc.compare_decisions(Y, {"m": parts / 10}, cost_matrix=cost)
    expected = parts @ cost
    assert ((expected == expected.min(axis=1, keepdims=True)).sum(axis=1) > 1).sum() > 4
    count = pd.crosstab(Y, 2 - np.argmin(expected[:, ::-1], axis=1)).to_numpy()
    assert decided.confusion("m", per=len(Y)).to_numpy().tolist() == count.tolist()
    assert decided.costs["cost"].iloc[0] == pytest.approx((count * cost).sum() / len(Y))
