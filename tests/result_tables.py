"""The result tables of small predictions, made as the workflow makes them."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pandas as pd

from costcurves.api.study import Tables
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


def tables_of(
    predictions: pd.DataFrame,
    level: str = "repeat",
    *,
    weighted: bool = False,
    reference: str | None = None,
    **inference: object,
) -> Tables:
    """The result tables, each made when it is asked for by its name."""
    others: dict[str, Any] = {"weighted": weighted, "reference": reference}
    return made_of(*study_of(predictions, level, inference=inference, **others), predictions)


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
