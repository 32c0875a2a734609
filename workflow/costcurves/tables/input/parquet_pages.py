"""What the pages of Parquet data unpack to by their own headers, as a footer may say anything.

The footer is read here, too: pyarrow ends the process where what it says of a column is damaged.
"""

from collections.abc import Collection, Iterator
from typing import Any, Final

import pyarrow.parquet as pq

from costcurves.tables import reading_limits as limits

# Fields by their numbers: of a page's header, of the footer, of a row group, of a column in it.
SIZE, PACKED = 2, 3
ALL_ROWS, GROUPS = 3, 4
CHUNKS, ROWS = 1, 3
CHUNK, VALUES, HELD, DATA, DICTIONARY = 3, 5, 7, 9, 11
# Kinds of fields in Thrift's compact protocol, with the bytes of those that always have as many.
BYTE, INTEGERS, BINARY, LIST, STRUCTURE = 3, (4, 5, 6), 8, 9, 12
FIXED = {1: 0, 2: 0, BYTE: 1, 7: 8}
LONGEST: Final = 63  # bits of an integer


def unpacked_size(data: bytes, schema: pq.ParquetSchema, columns: Collection[str]) -> int:
    """Sum what the pages of columns unpack to; a `ValueError` says where data contradict itself."""
    size = 0
    for pages, one in enumerate(_sizes(data, _chunks(data, schema, columns))):
        if pages >= limits.MOST_PAGES:
            raise ValueError(f"has more than {limits.MOST_PAGES:,} pages")
        size += one
    return size


def _chunks(
    data: bytes, schema: pq.ParquetSchema, columns: Collection[str]
) -> Iterator[tuple[int, int]]:
    """Give where each part of a column begins and ends, with all its bytes to itself."""
    paths = [schema.column(at).path for at in range(len(schema))]
    wanted = {at for at, path in enumerate(paths) if path.split(".")[0] in columns}
    size = len(data)
    try:
        footer, _ = _fields(data, size - 8 - int.from_bytes(data[-8:-4], "little"))
        if (rows := sum(group[ROWS] for group in footer[GROUPS])) != footer[ALL_ROWS]:
            raise ValueError(f"claims {footer[ALL_ROWS]:,} rows, and {rows:,} in its row groups")
        for group in footer[GROUPS]:
            for at in wanted:
                chunk = group[CHUNKS][at][CHUNK]
                if paths[at] in columns and chunk[VALUES] != group[ROWS]:
                    found = f"{chunk[VALUES]:,} values of column {paths[at]!r}"
                    raise ValueError(f"claims {found} in {group[ROWS]:,} rows")
                size -= chunk[HELD]
                if size < 0:
                    raise ValueError("claims columns of more bytes than it has")
                begin = min(filter(None, (chunk.get(DICTIONARY), chunk[DATA])), default=0)
                yield begin, begin + chunk[HELD]
    except (LookupError, RecursionError, TypeError, AttributeError) as error:
        raise ValueError("has a footer that says too little") from error


def _sizes(data: bytes, chunks: Iterator[tuple[int, int]]) -> Iterator[int]:
    for place, end in chunks:
        while place < end:
            try:
                fields, place = _fields(data, place)
                yield fields[SIZE]
                place += fields[PACKED]
            except (LookupError, RecursionError) as error:
                raise ValueError("has a page without a header") from error


def _fields(data: bytes, place: int) -> tuple[dict[int, Any], int]:
    """Read a structure: its fields by their numbers, and where it ends."""
    found, number = dict[int, Any](), 0
    while head := data[place]:
        number, place = number + (head >> 4), place + 1
        if not head >> 4:
            written, place = _natural(data, place)
            number = written >> 1
        found[number], place = _value(data, place, head & 15)
    return found, place + 1


def _value(data: bytes, place: int, kind: int) -> tuple[Any, int]:
    """Read an integer without its sign, a structure, or a list; skip others; and where it ends."""
    if kind in INTEGERS:
        value, place = _natural(data, place)
        return value >> 1, place
    if kind == BINARY:
        length, place = _natural(data, place)
        return None, place + length
    if kind == STRUCTURE:
        return _fields(data, place)
    if kind != LIST:
        return None, place + FIXED[kind]
    length, kind, place = data[place] >> 4, data[place] & 15, place + 1
    if length == 15:
        length, place = _natural(data, place)
    if length > len(data):
        raise LookupError
    values = []
    for _ in range(length):
        value, place = _value(data, place, max(kind, BYTE))  # a truth value is a byte here
        values.append(value)
    return values, place


def _natural(data: bytes, place: int) -> tuple[int, int]:
    """Read a number of seven bits a byte, and where it ends."""
    value = 0
    for shift in range(0, LONGEST, 7):
        value |= (data[place] & 127) << shift
        place += 1
        if data[place - 1] < 128:
            return value, place
    raise LookupError
