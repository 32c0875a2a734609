"""Intervals of choices: what each costs, and how much more than another, with its interval."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import pandas as pd

from costcurves.maths.curves import Curve
from costcurves.maths.intervals import Rate
from costcurves.maths.resampled_bands import Resampled
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
    quantities = _quantities(prior, conditions, confidence)
    each = [
        (one, *keys, rate_of(one.resampled))
        for one in judged(choices)
        for *keys, rate_of in quantities
    ]
    if not each:
        return CHOICE_INTERVALS.empty()
    owners, quantity, condition, pc, rates = zip(*each, strict=True)
    low, value, high = zip(*rates, strict=True)
    return CHOICE_INTERVALS.frame(
        dataset=dataset,
        **compared(owners),
        quantity=list(quantity),
        condition=list(condition),
        pc=list(pc),
        value=list(value),
        low=list(low),
        high=list(high),
        method=[one.resampled.method for one in owners],
        confidence=confidence,
    )


Quantity = tuple[str, str, float, Callable[[Resampled], Rate]]


def _quantities(
    prior: Mapping[str, Any], conditions: Sequence[Mapping[str, Any]], confidence: float
) -> list[Quantity]:
    """Name the numbers that are read off each curve: area, expected cost, costs."""
    none = float("nan")
    means = {"area": Curve.area, "tec": weight_of_pc(prior).expected_cost}
    return [
        *(
            (name, "", none, partial(Resampled.scalar, functional=mean, level=confidence))
            for name, mean in means.items()
        ),
        *(
            ("cost", str(one["name"]), pc, partial(Resampled.at, pc=pc, level=confidence))
            for one in conditions
            for pc in [float(one["pc"])]
        ),
    ]
