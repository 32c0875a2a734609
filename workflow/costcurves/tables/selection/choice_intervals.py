"""Intervals of choices: what each costs, and how much more than another, with its interval."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd

from costcurves.maths.curves import Curve
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.measures import weight_of_pc
from costcurves.tables.inference.bands import CONFIDENCE, METHOD
from costcurves.tables.keys import DATASET
from costcurves.tables.selection.choice_bands import COMPARED, compared
from costcurves.tables.selection.choices import Choices, judged

CHOICE_INTERVALS: Final = Contract(
    "choice_intervals",
    (
        DATASET,
        *COMPARED,
        Column("quantity", "str", "", "area, tec or cost; of a difference if B is given"),
        Column("condition", "str", "", "the operating condition of a cost; empty: none"),
        Column("pc", "float64", "PC(+)", "of that condition; NaN: none"),
        Column("value", "float64", "nec", "the estimate; positive: A costs more than B"),
        Column("low", "float64", "nec", "lower end of its interval"),
        Column("high", "float64", "nec", "upper end of its interval"),
        METHOD,
        CONFIDENCE,
    ),
)


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
    for one in judged(choices):
        own = one.resampled
        found = [(name, "", math.nan, own.scalar(mean, confidence)) for name, mean in means.items()]
        found += [("cost", name, pc, own.at(pc, confidence)) for name, pc in marked]
        rows += [
            compared(one)
            | {"quantity": quantity, "condition": condition, "pc": pc}
            | {"value": rate.estimate, "low": rate.low, "high": rate.high}
            for quantity, condition, pc, rate in found
        ]
    return CHOICE_INTERVALS.rows(rows, dataset=dataset, confidence=confidence)
