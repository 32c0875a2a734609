"""How prediction files are to be read, where that can't be seen from what they hold."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any, Final, Literal

from costcurves.tables.configuration.declared import Must, Name, Names, Plain

TEXT = ("dataset", "model", "member", "repeat", "fold", "instance", "cluster", "label", "decision")
OF_CLASS = "score_"  # before the name of a class: the column of its scores
SEGMENT = "segment_"  # before what segments differ in: the column that says which a case is of
SIGN: Final = r"[\x01-\t\x0b\x0c\x0e-!#-~]"  # as the readers of CSV take them
A_SIGN: Final = "one character of ASCII, no quotation mark or line break"
LISTS = ("score", "model")  # roles of which a command takes several columns, with commas
Given = dict[str, Annotated[str, Must(minLength=1)] | Names]


@dataclass(frozen=True, kw_only=True)
class ReadingKeys(Plain):
    """How the prediction files of a dataset are to be read."""

    format: Name | None = None
    """What the files are, where they could be several things: a name of the table of formats below.
    Default: as their columns say."""

    columns: Given | None = None
    """Which column is what, such as `{instance: patient, label: outcome}`. `score` takes a list of
    columns, a model each, `score_a` the column with the scores of the class `a`, and `model` a list
    of those that tell models apart; `probability[1]` is the second number of a column of vectors;
    `instance: "#"` says that rows at the same place of each file are the same instance, and
    `fold: "#"` that the folder of each file is called as its fold."""

    delimiter: Annotated[str, Must(pattern=f"^{SIGN}$", title=A_SIGN)] | None = None
    """What separates the columns of a file of text. Default: a comma, or else a semicolon, tab or
    vertical bar."""

    decimal: Literal[".", ","] = "."
    """The decimal sign of numbers in text."""

    missing: Names | None = None
    """Texts that mean that there is no value, such as `NA`. Default: none, but for an empty one."""

    where: Names | None = None
    """Which rows to keep, such as `[evaluationType == Test, "site in A, B"]`: `==`, `!=` or `in`
    after the name of a column, and one text or several. All conditions must hold, and the report
    says how many rows they keep. Default: all rows."""

    missing_labels: Literal["refuse", "drop"] = "refuse"
    """What to do with cases whose label is empty: `refuse` the data, or `drop` these cases and say
    in the report how many."""

    abstain: Literal["refuse", "positive", "negative"] = "refuse"
    """What to do where a model gives no score, or no decision, for some cases: `refuse` the data,
    or count these cases as predicted `positive` or `negative` at every threshold, and say in the
    report how many."""

    higher_is: Literal["positive", "negative", "predicted"] = "positive"
    """Which class a higher score speaks for. `predicted`: the class in the column of decisions, as
    probabilities of the predicted class do; where that is negative, 1 - score is read."""

    def given(self) -> dict[str, Any]:
        """Give what is said of reading and is not the default."""
        values = self.plain(*(one.name for one in fields(ReadingKeys)))
        return {key: value for key, value in values.items() if value != getattr(ReadingKeys, key)}

    def options(self) -> str:
        """Write the same as options of a command, for a shell."""
        given = self.given()
        roles = given.pop("columns", {}).items()
        given["column"] = [f"{role}={_listed(role, several(names))}" for role, names in roles]
        each = ((f"--{key.replace('_', '-')}", own) for key, own in given.items())
        return " ".join(shlex.join([key, one]) for key, own in each for one in several(own))


def _listed(role: str, names: Sequence[str]) -> str:
    """List names of columns with commas, in quotation marks where a name has one itself."""
    mark = '"' if role in LISTS and any("," in name for name in names) else ""
    return ",".join(f"{mark}{name}{mark}" for name in names)


def several(names: str | Sequence[str] | None) -> Sequence[str]:
    """Give names of which there may be one, several or none."""
    return [names] if isinstance(names, str) else names or []
