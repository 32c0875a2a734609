"""The bytes of sources: hashed, read once, unpacked, recognised by content."""

import codecs
import gzip
import hashlib
import io
import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from costcurves.errors import InputError, refuse
from costcurves.names import not_local, quoted, slug
from costcurves.tables import reading_limits as limits

_CHUNK = 1 << 20
_SAVE = "save it as CSV in UTF-8 with commas"
_WRITE = "write it as Parquet or CSV"
_UNPACK = "unpack it, or pack it with gzip"

# What they hold is seen from their content; that other files are none of ours, from their names.
ENDINGS: Final = (
    ".csv, .tsv, .tab, .txt, .parquet, .arrow, .feather, .json, .jsonl, .arff, .npz or .xlsx"
)
ENDING: Final = re.compile(
    r"\.(csv|tsv|tab|txt|parquet|arrow|feather|jsonl?|ndjson|arff|npz|xlsx)(\.gz)?$", re.IGNORECASE
)
PICKLES = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
READ: Final = {  # how data start that are read
    b"PAR1": "Parquet",
    b"ARROW1": "Arrow",
    b"PK\x03\x04": "zip",
    b"{": "JSON",
    b"[": "JSON",
}
KINDS: list[tuple[bytes | tuple[bytes, ...], str, str]] = [  # and those that are not
    (b"\x1f\x8b", "gzip data", "pack a file once"),
    (b"PK\x05\x06", "an empty zip archive", _SAVE),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook (.xls)", _SAVE),
    ((b"\xff\xfe\0\0", b"\0\0\xfe\xff"), "text in UTF-32", "save it as UTF-8"),
    ((b"\xff\xfe", b"\xfe\xff"), "text in UTF-16", "save it as UTF-8"),
    (b"FEA1", "Feather data of version 1", "write it as Feather of version 2"),
    (b"\x28\xb5\x2f\xfd", "Zstandard data", _UNPACK),
    (b"BZh", "bzip2 data", _UNPACK),
    (b"\xfd7zXZ", "xz data", _UNPACK),
    (b"7z\xbc\xaf", "a 7-Zip archive", _UNPACK),
    (PICKLES, "a Python pickle, which is never loaded", _WRITE),
    (b"\x93NUMPY", "a NumPy array", "write it beside the labels, with numpy.savez"),
    (b"\x89HDF", "HDF5 data", _WRITE),
    (b"RDX", "R data", "write it as CSV"),
    (b"SQLite format 3", "an SQLite database", "export its rows as CSV"),
    (b"%PDF", "a PDF", _WRITE),
    (b"<", "HTML or XML", "download the file itself, not the page that shows it"),
    (b"version https://git-lfs", "a pointer of Git LFS", "fetch the file with 'git lfs pull'"),
]
_WEKA = re.compile(rb"^[ ]*inst#[ ,]+actual[ ,]+predicted[ ,]+error\b.*$", re.MULTILINE)
_ARFF = re.compile(rb"(?:%[^\n]*\n\s*)*@relation\b", re.IGNORECASE)

PLACE = r"[^:]+ (line|row) [0-9]+"  # of a row, with which a message begins


@dataclass(frozen=True)
class Source:
    """A prediction file as it was read."""

    path: str
    sha256: str  # of the file's bytes, before unpacking
    data: bytes  # unpacked, if it was packed with gzip
    kind: str = "CSV"  # or Parquet, Arrow, zip, JSON, ARFF, Weka's text
    first: int | None = 2  # the line of its first row; None: rows have no lines

    def place(self, row: int) -> str:
        """Say where a row is, from 0: its line, or its number in a file without lines."""
        where = f"row {row + 1}" if self.first is None else f"line {row + self.first}"
        return f"{self.path} {where}"


def at_rows(
    rows: Sequence[int] | NDArray[np.integer[Any]], message: Callable[[int], str]
) -> list[str]:
    """Say the same of many rows once: of the first, with how many they are and where the next is.

    A message begins with the place of its row, or the name of what it is about, and a colon.
    """
    if len(rows) < 2:
        return [message(int(row)) for row in rows]
    first, then = (message(int(row)) for row in rows[:2])
    here, there = (re.match(PLACE, one) for one in (first, then))
    also = f", then {there[0]}" if here and there and here[0] != there[0] else ""
    return [f"{first} (first of {len(rows):,} such{also})"]


def read_source(path: str) -> Source:
    """Read a prediction file's bytes, and see what they are, and that they are whole."""
    refuse(filter(None, [not_local(path)]))
    if not ENDING.search(path):
        why = f"expected a name that ends as those of predictions do: {ENDINGS}"
        raise InputError([f"{path}: {why}"])
    raw = _bytes(path)
    packed = raw.startswith(b"\x1f\x8b") or path.lower().endswith(".gz")
    data = _unpacked(path, raw) if packed else raw
    if not data:
        raise InputError([f"{path}: the file is empty, expected a header and rows"])
    kind = _kind(path, data)
    if kind in ("Parquet", "Arrow", "zip"):
        return Source(path, hashlib.sha256(raw).hexdigest(), data, kind, None)
    data = data.removeprefix(codecs.BOM_UTF8)
    if not data or data.isspace():
        raise InputError([f"{path}: holds no text, expected a header and rows"])
    _check_text(path, data)
    if kind == "CSV":
        _check_lines(path, data)
    return Source(path, hashlib.sha256(raw).hexdigest(), data, kind)


def model_name(path: str) -> str:
    """Name what a file holds after it, without its folder and ending.

    >>> model_name("runs/C4.5.csv.gz"), model_name("C4.5")
    ('C4.5', 'C4.5')
    """
    return ENDING.sub("", Path(path).name)


def study_name(file: str) -> str:
    """Name a study after a prediction file."""
    return slug(model_name(file))


def _bytes(path: str) -> bytes:
    try:
        file = Path(path)
        if file.exists() and not file.is_file():
            raise InputError([f"{path}: is a folder or device, expected a file"])
        if file.stat().st_size > limits.LARGEST:
            raise InputError([f"{path}: has more than {limits.LARGEST} bytes; split it"])
        return file.read_bytes()
    except FileNotFoundError as error:
        raise InputError([f"{path}: there is no such file"]) from error
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise InputError([f"{quoted(path)}: can't be read ({why})"]) from error


def _unpacked(path: str, raw: bytes) -> bytes:
    chunks, size = [], 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as file:
            while chunk := file.read(_CHUNK):
                chunks.append(chunk)
                size += len(chunk)
                most, mend = limits.LARGEST, "split it, or give it as Parquet"
                refuse(limits.unpacked_findings(path, size, len(raw), most, mend))
    except EOFError as error:
        message = f"{path}: the gzip data end too early: the file is truncated"
        raise InputError([f"{message}; make or copy it again"]) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        message = f"{path}: is not gzip data, or is damaged ({error})"
        mend = "name it .csv if it is not packed, else make it again"
        raise InputError([f"{message}; {mend}"]) from error
    return b"".join(chunks)


def _kind(path: str, data: bytes) -> str:
    """Recognise what data are by how they start."""
    text = data[:_CHUNK].removeprefix(codecs.BOM_UTF8).lstrip()  # a page may begin with space
    for start, kind in READ.items():
        if data.startswith(start) or (kind == "JSON" and text.startswith(start)):
            return kind
    for starts, what, mend in KINDS:
        if data.startswith(starts) or text.startswith(starts):
            raise InputError([f"{path}: holds {what}, expected predictions; {mend}"])
    if path.lower().endswith(".parquet"):
        raise InputError([f"{path}: does not start as Parquet data do; name CSV .csv"])
    if _ARFF.match(text):
        return "ARFF"
    return "Weka" if _WEKA.search(text) else "CSV"


def _check_text(path: str, data: bytes) -> None:
    """Make sure that data are text in UTF-8, with line ends that all know."""
    if b"\0" in data:
        line = _line(data, data.index(b"\0"))
        message = f"{path} line {line}: has a NUL byte, so this is no text in UTF-8"
        raise InputError([f"{message} (UTF-16?); save it as UTF-8"])
    _check_utf8(path, data)
    if b"\r" in data and (stray := re.search(rb"\r(?!\n)", data)):
        message = f"{path} line {_line(data, stray.start())}: has a carriage return alone"
        raise InputError([f"{message}, expected line ends \\n or \\r\\n"])


def _check_lines(path: str, data: bytes) -> None:
    """Make sure that a CSV is whole: no line is blank, and its last one has an end."""
    # Quicker than a regular expression.
    blank = [place + 1 for ends in (b"\n\n", b"\n\r\n") if (place := data.find(ends)) >= 0]
    if data.startswith((b"\n", b"\r\n")):
        blank = [0]
    if blank:
        line = _line(data, min(blank))
        raise InputError([f"{path} line {line}: is blank; remove blank lines"])
    if not data.endswith(b"\n"):
        last = quoted(data[data.rfind(b"\n") + 1 :].decode())
        message = f"{path}: the last line has no end: {last}"
        raise InputError([f"{message}; is the file truncated? If not, end it with a line end"])


def _check_utf8(path: str, data: bytes) -> None:
    decode, view = codecs.getincrementaldecoder("utf-8")(), memoryview(data)
    for start in range(0, len(data), _CHUNK):
        chunk = view[start : start + _CHUNK]
        held = len(decode.getstate()[0])
        try:
            decode.decode(chunk, final=start + _CHUNK >= len(data))
        except UnicodeDecodeError as error:
            place = start - held + error.start
            guess = data[place : place + 1].decode("latin-1")
            message = f"{path} line {_line(data, place)}: byte 0x{data[place]:02X} is not UTF-8"
            mend = f"save the file as UTF-8 (in latin-1 this byte is {guess!r})"
            raise InputError([f"{message}; {mend}"]) from error


def _line(data: bytes, place: int) -> int:
    """Give the line, from 1, in which a byte is."""
    return data.count(b"\n", 0, place) + 1
