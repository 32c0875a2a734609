"""Bands: how far chance takes each headline curve, at each PC(+) and over all of them at once."""

from typing import Final

import numpy as np
import pandas as pd

from costcurves.maths import intervals
from costcurves.maths.bands import Band
from costcurves.maths.intervals import Errors
from costcurves.tables.contract import Column, Contract
from costcurves.tables.headline import estimates_of, headline_of
from costcurves.tables.keys import DATASET, ESTIMATE, FIXED, MODEL
from costcurves.tables.pieces import PIECE, piece_columns
from costcurves.tables.resampling import Resamples

METHOD: Final = Column("method", "str", "", "how chance was measured")
CONFIDENCE: Final = Column("confidence", "float64", "probability", "nominal level")

BANDS: Final = Contract(
    "bands",
    (
        DATASET,
        MODEL,
        ESTIMATE,
        METHOD,
        CONFIDENCE,
        Column(
            "extent", "str", "", "pointwise: at each PC(+) by itself; simultaneous: all at once"
        ),
        Column("edge", "str", "", "lower or upper"),
        *PIECE,
    ),
)


def bands(
    points: pd.DataFrame, headline: pd.DataFrame, resamples: Resamples, confidence: float
) -> pd.DataFrame:
    """Draw both bands of each model's headline curve.

    Parameters
    ----------
    points, headline
        Tables of one dataset.
    resamples
        The headline curves in resamples.
    confidence
        Nominal level.

    Returns
    -------
    pandas.DataFrame
        A row a piece of an edge, as `BANDS` says. An edge that is no straight line (a Wilson band)
        is given by 64 chords.
    """
    found = model_bands(points, headline, resamples, confidence)
    edges = [
        (model, band, name, edge.drawn())
        for model, pair in found.items()
        for band in pair
        for name, edge in (("lower", band.lower), ("upper", band.upper))
    ]
    models, band_of, names, curves = zip(*edges, strict=True)
    owner, columns = piece_columns(curves)
    estimates = estimates_of(headline)
    extents = ["simultaneous" if band.simultaneous else "pointwise" for band in band_of]
    return BANDS.frame(
        dataset=str(headline["dataset"].iloc[0]),
        model=np.array(models)[owner],
        estimate=np.array([estimates[model] for model in models])[owner],
        method=np.array([band.method for band in band_of])[owner],
        confidence=confidence,
        extent=np.array(extents)[owner],
        edge=np.array(names)[owner],
        **columns,
    )


def model_bands(
    points: pd.DataFrame, headline: pd.DataFrame, resamples: Resamples, confidence: float
) -> dict[str, tuple[Band, Band]]:
    """Make the pointwise and the simultaneous band of each model.

    A decision that was made once for each instance has closed forms; all else is resampled.
    """
    curves, estimates = headline_of(headline), estimates_of(headline)
    found = {}
    for model, curve in curves.items():
        errors = _errors(points, model) if estimates[model] == FIXED else None
        if errors is not None and not resamples.folds:
            found[model] = (
                intervals.wilson(errors, confidence),
                intervals.simultaneous(errors, confidence),
            )
        else:
            own = resamples.of(model, curve, estimates[model])
            found[model] = own.pointwise(confidence), own.simultaneous(confidence)
    return found


def _errors(points: pd.DataFrame, model: str) -> Errors | None:
    """Count the errors of a decision on one test set; None where there are several."""
    folds = points[(points["model"] == model) & (points["level"] == "fold")]
    if len(folds) != 1:
        return None
    row = folds.iloc[0]
    false, right = int(row["fp_count"]), int(row["tp_count"])
    positives = int(row["positives"])
    return Errors(false, int(row["negatives"]), positives - right, positives)
