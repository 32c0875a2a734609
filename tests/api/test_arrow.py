"""Arrays and tables of Arrow, which the extra `report` brings, are taken as others are."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import costcurves as cc
from tests.api import test_inputs as others
from tests.api.test_inputs import LABELS, SCORE, Y

pytestmark = others.pytestmark
OF_ARROW = [
    (pa.array(Y), None),
    (pa.chunked_array([Y[:3], Y[3:]]), None),
    (pa.array(["a" if label else "b" for label in Y]).dictionary_encode(), "a"),
]


@pytest.mark.parametrize(("y_true", "pos_label"), [*OF_ARROW, *LABELS])
@pytest.mark.parametrize("kind", [list, pa.array])
def test_labels_and_scores(y_true: Any, pos_label: Any, kind: Any) -> None:
    others.test_labels_and_scores_of_any_kind(y_true, pos_label, kind)


def test_models_as_columns() -> None:
    others.test_models_as_columns(pa.table({"A": SCORE, "B": Y}))


def test_models_in_place_of_labels_are_named() -> None:
    with pytest.raises(TypeError, match=r"^y_true is a Table of models, expected labels; call c"):
        cc.compare_models(pa.table({"a": SCORE}), np.array(Y))
