"""Reading prediction files: CSV and Parquet to columns, exactly as they are written."""

import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
from numpy.typing import NDArray

from costcurves.errors import SHOWN, InputError, of_all, refuse
from costcurves.tables.configuration.names import quoted, some
from costcurves.tables.input import reading_limits as limits
from costcurves.tables.input.headers import AMOUNT, KNOWN, TEXT, header_findings, with_score
from costcurves.tables.input.sources import Source, is_parquet

MOST_MESSAGES = 1000
UNREADABLE = (pa.ArrowException, OSError, ValueError)  # a name may be no UTF-8


def read_columns(source: Source, amount: str | None = None, score: str = "score") -> pa.Table:
    """Read the known columns of a prediction file; what `amount` names becomes ``amount``.

    Missing text is empty; a null number means "none".
    """
    read = _parquet if is_parquet(source.path) else _csv
    table = read(source, amount, score)
    if not table.num_rows:
        raise InputError([f"{source.path}: has a header and no rows"])
    if amount is not None and amount not in table.column_names:
        has = some([name for name in table.column_names if name not in TEXT])
        message = f"{source.path}: has no column {quoted(amount)}, which 'costs: column:' names"
        raise InputError([f"{message}; its columns of numbers are {has}"])
    wanted = {name: name for name in KNOWN if name in table.column_names}
    if amount is not None:
        wanted[AMOUNT] = amount

    def converted(name: str) -> pa.ChunkedArray:
        values = table[name]
        if pa.types.is_dictionary(values.type):
            values = values.cast(values.type.value_type)
        return (_to_text if name in TEXT else _to_numbers)(source, name, values)

    return pa.table(dict(zip(wanted, of_all(converted, wanted.values()), strict=True)))


def column_names(source: Source) -> list[str]:
    """Give the names of a file's columns as they are written."""
    if not is_parquet(source.path):
        return _header(source)
    try:
        return list(pq.ParquetFile(pa.BufferReader(source.data)).schema_arrow.names)
    except UNREADABLE as error:
        raise InputError([_not_parquet(source, error)]) from error


def row_place(path: str, row: int) -> str:
    """Say where a row is: its line in a CSV, whose header is line 1, or its number in Parquet."""
    return f"{path} row {row + 1}" if is_parquet(path) else f"{path} line {row + 2}"


def at_rows(rows: Sequence[int] | NDArray[np.int64], message: Callable[[int], str]) -> list[str]:
    """Say the same of at most a thousand rows; the first says how many, if not all are shown."""
    messages = [message(int(row)) for row in rows[:MOST_MESSAGES]]
    if len(rows) > SHOWN:
        messages[0] += f" (first of {len(rows):,} such rows)"
    return messages


def _csv(source: Source, amount: str | None, score: str) -> pa.Table:
    names = with_score(source.path, _header(source), score)
    refuse(header_findings(source.path, names, amount))
    ragged: list[pa_csv.InvalidRow] = []

    def note(row: pa_csv.InvalidRow) -> str:
        ragged.append(row)
        return "skip"

    try:
        table = pa_csv.read_csv(
            pa.BufferReader(source.data),
            pa_csv.ReadOptions(use_threads=False, column_names=names, skip_rows=1),
            pa_csv.ParseOptions(invalid_row_handler=note, ignore_empty_lines=False),
            pa_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()),
                strings_can_be_null=False,
                quoted_strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid as error:
        raise InputError([_not_csv(source, error)]) from error
    _check_lines(source, table, ragged)
    return table


def _not_csv(source: Source, error: Exception) -> str:
    said = _first_line(error)
    if "Empty CSV" in said:
        return f"{source.path}: has a header and no rows"
    if "straddling" in said or "out of sync" in said:
        said = "a line is longer than a megabyte, or a quotation mark is never closed"
    return f"{source.path}: can't be read as CSV ({said})"


def _header(source: Source) -> list[str]:
    end = source.data.index(b"\n")
    if end > limits.LONGEST_HEADER:
        message = f"{source.path} line 1: has {end} bytes, expected at most {limits.LONGEST_HEADER}"
        raise InputError([f"{message}; the first line must name the columns"])
    first = source.data[:end].decode().removesuffix("\r")
    try:
        return next(csv.reader([first], strict=True), [])
    except csv.Error as error:
        raise InputError([f"{source.path} line 1: the header can't be read ({error})"]) from error


def _check_lines(source: Source, table: pa.Table, ragged: list[pa_csv.InvalidRow]) -> None:
    """Make sure that row i of the table is line i + 2 of the file."""

    def say(which: int) -> str:
        row = ragged[which]
        found = f"has {row.actual_columns} values, expected {row.expected_columns}"
        more = row.actual_columns > row.expected_columns
        hint = "; a decimal comma, or a comma in a name without quotes?" if more else ""
        return f"{source.path} line {row.number}: {found}{hint}"

    if table.num_rows + len(ragged) + 1 != source.data.count(b"\n"):
        line = _line_with_break(table, [row.number for row in ragged])
        why = "a quoted value goes on in the next line (is a quotation mark never closed?)"
        raise InputError([f"{source.path} line {line}: {why}"])  # lines after it are not known
    refuse(at_rows(range(len(ragged)), say))


def _line_with_break(table: pa.Table, ragged: list[int]) -> int:
    """Find the first line whose value goes on in the next; a ragged row if no other has one."""
    places = [pc.index(pc.match_substring(one, "\n"), value=True).as_py() for one in table.columns]
    line = min((place for place in places if place >= 0), default=table.num_rows) + 2
    line += sum(number <= line for number in ragged)
    return line if line < table.num_rows + len(ragged) + 2 else ragged[0]


def _parquet(source: Source, amount: str | None, score: str) -> pa.Table:
    try:
        table = _parquet_table(source, amount, score)
    except UNREADABLE as error:
        raise InputError([_not_parquet(source, error)]) from error
    refuse(why for name in table.column_names for why in _unfit(source, name, table[name]))
    return table


def _not_parquet(source: Source, error: Exception) -> str:
    if "CRC" in str(error):
        why = "is damaged: the checksum of a page is not that of its bytes; copy or make it again"
        return f"{source.path}: {why}"
    message = f"{source.path}: can't be read as Parquet ({_first_line(error)})"
    return f"{message}; is it truncated? Make or copy it again"


def _parquet_table(source: Source, amount: str | None, score: str) -> pa.Table:
    """Read the known columns, text as it is held: spelled out, it may have no end."""
    data = pa.BufferReader(source.data)
    file = pq.ParquetFile(data)
    rows, size = file.metadata.num_rows, len(source.data)
    given, schema = list(file.schema_arrow.names), file.schema_arrow
    names = with_score(source.path, given, score)
    findings = list(header_findings(source.path, names, amount))
    findings += limits.row_findings(source.path, rows, size)
    groups = map(file.metadata.row_group, range(file.metadata.num_row_groups))
    unpacked = sum(group.total_byte_size for group in groups)
    most = limits.LARGEST_TABLE
    findings += limits.unpacked_findings(source.path, unpacked, size, most, "split it")
    refuse(findings)
    known = (*KNOWN, amount)
    kept = {own: name for own, name in zip(given, names, strict=True) if name in known}
    text = [name for name in kept if _is_text(schema.field(name).type)]
    file = pq.ParquetFile(data, read_dictionary=text, page_checksum_verification=True)
    return file.read(columns=list(kept)).rename_columns(kept)


def _unfit(source: Source, name: str, values: pa.ChunkedArray) -> Iterator[str]:
    """Find text that is damaged, or would fill the memory."""
    try:
        values.validate(full=True)
    except pa.ArrowInvalid as error:
        yield f"{source.path}: column {name!r} is damaged ({_first_line(error)}); make it again"
        return
    packed = pa.types.is_dictionary(values.type) and _is_text(values.type.value_type)
    longest, size = 0, 0 if packed else values.nbytes
    for chunk in values.chunks if packed else ():
        lengths = pc.binary_length(chunk.dictionary).cast(pa.int64())
        longest = max(longest, pc.max(lengths).as_py() or 0)
        size += pc.sum(lengths.take(chunk.indices), min_count=0).as_py()
    if longest > limits.LONGEST_VALUE:
        expected = f"expected at most {limits.LONGEST_NAME} characters"
        yield f"{source.path}: column {name!r} has a value of {longest:,} bytes, {expected}"
    elif size > limits.LARGEST_TABLE:
        message = f"column {name!r} unpacks to more than {limits.LARGEST_TABLE} bytes"
        yield f"{source.path}: {message}; split the file"


def _first_line(error: Exception) -> str:
    """Say what a library says, without what a terminal would obey."""
    line = next(iter(str(error).splitlines()), type(error).__name__)
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in line[:200])


def _to_text(source: Source, name: str, values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Give text without nulls; whole numbers and truth values as they are written."""
    classes = name in ("label", "decision")
    truth = classes and pa.types.is_boolean(values.type)
    if classes and _is_float(values):  # whole numbers, such as 0.0 and 1.0, are read as such
        numbers = values.cast(pa.float64())
        with suppress(pa.ArrowInvalid):
            values = pc.if_else(pc.is_nan(numbers), None, numbers).cast(pa.int64())
    if not _is_text(values.type) and not pa.types.is_integer(values.type) and not truth:
        hint = ""
        if _is_float(values):
            lacking = values.null_count or pc.any(pc.is_nan(values.cast(pa.float64()))).as_py()
            why = " (missing values turn whole numbers into floats)"
            hint = why if lacking else " or whole numbers: write them as integers"
        raise InputError([f"{source.path}: column {name!r} is {values.type}, expected text{hint}"])
    return pc.fill_null(values.cast(pa.string()), "")


def _to_numbers(source: Source, name: str, values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Give finite numbers, null for none, and find what is neither."""
    if _is_text(values.type):
        given = pc.if_else(pc.equal(values, ""), None, values.cast(pa.string()))
        numbers = _parsed(given)
    elif _is_float(values) or pa.types.is_integer(values.type):
        given, numbers = values, values.cast(pa.float64(), safe=False)
    else:
        raise InputError([f"{source.path}: column {name!r} is {values.type}, expected numbers"])
    finite = pc.fill_null(pc.is_finite(numbers), False)
    rows = np.flatnonzero(pc.and_not(pc.is_valid(given), finite).to_numpy())
    refuse(at_rows(rows, lambda row: _no_number(source, name, row, values[row].as_py())))
    return numbers


def _is_text(kind: pa.DataType) -> bool:
    return kind in (pa.string(), pa.large_string(), pa.string_view())


def _is_float(values: pa.ChunkedArray) -> bool:
    return bool(pa.types.is_floating(values.type) or pa.types.is_decimal(values.type))


def _parsed(text: pa.ChunkedArray) -> pa.ChunkedArray:
    """Read decimal numbers as the nearest double; null where there is none."""
    try:
        return text.cast(pa.float64())
    except pa.ArrowInvalid:
        plain = pc.match_substring_regex(text, r"^-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$")
        return pc.if_else(plain, text, None).cast(pa.float64())


def _no_number(source: Source, name: str, row: int, value: object) -> str:
    where = f"{row_place(source.path, row)}: {name} is {quoted(value)}"
    if isinstance(value, str) and value.count(",") == 1 and "." not in value:
        return f"{where}; write a decimal point, not a comma"
    return f"{where}, expected a finite number such as 0.25"
