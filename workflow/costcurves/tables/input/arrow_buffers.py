"""What the buffers of Arrow data unpack to, by what each begins with; see `parquet_pages`."""

from collections.abc import Iterator
from struct import unpack_from
from typing import Final

import pyarrow as pa

HEADER, BATCH, BUFFERS, PACKING = 2, 1, 2, 3  # fields: of a message, a dictionary, a batch
START: Final = 8  # bytes before the messages of a file


def unpacked_size(data: pa.Buffer) -> int:
    """Sum what all buffers of messages unpack to."""
    return sum(
        size
        for message in pa.ipc.MessageReader.open_stream(data[START:])
        for size in _sizes(message)
    )


def _sizes(message: pa.ipc.Message) -> Iterator[int]:
    if message.type not in ("record batch", "dictionary"):
        return
    told, body = memoryview(message.metadata), memoryview(message.body)
    batch = _at(told, _field(told, _at(told, 0), HEADER))
    if message.type == "dictionary":
        batch = _at(told, _field(told, batch, BATCH))
    buffers, packed = _at(told, _field(told, batch, BUFFERS)), _field(told, batch, PACKING)
    for number in range(unpack_from("<I", told, buffers)[0]):
        place, length = unpack_from("<qq", told, buffers + 4 + 16 * number)
        (size,) = unpack_from("<q", body, place) if packed and length else (-1,)
        yield max(size, length)


def _at(told: memoryview, place: int) -> int:
    """Follow an offset."""
    return place + int(unpack_from("<I", told, place)[0])


def _field(told: memoryview, table: int, number: int) -> int:
    """Find where a field of a table is; 0: it has none."""
    fields = table - unpack_from("<i", told, table)[0]
    inside = 4 + 2 * number < unpack_from("<H", told, fields)[0]
    offset = unpack_from("<H", told, fields + 4 + 2 * number)[0] if inside else 0
    return table + offset if offset else 0
