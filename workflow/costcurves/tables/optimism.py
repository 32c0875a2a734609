"""Optimism: what choosing on the data that are judged leaves out of the expected cost."""

from typing import Final

import numpy as np
import pandas as pd

from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import DATASET, LEVEL, MODEL, curve_codes

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


def optimism(measures: pd.DataFrame, criteria: pd.DataFrame) -> pd.DataFrame:
    """Hold the areas of lower envelopes against the area of cross-fitted choice.

    Parameters
    ----------
    measures, criteria
        Tables of one dataset.

    Returns
    -------
    pandas.DataFrame
        A row a model and level, as `OPTIMISM` says.
    """
    cross_fitted = criteria[criteria["criterion"] == "cross-fitted"].set_index("model")["area"]
    models, _ = curve_codes(measures, ["model"])
    rows = measures.iloc[np.argsort(models.to_numpy(), kind="stable")].reset_index(drop=True)
    honest = rows["model"].map(cross_fitted)
    left_out = honest - rows["area"]
    return OPTIMISM.frame(
        **{name: rows[name] for name in ("dataset", "model", "level", "area")},
        cross_fitted=honest,
        left_out=left_out,
        left_out_share=np.where(left_out == 0, 0.0, left_out / honest.where(honest > 0)),
    )
