"""Crossovers: where each model costs less than each other one, as far as the curves say."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import pandas as pd

from costcurves.maths.bands import Band
from costcurves.maths.cost_space import ratio_from_pc
from costcurves.maths.curves import Curve, better_than, largest_difference, line
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.headline import estimates_of, headline_of
from costcurves.tables.inference.pairs import Pair
from costcurves.tables.keys import DATASET, ESTIMATE, IN_SAMPLE

CROSSOVERS: Final = Contract(
    "crossovers",
    (
        DATASET,
        Column("model_a", "str", "", "first model of the pair"),
        Column("model_b", "str", "", "second model of the pair"),
        ESTIMATE,
        Column("pc_from", "float64", "PC(+)", "where the interval begins"),
        Column("pc_to", "float64", "PC(+)", "where it ends"),
        Column("cheaper", "str", "", "the model that costs less there, or: equal"),
        Column("ratio_from", "float64", "cost ratio", "pc_from as C(-|+) / C(+|-) at the prior"),
        Column("ratio_to", "float64", "cost ratio", "pc_to as C(-|+) / C(+|-) at the prior"),
        Column("largest_difference", "float64", "nec", "cost(A) - cost(B) where it is largest"),
        Column("at_pc", "float64", "PC(+)", "where that is"),
        Column("to_low", "float64", "PC(+)", "pc_to may be as low as that; NaN: no crossing there"),
        Column("to_high", "float64", "PC(+)", "pc_to may be as high as that; NaN: no crossing"),
    ),
)

EQUAL: Final = "equal"


def crossovers(
    headline: pd.DataFrame, measures: pd.DataFrame, pairs: Sequence[Pair], confidence: float
) -> pd.DataFrame:
    """Divide PC(+) for each two models by which costs less; a difference is cost(A) - cost(B).

    `pairs` (none where models are not paired) say how far a crossing may move: as far as their
    simultaneous bands of level `confidence` hold zero.
    """
    curves, estimates = headline_of(headline), estimates_of(headline)
    prior = float(measures["prior"].iloc[0])
    bands = {
        (pair.a, pair.b): pair.comparison.simultaneous(confidence)
        for pair in pairs
        if not pair.why_none
    }
    rows = [
        {"model_a": a, "model_b": b, "estimate": _kind(estimates[a], estimates[b]), **row}
        for a, b in combinations(curves, 2)
        for row in _intervals((a, curves[a]), (b, curves[b]), prior, bands.get((a, b)))
    ]
    names = [name for name in CROSSOVERS.names if name != "dataset"]
    frame = pd.DataFrame(rows, columns=names)
    dataset = str(measures["dataset"].iloc[0])
    return CROSSOVERS.frame(**{name: frame[name] for name in names}, dataset=dataset)


def _kind(*estimates: str) -> str:
    """Say of what kind a difference is: in-sample if one of its curves is."""
    return IN_SAMPLE if IN_SAMPLE in estimates else estimates[0]


def _intervals(
    a: tuple[str, Curve], b: tuple[str, Curve], prior: float, band: Band | None
) -> list[dict[str, float | str]]:
    found: list[dict[str, float | str]] = []
    for low, high, sign in better_than(a[1], b[1]):
        extreme = largest_difference(a[1], b[1], low, high)
        to_low, to_high = _crossing(band, high)
        found.append(
            {
                "pc_from": low,
                "pc_to": high,
                "cheaper": {-1: a[0], 0: EQUAL, 1: b[0]}[sign],
                "ratio_from": float(ratio_from_pc(low, prior)),
                "ratio_to": float(ratio_from_pc(high, prior)),
                "largest_difference": extreme.nec if sign else 0.0,
                "at_pc": extreme.pc,
                "to_low": to_low,
                "to_high": to_high,
            }
        )
    return found


def _crossing(band: Band | None, pc: float) -> tuple[float, float]:
    """Say between what the crossing at an interval's end may lie."""
    if band is None or pc == 1:
        return float("nan"), float("nan")
    touched = [part for part in band.against(line(0, 0)) if part.low <= pc <= part.high]
    around = [part for part in touched if part.sign == 0]
    return (around[0].low, around[-1].high) if around else (pc, pc)  # it jumps across the band
