"""Choices: what each of them costs and costs more than another, with bands and intervals.

Their resamples are too many to keep in files, so one job makes all tables that rest on them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
import pandas as pd

from costcurves.chance.intervals import Rate
from costcurves.chance.resampled_bands import Resampled, difference
from costcurves.chance.resampled_rules import ResampledCriteria, Ruled
from costcurves.chance.resamples import paired_models
from costcurves.curves.averages import COST_SPACE
from costcurves.curves.conditions import Condition
from costcurves.curves.curves import Curve
from costcurves.curves.pieces import PIECE, curves_of, pieces_of
from costcurves.curves.priors import Prior, means_of
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import CONFIDENCE, DATASET, EXTENT, LEVEL, METHOD, MODEL, OF_CONDITION

COMPARED: Final = (
    Column("model_a", "str", "", "the model"),
    Column("criterion_a", "str", "", "by which its threshold or member is chosen"),
    Column("model_b", "str", "", "whose cost is subtracted; empty: the cost itself"),
    Column("criterion_b", "str", "", "by which that is chosen; empty: the cost itself"),
)
CHOICE_BANDS: Final = Contract(
    "choice_bands", DATASET, *COMPARED, METHOD, CONFIDENCE, EXTENT, *PIECE
)
CHOICE_INTERVALS: Final = Contract(
    "choice_intervals",
    DATASET,
    *COMPARED,
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
    headline: frozenset[Ruled]  # those whose curves are headline curves
    paired: Sequence[str]  # models predicted on the same instances and folds: all, or none
    criteria: ResampledCriteria

    def named(self) -> Iterator[tuple[Ruled, Ruled | None]]:
        """Name what can be said: costs, criteria of one model, models under one criterion.

        Of two criteria the later one comes first, so that what is subtracted is the cross-fitted
        choice wherever that is one of them; of two models the earlier one does.
        """
        for choice in self.costs:
            yield choice, None
        for b, a in combinations(self.comparable, 2):
            if a.model == b.model:
                yield a, b
        for a, b in combinations(self.comparable, 2):
            if a.criterion == b.criterion and {a.model, b.model} <= set(self.paired):
                yield a, b

    def resampled(self, a: Ruled, b: Ruled | None) -> tuple[dict[str, str], Resampled]:
        """Resample a cost or a difference of two, and name it as `COMPARED` and `METHOD` say."""
        resampled = self.criteria.compared(a, b, self.comparable) if b else self.costs[a]
        names = [column.name for column in (*COMPARED, METHOD)]
        values = (*a, *(b or ("", "")), resampled.method)
        return dict(zip(names, values, strict=True)), resampled


def choices(predictions: pd.DataFrame, criteria: ResampledCriteria) -> Choices:
    """Resample the curve of each criterion of each model that chooses without a limit."""
    comparable = {choice: criteria.of(choice) for choice in criteria.choices()}
    either = {**comparable, **criteria.headline}
    costs = {choice: either[choice] for choice in criteria.curves if choice in either}
    paired = paired_models(predictions, list(dict.fromkeys(choice.model for choice in costs)))
    return Choices(costs, comparable, frozenset(criteria.headline), paired, criteria)


def choice_bands(dataset: str, choices: Choices, confidence: float) -> pd.DataFrame:
    """Compute half of the width of the band of each choice, and of differences of two.

    A band reaches that far below and above the curve in `hybrids`, or the difference of two, but
    not beyond what a cost can be. Headline curves have theirs in `bands`, their differences in
    `comparisons`.
    """
    curves = []
    for a, b in choices.named():
        drawn_already = {a, b or a} <= choices.headline
        if not drawn_already and (b is None or b.criterion in {"cross-fitted", a.criterion}):
            names, resampled = choices.resampled(a, b)
            for extent in ("pointwise", "simultaneous"):
                half = resampled.halfwidth(confidence, extent == "simultaneous").simplified()
                curves.append((names | {"extent": extent}, half))
    return pieces_of(CHOICE_BANDS, curves, dataset=dataset, confidence=confidence)


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
    means = means_of(weight)
    odds, rows = choices.criteria.resamples.weights.odds, []
    for a, b in choices.named():
        names, resampled = choices.resampled(a, b)
        rates = [
            (name, "", np.nan, resampled.scalar(mean, confidence)) for name, mean in means.items()
        ]
        for condition in conditions:
            rate = resampled.at(condition.pc, confidence, odds * condition.by_sample)
            rates.append(("cost", condition.name, condition.pc, rate))
        for quantity, name, pc, rate in rates:
            row = {"quantity": quantity, "condition": name, "pc": pc}
            row |= {"value": rate.estimate, "low": rate.low, "high": rate.high}
            rows.append(names | row)
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
