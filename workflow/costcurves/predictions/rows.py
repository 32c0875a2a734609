"""The rows of one dataset as checks see them: names as codes, labels as classes, their places."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.names import quoted
from costcurves.predictions.findings import Finding
from costcurves.predictions.sources import Source, at_rows
from costcurves.settings import Dataset
from costcurves.tables.codes import Booleans, Floats, Integers, by_appearance, first_rows
from costcurves.tables.contract import constant, stacked
from costcurves.tables.keys import group_codes

UNKNOWN: Final = -1
COSTS: Final = ("cost_fp", "cost_fn")  # of predicting a negative positive, and the other way round
NUMBERS: Final = ("train_pc", "score", "weight", *COSTS, "amount")
# Of what is not given.
DEFAULTS: Final[Mapping[str, Any]] = dict.fromkeys(NUMBERS, np.nan) | {
    "member": "",
    "repeat": "1",
    "fold": "1",
    "cluster": "",
    "decision": "",
    "source": 0,
}
# Labels that say which class they are; whole numbers beside missing ones were written as floats.
TRUTH: Final = {"0": 0, "1": 1, "0.0": 0, "1.0": 1, "false": 0, "true": 1}
PREDICTOR: Final = ("model", "member")
UNIT: Final = ("repeat", "fold", "instance")


@dataclass(frozen=True)
class Rows:
    """The rows of one dataset, at least one, from all of its files."""

    # Categories of text that all occur: model member repeat fold instance label decision; integers
    # in place of an instance's text stand for it. Floats, NaN = none: train_pc score cost_fp
    # cost_fn amount. Places: source (number of the file) and row (from 0, within its file).
    frame: pd.DataFrame
    dataset: Dataset
    sources: tuple[Source, ...]
    findings: tuple[Finding, ...] = ()  # of reading the files

    def kept(self, rows: Integers) -> "Rows":
        """Keep some rows, in this order, and of names those that occur in them."""
        frame = self.frame.iloc[rows].reset_index(drop=True)
        for name in frame.select_dtypes("category"):
            frame[name] = frame[name].cat.remove_unused_categories()
        return replace(self, frame=frame)

    def also(self, *findings: Finding) -> "Rows":
        """Add findings of reading."""
        return replace(self, findings=(*self.findings, *findings))

    def place(self, row: int) -> str:
        """Return where a row is: file and line."""
        source, number = self.frame["source"].iloc[row], self.frame["row"].iloc[row]
        return self.sources[int(source)].place(int(number))

    def at(
        self,
        wrong: Booleans,
        text: str,
        first: Integers | None = None,
        each: str = "",
        **more: str,
    ) -> list[str]:
        """Return one message about the rows that are wrong, or the first of `each` of a column.

        Its text has names of columns, or of `words`, in braces; `earlier[...]` are those of another
        row: the `first` one of each.
        """

        def message(row: int) -> str:
            earlier = {} if first is None else self.words(first[row])
            return text.format(**self.words(row), earlier=earlier, **more)

        rows = np.flatnonzero(wrong)
        if each:
            rows = rows[~self.frame[each].iloc[rows].duplicated().to_numpy()]
        return at_rows(rows, self.place, message)

    def words(self, row: int) -> dict[str, str]:
        """Return the values of a row as messages show them, and what it is about."""
        words = {"place": self.place(row)}
        for name in map(str, self.frame):
            value = self.frame[name].iloc[row]
            text = isinstance(self.frame[name].dtype, pd.CategoricalDtype)
            words[name] = (
                quoted(str(value)) if text else "missing" if value != value else f"{value}"
            )
        member = f", member {words['member']}" if self.frame["member"].iloc[row] else ""
        words["predictor"] = f"model {words['model']}{member}"
        words["case"] = f"instance {words['instance']}"
        words["unit"] = f"{words['case']} in repeat {words['repeat']}, fold {words['fold']}"
        return words

    @property
    def title(self) -> str:
        """The dataset, as messages call it."""
        return f"dataset {quoted(self.dataset.original)}"

    def cases(self, rows: Booleans, among: Booleans | None = None) -> str:
        """Count the cases of some rows among those of others, or of all."""
        instances = self.codes("instance")
        every = instances if among is None else instances[among]
        return f"{len(np.unique(instances[rows])):,} of {len(np.unique(every)):,} cases"

    def values(self, name: str) -> list[str]:
        """Return the values that occur in a column of text."""
        return [str(value) for value in self.frame[name].cat.categories]

    def codes(self, name: str) -> Integers:
        """Return a column of text as places in `values`."""
        return np.asarray(self.frame[name].array.codes)

    def given(self, name: str) -> Booleans:
        """Return of each row whether it has a value in a column."""
        values = self.frame[name]
        return np.asarray(values != "" if values.dtype == "category" else values.notna())

    def key(self, names: Sequence[str]) -> Integers:
        """Return the number of each combination of columns, from 0 in order of appearance."""
        return group_codes(self.frame, names)

    def firsts(self, names: Sequence[str]) -> Booleans:
        """Return which rows are the first of their combination of columns."""
        return ~pd.Series(self.key(names)).duplicated().to_numpy()

    def in_some(self, given: Booleans, names: Sequence[str]) -> Booleans:
        """Return of each row whether some row that is the same in columns is given."""
        key = self.key(names)
        return np.isin(key, key[given])

    @cached_property
    def again(self) -> Booleans:
        """Whether a row predicts what one before it has predicted, as the same predictor."""
        return ~self.firsts((*PREDICTOR, *UNIT))

    @cached_property
    def classes(self) -> dict[str, int]:
        """Which labels are positive (1) and negative (0), as far as that is clear."""
        labels, positive = self.values("label"), self.dataset.positive
        if self.dataset.classes is not None:
            return {name: int(name == positive) for name in self.dataset.classes}
        if positive is None:
            given = {*labels, *self.values("decision")}
            return {text: TRUTH[text.lower()] for text in given if text.lower() in TRUTH}
        texts = [*labels, *self.values("decision")] if self.dataset.rest else labels
        others = {text: 0 for text in texts if text not in ("", positive)}
        clear = self.dataset.rest or len(others) == 1
        return {positive: 1, **(others if clear else {})}

    @cached_property
    def labels(self) -> Integers:
        """The class of each row: 1, 0, or -1 if its label is in neither class."""
        return self.classified("label")

    @cached_property
    def decisions(self) -> Integers:
        """The decided class of each row: 1, 0, or -1 for none."""
        return self.classified("decision")

    def classified(self, name: str) -> Integers:
        """Return the class that a column of text names in each row; -1: none."""
        classes = [self.classes.get(text, UNKNOWN) for text in self.values(name)]
        return np.array(classes, dtype=np.int8)[self.codes(name)]

    @cached_property
    def costs(self) -> Floats:
        """What a mistake on each row's case would cost, given its class; NaN: not said."""
        fp, fn = (self.frame[name].to_numpy() for name in COSTS)
        return np.where(self.labels == 1, fn, fp)

    @cached_property
    def cheaper(self) -> Booleans | None:
        """Whether a mistake on a row's case brings more than being right; None: can't be said."""
        costs = self.dataset.costs
        return self.costs < 0 if costs and costs.benefit else None


def completed(columns: pd.DataFrame, defaults: Mapping[str, Any] = DEFAULTS) -> pd.DataFrame:
    """Return rows of the columns that are given: of others each has the default."""
    absent = [name for name in defaults if name not in columns]
    added = {name: constant(defaults[name], len(columns)) for name in absent}
    return pd.DataFrame({**columns, **added}, copy=False)


def together(parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Put frames below each other; what a part lacks has the default."""
    defaults = {name: DEFAULTS.get(name, np.nan) for part in parts for name in map(str, part)}
    return stacked([completed(part, defaults) for part in parts])


def taken(values: pd.Categorical) -> pd.Categorical:
    """Return categories renumbered in order of appearance, without those that do not occur."""
    known = values.codes
    codes = by_appearance(known, len(values.categories))
    first = first_rows(codes)
    if codes is known and len(first) == len(values.categories):
        return values
    names = values.categories.take(values.codes[first])
    return pd.Categorical.from_codes(codes, pd.Index(names, dtype="str"))
