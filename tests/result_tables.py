"""The result tables of small predictions, made as the workflow makes them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from costcurves.annex.tables.results import AnnexResults
from costcurves.tables.configuration.stages import STAGES
from costcurves.tables.curves.operating_points import counted, operating_points
from costcurves.tables.inference.resampling import Resamples, resampling
from costcurves.tables.input.predictions import PREDICTIONS
from costcurves.tables.parameters import Parameters


def staged(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of the input contract with what they leave out filled in, as staging does."""
    defaults: dict[str, object] = {
        "dataset": "d",
        "member": "",
        "repeat": "1",
        "fold": "1",
        "cluster": "",
        "decision": -1,
        "case_weight": 1.0,
        "weight": 1.0,
        "segments": "",
        "among_classes": "",
        "seen": "[]",
    }
    filled = {
        name: rows[name] if name in rows else defaults.get(name, np.nan)
        for name in PREDICTIONS.names
    }
    frame = pd.DataFrame(filled).fillna({"member": "", "decision": -1})
    return PREDICTIONS.frame(**{name: frame[name] for name in PREDICTIONS.names})


UNIFORM = {"kind": "uniform"}
INFERENCE = {
    "confidence": 0.9,
    "resamples": 100,
    "unit": "instances",
    "band": "wilson",
    "equivalence": None,
    "baseline": None,
}
MARKED: Any = {"conditions": [{"name": "even", "pc": 0.5, "named": False}], "marked": [0.5]}


def points_of(predictions: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Give every operating point."""
    return operating_points(predictions, counted(predictions, seed, every_threshold=True))


def tables_of(
    predictions: pd.DataFrame, level: str = "repeat", *, weighted: bool = False, **inference: object
) -> dict[str, pd.DataFrame]:
    """Every result table but the last."""
    parameters = parameters_of(predictions, level, weighted=weighted, inference=inference)
    results = AnnexResults(parameters, predictions=predictions, **MARKED)
    return {name: getattr(results, name) for name in ("predictions", *STAGES)}


def parameters_of(
    predictions: pd.DataFrame, level: str, *, inference: Mapping[str, object], **others: Any
) -> Parameters:
    """What all tables depend on beside predictions; `inference` and others where they differ."""
    dataset = str(predictions["dataset"].iloc[0])
    own: dict[str, Any] = {
        "dataset": dataset,
        "original": dataset,
        "level": level,
        "seed": 1,
        "every_threshold": True,
        "selection": {"score_threshold": 0.5, "rate": None},
        "weight_of_pc": UNIFORM,
        "prior": None,
        "inference": {**INFERENCE, **inference},
        "operating_conditions": [],
        "weighted": False,
    }
    return Parameters(**own | others)


def resampled(
    predictions: pd.DataFrame, tables: dict[str, pd.DataFrame], level: str, **inference: object
) -> Resamples:
    return resampling(
        predictions,
        tables["operating_points"],
        tables["headline"],
        level=level,
        marked=[0.5],
        inference=INFERENCE | inference,
        seed=1,
        dataset=str(predictions["dataset"].iloc[0]),
    )
