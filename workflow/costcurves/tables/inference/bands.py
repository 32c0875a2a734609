"""Confidence bands of headline curves: at each PC(+), and over all of them at once."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.maths import intervals
from costcurves.maths.bands import Band
from costcurves.maths.intervals import Errors
from costcurves.maths.resampling import generator
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.headline import estimates_of, headline_of
from costcurves.tables.curves.operating_points import is_weighted
from costcurves.tables.curves.pieces import PIECE, piece_columns
from costcurves.tables.inference.resampling import Resamples
from costcurves.tables.keys import DATASET, ESTIMATE, FIXED, MODEL

METHOD: Final = Column("method", "str", "", "how chance was measured")
CONFIDENCE: Final = Column("confidence", "float64", "probability", "nominal level")
EXTENT: Final = Column(
    "extent", "str", "", "pointwise: at each PC(+) by itself; simultaneous: all at once"
)

BANDS: Final = Contract(
    "bands",
    (
        DATASET,
        MODEL,
        ESTIMATE,
        METHOD,
        CONFIDENCE,
        EXTENT,
        Column("edge", "str", "", "lower or upper"),
        *PIECE,
    ),
)


def bands(
    points: pd.DataFrame,
    headline: pd.DataFrame,
    resamples: Resamples,
    inference: Mapping[str, Any],
) -> pd.DataFrame:
    """Draw both bands of each model's headline curve.

    An edge that is no straight line (a Wilson band) is given by 64 chords.
    """
    found = model_bands(points, headline, resamples, inference)
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
        confidence=inference["confidence"],
        extent=np.array(extents)[owner],
        edge=np.array(names)[owner],
        **columns,
    )


def model_bands(
    points: pd.DataFrame,
    headline: pd.DataFrame,
    resamples: Resamples,
    inference: Mapping[str, Any],
) -> dict[str, tuple[Band, Band]]:
    """Make the pointwise and the simultaneous band of each model.

    A decision that was made once for each instance has bands of its two rates, where instances are
    unweighted; all else is resampled.
    """
    curves, estimates = headline_of(headline), estimates_of(headline)
    confidence = inference["confidence"]
    found = {}
    for model, curve in curves.items():
        errors = _errors(points, model) if estimates[model] == FIXED else None
        if errors is not None and not resamples.folds:
            found[model] = (
                _of_rates(errors, resamples, inference, model),
                intervals.simultaneous(errors, confidence),
            )
        else:
            own = resamples.of(model, curve, estimates[model])
            found[model] = own.pointwise(confidence), own.simultaneous(confidence)
    return found


def _of_rates(
    errors: Errors, resamples: Resamples, inference: Mapping[str, Any], model: str
) -> Band:
    """Make the pointwise band of a decision as the study asks."""
    confidence, band = inference["confidence"], inference["band"]
    if band == "bootstrap":
        rng = generator(resamples.seed, resamples.dataset, model, "bootstrap")
        return intervals.bootstrap(errors, resamples.resamples, rng, confidence)
    return (intervals.normal if band == "normal" else intervals.wilson)(errors, confidence)


def _errors(points: pd.DataFrame, model: str) -> Errors | None:
    """Count a decision's errors on one test set; None for several, or if errors are weighted."""
    folds = points[(points["model"] == model) & (points["level"] == "fold")]
    if len(folds) != 1 or is_weighted(folds):
        return None
    row = folds.iloc[0]
    false, right = int(row["fp_count"]), int(row["tp_count"])
    positives = int(row["positives"])
    return Errors(false, int(row["negatives"]), positives - right, positives)
