"""Tables as files: how a table is written and read, as Parquet and as CSV."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import csv

from costcurves.atomic import atomic
from costcurves.errors import InputError, refused
from costcurves.tables.codes import blocks, by_appearance, first_rows
from costcurves.tables.contract import Column, Contract, constant

# What a spreadsheet takes for a formula, also where wide characters are typed; and what is none.
FORMULA = r"^('*[\t\r]|['\s]*[=+\-@\x{FF1D}\x{FF0B}\x{FF0D}\x{FF20}])"
NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$|^[+-]?inf$"
TEXT = pa.string(), pa.large_string()


def write(frame: pd.DataFrame, path: str | Path, contract: Contract) -> None:
    """Write a table as Parquet, whole or not at all; the same rows give the same bytes."""
    if list(frame) != contract.names:
        raise ValueError(f"{contract.name}: columns are {list(frame)}, expected {contract.names}")
    arrays = [_to_arrow(frame[column.name], column, contract) for column in contract.columns]
    table = pa.table(arrays, contract.names)
    whole = [column.name for column in contract.columns if column.dtype == "int64"]
    options = {
        "compression": "zstd",
        "compression_level": 3,
        "write_statistics": False,
        "store_schema": False,
        "write_page_checksum": True,
        # Texts are numbered in the file as they are in memory, however many there are, and once.
        "use_dictionary": contract.texts,
        "dictionary_pagesize_limit": 2**30,
        "column_encoding": dict.fromkeys(whole, "DELTA_BINARY_PACKED"),
    }
    meanings = {column.name: f"{column.meaning} [{column.unit}]" for column in contract.columns}
    with atomic(path) as unfinished, pq.ParquetWriter(unfinished, table.schema, **options) as file:
        file.write_table(table, max(len(frame), 1))
        file.add_key_value_metadata(meanings)


def read(path: str | Path, contract: Contract, names: Sequence[str] = ()) -> pd.DataFrame:
    """Read a table that `write` has written, or some columns of one that is kept as categories.

    InputError if it can't be read, or is another.
    """
    options = {"page_checksum_verification": True, "read_dictionary": contract.categories}
    try:
        with pq.ParquetFile(path, **options) as file:
            types = {field.name: _plain(field.type) for field in file.schema_arrow}
            expected = {column.name: pa.type_for_alias(column.dtype) for column in contract.columns}
            wrong = [
                name for name in {**expected, **types} if types.get(name) != expected.get(name)
            ]
            if wrong:
                message = f"{path}: not a table of {contract.name} (columns that differ: {wrong})"
                raise InputError([f"{message}; delete it and build again"])
            each = [*(names or contract.names)]
            columns: Any
            if contract.categories:  # one by one, in less memory
                columns = {name: _small(file.read([name])[0].combine_chunks()) for name in each}
            else:
                columns = file.read(each).to_pandas()
    except (OSError, ValueError, pa.ArrowException) as error:
        if refused(error):  # by the machine: the file may be as it should
            raise
        message = f"{path}: not a readable table of {contract.name} ({first_line(error)})"
        raise InputError([f"{message}; delete it and build again"]) from error
    pa.default_memory_pool().release_unused()
    return pd.DataFrame(columns, copy=False)[each]


def _small(values: pa.Array) -> Any:
    """Return a column in as little memory as may be: text as categories, a constant once."""
    if pa.types.is_dictionary(values.type):
        return categorical(values)
    numbers = values.to_numpy(zero_copy_only=False)
    bits = numbers.view(f"i{numbers.itemsize}")  # by which NaN is a value
    if len(bits) and all((bits[rows] == bits[0]).all() for rows in blocks(len(bits))):
        return constant(numbers[0], len(numbers), numbers.dtype)
    return numbers


def categorical(values: pa.DictionaryArray) -> pd.Categorical:
    """Return text, each once in its dictionary, as pandas has it.

    That all differ is not checked: it would take half of the time of reading a million names.
    """
    names = pd.Index(values.dictionary.to_pandas(), dtype="str")
    dtype = pd.CategoricalDtype._from_fastpath(names)  # type: ignore[attr-defined]
    return pd.Categorical.from_codes(values.indices.to_numpy(), dtype=dtype)


def as_they_appear(values: pa.DictionaryArray | pa.ChunkedArray) -> pa.DictionaryArray:
    """Return text with a dictionary of what occurs, in order of appearance."""
    packed = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    codes, texts = packed.indices.to_numpy(), packed.dictionary
    numbers = by_appearance(codes, len(texts))
    if numbers is not codes or int(codes.max(initial=-1)) + 1 < len(texts):
        texts = texts.take(pa.array(codes[first_rows(numbers)]))
    return pa.DictionaryArray.from_arrays(pa.array(numbers, pa.int32()), texts.cast(pa.string()))


def write_csv(frame: pd.DataFrame, path: str | Path) -> None:
    r"""Write a table as CSV: UTF-8, ``\n`` at line ends, floats that read back exactly, NaN empty.

    Text that a spreadsheet would run as a formula has an apostrophe before it: text that begins
    with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return, after any spaces and apostrophes,
    and is no number. Taking one apostrophe away from such text gives the text back.
    """
    table = pa.Table.from_pandas(frame, preserve_index=False)  # NaN becomes null
    table = pa.table({name: _inert(table[name]) for name in table.column_names})
    plain, quoted = (
        csv.WriteOptions(quoting_style=style, quoting_header=style) for style in ("none", "needed")
    )
    with atomic(path) as unfinished:
        try:
            csv.write_csv(table, unfinished, plain)
        except pa.ArrowInvalid:  # some text has to be quoted
            csv.write_csv(table, unfinished, quoted)


def _inert(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Put an apostrophe before text that a spreadsheet would run."""
    if _plain(column.type) not in TEXT:
        return column
    text = column.cast(pa.string())
    return pc.if_else(_runs(text), pc.binary_join_element_wise("'", text, ""), text)


def _runs(text: pa.ChunkedArray) -> pa.ChunkedArray:
    formula = pc.match_substring_regex(text, FORMULA)
    return pc.and_not(formula, pc.match_substring_regex(text, NUMBER))


def read_csv(path: str | Path, contract: Contract) -> pd.DataFrame:
    """Read a table that `write_csv` has written, exactly; InputError if it is another."""
    types = {column.name: pa.type_for_alias(column.dtype) for column in contract.columns}
    try:
        table = csv.read_csv(
            path,
            parse_options=csv.ParseOptions(newlines_in_values=True),
            convert_options=csv.ConvertOptions(
                column_types=types, null_values=[""], strings_can_be_null=False
            ),
        )
    except (OSError, pa.ArrowException) as error:
        why = first_line(error)
        raise InputError([f"{path}: not a readable table of {contract.name} ({why})"]) from error
    if table.column_names != contract.names:
        message = f"its columns are {table.column_names}, expected {contract.names}"
        raise InputError([f"{path}: {message}"])
    whole = {column.name for column in contract.columns if column.dtype != "float64"}
    if empty := [name for name in table.column_names if name in whole and table[name].null_count]:
        raise InputError([f"{path}: cells of {empty} are empty, expected a value in each row"])
    columns = {name: _given_back(table[name]) for name in contract.names}
    for name in contract.categories:
        columns[name] = columns[name].dictionary_encode()
    frame: pd.DataFrame = pa.table(columns).to_pandas(split_blocks=bool(contract.categories))
    return frame


def _given_back(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Remove the apostrophe that `_inert` puts before text."""
    if column.type != pa.string():
        return column
    rest = pc.utf8_slice_codeunits(column, 1)
    inert = pc.and_(pc.starts_with(column, "'"), _runs(rest))
    return pc.if_else(inert, rest, column)


def _to_arrow(series: pd.Series, column: Column, contract: Contract) -> pa.Array:
    where = f"{contract.name}: column {column.name!r}"
    if column.dtype != "str":
        if series.dtype != np.dtype(column.dtype):
            raise ValueError(f"{where} is {series.dtype}, expected {column.dtype}")
        values = series.to_numpy()
        if len(values) and not values.strides[0]:  # a constant: spelled out as it is written
            return pa.DictionaryArray.from_arrays(np.zeros(len(values), np.int8), values[:1])
        return pa.array(values, type=pa.type_for_alias(column.dtype), from_pandas=False)
    array = pa.array(series, type=pa.string() if series.empty else None)
    if _plain(array.type) not in TEXT or array.null_count:
        raise ValueError(f"{where} is {array.type}, {array.null_count} null, expected text")
    if not pa.types.is_dictionary(array.type):
        array = array.cast(pa.string()).dictionary_encode()
    return as_they_appear(array)


def _plain(dtype: pa.DataType) -> pa.DataType:
    return dtype.value_type if pa.types.is_dictionary(dtype) else dtype


def first_line(error: Exception) -> str:
    """Return the first line of a library's message, without what a terminal would obey."""
    line = next(iter(str(error).splitlines()), type(error).__name__)
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in line[:200])
