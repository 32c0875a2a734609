"""What callers may give, and what each mistake is told."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import costcurves as cc

Y = [0, 0, 1, 0, 1, 1, 0, 0]
SCORE = [0.1, 0.7, 0.4, 0.3, 0.9, 0.6, 0.2, 0.5]
THREE = np.arange(8) % 3

pytestmark = pytest.mark.filterwarnings("ignore:in-sample estimate:UserWarning")


class Series:
    """A column of another library: what it shares with NumPy is `__array__`."""

    def __init__(self, values: list[Any]) -> None:
        self.values = values

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.array(self.values, dtype, copy=True)


TEXT = ["ill" if label else "well" for label in Y]
SIGNS = [2 * label - 1 for label in Y]
LABELS: list[tuple[Any, Any]] = [
    (SIGNS, None),
    ([bool(label) for label in Y], None),
    ([not label for label in Y], False),
    (pd.Series(Y, dtype="Int64"), None),
    (pd.Series(Y, index=np.arange(8)), None),
    (pd.DataFrame({"y": Y}), None),
    (Series(Y), None),
    (TEXT, "ill"),
    (pd.Series(TEXT, dtype="category"), "ill"),
    ([label + 1 for label in Y], 2),
    ([1 - label for label in Y], 0),
]


@pytest.mark.parametrize(("y_true", "pos_label"), LABELS)
@pytest.mark.parametrize("kind", [list, np.array, pd.Series, Series])
def test_labels_and_scores_of_any_kind(y_true: Any, pos_label: Any, kind: Any) -> None:
    loss = cc.cost_loss(y_true, kind(SCORE), pc=0.375, pos_label=pos_label)
    assert loss == pytest.approx(5 / 8 * 1 / 5 + 3 / 8 * 2 / 3, rel=1e-14)


@pytest.mark.parametrize("table", [{"A": SCORE, "B": Y}, pd.DataFrame({"A": SCORE, "B": Y})])
def test_models_as_columns(table: Any) -> None:
    """Floats of 0 and 1 are scores, whole ones are decisions."""
    comparison = cc.compare_models(Y, table)
    estimates = {name: curve.estimate for name, curve in comparison.items()}
    assert estimates == {"A": "in-sample selection", "B": "fixed in advance"}
    assert cc.cost_curve(Y, [1.0, 0.0] * 4).estimate == "in-sample selection"


@pytest.mark.parametrize(
    ("decisions", "y_true"),
    [
        ([True, False] * 4, Y),
        ([1, 0] * 4, Y),
        ([1, -1] * 4, SIGNS),
        (["ill", "well"] * 4, TEXT),
        ([True, False] * 4, TEXT),
    ],
)
def test_labels_as_predictions_are_decisions(decisions: Any, y_true: Any) -> None:
    curve = cc.cost_curve(y_true, decisions, pos_label="ill" if y_true is TEXT else None)
    assert (curve.pc.tolist(), curve.cost.tolist()) == ([0, 1], [2 / 5, 1 / 3])
    assert curve.estimate == "fixed in advance"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"y_true": SCORE, "y_score": Y}, "; y_true are the labels: are they and .* exchanged"),
        ({"y_true": range(8), "y_score": Y}, "8 different .*not two; y_true are .*exchanged"),
        ({"y_true": [0.3, 0.7] * 4, "y_score": Y}, "pos_label=0.3; y_true are.* exchanged"),
        ({"y_true": SCORE, "y_score": Y}, "y_true has 8 different values .'0.1', '0.7', '0.4' and"),
        ({"y_true": TEXT}, "has the labels 'well', 'ill': say which is positive, such as pos_lab"),
        (
            {"y_true": [label + 1 for label in Y]},
            "'1', '2': say which is positive, such as pos_label=\\d$",
        ),
        *(
            ({"y_true": kind("aabbccaa")}, r"not two; take one .*np.asarray\(y_true\) == 'c', sco")
            for kind in (list, lambda text: np.array([*text]), lambda text: pd.Series([*text]))
        ),
        (
            {"y_true": [0, 1, 2, 1] * 2},
            r"3 different .*'2'., not two; .*np.asarray\(y_true\) == 2, ",
        ),
        ({"y_true": [0.0, 1.0, 2.0, 1.0] * 2}, r"not two; .*np.asarray\(y_true\) == 2.0, "),
        ({"y_true": [0, 1, 2, 1] * 2, "y_score": Y}, "several classes of files$"),
        ({"y_true": TEXT, "pos_label": "sick"}, "pos_label is 'sick', but the labels .* 'well', '"),
        ({"y_true": [0] * 8}, "all labels of y_true are '0'; costs need both classes"),
        ({"y_true": [1] * 8, "pos_label": 1}, "all labels of y_true are '1'"),
        ({"y_true": [*Y[:7], None]}, "y_true at position 7 is missing"),
        ({"y_true": []}, "y_true has no values"),
        ({"y_score": SCORE[1:]}, "y_score has 7 values, expected 8, as y_true has"),
        ({"y_score": np.ones((8, 2))}, r"a column for each class; .*predict_proba\(X\)\[:, 1\]"),
        ({"y_score": [*SCORE[:7], np.nan]}, "y_score at position 7 is missing"),
        ({"y_score": [*SCORE[:7], np.inf]}, "at position 7 is inf, expected a finite number"),
        *(
            ({name: [*SCORE[:7], sign * 10**400]}, f"{name} at position 7 is -?inf, expected")
            for name in ("y_score", "costs", "sample_weight")
            for sign in (1, -1)
        ),
        ({"y_true": [0, 1, np.inf, -np.inf] * 2}, "4 different values .* exchanged"),
        ({"y_score": TEXT}, "y_score holds 'well', 'ill'; expected numbers as scores, or the labe"),
        ({"y_score": [*range(7), 2**53 + 1]}, "position 7 is 9007199254740993, which no double is"),
        ({"y_score": {}}, "no models"),
        ({"folds": THREE[1:]}, "folds has 7 values, expected 8"),
        ({"folds": np.arange(8)}, "fold '0' has no positives .*folds_without_a_class"),
        ({"folds": THREE, "instance": THREE}, "instance '1' has label '1', but '0' in position 1"),
        ({"repeats": THREE}, "repeats need instance"),
        ({"sample_weight": np.array(Y, bool)}, "sample_weight holds (Fals|Tru)e, expected numbers"),
        ({"costs": pd.Series(Y, dtype="boolean")}, "costs holds (Fals|Tru)e, expected numbers"),
        ({"costs": np.full(8, -1.0)}, "costs at position 0 is -1.0, expected a number, at least 0"),
        ({"y_score": np.ma.masked_greater(SCORE, 0.8)}, "y_score at position 4 is missing"),
        ({"y_score": list(map(str, SCORE))}, "y_score holds '0.1', .*; expected numbers as scores"),
        ({"y_score": np.array(SCORE) + 1j}, "y_score holds '.0.1.1j.', .*; expected numbers"),
        ({"y_score": {1: SCORE, "1": SCORE}}, "models are named '1', '1', expected each by ano"),
        ({"prior": 1.5}, "prior is 1.5, expected a number that is less than 1"),
        ({"confidence": 2}, "inference.confidence is 2, expected"),
        ({"settings": {"lvl": "fold"}}, "settings: lvl is not a known key; did you mean 'level'"),
    ],
)
def test_what_is_refused(given: dict[str, Any], message: str) -> None:
    options: dict[str, Any] = {"y_true": Y, "y_score": SCORE} | given
    score = options.pop("y_score")
    models = score if isinstance(score, dict) else {"model": score}
    with pytest.raises(ValueError, match=message):
        cc.compare_models(options.pop("y_true"), models, **options)


def test_names_and_numbers_may_be_of_any_type() -> None:
    curve = cc.cost_curve(Y, SCORE, name=3, prior=np.float32(0.25))  # type: ignore[arg-type]
    assert (curve.name, curve.prior) == ("3", 0.25)
    settings = {"seed": np.int64(7), "inference": {"resamples": np.int32(50)}}
    assert cc.cost_curve(Y, SCORE, settings=settings)._tables.configuration["seed"] == 7


KINDS = [list, lambda values: np.array(values, object), pd.Series, pd.Categorical]


@pytest.mark.parametrize("name", ["instance", "folds", "groups"])
@pytest.mark.parametrize("kind", KINDS)
def test_text_of_numpy_is_text(name: str, kind: Any) -> None:
    """Old pandas keeps it as it is in columns of objects, and fails where these are looked at."""
    texts = [f"t{row % 8}" if name == "instance" else f"t{row % 4}" for row in range(8)]
    settings = {"folds_without_a_class": "pool"}
    plain, numpy = (
        cc.cost_curve(Y, SCORE, settings=settings, **{name: kind(values)})
        for values in (texts, [np.str_(text) for text in texts])
    )
    for table in ("plausibility", "operating_points", "headline"):
        pd.testing.assert_frame_equal(plain.table(table), numpy.table(table), check_exact=True)


@pytest.mark.parametrize("name", ["instance", "folds", "groups", "models"])
@pytest.mark.parametrize("half", ["a\ud800b", "\udcff"])
def test_half_a_character_is_refused(name: str, half: str) -> None:
    given: dict[str, Any] = {name: [half, *"cdefghi"]}
    if name == "models":
        given = {name: {half: SCORE}}
    with pytest.raises(ValueError, match=r"^'.*' holds '.u(d800|dcff)', which is half a character"):
        cc.compare_models(**{"y_true": Y, "models": {"A": SCORE}, **given})


TABLE = pd.DataFrame({"a": SCORE, "b": SCORE})


@pytest.mark.parametrize(("first", "kind"), [({"a": SCORE}, "dict"), (TABLE, "DataFrame")])
def test_models_in_place_of_labels_are_named(first: Any, kind: str) -> None:
    message = rf"^y_true is a {kind} of models, expected labels; call {{}}\(y_true, {{{{'name': "
    with pytest.raises(TypeError, match=message.format("compare_models")):
        cc.compare_models(first, Y)
    with pytest.raises(TypeError, match=message.format("compare_decisions")):
        cc.compare_decisions(first, Y, cost_matrix=np.eye(2))
    with pytest.raises(TypeError, match="models are a list, expected names with scores, or a fr"):
        cc.compare_models(Y, [SCORE])


ROWS = pd.RangeIndex(8)
OTHERS = ROWS[::-1]


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({"models": {"m": pd.Series(SCORE, OTHERS)}}, "y_true and y_score"),
        ({"models": TABLE.set_index(OTHERS)}, "y_true and the score of 'a'"),
        ({"sample_weight": pd.Series(1, OTHERS)}, "y_true and sample_weight"),
        ({"folds": pd.Series([0, 0, 0, 0, 1, 1, 1, 1], OTHERS)}, "y_true and folds"),
        ({"groups": pd.Series(ROWS, OTHERS)}, "y_true and groups"),
        ({"y_true": Y, "models": {"a": TABLE["a"], "b": pd.Series(SCORE, OTHERS)}}, "'a' and the"),
        ({"X": pd.DataFrame({"x": SCORE}, OTHERS)}, "y_true and X"),
    ],
)
def test_columns_of_other_rows_are_refused(given: dict[str, Any], names: str) -> None:
    usual: dict[str, Any] = {"y_true": pd.Series(Y, ROWS), "models": {"m": SCORE}}
    with pytest.raises(ValueError, match=rf"{names}.* have unequal pandas indexes; align them"):
        cc.compare_models(**usual | given)


def test_losses_and_decisions_refuse_columns_of_other_rows() -> None:
    y, score = pd.Series(Y, ROWS), pd.Series(SCORE, OTHERS)
    with pytest.raises(ValueError, match="y_true and y_score have unequal pandas indexes"):
        cc.cost_loss(y, score)
    both = pd.DataFrame({0: 1 - score, 1: score})
    with pytest.raises(ValueError, match="y_true and m have unequal pandas indexes"):
        cc.compare_decisions(y, {"m": both}, cost_matrix=1 - np.eye(2))
    same = pd.Series(SCORE, np.arange(8))  # equal values, of another kind of index
    assert cc.cost_loss(y, same) == cc.cost_loss(Y, SCORE)
