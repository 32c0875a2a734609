"""Differences of two models that were fixed beforehand: of mean costs, and at named conditions.

A mean over PC(+) is one number, so its difference needs no band over all of PC(+): its interval is
Student's, its p-value is adjusted over the pairs by Holm's steps, and so is the level of the
interval. Costs at the conditions that a study names are a family of their own, over these and the
pairs: one critical value of the largest of their standardized deviations.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.chance.largest import Largest
from costcurves.chance.resampled_bands import student_p_value, student_quantile
from costcurves.pairs.comparisons import adjusted, holm
from costcurves.pairs.differences import Pair
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import CONFIDENCE, DATASET, METHOD, OF_CONDITION, OF_PAIR

PAIR_INTERVALS: Final = Contract(
    "pair_intervals",
    DATASET,
    *OF_PAIR,
    Column("quantity", "str", "", "area, tec, or cost at a condition that the study names"),
    *OF_CONDITION,
    Column("value", "float64", "nec", "cost(A) - cost(B)"),
    Column("low", "float64", "nec", "lower end of its interval"),
    Column("high", "float64", "nec", "upper end"),
    Column("p_value", "float64", "probability", "so large a difference by chance, by itself"),
    Column("adjusted", "float64", "probability", "over the family: against 1 - familywise"),
    Column("familywise", "float64", "probability", "level of the quantity's family"),
    CONFIDENCE,
    METHOD,
)

Row = dict[str, Any]


def pair_intervals(
    dataset: str,
    pairs: Sequence[Pair],
    conditions: Sequence[Mapping[str, Any]],
    *,
    confidence: float,
    named: float,
) -> pd.DataFrame:
    """Give the differences that were fixed beforehand, of pairs that were tested.

    `confidence` is the level of each kind of mean over all pairs, `named` that of all costs at
    named conditions.
    """
    tested = [pair for pair in pairs if not pair.why_none]
    rows = [
        {"family": family, **row}
        for family, own in groupby(tested, key=lambda pair: pair.family)
        for found in [list(own)]
        for row in (*_means(found, confidence), *_costs(found, conditions, named))
    ]
    return PAIR_INTERVALS.rows(rows, dataset=dataset)


def _means(pairs: Sequence[Pair], level: float) -> Iterator[Row]:
    """Give each kind of mean, with Holm's steps over the pairs."""
    for quantity in pairs[0].means:
        p_values = [student_p_value(_height(*one.means[quantity]), _dof(one)) for one in pairs]
        steps = zip(pairs, p_values, adjusted(p_values), holm(p_values, level), strict=True)
        for pair, p_value, of_all, own in steps:
            value, spread = pair.means[quantity]
            row = {"quantity": quantity, "condition": "", "pc": math.nan}
            row |= _interval(pair, value, student_quantile(own, _dof(pair)) * spread)
            row |= {"p_value": p_value, "adjusted": of_all, "confidence": own}
            yield row | {"familywise": level}


def _costs(
    pairs: Sequence[Pair], conditions: Sequence[Mapping[str, Any]], level: float
) -> Iterator[Row]:
    """Give the costs at named conditions, all with one critical value."""
    named = [one for one in conditions if one["named"]]
    if not named:
        return
    largest = Largest.simulated(np.maximum.reduce([pair.deviations for pair in pairs]))
    places = np.array([one["pc"] for one in named])
    for pair in pairs:
        critical = max(largest.critical(level), student_quantile(level, _dof(pair)))
        values = pair.resampled.estimate(places)
        spreads = np.interp(places, pair.resampled.grid, pair.resampled.narrow)
        for one, value, spread in zip(named, values.tolist(), spreads.tolist(), strict=True):
            height = _height(value, spread)
            alone = student_p_value(height, _dof(pair))
            row = {"quantity": "cost", "condition": one["name"], "pc": one["pc"]}
            row |= _interval(pair, value, critical * spread)
            row |= {"p_value": alone, "adjusted": max(largest.p_value(height), alone)}
            yield row | {"familywise": level, "confidence": level}


def _interval(pair: Pair, value: float, half: float) -> Row:
    """Put half of a width around a difference, as far as one can go."""
    ends = {"low": max(value - half, -1.0), "high": min(value + half, 1.0)}
    named = {"model_a": pair.a, "model_b": pair.b, "method": pair.resampled.method}
    return {**named, "value": value, **ends}


def _height(value: float, spread: float) -> float:
    """Standardize; models that never differ do so by nothing."""
    return abs(value) / spread if spread else 0.0


def _dof(pair: Pair) -> float:
    return pair.resampled.dof
