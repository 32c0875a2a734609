"""Duality: the cheapest operating points under marked operating conditions, in both spaces."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.maths.cost_space import cost_point_to_roc_line, ratio_from_pc
from costcurves.maths.envelopes import ALWAYS_NEGATIVE
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import DATASET, MODEL

DUALITY: Final = Contract(
    "duality",
    (
        DATASET,
        Column("condition", "str", "", "the operating condition's name"),
        Column("pc", "float64", "PC(+)", "the operating condition"),
        Column("cost_ratio", "float64", "cost ratio", "the same as C(-|+) / C(+|-) at the prior"),
        MODEL,
        Column("point", "int64", "index", "the pooled operating point that costs least there"),
        Column("holder", "str", "", "that point in words"),
        Column("fp", "float64", "rate", "its false positive rate"),
        Column("tp", "float64", "rate", "its true positive rate"),
        Column("threshold", "float64", "score", "its threshold; NaN: a decision or trivial"),
        Column("nec", "float64", "nec", "its normalized expected cost there"),
        Column("slope", "float64", "rate / rate", "slope of the iso-performance line through it"),
        Column("intercept", "float64", "rate", "that line's true positive rate at FP = 0"),
    ),
)


def duality(
    points: pd.DataFrame,
    envelopes: pd.DataFrame,
    measures: pd.DataFrame,
    conditions: Sequence[Mapping[str, Any]],
) -> pd.DataFrame:
    """Read the pooled lower envelopes at the marked operating conditions.

    At a break point the piece to its right is taken. At PC(+) = 0 the iso-performance line is
    vertical: slope and intercept are NaN.
    """
    pooled = envelopes[envelopes["level"] == "pooled"]
    by_model = dict(list(points[points["level"] == "pooled"].groupby("model", sort=False)))
    prior = float(measures["prior"].iloc[0])
    rows = [
        {
            "condition": condition["name"],
            "pc": pc,
            "cost_ratio": float(ratio_from_pc(pc, prior)),
            "model": model,
            **_holder(pieces, by_model[model], pc),
        }
        for condition in conditions
        for pc in [float(condition["pc"])]
        for model, pieces in pooled.groupby("model", sort=False)
    ]
    return DUALITY.rows(rows, dataset=str(measures["dataset"].iloc[0]))


def _holder(pieces: pd.DataFrame, points: pd.DataFrame, pc: float) -> dict[str, object]:
    piece = pieces[pieces["pc_from"] <= pc].iloc[-1]
    index, fp, fn = int(piece["point"]), float(piece["at0"]), float(piece["at1"])
    nec = fn * pc + fp * (1 - pc)
    slope, intercept = cost_point_to_roc_line(pc, nec) if pc > 0 else (np.nan, np.nan)
    return {
        "point": index,
        "holder": piece["holder"],
        "fp": fp,
        "tp": 1 - fn,
        "threshold": points["threshold"].iloc[index] if index > ALWAYS_NEGATIVE else np.nan,
        "nec": nec,
        "slope": slope,
        "intercept": intercept,
    }
