"""Choices: what each of them costs, and costs more than cross-fitted choice, with intervals.

Their resamples are too many to keep, so they are made model by model.
"""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final

import numpy as np
import pandas as pd

from costcurves.chance.bands import Row, cost_rows, mean_rows
from costcurves.chance.resampled_bands import Resampled
from costcurves.chance.resampled_rules import ResampledCriteria, Ruled
from costcurves.curves.averages import COST_SPACE
from costcurves.curves.conditions import Condition
from costcurves.curves.pieces import curves_of
from costcurves.curves.priors import Prior, means_of
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import (
    CONFIDENCE,
    CROSS_FITTED,
    DATASET,
    LEVEL,
    METHOD,
    MODEL,
    OF_CONDITION,
)

CHOICE_INTERVALS: Final = Contract(
    "choice_intervals",
    DATASET,
    Column("model_a", "str", "", "the model"),
    Column("criterion_a", "str", "", "by which its threshold or member is chosen"),
    Column("model_b", "str", "", "A, where a cost is subtracted; empty: the cost itself"),
    Column("criterion_b", "str", "", "cross-fitted, whose cost is subtracted; or empty"),
    Column("quantity", "str", "", "area, tec or cost; of a difference if B is given"),
    *OF_CONDITION,
    Column("value", "float64", "nec", "the estimate; positive: A costs more than B"),
    Column("low", "float64", "nec", "lower end of its interval"),
    Column("high", "float64", "nec", "upper end of its interval"),
    METHOD,
    CONFIDENCE,
)
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


def choice_intervals(
    dataset: str,
    criteria: ResampledCriteria,
    *,
    confidence: float,
    weight: Prior,
    conditions: Sequence[Condition],
) -> pd.DataFrame:
    """Compute the interval of what each choice costs, and costs more than cross-fitted choice.

    `confidence` is the level of each by itself. What was selected in-sample has an interval of its
    expectation, which is too low a cost.
    """
    means, odds = means_of(weight), criteria.resamples.weights.odds
    costs: list[Row] = []
    differences: list[Row] = []

    def add(rows: list[Row], names: dict[str, str], resampled: Resampled, least: float) -> None:
        band = resampled.pointwise(confidence)
        rows.extend(names | row for row in mean_rows(resampled, means, confidence))
        rows.extend(names | row for row in cost_rows(band, conditions, odds, least))

    for model, of_model in groupby(criteria.choices(), key=attrgetter("model")):
        each = criteria.of(list(of_model))
        fitted = Ruled(model, CROSS_FITTED)
        for choice, resampled in each.items():
            names = {"model_a": model, "criterion_a": choice.criterion}
            alone = {**names, "model_b": "", "criterion_b": ""}
            add(costs, alone, criteria.headline.get(choice, resampled), 0.0)
            if fitted in each and choice != fitted:
                names |= {"model_b": model, "criterion_b": CROSS_FITTED}
                add(differences, names, criteria.compared(choice, fitted, each), -1.0)
    return CHOICE_INTERVALS.rows([*costs, *differences], dataset=dataset, confidence=confidence)


def optimism(
    averages: pd.DataFrame, criteria: pd.DataFrame, intervals: pd.DataFrame, level: str
) -> pd.DataFrame:
    """Compare the areas of lower envelopes with that of cross-fitted choice, by model and level.

    At the `level` of the study what they leave out has an interval, from `choice_intervals`: both
    curves are chosen again in the same resamples.
    """
    cross_fitted = criteria[criteria["criterion"] == CROSS_FITTED].set_index("model")["area"]
    names = ["dataset", "model", "level"]
    envelopes = averages[averages["method"] == COST_SPACE]
    rows = pd.DataFrame(
        {**keys, "area": curve.area()}
        for _, of_model in envelopes.groupby("model", sort=False)
        for keys, curve in curves_of(of_model, names)
    )
    honest = rows["model"].map(cross_fitted)
    more = honest - rows["area"]
    in_hindsight = intervals["criterion_a"].eq("cost-minimizing")
    less = intervals[in_hindsight & intervals["model_b"].ne("") & intervals["quantity"].eq("area")]
    less = less.set_index("model_a")[["low", "high"]].reindex(rows["model"])
    less[rows["level"].ne(level).to_numpy()] = np.nan
    return OPTIMISM.frame(
        **{name: rows[name] for name in (*names, "area")},
        cross_fitted=honest,
        left_out=more,
        left_out_low=-less["high"].to_numpy(),
        left_out_high=-less["low"].to_numpy(),
        left_out_share=np.where(more == 0, 0.0, more / honest.where(honest > 0)),
    )
