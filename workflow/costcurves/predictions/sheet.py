"""The rows of a file, each column as it is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.errors import InputError
from costcurves.names import quoted
from costcurves.predictions.asking import Choice, Question
from costcurves.predictions.layouts import WIDE, Layout
from costcurves.predictions.reading import (
    Floats,
    as_text,
    check_numbers,
    distinct_numbers,
    numbers_in,
)
from costcurves.predictions.sources import Source
from costcurves.settings import ReadingKeys, several
from costcurves.tables.codes import Integers
from costcurves.tables.keys import group_codes

MOST_VALUES: Final = 10_000  # of which each is looked at
LARGEST: Final = 2.0**53  # of whole numbers that a double tells apart


@dataclass(frozen=True)
class Sheet:
    """A file's rows, each column as it is written."""

    source: Source
    frame: pd.DataFrame
    rows: Integers  # their numbers in the file
    keys: ReadingKeys
    layout: Layout = WIDE
    amount: str | None = None  # the column that 'costs:' names
    notes: tuple[str, ...] = ()
    beside: tuple[Source, ...] = ()  # what it was joined with
    conditions: tuple[str, ...] = ()  # columns by which rows were kept
    odd: Mapping[str, str] = field(default_factory=dict)  # types that hold no names or numbers
    _texts: dict[str, pd.Categorical] = field(default_factory=dict)
    _fractions: dict[str, bool] = field(default_factory=dict)

    def changed(
        self,
        frame: pd.DataFrame,
        rows: Integers | None = None,
        columns: dict[str, Any] | None = None,
    ) -> "Sheet":
        """Return the sheet with other rows or columns."""
        keys = self.keys if columns is None else replace(self.keys, columns=columns)
        rows = self.rows if rows is None else rows
        return replace(self, frame=frame, rows=rows, keys=keys, _texts={}, _fractions={})

    @property
    def names(self) -> list[str]:
        """The names of its columns."""
        return [*map(str, self.frame)]

    @property
    def columns(self) -> Mapping[str, Any]:
        """The column of each role, as options have it."""
        return self.keys.columns or {}

    @cached_property
    def unused(self) -> Sequence[str]:
        """The columns that are said to be of no use."""
        return several(self.columns.get("unused"))

    @cached_property
    def named(self) -> set[str]:
        """The columns that options name."""
        return {name for names in self.columns.values() for name in several(names)}

    def texts(self, name: str) -> pd.Categorical:
        """Return a column as names."""
        if name not in self._texts:
            try:
                self._texts[name] = as_text(self.frame[name])
            except InputError as error:
                raise InputError([f"{self.source.path}: {error.findings[0]}"]) from error
        return self._texts[name]

    def values(self, name: str) -> list[str]:
        """Return the texts that occur in a column; none where it holds fractions or too many."""
        if not 0 < self.size(name) <= MOST_VALUES:
            return []
        return [text for text in map(str, self.texts(name).categories) if text]

    def size(self, name: str) -> int:
        """Count the texts that occur in a column; 0 where it holds fractions."""
        return 0 if self.fractions(name) else len(self.texts(name).categories)

    def numbers(self, name: str) -> Floats | None:
        """Return a column's numbers; None if it holds anything else."""
        return numbers_in(self.frame[name], self.keys.decimal)

    def fractions(self, name: str) -> bool:
        """Return whether a column holds numbers that are not whole, or too large to be names."""
        if name not in self._fractions:
            numbers = distinct_numbers(self.frame[name], self.keys.decimal)
            odd = (numbers != np.round(numbers)).any() or (np.abs(numbers) >= LARGEST).any()
            self._fractions[name] = bool(odd)
        return self._fractions[name]

    def checked(self, name: str, called: str) -> Floats:
        """Return a column's finite numbers, NaN for none; refuse anything else."""
        if name in self.odd:
            what = f"column {quoted(called)} is {self.odd[name]}, expected numbers"
            raise InputError([f"{self.source.path}: {what}"])
        values, decimal = self.frame[name], self.keys.decimal
        return check_numbers(self.source, called, values, decimal, self.rows)

    def asks(self, message: str, choices: Sequence[Choice]) -> Question:
        """Return a question about this file."""
        return Question(f"{self.source.path}: {message}", choices)


def is_unique(sheet: Sheet, keys: Sequence[str], name: str) -> bool:
    """Return whether no two rows of the same keys have the same name."""
    if sheet.fractions(name):
        return False
    return count(sheet, [*keys, name]) == len(sheet.frame)


def count(sheet: Sheet, names: Sequence[str]) -> int:
    """Return how many combinations of columns occur."""
    return int(codes_of(sheet, names).max(initial=-1)) + 1


def codes_of(sheet: Sheet, names: Sequence[str]) -> Integers:
    """Return the number of each row's combination of columns."""
    frame = pd.DataFrame({name: sheet.texts(name) for name in names}, index=sheet.frame.index)
    return group_codes(frame, names)


def named(names: Sequence[str]) -> str:
    """Return columns in a sentence."""
    return f"column{'' if len(names) == 1 else 's'} {', '.join(map(quoted, names))}"
