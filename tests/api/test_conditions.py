"""Operating conditions are the same in every function, and what a threshold in use costs there."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    KFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_val_predict,
)
from sklearn.svm import LinearSVC

import costcurves as cc
from costcurves.chance.intervals import Errors, height_at, wilson

RNG = np.random.default_rng(12)
Y = (RNG.random(300) < 0.3).astype(int)
X = RNG.normal(size=(300, 2)) + Y[:, None] * [1.5, 0.5]
CV = StratifiedKFold(5, shuffle=True, random_state=3)
P = cross_val_predict(LogisticRegression(), X, Y, cv=CV, method="predict_proba")[:, 1].round(3)
WORSE = np.round(P / 2 + RNG.random(300) / 2, 3)
CURVE = cc.cost_curve(Y, P, folds=CV)
BOTH = cc.compare_models(Y, {"good": P, "worse": WORSE}, folds=CV, n_resamples=40)
SCORED = LogisticRegression().fit(X, Y)

Read = Callable[..., Any]
READERS: dict[str, Read] = {
    "pc_at": CURVE.pc_at,
    "cost_at": CURVE.cost_at,
    "cost_at a threshold": lambda **at: CURVE.cost_at(threshold=0.4, **at).cost,
    "saved_at": CURVE.saved_at,
    "threshold_for": CURVE.threshold_for,
    "deploy": lambda **at: CURVE.deploy(SCORED, **at).threshold,
    "plot_thresholds": lambda **at: drawn(CURVE.plot_thresholds(Figure().subplots(), **at)),
    "cheapest_at": BOTH.cheapest_at,
    "cost_loss": lambda **at: cc.cost_loss(Y, P, threshold=0.4, **at),
    "make_cost_scorer": lambda **at: cc.make_cost_scorer(**at)(SCORED, X, Y),
}
IN_AMOUNTS = {"cost_at", "cost_at a threshold", "saved_at", "cost_loss", "make_cost_scorer"}


def drawn(axes: Any) -> Any:
    """Return the cheapest threshold that is drawn."""
    return axes.lines[1].get_xdata()[0]


@pytest.mark.parametrize("name", READERS)
def test_conditions_are_given_in_three_ways(name: str) -> None:
    """A prior of .2 makes a ratio of 12 a PC(+) of .75; if all are wrong a case costs 16."""
    read = READERS[name]
    at_pc = read(pc=0.75)
    unit = 16 if name in IN_AMOUNTS else 1
    near: Any = (lambda value: value) if isinstance(at_pc, str) else pytest.approx
    assert read(cost_ratio=12, prior=0.2) == near(at_pc)
    amount = read(cost_fn=60, cost_fp=5, prior=0.2)
    assert amount == near(at_pc if unit == 1 else unit * at_pc)
    assert read(cost_ratio=3) == near(read(cost_ratio=3, prior=Y.mean()))


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "expected one operating condition: cost_ratio, or cost_fn and cost_fp together, or"),
        ({"cost_fn": 5}, "expected one operating condition"),
        ({"pc": 0.5, "cost_ratio": 1}, "expected one operating condition"),
        ({"cost_ratio": 1, "cost_fn": 1, "cost_fp": 1}, "expected one operating condition"),
        ({"pc": 0.5, "prior": 0.1}, "PC.* has the prior in it"),
        ({"pc": 1.5}, r"PC\(\+\) must be in .0, 1., found 1.5"),
        ({"cost_ratio": -1}, "cost ratio .* must be at least 0"),
        ({"cost_fn": 0, "cost_fp": 5}, "cost_fn is 0 and cost_fp 5, expected above 0"),
        ({"cost_fn": -5, "cost_fp": -5}, "cost_fn is -5 and cost_fp -5, expected above 0"),
        ({"cost_fn": np.inf, "cost_fp": 5}, "cost_fn is inf and cost_fp 5, expected above 0"),
        ({"cost_ratio": 1, "prior": 1.2}, "prior"),
        ({"ratio": 3}, "unexpected keyword argument 'ratio'"),
    ],
)
def test_conditions_that_are_refused(name: str, given: dict[str, Any], message: str) -> None:
    if given or name not in ("cost_loss", "make_cost_scorer"):  # for these: all conditions
        with pytest.raises((ValueError, TypeError), match=message):
            READERS[name](**given)


@pytest.mark.parametrize("name", ["pc_at", "cost_at", "saved_at", "threshold_for"])
def test_several_conditions_are_an_array(name: str) -> None:
    costs = {"cost_fn": [60, 10], "cost_fp": 5}
    each = [READERS[name](cost_fn=fn, cost_fp=5) for fn in (60, 10)]
    assert READERS[name](**costs).tolist() == each
    assert READERS[name]([0.2, 0.6]).tolist() == [READERS[name](pc) for pc in (0.2, 0.6)]


@pytest.mark.parametrize(
    "name", ["cost_at a threshold", "deploy", "plot_thresholds", "cheapest_at"]
)
def test_several_conditions_are_refused_where_one_is_meant(name: str) -> None:
    with pytest.raises(ValueError, match="expected a single operating condition, not several"):
        READERS[name](cost_ratio=[1, 2])


@pytest.mark.parametrize("threshold", [-np.inf, 0.2, 0.4, 1.0, np.inf])
def test_a_threshold_in_use_costs_its_mistakes(threshold: float) -> None:
    """Cases are alone and count the same, so intervals are those of two binomial rates."""
    misses, alarms = (threshold > P) & (Y == 1), (threshold <= P) & (Y == 0)
    used = CURVE.cost_at(cost_fn=50, cost_fp=2, threshold=threshold)
    assert used.cost == pytest.approx((50 * misses.sum() + 2 * alarms.sum()) / 300)
    assert used.misses == pytest.approx(misses.sum() / Y.sum())
    assert used.false_alarms == pytest.approx(alarms.sum() / (1 - Y).sum())
    errors = Errors(int(alarms.sum()), int((1 - Y).sum()), int(misses.sum()), int(Y.sum()))
    pc = CURVE.pc_at(cost_ratio=25)
    most = 50 * Y.mean() + 2 * (1 - Y.mean())
    of_prior = np.sqrt(1 / Y.sum() + 1 / (1 - Y).sum())  # of the log odds
    for given, odds in (({}, of_prior), ({"prior": Y.mean()}, 0.0)):
        used = CURVE.cost_at(cost_fn=50, cost_fp=2, threshold=threshold, **given)
        low, _, high = height_at(wilson(errors), float(pc), odds)
        assert (used.low, used.high) == pytest.approx((most * low, most * high))
    known = cc.cost_curve(Y, P, folds=CV, prior=float(Y.mean()))
    assert known.cost_at(pc, threshold=threshold) == CURVE.cost_at(pc, threshold=threshold)
    assert known.cost_at(cost_ratio=25, threshold=threshold).low == pytest.approx(low)


def test_a_threshold_in_use_counts_weights_and_clusters() -> None:
    weight, twice = 1 + np.arange(300) % 3, np.repeat(np.arange(300), 1 + np.arange(300) % 3)
    weighted = cc.cost_curve(Y, P, folds=CV, sample_weight=weight)
    rows = cc.cost_curve(Y[twice], P[twice], folds=twice % 5, groups=twice)
    used, other = (curve.cost_at(cost_ratio=4, threshold=0.3) for curve in (weighted, rows))
    assert used.cost == pytest.approx(other.cost)
    assert other.low < CURVE.cost_at(cost_ratio=4, threshold=0.3).cost < other.high
    alone = cc.cost_curve(Y[twice], P[twice], folds=twice % 5, instance=np.arange(len(twice)))
    assert alone.cost_at(0.4, threshold=0.3).low > other.low  # clusters say less
    nothing = cc.cost_curve(
        np.append(Y, 1), np.append(P, 0.0), sample_weight=np.append(Y * 0 + 1, 0)
    )
    plain = cc.cost_curve(Y, P)
    assert nothing.cost_at(0.4, threshold=0.3) == pytest.approx(plain.cost_at(0.4, threshold=0.3))
    wide = cc.cost_curve(Y, P, confidence=0.5).cost_at(0.4, threshold=0.3)
    assert wide.low > plain.cost_at(0.4, threshold=0.3).low


def test_costs_over_thresholds_are_drawn() -> None:
    axes = CURVE.plot_thresholds(Figure().subplots(), threshold=0.405, cost_fn=50, cost_fp=2)
    steps, cheapest, *_ = axes.lines
    at, cost = (np.asarray(values) for values in steps.get_data())
    assert steps.get_drawstyle() == "steps-post"
    for threshold in (0.1, 0.4005, 0.77):
        place = np.flatnonzero(at >= threshold)[-1]  # what is drawn down to the next
        expected = CURVE.cost_at(cost_fn=50, cost_fp=2, threshold=threshold).cost
        assert cost[place] == pytest.approx(expected)
    best = CURVE.threshold_for(cost_ratio=25)
    assert (cheapest.get_xdata()[0], cheapest.get_label()) == (best, f"cheapest: {best}")
    used = CURVE.cost_at(cost_fn=50, cost_fp=2, threshold=0.405)
    (bar,) = axes.containers
    assert not axes.get_legend().get_frame_on()
    assert bar.get_label() == "in use: 0.405"
    assert bar.lines[0].get_xydata().tolist() == [[0.405, used.cost]]
    assert bar.lines[2][0].get_segments()[0][:, 1] == pytest.approx([used.low, used.high])


@pytest.mark.parametrize("labels", [Y, Y == 1, np.where(Y, "ill", "well")])
@pytest.mark.parametrize("fitted", [True, False])
def test_a_threshold_is_deployed(labels: Any, fitted: bool) -> None:
    positive = "ill" if labels.dtype.kind == "U" else None
    curve = cc.cost_curve(labels, P, folds=CV, pos_label=positive)
    model = LogisticRegression().fit(X, labels) if fitted else LogisticRegression()
    deployed = curve.deploy(model, cost_ratio=5)
    decided = (deployed if fitted else deployed.fit(X, labels)).predict(X)
    risk = LogisticRegression().fit(X, Y).predict_proba(X)[:, 1]
    assert np.array_equal(decided == (positive or 1), risk >= curve.threshold_for(cost_ratio=5))


def test_margins_are_deployed_as_margins() -> None:
    margins = cross_val_predict(LinearSVC(), X, Y, cv=CV, method="decision_function")
    curve = cc.cost_curve(Y, 10 * margins, folds=CV)
    assert curve.deploy(LinearSVC(), cost_ratio=0.2).threshold == curve.threshold_for(
        cost_ratio=0.2
    )
    with pytest.raises(ValueError, match=r"threshold .* is no probability; give the response_meth"):
        curve.deploy(LogisticRegression(), cost_ratio=0.2)
    deployed = curve.deploy(
        LogisticRegression(), cost_ratio=0.2, response_method="decision_function"
    )
    assert deployed.response_method == "decision_function"


def test_decisions_have_no_threshold() -> None:
    decided = cc.cost_curve(Y, P > 0.5)
    asks: list[Callable[[], object]] = [
        lambda: decided.cost_at(0.3, threshold=0.4),
        lambda: decided.deploy(SCORED, pc=0.3),
    ]
    for ask in asks:
        with pytest.raises(ValueError, match="decides without scores: it has no threshold"):
            ask()


def test_a_splitter_stands_for_its_folds() -> None:
    folds = np.empty(300, int)
    for number, (_, test) in enumerate(CV.split(X, Y)):
        folds[test] = number
    assert np.array_equal(cc.cost_curve(Y, P, folds=folds).cost, CURVE.cost)
    both = {"m": np.column_stack([1 - P, P])}
    given: dict[str, Any] = {"cost_matrix": [[0, 1], [5, 0]]}
    of_labels = cc.compare_decisions(Y, both, folds=folds, **given).costs
    assert cc.compare_decisions(Y, both, folds=CV, **given).costs.equals(of_labels)
    for splitter, message in (
        (KFold(5, shuffle=True), r"KFold.*splits anew each time; give it a random_state"),
        (RepeatedStratifiedKFold(random_state=1), "does not hold each row out once; give the fold"),
    ):
        with pytest.raises(ValueError, match=message):
            cc.cost_curve(Y, P, folds=splitter)


def test_a_reference_is_one_of_the_models() -> None:
    models = {"good": P, "worse": WORSE}
    comparison = cc.compare_models(Y, models, reference="worse", n_resamples=40)
    assert comparison.table("comparisons")["family"].nunique() == 2
    assert set(comparison.summary()["than"]) == {"worse"}
    for given in ({"reference": "none"}, {"settings": {"reference": "none"}}):
        with pytest.raises(
            ValueError, match="reference is 'none', expected one of 'good', 'worse'"
        ):
            cc.compare_models(Y, models, **given)


SORTED = np.sort(Y)
AGAIN = pd.Series(np.append(Y, Y[7]), [*range(300), 7])
OF_PAIRS = {"groups": np.arange(600) // 2, "folds": np.arange(600) // 2 % 3}


@pytest.mark.parametrize(
    ("y", "scores", "given", "message"),
    [
        (np.tile(Y, 2), np.append(P, WORSE), {}, "positions 0 and 300 of .* in equal blocks"),
        (np.tile(SORTED, 3), np.tile(P, 3) + np.repeat([0, 1, 2], 300), {}, "positions 0 and 300"),
        (AGAIN, np.append(P, 0), {}, "7 and 300 .*have the same index; give inst"),
        (np.tile(Y, 2), np.append(P, WORSE), {"instance": np.arange(600)}, None),
        (np.tile(Y, 2), np.append(P, WORSE), OF_PAIRS, None),
        (pd.Series(Y, np.arange(300) // 20), P, {}, None),  # days, with cases of both classes
        (np.tile([0, 1, 0, 0], 100), np.arange(400) % 7, {}, None),
        (np.tile(SORTED, 2), np.append(P, WORSE), {"folds": np.arange(600) // 300}, None),
    ],
)
@pytest.mark.filterwarnings("error")
def test_rows_of_a_case_without_an_id_are_named(
    y: Any, scores: Any, given: dict[str, Any], message: str | None
) -> None:
    given = {"folds": np.arange(len(y)) % 3} | given
    if message is None:
        cc.cost_curve(y, scores, **given)
    else:
        with pytest.warns(UserWarning, match=message) as caught:
            cc.cost_curve(y, scores, **given)
        assert caught[0].filename == __file__


def test_scores_of_the_other_class_are_a_warning() -> None:
    message = r"anks worse than chance.* of the other class\? .* predict_proba\(X\)\[:, 1\]"
    for call in (
        lambda: cc.cost_curve(Y, 1 - P),
        lambda: cc.compare_models(Y, {"a": P, "b": -P}),
        lambda: cc.cost_loss(Y, 1 - P, cost_ratio=3),
        lambda: cc.cost_loss(Y, 1 - P, cost_ratio=3, sample_weight=Y + 1),
    ):
        with pytest.warns(UserWarning, match=message) as caught:
            call()
        assert caught[0].filename == __file__
    both = np.column_stack([P, 1 - P])
    for label, place in (("ill", 0), ("well", 1)):
        with pytest.raises(ValueError, match=rf"predict_proba\(X\)\[:, {place}\]"):
            cc.cost_curve(np.where(Y, "ill", "well"), both, pos_label=label)


TEXT = np.where(Y, "ill", "well")


@pytest.mark.parametrize(
    "ask",
    [
        lambda: cc.cost_curve(TEXT, P, pos_label=np.str_("x")),
        lambda: cc.cost_curve(Y, P, pos_label=np.int64(7)),
        lambda: cc.cost_curve(Y, P, sample_weight=TEXT),
        lambda: cc.cost_curve(TEXT[:2], TEXT),
        lambda: cc.compare_decisions(TEXT, {"a": P}, cost_matrix=np.eye(2)),
        lambda: cc.compare_decisions(
            TEXT, {"a": TEXT}, cost_matrix=1 - np.eye(2), labels=[np.str_("ill"), np.str_("x")]
        ),
        lambda: CURVE.rule(np.str_("x")),
        lambda: BOTH[np.str_("x")],
        lambda: BOTH.table(np.str_("x")),
        lambda: cc.CostDifferenceDisplay.from_comparison(BOTH, np.str_("x"), np.str_("y")),
        lambda: cc.cost_curve(Y, P, settings={"level": np.str_("x")}),
    ],
)
def test_no_message_names_a_type_of_numpy(ask: Callable[[], object]) -> None:
    with pytest.raises((ValueError, KeyError)) as caught:
        ask()
    assert "np." not in str(caught.value).replace("np.asarray(y_true)", "")


def test_representations_say_what_a_thing_is() -> None:
    assert repr(CURVE) == f"CostCurve('model', cross-fitted, area {CURVE.area:.4f})"
    areas = ", ".join(f"'{name}' {curve.area:.4f}" for name, curve in BOTH.items())
    assert repr(BOTH) == f"Comparison of 2 models (areas: {areas})"
    decided = cc.compare_decisions(TEXT, {"a": TEXT}, cost_matrix=1 - np.eye(2))
    assert repr(decided) == "Decisions among ['ill', 'well'] (not ruled out: [('a', 'predicted')])"


def test_an_option_that_is_none_is_named() -> None:
    for call in (lambda: cc.cost_curve(Y, P, fold=CV), lambda: BOTH.plot(colour="red")):  # type: ignore[call-arg]
        with pytest.raises(TypeError, match=r"'fold'; did you mean 'folds'|argument 'colour'"):
            call()
