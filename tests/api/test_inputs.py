"""What callers may give: arrays of any library, labels and ids of any type, splitters."""

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from sklearn.model_selection import StratifiedKFold

import costcurves as cc
from tests.api.data import SCORE, TEXT, Y

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
EVERY = np.arange(8)
SIGNS = [2 * label - 1 for label in Y]


class Series:
    """A column of another library: what it shares with NumPy is `__array__`."""

    def __init__(self, values: list[Any]) -> None:
        self.values = values

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.array(self.values, dtype, copy=True)


LABELS: list[tuple[Any, Any]] = [
    (SIGNS, None),
    ([bool(label) for label in Y], None),
    ([not label for label in Y], False),
    (pd.Series(Y, dtype="Int64"), None),
    (pd.DataFrame({"y": Y}), None),
    (Series(Y), None),
    (TEXT, "ill"),
    (pd.Series(TEXT, dtype="category"), "ill"),
    ([label + 1 for label in Y], 2),
    ([1 - label for label in Y], 0),
    (pa.array(Y), None),
    (pa.chunked_array([TEXT[:3], TEXT[3:]]).dictionary_encode(), "ill"),
]


@pytest.mark.parametrize(("y_true", "pos_label"), LABELS)
@pytest.mark.parametrize("kind", [list, np.array, pd.Series, Series, pa.array])
def test_labels_and_scores_of_any_kind(y_true: Any, pos_label: Any, kind: Any) -> None:
    loss = cc.cost_loss(y_true, kind(SCORE), pc=0.375, pos_label=pos_label)
    assert loss == pytest.approx(5 / 8 * 1 / 5 + 3 / 8 * 2 / 3, rel=1e-14)


@pytest.mark.parametrize("kind", [dict, pd.DataFrame, pa.table])
def test_models_as_columns(kind: Any) -> None:
    """Floats of 0 and 1 are scores, whole ones are decisions."""
    comparison = cc.compare_models(Y, kind({"A": SCORE, "B": Y, "C": [1.0, 0.0] * 4}))
    estimates = [curve.estimate for curve in comparison.values()]
    assert estimates == ["in-sample selection", "fixed in advance", "in-sample selection"]


DECIDED: list[tuple[Any, Any]] = [([True, False], Y), ([1, 0], Y), ([1, -1], SIGNS)]
DECIDED += [(["ill", "well"], TEXT), ([True, False], TEXT)]


@pytest.mark.parametrize(("decisions", "y_true"), DECIDED)
def test_labels_as_predictions_are_decisions(decisions: Any, y_true: Any) -> None:
    curve = cc.cost_curve(y_true, decisions * 4, pos_label="ill" if y_true is TEXT else None)
    assert (curve.pc.tolist(), curve.cost.tolist()) == ([0, 1], [2 / 5, 1 / 3])
    assert curve.estimate == "fixed in advance"


def test_names_and_numbers_may_be_of_any_type() -> None:
    given: dict[str, Any] = {"name": 3, "prior": np.float32(0.25), "n_resamples": np.int32(50)}
    curve = cc.cost_curve(Y, SCORE, settings={"seed": np.int64(7)}, **given)
    assert (curve.name, curve.prior) == ("3", 0.25)
    assert curve._tables.configuration["seed"] == 7


NUMBERS = np.random.default_rng(3).permutation(8)


def assert_same(a: cc.CostCurve, b: cc.CostCurve) -> None:
    for table in ("plausibility", "operating_points", "headline"):
        pd.testing.assert_frame_equal(a.table(table), b.table(table), check_exact=True)


@pytest.mark.parametrize("ids", [NUMBERS - 4, NUMBERS.astype(np.uint64) + 2**63])
def test_integers_are_ids_as_their_text_is(ids: Any) -> None:
    """Splits at random and resamples depend on the text of an id, whatever its type is."""
    y, scores = np.tile(Y, 80), np.arange(640) * 7 % 640 / 640 + np.tile(Y, 80) / 2
    each = (ids[:, None] + np.arange(80).astype(ids.dtype) * 10).ravel()
    assert len(np.unique(each)) == 640
    whole, texts, places = (
        cc.cost_curve(y, scores, instance=given)
        for given in (each, [str(number) for number in each.tolist()], np.arange(640))
    )
    assert_same(whole, texts)
    assert whole.area != places.area


def test_a_splitter_stands_for_its_folds() -> None:
    y, scores = np.tile(Y, 9), np.tile(SCORE, 9)
    cv, folds = StratifiedKFold(5, shuffle=True, random_state=3), np.empty(72, int)
    for number, (_, test) in enumerate(cv.split(y, y)):
        folds[test] = number
    models, costs = {"m": np.column_stack([1 - scores, scores])}, [[0, 1], [5, 0]]
    assert_same(*(cc.cost_curve(y, scores, folds=given) for given in (folds, cv)))
    expected, decided = (
        cc.compare_decisions(y, models, cost_matrix=costs, folds=given) for given in (folds, cv)
    )
    assert decided.costs.equals(expected.costs)
