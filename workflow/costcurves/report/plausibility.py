"""Possible problems in the data, in sentences: for a dataset's section, and `costcurves check`."""

from collections.abc import Collection, Hashable, Mapping
from typing import NamedTuple

import pandas as pd

from costcurves.predictions.kinds import KINDS, Grade
from costcurves.text import NAMED, Name, Text, listed_at_most


class Problem(NamedTuple):
    """What was found, equal findings together: its name, what was seen, and what that means."""

    name: str
    grade: Grade
    seen: Text
    meaning: str

    @property
    def text(self) -> Text:
        """All of it."""
        return (*self.seen, f" {self.meaning}")


def problems(table: pd.DataFrame, expected: Collection[str]) -> list[Problem]:
    """Say what was seen, why it matters, what to do; what is `expected` comes last, as a note."""
    each = [
        _problem(str(name), [_subject(row) for row in rows.to_dict("records")], expected)
        for name, rows in table.groupby("finding", sort=False)
    ]
    return sorted(each, key=lambda problem: problem.grade == "note")


def _problem(name: str, subjects: list[Text], expected: Collection[str]) -> Problem:
    kind = KINDS[name]
    seen = (f"{kind.what}: ", *listed_at_most(NAMED, subjects), ".")
    if name in expected:
        return Problem(name, "note", seen, "Expected, by the configuration.")
    return Problem(name, kind.grade, seen, f"{kind.why} {kind.mend}")


def _subject(row: Mapping[Hashable, str]) -> Text:
    """Name the models of a finding, and what was seen of them."""
    model, other, seen = row["model"], row["other"], row["seen"]
    if not model:
        return (seen,)
    names = (Name(model), " and ", Name(other)) if other else (Name(model),)
    return (*names, f" ({seen})") if seen else names
