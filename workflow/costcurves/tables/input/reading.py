"""Reading prediction files: CSV and Parquet to columns, exactly as they are written."""

import csv
from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from costcurves.errors import InputError, of_all, refuse
from costcurves.names import quoted, some, twins
from costcurves.settings import OF_CLASS, SEGMENT, TEXT, Dataset, ReadingKeys
from costcurves.tables import reading_limits as limits
from costcurves.tables.files import as_they_appear, categorical, first_line
from costcurves.tables.findings import Found
from costcurves.tables.input.headers import (
    AMOUNT,
    DELIMITERS,
    KNOWN,
    NUMBERS,
    ROW,
    header_findings,
    is_text,
    with_score,
)
from costcurves.tables.input.parquet_pages import unpacked_size
from costcurves.tables.input.rows import DEFAULTS, Rows, completed
from costcurves.tables.input.sources import Source, at_rows

TEXTS = pa.dictionary(pa.int32(), pa.string())
FEW = [name for name in TEXT if name not in ("instance", "cluster")]  # of which few differ
# What Arrow raises of data that it can't read: its own, of names that are no UTF-8, and of the
# standard library of C++.
UNREADABLE = (
    *(pa.ArrowException, OSError, ValueError),
    *(TypeError, LookupError, ArithmeticError, RuntimeError),
)


@dataclass(frozen=True)
class PredictionFile:
    """A prediction file with the columns that we know: as it is written, or as a reader made it."""

    source: Source
    said: ReadingKeys
    table: pa.Table | None = None  # what a reader made of it; its column ``row`` says of which row
    notes: tuple[str, ...] = ()  # what was understood, and what can't be said
    numbered: bool = False  # whether its instances are only places in the file
    beside: tuple[Source, ...] = ()  # what it was joined with
    seen: tuple[Found, ...] = ()  # in columns that are not used

    @property
    def names(self) -> list[str]:
        """The names of its columns."""
        if self.table is not None:
            return list(self.table.column_names)
        return renamed(column_names(self.source, self.said), self.said)


def read_columns(
    file: PredictionFile,
    amount: str | None = None,
    score: str = "score",
    positive: str | None = None,
) -> pa.Table:
    """Read the known columns of a prediction file; what `amount` names becomes ``amount``.

    Text is a dictionary, each value once; missing text is empty. A null number means "none".
    """
    source, said = file.source, file.said
    names = with_score(source.path, file.names, score, positive)
    if said.higher_is == "negative" and "score" in names and "score" not in file.names:
        why = "can't be said of scores of each class, of which a higher one speaks for its own"
        raise InputError([f"{source.path}: 'higher_is: negative' {why}"])
    if file.table is not None:
        table = file.table.rename_columns(names)
    else:
        refuse(header_findings(source.path, names, amount))
        kept = [name for name in names if name in (*KNOWN, amount) or is_text(name)]
        if source.kind == "Parquet":
            table = _parquet(source, names, kept)
        else:
            table = _csv_with_numbers(source, names, said, kept)
    if not table.num_rows:
        raise InputError([f"{source.path}: has a header and no rows"])
    if amount is not None and amount not in table.column_names:
        has = some([name for name in table.column_names if not is_text(name)])
        message = f"{source.path}: has no column {quoted(amount)}, which 'costs: column:' names"
        raise InputError([f"{message}; its columns of numbers are {has}"])
    wanted = {it: it for it in table.column_names if it in (*KNOWN, ROW) or is_text(it)}
    if amount is not None:
        wanted[AMOUNT] = amount

    columns = {own: table[name] for own, name in wanted.items()}
    del table

    def converted(own: str) -> pa.ChunkedArray:
        name, values = wanted[own], columns.pop(own)  # so that nothing is held twice
        if name == ROW:
            return values
        return (_to_text if is_text(own) else _to_numbers)(source, name, values, said)

    made = dict(zip(wanted, of_all(converted, wanted), strict=True))
    if said.higher_is == "negative" and "score" in made:
        made["score"] = pc.negate(made["score"])
    return pa.table(made)


def read_all(source: Source, said: ReadingKeys, kept: Sequence[str] = ()) -> pa.Table:
    """Read columns of a CSV or of Parquet data for a reader, all if none is named."""
    names = column_names(source, said)
    if len(names) > limits.MOST_COLUMNS or len({*names}) < len(names):
        refuse(header_findings(source.path, names))
    if source.kind == "Parquet":
        return _parquet(source, names, kept or names)
    return _csv(source, names, said, kept)


def column_names(source: Source, said: ReadingKeys) -> list[str]:
    """Give the names of the columns of a CSV or of Parquet data as they are written."""
    if source.kind != "Parquet":
        return _header(source, said)
    try:
        return list(pq.ParquetFile(pa.BufferReader(source.data)).schema_arrow.names)
    except UNREADABLE as error:
        raise InputError([_not_parquet(source, error)]) from error


def renamed(names: Sequence[str], said: ReadingKeys) -> list[str]:
    """Call columns as we do, where it is said which is what; that of a model keeps its name."""
    ours = {name: own for own, name in (said.columns or {}).items() if isinstance(name, str)}
    made = [ours.get(name, name) for name in names]
    if "model" in made:
        return made
    return [name if own == "score" else own for name, own in zip(names, made, strict=True)]


def _csv_with_numbers(
    source: Source, names: list[str], said: ReadingKeys, kept: list[str]
) -> pa.Table:
    """Read some columns alone, numbers as such; only to quote what is wrong all, as text."""
    numbers = [name for name in kept if not is_text(name)]
    with suppress(InputError):
        table = _csv(source, names, said, kept, numbers)
        if all(pc.all(pc.is_finite(table[name])).as_py() is not False for name in numbers):
            return table
    return _csv(source, names, said).select(kept)


def _csv(
    source: Source,
    names: list[str],
    said: ReadingKeys,
    kept: Sequence[str] = (),  # all, if none is named
    numbers: Sequence[str] = (),
) -> pa.Table:
    types = dict.fromkeys(names, pa.string()) | dict.fromkeys(FEW, TEXTS)
    ragged: list[pa_csv.InvalidRow] = []

    def note(row: pa_csv.InvalidRow) -> str:
        ragged.append(row)
        return "skip"

    try:
        table = pa_csv.read_csv(
            pa.BufferReader(source.data),
            pa_csv.ReadOptions(use_threads=False, column_names=names, skip_rows=1),
            pa_csv.ParseOptions(
                delimiter=_delimiter(source, said),
                invalid_row_handler=note,
                ignore_empty_lines=False,
            ),
            pa_csv.ConvertOptions(
                column_types=types | dict.fromkeys(numbers, pa.float64()),
                include_columns=kept,
                decimal_point=said.decimal,
                null_values=["", *(said.missing or ())],
                strings_can_be_null=False,
                quoted_strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid as error:
        raise InputError([_not_csv(source, error)]) from error
    _check_lines(source, table, ragged)
    return table


def _not_csv(source: Source, error: Exception) -> str:
    said = first_line(error)
    if "Empty CSV" in said:
        return f"{source.path}: has a header and no rows"
    if "straddling" in said or "out of sync" in said:
        said = "a line is longer than a megabyte, or a quotation mark is never closed"
    return f"{source.path}: can't be read as CSV ({said})"


def _header(source: Source, said: ReadingKeys) -> list[str]:
    try:
        first, delimiter = _first(source), _delimiter(source, said)
        return next(csv.reader([first], strict=True, delimiter=delimiter), [])
    except csv.Error as error:
        raise InputError([f"{source.path} line 1: the header can't be read ({error})"]) from error


def _delimiter(source: Source, said: ReadingKeys) -> str:
    """Give what separates columns: a comma unless the header has none but another such sign."""
    first = _first(source)
    other = next((sign for sign in DELIMITERS if sign in first), ",")
    return said.delimiter or ("," if "," in first else other)


def _first(source: Source) -> str:
    end = source.data.index(b"\n")
    if end > limits.LONGEST_HEADER:
        message = f"{source.path} line 1: has {end} bytes, expected at most {limits.LONGEST_HEADER}"
        raise InputError([f"{message}; the first line must name the columns"])
    return source.data[:end].decode().removesuffix("\r")


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
    more = [row.actual_columns > row.expected_columns for row in ragged]
    refuse(
        finding
        for kind in (False, True)
        for finding in at_rows(np.flatnonzero(np.array(more) == kind), say)
    )


def _line_with_break(table: pa.Table, ragged: list[int]) -> int:
    """Find the first line whose value goes on in the next; a ragged row if no other has one."""
    places = [
        pc.index(pc.match_substring(one.cast(pa.string()), "\n"), value=True).as_py()
        for one in table.columns
    ]
    line = min((place for place in places if place >= 0), default=table.num_rows) + 2
    line += sum(number <= line for number in ragged)
    return line if line < table.num_rows + len(ragged) + 2 else ragged[0]


def _parquet(source: Source, names: list[str], kept: Sequence[str]) -> pa.Table:
    try:
        table = _parquet_table(source, names, kept)
    except UNREADABLE as error:
        raise InputError([_not_parquet(source, error)]) from error
    check_values(source, table)
    return table


def check_values(source: Source, table: pa.Table) -> None:
    """Refuse values that are damaged, or would fill the memory."""
    refuse(why for name in table.column_names for why in _unfit(source, name, table[name]))


def _not_parquet(source: Source, error: Exception) -> str:
    if "CRC" in str(error):
        why = "is damaged: the checksum of a page is not that of its bytes; copy or make it again"
        return f"{source.path}: {why}"
    message = f"{source.path}: can't be read as Parquet ({first_line(error)})"
    return f"{message}; is it truncated? Make or copy it again"


def _parquet_table(source: Source, names: list[str], of: Sequence[str]) -> pa.Table:
    """Read some columns, text as it is held: spelled out, it may have no end."""
    data = pa.BufferReader(source.data)
    file = pq.ParquetFile(data)
    given, schema = list(file.schema_arrow.names), file.schema_arrow
    kept = {name: own for name, own in zip(given, names, strict=True) if own in of}
    refuse(limits.row_findings(source.path, file.metadata.num_rows, len(source.data)))
    unpacked = unpacked_size(source.data, file.schema, kept)
    size, most = len(source.data), limits.LARGEST_TABLE
    refuse(limits.unpacked_findings(source.path, unpacked, size, most, "split it"))
    text = [name for name in kept if _is_text(schema.field(name).type)]
    file = pq.ParquetFile(data, read_dictionary=text, page_checksum_verification=True)
    return pa.table({own: _narrow(file.read(columns=[name])[0], own) for name, own in kept.items()})


def _narrow(values: pa.ChunkedArray, name: str) -> pa.ChunkedArray:
    """Give whole numbers that are names in as little memory as may be."""
    for kind in (pa.int8(), pa.int32()) if name in TEXT and _is_whole(values) else ():
        with suppress(pa.ArrowInvalid):
            return values.cast(kind).combine_chunks()
    return values


def _unfit(source: Source, name: str, values: pa.ChunkedArray) -> Iterator[str]:
    """Find text that is damaged, or would fill the memory."""
    try:
        values.validate(full=True)
    except pa.ArrowInvalid as error:
        yield f"{source.path}: column {name!r} is damaged ({first_line(error)}); make it again"
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


def _to_text(
    source: Source, name: str, values: pa.ChunkedArray, said: ReadingKeys
) -> pa.ChunkedArray:
    """Give text as a dictionary, without nulls; whole numbers and truth values as written."""
    if once := _is_whole(values) or pa.types.is_boolean(values.type):
        values = _each_once(values)
    if pa.types.is_dictionary(values.type) and len(values):
        packed = values.combine_chunks()
        texts = _spelled_out(source, name, pa.chunked_array([packed.dictionary]), said)
        codes, texts = packed.indices, texts.combine_chunks()
        if codes.null_count:
            codes = pc.fill_null(codes, len(texts))
            texts = pa.concat_arrays([texts, pa.array([""])])
        distinct = None if once else texts.dictionary_encode()
        if distinct is not None and len(distinct.dictionary) < len(texts):  # some are spelled alike
            codes, texts = distinct.indices.take(codes), distinct.dictionary
        return pa.chunked_array([pa.DictionaryArray.from_arrays(codes, texts)])
    texts = _spelled_out(source, name, values, said)
    return pa.chunked_array([texts.dictionary_encode().combine_chunks()], TEXTS)


def _each_once(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Give whole numbers or truth values as a dictionary, without hashing those that count rows."""
    few = values.type.bit_width <= 16 or values.null_count == len(values)
    low, high = (0, 0) if few else pc.min_max(values).as_py().values()
    if few or high - low > 2 * len(values) or high >= 2**62:
        return values.dictionary_encode()
    codes = pc.subtract(values, pa.scalar(low, values.type)).cast(pa.int32()).combine_chunks()
    return pa.chunked_array([pa.DictionaryArray.from_arrays(codes, np.arange(low, high + 1))])


def _spelled_out(
    source: Source, name: str, values: pa.ChunkedArray, said: ReadingKeys
) -> pa.ChunkedArray:
    """Give text as it is, without nulls."""
    either = name in ("label", "decision") or name.startswith(SEGMENT)
    values = plain(values, said)
    truth = either and pa.types.is_boolean(values.type)
    if not _is_text(values.type) and not _is_whole(values) and not truth:
        hint = ""
        if _is_float(values):
            lacking = values.null_count or pc.any(pc.is_nan(values.cast(pa.float64()))).as_py()
            why = " (missing values turn whole numbers into floats)"
            hint = why if lacking else " or whole numbers: write them as integers"
        raise InputError([f"{source.path}: column {name!r} is {values.type}, expected text{hint}"])
    return pc.fill_null(values.cast(pa.string()), "")


def plain(values: pa.ChunkedArray, said: ReadingKeys) -> pa.ChunkedArray:
    """Give values spelled out, whole floats such as 1.0 as whole numbers, missing text empty."""
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if _is_text(values.type) and said.missing:
        known = pc.is_in(values, value_set=pa.array(said.missing, values.type))
        values = pc.if_else(known, pa.scalar("", values.type), values)
    if _is_float(values):
        numbers = values.cast(pa.float64())
        with suppress(pa.ArrowInvalid):
            return pc.if_else(pc.is_nan(numbers), None, numbers).cast(pa.int64())
    return values


def text(values: pa.ChunkedArray, said: ReadingKeys) -> pa.ChunkedArray:
    """Give values as text, missing ones as empty text."""
    return pc.fill_null(plain(values, said).cast(pa.string()), "")


def numbers_in(values: pa.ChunkedArray, said: ReadingKeys) -> pa.ChunkedArray:
    """Read decimal numbers as the nearest double; null where there is none."""
    given = pc.ascii_trim_whitespace(plain(values, said).cast(pa.string()))
    if said.decimal == ",":
        given = pc.replace_substring(pc.replace_substring(given, ".", "'"), ",", ".")
    return pa.chunked_array(map(_parsed, given.chunks), pa.float64())


def _to_numbers(
    source: Source, name: str, values: pa.ChunkedArray, said: ReadingKeys
) -> pa.ChunkedArray:
    """Give finite numbers, null for none, and find what is neither."""
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if _is_text(values.type):
        known = pa.array(["", *(said.missing or ())], values.type)
        given = pc.and_not(pc.is_valid(values), pc.is_in(values, value_set=known))
        numbers = numbers_in(values, said)
    elif _is_float(values) or _is_whole(values):
        given, numbers = pc.is_valid(values), values.cast(pa.float64(), safe=False)
    else:
        raise InputError([f"{source.path}: column {name!r} is {values.type}, expected numbers"])
    finite = pc.fill_null(pc.is_finite(numbers), False)
    rows = np.flatnonzero(pc.and_not(given, finite).to_numpy())
    commas = np.zeros(len(rows), dtype=np.bool_)
    if len(rows) and _is_text(values.type):
        bad = values.take(pa.array(rows))
        commas = pc.match_substring_regex(bad, "^[^,.]*,[^,.]*$").to_numpy()
    refuse(
        finding
        for of in (rows[~commas], rows[commas])
        for finding in at_rows(of, lambda row: _no_number(source, name, row, values[row].as_py()))
    )
    return numbers


def _is_text(kind: pa.DataType) -> bool:
    return kind in (pa.string(), pa.large_string(), pa.string_view())


def _is_whole(values: pa.ChunkedArray) -> bool:
    return bool(pa.types.is_integer(values.type))


def _is_float(values: pa.ChunkedArray) -> bool:
    return bool(pa.types.is_floating(values.type) or pa.types.is_decimal(values.type))


def _parsed(text: pa.StringArray) -> pa.DoubleArray:
    """Read decimal numbers as the nearest double; null where there is none."""
    text = pc.if_else(pc.equal(text, ""), None, text)
    try:
        return text.cast(pa.float64())
    except pa.ArrowInvalid:
        plain = pc.match_substring_regex(text, r"^-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$")
        return pc.if_else(plain, text, None).cast(pa.float64())


def _no_number(source: Source, name: str, row: int, value: object) -> str:
    where = f"{source.place(row)}: {name} is {quoted(value)}"
    if isinstance(value, str) and value.count(",") == 1 and "." not in value:
        return f"{where}; write a decimal point, not a comma, or say 'decimal: \",\"'"
    return f"{where}, expected a finite number such as 0.25"


def together(opened: list[PredictionFile], dataset: Dataset, amount: str | None) -> Rows:
    """Put the rows of a dataset from all files, which are used up, into one frame."""

    def read(file: PredictionFile) -> tuple[Source, pa.Table]:
        table = read_columns(file, amount, dataset.score, dataset.positive)
        for name in dataset.matrix_scores:
            table = table.append_column(name, read_columns(file, score=name)["score"])
        return replace(file.source, data=b""), table

    files = of_all(read, opened)
    opened.clear()  # with the files' bytes
    refuse(why for file in files for why in _dataset_findings(*file, dataset.in_files))
    sources = tuple(source for source, _ in files)
    known = {name for _, table in files for name in table.column_names}
    parts: list[pa.Table] = []
    while files:
        parts.append(_complete(files.pop(0)[1], dataset.in_files, known))
    whole, sizes = pa.concat_tables(parts), [part.num_rows for part in parts]
    del parts
    columns: dict[str, Any] = {}
    for name in whole.column_names:
        values = whole[name]
        whole = whole.drop_columns(name)  # so that nothing is held twice
        columns[name] = categorical(as_they_appear(values)) if is_text(name) else values.to_numpy()
    pa.default_memory_pool().release_unused()
    if len(sizes) > 1:
        columns["source"] = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    frame = completed(columns, sum(sizes))
    if "train_pc" in known:  # of what is no member it says nothing
        frame["train_pc"] = frame["train_pc"].where(frame["member"] != "", np.nan)
    return Rows(frame, dataset, sources)


def _dataset_findings(source: Source, table: pa.Table, name: str) -> Iterator[str]:
    """Find what would make rows of a dataset be passed over."""
    if "dataset" not in table.column_names:
        return
    blank = np.flatnonzero(pc.equal(table["dataset"], ""))
    yield from at_rows(blank, lambda row: f"{source.place(row)}: dataset is blank")
    exist = [one for one in table["dataset"].unique().to_pylist() if one]
    if name not in exist:
        message = f"{source.path}: has no rows of dataset {name!r}"
        yield f"{message}; those in its column 'dataset' are {some(exist)}"
    for one, other in twins([name, *exist]):
        yield f"{source.path}: the datasets {one!r} and {other!r} look the same"


def _complete(table: pa.Table, dataset: str, known: Set[str]) -> pa.Table:
    """Keep the rows of a dataset; add columns that other files have, and where rows are."""
    kept = np.arange(table.num_rows, dtype=np.int32)
    if "dataset" in table.column_names:
        kept = kept[pc.equal(table["dataset"], dataset).to_numpy()]
        table = table if len(kept) == table.num_rows else table.take(kept)
    size, columns = len(kept), {}
    more = sorted(name for name in known if name.startswith((SEGMENT, OF_CLASS)))
    for name in (*TEXT[1:], *more, *NUMBERS, AMOUNT):
        if name in table.column_names:
            columns[name] = table[name]
        elif name in known and is_text(name):
            codes, texts = pa.array(np.zeros(size, dtype=np.int32)), [DEFAULTS.get(name, "")]
            columns[name] = pa.DictionaryArray.from_arrays(codes, texts)
        elif name in known:
            columns[name] = pa.nulls(size, pa.float64())
    rows = table[ROW].cast(pa.int32()) if ROW in table.column_names else kept
    return pa.table({**columns, "row": rows})
