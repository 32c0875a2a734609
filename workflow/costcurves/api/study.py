"""The tables of a report, made in memory of one dataset: each when it is asked for, and once."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypedDict

import numpy as np
import pandas as pd

from costcurves import stages
from costcurves.api.inputs import plain, rows_of
from costcurves.detail import STAGES
from costcurves.errors import InputError, half
from costcurves.names import nearest, some
from costcurves.predictions.findings import plausibility
from costcurves.predictions.kinds import KINDS
from costcurves.predictions.rows import Rows
from costcurves.predictions.staged import checked
from costcurves.settings import ALWAYS, Dataset, Study
from costcurves.stages import Made
from costcurves.study.reading import parse_study

FILE = "predictions.parquet"
OTHER_CLASS: Final = (
    "Are the scores of the other class? Give the column of the positive one, such as "
    "predict_proba(X)[:, 1], or pos_label. Does a low score mean positive? Give minus the scores."
)
RandomState = int | np.random.Generator | np.random.RandomState | None


@dataclass(eq=False)
class Tables(stages.Computed):
    """A study of one dataset that was given as arrays; `tables["bands"]` makes that table."""

    configuration: Mapping[str, Any]  # as a file would have it
    study: Study
    dataset: Dataset
    rows: Rows | None  # None: this was read from a pickle
    made: Made  # the tables by name, `predictions` among them
    positive: Any = 1  # the label of positives
    trusted: dict[float, "Tables"] = field(default_factory=dict)  # by prevalence, as `trusted` made
    answers: dict[Any, pd.DataFrame] = field(default_factory=dict)  # by what was asked, in a pickle

    def __getstate__(self) -> dict[str, Any]:
        """Keep curves and the tables that were made, not the cases nor what is about as long."""
        _ = self["deployment"], self.sizes  # which are made by that
        if self.resampled:
            _ = self["bands"], self["verdicts"], self["not_ruled_out"]
        long = ("predictions", "operating_points")
        made = {name: table for name, table in self.made.copy().items() if name not in long}
        state = vars(self) | {"made": made, "rows": None, "trusted": {}}
        return {name: state[name] for name in state if name not in ("counts", "resamples")}

    def __deepcopy__(self, _: object) -> "Tables":
        """Copy the tables, which a caller may change; a copy has its cases."""
        made = {name: table.copy() for name, table in self.made.items()}
        answers = self.answers if self.rows is None else {}  # or they are made of the copy
        return replace(self, made=made, trusted={}, answers={**answers})

    def answer(self, asked: Any, make: Callable[[], pd.DataFrame]) -> pd.DataFrame:
        """Return a copy of an answer, which is made once and kept in a pickle."""
        if asked not in self.answers:
            self.answers[asked] = make()
        return self.answers[asked].copy()

    def cases(self) -> Rows:
        """Return the rows, unless they were left out of a pickle."""
        if self.rows is None:
            why = "a pickle holds curves and what was asked of bands and verdicts, not the cases"
            raise ValueError(f"{why} and what needs them: make it again of the predictions")
        return self.rows

    def __getitem__(self, table: str) -> pd.DataFrame:
        """Return a table, made if it was not yet; ValueError, if these data can't make it."""
        if table not in self.made:
            if "predictions" not in self.made:
                self.cases()
            if table not in STAGES:
                raise KeyError(f"{str(table)!r}: expected one of {', '.join(STAGES)}")
            try:
                self.made = self.make(table) | self.made
            except InputError as error:
                raise ValueError(str(error)) from error
        return self.made[table]

    def make(self, name: str) -> Made:
        """Run the stage that makes a table."""
        if name != "headline":
            return super().make(name)
        # Of the two rules that it may follow; others wait until they are asked for.
        two = replace(self.study, selection=replace(self.study.selection, criteria=ALWAYS))
        chosen = stages.choose(two, self.counts)
        judged = stages.judge({**chosen, "operating_points": self["operating_points"]})
        del self.counts  # as long as the cases: what asks for them later counts again
        return {**judged, "deployment": chosen["deployment"]}

    @property
    def prior(self) -> float:
        """The proportion of positives in deployment, or that of the data."""
        return stages.prior_of(self.sizes)

    @property
    def resampled(self) -> bool:
        """Whether cases were resampled already, which takes longest of all."""
        return "resamples" in vars(self) or "bands" in self.made


class Options(TypedDict, total=False):
    """What `cost_curve` and `compare_models` take beside predictions, as they describe it."""

    name: str
    pos_label: Any
    sample_weight: Any
    folds: Any
    repeats: Any
    instance: Any
    groups: Any
    costs: Any
    prior: float | None
    reference: str | None
    confidence: float
    n_resamples: int | None
    random_state: RandomState
    settings: Mapping[str, Any] | None


def tables_of(y_true: Any, models: Any, name: str, options: Mapping[str, Any]) -> Tables:
    """Check what is given as a file and its configuration would be, and set up its tables.

    What is wrong is a ValueError with every finding.
    """
    for option in options.keys() - Options.__optional_keys__:
        raise TypeError(f"no option {option!r}; {nearest(option, [*Options.__annotations__])}")
    of_dataset: dict[str, Any] = {"name": name, "predictions": [FILE]}
    if options.get("prior") is not None:
        of_dataset["prior"] = options["prior"]
    if options.get("costs") is not None:
        of_dataset["costs"] = {}
    content = plain({"study": name, **_settings(options), "datasets": [of_dataset]})
    try:
        study = parse_study(content, source="settings", files=False)
        dataset = study.datasets[-1]  # weighted by cost, where there are costs
        rows, positive = rows_of(y_true, models, dataset, options)
        predictions = checked(rows)
    except InputError as error:
        raise ValueError(str(error)) from error
    except UnicodeEncodeError as error:
        raise ValueError(half(error)) from error
    if study.reference not in (None, *(names := rows.values("model"))):
        raise ValueError(f"reference is {study.reference!r}, expected one of {some(names)}")
    tables = Tables(content, study, dataset, rows, {"predictions": predictions}, positive)
    _warn(tables)
    return tables


def _settings(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings, with what has a name of its own and must not stand there, too."""
    settings = dict(options.get("settings") or {})
    inference = settings["inference"] = {**settings.get("inference", {})}
    for name, place, key in (
        ("confidence", inference, "confidence"),
        ("n_resamples", inference, "resamples"),
        ("random_state", settings, "seed"),
        ("reference", settings, "reference"),
    ):
        if options.get(name) is not None:
            if key in place:
                why = "are the same: expected one of them"
                raise ValueError(f"{name} and {key!r} of settings {why}")
            place[key] = options[name]
    seed = settings.get("seed")
    if draw := getattr(seed, "integers", getattr(seed, "randint", None)):
        settings["seed"] = int(draw(2**31 - 1))
    return settings


def _warn(tables: Tables) -> None:
    """Warn of what is grave about the predictions, as a report says it."""
    for row in plausibility(tables["predictions"], tables.counts).to_dict("records"):
        if row["grade"] == "grave":
            kind = KINDS[row["finding"]]
            models = " and ".join(name for name in (row["model"], row["other"]) if name)
            seen = f" ({row['seen']})" if row["seen"] else ""
            what = f"{models}: {kind.what}" if models else kind.what
            mend = OTHER_CLASS if row["finding"] == "reversed" else kind.mend
            warnings.warn(f"{what}{seen}. {kind.why} {mend}", stacklevel=4)
