"""Confidence bands of choices: of each criterion's curve, its regret, and of differences."""

from typing import Final

import pandas as pd

from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.pieces import PIECE, pieces_of
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
    (DATASET, *COMPARED, METHOD, CONFIDENCE, EXTENT, *PIECE),
)


def choice_bands(dataset: str, choices: Choices, confidence: float) -> pd.DataFrame:
    """Give half of the width of the band of each choice, and of differences of two.

    A band reaches that far below and above the curve in `hybrids`, or the difference of two, but
    not beyond what a cost can be. Headline curves have theirs in `bands`, their differences in
    `comparisons`.
    """
    found = [
        (compared(one) | {"extent": extent}, one.resampled.halfwidth(confidence, simultaneous))
        for one in banded(choices)
        for extent, simultaneous in (("pointwise", False), ("simultaneous", True))
    ]
    thin = [(names, curve.simplified()) for names, curve in found]
    return pieces_of(CHOICE_BANDS, thin, dataset=dataset, confidence=confidence)


def compared(one: Judged) -> dict[str, str]:
    """Name what is compared, as `COMPARED` says, and how it was resampled."""
    names = [*(column.name for column in COMPARED), METHOD.name]
    said = (*one.a, *(one.b or NOTHING), one.resampled.method)
    return dict(zip(names, said, strict=True))
