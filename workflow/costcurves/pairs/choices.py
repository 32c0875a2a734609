"""Choices: what each of them costs and costs more than another, with intervals.

Their resamples are too many to keep in files, so one job makes all tables that rest on them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
import pandas as pd

from costcurves.chance.bands import Row, cost_rows, mean_rows
from costcurves.chance.intervals import Rate
from costcurves.chance.resampled_bands import Resampled, difference
from costcurves.chance.resampled_rules import ResampledCriteria, Ruled
from costcurves.chance.resamples import are_paired
from costcurves.curves.averages import COST_SPACE
from costcurves.curves.conditions import Condition
from costcurves.curves.curves import Curve
from costcurves.curves.pieces import curves_of
from costcurves.curves.priors import Prior, means_of
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import CONFIDENCE, DATASET, LEVEL, METHOD, MODEL, OF_CONDITION

CHOICE_INTERVALS: Final = Contract(
    "choice_intervals",
    DATASET,
    Column("model_a", "str", "", "the model"),
    Column("criterion_a", "str", "", "by which its threshold or member is chosen"),
    Column("model_b", "str", "", "whose cost is subtracted; empty: the cost itself"),
    Column("criterion_b", "str", "", "by which that is chosen; empty: the cost itself"),
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


@dataclass(frozen=True, eq=False)
class Choices:
    """The choices of one dataset, in the same resamples."""

    costs: Mapping[Ruled, Resampled]  # headline curves on the evaluation grid of the headline
    comparable: Mapping[Ruled, Resampled]  # the same, all on one evaluation grid
    paired: bool  # whether all models were predicted on the same instances and folds
    criteria: ResampledCriteria

    def pairs(self) -> Iterator[tuple[Ruled, Ruled]]:
        """Return what is compared: criteria of one model, models under one criterion.

        Of two criteria the later one comes first, so that what is subtracted is the cross-fitted
        choice wherever that is one of them; of two models the earlier one does.
        """
        for b, a in combinations(self.comparable, 2):
            if a.model == b.model:
                yield a, b
        for a, b in combinations(self.comparable, 2):
            if a.criterion == b.criterion and self.paired:
                yield a, b

    def compared(self, a: Ruled, b: Ruled) -> Resampled:
        """Subtract what one of them costs from another."""
        return self.criteria.compared(a, b, self.comparable)


def choices(predictions: pd.DataFrame, criteria: ResampledCriteria) -> Choices:
    """Resample the curve of each criterion of each model that chooses without a limit."""
    comparable = {choice: criteria.of(choice) for choice in criteria.choices()}
    either = {**comparable, **criteria.headline}
    costs = {choice: either[choice] for choice in criteria.curves if choice in either}
    paired = are_paired(predictions, [*{choice.model for choice in costs}])
    return Choices(costs, comparable, paired, criteria)


def choice_intervals(
    dataset: str,
    choices: Choices,
    *,
    confidence: float,
    weight: Prior,
    conditions: Sequence[Condition],
) -> pd.DataFrame:
    """Compute the interval of every number of each choice, and of the differences of two.

    `confidence` is the level of each by itself. What was selected in-sample has an interval of its
    expectation, which is too low a cost.
    """
    means, odds = means_of(weight), choices.criteria.resamples.weights.odds
    rows: list[Row] = []

    def add(a: Ruled, b: Ruled | tuple[str, str], resampled: Resampled, least: float) -> None:
        names = {"model_a": a[0], "criterion_a": a[1], "model_b": b[0], "criterion_b": b[1]}
        band = resampled.pointwise(confidence)
        rows.extend(names | row for row in mean_rows(resampled, means, confidence))
        rows.extend(names | row for row in cost_rows(band, conditions, odds, least))

    for choice, resampled in choices.costs.items():
        add(choice, ("", ""), resampled, 0.0)
    for a, b in choices.pairs():
        add(a, b, choices.compared(a, b), -1.0)
    return CHOICE_INTERVALS.rows(rows, dataset=dataset, confidence=confidence)


def optimism(
    averages: pd.DataFrame, criteria: pd.DataFrame, left_out: Mapping[tuple[str, str], Rate]
) -> pd.DataFrame:
    """Compare the areas of lower envelopes with that of cross-fitted choice, by model and level."""
    cross_fitted = criteria[criteria["criterion"] == "cross-fitted"].set_index("model")["area"]
    names = ["dataset", "model", "level"]
    envelopes = averages[averages["method"] == COST_SPACE]
    rows = pd.DataFrame(
        {**keys, "area": curve.area()}
        for _, of_model in envelopes.groupby("model", sort=False)
        for keys, curve in curves_of(of_model, names)
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


def left_out(choices: Choices, confidence: float) -> dict[tuple[str, str], Rate]:
    """Resample what lower envelopes leave out of the cross-fitted area, at the level of the study.

    The differences are paired: both curves are chosen again in the same resamples. The intervals
    hold one by one; there are none where the unit of the study is the fold.
    """
    rates = {}
    for fitted in choices.comparable:
        in_sample = Ruled(fitted.model, "cost-minimizing")
        if fitted.criterion == "cross-fitted" and in_sample in choices.comparable:
            more = difference(choices.comparable[fitted], choices.comparable[in_sample])
            rates[fitted.model, choices.criteria.level] = more.scalar(Curve.area, confidence)
    return rates
