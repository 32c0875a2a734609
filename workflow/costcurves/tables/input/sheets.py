"""What files hold, whatever they are written in: rows with the columns that they name."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from costcurves.additions import files_of_others
from costcurves.errors import InputError
from costcurves.tables import reading_limits as limits
from costcurves.tables.configuration.reading_keys import ReadingKeys
from costcurves.tables.input.reading import check_values, read_all, renamed
from costcurves.tables.input.sources import Source

PLACE: Final = "#"  # as the instance: the row's place in its file; as the fold: the file's folder


@dataclass(frozen=True)
class Sheet:
    """A file's rows, with columns called as we do where it was said which is what."""

    source: Source
    table: pa.Table
    notes: tuple[str, ...] = ()  # what was seen as it was read
    beside: tuple[Source, ...] = ()  # what it was joined with

    @property
    def names(self) -> list[str]:
        """The names of its columns."""
        return list(self.table.column_names)


def sheet_of(source: Source, said: ReadingKeys) -> Sheet:
    """Read all columns of a file."""
    others = files_of_others()
    if source.kind in ("CSV", "Parquet"):
        table, first = read_all(source, said), source.first
    elif others is None:
        why = f"holds {source.kind}, which costcurves.readers reads, and that is not there"
        raise InputError([f"{source.path}: {why}; save it as CSV or Parquet"])
    else:
        try:
            table, first = others.kinds[source.kind](source)
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
    table = others.unpacked(source, table, said) if others else table
    table = table.rename_columns(renamed(table.column_names, said))
    for role, values in _places(source, table.num_rows, said).items():
        table = table.drop_columns([role] if role in table.column_names else [])
        table = table.append_column(role, pa.array(values))
    return Sheet(source, table)


def placed(said: ReadingKeys) -> list[str]:
    """Give what places say: the instance by its row, the fold by the folder of its file."""
    return [role for role in ("instance", "fold") if (said.columns or {}).get(role) == PLACE]


def _places(source: Source, rows: int, said: ReadingKeys) -> dict[str, Any]:
    roles, fold = placed(said), Path(source.path).parent.name
    own = [f"{fold} {row}" for row in range(rows)] if "fold" in roles else range(rows)
    values = {"instance": own, "fold": [fold] * rows}
    return {role: values[role] for role in roles}
