"""Optimism: what choosing on the data that are judged leaves out of the expected cost."""

from typing import Final

import numpy as np
import pandas as pd

from costcurves.tables.averages import COST_SPACE
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import DATASET, LEVEL, MODEL
from costcurves.tables.pieces import curves_of

OPTIMISM: Final = Contract(
    "optimism",
    (
        DATASET,
        MODEL,
        LEVEL,
        Column("area", "float64", "nec", "mean area of the lower envelopes at that level"),
        Column("cross_fitted", "float64", "nec", "area of cross-fitted choice; NaN: there is none"),
        Column("left_out", "float64", "nec", "cross_fitted - area: what the envelopes leave out"),
        Column("left_out_share", "float64", "share", "left_out / cross_fitted; 0 where both are"),
    ),
)


def optimism(averages: pd.DataFrame, criteria: pd.DataFrame) -> pd.DataFrame:
    """Hold the areas of lower envelopes against the area of cross-fitted choice.

    Parameters
    ----------
    averages, criteria
        Tables of one dataset.

    Returns
    -------
    pandas.DataFrame
        A row a model and level, as `OPTIMISM` says.
    """
    cross_fitted = criteria[criteria["criterion"] == "cross-fitted"].set_index("model")["area"]
    names = ["dataset", "model", "level"]
    envelopes = averages[averages["method"] == COST_SPACE]
    areas = {model: _areas(own, names) for model, own in envelopes.groupby("model", sort=False)}
    rows = pd.concat(areas.values(), ignore_index=True)
    honest = rows["model"].map(cross_fitted)
    left_out = honest - rows["area"]
    return OPTIMISM.frame(
        **{name: rows[name] for name in (*names, "area")},
        cross_fitted=honest,
        left_out=left_out,
        left_out_share=np.where(left_out == 0, 0.0, left_out / honest.where(honest > 0)),
    )


def _areas(averages: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    return pd.DataFrame(
        {**keys, "area": curve.area()} for keys, curve, _ in curves_of(averages, names)
    )
