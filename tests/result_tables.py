"""The result tables of small predictions, made as the workflow makes them."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pandas as pd

from costcurves.api.study import Tables
from costcurves.chance.resamples import Resamples, resampling
from costcurves.choosing.choosable import operating_points
from costcurves.counts.counted import counted
from costcurves.detail import STAGES
from costcurves.predictions.predicted import PREDICTIONS
from costcurves.settings import Dataset, Inference, OperatingCondition, Study
from costcurves.study.reading import parse_study


def staged(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of the input contract with what they leave out filled in, as staging does."""
    defaults: dict[str, object] = {"dataset": "d", "repeat": "1", "fold": "1", "decision": -1}
    defaults |= {"member": "", "cluster": "", "case_weight": 1.0, "weight": 1.0, "seen": "[]"}
    filled = {
        name: rows[name] if name in rows else defaults.get(name, np.nan)
        for name in PREDICTIONS.names
    }
    frame = pd.DataFrame(filled).fillna({"member": "", "decision": -1})
    return PREDICTIONS.frame(**{name: frame[name] for name in PREDICTIONS.names})


UNIFORM = {"kind": "uniform"}
INFERENCE = Inference(confidence=0.9, resamples=100)
EVEN = OperatingCondition("even", 0.5, named=False)


def points_of(predictions: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Give every operating point."""
    return operating_points(counted(predictions, seed))


class Asked(dict[str, pd.DataFrame]):
    """The tables of a dataset that were asked for."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def __missing__(self, name: str) -> pd.DataFrame:
        self[name] = self.tables[name]
        return self[name]


def tables_of(
    predictions: pd.DataFrame,
    level: str = "repeat",
    *,
    weighted: bool = False,
    reference: str | None = None,
    **inference: object,
) -> dict[str, pd.DataFrame]:
    """The result tables, each made when it is asked for by its name."""
    study = study_of(
        predictions, level, weighted=weighted, inference=inference, reference=reference
    )
    return Asked(made_of(*study, predictions))


def all_tables_of(predictions: pd.DataFrame, *given: Any, **others: Any) -> dict[str, pd.DataFrame]:
    """Every result table but the last; parameters are those of `tables_of`."""
    tables = tables_of(predictions, *given, **others)
    return {name: tables[name] for name in ("predictions", *STAGES)}


def made_of(study: Study, dataset: Dataset, predictions: pd.DataFrame) -> Tables:
    """The tables of a dataset, each made when it is asked for."""
    return Tables({}, study, dataset, None, {"predictions": predictions})


def study_of(
    predictions: pd.DataFrame,
    level: str,
    *,
    inference: Mapping[str, object],
    weight_of_pc: Mapping[str, object] = UNIFORM,
    prior: float | None = None,
    weighted: bool = False,
    **others: Any,
) -> tuple[Study, Dataset]:
    """A study with an appendix of one dataset; `inference` and others where they differ."""
    datasets = [{"name": str(predictions["dataset"].iloc[0]), "predictions": ["p.csv"]}]
    base = parse_study(
        {"study": "s", "seed": 1, "appendix": True, "datasets": datasets}, files=False
    )
    plain = {**asdict(base), "level": level, "prior": weight_of_pc, **others}
    plain |= {"operating_conditions": [asdict(EVEN)]}
    study = Study.from_plain(plain | {"inference": asdict(INFERENCE) | {**inference}})
    return study, replace(study.datasets[0], prior=prior, weighted=weighted)


def resampled(
    predictions: pd.DataFrame, tables: dict[str, pd.DataFrame], level: str, **inference: object
) -> Resamples:
    return resampling(
        predictions,
        tables["headline"],
        level=level,
        marked=[0.5],
        inference=Inference.from_plain(asdict(INFERENCE) | inference),
        seed=1,
        dataset=str(predictions["dataset"].iloc[0]),
    )
