"""Lower envelopes: the cheapest operating point at each PC(+), by the data it is judged on."""

from typing import Final

import numpy as np
import pandas as pd

from costcurves import formats
from costcurves.maths.envelopes import ALWAYS_NEGATIVE, lower_envelopes
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.dealing import DEALT
from costcurves.tables.curves.operating_points import from_table
from costcurves.tables.curves.pieces import PIECE, piece_columns
from costcurves.tables.keys import CURVE

ENVELOPES: Final = Contract(
    "envelopes",
    (
        *CURVE,
        *PIECE,
        Column("point", "int64", "index", "the operating point that holds it; -1, -2: trivial"),
        Column("holder", "str", "", "that operating point in words"),
    ),
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
