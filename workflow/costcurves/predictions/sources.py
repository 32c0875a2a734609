"""The bytes of prediction files: read once, hashed, unpacked, recognised by their content."""

import codecs
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from costcurves.errors import InputError
from costcurves.names import not_local, quoted, slug

CHUNK: Final = 1 << 20
ENDING: Final = re.compile(
    r"\.(csv|tsv|tab|txt|parquet|arrow|feather)(\.gz|\.zst)?$", re.IGNORECASE
)
OTHER: Final = re.compile(r"\.(json|jsonl|ndjson|arff|npz|npy|xlsx?)$", re.IGNORECASE)  # recipes
ENDINGS: Final = ".csv, .tsv, .txt (also with .gz or .zst), .parquet, .arrow or .feather"
PACKED: Final = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
BINARY: Final = {b"PAR1": "Parquet", b"ARROW1": "Arrow"}
READ: Final = "expected CSV, Parquet or Feather"
SAVE: Final = "save it as CSV in UTF-8"
RECIPE: Final = "docs/recipes.md, {!r}, has the lines that make a CSV file of it"
JSON: Final = f"JSON, {READ}; {RECIPE.format('JSON')}"
# How data begin that are not read, what they are, and what to do.
REFUSED: Final = {
    b"PK\x03\x04": f"a workbook or archive, {READ}; {RECIPE.format('Excel')}",
    b"\xd0\xcf\x11\xe0": f"an old Excel workbook, {READ}; {RECIPE.format('Excel')}",
    b"{": JSON,
    b"[": JSON,
    b"@relation": f"ARFF, {READ}; {RECIPE.format('ARFF')}",
    b"\x93NUMPY": f"a NumPy array, {READ}; {RECIPE.format('NumPy')}",
    b"\x80": f"a Python pickle, which is never loaded, {READ}; write it as Parquet or CSV",
    b"\xff\xfe": f"text in UTF-16, {READ}; {SAVE}",
    b"\xfe\xff": f"text in UTF-16, {READ}; {SAVE}",
    b"FEA1": f"Feather data of version 1, {READ}; write it as Feather of version 2",
    b"BZh": f"bzip2 data, {READ}; unpack it",
    b"\xfd7zXZ": f"xz data, {READ}; unpack it",
    b"\x89HDF": f"HDF5 data, {READ}; write it as Parquet or CSV",
    b"SQLite format 3": f"an SQLite database, {READ}; export its rows as CSV",
    b"%PDF": f"a PDF, {READ}; {SAVE}",
    b"<": f"HTML or XML, {READ}; download the file itself, not the page that shows it",
    b"version https://git-lfs": f"a pointer of Git LFS, {READ}; fetch it with 'git lfs pull'",
}


@dataclass(frozen=True)
class Source:
    """A prediction file as it was read."""

    path: str
    sha256: str  # of the file's bytes, before unpacking
    data: bytes  # unpacked
    kind: str = "CSV"  # or Parquet, Arrow

    def place(self, row: int) -> str:
        """Return where a row is, from 0: its line, or its number in a file without lines."""
        return f"{self.path} {f'line {row + 2}' if self.kind == 'CSV' else f'row {row + 1}'}"


def at_rows(rows: Any, place: Callable[[int], str], message: Callable[[int], str]) -> list[str]:
    """Return one message about rows, with the places of the first two and how many they are."""
    if not len(rows):
        return []
    then = f" (first of {len(rows):,} such, then {place(rows[1])})" if len(rows) > 1 else ""
    return [f"{place(rows[0])}: {message(rows[0])}{then}"]


def read_source(path: str) -> Source:
    """Read a file's bytes, and check what they are and that they are whole."""
    if why := not_local(path):
        raise InputError([why])
    if not (ENDING.search(path) or OTHER.search(path)):
        raise InputError(
            [f"{path}: expected a name that ends in {ENDINGS}; other files: docs/recipes.md"]
        )
    raw = _bytes(path)
    data = _unpacked(path, raw).removeprefix(codecs.BOM_UTF8)
    digest = hashlib.sha256(raw).hexdigest()
    for start, kind in BINARY.items():
        if data.startswith(start):
            return Source(path, digest, data, kind)
    text = data[:CHUNK].lstrip()
    for start, what in REFUSED.items():
        if data.startswith(start) or text[: len(start)].lower() == start:
            raise InputError([f"{path}: holds {what}"])
    if re.search(r"\.(parquet|arrow|feather)$", path, re.IGNORECASE):
        raise InputError([f"{path}: does not begin as such data do; name CSV .csv"])
    if data.startswith(b"inst#"):  # Weka ends its file with blank lines
        data = data.rstrip() + b"\n"
    if not data or data.isspace():
        raise InputError([f"{path}: holds no text, expected a header and rows"])
    place, why = _broken(data)
    if why:
        line = data.count(b"\n", 0, place) + 1
        raise InputError([f"{path} line {line}: {why}"])
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
        return file.read_bytes()
    except FileNotFoundError as error:
        raise InputError([f"{path}: there is no such file"]) from error
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise InputError([f"{quoted(path)}: can't be read ({why})"]) from error


def _unpacked(path: str, raw: bytes) -> bytes:
    """Return the bytes that a file holds, unpacked."""
    import pyarrow as pa  # not where arrays are given

    codec = next((name for start, name in PACKED.items() if raw.startswith(start)), None)
    if codec is None:
        if path.lower().endswith((".gz", ".zst")):
            raise InputError(
                [f"{path}: is not packed as its name says; name it without .gz or .zst"]
            )
        return raw
    try:
        with pa.CompressedInputStream(pa.BufferReader(raw), codec) as stream:
            data: bytes = stream.read()
    except (OSError, pa.ArrowException) as error:
        why = "can't be unpacked: it is truncated or damaged; copy or make it again"
        raise InputError([f"{path}: {why}"]) from error
    return data


def _broken(data: bytes) -> tuple[int, str]:
    """Return at which byte text is no UTF-8, has other line ends, a blank line or no end."""
    place = data.find(b"\0")
    if place >= 0:
        return place, f"has a NUL byte, so this is no text in UTF-8 (UTF-16?); {SAVE}"
    try:
        _ = data.isascii() or data.decode()
    except UnicodeDecodeError as error:
        place = error.start
        guess = f"in latin-1 this byte is {chr(data[place])!r}"
        return place, f"byte 0x{data[place]:02X} is not UTF-8; save the file as UTF-8 ({guess})"
    stray = re.search(rb"\r(?!\n)", data) if b"\r" in data else None
    if stray:
        return stray.start(), "has a carriage return alone, expected line ends \\n or \\r\\n"
    blank = max(data.find(b"\n\n"), data.find(b"\n\r\n"))  # quicker than a regular expression
    if blank >= 0 or data.startswith((b"\n", b"\r\n")):
        return blank + 1, "is blank; remove blank lines"
    last = data[data.rfind(b"\n") + 1 :].decode()
    mend = "is the file truncated? If not, end it with a line end"
    return len(data), f"the last line has no end: {quoted(last)}; {mend}" if last else ""
