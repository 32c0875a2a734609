"""Comparisons: the paired difference of every two models, with both bands."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd

from costcurves.maths.curves import Curve
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.pieces import PIECE, piece_columns
from costcurves.tables.inference.bands import CONFIDENCE, METHOD
from costcurves.tables.inference.pairs import Pair
from costcurves.tables.keys import DATASET

FAMILY: Final = Column("family", "str", "", "comparisons that share one error: all pairs, baseline")
MODEL_A: Final = Column("model_a", "str", "", "first model of the pair")
MODEL_B: Final = Column("model_b", "str", "", "second model of the pair")

COMPARISONS: Final = Contract(
    "comparisons",
    (
        DATASET,
        FAMILY,
        MODEL_A,
        MODEL_B,
        Column("line", "str", "", "difference, or an edge of its pointwise or simultaneous band"),
        METHOD,
        CONFIDENCE,
        *PIECE,
    ),
)

DIFFERENCE: Final = "difference"


def comparisons(dataset: str, pairs: Sequence[Pair], confidence: float) -> pd.DataFrame:
    """Give the difference of each pair, cost(A) - cost(B), and its bands.

    `confidence` is the level of the pointwise band; the simultaneous one has its pair's own. A pair
    without a verdict has no bands.
    """
    found = [(pair, *line) for pair in pairs for line in _lines(pair, confidence)]
    if not found:
        return COMPARISONS.frame(**{name: [] for name in COMPARISONS.names})
    owners, names, methods, levels, curves = zip(*found, strict=True)
    owner, columns = piece_columns(curves)
    return COMPARISONS.frame(
        dataset=dataset,
        family=np.array([pair.family for pair in owners])[owner],
        model_a=np.array([pair.a for pair in owners])[owner],
        model_b=np.array([pair.b for pair in owners])[owner],
        line=np.array(names)[owner],
        method=np.array(methods)[owner],
        confidence=np.array(levels)[owner],
        **columns,
    )


def _lines(pair: Pair, confidence: float) -> list[tuple[str, str, float, Curve]]:
    estimate = pair.comparison.estimate
    if pair.why_none:
        return [(DIFFERENCE, pair.why_none, pair.confidence, estimate)]
    whole = pair.comparison.simultaneous(pair.confidence)
    single = pair.resampled.pointwise(confidence)
    return [
        (DIFFERENCE, whole.method, pair.confidence, estimate),
        ("pointwise lower", single.method, confidence, single.lower.drawn()),
        ("pointwise upper", single.method, confidence, single.upper.drawn()),
        ("simultaneous lower", whole.method, pair.confidence, whole.lower.drawn()),
        ("simultaneous upper", whole.method, pair.confidence, whole.upper.drawn()),
    ]
