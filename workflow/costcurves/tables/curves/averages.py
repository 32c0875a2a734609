"""Averages of cost curves over folds and repeats, and what other ways of averaging would cost."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from costcurves.maths.averages import cost_space
from costcurves.maths.curves import Curve
from costcurves.maths.envelopes import lower_envelope
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.operating_points import CURVE_NAMES
from costcurves.tables.curves.pieces import PIECE, curve_from, curves_of, piece_columns
from costcurves.tables.keys import DATASET, ESTIMATE, IN_SAMPLE, LEVEL, MODEL

AVERAGES: Final = Contract(
    "averages",
    (
        DATASET,
        MODEL,
        Column("method", "str", "", "way of averaging: cost-space, or of ROC curves"),
        LEVEL,
        ESTIMATE,
        Column("curves", "int64", "curves", "how many curves were averaged"),
        *PIECE,
    ),
)

COST_SPACE: Final = "cost-space"


class Average(NamedTuple):
    """An averaged cost curve and what it is an average of."""

    dataset: str
    model: str
    method: str
    level: str
    curves: int
    curve: Curve


def averages(envelopes: pd.DataFrame, roc: pd.DataFrame) -> pd.DataFrame:
    """Average the envelopes in cost space at each level, and give each ROC average its cost.

    The cost of a ROC average is the lower envelope of its vertices' lines.
    """
    return _frame([*_cost_space(envelopes), *_cost_of_roc(roc)])


def _cost_space(envelopes: pd.DataFrame) -> list[Average]:
    grouped: dict[tuple[str, str, str], list[Curve]] = defaultdict(list)
    for names, curve in curves_of(envelopes, CURVE_NAMES):
        grouped[names["dataset"], names["model"], names["level"]].append(curve)
    return [
        Average(dataset, model, COST_SPACE, level, len(curves), cost_space(curves))
        for (dataset, model, level), curves in grouped.items()
    ]


def _cost_of_roc(roc: pd.DataFrame) -> list[Average]:
    found = []
    for names, vertices in roc.groupby(["dataset", "model", "method", "level"], sort=False):
        fp, fn = vertices["fp"].to_numpy(), 1 - vertices["tp"].to_numpy()
        curves = int(vertices["curves"].iloc[0])
        dataset, model, method, level = map(str, names)
        cost = lower_envelope(fp, fn).curve
        found.append(Average(dataset, model, method, level, curves, cost))
    return found


def _frame(found: Sequence[Average]) -> pd.DataFrame:
    dataset, model, method, level, curves, averaged = zip(*found, strict=True)
    owner, columns = piece_columns(averaged)
    return AVERAGES.frame(
        dataset=np.array(dataset)[owner],
        model=np.array(model)[owner],
        method=np.array(method)[owner],
        level=np.array(level)[owner],
        estimate=IN_SAMPLE,
        curves=np.array(curves)[owner],
        **columns,
    )


def are_several(averages: pd.DataFrame) -> bool:
    """Say whether an average of ROC curves is one of several: of a single one all are equal."""
    return bool((averages["method"].ne(COST_SPACE) & averages["curves"].gt(1)).any())


def headline_curves(averages: pd.DataFrame, level: str) -> dict[str, Curve]:
    """Give each model's cost-space average at the level that the study names."""
    rows = averages[(averages["method"] == COST_SPACE) & (averages["level"] == level)]
    return {str(model): curve_from(pieces) for model, pieces in rows.groupby("model", sort=False)}
