"""The tables of a report, made in memory of one dataset: each when it is asked for, and once."""

import json
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.api.inputs import rows_of
from costcurves.errors import InputError, half
from costcurves.tables.configuration.stages import STAGES
from costcurves.tables.configuration.study import Study, parse_study
from costcurves.tables.input.predictions import checked
from costcurves.tables.input.rows import Rows
from costcurves.tables.results import Results

FILE: Final = "predictions.parquet"
KEPT: Final = {*STAGES, "sizes_and_prior"} - {"operating_points"}  # in a pickle, if made


@dataclass(frozen=True, eq=False)
class Tables:
    """A study of one dataset that was given as arrays."""

    configuration: Mapping[str, Any]  # as a file would have it
    study: Study
    rows: Rows | None  # None: this was read from a pickle
    results: Results
    trusted: dict[float, "Tables"] = field(default_factory=dict)  # by prevalence, as `trusted` made
    answers: dict[Any, pd.DataFrame] = field(default_factory=dict)  # by what was asked, in a pickle

    def __getstate__(self) -> dict[str, Any]:
        """Keep curves and the tables that were made, not the cases nor what is about as long."""
        made = self.results
        _ = made.deployment, made.sizes_and_prior  # which are made by that
        if self.resampled:
            _ = made.bands, made.verdicts, made.in_the_running
        kept = {it: table for it, table in vars(made).copy().items() if it in KEPT}
        results = type(made)(self.study, self.study.datasets[-1], **kept)
        return vars(self) | {"results": results, "rows": None, "trusted": {}}

    def __deepcopy__(self, _: object) -> "Tables":
        """Copy the tables, which a caller may change; a copy has its cases."""
        results = copy(self.results)
        frames = {it: one for it, one in vars(results).items() if isinstance(one, pd.DataFrame)}
        vars(results).update({it: one.copy() for it, one in frames.items()})
        answers = self.answers if self.rows is None else {}  # or they are made of the copy
        return replace(self, results=results, trusted={}, answers={**answers})

    def cases(self) -> Rows:
        """Give the rows, unless they were left out of a pickle."""
        if self.rows is None:
            why = "a pickle holds curves and what was asked of bands and verdicts, not the cases"
            raise ValueError(f"{why} and what needs them: make it again of the predictions")
        return self.rows

    def __getitem__(self, table: str) -> pd.DataFrame:
        """Give a table, made if it was not yet; ValueError, if it can't be made of these data."""
        if table not in STAGES:
            raise KeyError(f"{table!r}: expected one of {', '.join(STAGES)}")
        if table not in vars(self.results):
            self.cases()
        try:
            found: pd.DataFrame = getattr(self.results, table)
        except InputError as error:
            raise ValueError(str(error)) from error
        return found

    @property
    def resampled(self) -> bool:
        """Whether cases were resampled already, which takes longest of all."""
        return bool({"resampling", "bands"} & {*vars(self.results)})


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
    of_dataset |= {"segments": [*columns["segments"]]} if columns.get("segments") else {}
    said = {"study": name, **settings, "datasets": [of_dataset]}
    # With what a file can hold, in place of numbers of NumPy's.
    content: dict[str, Any] = json.loads(json.dumps(said, default=_item))
    try:
        study = parse_study(content, source="settings", files=False)
        dataset = study.datasets[-1]  # weighted by cost, where there are costs
        rows = rows_of(y_true, models, dataset, costs=costs, **columns)
        made = Results(study, dataset, annexed=True, predictions=checked(rows))
    except InputError as error:
        raise ValueError(str(error)) from error
    except UnicodeEncodeError as error:
        raise ValueError(half(error)) from error
    return Tables(content, study, rows, made)


def _item(one: Any) -> Any:
    return one.item() if isinstance(one, np.generic) else str(one)
