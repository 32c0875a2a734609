"""The bytes of sources: hashed, read once, unpacked, recognised by content."""

import codecs
import gzip
import hashlib
import io
import re
import time
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from costcurves.errors import InputError, refuse
from costcurves.stamps import remembered
from costcurves.tables.configuration.names import quoted
from costcurves.tables.input import reading_limits as limits
from costcurves.tables.input.remote import copy_of
from costcurves.tables.record.manifest import sha256

_CHUNK = 1 << 20
_SAVE = "save it as CSV in UTF-8 with commas"
_WRITE = "write it as Parquet or CSV"
_UNPACK = "unpack it, or pack it with gzip"

PICKLES = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
KINDS: list[tuple[bytes | tuple[bytes, ...], str, str]] = [  # how data start
    (b"\x1f\x8b", "gzip data", "pack CSV once and name it .csv.gz"),
    (b"PAR1", "Parquet data", "name it .parquet"),
    (b"PK\x03\x04", "a zip archive or an Excel workbook (.xlsx)", _SAVE),
    (b"PK\x05\x06", "an empty zip archive", _SAVE),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook (.xls)", _SAVE),
    ((b"\xff\xfe\0\0", b"\0\0\xfe\xff"), "text in UTF-32", "save it as UTF-8"),
    ((b"\xff\xfe", b"\xfe\xff"), "text in UTF-16", "save it as UTF-8"),
    (b"ARROW1", "Arrow or Feather data", _WRITE),
    (b"\x28\xb5\x2f\xfd", "Zstandard data", _UNPACK),
    (b"BZh", "bzip2 data", _UNPACK),
    (b"\xfd7zXZ", "xz data", _UNPACK),
    (b"7z\xbc\xaf", "a 7-Zip archive", _UNPACK),
    (PICKLES, "a Python pickle, which is never loaded", _WRITE),
    (b"\x93NUMPY", "a NumPy array", _WRITE),
    (b"\x89HDF", "HDF5 data", _WRITE),
    (b"RDX", "R data", "write it as CSV"),
    (b"SQLite format 3", "an SQLite database", _WRITE),
    (b"%PDF", "a PDF", _WRITE),
    (b"<", "HTML or XML", "download the file itself, not the page that shows it"),
    ((b"{", b"["), "JSON", _WRITE),
    (b"version https://git-lfs", "a pointer of Git LFS", "fetch the file with 'git lfs pull'"),
]


@dataclass(frozen=True)
class Source:
    """A prediction file as it was read."""

    path: str
    sha256: str  # of the file's bytes, before unpacking
    data: bytes  # Parquet as it is, CSV unpacked


def read_source(path: str) -> Source:
    """Read a prediction file's bytes, and make sure that they are what the name says, and whole."""
    ending = ending_of(path)
    if not ending:
        raise InputError([f"{path}: expected a name that ends in .csv, .csv.gz or .parquet"])
    raw = _bytes(path)
    data = _unpacked(path, raw) if ending == ".csv.gz" else raw
    if not data:
        raise InputError([f"{path}: the file is empty, expected a header and rows"])
    _check_kind(path, data, ending)
    if ending != ".parquet":
        data = data.removeprefix(codecs.BOM_UTF8)
        if not data.strip():
            raise InputError([f"{path}: holds no text, expected a header and rows"])
        _check_text(path, data)
    return Source(path, hashlib.sha256(raw).hexdigest(), data)


def ending_of(path: str) -> str:
    """Give how a prediction file's name ends; empty if like none."""
    return next((one for one in (".csv", ".csv.gz", ".parquet") if path.lower().endswith(one)), "")


def is_parquet(path: str) -> bool:
    """Whether a prediction file holds Parquet; else it holds CSV."""
    return path.lower().endswith(".parquet")


def _bytes(path: str) -> bytes:
    try:
        file = copy_of(path)
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


def _check_kind(path: str, data: bytes, ending: str) -> None:
    """Recognise content that its name doesn't announce."""
    if ending == ".parquet" and data.startswith(b"PAR1"):
        return
    expected = "Parquet data" if ending == ".parquet" else "CSV"
    text = data[:_CHUNK].removeprefix(codecs.BOM_UTF8).lstrip()  # a page may begin with space
    for start, what, mend in KINDS:
        if data.startswith(start) or text.startswith(start):
            raise InputError([f"{path}: holds {what}, expected {expected}; {mend}"])
    if ending == ".parquet":
        raise InputError([f"{path}: does not start as Parquet data do; name CSV .csv"])


def _check_text(path: str, data: bytes) -> None:
    """Make sure that a CSV is text in UTF-8, and whole: its last line has an end."""
    if b"\0" in data:
        line = _line(data, data.index(b"\0"))
        message = f"{path} line {line}: has a NUL byte, so this is no text in UTF-8"
        raise InputError([f"{message} (UTF-16?); save it as UTF-8"])
    _check_utf8(path, data)
    if b"\r" in data and (stray := re.search(rb"\r(?!\n)", data)):
        message = f"{path} line {_line(data, stray.start())}: has a carriage return alone"
        raise InputError([f"{message}, expected line ends \\n or \\r\\n"])
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


SETTLED: Final = 2  # seconds in which two changes of a file may get the same date


def hashed(files: Iterable[str], memory: Path) -> dict[str, dict[str, Any]]:
    """Hash files, or take from the file `memory` what is known of those that are untouched.

    `sha256` is None where a file can't be read. `untouched` (size, dates of change of content and
    of metadata in nanoseconds, inode) is None while another change might get the same dates.
    """
    known = remembered(memory)
    return {file: _hashed(copy_of(file), known.get(file)) for file in files}


def _hashed(file: Path, known: dict[str, Any] | None) -> dict[str, Any]:
    now = time.time()
    try:
        found = file.stat()
        untouched = [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]
        if known and known.get("untouched") == untouched and "sha256" in known:
            return known
        digest = sha256(file) if file.is_file() else None  # reading a pipe would wait for ever
    except OSError:
        return {"sha256": None, "untouched": None}
    settled = found.st_ctime < now - SETTLED
    return {"sha256": digest, "untouched": untouched if settled else None}
