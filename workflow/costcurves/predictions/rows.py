"""The rows of one dataset as checks see them: names as codes, labels as classes, their places."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.names import quoted
from costcurves.predictions.findings import Finding
from costcurves.predictions.sources import Source, at_rows
from costcurves.settings import SEGMENT, Dataset
from costcurves.tables.codes import Floats, Integers, by_appearance, first_rows, follows
from costcurves.tables.contract import constant
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
MOST_SEGMENTS: Final = 40  # by one column
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

    def keeping(self, rows: NDArray[np.bool_], finding: Finding) -> "Rows":
        """Keep some rows, and say so in a finding."""
        kept = self.at_places(np.flatnonzero(rows))
        return replace(kept, findings=(*self.findings, finding))

    def at_places(self, rows: Integers) -> "Rows":
        """Keep some rows, and of names those that occur in them."""
        frame = self.frame.iloc[rows].reset_index(drop=True)
        if len(frame) < len(self.frame):
            for name in frame.select_dtypes("category"):
                frame[name] = frame[name].cat.remove_unused_categories()
        return replace(self, frame=frame)

    def place(self, row: int) -> str:
        """Return where a row is: file and line."""
        source, number = self.frame["source"].iloc[row], self.frame["row"].iloc[row]
        return self.sources[int(source)].place(int(number))

    def at(self, wrong: NDArray[np.bool_], message: Callable[[int], str]) -> list[str]:
        """Return one message about the rows that are wrong, with the place of the first."""
        rows = np.flatnonzero(wrong)
        return at_rows(rows, lambda row: f"{self.place(row)}: {message(row)}")

    def at_first(
        self, name: str, wrong: NDArray[np.bool_], message: Callable[[int], str]
    ) -> list[str]:
        """Return one message about the first row of each value in a column, of wrong rows."""
        first = np.zeros(len(wrong), np.bool_)
        rows = np.flatnonzero(wrong)
        first[rows[~self.frame[name].iloc[rows].duplicated().to_numpy()]] = True
        return self.at(first, message)

    @property
    def title(self) -> str:
        """The dataset, as messages call it."""
        return f"dataset {quoted(self.dataset.original)}"

    def named(self, names: Sequence[str], row: int) -> str:
        """Return the values of a row in columns."""
        return ", ".join(f"{name} {self.text(name, row)}" for name in names)

    def model(self, row: int) -> str:
        """Return the model of a row, and its member of a family."""
        member = f", member {self.text('member', row)}" if self.frame["member"].iloc[row] else ""
        return f"model {self.text('model', row)}{member}"

    def case(self, row: int) -> str:
        """Return the case of a row."""
        return self.named(["instance"], row)

    def unit(self, row: int) -> str:
        """Return the case of a row, with repeat and fold."""
        return f"{self.case(row)} in {self.named(('repeat', 'fold'), row)}"

    def text(self, name: str, row: int) -> str:
        """Return one value, quoted."""
        return quoted(str(self.frame[name].iloc[row]))

    def cases(self, rows: NDArray[np.bool_], among: NDArray[np.bool_] | None = None) -> str:
        """Count the cases of some rows among those of others, or of all."""
        instances = self.codes("instance")
        every = instances if among is None else instances[among]
        return f"{len(np.unique(instances[rows])):,} of {len(np.unique(every)):,} cases"

    @property
    def segments(self) -> list[str]:
        """The columns of segments that are asked for, or that divide the cases into a few."""
        asked = {f"{SEGMENT}{name}" for name in self.dataset.segments or ()}
        there = [name for name in map(str, self.frame) if name.startswith(SEGMENT)]
        return [it for it in there if it in asked or 2 <= self.divided(it) <= MOST_SEGMENTS]

    def divided(self, name: str) -> int:
        """Count the segments that a column names."""
        return len({*self.values(name)} - {""})

    def values(self, name: str) -> list[str]:
        """Return the values that occur in a column of text."""
        return [str(value) for value in self.frame[name].cat.categories]

    def codes(self, name: str) -> Integers:
        """Return a column of text as places in `values`."""
        return np.asarray(self.frame[name].array.codes)

    def given(self, name: str) -> NDArray[np.bool_]:
        """Return of each row whether it has a value in a column."""
        values = self.frame[name]
        return np.asarray(values != "" if values.dtype == "category" else values.notna())

    def key(self, names: Sequence[str]) -> Integers:
        """Return the number of each combination of columns, from 0 in order of appearance."""
        return group_codes(self.frame, names)

    def differing(
        self, values: Integers, names: Sequence[str], among: NDArray[np.bool_] | None = None
    ) -> tuple[NDArray[np.bool_], Integers]:
        """Return which rows have another value than the first row that is the same in columns.

        With them is that row, for each. Only rows `among` count.
        """
        key = self.key(names)
        if among is None and follows(values, key):  # which is quickly seen
            return np.zeros(len(key), np.bool_), key
        rows = np.arange(len(key)) if among is None else np.flatnonzero(among)
        places = np.full(int(key.max()) + 1, -1)
        places[key[rows][::-1]] = rows[::-1]
        first = places[key]
        differ = values != values[first]
        return differ if among is None else differ & among, first

    def first(self, names: Sequence[str]) -> Integers:
        """Return for each row the first one that has the same values in columns."""
        key = self.key(names)
        return first_rows(key)[key]

    def in_some(self, given: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return of each row whether some row of its model is given."""
        models, some = self.codes("model"), np.zeros(len(self.values("model")), dtype=np.bool_)
        some[models[given]] = True
        return some[models]

    @cached_property
    def again(self) -> NDArray[np.bool_]:
        """Whether a row predicts what one before it has predicted, as the same predictor."""
        key = np.maximum.accumulate(self.key((*PREDICTOR, *UNIT)))
        return np.append(False, key[1:] == key[:-1])

    @cached_property
    def classes(self) -> dict[str, int]:
        """Which labels are positive (1) and negative (0), as far as that is clear."""
        labels, positive = self.values("label"), self.dataset.positive
        if self.dataset.classes is not None:
            return {name: int(name == positive) for name in self.dataset.classes}
        if positive is None:
            given = {*labels, *self.values("decision")}
            return {text: TRUTH[text.lower()] for text in given if text.lower() in TRUTH}
        others = [label for label in labels if label not in ("", positive)]
        if self.dataset.rest:
            others += [it for it in self.values("decision") if it not in ("", positive, *others)]
        elif len(others) != 1:
            others = []
        return {positive: 1, **dict.fromkeys(others, 0)}

    @cached_property
    def labels(self) -> Integers:
        """The class of each row: 1, 0, or -1 if its label is in neither class."""
        return self._classified("label")

    @cached_property
    def decisions(self) -> Integers:
        """The decided class of each row: 1, 0, or -1 for none."""
        return self._classified("decision")

    def _classified(self, name: str) -> Integers:
        classes = [self.classes.get(text, UNKNOWN) for text in self.values(name)]
        return np.array(classes, dtype=np.int8)[self.codes(name)]

    @cached_property
    def costs(self) -> Floats:
        """What a mistake on each row's case would cost, given its class; NaN: not said."""
        fp, fn = (self.frame[name].to_numpy(np.float64) for name in COSTS)
        return np.where(self.labels == 1, fn, fp)

    @cached_property
    def cheaper(self) -> NDArray[np.bool_] | None:
        """Whether a mistake on a row's case brings more than being right; None: can't be said."""
        costs = self.dataset.costs
        return self.costs < 0 if costs and costs.benefit else None


def completed(columns: Mapping[str, Any], size: int) -> pd.DataFrame:
    """Return rows of the columns that are given: of others each has the default."""
    absent = {name: constant(it, size) for name, it in DEFAULTS.items() if name not in columns}
    return pd.DataFrame({**columns, **absent}, copy=False)


def taken(values: pd.Categorical) -> pd.Categorical:
    """Return categories renumbered in order of appearance, without those that do not occur."""
    codes = by_appearance(values.codes, len(values.categories))
    first = first_rows(codes)
    names = values.categories.take(values.codes[first])
    return pd.Categorical.from_codes(codes, pd.Index(names, dtype="str"))
