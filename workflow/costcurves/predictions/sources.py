"""The bytes of prediction files: read once, hashed, unpacked, recognised by their content."""

import codecs
import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from costcurves.errors import InputError, refuse
from costcurves.names import not_local, quoted, slug

LARGEST: Final = 4 << 30  # bytes of a file, packed or not: split it
CHUNK: Final = 1 << 20
ENDING: Final = re.compile(
    r"\.(csv|tsv|tab|txt|parquet|arrow|feather)(\.gz|\.zst)?$", re.IGNORECASE
)
OTHER: Final = re.compile(r"\.(json|jsonl|ndjson|arff|npz|npy|xlsx?)$", re.IGNORECASE)  # recipes
ENDINGS: Final = ".csv, .tsv, .txt (also with .gz or .zst), .parquet, .arrow or .feather"
PACKED: Final = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
BINARY: Final = {b"PAR1": "Parquet", b"ARROW1": "Arrow"}
SAVE: Final = "save it as CSV in UTF-8"
RECIPE: Final = "docs/recipes.md, {!r}, has the lines that make a CSV file of it"
PLACE: Final = r"[^:]+ (line|row) [0-9]+"  # with which a message about a row begins
# How data begin that are not read, what they are, and what to do.
REFUSED: Final = (
    (b"PK\x03\x04", "a workbook or archive", RECIPE.format("Excel")),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook", RECIPE.format("Excel")),
    (b"{", "JSON", RECIPE.format("JSON")),
    (b"[", "JSON", RECIPE.format("JSON")),
    (b"@relation", "ARFF", RECIPE.format("ARFF")),
    (b"\x93NUMPY", "a NumPy array", RECIPE.format("NumPy")),
    (b"\x80", "a Python pickle, which is never loaded", "write it as Parquet or CSV"),
    (b"\xff\xfe", "text in UTF-16", SAVE),
    (b"\xfe\xff", "text in UTF-16", SAVE),
    (b"FEA1", "Feather data of version 1", "write it as Feather of version 2"),
    (b"BZh", "bzip2 data", "unpack it"),
    (b"\xfd7zXZ", "xz data", "unpack it"),
    (b"\x89HDF", "HDF5 data", "write it as Parquet or CSV"),
    (b"SQLite format 3", "an SQLite database", "export its rows as CSV"),
    (b"%PDF", "a PDF", SAVE),
    (b"<", "HTML or XML", "download the file itself, not the page that shows it"),
    (b"version https://git-lfs", "a pointer of Git LFS", "fetch the file with 'git lfs pull'"),
)


@dataclass(frozen=True)
class Source:
    """A prediction file as it was read."""

    path: str
    sha256: str  # of the file's bytes, before unpacking
    data: bytes  # unpacked
    kind: str = "CSV"  # or Parquet, Arrow
    first: int | None = 2  # the line of its first row; None: rows have no lines

    def place(self, row: int) -> str:
        """Return where a row is, from 0: its line, or its number in a file without lines."""
        where = f"row {row + 1}" if self.first is None else f"line {row + self.first}"
        return f"{self.path} {where}"


def at_rows(
    rows: Sequence[int] | NDArray[np.integer[Any]], message: Callable[[int], str]
) -> list[str]:
    """Return one message about rows: of the first, with their number and where the next one is.

    A message begins with the place of its row, or the name of what it is about, and a colon.
    """
    if len(rows) < 2:
        return [message(int(row)) for row in rows]
    first, second = message(int(rows[0])), message(int(rows[1]))
    here, there = re.match(PLACE, first), re.match(PLACE, second)
    also = f", then {there[0]}" if here and there and here[0] != there[0] else ""
    return [f"{first} (first of {len(rows):,} such{also})"]


def read_source(path: str) -> Source:
    """Read a file's bytes, and check what they are and that they are whole."""
    if why := not_local(path):
        raise InputError([why])
    if not (ENDING.search(path) or OTHER.search(path)):
        why = f"expected a name that ends in {ENDINGS}"
        raise InputError([f"{path}: {why}; other files: docs/recipes.md"])
    raw = _bytes(path)
    data = _unpacked(path, raw)
    if not data:
        raise InputError([f"{path}: the file is empty, expected a header and rows"])
    digest = hashlib.sha256(raw).hexdigest()
    for start, kind in BINARY.items():
        if data.startswith(start):
            return Source(path, digest, data, kind, None)
    text = data[:CHUNK].removeprefix(codecs.BOM_UTF8).lstrip()
    for start, what, mend in REFUSED:
        if data.startswith(start) or text[: len(start)].lower() == start:
            raise InputError([f"{path}: holds {what}, expected CSV, Parquet or Feather; {mend}"])
    if re.search(r"\.(parquet|arrow|feather)$", path, re.IGNORECASE):
        raise InputError([f"{path}: does not begin as such data do; name CSV .csv"])
    data = data.removeprefix(codecs.BOM_UTF8)
    if data.startswith(b"inst#"):  # Weka ends its file with blank lines
        data = data.rstrip() + b"\n"
    _check_text(path, data)
    return Source(path, digest, data)


def model_name(path: str) -> str:
    """Return the name of what a file holds: that of the file, without its ending.

    >>> model_name("runs/C4.5.csv.gz"), model_name("C4.5")
    ('C4.5', 'C4.5')
    """
    return ENDING.sub("", Path(path).name)


def study_name(file: str) -> str:
    """Return the name of a study of a prediction file."""
    return slug(model_name(file))


def _bytes(path: str) -> bytes:
    try:
        file = Path(path)
        if file.exists() and not file.is_file():
            raise InputError([f"{path}: is a folder or device, expected a file"])
        if file.stat().st_size > LARGEST:
            raise InputError([f"{path}: has more than {LARGEST} bytes; split it"])
        return file.read_bytes()
    except FileNotFoundError as error:
        raise InputError([f"{path}: there is no such file"]) from error
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise InputError([f"{quoted(path)}: can't be read ({why})"]) from error


def _unpacked(path: str, raw: bytes) -> bytes:
    """Return the bytes of a packed file, no more than a plain one may have."""
    import pyarrow as pa  # not where arrays are given

    codec = next((name for start, name in PACKED.items() if raw.startswith(start)), None)
    if path.lower().endswith((".gz", ".zst")) and codec is None:
        raise InputError([f"{path}: is not packed as its name says; name it without .gz or .zst"])
    if codec is None:
        return raw
    chunks, size = list[bytes](), 0
    try:
        with pa.CompressedInputStream(pa.BufferReader(raw), codec) as stream:
            while chunk := stream.read(CHUNK):
                chunks.append(chunk)
                size += len(chunk)
                if size > LARGEST:
                    raise InputError([f"{path}: unpacks to more than {LARGEST} bytes; split it"])
    except (OSError, pa.ArrowException) as error:
        why = "can't be unpacked: it is truncated or damaged; copy or make it again"
        raise InputError([f"{path}: {why}"]) from error
    return b"".join(chunks)


def _check_text(path: str, data: bytes) -> None:
    """Refuse what is no UTF-8, has other line ends or blank lines, or may be truncated."""
    if not data or data.isspace():
        raise InputError([f"{path}: holds no text, expected a header and rows"])
    if b"\0" in data:
        line = _line(data, data.index(b"\0"))
        why = f"has a NUL byte, so this is no text in UTF-8 (UTF-16?); {SAVE}"
        raise InputError([f"{path} line {line}: {why}"])
    _check_utf8(path, data)
    if b"\r" in data and (stray := re.search(rb"\r(?!\n)", data)):
        why = "has a carriage return alone, expected line ends \\n or \\r\\n"
        raise InputError([f"{path} line {_line(data, stray.start())}: {why}"])
    # Quicker than a regular expression.
    blank = [place + 1 for ends in (b"\n\n", b"\n\r\n") if (place := data.find(ends)) >= 0]
    if data.startswith((b"\n", b"\r\n")):
        blank = [0]
    refuse(
        f"{path} line {_line(data, min(blank))}: is blank; remove blank lines" for _ in blank[:1]
    )
    if not data.endswith(b"\n"):
        last = quoted(data[data.rfind(b"\n") + 1 :].decode())
        why = "is the file truncated? If not, end it with a line end"
        raise InputError([f"{path}: the last line has no end: {last}; {why}"])


def _check_utf8(path: str, data: bytes) -> None:
    decoder, view = codecs.getincrementaldecoder("utf-8")(), memoryview(data)
    for start in range(0, len(data), CHUNK):
        kept = len(decoder.getstate()[0])
        chunk = view[start : start + CHUNK]
        try:
            decoder.decode(chunk, final=start + CHUNK >= len(data))
        except UnicodeDecodeError as error:
            place = start - kept + error.start
            guess = data[place : place + 1].decode("latin-1")
            where = f"{path} line {_line(data, place)}: byte 0x{data[place]:02X} is not UTF-8"
            mend = f"save the file as UTF-8 (in latin-1 this byte is {guess!r})"
            raise InputError([f"{where}; {mend}"]) from error


def _line(data: bytes, place: int) -> int:
    """Return the line, from 1, in which a byte is."""
    return data.count(b"\n", 0, place) + 1
