"""The message of each mistake, and each warning."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import costcurves as cc
from costcurves.curves.priors import Uniform
from tests.api.data import CV, SCORE, TEXT, Model, Y

EIGHT = np.arange(8)
THREE = EIGHT % 3
X = np.column_stack([SCORE, SCORE])
HELD_OUT = {"estimator": [Model([0, 1])], "indices": {"test": [EIGHT]}}
TABLE = pd.DataFrame({"a": SCORE, "b": SCORE})
AGAIN = pd.Series(SCORE, EIGHT[::-1])
ROWS = pd.Series(Y, EIGHT)
MORE = 10**400
HALF = "^'.*' holds '.u(d800|dcff)', which is half a character"
UNEQUAL = " have unequal pandas indexes; align them"
OF_MODELS = r"^y_true is a {} of models, expected labels; call {}\(y_true, {{'name': "
OF_ROWS = ("sample_weight", "folds", "groups", "costs", "X")
Given = dict[str, Any]
TWICE: list[tuple[str, Given]] = [
    *(("random_state", {"seed": 7}), ("reference", {"reference": "b"})),
    *(
        (name, {"inference": {name.removeprefix("n_"): 60}})
        for name in ("n_resamples", "confidence")
    ),
]

MODELS: list[tuple[Given, str]] = [
    ({"y_true": range(8), "models": Y}, "8 different .*not two; y_true are .*exchanged"),
    ({"y_true": TEXT}, "has the labels 'well', 'ill': say which is positive, such as pos_lab"),
    ({"y_true": [0, 1, 2, 1] * 2}, r"3 different .*'2'., not two; .*np.asarray\(y_true\) == 2, "),
    ({"y_true": TEXT, "pos_label": np.str_("x")}, "pos_label is 'x', but the labels .* 'well', '"),
    ({"y_true": [0] * 8}, "all labels of y_true are '0'; costs need both classes"),
    ({"y_true": [*Y[:7], None]}, "y_true at position 7 is missing"),
    ({"y_true": []}, "y_true has no values"),
    ({"models": SCORE[1:]}, "y_score has 7 values, expected 8, as y_true has"),
    ({"models": np.ones((8, 2))}, r"a column for each class; .*predict_proba\(X\)\[:, 1\]"),
    ({"y_true": TEXT, "models": np.ones((8, 2)), "pos_label": "ill"}, r"roba\(X\)\[:, 0\]"),
    ({"models": [*SCORE[:7], np.nan]}, "y_score at position 7 is missing"),
    *(({"models": [*SCORE[:7], n]}, "y_score at position 7 is -?inf, exp") for n in (MORE, -MORE)),
    ({"models": TEXT}, "y_score holds 'well', 'ill'; expected numbers as scores, or the labels"),
    ({"models": [*range(7), 2**53 + 1]}, "position 7 is 9007199254740993, expected .* rank them"),
    ({"models": {}}, "no models"),
    ({"models": np.ma.masked_greater(SCORE, 0.8)}, "y_score at position 4 is missing"),
    ({"models": {1: SCORE, "1": SCORE}}, "models are named '1', '1', expected each by another"),
    ({"folds": THREE[1:]}, "folds has 7 values, expected 8"),
    ({"folds": THREE, "instance": THREE}, "instance '1' has label '1', but '0' in position 1"),
    ({"folds": CV["random"]}, r"KFold.*splits anew each time; give it a random_state"),
    ({"folds": CV["repeated"]}, "does not hold each row out once; give the fold"),
    ({"repeats": THREE}, "repeats need instance"),
    ({"costs": np.full(8, -1.0)}, "costs at position 0 is -1.0, expected a number, at least 0"),
    ({"costs": [*SCORE[:7], MORE]}, "costs at position 7 is inf, expected a number"),
    ({"sample_weight": np.array(TEXT)}, "sample_weight holds 'well', expected numbers"),
    ({"costs": pd.Series(Y, dtype="boolean")}, "costs holds (Fals|Tru)e, expected numbers"),
    ({"prior": 1.5}, "prior is 1.5, expected a number that is less than 1"),
    ({"settings": {"lvl": "fold"}}, "settings: lvl is not a known key; did you mean 'level'"),
    ({"settings": {"level": np.str_("x")}}, "settings: level is 'x', expected one of 'fold'"),
    ({"fold": THREE}, "no option 'fold'; did you mean 'folds'"),
    ({"reference": "none"}, "reference is 'none', expected one of 'model'"),
    *(
        ({name: 0.5, "settings": keys}, f"^{name} and '\\w+' of settings are")
        for name, keys in TWICE
    ),
    *(({name: ["a\ud800b", *"cdefghi"]}, HALF) for name in ("instance", "folds", "groups")),
    ({"models": {"\udcff": SCORE}}, HALF),
    ({"y_true": ROWS, "models": AGAIN}, f"y_true and y_score{UNEQUAL}"),
    ({"models": {"a": TABLE["a"], "b": AGAIN}}, f"of 'a' and the score of 'b'{UNEQUAL}"),
    *(({"y_true": ROWS, name: AGAIN}, name + UNEQUAL) for name in OF_ROWS),
    ({"models": [SCORE, SCORE]}, "y_score has the shape .2, 8., expected one dimension"),
    ({"X": X, "models": object()}, "object has none of the methods predict_proba, decision_f"),
    ({"X": X, "models": Model(["a", "b"])}, "the classifier knows the classes"),
    ({"X": X, "models": {"m": {"test_score": []}}}, "'m' lacks what return_estimator=True, ret"),
    ({"X": X, "models": {"m": Model([0, 1]), "n": HELD_OUT}}, "different folds; use one cv"),
]
LOSSES: list[tuple[Given, str]] = [
    ({"pc": 0.5, "over": Uniform()}, "expected an operating condition or a distribution"),
    ({"threshold": "0.5"}, "threshold is '0.5', expected 'probability', 'best' or a number"),
    ({"y_score": np.array(SCORE) - 1}, "probabilit"),
    ({"prior": 0.3}, "expected one operating condition"),
    ({"over": "uniform"}, "over is 'uniform', expected a distribution of costcu"),
    ({"y_true": ROWS, "y_score": AGAIN}, f"y_true and y_score{UNEQUAL}"),
]
P, ZERO = np.full((4, 3), 0.33), 1 - np.eye(3)
OFF = np.array([[0.1, 0, 0], [0, 0, 0], [0, 0.2, 0], [0, 0, 0]])
NO_SUM = r"m at position 0 is \[0.43.*, expected probabilities that sum to 1 \(2 such\)"
DECISIONS: list[tuple[Given, str]] = [
    ({"models": {"m": P + OFF}}, NO_SUM),
    ({"models": {"m": [0, 1, 2, 3]}}, "m at position 3 is 3, expected '0', '1', '2', or prob"),
    ({"models": {"m": [0.5] * 4}}, "m at position 0 is 0.5, expected .* a column a class"),
    ({"models": {"m": P[:, :2]}}, r"m has the shape \(4, 2\), expected \(4, 3\), a column a"),
    ({"models": {"m": [[1.005, 0, 0]] * 4}}, r"m at position 0 is \[1.005"),
    ({"labels": [*"0123"]}, r"labels are \['0', '1', '2', '3'\], expected the classes of y_true"),
    ({"cost_matrix": np.eye(2)}, r"cost_matrix has the shape \(2, 2\), expected 3 rows and"),
    ({"cost_matrix": ZERO + np.diag([0, 2, 0])}, "a correct 1 costs 2, more than .* 0 there, 1"),
    ({"cost_matrix": [[0, MORE, 0], [0] * 3, [0] * 3]}, r"shape \(3, 3\), .* of finite numbers"),
    ({"groups": [7] * 4}, "groups: all cases that count are of one, expected two or more"),
    ({"folds": [7, 7, 7, 1], "sample_weight": [1, 1, 1, 0]}, "folds: all cases that count are"),
    ({"sample_weight": [0] * 4}, "groups: all cases that count are of one"),
    ({"y_true": [0, 1, 1]}, r"m has the shape \(4, 3\), expected \(3, 2\)"),
    ({"y_true": TABLE, "models": Y}, OF_MODELS.format("DataFrame", "compare_decisions")),
    ({"y_true": pd.Series([0, 1, 1, 2]), "folds": pd.Series(P[0], [2, 1, 0])}, "folds has 3 val"),
    ({"models": [P]}, "models are a list, expected names with scores, or a frame"),
]
CURVE, SINGLE = cc.cost_curve(Y * 4, SCORE * 4), cc.compare_models(Y * 4, {"good": SCORE * 4})
LINE = cc.CostCurveDisplay([0, 1], [0, 1])
OTHERS: list[tuple[Callable[[], Any], str]] = [
    (lambda: cc.compare_models({"a": SCORE}, Y), OF_MODELS.format("dict", "compare_models")),
    (lambda: CURVE.band("all"), "extent is 'all', expected 'pointwise' or"),  # type: ignore[arg-type]
    (lambda: CURVE.rule(np.str_("x")), "method is 'x', expected one of"),
    (lambda: CURVE.net_benefit(0), "must be above 0 and below 1"),
    (lambda: cc.cost_curve(Y * 4, [9.5, 9] * 16).net_benefit(), "probabilities, found scores fr"),
    (lambda: SINGLE[np.str_("bad")], "no model 'bad'; there are"),
    (lambda: SINGLE.table(np.str_("x")), "'x': expected one of operating_points"),
    (lambda: cc.CostDifferenceDisplay.from_comparison(SINGLE), "are none, as there is one model"),
    (lambda: cc.CostDifferenceDisplay.from_comparison(SINGLE, np.str_("x"), "y"), "'x', 'y'"),
    (lambda: cc.DualityDisplay.from_comparison(SINGLE, 0), "at is 0, expected a PC"),
    (lambda: cc.DualityDisplay.from_comparison(SINGLE).plot(0), "ax has to be two axes"),
    (lambda: LINE.plot(name=["a", "b"]), "expected a name and a dict for each of 1 lines"),
    (lambda: LINE.plot(colour="red"), "argument 'colour'"),  # type: ignore[call-arg]
    (lambda: cc.cost_curve(Y, Y).cost_at(0.3, threshold=0.4), "decides without scores"),
    (lambda: cc.cost_curve(Y, Y).deploy(Model([0, 1]), pc=0.3), "decides without scores: it has"),
    (lambda: cc.make_cost_scorer(ratio=5), "argument 'ratio'"),
    (lambda: cc.wrong, "has no attribute 'wrong'"),
]


USUAL: dict[Callable[..., Any], Given] = {
    cc.compare_models: {"y_true": Y, "models": SCORE},
    cc.cost_loss: {"y_true": Y, "y_score": SCORE},
    cc.compare_decisions: {"y_true": [0, 1, 1, 2], "models": {"m": P}, "cost_matrix": ZERO},
}
TABLES = zip(USUAL, (MODELS, LOSSES, DECISIONS), strict=True)
CALLS = [(call, *row) for call, rows in TABLES for row in rows]
CALLS += [(call, {}, message) for call, message in OTHERS]


def called(call: Callable[..., Any], given: Given) -> None:
    """Call a function with what is usual, but for what is given; `models` may be of one."""
    given = USUAL.get(call, {}) | given
    if call is cc.compare_models and not isinstance(given["models"], dict | pd.DataFrame):
        given["models"] = {"model": given["models"]}
    call(**given)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("call", "given", "message"), CALLS)
def test_what_is_refused(call: Callable[..., Any], given: Given, message: str) -> None:
    with pytest.raises((ValueError, TypeError, KeyError, AttributeError), match=message) as caught:
        called(call, given)
    assert "np." not in str(caught.value).replace("np.asarray(y_true)", "")


RNG = np.random.default_rng(12)
LONG = (RNG.random(300) < 0.3).astype(int)
GOOD = (LONG / 2 + RNG.random(300)).round(3)
SORTED, BOTH = np.sort(LONG), np.append(GOOD, GOOD / 2)
REPEATED = pd.Series(np.append(LONG, LONG[7]), [*range(300), 7])
OF_PAIRS = {"groups": np.arange(600) // 2, "folds": np.arange(600) // 2 % 3}
OF_OTHER = r"anks worse than chance.* of the other class\? .* predict_proba\(X\)\[:, 1\]"
IN_SAMPLE = "in-sample estimate of 'model': thresholds are chosen on the cases that judge them, so"


def curve(y: Any, scores: Any, **given: Any) -> Callable[[], object]:
    given = {"folds": np.arange(len(y)) % 3} | given
    return lambda: cc.cost_curve(y, scores, **given)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (curve(np.tile(LONG, 2), BOTH), "positions 0 and 300 of .* in equal blocks"),
        (curve(REPEATED, np.append(GOOD, 0)), "7 and 300 .*have the same index; give inst"),
        (lambda: cc.cost_curve(LONG, 1 - GOOD), OF_OTHER),
        (lambda: cc.compare_models(LONG, {"a": GOOD, "b": -GOOD}), OF_OTHER),
        (lambda: cc.cost_loss(LONG, 1 - GOOD, sample_weight=LONG + 1, threshold="best"), OF_OTHER),
        (lambda: cc.cost_curve(Y, SCORE), IN_SAMPLE),
        (lambda: cc.compare_models(Y, {"model": SCORE, "rule": Y}), IN_SAMPLE),
    ],
)
def test_what_is_warned_of(call: Callable[[], object], message: str) -> None:
    with pytest.warns(UserWarning, match=message) as caught:
        call()
    place = call.__code__
    assert (caught[0].filename, caught[0].lineno) == (place.co_filename, place.co_firstlineno)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "call",
    [
        curve(np.tile(LONG, 2), BOTH, instance=np.arange(600)),
        curve(np.tile(LONG, 2), BOTH, **OF_PAIRS),
        curve(pd.Series(LONG, np.arange(300) // 20), GOOD),  # days, with cases of both classes
        curve(np.tile([0, 1, 0, 0], 100), np.arange(400) % 7),
        curve(np.tile(SORTED, 2), BOTH, folds=np.arange(600) // 300),
        lambda: cc.cost_curve([0, 0, 1, 0, 0] * 8, [0.1, 0.2, 0.9, 0.4, 0.1] * 8),
        lambda: called(cc.compare_decisions, {"folds": [0, 0, 1, 1], "groups": [7, 7, 8, 8]}),
    ],
)
def test_what_is_not_warned_of(call: Callable[[], object]) -> None:
    call()
