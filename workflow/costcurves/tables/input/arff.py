"""ARFF, as Weka and OpenML write it: names, nominal values, strings and numbers, strictly read.

SciPy's reader knows no strings and keeps quotation marks, so it can't read either.
"""

import re
from collections.abc import Iterator
from typing import Final

import pyarrow as pa

from costcurves.errors import InputError
from costcurves.names import quoted
from costcurves.tables.input.sources import Source

_QUOTED: Final = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_ATTRIBUTE: Final = re.compile(
    rf"@attribute\s+({_QUOTED}|[^\s{{]+)\s*(\{{.*\}}|\w+)", re.IGNORECASE
)
_VALUE: Final = re.compile(rf"\s*({_QUOTED}|[^,'\"]*)\s*(?:,|$)")
_KINDS: Final = ("numeric", "real", "integer", "string", "date")
_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t"}


def table_of(source: Source) -> tuple[pa.Table, int]:
    """Read the columns as text, null for a missing value, and the line of the first row."""
    lines = source.data.decode().replace("\r\n", "\n").split("\n")
    names: list[str] = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text[:5].lower() == "@data":
            return _rows(source, names, lines, number)
        if text[:10].lower() == "@attribute":
            found = _ATTRIBUTE.match(text)
            if not found or not (found[2][0] == "{" or found[2].lower() in _KINDS):
                why = "is no attribute with a name and a type"
                raise InputError([f"{source.path} line {number}: {quoted(text)} {why}"])
            names.append(_plain(found[1]) or "")
    raise InputError([f"{source.path}: is ARFF without '@data'; is it truncated?"])


def _rows(source: Source, names: list[str], lines: list[str], data: int) -> tuple[pa.Table, int]:
    first = 0
    rows: list[list[str | None]] = []
    for number, line in enumerate(lines[data:], data + 1):
        text = line.strip()
        if not text or text.startswith("%"):
            if text or (rows and any(map(str.strip, lines[number:]))):
                why = "expected rows without blank lines and comments among them"
                raise InputError([f"{source.path} line {number}: is no row, {why}"])
            continue
        first = first or number
        values = list(_values(text))
        if text.startswith("{") or len(values) != len(names):
            found = "is sparse" if text.startswith("{") else f"has {len(values)} values"
            expected = f"expected {len(names)} values, one for each attribute"
            raise InputError([f"{source.path} line {number}: {found}, {expected}"])
        rows.append(values)
    columns = [pa.array(column, pa.string()) for column in zip(*rows, strict=True)]
    return pa.table(columns or [pa.array([], pa.string())] * len(names), names), first


def _values(text: str) -> Iterator[str | None]:
    """Give the values of a row; one that is not well quoted makes their number another."""
    if "'" not in text and '"' not in text:
        yield from (_plain(value.strip()) for value in text.split(","))
        return
    place = 0
    while place < len(text) and (found := _VALUE.match(text, place)):
        yield _plain(found[1].strip())
        place = found.end()


def _plain(value: str) -> str | None:
    """Take quotation marks and escapes away; None: missing."""
    if value[:1] not in ("'", '"'):
        return None if value == "?" else value
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), value[1:-1])
