"""Crossovers: where each model costs less than each other one, without inference."""

from itertools import combinations
from typing import Final

import pandas as pd

from costcurves.maths.cost_space import ratio_from_pc
from costcurves.maths.curves import Curve, better_than, largest_difference
from costcurves.tables.averages import headline_curves
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import DATASET, ESTIMATE, IN_SAMPLE, LEVEL

CROSSOVERS: Final = Contract(
    "crossovers",
    (
        DATASET,
        Column("model_a", "str", "", "first model of the pair"),
        Column("model_b", "str", "", "second model of the pair"),
        LEVEL,
        ESTIMATE,
        Column("pc_from", "float64", "PC(+)", "where the interval begins"),
        Column("pc_to", "float64", "PC(+)", "where it ends"),
        Column("cheaper", "str", "", "the model that costs less there, or: equal"),
        Column("ratio_from", "float64", "cost ratio", "pc_from as C(-|+) / C(+|-) at the prior"),
        Column("ratio_to", "float64", "cost ratio", "pc_to as C(-|+) / C(+|-) at the prior"),
        Column("largest_difference", "float64", "nec", "cost(A) - cost(B) where it is largest"),
        Column("at_pc", "float64", "PC(+)", "where that is"),
    ),
)

EQUAL: Final = "equal"


def crossovers(averages: pd.DataFrame, measures: pd.DataFrame, level: str) -> pd.DataFrame:
    """Divide PC(+) for each pair of models by who costs less.

    Parameters
    ----------
    averages, measures
        Of one dataset; the measures hold the prior at which PC(+) is a cost ratio.
    level
        The level of the headline curves.

    Returns
    -------
    pandas.DataFrame
        A row an interval, as `CROSSOVERS` says; none for a single model. A difference is
        cost(A) - cost(B): positive where B costs less.
    """
    curves = headline_curves(averages, level)
    prior = float(measures["prior"].iloc[0])
    rows = [
        {"model_a": a, "model_b": b, **interval}
        for a, b in combinations(curves, 2)
        for interval in _intervals((a, curves[a]), (b, curves[b]), prior)
    ]
    names = [name for name in CROSSOVERS.names if name not in {"dataset", "level", "estimate"}]
    frame = pd.DataFrame(rows, columns=names)
    dataset = str(measures["dataset"].iloc[0])
    return CROSSOVERS.frame(
        **{name: frame[name] for name in names}, dataset=dataset, level=level, estimate=IN_SAMPLE
    )


def _intervals(
    a: tuple[str, Curve], b: tuple[str, Curve], prior: float
) -> list[dict[str, float | str]]:
    found: list[dict[str, float | str]] = []
    for low, high, sign in better_than(a[1], b[1]):
        extreme = largest_difference(a[1], b[1], low, high)
        found.append(
            {
                "pc_from": low,
                "pc_to": high,
                "cheaper": {-1: a[0], 0: EQUAL, 1: b[0]}[sign],
                "ratio_from": float(ratio_from_pc(low, prior)),
                "ratio_to": float(ratio_from_pc(high, prior)),
                "largest_difference": extreme.nec if sign else 0.0,
                "at_pc": extreme.pc,
            }
        )
    return found
