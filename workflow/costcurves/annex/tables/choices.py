"""Choices: what each of them costs and costs more than another, with bands and intervals.

Their resamples are too many to keep in files, so one job makes all tables that rest on them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.maths.chance.resampled_bands import Resampled
from costcurves.maths.geometry.curves import Curve
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.headline import weight_of_pc
from costcurves.tables.curves.pieces import PIECE, pieces_of
from costcurves.tables.inference.resampling import paired_models
from costcurves.tables.keys import CONFIDENCE, DATASET, EXTENT, METHOD, OF_CONDITION
from costcurves.tables.selection.choices import Choice, ResampledCriteria

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


@dataclass(frozen=True, eq=False)
class Choices:
    """The choices of one dataset, in the same resamples."""

    costs: Mapping[Choice, Resampled]  # headline curves on the evaluation grid of the headline
    comparable: Mapping[Choice, Resampled]  # the same, all on one evaluation grid
    headline: frozenset[Choice]  # those whose curves are headline curves
    paired: Sequence[str]  # models predicted on the same instances and folds: all, or none
    criteria: ResampledCriteria

    def named(self) -> Iterator[tuple[Choice, Choice | None]]:
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

    def resampled(self, a: Choice, b: Choice | None) -> tuple[dict[str, str], Resampled]:
        """Resample a cost or a difference of two, and name it as `COMPARED` and `METHOD` say."""
        found = self.criteria.compared(a, b, self.comparable) if b else self.costs[a]
        names = [column.name for column in (*COMPARED, METHOD)]
        return dict(zip(names, (*a, *(b or ("", "")), found.method), strict=True)), found


def choices(predictions: pd.DataFrame, resampled_criteria: ResampledCriteria) -> Choices:
    """Resample the curve of each criterion of each model, where there is a way to.

    Where the unit of the study is the fold, there are only headline curves and nothing to compare.
    """
    comparable = {one: resampled_criteria.of(one) for one in resampled_criteria.choices()}
    headline = resampled_criteria.headline
    both = {**comparable, **headline}
    costs = {one: both[one] for one in resampled_criteria.curves if one in both}
    models = list(dict.fromkeys(choice.model for choice in costs))
    paired = paired_models(predictions, models)
    return Choices(costs, comparable, frozenset(headline), paired, resampled_criteria)


def choice_bands(dataset: str, choices: Choices, confidence: float) -> pd.DataFrame:
    """Give half of the width of the band of each choice, and of differences of two.

    A band reaches that far below and above the curve in `hybrids`, or the difference of two, but
    not beyond what a cost can be. Headline curves have theirs in `bands`, their differences in
    `comparisons`.
    """
    found = []
    for a, b in choices.named():
        drawn_already = {a, b or a} <= choices.headline
        if not drawn_already and (b is None or b.criterion in {"cross-fitted", a.criterion}):
            names, own = choices.resampled(a, b)
            for extent, simultaneous in (("pointwise", False), ("simultaneous", True)):
                half = own.halfwidth(confidence, simultaneous).simplified()
                found.append((names | {"extent": extent}, half))
    return pieces_of(CHOICE_BANDS, found, dataset=dataset, confidence=confidence)


def choice_intervals(
    dataset: str,
    choices: Choices,
    *,
    confidence: float,
    prior: Mapping[str, Any],
    conditions: Sequence[Mapping[str, Any]],
) -> pd.DataFrame:
    """Give every number of each choice, and of the differences of two, its interval.

    `confidence` is the level of each by itself. What was selected in-sample has an interval of its
    expectation, which is too low a cost.
    """
    means = {"area": Curve.area, "tec": weight_of_pc(prior).expected_cost}
    marked = [(str(one["name"]), float(one["pc"])) for one in conditions]
    rows = []
    for a, b in choices.named():
        names, own = choices.resampled(a, b)
        found = [(name, "", np.nan, own.scalar(mean, confidence)) for name, mean in means.items()]
        found += [("cost", name, pc, own.at(pc, confidence)) for name, pc in marked]
        rows += [
            names
            | {"quantity": quantity, "condition": condition, "pc": pc}
            | {"value": rate.estimate, "low": rate.low, "high": rate.high}
            for quantity, condition, pc, rate in found
        ]
    return CHOICE_INTERVALS.rows(rows, dataset=dataset, confidence=confidence)
