"""Averages of cost curves over folds and repeats, and what other ways of averaging would cost."""

from collections import defaultdict
from typing import Final

import pandas as pd

from costcurves.maths.averages import cost_space
from costcurves.maths.curves import Curve
from costcurves.maths.envelopes import lower_envelope
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.operating_points import CURVE_NAMES
from costcurves.tables.curves.pieces import PIECE, curve_from, curves_of, pieces_of
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


def averages(envelopes: pd.DataFrame, roc: pd.DataFrame) -> pd.DataFrame:
    """Average the envelopes in cost space at each level, and give each ROC average its cost.

    The cost of a ROC average is the lower envelope of its vertices' lines.
    """
    grouped: dict[tuple[str, str, str], list[Curve]] = defaultdict(list)
    for names, curve in curves_of(envelopes, CURVE_NAMES):
        grouped[names["dataset"], names["model"], names["level"]].append(curve)
    by = ["dataset", "model", "level", "method", "curves"]
    found: list[tuple[dict[str, object], Curve]] = [
        (dict(zip(by, (*key, COST_SPACE, len(curves)), strict=True)), cost_space(curves))
        for key, curves in grouped.items()
    ]
    for key, vertices in roc.groupby(by, sort=False):
        fp, fn = vertices["fp"].to_numpy(), 1 - vertices["tp"].to_numpy()
        found.append((dict(zip(by, key, strict=True)), lower_envelope(fp, fn).curve))
    return pieces_of(AVERAGES, found, estimate=IN_SAMPLE)


def are_several(averages: pd.DataFrame) -> bool:
    """Say whether an average of ROC curves is one of several: of a single one all are equal."""
    return bool((averages["method"].ne(COST_SPACE) & averages["curves"].gt(1)).any())


def headline_curves(averages: pd.DataFrame, level: str) -> dict[str, Curve]:
    """Give each model's cost-space average at the level that the study names."""
    rows = averages[(averages["method"] == COST_SPACE) & (averages["level"] == level)]
    return {str(model): curve_from(pieces) for model, pieces in rows.groupby("model", sort=False)}
