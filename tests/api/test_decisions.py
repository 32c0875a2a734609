"""`compare_decisions`: several classes and a matrix of costs, as callers use it."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import confusion_matrix

import costcurves as cc
from costcurves.curves.cost_space import pc_from_ratio

LABELS = ["ill", "unsure", "well"]
COSTS = pd.DataFrame(
    [[-1.0, 4.0, 30.0], [2.0, 0.0, 5.0], [3.0, 1.0, 0.0]], index=LABELS, columns=LABELS
)


def cases(count: int = 600, seed: int = 5) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """One class in eight is ill; one model is good, one worse and too sure of itself."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, count, p=[0.125, 0.25, 0.625])
    models = {}
    for name, skill, sureness in (("good", 1.6, 1.0), ("sure", 0.7, 3.0)):
        logit = sureness * (skill * np.eye(3)[truth] + rng.normal(size=(count, 3)))
        models[name] = np.exp(logit) / np.exp(logit).sum(axis=1, keepdims=True)
    return np.array(LABELS)[truth], models


def test_for_two_classes_it_is_the_score_driven_rule() -> None:
    y, models = cases()
    ill = (y == "ill").astype(int)
    p = models["good"][:, 0]
    for fn, fp in ((12.0, 1.0), (3.0, 2.0), (1.0, 5.0)):
        both = {"one": np.column_stack([1 - p, p])}
        found = cc.compare_decisions(ill, both, cost_matrix=[[0, fp], [fn, 0]])
        rule = cc.cost_curve(ill, p, prior=0.5).rule("score-driven")  # trusts p at 1 - PC(+)
        piece = int(rule.pc.searchsorted(pc_from_ratio(fn / fp, 0.5), side="right")) - 1
        rates = rule.at0[piece], rule.at1[piece]
        expected = (1 - ill.mean()) * fp * rates[0] + ill.mean() * fn * rates[1]
        assert found.costs["cost"].iloc[0] == pytest.approx(expected, rel=1e-12)
        wrong = found.confusion("one", per=len(y))
        flagged = p >= fp / (fp + fn)
        assert wrong.to_numpy().tolist() == [
            [np.sum(~flagged & (ill == it)), np.sum(flagged & (ill == it))] for it in (0, 1)
        ]


def test_costs_and_differences_are_means_with_t_intervals() -> None:
    y, models = cases()
    found = cc.compare_decisions(y, models, cost_matrix=COSTS, confidence=0.8)
    assert list(found.costs["rule"]) == [
        *("cheapest", "cheapest", "most probable", "most probable"),
        *("always", "always", "always"),
    ]
    assert found.labels == LABELS
    truth = np.array([LABELS.index(one) for one in y])
    cost = COSTS.to_numpy()
    losses = {name: cost[truth, np.argmin(p @ cost, axis=1)] for name, p in models.items()}
    losses |= {f"always {one}": cost[truth, place] for place, one in enumerate(LABELS)}
    shown = found.costs[found.costs["rule"] != "most probable"].set_index("name")
    possible = {f"always {one}": cost[:, place] for place, one in enumerate(LABELS)}
    for name, loss in losses.items():
        far = np.abs(possible.get(name, cost) - loss.mean()).max() / len(y)
        half = np.hypot(stats.sem(loss), far) * stats.t.ppf(0.9, len(y) - 1)
        row = shown.loc[name, ["cost", "low", "high"]].to_numpy(float)
        assert row == pytest.approx([loss.mean(), loss.mean() - half, loss.mean() + half])
    likely = found.costs.set_index(["name", "rule"])["cost"]["good", "most probable"]
    assert likely == pytest.approx(cost[truth, models["good"].argmax(axis=1)].mean())
    pairs = len(found.differences)
    assert pairs == 10
    first = found.differences.iloc[0]
    less = losses["good"] - losses["sure"]
    error = np.hypot(stats.sem(less), np.abs([-31 - less.mean(), 31 - less.mean()]).max() / len(y))
    half = error * stats.t.ppf(1 - 0.1 / pairs, len(y) - 1)
    assert [first["cost"], first["low"], first["high"]] == pytest.approx(
        [less.mean(), less.mean() - half, less.mean() + half]
    )
    p_value = 2 * stats.t.sf(abs(less.mean()) / error, len(y) - 1)
    assert p_value * (1 - 1e-9) <= first["p"] <= pairs * p_value * (1 + 1e-9)
    assert found.not_ruled_out == [("good", "cheapest")]
    table = found.confusion("good")
    assert table.to_numpy().sum() == pytest.approx(1000)
    assert table.loc["ill"].sum() == pytest.approx(1000 * np.mean(y == "ill"))


def test_clusters_are_one_observation_each() -> None:
    y, models = cases()
    usual = cc.compare_decisions(y, models, cost_matrix=COSTS)
    twice = cc.compare_decisions(
        np.repeat(y, 2),
        {name: np.repeat(p, 2, axis=0) for name, p in models.items()},
        cost_matrix=COSTS,
        groups=np.repeat(np.arange(len(y)), 2),
    )
    for name in ("costs", "differences"):
        once, again = (getattr(it, name) for it in (usual, twice))
        assert again["cost"].tolist() == pytest.approx(once["cost"].tolist())
    first, of_two = usual.costs.iloc[-1], twice.costs.iloc[-1]  # always well
    quantile = stats.t.ppf(0.95, len(y) - 1)
    errors = [((it["high"] - it["low"]) / 2 / quantile) ** 2 for it in (first, of_two)]
    far = max(abs(COSTS["well"] - first["cost"])) / len(y)  # one case more; of two it is half
    assert errors[1] + far**2 * 3 / 4 == pytest.approx(errors[0])


def test_a_matrix_by_name_may_be_in_any_order() -> None:
    y, models = cases()
    usual = cc.compare_decisions(y, models, cost_matrix=COSTS)
    turned = cc.compare_decisions(y, models, cost_matrix=COSTS.iloc[::-1, [1, 2, 0]])
    pd.testing.assert_frame_equal(usual.costs, turned.costs)
    order = [2, 0, 1]
    named = [LABELS[place] for place in order]
    relabelled = cc.compare_decisions(
        y,
        {name: p[:, order] for name, p in models.items()},
        cost_matrix=COSTS.loc[named, named].to_numpy(),
        labels=named,
    )
    for name in models:
        for rule in ("cheapest", "most probable"):
            one, other = (it.costs.set_index(["name", "rule"]) for it in (usual, relabelled))
            assert one.loc[(name, rule), "cost"] == pytest.approx(other.loc[(name, rule), "cost"])


def test_recalibrated_on_other_folds_it_is_another_decision_of_the_same_model() -> None:
    y, models = cases()
    folds = np.array(["a", "b", "c"])[np.arange(len(y)) % 3]
    found = cc.compare_decisions(y, models, cost_matrix=COSTS, folds=folds)
    assert list(found.costs["rule"]) == [
        *("cheapest", "recalibrated", "cheapest", "recalibrated"),
        *("most probable", "most probable", "always", "always", "always"),
    ]
    truth = np.array([LABELS.index(one) for one in y])
    known = np.empty_like(models["sure"])
    for held in (folds == one for one in "abc"):
        for place, own in enumerate(models["sure"].T):
            fitted = IsotonicRegression(out_of_bounds="clip").fit(own[~held], truth[~held] == place)
            known[held, place] = fitted.predict(own[held])
    chosen = (known @ COSTS.to_numpy()).argmin(axis=1)
    loss = COSTS.to_numpy()[truth, chosen].mean()
    costs = found.costs.set_index(["name", "rule"])["cost"]
    assert costs["sure", "recalibrated"] == pytest.approx(loss)
    assert costs["sure", "recalibrated"] < costs["sure", "cheapest"]
    table = found.confusion("sure", "recalibrated", per=len(y))
    assert table.to_numpy() == pytest.approx(confusion_matrix(truth, chosen))
    assert len(found.differences) == 21
    same = cc.compare_decisions(y, models, cost_matrix=COSTS)
    assert "recalibrated" not in set(same.costs["rule"])


def test_cases_that_weigh_nothing_change_nothing() -> None:
    """Their probabilities are as distinct as those of others, so that nothing is left of some."""
    rng = np.random.default_rng(4)
    y, folds = rng.integers(0, 3, 60), rng.integers(0, 4, 60)
    p = rng.dirichlet([1, 2, 3], 60)
    weight = rng.choice([0.0, 1.0, 2.0], 60)
    every, some = (
        cc.compare_decisions(
            y[of],
            {"m": p[of], "other": np.roll(p, 1, axis=0)[of]},
            cost_matrix=[[0, 1, 5], [2, 0, 3], [1, 4, 0]],
            sample_weight=weight[of],
            folds=folds[of],
        )
        for of in (weight >= 0, weight > 0)
    )
    pd.testing.assert_frame_equal(every.costs, some.costs)
    pd.testing.assert_frame_equal(every.differences, some.differences)


def test_a_dear_mistake_may_be_too_rare_to_be_among_the_cases() -> None:
    """Nobody is sent home ill here, and yet one of 40 more might be, which costs 60."""
    y = np.repeat([0, 1], [5, 35])
    p = np.column_stack([np.where(y == 0, 0.999, 0.001), np.where(y == 0, 0.001, 0.999)])
    found = cc.compare_decisions(y, {"m": p}, cost_matrix=[[0, 60], [1, 0]])
    row = found.costs.iloc[0]
    half = 60 / 40 * stats.t.ppf(0.95, 39)
    assert [row["cost"], row["low"], row["high"]] == pytest.approx([0, 0, half])  # none earns
    assert found.not_ruled_out == [
        *(("m", "cheapest"), ("always 0", "always"), ("always 1", "always"))
    ]


def test_of_a_few_clusters_nothing_is_said() -> None:
    """Intervals are all that the matrix makes possible, and nothing is ruled out."""
    y, models = cases()
    for count, few in ((9, True), (10, False)):
        found = cc.compare_decisions(y, models, cost_matrix=COSTS, groups=np.arange(len(y)) % count)
        ends = found.costs[["low", "high"]].drop_duplicates().to_numpy().tolist()
        columns = [[COSTS[one].min(), COSTS[one].max()] for one in LABELS]
        assert (ends == [[-1, 30], *columns]) == few
        assert (set(found.differences["p"]) == {1.0}) == few
        assert (len(found.not_ruled_out) == 5) == few


@pytest.mark.parametrize("digits", [1, 2])
def test_ties_of_rounded_probabilities_are_decided_for_the_later_class(digits: int) -> None:
    """In exact fractions: in tenths with whole costs many are tied, and floats would not say so."""
    y, models = cases(400)
    parts = np.floor(models["good"] * 10**digits).astype(int)
    parts[:, 2] = 10**digits - parts[:, :2].sum(axis=1)
    cost = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    found = cc.compare_decisions(y, {"m": parts / 10**digits}, cost_matrix=cost)
    expected = parts @ np.array(cost)
    decided = 2 - np.argmin(expected[:, ::-1], axis=1)
    ties = (expected == expected.min(axis=1, keepdims=True)).sum(axis=1) > 1
    assert ties.sum() > (4 if digits == 1 else 0)
    truth = np.array([LABELS.index(one) for one in y])
    assert found.costs["cost"].iloc[0] == pytest.approx(np.array(cost)[truth, decided].mean())


def test_columns_of_a_frame_are_the_classes_in_any_order() -> None:
    y, models = cases()
    frame = pd.DataFrame(models["good"], columns=LABELS)
    turned = {"good": frame[LABELS[::-1]]}
    usual = cc.compare_decisions(y, {"good": models["good"]}, cost_matrix=COSTS)
    pd.testing.assert_frame_equal(
        cc.compare_decisions(y, turned, cost_matrix=COSTS).costs, usual.costs
    )


def test_thirds_that_are_rounded_to_two_digits_are_probabilities() -> None:
    thirds = np.full((4, 3), 0.33)
    assert len(cc.compare_decisions(Y, {"m": thirds}, cost_matrix=ZERO).costs) == 5


Y, P = np.array([0, 1, 1, 2]), np.full((4, 3), 1 / 3)
ZERO = 1 - np.eye(3)
OFF = np.array([[0.1, 0, 0], [0, 0, 0], [0, 0.2, 0], [0, 0, 0]])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"models": {"m": P + OFF}},
            r"m at position 0 is \[0.43.*\], expected probabilities that sum to 1 \(2 such\)",
        ),
        ({"models": {"m": P[:, :2]}}, r"m has the shape \(4, 2\), expected \(4, 3\), a column a"),
        ({"models": {"m": np.full((4, 3), np.nan)}}, r"m at position 0 is \[nan"),
        ({"labels": [0, 1, 2, 3]}, r"labels are \[0, 1, 2, 3\], expected the classes of y_true"),
        ({"cost_matrix": np.eye(2)}, r"cost_matrix has the shape \(2, 2\), expected 3 rows and"),
        (
            {"cost_matrix": ZERO + np.diag([0, 2, 0])},
            "cost_matrix: a correct 1 costs 2, more than deciding for 0 there, 1",
        ),
        ({"cost_matrix": np.where(ZERO == 0, 0, np.inf)}, "cost_matrix has the shape"),
        (
            {"cost_matrix": [[0, 10**400, 0], [0] * 3, [0] * 3]},
            r"cost_matrix has the shape \(3, 3\), expected 3 rows and columns of finite numbers",
        ),
        ({"models": {"m": [[10**400, 0, 0]] * 4}}, r"m at position 0 is \[.*inf.*\], expe"),
        ({"confidence": 1.0}, "confidence is 1.0, expected a level between 0 and 1"),
        ({"groups": [7, 7, 7, 7]}, "all cases that count are of one cluster, expected two"),
        ({"folds": [7, 7, 7, 7]}, "all cases that count are of one fold, expected two or more"),
        ({"folds": [7, 7, 7, 1], "sample_weight": [1, 1, 1, 0]}, "that count are of one fold"),
        ({"sample_weight": [0] * 4}, "all cases that count are of one cluster"),
        ({"folds": [1, 2]}, "folds has 2 values"),
        ({"y_true": [0, 1, 1]}, r"m has the shape \(4, 3\), expected \(3, 2\)"),
    ],
)
def test_what_can_not_be_used_is_refused(changes: dict[str, Any], message: str) -> None:
    usual: dict[str, Any] = {"models": {"m": P}, "y_true": Y, "cost_matrix": ZERO}
    with pytest.raises(ValueError, match=message):
        cc.compare_decisions(**usual | changes)
