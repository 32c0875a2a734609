"""Which of two models is cheaper and where: by bands, by the curves alone, and among all models."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.chance.resamples import Resamples
from costcurves.choosing.headline import estimates_of, headline_of
from costcurves.counts.elementwise import Values
from costcurves.curves.cost_space import ratio_from_pc
from costcurves.curves.curves import better_than, line
from costcurves.curves.stretches import furthest
from costcurves.pairs import not_ruled_out as standings
from costcurves.pairs.comparisons import Verdict, projected_instances
from costcurves.pairs.comparisons import verdicts as divided
from costcurves.pairs.differences import ALL_PAIRS, Pair
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import (
    ALWAYS,
    CONFIDENCE,
    DATASET,
    ESTIMATE,
    IN_SAMPLE,
    LARGEST,
    METHOD,
    OF_PAIR,
    RATIOS,
    STRETCH,
)

VERDICTS: Final = Contract(
    "verdicts",
    DATASET,
    *OF_PAIR,
    Column("finding", "str", "", "A cheaper, B cheaper, equivalent, or undecided"),
    Column("reason", "str", "", "undecided as in-sample selection, or narrow; else empty"),
    *STRETCH,
    *RATIOS,
    *LARGEST,
    Column("low", "float64", "nec", "lower edge of the simultaneous band there"),
    Column("high", "float64", "nec", "upper edge of the simultaneous band there"),
    Column("p_value", "float64", "probability", "so large a difference anywhere; NaN: no test"),
    Column("adjusted", "float64", "probability", "by Holm's steps: against 1 - familywise"),
    Column("familywise", "float64", "probability", "level of all verdicts of the family"),
    CONFIDENCE,
    METHOD,
    Column("equivalence", "float64", "nec", "differences up to here count as none; NaN: none do"),
    Column("projected", "float64", "instances", "would settle it; inf: within a standard error"),
    Column("instances", "int64", "instances", "distinct instances judged"),
    Column("repeats", "int64", "repeats", "repeats of cross-validation"),
    Column("folds", "int64", "folds", "folds of a repeat, the most of any"),
)
CROSSOVERS: Final = Contract(
    "crossovers",
    DATASET,
    *OF_PAIR[1:],
    ESTIMATE,
    *STRETCH,
    Column("cheaper", "str", "", "the model that costs less there, or: equal"),
    *RATIOS,
    *LARGEST,
    Column("to_low", "float64", "PC(+)", "pc_to may be as low as that; NaN: no crossing there"),
    Column("to_high", "float64", "PC(+)", "pc_to may be as high as that; NaN: no crossing"),
)
NOT_RULED_OUT: Final = Contract(
    "not_ruled_out",
    DATASET,
    Column("decision", "str", "", "a model, always negative or always positive"),
    Column("standing", "str", "", "cheapest (by estimate), not ruled out, or ruled out"),
    *STRETCH,
    *RATIOS,
    CONFIDENCE,
    METHOD,
)

NARROW: Final = "narrow"
CHEAPEST: Final = "cheapest"
OUT: Final = "ruled out"
ENDS: Final = ("from", "to")  # of a stretch, in names of columns
WHY: Final = ("reason", "method")  # of which an untested pair has the same

Row = dict[str, Any]


def verdicts(
    measures: pd.DataFrame, pairs: Sequence[Pair], inference: Mapping[str, Any]
) -> pd.DataFrame:
    """Divide PC(+) for each pair by what the data can decide, familywise over all PC(+).

    Ends are exact roots of the band's edges. Slivers (`curves.slivers`) are left undecided,
    and so is all of PC(+) for a pair that was not tested.
    """
    facts, delta = measures.iloc[0], inference["equivalence"]
    rows = [
        {**row, **own}
        for pair in pairs
        for own in [_of_pair(pair, int(facts["instances"]))]
        for row in _divided(pair, delta)
    ]
    return VERDICTS.rows(
        rows,
        **_ratios(rows, float(facts["prior"])),
        **facts[["dataset", "instances", "repeats", "folds"]],
        familywise=inference["confidence"],
        equivalence=math.nan if delta is None else delta,
    )


def _of_pair(pair: Pair, instances: int) -> Row:
    """Give what is the same on all stretches of a pair; if it was not tested, it has no band."""
    names = {"family": pair.family, "model_a": pair.a, "model_b": pair.b}
    own = {**names, "adjusted": pair.adjusted, "confidence": pair.confidence}
    if pair.why_none:
        none = dict.fromkeys(("low", "high", "p_value"), math.nan)
        return {**own, **none, "projected": math.inf, **dict.fromkeys(WHY, pair.why_none)}
    projected = math.inf
    if pair.comparison.found >= 1:  # standard error; a smaller difference is hardly one
        projected = projected_instances(pair.comparison, instances, pair.confidence)
    return {**own, "p_value": pair.comparison.p_value, "projected": projected}


def _divided(pair: Pair, delta: float | None) -> Iterator[Row]:
    """Give the stretches of a pair, with the band where the difference is largest on each."""
    band, estimate = pair.comparison.simultaneous(pair.confidence), pair.comparison.estimate
    found = [Verdict(0.0, 1.0, "undecided")] if pair.why_none else divided(band, delta)
    at, extreme = furthest(estimate, [0.0, *(one.high for one in found)])
    left = estimate(at, side="left") == extreme
    low, high = (np.where(left, it(at, side="left"), it(at)) for it in (band.lower, band.upper))
    for one, *numbers in zip(found, extreme, at, low, high, strict=True):
        row: Row = {"pc_from": one.low, "pc_to": one.high, "finding": one.finding}
        row |= {"reason": NARROW if one.sliver else "", "method": band.method}
        yield row | dict(zip(("largest_difference", "at_pc", "low", "high"), numbers, strict=True))


def _ratios(rows: Sequence[Row], prior: float) -> dict[str, Values]:
    """Give the cost ratios at the ends of all stretches."""
    return {f"ratio_{it}": ratio_from_pc([row[f"pc_{it}"] for row in rows], prior) for it in ENDS}


def crossovers(
    headline: pd.DataFrame, measures: pd.DataFrame, pairs: Sequence[Pair], confidence: float
) -> pd.DataFrame:
    """Divide PC(+) for each two models by which costs less; a difference is cost(A) - cost(B).

    `pairs` (none where models are not paired) say how far a crossing may move: as far as their
    simultaneous bands of level `confidence` hold zero. The difference of two estimates is in-sample
    if one of them is.
    """
    curves, estimates = headline_of(headline), estimates_of(headline)
    bands = {
        (pair.a, pair.b): pair.comparison.simultaneous(confidence)
        for pair in pairs
        if not pair.why_none
    }
    rows = []
    for a, b in combinations(curves, 2):
        estimate = IN_SAMPLE if IN_SAMPLE in (estimates[a], estimates[b]) else estimates[a]
        found, band = better_than(curves[a], curves[b]), bands.get((a, b))
        held = [it[:2] for it in band.against(line(0, 0)) if it.sign == 0] if band else None
        at, extreme = furthest(curves[a] - curves[b], [0.0, *(one.high for one in found)])
        for (low, high, sign), pc, nec in zip(found, at, extreme, strict=True):
            names = {"model_a": a, "model_b": b, "cheaper": {-1: a, 0: "equal", 1: b}[sign]}
            row = {"pc_from": low, "pc_to": high, "at_pc": pc, "estimate": estimate}
            rows.append({**names, **row, "largest_difference": nec if sign else 0.0})
            rows[-1] |= _crossing(held, high)
    ratios = _ratios(rows, float(measures["prior"].iloc[0]))
    return CROSSOVERS.rows(rows, dataset=str(measures["dataset"].iloc[0]), **ratios)


def _crossing(parts: Sequence[tuple[float, float]] | None, pc: float) -> Row:
    """Say between what the crossing at a stretch's end may lie: where the band holds zero."""
    if parts is None or pc == 1:
        return {"to_low": math.nan, "to_high": math.nan}
    around = [ends for ends in parts if ends[0] <= pc <= ends[1]]
    around = around or [(pc, pc)]  # it jumps across the band
    return {"to_low": around[0][0], "to_high": around[-1][1]}


def not_ruled_out(
    headline: pd.DataFrame,
    measures: pd.DataFrame,
    resamples: Resamples,
    pairs: Sequence[Pair],
    verdicts: pd.DataFrame,
    inference: Mapping[str, Any],
) -> pd.DataFrame:
    """Divide PC(+) for each decision by whether the data exclude that it is the cheapest.

    Because of another model one is out exactly where a verdict calls it more expensive. Beside the
    constant decisions one critical value serves all models. A curve that was chosen on the data
    that judge it is not compared with anything.
    """
    curves, estimates = headline_of(headline), estimates_of(headline)
    place = {model: number for number, model in enumerate(curves)}
    own = {
        place[model]: resamples.of(model, curve, estimates[model]).settled()
        for model, curve in curves.items()
        if estimates[model] != IN_SAMPLE
    }
    differences = [
        pair.resampled for pair in pairs if pair.family == ALL_PAIRS and not pair.why_none
    ]
    decided: dict[tuple[int, int], list[Verdict]] = {}
    names = ["model_a", "model_b", "pc_from", "pc_to", "finding"]
    for a, b, low, high, finding in verdicts[names].itertuples(index=False):
        decided.setdefault((place[a], place[b]), []).append(Verdict(low, high, finding))
    confidence = inference["confidence"]
    found = standings.not_ruled_out([*curves.values()], own, differences, decided, confidence)
    rows = [
        {"decision": decision, "standing": standing, "pc_from": low, "pc_to": high}
        for decision, stretches in zip([*curves, *ALWAYS], found, strict=True)
        for low, high, standing in stretches
    ]
    return NOT_RULED_OUT.rows(
        rows,
        **_ratios(rows, float(measures["prior"].iloc[0])),
        dataset=str(measures["dataset"].iloc[0]),
        confidence=confidence,
        method=next(iter(own.values())).method if own else IN_SAMPLE,
    )
