"""How a report that was built again differs from the first, and what likely made it so."""

import csv
import math
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow.parquet as pq

from costcurves.tables.record.manifest import (
    MANIFEST,
    SHOWING,
    SIGNATURE,
    SUMS,
    names_of_files,
    sha256,
)

TEXTS: Final = (".csv", ".html", ".json", ".svg")
CLOSE: Final = 1e-12  # what processors and versions may make of the same numbers
AROUND: Final = 30  # characters that are shown of a difference
_STREAM: Final = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
_DRAWN: Final = re.compile(rb"<(svg|style)\b.*?</\1>|'sha256-[^']*'", re.DOTALL)
_FONT: Final = re.compile(rb"/BaseFont ?/([^\s/\[\]<>()]+)")


def differing_files(before: Path, after: Path, stages: Mapping[str, Any]) -> list[str]:
    """List the files that differ between two reports, in the order in which they are made.

    `stages` is the manifest's `results`, which has the stages in order.
    """
    order = list(dict.fromkeys(name.split("/")[0] for name in stages))
    names = {*names_of_files(before), *names_of_files(after)} - {SIGNATURE}
    return sorted(
        (name for name in names if _hash(before / name) != _hash(after / name)),
        key=lambda name: _place(name, order),
    )


def _hash(path: Path) -> str:
    return sha256(path) if path.is_file() else ""


def _place(name: str, stages: list[str]) -> tuple[int, int, str]:
    kind, *rest = name.split("/")
    if kind == "tables" and rest:
        return 0, stages.index(rest[0]) if rest[0] in stages else len(stages), name
    last = (*SHOWING, MANIFEST, SUMS)
    return (2, last.index(name), name) if name in last else (1, 0, name)


def first_difference(before: Path, after: Path) -> str:
    """Say where two files differ first, and what stands there."""
    for path, where in ((before, "report"), (after, "rebuild")):
        if not path.is_file():
            return f"the {where} has no such file"
    one, two = before.read_bytes(), after.read_bytes()
    pairs = enumerate(zip(one, two, strict=False))
    offset = next((place for place, (a, b) in pairs if a != b), min(len(one), len(two)))
    if before.suffix not in TEXTS:
        return f"byte {offset} of {len(one)} in the report, of {len(two)} in the rebuild"
    shown = (f"{_line_around(text, offset)!r}" for text in (one, two))
    line = one.count(b"\n", 0, offset) + 1
    return f"line {line}, byte {offset}: {next(shown)} in the report, {next(shown)} in the rebuild"


def _line_around(text: bytes, offset: int) -> str:
    """Take what stands around a place, within its line."""
    begin = max(text.rfind(b"\n", 0, offset) + 1, offset - AROUND)
    end = text.find(b"\n", offset)
    shown = text[begin : min(len(text) if end < 0 else end, offset + AROUND)]
    return shown.decode("utf-8", "replace")


def differing_rows(before: Path, after: Path) -> Iterator[tuple[str, float, str]]:
    """List tables of two reports that differ: the name, by how much, and the first row that does.

    Numbers differ by at most that much, relative to 1 or to the larger one; whatever else differs
    does by infinity, and a row is named that differs by more than `CLOSE`, if there is one.
    """
    names = {*names_of_files(before / "tables"), *names_of_files(after / "tables")}
    for name in sorted(names):
        one, two = (folder / "tables" / name for folder in (before, after))
        if _hash(one) == _hash(two) or Path(name).suffix not in (".csv", ".parquet"):
            continue
        there = one.is_file() and two.is_file()
        most, where = _apart(_rows(one), _rows(two)) if there else (math.inf, "is in one only")
        yield f"tables/{name}", most, where


def _rows(file: Path) -> list[tuple[Any, ...]]:
    """Read a table with its heads as its first row."""
    if file.suffix == ".csv":
        with file.open(encoding="utf-8", newline="") as opened:
            return list(map(tuple, csv.reader(opened)))
    table = pq.read_table(file)
    return [tuple(table.column_names), *zip(*(it.to_pylist() for it in table), strict=True)]


def _apart(one: Sequence[tuple[Any, ...]], two: Sequence[tuple[Any, ...]]) -> tuple[float, str]:
    """Say by how much tables differ, and where."""
    most, where = 0.0, ""
    for number, (a, b) in enumerate(zip(one, two, strict=False)):
        for head, *cells in zip(one[0], a, b, strict=False):
            apart = _by(*cells)
            if apart > most and most <= CLOSE:
                where = (
                    f"row {number}: {head} is {cells[0]} in the report, {cells[1]} in the rebuild"
                )
            most = max(most, apart)
    if len(one) != len(two) or one[0] != two[0]:
        most, where = math.inf, where if most > CLOSE else "its rows or columns are others"
    return most, where


def _by(one: Any, two: Any) -> float:
    if one == two:
        return 0.0
    try:
        a, b = float(one), float(two)
    except (TypeError, ValueError):
        return math.inf
    apart = abs(a - b) / max(1, abs(a), abs(b))
    return math.inf if math.isnan(apart) else apart


def may_differ(before: Path, after: Path) -> bool:
    """Say whether other versions of libraries may be all that makes two files differ.

    They draw figures and lay out paper in another way; a page differs in its figures and styles,
    in which fonts are, alone.
    """
    if before.suffix != ".html":
        return before.suffix in (".pdf", ".svg")
    one, two = (_DRAWN.sub(b"", file.read_bytes()) for file in (before, after))
    return one == two


def causes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Say what two manifests say differently of how their reports were made."""
    found = []
    for part in ("versions", "libraries"):
        one, two = before.get(part, {}), after.get(part, {})
        for name in _differing(one, two):
            was, is_ = one.get(name, "not said"), two.get(name, "not said")
            found.append(f"version: {name} was {was}, here it is {is_}")
    if before.get("seed") != after.get("seed"):
        was, is_ = before.get("seed"), after.get("seed")
        found.append(f"seed: it was {was}, the rebuild began with {is_}")
    if keys := _differing(before.get("configuration", {}), after.get("configuration", {})):
        found.append(f"configuration: the manifest contradicts itself in {', '.join(keys)}")
    for part, what in (("sources", "predictions"), ("report_sources", "texts")):
        if before.get(part) != after.get(part):
            found.append(f"input: other {what} were read")
    if before.get("code") != after.get("code"):
        was, is_ = (str(it.get("code"))[:12] for it in (before, after))
        found.append(f"code: it was {was}, here it is {is_}")
    elif before.get("released") != after.get("released"):
        found.append("version: this code has become a release, or is none here")
    return found


def _differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    names = dict.fromkeys([*before, *after])
    return [name for name in names if before.get(name) != after.get(name)]


def first_stage(before: Mapping[str, str], after: Mapping[str, str]) -> str | None:
    """Name the first stage whose table differs between two manifests' `results`; None: no stage.

    >>> first_stage({"roc/a.parquet": "0f", "bands/a.parquet": "1f"}, {"roc/a.parquet": "0f"})
    'bands'
    """
    found = _differing(before, after)
    return found[0].split("/")[0].removesuffix(".parquet") if found else None


def fonts(pdf: bytes) -> set[str]:
    """Name the fonts that a PDF carries, without the tags of their subsets."""
    named = _FONT.findall(pdf)
    for packed in _STREAM.findall(pdf):
        try:
            named += _FONT.findall(zlib.decompress(packed))
        except zlib.error:
            continue
    return {name.decode("ascii", "replace").split("+")[-1] for name in named}
