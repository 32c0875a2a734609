"""What a reader is: it knows files by their columns, and says which column is what."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import pyarrow as pa
import pyarrow.compute as pc

from costcurves.errors import InputError
from costcurves.names import quoted, some
from costcurves.settings import ReadingKeys
from costcurves.tables.input.headers import ROW
from costcurves.tables.input.reading import numbers_in, text
from costcurves.tables.input.resamples import folds_of
from costcurves.tables.input.sheets import Sheet

ID: Final = r"(?i:id|.*[ _.]id|(patient|subject|case|sample|row|customer|user)id)|.*[a-z]I[Dd]"
TRAINING = {"train", "training"}
OTHER_ROWS = {"test", "testing", "val", "valid", "validation", "dev", "holdout", "oof", ""}
TIMES = (  # as we call them
    *("dataset", "repeat", "fold", "cluster", "member", "train_pc"),
    *("weight", "cost_fp", "cost_fn"),
)


@dataclass(frozen=True)
class Reading:
    """A file's predictions in our columns, a row for each model and instance."""

    table: pa.Table
    notes: tuple[str, ...]  # what was understood, a sentence each
    numbered: bool = False  # whether its instances are only places in the file
    unused: tuple[str, ...] = ()  # columns of the file that say nothing here


class Reader(Protocol):
    """A kind of prediction file; entry points of the group ``costcurves.readers`` name others."""

    @property
    def name(self) -> str:
        """What `format:` calls it."""

    @property
    def what(self) -> str:
        """What messages call such a file."""

    def claims(self, names: Sequence[str]) -> bool:
        """Say whether a file with these columns is of this kind, and can be of no other."""

    def read(self, sheet: Sheet, said: ReadingKeys, model: str) -> Reading:
        """Read a file, whose model is called `model` where no column names one."""


def distinct(values: pa.ChunkedArray, said: ReadingKeys) -> list[str]:
    """List the values that occur, as text, in order of appearance."""
    return [one for one in text(values, said).unique().to_pylist() if one]


def numbers_of(sheet: Sheet, said: ReadingKeys, name: str) -> pa.ChunkedArray | None:
    """Give a column's numbers; None if it holds anything else."""
    values = sheet.table[name]
    if pa.types.is_floating(values.type) or pa.types.is_integer(values.type):
        return values
    if pa.types.is_string(values.type) or pa.types.is_dictionary(values.type):
        numbers = numbers_in(values, said)
        lacking = pc.sum(pc.equal(text(values, said), "")).as_py() or 0
        return numbers if numbers.null_count == lacking < len(values) else None
    return None


def with_rows(
    sheet: Sheet, said: ReadingKeys, columns: Mapping[str, Any], resample: str, reading: str
) -> Reading:
    """Add what rows are told apart by: instances, folds, and the places in the file."""
    table, notes = pa.table(dict(columns)), [reading, *sheet.notes]
    for name in sheet.names:
        given = _words(sheet.table[name], said)
        words = {one.casefold() for one in given}
        if words & TRAINING and words <= TRAINING | OTHER_ROWS:
            why = "says that rows are of training, whose scores say nothing of new instances"
            part = next(one for one in given if one.casefold() in TRAINING)
            mend = f"leave these out ('where:' or --where {quoted(f'{name} != {part}')})"
            raise InputError([f"{sheet.source.path}: {named([name])} {why}; {mend}"])
    numbered = "instance" not in columns
    if numbered and "repeat" in columns and len(distinct(table["repeat"], said)) > 1:
        why = "has repeats, but no column that says which rows are the same instance"
        raise InputError([f"{sheet.source.path}: {why}; name it ('columns: instance:')"])
    if numbered:
        table = table.append_column("instance", pa.array(range(table.num_rows)))
        notes.append("no column says which instance a row is, so rows are numbered")
    if resample:
        parts = (sheet.table[resample], table["instance"], table["model"])
        repeats, folds, how = folds_of(*(text(one, said).to_pylist() for one in parts))
        table = table.append_column("repeat", pa.array(repeats))
        table, notes = table.append_column("fold", pa.array(folds)), [*notes, *how]
    elif not {"repeat", "fold"} & {*table.column_names}:
        notes.append("no column says folds, so it is read as one test set")
    if ROW not in columns:
        table = table.append_column(ROW, pa.array(range(table.num_rows), pa.int64()))
    return Reading(table, tuple(notes), numbered)


def _words(values: pa.ChunkedArray, said: ReadingKeys) -> list[str]:
    """List a column's values, if its first one is a word for a part of the data."""
    first = text(values[:1], said).to_pylist()
    known = first and first[0].casefold() in TRAINING | OTHER_ROWS
    return distinct(values, said) if known else []


def one_of(sheet: Sheet, what: str, key: str, found: Sequence[str]) -> str:
    """Give the only column that can be something; else ask which is it."""
    if len(found) == 1:
        return found[0]
    seen = f"columns {some(found)} could each be" if found else "no column is known as"
    mend = f"say which it is ('columns: {{{key}: NAME}}' or --column {key}=NAME)"
    path, names = sheet.source.path, some(sheet.names)
    raise InputError([f"{path}: {seen} {what}; {mend}; its columns are {names}"])


def named(columns: Sequence[str]) -> str:
    """List columns in a sentence."""
    return f"column{'' if len(columns) == 1 else 's'} {', '.join(map(quoted, columns))}"
