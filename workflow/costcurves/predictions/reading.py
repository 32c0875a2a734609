"""Prediction files as frames: each column as it is written, text as categories.

Nothing is inferred that could change a value: in CSV a column is text unless it is to hold numbers,
and a number is read as the nearest double or refused.
"""

import csv
import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
from numpy.typing import NDArray

from costcurves.errors import InputError, refuse
from costcurves.names import quoted, some
from costcurves.predictions.rows import taken
from costcurves.predictions.sources import Source, at_rows
from costcurves.settings import ReadingKeys
from costcurves.tables.codes import Integers
from costcurves.tables.files import as_they_appear, categorical, first_line

Floats = NDArray[np.float64]

DELIMITERS: Final = (";", "\t", "|")  # where a header has no comma
MOST_COLUMNS: Final = 2_000
PEEK: Final = 200  # lines that show which columns hold numbers
NUMBER: Final = r"^-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
FRACTION: Final = re.compile(r"-?[0-9]*\.[0-9]*[1-9][0-9]*([eE][+-]?[0-9]+)?|.*[eE].*")
FEW: Final = ("dataset", "model", "member", "repeat", "fold", "label", "decision")
VECTOR: Final = "[...]"  # in place of lists, which are not read
# What Arrow raises of data that it can't read.
UNREADABLE: Final = (
    *(pa.ArrowException, OSError, ValueError),
    *(TypeError, LookupError, ArithmeticError, RuntimeError),
)


def read_frame(source: Source, keys: ReadingKeys, texts: Collection[str]) -> pd.DataFrame:
    """Read all columns of a file: text as categories, numbers as such.

    In CSV the columns `texts` are text, whatever they look like.
    """
    table = _csv(source, keys, texts) if source.kind == "CSV" else _typed(source)
    if not table.num_rows:
        raise InputError([f"{source.path}: has a header and no rows"])
    names, columns = table.column_names, dict[str, Any]()
    if len(names) > MOST_COLUMNS:
        why = f"has {len(names):,} columns, expected at most {MOST_COLUMNS:,}"
        raise InputError([f"{source.path}: {why}; give a row for each model and case"])
    _check_twice(source, names)
    nameless = 0
    for place, name in enumerate(names):
        if name == "" and place:  # but for the index of a frame, which comes first
            nameless += 1
            name = f"column {place + 1}"
        columns[name] = _held(table.column(place), keys)
    frame = pd.DataFrame(columns, copy=False)
    kinds = {field.name: field.type for field in table.schema}
    frame.attrs["odd"] = {name: str(kind) for name, kind in kinds.items() if _is_odd(kind)}
    return frame


def _check_twice(source: Source, names: Sequence[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1 and name})
    if twice:
        raise InputError([f"{source.path}: columns occur twice: {some(twice)}; keep one of each"])


def _is_odd(kind: pa.DataType) -> bool:
    """Return whether a column is of a type that holds neither names nor numbers."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    text = kind in (pa.string(), pa.large_string(), pa.string_view())
    numeric = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    return not (text or numeric or pa.types.is_null(kind))


LONGEST_HEADER: Final = 1_000_000  # characters


def header(source: Source, keys: ReadingKeys) -> tuple[list[str], str]:
    """Return the names of the columns of a CSV file, and what separates them."""
    line = source.data[: source.data.index(b"\n")].decode().removesuffix("\r")
    if len(line) > LONGEST_HEADER:
        found = f"the header has {len(line):,} characters, expected at most {LONGEST_HEADER:,}"
        raise InputError([f"{source.path} line 1: {found}"])
    other = next((sign for sign in DELIMITERS if sign in line), ",")
    delimiter = keys.delimiter or ("," if "," in line else other)
    try:
        return next(csv.reader([line], strict=True, delimiter=delimiter), []), delimiter
    except csv.Error as error:
        raise InputError([f"{source.path} line 1: the header can't be read ({error})"]) from error


def _csv(source: Source, keys: ReadingKeys, texts: Collection[str]) -> pa.Table:
    names, delimiter = header(source, keys)
    numbers = _fractional(source, keys, names, delimiter) - {*texts}
    with suppress(InputError):
        table = _parsed(source, keys, names, delimiter, numbers)
        if all(pc.all(pc.is_finite(table[name])).as_py() is not False for name in numbers):
            return table
    return _parsed(source, keys, names, delimiter, ())  # to quote what is no number


def _fractional(
    source: Source, keys: ReadingKeys, names: Sequence[str], delimiter: str
) -> set[str]:
    """Return the columns whose first values are numbers, some of them fractions."""
    end = 0
    for _ in range(PEEK):
        end = source.data.find(b"\n", end) + 1 or len(source.data)
    rows = csv.reader(source.data[:end].decode().splitlines()[1:], delimiter=delimiter)
    numeric = set[str]()
    with suppress(csv.Error, ValueError):
        for name, values in zip(names, zip(*rows, strict=True), strict=True):
            given = [text.replace(keys.decimal, ".") for text in values if text]
            numbers = all(re.fullmatch(NUMBER, text) for text in given)
            if numbers and any(map(FRACTION.fullmatch, given)) and names.count(name) == 1:
                numeric.add(name)
    return numeric


def _parsed(
    source: Source,
    keys: ReadingKeys,
    names: Sequence[str],
    delimiter: str,
    numbers: Collection[str],
) -> pa.Table:
    ragged: list[pa_csv.InvalidRow] = []

    def note(row: pa_csv.InvalidRow) -> str:
        ragged.append(row)
        return "skip"

    places = [f"{place}" for place in range(len(names))]  # as names may be equal
    types = dict[str, pa.DataType]()
    for place, name in zip(places, names, strict=True):
        text = pa.dictionary(pa.int32(), pa.string()) if name in FEW else pa.string()
        types[place] = pa.float64() if name in numbers else text
    try:
        table = pa_csv.read_csv(
            pa.BufferReader(source.data),
            pa_csv.ReadOptions(use_threads=False, column_names=places, skip_rows=1),
            pa_csv.ParseOptions(
                delimiter=delimiter, invalid_row_handler=note, ignore_empty_lines=False
            ),
            pa_csv.ConvertOptions(
                column_types=types,
                decimal_point=keys.decimal,
                null_values=["", *(keys.missing or ())],
                strings_can_be_null=False,
                quoted_strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid as error:
        raise InputError([_not_csv(source, error)]) from error
    _check_lines(source, table, ragged)
    return table.rename_columns(list(names))


def _not_csv(source: Source, error: Exception) -> str:
    why = first_line(error)
    if "Empty CSV" in why:
        return f"{source.path}: has a header and no rows"
    if "straddling" in why or "out of sync" in why:
        why = "a line is longer than a megabyte, or a quotation mark is never closed"
    return f"{source.path}: can't be read as CSV ({why})"


def _check_lines(source: Source, table: pa.Table, ragged: list[pa_csv.InvalidRow]) -> None:
    """Check that row i of the table is line i + 2 of the file."""
    if table.num_rows + len(ragged) + 1 != source.data.count(b"\n"):
        line = _line_with_break(table, [row.number for row in ragged])
        why = "a quoted value goes on in the next line (is a quotation mark never closed?)"
        raise InputError([f"{source.path} line {line}: {why}"])  # lines after it are not known
    messages = list[str]()
    for longer, hint in ((False, ""), (True, "; a decimal comma, or a comma without quotes?")):
        rows = [row for row in ragged if (row.actual_columns > row.expected_columns) == longer]

        def message(place: int, rows: Any = rows, hint: str = hint) -> str:
            row = rows[place]
            counts = f"has {row.actual_columns} values, expected {row.expected_columns}"
            return f"{source.path} line {row.number}: {counts}{hint}"

        messages += at_rows(range(len(rows)), message)
    refuse(messages)


def _line_with_break(table: pa.Table, ragged: list[int]) -> int:
    """Return the first line whose value goes on in the next; a ragged row if no other has one."""
    texts = (column.cast(pa.string()) for column in table.columns)
    places = [pc.index(pc.match_substring(text, "\n"), value=True).as_py() for text in texts]
    line = min((place for place in places if place >= 0), default=table.num_rows) + 2
    line += sum(number <= line for number in ragged)
    return line if line < table.num_rows + len(ragged) + 2 else ragged[0]


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
        table.validate(full=True)
    except UNREADABLE as error:
        why = f"can't be read as {source.kind} ({first_line(error)})"
        mend = "is it truncated or damaged? Copy or make it again"
        raise InputError([f"{source.path}: {why}; {mend}"]) from error
    return table


def _held(values: pa.ChunkedArray, keys: ReadingKeys) -> Any:
    """Return a column: floats and whole numbers as such where all are finite, else categories."""
    kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        numbers = values.cast(pa.float64())
        if pc.all(pc.is_finite(numbers)).as_py() is not False:
            return _without(numbers.to_numpy(), keys)
    plain = pa.types.is_integer(kind) and not keys.missing
    if (plain or pa.types.is_boolean(kind)) and not values.null_count:
        return values.to_numpy()
    if pa.types.is_nested(kind):
        values = pa.chunked_array([pa.repeat(VECTOR, len(values))])
    elif pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        values = pa.chunked_array([pa.repeat("(bytes)", len(values))])
    elif kind not in (pa.string(), pa.large_string()):
        values = values.cast(pa.string())
    return coded(values, keys.missing or ())


def _without(numbers: Floats, keys: ReadingKeys) -> Floats:
    """Return numbers, none where they are what `missing` lists."""
    for text in keys.missing or ():
        if re.fullmatch(NUMBER, text):
            numbers = np.where(numbers == float(text), np.nan, numbers)
    return numbers


def coded(values: pa.ChunkedArray, missing: Sequence[str] = ()) -> pd.Categorical:
    """Return text as categories in order of appearance; empty where there is none."""
    if values.null_count or missing:
        values = pc.fill_null(values.cast(pa.string()), "")
        known = pc.is_in(values, value_set=pa.array([*missing], pa.string()))
        values = pc.if_else(known, "", values)
    if not pa.types.is_dictionary(values.type):
        values = values.dictionary_encode()
    return categorical(as_they_appear(values))


def as_text(values: pd.Series) -> pd.Categorical:
    """Return a column as names: whole numbers as such, floats only if all are whole."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        names: pd.Categorical = values.array
        return names
    numbers = values.to_numpy()
    lacking = np.isnan(numbers) if numbers.dtype.kind == "f" else np.zeros(len(numbers), np.bool_)
    if numbers.dtype.kind == "f":
        given = numbers[~lacking]
        if (given != np.round(given)).any() or (np.abs(given) >= 2**53).any():
            why = "holds numbers that are not whole, expected names: write them as text"
            raise InputError([f"column {quoted(str(values.name))} {why}"])
        numbers = np.where(lacking, 0, numbers).astype(np.int64)
    codes, distinct = pd.factorize(numbers)
    words = [str(it).lower() if numbers.dtype.kind == "b" else str(it) for it in distinct.tolist()]
    if lacking.any():
        codes = np.where(lacking, len(words), codes)
        words.append("")
    return taken(pd.Categorical.from_codes(codes, pd.Index(words, dtype="str")))


def distinct_numbers(values: pd.Series, decimal: str = ".") -> Floats:
    """Return the numbers that occur in a column of floats or texts; none if it holds others."""
    if values.dtype.kind in "iub":
        return np.empty(0)
    if values.dtype.kind == "f":
        floats: Floats = values.to_numpy()
        return floats[~np.isnan(floats)]
    numbers, wrong = _spelled(values.array.categories, decimal)
    return np.empty(0) if wrong.any() else numbers[~np.isnan(numbers)]


def numbers_in(values: pd.Series, decimal: str = ".") -> Floats | None:
    """Return a column's numbers, NaN where there is none; None if it holds anything else."""
    if not isinstance(values.dtype, pd.CategoricalDtype):
        return values.to_numpy(np.float64)
    numbers, wrong = parsed(values.array, decimal)
    return None if wrong.any() or np.isnan(numbers).all() else numbers


def parsed(values: pd.Categorical, decimal: str = ".") -> tuple[Floats, NDArray[np.bool_]]:
    """Return the nearest doubles of texts, NaN where there is none, and which are no numbers."""
    numbers, wrong = _spelled(values.categories, decimal)
    return numbers[values.codes], wrong[values.codes]


def _spelled(names: pd.Index, decimal: str) -> tuple[Floats, NDArray[np.bool_]]:
    texts = pc.utf8_trim_whitespace(pa.array(names, pa.string()))
    if decimal == ",":
        texts = pc.replace_substring(pc.replace_substring(texts, ".", "'"), ",", ".")
    numeric = pc.match_substring_regex(texts, NUMBER)
    each = pc.if_else(numeric, texts, None).cast(pa.float64()).to_numpy(zero_copy_only=False)
    each = np.where(np.isfinite(each), each, np.nan)
    wrong = np.isnan(each) & ~pc.equal(texts, "").to_numpy(zero_copy_only=False)
    return each, wrong


def check_numbers(
    source: Source, name: str, values: pd.Series, decimal: str, places: Integers
) -> Floats:
    """Return finite numbers, NaN for none; refuse anything else. `places` are rows of the file."""
    if not isinstance(values.dtype, pd.CategoricalDtype):
        return values.to_numpy(np.float64)
    texts = values.array
    numbers, wrong = parsed(texts, decimal)
    rows = np.flatnonzero(wrong)
    commas = texts.categories.str.fullmatch("[^,.]*,[^,.]*")[texts.codes[rows]]

    def message(row: int) -> str:
        where = f"{source.place(int(places[row]))}: {name} is {quoted(texts[row])}"
        comma = re.fullmatch("[^,.]*,[^,.]*", str(texts[row]))
        mend = "write a decimal point, not a comma, or say 'decimal: \",\"' (--decimal ,)"
        return f"{where}; {mend}" if comma else f"{where}, expected a finite number such as 0.25"

    refuse([*at_rows(rows[~commas], message), *at_rows(rows[commas], message)])
    return numbers
