"""Operating conditions are the same in every function, and what a threshold in use costs there."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.svm import LinearSVC

import costcurves as cc
from costcurves.chance.intervals import Errors, height_at, wilson
from costcurves.curves.priors import Uniform
from tests.api.data import FIFTEEN, GOOD, X
from tests.api.data import MANY as Y

CV = StratifiedKFold(5, shuffle=True, random_state=3)
P = cross_val_predict(LogisticRegression(), X, Y, cv=CV, method="predict_proba")[:, 1].round(3)
WORSE = np.round(P / 2 + np.random.default_rng(1).random(300) / 2, 3)
pytestmark = pytest.mark.filterwarnings("ignore:in-sample estimate:UserWarning")
CURVE = cc.cost_curve(Y, P, folds=CV)
MODELS = {"good": P, "worse": WORSE}
BOTH = cc.compare_models(Y, MODELS, folds=CV, n_resamples=40)
SCORED = LogisticRegression().fit(X, Y)
DECIDED = P >= 0.4

READERS: dict[str, Callable[..., Any]] = {
    "pc_at": CURVE.pc_at,
    "cost_at": CURVE.cost_at,
    "cost_at a threshold": lambda **at: CURVE.cost_at(threshold=0.4, **at).cost,
    "saved_at": CURVE.saved_at,
    "threshold_for": CURVE.threshold_for,
    "deploy": lambda **at: CURVE.deploy(SCORED, **at).threshold,
    "plot_thresholds": lambda **at: plotted(**at).lines[1].get_xdata()[0],  # the cheapest
    "cheapest_at": BOTH.cheapest_at,
    "cost_loss": lambda **at: cc.cost_loss(Y, P, threshold=0.4, **at),
    "make_cost_scorer": lambda **at: cc.make_cost_scorer(**at)(SCORED, X, Y),
}
IN_AMOUNTS = {"cost_at", "cost_at a threshold", "saved_at", "cost_loss", "make_cost_scorer"}


def plotted(**at: Any) -> Any:
    return CURVE.plot_thresholds(Figure().subplots(), **at)


@pytest.mark.parametrize("name", READERS)
def test_conditions_are_given_in_three_ways(name: str) -> None:
    """A prior of .2 makes a ratio of 12 a PC(+) of .75; if all are wrong a case costs 16."""
    read = READERS[name]
    at_pc, amount = read(pc=0.75), read(cost_fn=60, cost_fp=5, prior=0.2)
    assert read(cost_ratio=12, prior=0.2) == pytest.approx(at_pc)
    assert amount == pytest.approx(16 * at_pc if name in IN_AMOUNTS else at_pc)
    assert read(cost_ratio=3) == pytest.approx(read(cost_ratio=3, prior=Y.mean()))
    if name in ("pc_at", "cost_at", "saved_at", "threshold_for"):
        each = [read(cost_fn=fn, cost_fp=5) for fn in (60, 10)]
        assert read(cost_fn=[60, 10], cost_fp=5).tolist() == each
        assert read([0.2, 0.6]).tolist() == [read(pc) for pc in (0.2, 0.6)]
    elif name not in ("cost_loss", "make_cost_scorer"):
        with pytest.raises(ValueError, match="expected a single operating condition, not several"):
            read(cost_ratio=[1, 2])


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "expected one operating condition: cost_ratio, or cost_fn and cost_fp together, or"),
        ({"cost_fn": 5}, "expected one operating condition"),
        ({"cost_ratio": 1, "cost_fn": 1, "cost_fp": 1}, "expected one operating condition"),
        ({"pc": 0.5, "prior": 0.1}, "PC.* has the prior in it"),
        ({"pc": 1.5}, r"PC\(\+\) must be in .0, 1., found 1.5"),
        ({"cost_ratio": -1}, "cost ratio .* must be at least 0"),
        ({"cost_fn": 0, "cost_fp": 5}, "cost_fn is 0 and cost_fp 5, expected above 0"),
        ({"cost_fn": np.inf, "cost_fp": 5}, "cost_fn is inf and cost_fp 5, expected above 0"),
        ({"cost_ratio": 1, "prior": 1.2}, "prior"),
        ({"ratio": 3}, "unexpected keyword argument 'ratio'"),
    ],
)
def test_conditions_that_are_refused(name: str, given: dict[str, Any], message: str) -> None:
    if given or name not in ("cost_loss", "make_cost_scorer"):  # for these: all conditions
        with pytest.raises((ValueError, TypeError), match=message):
            READERS[name](**given)


def by_hand(threshold: float, pc: float, counts: Any = 1) -> float:
    wrong, weight = (threshold <= P) != Y, np.ones(300) * counts
    rates = [np.average(wrong[label == Y], weights=weight[label == Y]) for label in (0, 1)]
    return float(rates[0] * (1 - pc) + rates[1] * pc)


def test_losses_of_decisions_and_of_scores_that_are_trusted_or_chosen_from() -> None:
    places, twice = [0.0, 0.23, 0.77, 1.0], 1 + np.arange(300) % 2
    decided = [by_hand(0.4, pc) for pc in places]
    ratio = 3 * Y.mean() / (1 + 2 * Y.mean())
    best = [min(by_hand(threshold, pc) for threshold in (np.inf, *P)) for pc in places]
    cases: list[tuple[Any, dict[str, Any], Any]] = [
        (DECIDED, {"pc": places}, decided),
        (P, {"pc": places, "threshold": 0.4}, decided),
        (DECIDED, {"pc": 0, "threshold": 0.9}, decided[0]),  # decisions need none
        (DECIDED, {"pc": 0.3, "sample_weight": twice}, by_hand(0.4, 0.3, twice)),
        (DECIDED, {"cost_ratio": 3}, by_hand(0.4, ratio)),
        (DECIDED, {"cost_fn": 3, "cost_fp": 1}, np.mean((DECIDED != Y) * (1 + 2 * Y))),
        (DECIDED, {}, by_hand(0.4, 0.5)),  # a line's mean is its height at the middle
        (DECIDED, {"over": Uniform(0.5, 1.0)}, by_hand(0.4, 0.75)),
        (P, {"pc": places}, [by_hand(1 - pc, pc) for pc in places]),
        (P, {"pc": places, "threshold": "best"}, best),
    ]
    for score, given, expected in cases:
        assert cc.cost_loss(Y, score, **given) == pytest.approx(expected, rel=1e-14), given


@pytest.mark.parametrize("threshold", [-np.inf, 0.2, 0.4, 1.0, np.inf])
def test_a_threshold_in_use_costs_its_mistakes(threshold: float) -> None:
    """Cases are alone and count the same, so intervals are those of two binomial rates."""
    misses, alarms = (threshold > P) & (Y == 1), (threshold <= P) & (Y == 0)
    positives, share = int(Y.sum()), float(Y.mean())
    errors = Errors(int(alarms.sum()), 300 - positives, int(misses.sum()), positives)
    known = cc.cost_curve(Y, P, folds=CV, prior=share)
    of_prior = np.sqrt(1 / positives + 1 / (300 - positives))  # of the log odds
    for curve, given, odds in ((CURVE, {}, of_prior), (CURVE, {"prior": share}, 0), (known, {}, 0)):
        used = curve.cost_at(cost_fn=50, cost_fp=2, threshold=threshold, **given)
        assert used.cost == pytest.approx((50 * misses.sum() + 2 * alarms.sum()) / 300)
        assert used.misses == pytest.approx(misses.sum() / positives)
        assert used.false_alarms == pytest.approx(alarms.sum() / (300 - positives))
        low, _, high = height_at(wilson(errors), float(CURVE.pc_at(cost_ratio=25)), odds)
        most = 50 * share + 2 * (1 - share)
        assert (used.low, used.high) == pytest.approx((most * low, most * high))


def test_a_threshold_in_use_counts_weights_clusters_and_confidence() -> None:
    twice, each = np.repeat(np.arange(300), 2), np.arange(600)
    plain, rows, alone, weightless, wide = (
        curve.cost_at(0.4, threshold=0.3)
        for curve in (
            cc.cost_curve(Y, P),
            cc.cost_curve(Y[twice], P[twice], groups=twice),
            cc.cost_curve(Y[twice], P[twice], instance=each),
            cc.cost_curve(np.append(Y, 1), np.append(P, 0), sample_weight=[1] * 300 + [0]),
            cc.cost_curve(Y, P, confidence=0.5),
        )
    )
    assert rows.cost == pytest.approx(plain.cost)
    assert weightless == pytest.approx(plain)
    assert rows.low < alone.low  # clusters say less
    assert plain.low < wide.low < plain.cost < wide.high < plain.high


def test_costs_over_thresholds_are_drawn() -> None:
    at: dict[str, Any] = {"cost_fn": 50, "cost_fp": 2}
    axes = plotted(threshold=0.405, **at)
    steps, cheapest, *_ = axes.lines
    thresholds, cost = (np.asarray(values) for values in steps.get_data())
    assert steps.get_drawstyle() == "steps-post"
    for threshold in (0.1, 0.4005, 0.77):
        place = np.flatnonzero(thresholds >= threshold)[-1]  # what is drawn down to the next
        assert cost[place] == pytest.approx(CURVE.cost_at(threshold=threshold, **at).cost)
    best, used = CURVE.threshold_for(cost_ratio=25), CURVE.cost_at(threshold=0.405, **at)
    assert (cheapest.get_xdata()[0], cheapest.get_label()) == (best, f"cheapest: {best}")
    (bar,) = axes.containers
    at_use = bar.get_label(), *bar.lines[0].get_xydata().tolist()
    assert at_use == ("in use: 0.405", [0.405, used.cost])
    assert bar.lines[2][0].get_segments()[0][:, 1] == pytest.approx([used.low, used.high])


@pytest.mark.parametrize("labels", [Y, Y == 1, np.where(Y, "ill", "well")])
@pytest.mark.parametrize("fitted", [True, False])
def test_a_threshold_is_deployed(labels: Any, fitted: bool) -> None:
    positive = "ill" if labels.dtype.kind == "U" else None
    curve = cc.cost_curve(labels, P, folds=CV, pos_label=positive)
    model = LogisticRegression().fit(X, labels) if fitted else LogisticRegression()
    deployed = curve.deploy(model, cost_ratio=5)
    decided = (deployed if fitted else deployed.fit(X, labels)).predict(X)
    risk = SCORED.predict_proba(X)[:, 1]
    assert np.array_equal(decided == (positive or 1), risk >= curve.threshold_for(cost_ratio=5))


def test_margins_are_deployed_as_margins() -> None:
    margins = cross_val_predict(LinearSVC(), X, Y, cv=CV, method="decision_function")
    curve, at = cc.cost_curve(Y, 3 * margins, folds=CV), {"cost_ratio": 0.2}
    assert curve.deploy(LinearSVC(), **at).threshold == curve.threshold_for(**at)
    with pytest.raises(ValueError, match=r"threshold .* is no probability; give the response_meth"):
        curve.deploy(LogisticRegression(), **at)
    by: dict[str, Any] = {"response_method": "decision_function"}
    assert curve.deploy(LogisticRegression(), **at, **by).response_method == "decision_function"


def test_a_reference_is_compared_with() -> None:
    """Bands of differences are for all pairs, whatever the reference."""
    plain = cc.compare_models(Y, MODELS, n_resamples=40)
    given = cc.compare_models(Y, MODELS, n_resamples=40, reference="worse")
    assert set(given.summary()["than"]) == {"worse"}
    (low, high), (lower, higher) = (made.band()["good", "worse"] for made in (plain, given))
    assert (low.area(), high.area()) == (lower.area(), higher.area())


def test_representations_say_what_a_thing_is() -> None:
    areas = ", ".join(f"'{name}' {curve.area:.4f}" for name, curve in BOTH.items())
    assert [*BOTH] == [curve.name for curve in BOTH.values()] == [*MODELS]
    assert repr(BOTH) == f"Comparison of 2 models (areas: {areas})"
    decided = cc.compare_decisions(Y == 1, {"a": Y == 1}, cost_matrix=1 - np.eye(2))
    assert repr(decided) == "Decisions among [False, True] (not ruled out: [('a', 'predicted')])"


def test_the_summary_is_what_to_use_at_each_condition() -> None:
    conditions = [
        {"name": "campaign", "cost_fn": 60, "cost_fp": 5, "unit": "EUR"},
        *({"pc": pc} for pc in (0.05, 0, 1)),
    ]
    named = {"operating_conditions": conditions, "inference": {"resamples": 50}}
    comparison = cc.compare_models(FIFTEEN, {"good": GOOD}, prior=0.2, settings=named)
    summary, curve = comparison.summary().set_index("condition"), comparison["good"]
    assert list(summary["pc"]) == [curve.pc_at(cost_ratio=12), 0.05, 0, 1]
    row = summary.loc["campaign"]
    assert row["lowest"] == comparison.cheapest_at(cost_ratio=12) == "good"
    assert row["cost"] == pytest.approx(curve.cost_at(cost_ratio=12))
    assert row["amount"] == pytest.approx(1000 * curve.cost_at(cost_fn=60, cost_fp=5))
    assert row["saved_amount"] == pytest.approx(1000 * curve.saved_at(cost_fn=60, cost_fp=5))
    assert row["threshold"] == curve.threshold_for(cost_ratio=12)
    flagged = row["threshold"] <= GOOD
    rates = flagged[FIFTEEN == 0].mean(), flagged[FIFTEEN == 1].mean()
    assert row["flagged"] == pytest.approx(0.8 * rates[0] + 0.2 * rates[1])  # at the prior


def test_thresholds_are_those_of_deployment() -> None:
    """Just between two the first is given, also where a condition is named."""
    curve = cc.cost_curve(FIFTEEN, GOOD)
    rows = curve.table("deployment")
    for place in (rows["pc_to"], (rows["pc_from"] + rows["pc_to"]) / 2):
        assert np.array_equal(curve.threshold_for(place), rows["threshold"])
    assert curve.threshold_for(0.0) == rows["threshold"].iloc[0]
    y, scores = [0, 0, 1, 1] * 20, [0.1, 0.6, 0.5, 0.9] * 20
    named = {"operating_conditions": [{"pc": 0.5}]}
    both = cc.compare_models(y, {"good": scores}, settings=named, n_resamples=50)
    assert both.summary()["threshold"].tolist() == [0.9] == [both["good"].threshold_for(0.5)]
