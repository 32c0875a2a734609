"""Lower envelopes: the cheapest operating point at each PC(+), by the data it is judged on."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves import formats
from costcurves.counts.counted import DEALT, from_table
from costcurves.curves.cost_space import cost_point_to_roc_line, ratio_from_pc
from costcurves.curves.envelopes import ALWAYS_NEGATIVE, lower_envelopes
from costcurves.curves.pieces import PIECE, piece_columns
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import CURVE, DATASET, MODEL

ENVELOPES: Final = Contract(
    "envelopes",
    *CURVE,
    *PIECE,
    Column("point", "int64", "index", "the operating point that holds it; -1, -2: trivial"),
    Column("holder", "str", "", "that operating point in words"),
)
DUALITY: Final = Contract(
    "duality",
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
)


def envelopes(points: pd.DataFrame) -> pd.DataFrame:
    """Take the lower envelope of each curve's cost lines, the trivial classifiers included."""
    points = points[points["level"] != DEALT].reset_index(drop=True)
    ragged, curves = from_table(points)
    found = lower_envelopes(ragged)
    owner, columns = piece_columns([envelope.curve for envelope in found])
    holders = np.concatenate([envelope.holders for envelope in found])
    rows = points.iloc[ragged.offsets[owner] + np.maximum(holders, 0)]
    described = zip(holders, rows["member"], rows["threshold"], strict=True)
    return ENVELOPES.frame(
        **curves.iloc[owner].reset_index(drop=True),
        **columns,
        point=holders,
        holder=[holder_in_words(*row) for row in described],
    )


def holder_in_words(point: int, member: str, threshold: float) -> str:
    """Name the classifier that holds a piece.

    >>> holder_in_words(-1, "", np.nan), holder_in_words(4, "", 0.53125)
    ('always negative', 'threshold 0.5312')
    >>> holder_in_words(2, "p(+)=0.3", np.nan), holder_in_words(0, "", np.nan)
    ('member p(+)=0.3', 'decision')
    >>> holder_in_words(3, "", 0.99999871), holder_in_words(3, "", 1.0)
    ('threshold 0.999999', 'threshold 1')
    >>> holder_in_words(5, "", -1.5562)
    'threshold −1.556'
    """
    if point < 0:
        return "always negative" if point == ALWAYS_NEGATIVE else "always positive"
    parts = [f"member {member}"] if member else []
    parts += [] if np.isnan(threshold) else [f"threshold {formats.threshold(threshold)}"]
    return ", ".join(parts) or "decision"


def duality(
    points: pd.DataFrame,
    envelopes: pd.DataFrame,
    measures: pd.DataFrame,
    conditions: Sequence[Mapping[str, Any]],
) -> pd.DataFrame:
    """Read the pooled lower envelopes at the marked operating conditions, in both spaces.

    At a break point the piece to its right is taken. At PC(+) = 0 the iso-performance line is
    vertical: slope and intercept are NaN.
    """
    pooled = envelopes[envelopes["level"] == "pooled"]
    whole = points[points["level"] == "pooled"]
    by_model = dict(list(whole.groupby("model", sort=False, observed=True)))
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
