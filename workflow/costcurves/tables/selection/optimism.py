"""Optimism: what choosing on the data that are judged leaves out of the expected cost."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.maths.curves import Curve
from costcurves.maths.intervals import Rate
from costcurves.maths.resampled_bands import Resampled, difference
from costcurves.maths.resampled_curves import envelopes_at, evaluation_grid
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.averages import COST_SPACE
from costcurves.tables.curves.pieces import curves_of
from costcurves.tables.inference.resampled_instances import ResampledInstances, resampled_instances
from costcurves.tables.inference.resampling import Resamples, joined
from costcurves.tables.keys import CROSS_FITTED, DATASET, IN_SAMPLE, LEVEL, MODEL
from costcurves.tables.selection.criterion import Drawn
from costcurves.tables.selection.hybrids import curves_by_criterion
from costcurves.tables.selection.resampled_criteria import Choice, headlines, thinned
from costcurves.tables.selection.unlimited import CrossFitted

OPTIMISM: Final = Contract(
    "optimism",
    (
        DATASET,
        MODEL,
        LEVEL,
        Column("area", "float64", "nec", "mean area of the lower envelopes at that level"),
        Column("cross_fitted", "float64", "nec", "area of cross-fitted choice; NaN: there is none"),
        Column("left_out", "float64", "nec", "cross_fitted - area: what the envelopes leave out"),
        Column("left_out_low", "float64", "nec", "lower end of its interval; NaN: not resampled"),
        Column("left_out_high", "float64", "nec", "upper end of its interval; NaN: not resampled"),
        Column("left_out_share", "float64", "share", "left_out / cross_fitted; 0 where both are"),
    ),
)


Floats = NDArray[np.float64]
Intervals = Mapping[tuple[str, str], Rate]  # by model and level


def optimism(averages: pd.DataFrame, criteria: pd.DataFrame, left_out: Intervals) -> pd.DataFrame:
    """Compare the areas of lower envelopes with the area of cross-fitted choice."""
    cross_fitted = criteria[criteria["criterion"] == "cross-fitted"].set_index("model")["area"]
    names = ["dataset", "model", "level"]
    envelopes = averages[averages["method"] == COST_SPACE]
    areas = {model: _areas(own, names) for model, own in envelopes.groupby("model", sort=False)}
    rows = pd.concat(areas.values(), ignore_index=True)
    honest = rows["model"].map(cross_fitted)
    more = honest - rows["area"]
    none = Rate(np.nan, np.nan, np.nan)
    found = [left_out.get(key, none) for key in zip(rows["model"], rows["level"], strict=True)]
    return OPTIMISM.frame(
        **{name: rows[name] for name in (*names, "area")},
        cross_fitted=honest,
        left_out=more,
        left_out_low=[rate.low for rate in found],
        left_out_high=[rate.high for rate in found],
        left_out_share=np.where(more == 0, 0.0, more / honest.where(honest > 0)),
    )


def left_out(
    predictions: pd.DataFrame,
    averages: pd.DataFrame,
    hybrids: pd.DataFrame,
    headline: pd.DataFrame,
    resamples: Resamples,
    confidence: float,
) -> dict[tuple[str, str], Rate]:
    """Resample what lower envelopes leave out of the cross-fitted area.

    The differences are paired: both curves are chosen again in the same resamples. The intervals
    hold one by one; there are none where the unit of the study is the fold.
    """
    if resamples.folds:
        return {}
    drawn = resampled_instances(predictions, resamples.resamples, resamples.seed)
    fitted = _cross_fitted(drawn, hybrids, headline, resamples)
    rows = averages[averages["method"] == COST_SPACE]
    heights: dict[tuple[str, bytes], Floats] = {}  # of a single repeat, two levels are the same
    found = {}
    for names, curve in curves_of(rows, ["model", "level"]):
        model, level = names.values()
        if model in fitted:
            at, predicted = fitted[model].grid, drawn.predicted(drawn.of(model), level)[0]
            key = model, predicted.curve.tobytes()
            if key not in heights:
                heights[key] = envelopes_at(predicted, drawn.weights, at)
            own = joined(curve, IN_SAMPLE, at, heights[key], drawn.weights, resamples.repeats)
            found[model, level] = difference(fitted[model], own).scalar(Curve.area, confidence)
    return found


def _cross_fitted(
    drawn: ResampledInstances, hybrids: pd.DataFrame, headline: pd.DataFrame, resamples: Resamples
) -> dict[str, Resampled]:
    """Resample the cross-fitted curve of each model that has one."""
    at, heads = evaluation_grid([]), headlines(headline, resamples)
    found = {}
    for (model, criterion), curve in curves_by_criterion(hybrids).items():
        if criterion == "cross-fitted":
            is_headline = Choice(model, criterion) in heads
            heights = (
                thinned(resamples, model, at)
                if is_headline
                else CrossFitted().resampled(Drawn(drawn, drawn.of(model), at))
            )
            weights, repeats = drawn.weights, resamples.repeats
            found[model] = joined(curve, CROSS_FITTED, at, heights, weights, repeats)
    return found


def _areas(averages: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    return pd.DataFrame(
        {**keys, "area": curve.area()} for keys, curve in curves_of(averages, names)
    )
