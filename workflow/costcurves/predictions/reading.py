"""Prediction files as frames: text as categories, numbers with fractions as floats.

Nothing is inferred that could change a value: in CSV a column is text unless its first values are
numbers with fractions, and a number is read as the nearest double or refused.
"""

import csv
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from costcurves.errors import InputError, refuse
from costcurves.names import some
from costcurves.predictions.sources import Source, at_rows
from costcurves.settings import ReadingKeys
from costcurves.tables.codes import Booleans, Floats
from costcurves.tables.files import as_they_appear, categorical, first_line

NESTED: Final = "[...]"
HEAD: Final = 1 << 16  # bytes that show which columns hold numbers
NUMBER: Final = r"^-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
WHOLE: Final = 2.0**53  # below which a double tells whole numbers apart
FEW: Final = ("dataset", "model", "member", "repeat", "fold", "label", "decision")


def read_frame(source: Source, keys: ReadingKeys, texts: Collection[str]) -> pd.DataFrame:
    """Read all columns of a file.

    The columns `texts` are text, whatever they look like. What is neither text nor numbers, such as
    a list, is `NESTED` in each row.
    """
    table = _csv(source, keys, texts) if source.kind == "CSV" else _typed(source)
    if not table.num_rows:
        raise InputError([f"{source.path}: has a header and no rows"])
    columns, missing = dict[str, Any](), keys.missing or ()
    for place, values in enumerate(table.columns):
        # The index of a frame has no name, and comes first.
        name = table.column_names[place] or (f"column {place + 1}" if place else "")
        kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
        if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
            columns[name] = _floats(values, missing)
            continue
        text = kind in (pa.string(), pa.large_string(), pa.string_view(), pa.null())
        if pa.types.is_nested(kind) or pa.types.is_binary(kind):
            values = pa.chunked_array([pa.repeat(NESTED, len(values))])
        names = columns[name] = _names(values, missing)
        if text and name not in texts:
            numbers, wrong = spelled(names.categories, keys.decimal)
            if _fractional(numbers) and not wrong.any():
                columns[name] = numbers[names.codes]
    return pd.DataFrame(columns, copy=False)


def _csv(source: Source, keys: ReadingKeys, texts: Collection[str]) -> pa.Table:
    line = source.data[: source.data.index(b"\n")].decode().removesuffix("\r")
    # The first of these that a header has.
    delimiter = keys.delimiter or next((sign for sign in ",;\t|" if sign in line), ",")
    try:
        names = next(csv.reader([line], strict=True, delimiter=delimiter), [])
    except csv.Error as error:
        raise InputError([f"{source.path} line 1: the header can't be read ({error})"]) from error
    _check_twice(source, names)
    kinds: dict[str, Any] = dict.fromkeys(names, pa.string())
    kinds |= dict.fromkeys({*names} & {*FEW}, pa.dictionary(pa.int32(), pa.string()))

    def parsed(data: bytes, kinds: dict[str, Any]) -> tuple[pa.Table, list[pa_csv.InvalidRow]]:
        ragged: list[pa_csv.InvalidRow] = []

        def note(row: pa_csv.InvalidRow) -> str:
            ragged.append(row)
            return "skip"

        parsing = pa_csv.ParseOptions(
            delimiter=delimiter,
            invalid_row_handler=note,
            ignore_empty_lines=False,
        )
        converting = pa_csv.ConvertOptions(
            column_types=kinds,
            decimal_point=keys.decimal,
            null_values=["", *(keys.missing or ())],
            strings_can_be_null=False,
            quoted_strings_can_be_null=False,
        )
        reading = pa_csv.ReadOptions(use_threads=False, column_names=names, skip_rows=1)
        return pa_csv.read_csv(pa.BufferReader(data), reading, parsing, converting), ragged

    with suppress(pa.ArrowInvalid):
        head, _ = parsed(source.data[: source.data.find(b"\n", HEAD) + 1 or None], {})
        named = [name for name in names if name and name not in texts]  # some may have no name
        likely = [name for name in named if pa.types.is_floating(head[name].type)]
        numbers = {name: pa.float64() for name in likely if _fractional(head[name].to_numpy())}
        table, ragged = parsed(source.data, kinds | numbers)
        if not ragged and all(pc.all(pc.is_finite(table[name])).as_py() for name in numbers):
            _check_lines(source, table, ragged)
            return table
    try:
        table, ragged = parsed(source.data, kinds)  # to quote what is no number
    except pa.ArrowInvalid as error:
        why = first_line(error)
        if "straddling" in why or "out of sync" in why:
            why = "a line is longer than a megabyte, or a quotation mark is never closed"
        raise InputError([f"{source.path}: can't be read as CSV ({why})"]) from error
    _check_lines(source, table, ragged)
    return table


def _check_twice(source: Source, names: Sequence[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1 and name})
    if twice:
        raise InputError([f"{source.path}: columns occur twice: {some(twice)}; keep one of each"])


def _check_lines(source: Source, table: pa.Table, ragged: Sequence[pa_csv.InvalidRow]) -> None:
    """Check that row i of the table is line i + 2 of the file."""
    if table.num_rows + len(ragged) + 1 != source.data.count(b"\n"):
        lines = csv.reader(source.data.decode().splitlines(keepends=True))
        line = next(number for number, _ in enumerate(lines, 1) if lines.line_num > number)
        why = "a quoted value goes on in the next line (is a quotation mark never closed?)"
        raise InputError([f"{source.path} line {line}: {why}"])  # lines after it are not known

    def message(place: int) -> str:
        row = ragged[place]
        comma = "; a decimal comma, or a comma without quotes?"
        hint = comma if row.actual_columns > row.expected_columns else ""
        return f"has {row.actual_columns} values, expected {row.expected_columns}{hint}"

    places = range(len(ragged))
    refuse(at_rows(places, lambda place: f"{source.path} line {ragged[place].number}", message))


def _typed(source: Source) -> pa.Table:
    """Read Parquet or Feather."""
    try:
        data = pa.BufferReader(source.data)
        if source.kind == "Parquet":
            schema = pq.read_schema(data)
            _check_twice(source, schema.names)
            texts = [field.name for field in schema if field.type == pa.string()]
            options = {"page_checksum_verification": True, "read_dictionary": texts}
            table = pq.read_table(data, use_threads=False, **options)
        else:
            with pa.ipc.open_file(data) as file:
                table = file.read_all()
            _check_twice(source, table.column_names)
        table.validate(full=True)
    except (
        pa.ArrowException,
        OSError,
        ValueError,
        TypeError,
        LookupError,
        ArithmeticError,
        RuntimeError,
    ) as error:
        why = f"can't be read as {source.kind} ({first_line(error)})"
        mend = "is it truncated or damaged? Copy or make it again"
        raise InputError([f"{source.path}: {why}; {mend}"]) from error
    return table


def _fractional(numbers: Floats) -> bool:
    """Return whether numbers are no names: not whole, too large, or a zero with a sign."""
    odd = (numbers != np.rint(numbers)) | (np.abs(numbers) >= WHOLE)
    odd |= (numbers == 0) & np.signbit(numbers)
    return bool((odd & ~np.isnan(numbers)).any())


def _floats(values: pa.ChunkedArray, missing: Sequence[str]) -> Any:
    """Return floats or decimals as floats, or whole ones as names; what is not finite as text."""
    if pc.all(pc.is_finite(values)).as_py() is False:
        return _names(values, missing)
    numbers, without = values.cast(pa.float64()).to_numpy(), spelled(pd.Index(missing), ".")[0]
    numbers = np.where(np.isin(numbers, without), np.nan, numbers)
    if _fractional(numbers):
        return numbers
    return _names(pa.chunked_array([pa.array(numbers, pa.int64(), from_pandas=True)]), missing)


def _names(values: pa.ChunkedArray, missing: Sequence[str]) -> pd.Categorical:
    """Return a column as text, in order of appearance; empty where there is none."""
    if values.null_count or missing:
        values = pc.fill_null(values.cast(pa.string()), "")
        values = pc.if_else(pc.is_in(values, pa.array([*missing], pa.string())), "", values)
    if not pa.types.is_dictionary(values.type):
        values = values.dictionary_encode()
    return categorical(as_they_appear(values))


def spelled(names: pd.Index, decimal: str) -> tuple[Floats, Booleans]:
    """Return the nearest doubles of texts, NaN where there is none, and which are no numbers."""
    texts = pc.utf8_trim_whitespace(pa.array(names, pa.string()))
    if decimal == ",":
        texts = pc.replace_substring(pc.replace_substring(texts, ".", "'"), ",", ".")
    numeric = pc.if_else(pc.match_substring_regex(texts, NUMBER), texts, None)
    numbers = numeric.cast(pa.float64()).to_numpy(zero_copy_only=False)
    numbers = np.where(np.isfinite(numbers), numbers, np.nan)
    return numbers, np.isnan(numbers) & ~pc.equal(texts, "").to_numpy(zero_copy_only=False)
