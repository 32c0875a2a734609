"""Confidence bands of choices: of each criterion's curve, its regret, and of differences."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd

from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.pieces import PIECE, piece_columns
from costcurves.tables.inference.bands import CONFIDENCE, EXTENT, METHOD
from costcurves.tables.keys import DATASET
from costcurves.tables.selection.choices import Choices, Judged, banded
from costcurves.tables.selection.resampled_criteria import Choice

COMPARED: Final = (
    Column("model_a", "str", "", "the model"),
    Column("criterion_a", "str", "", "by which its threshold or member is chosen"),
    Column("model_b", "str", "", "whose cost is subtracted; empty: the cost itself"),
    Column("criterion_b", "str", "", "by which that is chosen; empty: the cost itself"),
)
NOTHING: Final = Choice("", "")

CHOICE_BANDS: Final = Contract(
    "choice_bands",
    (
        DATASET,
        *COMPARED,
        METHOD,
        CONFIDENCE,
        EXTENT,
        *PIECE,
    ),
)


def choice_bands(dataset: str, choices: Choices, confidence: float) -> pd.DataFrame:
    """Give half of the width of the band of each choice, and of differences of two.

    A band reaches that far below and above the curve in `hybrids`, or the difference of two, but
    not beyond what a cost can be. Headline curves have theirs in `bands`, their differences in
    `comparisons`.
    """
    bands = [
        (one, "simultaneous" if simultaneous else "pointwise", one.resampled, simultaneous)
        for one in banded(choices)
        for simultaneous in (False, True)
    ]
    if not bands:
        return CHOICE_BANDS.empty()
    curves = [own.halfwidth(confidence, simultaneous) for *_, own, simultaneous in bands]
    owner, columns = piece_columns([curve.simplified() for curve in curves])
    names = compared([one for one, *_ in bands])
    return CHOICE_BANDS.frame(
        dataset=dataset,
        **{name: np.array(values)[owner] for name, values in names.items()},
        method=np.array([own.method for *_, own, _ in bands])[owner],
        confidence=confidence,
        extent=np.array([extent for _, extent, *_ in bands])[owner],
        **columns,
    )


def compared(found: Sequence[Judged]) -> dict[str, list[str]]:
    """Name what is compared, as `COMPARED` says."""
    return {
        "model_a": [one.a.model for one in found],
        "criterion_a": [one.a.criterion for one in found],
        "model_b": [(one.b or NOTHING).model for one in found],
        "criterion_b": [(one.b or NOTHING).criterion for one in found],
    }
