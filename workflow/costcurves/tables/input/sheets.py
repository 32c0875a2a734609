"""What files hold, whatever they are written in: rows with the columns that they name."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from costcurves.errors import InputError, refuse
from costcurves.formats import count
from costcurves.names import quoted, some
from costcurves.settings import ReadingKeys
from costcurves.tables import reading_limits as limits
from costcurves.tables.input.kinds import KINDS
from costcurves.tables.input.reading import check_values, read_all, renamed, text
from costcurves.tables.input.sources import Source
from costcurves.tables.input.vectors import unpacked

CONDITION: Final = re.compile(r"(.+?)(\s*!?==?|\s+in\s)\s*(.*)")  # a column, a sign, and text
PLACE: Final = "#"  # as the instance: the row's place in its file; as the fold: the file's folder


@dataclass(frozen=True)
class Sheet:
    """A file's rows, with columns called as we do where it was said which is what."""

    source: Source
    table: pa.Table
    rows: pa.Array  # their numbers in the file
    notes: tuple[str, ...] = ()  # what was seen as it was read
    beside: tuple[Source, ...] = ()  # what it was joined with
    conditions: Mapping[str, str] = field(default_factory=dict)  # for them, with their columns

    @property
    def names(self) -> list[str]:
        """The names of its columns."""
        return list(self.table.column_names)


def sheet_of(source: Source, said: ReadingKeys) -> Sheet:
    """Read all columns of a file."""
    if source.kind in ("CSV", "Parquet"):
        table, first = read_all(source, said), source.first
    else:
        try:
            table, first = KINDS[source.kind](source)
        except RecursionError as error:
            why = f"holds {source.kind} nested too deeply; expected rows with one value a column"
            raise InputError([f"{source.path}: {why}"]) from error
    if not table.num_rows:
        raise InputError([f"{source.path}: has a header and no rows"])
    if len({*table.column_names}) < len(table.column_names):
        raise InputError([f"{source.path}: has columns of the same name; keep one of each"])
    if table.num_columns > limits.MOST_COLUMNS:
        found = f"has {table.num_columns:,} columns, expected at most {limits.MOST_COLUMNS:,}"
        raise InputError([f"{source.path}: {found}"])
    check_values(source, table)
    source = replace(source, data=b"", first=first)
    table = unpacked(source, table, said)
    sheet = _kept(Sheet(source, table, pa.array(np.arange(len(table)))), said)
    table = _with_model(sheet.table, said)
    table = table.rename_columns(renamed(table.column_names, said))
    twice = [own for own in said.columns or {} if table.column_names.count(own) > 1]
    why = "beside the one that is said to be it; give it another name, or leave it out"
    refuse(f"{source.path}: has a column {quoted(own)} {why}" for own in twice)
    for role, values in _places(source, sheet.rows.to_pylist(), said).items():
        table = table.drop_columns([role] if role in table.column_names else [])
        table = table.append_column(role, pa.array(values))
    return replace(sheet, table=table)


def _kept(sheet: Sheet, said: ReadingKeys) -> Sheet:
    """Keep the rows for which all conditions hold whose columns are there."""
    for one, of in ((it, CONDITION.fullmatch(it)) for it in said.where or ()):
        if of and of[1] in sheet.names:
            values = text(sheet.table[of[1]], said).combine_chunks()
            wanted = [it.strip(" '\"") for it in (of[3].split(",") if "in" in of[2] else [of[3]])]
            held, exist = pc.is_in(values, value_set=pa.array(wanted)), values.unique().to_pylist()
            held = pc.xor(held, "!" in of[2])
            if not held.true_count or not {*wanted} <= {*exist}:
                why = f"{quoted(one)} has to keep rows by what {quoted(of[1])} holds: {some(exist)}"
                raise InputError([f"{sheet.source.path}: 'where:' (--where): {why}"])
            size = f"{count(held.true_count)} of {count(len(held))} rows are kept"
            notes, met = (*sheet.notes, f"{size}, where {quoted(one)}"), {one: of[1]}
            table, rows = sheet.table.filter(held), sheet.rows.filter(held)
            sheet = Sheet(sheet.source, table, rows, notes, conditions={**sheet.conditions, **met})
    return sheet


def _with_model(table: pa.Table, said: ReadingKeys) -> pa.Table:
    """Name the model of each row by several columns, if these are said to tell models apart."""
    names = (said.columns or {}).get("model", "")
    if isinstance(names, str) or not {*names} <= {*table.column_names}:
        return table
    parts = [pc.binary_join_element_wise(f"{it}=", text(table[it], said), "") for it in names]
    others = table.select([name for name in table.column_names if name != "model"])
    return others.append_column("model", pc.binary_join_element_wise(*parts, ", "))


def placed(said: ReadingKeys) -> list[str]:
    """Give what places say: the instance by its row, the fold by the folder of its file."""
    return [role for role in ("instance", "fold") if (said.columns or {}).get(role) == PLACE]


def _places(source: Source, rows: Sequence[int], said: ReadingKeys) -> dict[str, Any]:
    roles, fold = placed(said), Path(source.path).parent.name
    own = [f"{fold} {row}" for row in rows] if "fold" in roles else rows
    values = {"instance": own, "fold": [fold] * len(rows)}
    return {role: values[role] for role in roles}
