"""The rows of one dataset as checks see them: names as codes, labels as classes, their places."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.names import quoted
from costcurves.settings import SEGMENT, Dataset
from costcurves.tables.codes import Integers, first_rows, follows
from costcurves.tables.contract import constant
from costcurves.tables.findings import Found
from costcurves.tables.input.headers import AMOUNT, COSTS, NUMBERS, TRUTH
from costcurves.tables.input.sources import Source, at_rows
from costcurves.tables.keys import group_codes

UNKNOWN = -1
DEFAULTS: dict[str, Any] = dict.fromkeys((*NUMBERS, AMOUNT), np.nan)  # of what is not given
DEFAULTS |= {"member": "", "repeat": "1", "fold": "1", "cluster": "", "decision": "", "source": 0}
MOST_SEGMENTS = 40  # by one column
PREDICTOR = ("model", "member")
UNIT = ("repeat", "fold", "instance")


@dataclass(frozen=True)
class Rows:
    """The rows of one dataset, at least one, from all of its files."""

    # Categories of text that all occur: model member repeat fold instance label decision; integers
    # in place of an instance's text stand for it. Floats, NaN = none: train_pc score cost_fp
    # cost_fn amount. Places: source (number of the file) and row (from 0, within its file).
    frame: pd.DataFrame
    dataset: Dataset
    sources: tuple[Source, ...]
    seen: tuple[Found, ...] = ()  # as files were read

    def keeping(self, rows: Integers) -> "Rows":
        """Keep some rows, and of names those that occur in them."""
        made = self.frame.iloc[rows].reset_index(drop=True)
        if len(made) < len(self.frame):
            for name in made.select_dtypes("category"):
                made[name] = made[name].cat.remove_unused_categories()
        return replace(self, frame=made)

    def place(self, row: int) -> str:
        """Say where a row is: file and line."""
        source, number = self.frame["source"].iloc[row], self.frame["row"].iloc[row]
        return self.sources[int(source)].place(int(number))

    def at(self, rows: Integers, say: Callable[[int], str]) -> list[str]:
        """Say the same of many rows, each with its place."""
        return at_rows(rows, lambda row: f"{self.place(row)}: {say(row)}")

    def at_first(self, name: str, rows: Integers, say: Callable[[int], str]) -> list[str]:
        """Say the same of the first row of each value in a column, of these rows."""
        return self.at(rows[~self.frame[name].iloc[rows].duplicated().to_numpy()], say)

    def text(self, name: str, row: int) -> str:
        """Give one value, quoted."""
        return quoted(str(self.frame[name].iloc[row]))

    def cases(self, some: NDArray[np.bool_], of: NDArray[np.bool_] | None = None) -> str:
        """Count the cases of some rows among those of others, or of all."""
        instances = self.codes("instance")
        every = instances if of is None else instances[of]
        return f"{len(np.unique(instances[some])):,} of {len(np.unique(every)):,} cases"

    @property
    def segments(self) -> list[str]:
        """The columns of segments that are asked for, or that divide the cases into a few."""
        asked = {f"{SEGMENT}{one}" for one in self.dataset.segments or ()}
        there = [name for name in map(str, self.frame) if name.startswith(SEGMENT)]
        return [it for it in there if it in asked or 2 <= self.divided(it) <= MOST_SEGMENTS]

    def divided(self, name: str) -> int:
        """Count the segments that a column names."""
        return len({*self.values(name)} - {""})

    def values(self, name: str) -> list[str]:
        """Give the values that occur in a column of text."""
        return [str(value) for value in self.frame[name].cat.categories]

    def codes(self, name: str) -> Integers:
        """Give a column of text as places in `values`."""
        return np.asarray(self.frame[name].array.codes)

    def key(self, names: Sequence[str]) -> Integers:
        """Give each combination of columns a number, from 0 in order of appearance."""
        return group_codes(self.frame, names)

    def first(self, names: Sequence[str]) -> Integers:
        """Give for each row the first one that has the same values in these columns."""
        key = self.key(names)
        return first_rows(key)[key]

    def differing(self, values: Integers, names: Sequence[str]) -> tuple[Integers, Integers]:
        """Find the rows whose value is not that of the first one that is the same in columns.

        With them is that one, for each row; nothing where all agree, which is quickly seen.
        """
        key = self.key(names)
        if follows(values, key):
            return np.array([], dtype=np.int64), np.array([], dtype=np.int64)
        first = first_rows(key)[key]
        return np.flatnonzero(values != values[first]), first

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
        return {positive: 1} | ({others[0]: 0} if len(others) == 1 else {})

    @cached_property
    def labels(self) -> Integers:
        """The class of each row: 1, 0, or -1 if its label is in neither class."""
        return self._classified("label")

    @cached_property
    def costs(self) -> NDArray[np.float64]:
        """What a mistake on each row's instance would cost, given its class; NaN: not said."""
        fp, fn = (self.frame[name].to_numpy(np.float64) for name in COSTS)
        return np.where(self.labels == 1, fn, fp)

    @cached_property
    def cheaper(self) -> NDArray[np.bool_] | None:
        """Whether a mistake on a row's case brings more than being right; None: can't be said."""
        costs = self.dataset.costs
        return self.costs < 0 if costs and costs.benefit else None

    @cached_property
    def decisions(self) -> Integers:
        """The decided class of each row: 1, 0, or -1 for none."""
        return self._classified("decision")

    def _classified(self, name: str) -> Integers:
        classes = [self.classes.get(text, UNKNOWN) for text in self.values(name)]
        return np.array(classes, dtype=np.int8)[self.codes(name)]


def completed(columns: Mapping[str, Any], size: int) -> pd.DataFrame:
    """Make rows of the columns that are given: of others each has the default."""
    absent = {name: constant(it, size) for name, it in DEFAULTS.items() if name not in columns}
    return pd.DataFrame({**columns, **absent}, copy=False)
