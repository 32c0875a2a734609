"""The tables of a report, made in memory of one dataset: each when it is asked for, and once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd

from costcurves.api.inputs import rows_of
from costcurves.errors import InputError
from costcurves.tables.configuration.dataset import Dataset
from costcurves.tables.configuration.stages import STAGES
from costcurves.tables.configuration.study import Study, parse_study
from costcurves.tables.input.predictions import checked
from costcurves.tables.input.rows import Rows
from costcurves.tables.making import Known

FILE: Final = "predictions.parquet"


@dataclass(frozen=True, eq=False)
class Tables:
    """A study of one dataset that was given as arrays."""

    configuration: Mapping[str, Any]  # as a file would have it
    rows: Rows
    known: Known

    def __getitem__(self, table: str) -> pd.DataFrame:
        """Give a table, made if it was not yet."""
        if table not in STAGES:
            raise KeyError(f"{table!r}: expected one of {', '.join(STAGES)}")
        found: pd.DataFrame = self.known[table]
        return found

    @property
    def prior(self) -> float:
        """The proportion of positives at which PC(+) is read as a cost ratio."""
        return float(self["measures"]["prior"].iloc[0])


def tables_of(
    y_true: Any,
    models: Any,
    *,
    name: str,
    prior: float | None,
    costs: Any,
    settings: Mapping[str, Any],
    **columns: Any,
) -> Tables:
    """Check what is given as a file and its configuration would be, and set up its tables.

    What is wrong is a ValueError with every finding.
    """
    of_dataset: dict[str, Any] = {"name": name, "predictions": [FILE]}
    of_dataset |= {} if prior is None else {"prior": prior}
    of_dataset |= {} if costs is None else {"costs": {}}
    content = {"study": name, **settings, "datasets": [of_dataset]}
    try:
        study = parse_study(content, source="settings", files=False)
        dataset = study.views[-1]  # by cost, where there are costs
        rows = rows_of(y_true, models, dataset, costs=costs, **columns)
        known = Known(_parameters(study, dataset), {*STAGES, "resampling"})
        known["predictions"] = checked(rows)
    except InputError as error:
        raise ValueError(str(error)) from error
    return Tables(content, rows, known)


def _parameters(study: Study, dataset: Dataset) -> dict[str, Any]:
    """Give what the rules of the workflow give to the functions of tables."""
    return {
        "dataset": dataset.name,
        "seed": study.seed,
        "every_threshold": study.every_threshold,
        "level": study.level,
        "selection": study.applied.plain(),
        "prior": study.prior.plain(),
        "priors": {dataset.name: dataset.prior},
        "inference": study.inference.plain(),
        "confidence": study.inference.confidence,
        "operating_conditions": [one.plain() for one in study.operating_conditions],
        "weighted": dataset.weighted,
    }
