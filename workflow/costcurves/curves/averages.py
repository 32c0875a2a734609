"""Averages of cost curves over folds and repeats; for contrast what those of ROC curves cost."""

from collections import defaultdict
from typing import Final

import pandas as pd

from costcurves.curves.curves import Curve, mean
from costcurves.curves.pieces import PIECE, curves_of, pieces_of
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import CURVE_NAMES, CURVES, DATASET, ESTIMATE, IN_SAMPLE, LEVEL, MODEL

AVERAGES: Final = Contract(
    "averages",
    DATASET,
    MODEL,
    Column("method", "str", "", "way of averaging: cost-space, or of ROC curves"),
    LEVEL,
    ESTIMATE,
    CURVES,
    *PIECE,
)

COST_SPACE: Final = "cost-space"


def averages(envelopes: pd.DataFrame) -> pd.DataFrame:
    """Average the envelopes in cost space at each level, every curve counting the same.

    That is the mean cost at each PC(+), not the envelope of averaged points.
    """
    grouped: dict[tuple[str, str, str], list[Curve]] = defaultdict(list)
    for names, curve in curves_of(envelopes, CURVE_NAMES):
        grouped[names["dataset"], names["model"], names["level"]].append(curve)
    by = ["dataset", "model", "level", "curves"]
    means = [
        (dict(zip(by, (*key, len(curves)), strict=True)), mean(curves))
        for key, curves in grouped.items()
    ]
    return pieces_of(AVERAGES, means, method=COST_SPACE, estimate=IN_SAMPLE)
