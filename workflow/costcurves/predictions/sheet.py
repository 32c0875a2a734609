"""The rows of a file, each column as it is written."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.errors import InputError, refuse
from costcurves.names import quoted
from costcurves.predictions.asking import Choice, Question
from costcurves.predictions.layouts import WIDE, Layout
from costcurves.predictions.reading import spelled
from costcurves.predictions.sources import Source, at_rows
from costcurves.predictions.words import plain
from costcurves.settings import ReadingKeys, several
from costcurves.tables.codes import Booleans, Floats, Integers
from costcurves.tables.keys import group_codes

MOST_VALUES: Final = 10_000  # of which each is looked at


@dataclass(frozen=True)
class Sheet:
    """A file's rows: text as categories, numbers with fractions as floats."""

    source: Source
    frame: pd.DataFrame
    rows: Integers  # their numbers in the file
    keys: ReadingKeys
    layout: Layout = WIDE
    amount: str | None = None  # the column that 'costs:' names
    notes: tuple[str, ...] = ()
    beside: tuple[Source, ...] = ()  # what it was joined with
    conditions: tuple[str, ...] = ()  # columns by which rows were kept

    @property
    def names(self) -> list[str]:
        """The names of its columns."""
        return [*map(str, self.frame)]

    @property
    def columns(self) -> Mapping[str, Any]:
        """The column of each role, as options have it."""
        return self.keys.columns or {}

    @property
    def unused(self) -> Sequence[str]:
        """The columns that are said to be of no use."""
        return several(self.columns.get("unused"))

    @property
    def named(self) -> set[str]:
        """The columns that options name."""
        return {name for names in self.columns.values() for name in several(names)}

    def fractions(self, name: str) -> bool:
        """Return whether a column holds numbers that are no names."""
        return not isinstance(self.frame[name].dtype, pd.CategoricalDtype)

    def texts(self, name: str) -> pd.Categorical:
        """Return a column as names."""
        if self.fractions(name):
            why = "holds numbers that are not whole, expected names: write them as text"
            raise InputError([f"{self.source.path}: column {quoted(name)} {why}"])
        texts: pd.Categorical = self.frame[name].array
        return texts

    def size(self, name: str) -> int:
        """Count the texts that occur in a column; 0 where it holds fractions."""
        return 0 if self.fractions(name) else len(self.texts(name).categories)

    def values(self, name: str) -> list[str]:
        """Return the texts that occur in a column; none where it holds fractions or too many."""
        known = 0 < self.size(name) <= MOST_VALUES
        return [text for text in self.texts(name).categories if text] if known else []

    def meaning(self, name: str, words: Collection[str]) -> list[str]:
        """Return the texts that occur in a column and are some words."""
        return [text for text in self.values(name) if plain(text) in words]

    def numbers(self, name: str) -> Floats | None:
        """Return a column's numbers, NaN where there is none; None if it holds anything else."""
        numbers, wrong = self._spelled(name)
        return None if wrong.any() or np.isnan(numbers).all() else numbers

    def wrong(self, name: str) -> list[str]:
        """Return the texts of a column that are no numbers; none where it holds fractions."""
        return [*self.frame[name][self._spelled(name)[1]].unique()]

    def checked(self, name: str, called: str) -> Floats:
        """Return a column's finite numbers, NaN for none; refuse anything else."""
        numbers, wrong = self._spelled(name)

        def message(row: int) -> str:
            text = str(self.frame[name].iloc[row])
            mend = ", expected a finite number such as 0.25"
            if re.fullmatch("[^,.]*,[^,.]*", text):
                mend = "; write a decimal point, not a comma, or say 'decimal: \",\"' (--decimal ,)"
            return f"{called} is {quoted(text)}{mend}"

        places = np.flatnonzero(wrong)
        refuse(at_rows(places, lambda row: self.source.place(int(self.rows[row])), message))
        return numbers

    def _spelled(self, name: str) -> tuple[Floats, Booleans]:
        """Return a column's numbers, NaN where there is none, and which rows have something else.

        Of fractions there are no such rows.
        """
        if self.fractions(name):
            return self.frame[name].to_numpy(np.float64), np.zeros(len(self.rows), np.bool_)
        texts = self.texts(name)
        numbers, wrong = spelled(texts.categories, self.keys.decimal)
        return numbers[texts.codes], wrong[texts.codes]

    def codes(self, names: Sequence[str]) -> Integers:
        """Return the number of each row's combination of columns."""
        return group_codes(self.frame, names)

    def count(self, names: Sequence[str]) -> int:
        """Return how many combinations of columns occur."""
        return int(self.codes(names).max(initial=-1)) + 1

    def is_unique(self, keys: Sequence[str], name: str) -> bool:
        """Return whether no two rows of the same keys have the same name."""
        return not self.fractions(name) and self.count([*keys, name]) == len(self.frame)

    def is_nested(self, name: str, instance: str) -> bool:
        """Return whether all rows of a case have the same value of a column."""
        return self.count([instance, name]) == self.count([instance])

    def asks(self, message: str, choices: Sequence[Choice]) -> Question:
        """Return a question about this file."""
        return Question(f"{self.source.path}: {message}", choices)


def named(names: Sequence[str]) -> str:
    """Return columns in a sentence."""
    return f"column{'' if len(names) == 1 else 's'} {', '.join(map(quoted, names))}"
