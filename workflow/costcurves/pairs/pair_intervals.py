"""Differences of two models that were fixed beforehand: of mean costs, and at named conditions.

A mean over PC(+) is one number, so its difference needs no band over all of PC(+): its interval is
Student's, its p-value is adjusted over the pairs by Holm's steps, and so is the level of the
interval. Costs at the conditions that a study names are a family of their own, over these and the
pairs: one critical value of the largest of their standardized deviations.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.chance.largest import Largest
from costcurves.chance.resampled_bands import student_p_value, student_quantile
from costcurves.curves.conditions import Condition
from costcurves.pairs.comparisons import Pair, adjusted, holm
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
    conditions: Sequence[Condition],
    *,
    confidence: float,
    named: float,
) -> pd.DataFrame:
    """List the differences that were fixed beforehand, of pairs that were tested.

    `confidence` is the level of each kind of mean over all pairs, `named` that of all costs at
    named conditions.
    """
    tested = [pair for pair in pairs if not pair.why_none]
    rows: list[Row] = []
    for family, group in groupby(tested, key=lambda pair: pair.family):
        of_family = list(group)
        of_both = *_means(of_family, confidence), *_costs(of_family, conditions, named)
        rows += [{"family": family, **row} for row in of_both]
    return PAIR_INTERVALS.rows(rows, dataset=dataset)


def _means(pairs: Sequence[Pair], level: float) -> Iterator[Row]:
    """Compare each kind of mean, with Holm's steps over the pairs."""
    for quantity in pairs[0].means:
        p_values = [_alone(pair, *pair.means[quantity]) for pair in pairs]
        steps = zip(pairs, p_values, adjusted(p_values), holm(p_values, level), strict=True)
        for pair, p_value, of_all, of_pair in steps:
            value, spread = pair.means[quantity]
            row = {"quantity": quantity, "condition": "", "p_value": p_value}
            row |= _interval(pair, value, student_quantile(of_pair, pair.resampled.dof) * spread)
            yield row | {"adjusted": of_all, "confidence": of_pair, "familywise": level}


def _costs(pairs: Sequence[Pair], conditions: Sequence[Condition], level: float) -> Iterator[Row]:
    """Compare the costs at named conditions, all with one critical value."""
    named = [condition for condition in conditions if condition.named]
    if not named:
        return
    largest = Largest.simulated(np.maximum.reduce([pair.deviations for pair in pairs]))
    places = np.array([condition.pc for condition in named])
    for pair in pairs:
        resampled = pair.resampled
        critical = max(largest.critical(level), student_quantile(level, resampled.dof))
        values = resampled.estimate(places)
        spreads = np.interp(places, resampled.grid, resampled.narrow)
        for condition, value, spread in zip(named, values.tolist(), spreads.tolist(), strict=True):
            alone = _alone(pair, value, spread)
            of_all = max(largest.p_value(_height(value, spread)), alone)
            row = {"quantity": "cost", "condition": condition.name, "pc": condition.pc}
            row |= _interval(pair, value, critical * spread) | {"p_value": alone}
            yield row | {"adjusted": of_all, "familywise": level, "confidence": level}


def _interval(pair: Pair, value: float, half: float) -> Row:
    """Put half of a width around a difference, as far as one can go."""
    ends = {"low": max(value - half, -1.0), "high": min(value + half, 1.0)}
    named = {"model_a": pair.a, "model_b": pair.b, "method": pair.resampled.method}
    return {**named, "value": value, **ends}


def _alone(pair: Pair, value: float, spread: float) -> float:
    """Compute the p-value of a difference by itself."""
    return student_p_value(_height(value, spread), pair.resampled.dof)


def _height(value: float, spread: float) -> float:
    """Standardize; models that never differ do so by nothing."""
    return abs(value) / spread if spread else 0.0
