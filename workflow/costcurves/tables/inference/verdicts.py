"""Verdicts: which of two models is cheaper, and where, with a familywise error over all PC(+)."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.maths.comparisons import Verdict, projected_instances
from costcurves.maths.comparisons import verdicts as maths
from costcurves.maths.cost_space import ratio_from_pc
from costcurves.maths.curves import Side, largest_difference, line
from costcurves.tables.contract import Column, Contract
from costcurves.tables.inference.bands import CONFIDENCE, METHOD
from costcurves.tables.inference.comparisons import FAMILY, MODEL_A, MODEL_B
from costcurves.tables.inference.pairs import Pair
from costcurves.tables.keys import DATASET

VERDICTS: Final = Contract(
    "verdicts",
    (
        DATASET,
        FAMILY,
        MODEL_A,
        MODEL_B,
        Column("finding", "str", "", "A cheaper, B cheaper, equivalent, or undecided"),
        Column("reason", "str", "", "undecided as in-sample selection, or narrow; else empty"),
        Column("pc_from", "float64", "PC(+)", "where the interval begins"),
        Column("pc_to", "float64", "PC(+)", "where it ends"),
        Column("ratio_from", "float64", "cost ratio", "pc_from as C(-|+) / C(+|-) at the prior"),
        Column("ratio_to", "float64", "cost ratio", "pc_to as C(-|+) / C(+|-) at the prior"),
        Column("largest_difference", "float64", "nec", "cost(A) - cost(B) where it is largest"),
        Column("at_pc", "float64", "PC(+)", "where that is"),
        Column("low", "float64", "nec", "lower edge of the simultaneous band there"),
        Column("high", "float64", "nec", "upper edge of the simultaneous band there"),
        Column("p_value", "float64", "probability", "so large a difference anywhere; NaN: no test"),
        Column("familywise", "float64", "probability", "level of all verdicts of the family"),
        CONFIDENCE,
        METHOD,
        Column(
            "equivalence", "float64", "nec", "differences up to here count as none; NaN: none do"
        ),
        Column("projected", "float64", "instances", "would decide somewhere; a projection"),
        Column("instances", "int64", "instances", "distinct instances judged"),
        Column("repeats", "int64", "repeats", "repeats of cross-validation"),
        Column("folds", "int64", "folds", "folds of a repeat, the most of any"),
    ),
)

NARROW: Final = "narrow"

Row = dict[str, Any]


def verdicts(
    measures: pd.DataFrame, pairs: Sequence[Pair], inference: Mapping[str, Any]
) -> pd.DataFrame:
    """Divide PC(+) for each pair by what the data can decide.

    Ends are exact roots of the band's edges. Slivers (`maths.slivers`) are left undecided, and so
    is all of PC(+) for a pair that was not tested.
    """
    facts = measures.iloc[0]
    rows = [
        {**_of_pair(pair, int(facts["instances"])), **row}
        for pair in pairs
        for row in _intervals(pair, inference["equivalence"], float(facts["prior"]))
    ]
    common = {name: facts[name] for name in ("dataset", "instances", "repeats", "folds")}
    common["familywise"] = inference["confidence"]
    delta = inference["equivalence"]
    common["equivalence"] = np.nan if delta is None else delta
    names = [name for name in VERDICTS.names if name not in common]
    frame = pd.DataFrame(rows, columns=names)
    return VERDICTS.frame(**{name: frame[name] for name in names}, **common)


def _of_pair(pair: Pair, instances: int) -> Row:
    found, untested = pair.comparison, bool(pair.why_none)
    projected = math.inf if untested else projected_instances(found, instances, pair.confidence)
    return {
        "family": pair.family,
        "model_a": pair.a,
        "model_b": pair.b,
        "p_value": math.nan if untested else found.p_value,
        "confidence": pair.confidence,
        "projected": projected,
    }


def _intervals(pair: Pair, delta: float | None, prior: float) -> list[Row]:
    if pair.why_none:
        no_band = {"low": math.nan, "high": math.nan, "method": pair.why_none}
        untested = Verdict(0.0, 1.0, "undecided")
        return [{**_row(pair, untested, prior), **no_band, "reason": pair.why_none}]
    band = pair.comparison.simultaneous(pair.confidence)
    return [_row(pair, verdict, prior) for verdict in maths(band, delta)]


def _row(pair: Pair, verdict: Verdict, prior: float) -> Row:
    band = pair.comparison.simultaneous(pair.confidence)
    estimate = pair.comparison.estimate
    extreme = largest_difference(estimate, line(0, 0), verdict.low, verdict.high)
    side: Side = "left" if estimate(extreme.pc, side="left") == extreme.nec else "right"
    return {
        "finding": verdict.finding,
        "reason": NARROW if verdict.sliver else "",
        "pc_from": verdict.low,
        "pc_to": verdict.high,
        "ratio_from": ratio_from_pc(verdict.low, prior),
        "ratio_to": ratio_from_pc(verdict.high, prior),
        "largest_difference": extreme.nec,
        "at_pc": extreme.pc,
        "low": band.lower(extreme.pc, side),
        "high": band.upper(extreme.pc, side),
        "method": band.method,
    }
