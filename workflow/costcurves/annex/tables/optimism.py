"""Optimism: by how much averages of lower envelopes are too low, against cross-fitted choice."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np
import pandas as pd

from costcurves.maths.chance.intervals import Rate
from costcurves.maths.chance.resampled_bands import difference
from costcurves.maths.chance.resampled_curves import envelopes_at, evaluation_grid
from costcurves.maths.geometry.curves import Curve
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.averages import COST_SPACE
from costcurves.tables.curves.pieces import curves_of
from costcurves.tables.inference.resampling import joined
from costcurves.tables.keys import DATASET, IN_SAMPLE, LEVEL, MODEL
from costcurves.tables.selection.choices import ResampledCriteria

OPTIMISM: Final = Contract(
    "optimism",
    DATASET,
    MODEL,
    LEVEL,
    Column("area", "float64", "nec", "mean area of the lower envelopes at that level"),
    Column("cross_fitted", "float64", "nec", "area of cross-fitted choice; NaN: there is none"),
    Column("left_out", "float64", "nec", "cross_fitted - area: what the envelopes leave out"),
    Column("left_out_low", "float64", "nec", "lower end of its interval; NaN: not resampled"),
    Column("left_out_high", "float64", "nec", "upper end of its interval; NaN: not resampled"),
    Column("left_out_share", "float64", "share", "left_out / cross_fitted; 0 where both are"),
)


def optimism(
    averages: pd.DataFrame, criteria: pd.DataFrame, left_out: Mapping[tuple[str, str], Rate]
) -> pd.DataFrame:
    """Compare the areas of lower envelopes with that of cross-fitted choice, by model and level."""
    cross_fitted = criteria[criteria["criterion"] == "cross-fitted"].set_index("model")["area"]
    names = ["dataset", "model", "level"]
    envelopes = averages[averages["method"] == COST_SPACE]
    rows = pd.DataFrame(
        {**keys, "area": curve.area()}
        for _, own in envelopes.groupby("model", sort=False)
        for keys, curve in curves_of(own, names)
    )
    honest = rows["model"].map(cross_fitted)
    more = honest - rows["area"]
    none = Rate(np.nan, np.nan, np.nan)
    rates = [left_out.get(key, none) for key in zip(rows["model"], rows["level"], strict=True)]
    return OPTIMISM.frame(
        **{name: rows[name] for name in (*names, "area")},
        cross_fitted=honest,
        left_out=more,
        left_out_low=[rate.low for rate in rates],
        left_out_high=[rate.high for rate in rates],
        left_out_share=np.where(more == 0, 0.0, more / honest.where(honest > 0)),
    )


def left_out(
    averages: pd.DataFrame, resampled_criteria: ResampledCriteria, confidence: float
) -> dict[tuple[str, str], Rate]:
    """Resample what lower envelopes leave out of the cross-fitted area.

    The differences are paired: both curves are chosen again in the same resamples. The intervals
    hold one by one; there are none where the unit of the study is the fold.
    """
    again = replace(resampled_criteria, at=evaluation_grid([]))
    drawn, repeats = again.drawn, again.resamples.repeats
    fitted = {
        one.model: again.of(one) for one in again.choices() if one.criterion == "cross-fitted"
    }
    heights, found = {}, {}
    for names, curve in curves_of(averages[averages["method"] == COST_SPACE], ["model", "level"]):
        model, level = names.values()
        if model in fitted:
            at, predicted = fitted[model].grid, drawn.predicted(drawn.of(model), level)[0]
            key = model, predicted.curve.tobytes()
            if key not in heights:  # of a single repeat, two levels are the same
                heights[key] = envelopes_at(predicted, drawn.weights, at)
            own = joined(curve, IN_SAMPLE, at, heights[key], drawn.weights, repeats)
            found[model, level] = difference(fitted[model], own).scalar(Curve.area, confidence)
    return found
