"""Files that hold something else than CSV or Parquet: as a table, and the row where it begins."""

import io
import json
import struct
import zipfile
from collections.abc import Callable, Mapping
from typing import Any, Final

import pyarrow as pa

from costcurves.errors import InputError, refuse
from costcurves.names import quoted
from costcurves.tables import reading_limits as limits
from costcurves.tables.input import arrays, weka
from costcurves.tables.input.arrow_buffers import START, unpacked_size
from costcurves.tables.input.reading import UNREADABLE
from costcurves.tables.input.sources import Source


def _arrow(source: Source) -> tuple[pa.Table, None]:
    """Read what was looked at: messages from the first on, as many as the footer says."""
    data, most = pa.py_buffer(source.data), limits.LARGEST_TABLE
    try:
        size = unpacked_size(data)
        refuse(limits.unpacked_findings(source.path, size, len(data), most, "split it"))
        with pa.ipc.open_stream(data[START:]) as stream, pa.ipc.open_file(data) as file:
            batches = list(stream)
            if len(batches) != file.num_record_batches:
                raise ValueError
            table = pa.Table.from_batches(batches, stream.schema)
            return table.rename_columns(table.column_names), None  # here names are decoded
    except (*UNREADABLE, struct.error) as error:
        why = "can't be read as Arrow or Feather; is it truncated? Make or copy it again"
        raise InputError([f"{source.path}: {why}"]) from error


def _zip(source: Source) -> tuple[pa.Table, int | None]:
    """Read the arrays of `numpy.savez`, or the first sheet of a workbook."""
    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as file:
            held = {one.filename: one.file_size for one in file.infolist()}
    except zipfile.BadZipFile as error:
        why = "is a zip archive that can't be read; copy or make it again"
        raise InputError([f"{source.path}: {why}"]) from error
    size, most = sum(held.values()), limits.LARGEST
    refuse(limits.unpacked_findings(source.path, size, len(source.data), most, "write Parquet"))
    if held and all(name.endswith(".npy") for name in held):
        return arrays.table_of(source, arrays.arrays_of(source, [*held])), None
    if "xl/workbook.xml" in held:
        return _workbook(source), 2
    found = "holds a zip archive of neither arrays nor a workbook"
    raise InputError([f"{source.path}: {found}; unpack it"])


def _workbook(source: Source) -> pa.Table:
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        needs = "is an Excel workbook, which needs openpyxl: pip install 'costcurves[excel]'"
        raise InputError([f"{source.path}: {needs}, or save it as CSV"]) from error
    book = load_workbook(io.BytesIO(source.data), read_only=True, data_only=True)
    if len(book.worksheets) > 1:
        found = f"has {len(book.worksheets)} sheets, expected one; keep that with the predictions"
        raise InputError([f"{source.path}: {found}"])
    rows = list(book.worksheets[0].iter_rows(values_only=True))
    if len(rows) < 2:
        raise InputError([f"{source.path}: has a header and no rows"])
    names = ["" if name is None else str(name) for name in rows[0]]
    columns = [_column(values) for values in zip(*rows[1:], strict=True)]
    return pa.table(columns, names)


def _json(source: Source) -> tuple[pa.Table, int | None]:
    """Read rows as objects (a list of them, or a line each), or what a program made of a table."""
    try:
        held = json.loads(source.data)
    except ValueError:
        return _lines(source), 1
    if isinstance(held, list):
        return _records(source, held), None
    if {"columns", "data"} <= {*held}:
        rows = [dict(zip(held["columns"], one, strict=False)) for one in held["data"]]
        return _records(source, rows), None
    if {"indices", "predictions"} <= {*held}:
        try:
            return arrays.table_of(source, arrays.validated(source, held)), None
        except (KeyError, TypeError, ValueError) as error:
            why = "holds results of cross_validate whose 'indices' are no lists of whole numbers"
            raise InputError([f"{source.path}: {why}, or 'predictions' none of numbers"]) from error
    if held and all(isinstance(one, list) for one in held.values()):
        return pa.table({name: _column(one) for name, one in held.items()}), None
    return _records(source, [held]), 1


def _lines(source: Source) -> pa.Table:
    rows = []
    for number, line in enumerate(source.data.splitlines(), 1):
        try:
            rows.append(json.loads(line))
        except ValueError as error:
            why = f"is no JSON: {quoted(line.decode())}; expected an object a line"
            raise InputError([f"{source.path} line {number}: {why}"]) from error
    return _records(source, rows)


def _records(source: Source, rows: list[Any]) -> pa.Table:
    if not rows or not all(isinstance(row, Mapping) for row in rows):
        why = "holds JSON that is no table; expected an object for each row"
        raise InputError([f"{source.path}: {why}"])
    names = list(dict.fromkeys(name for row in rows for name in row))
    return pa.table({name: _column([row.get(name) for row in rows]) for name in names})


def _column(values: Any) -> pa.Array:
    """Make a column; where values are of several types, of their text."""
    try:
        return pa.array(values)
    except (pa.ArrowException, ValueError, TypeError, OverflowError):
        return pa.array([None if one is None else str(one) for one in values])


KINDS: Final[dict[str, Callable[[Source], tuple[pa.Table, int | None]]]] = {
    "Arrow": _arrow,
    "zip": _zip,
    "JSON": _json,
    "ARFF": weka.of_arff,
    "Weka": weka.table_of,
}
