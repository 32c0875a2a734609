"""Which decisions may still be the cheapest at each PC(+): models, and the two constant ones."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.maths.cost_space import ratio_from_pc
from costcurves.maths.in_the_running import in_the_running as maths
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.headline import estimates_of, headline_of
from costcurves.tables.inference.bands import CONFIDENCE, METHOD
from costcurves.tables.inference.pairs import ALL_PAIRS, Pair
from costcurves.tables.inference.resampling import Resamples
from costcurves.tables.keys import ALWAYS, DATASET, IN_SAMPLE

IN_THE_RUNNING: Final = Contract(
    "in_the_running",
    (
        DATASET,
        Column("decision", "str", "", "a model, always negative or always positive"),
        Column("standing", "str", "", "cheapest (by estimate), in the running, or out"),
        Column("pc_from", "float64", "PC(+)", "where the stretch begins"),
        Column("pc_to", "float64", "PC(+)", "where it ends"),
        Column("ratio_from", "float64", "cost ratio", "pc_from as C(-|+) / C(+|-) at the prior"),
        Column("ratio_to", "float64", "cost ratio", "pc_to as C(-|+) / C(+|-) at the prior"),
        CONFIDENCE,
        METHOD,
    ),
)

CHEAPEST: Final = "cheapest"
RUNNING: Final = "in the running"
OUT: Final = "out"


def in_the_running(
    headline: pd.DataFrame,
    measures: pd.DataFrame,
    resamples: Resamples,
    pairs: Sequence[Pair],
    inference: Mapping[str, Any],
) -> pd.DataFrame:
    """Divide PC(+) for each decision by whether the data exclude that it is the cheapest.

    One critical value serves all differences of models and all costs of models beside the constant
    decisions. Models that are not paired put out no other; a curve that was chosen on the data that
    judge it is not compared with anything.
    """
    curves, estimates = headline_of(headline), estimates_of(headline)
    place = {model: number for number, model in enumerate(curves)}
    own = {
        place[model]: resamples.of(model, curve, estimates[model]).settled()
        for model, curve in curves.items()
        if estimates[model] != IN_SAMPLE
    }
    differences = {
        (place[pair.a], place[pair.b]): pair.resampled
        for pair in pairs
        if pair.family == ALL_PAIRS and not pair.why_none
    }
    found = maths(list(curves.values()), own, differences, inference["confidence"])
    rows = [
        (decision, standing, low, high)
        for decision, stretches in zip([*curves, *ALWAYS], found, strict=True)
        for low, high, standing in stretches
    ]
    decisions, standings, low, high = zip(*rows, strict=True)
    prior = float(measures["prior"].iloc[0])
    return IN_THE_RUNNING.frame(
        dataset=str(measures["dataset"].iloc[0]),
        decision=np.array(decisions),
        standing=np.array(standings),
        pc_from=np.array(low),
        pc_to=np.array(high),
        ratio_from=ratio_from_pc(low, prior),
        ratio_to=ratio_from_pc(high, prior),
        confidence=inference["confidence"],
        method=next(iter(own.values())).method if own else IN_SAMPLE,
    )
