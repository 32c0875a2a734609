"""What the pages of Parquet data unpack to by their own headers, as a footer may say anything."""

from collections.abc import Collection, Iterator
from typing import Final

import pyarrow.parquet as pq

from costcurves.tables.input import reading_limits as limits

SIZE, PACKED = 2, 3  # fields of a page's header
# Kinds of fields in Thrift's compact protocol, with the bytes of those that always have as many.
INTEGERS, BINARY, STRUCTURE, FIXED = (4, 5, 6), 8, 12, {1: 0, 2: 0, 3: 1, 7: 8}
LONGEST: Final = 63  # bits of an integer


def unpacked_size(data: bytes, metadata: pq.FileMetaData, columns: Collection[str]) -> int:
    """Sum what the pages of columns unpack to; a `ValueError` says where data contradict itself."""
    size = 0
    for pages, one in enumerate(_sizes(data, _chunks(len(data), metadata, columns))):
        if pages >= limits.MOST_PAGES:
            raise ValueError(f"has more than {limits.MOST_PAGES:,} pages")
        size += one
    return size


def _chunks(
    size: int, metadata: pq.FileMetaData, columns: Collection[str]
) -> Iterator[tuple[int, int]]:
    """Give where each part of a column begins and ends, with all its bytes to itself."""
    first = {name.split(".")[0] for name in columns}  # of a path to what is nested
    groups = [metadata.row_group(at) for at in range(metadata.num_row_groups)]
    if (rows := sum(group.num_rows for group in groups)) != metadata.num_rows:
        raise ValueError(f"claims {metadata.num_rows:,} rows, and {rows:,} in its row groups")
    for group in groups:
        for chunk in map(group.column, range(group.num_columns)):
            path = chunk.path_in_schema
            if path.split(".")[0] not in first:
                continue
            if path in columns and chunk.num_values != group.num_rows:
                found = f"{chunk.num_values:,} values of column {path!r}"
                raise ValueError(f"claims {found} in {group.num_rows:,} rows")
            size -= chunk.total_compressed_size
            if size < 0:
                raise ValueError("claims columns of more bytes than it has")
            begin = min(filter(None, (chunk.dictionary_page_offset, chunk.data_page_offset)))
            yield begin, begin + chunk.total_compressed_size


def _sizes(data: bytes, chunks: Iterator[tuple[int, int]]) -> Iterator[int]:
    for place, end in chunks:
        while place < end:
            try:
                fields, place = _fields(data, place)
                yield fields[SIZE]
                place += fields[PACKED]
            except (LookupError, RecursionError) as error:
                raise ValueError("has a page without a header") from error


def _fields(data: bytes, place: int) -> tuple[dict[int, int], int]:
    """Read a structure: its integers by their number, and where it ends."""
    found, number = dict[int, int](), 0
    while head := data[place]:
        step, kind, place = head >> 4, head & 15, place + 1
        number += step
        if kind in INTEGERS:
            value, place = _natural(data, place)
            found[number] = value >> 1  # without its sign
        elif kind == BINARY:
            length, place = _natural(data, place)
            place += length
        elif kind == STRUCTURE:
            place = _fields(data, place)[1]
        else:
            place += FIXED[kind]
    return found, place + 1


def _natural(data: bytes, place: int) -> tuple[int, int]:
    """Read a number of seven bits a byte, and where it ends."""
    value = 0
    for shift in range(0, LONGEST, 7):
        value |= (data[place] & 127) << shift
        place += 1
        if data[place - 1] < 128:
            return value, place
    raise LookupError
