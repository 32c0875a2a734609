"""What changed between two reports: what they are made of, what they decide, and their numbers."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from math import isnan
from pathlib import Path
from typing import Any, Final, Literal

import pandas as pd

from costcurves import formats
from costcurves.formats import NOTHING
from costcurves.tables.claims import CLAIMS
from costcurves.tables.contract import Contract
from costcurves.tables.files import read_csv
from costcurves.tables.inference.bands import INTERVALS
from costcurves.tables.inference.verdicts import VERDICTS
from costcurves.tables.keys import PAIR
from costcurves.tables.record.manifest import read_manifest

Kind = Literal["input", "configuration", "version", "verdict", "claim", "number"]
HASH: Final = 12  # digits that are shown of one
UNDECIDED: Final = "undecided"
SHARE: Final = 0.005  # of PC(+), by which a verdict's stretches may move without a word
NUMBER: Final = ["model", "quantity", "condition"]


@dataclass(frozen=True)
class Change:
    """Something that one of two reports says differently."""

    kind: Kind
    dataset: str  # by the name of its files; empty: of the whole study
    what: str
    before: str
    after: str


@dataclass(frozen=True)
class Changes:
    """All that changed, and how many numbers did not, or stayed within each other's intervals."""

    changes: tuple[Change, ...]
    same: int
    within: int

    def plain(self) -> dict[str, Any]:
        """Give all of it as a document of plain values."""
        numbers = {"same": self.same, "within_intervals": self.within}
        return {"changes": [asdict(one) for one in self.changes], "numbers": numbers}


def changes(before: Path, after: Path) -> Changes:
    """Compare two reports; InputError where one has no manifest, or tables of other columns."""
    manifests = read_manifest(before), read_manifest(after)
    found = [*_made_of(*manifests), *_claims(before, after)]
    same = within = 0
    for slug in sorted({*_slugs(before), *_slugs(after)}):
        found += _verdicts(before, after, slug)
        compared = _numbers(before, after, slug)
        found += compared.changes
        same, within = same + compared.same, within + compared.within
    return Changes(tuple(found), same, within)


def _made_of(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    """Compare what two manifests say of inputs, configuration and versions."""
    parts: dict[Kind, tuple[str, ...]] = {
        "input": ("sources", "report_sources"),
        "configuration": ("configuration",),
        "version": ("versions", "libraries", "code"),
    }
    for kind, names in parts.items():
        one, two = ({key: _known(told.get(key)) for key in names} for told in (before, after))
        was, now = dict(_leaves(one)), dict(_leaves(two))
        for what in dict.fromkeys([*was, *now]):
            if was.get(what) != now.get(what):
                said = (NOTHING if it is None else it for it in (was.get(what), now.get(what)))
                yield Change(kind, "", what.partition(".")[2] or what, *said)


def _known(part: Any) -> Any:
    """Give sources by their paths, with the beginnings of their hashes, and another hash's, too."""
    if isinstance(part, str):
        return part[:HASH]
    if isinstance(part, list):
        return {one["path"]: one["sha256"][:HASH] for one in part}
    return part


def _leaves(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Go through what a document says: the way there by names, and the value as JSON."""
    inner: Mapping[Any, Any] = {}
    if isinstance(value, Mapping):
        inner = value
    elif isinstance(value, list) and any(isinstance(one, Mapping) for one in value):
        inner = {one.get("name", place): one for place, one in enumerate(value)}
    if not inner:
        yield name, value if isinstance(value, str) else json.dumps(value)
    for key, one in inner.items():
        yield from _leaves(one, f"{name}.{key}" if name else str(key))


def _slugs(report: Path) -> list[str]:
    return [path.stem for path in (report / "tables" / "intervals").glob("*.csv")]


def _table(report: Path, name: str, contract: Contract) -> pd.DataFrame:
    """Read a table of a report; one that it does not have is one without rows."""
    path = report / "tables" / f"{name}.csv"
    return read_csv(path, contract) if path.is_file() else contract.rows([])


def _claims(before: Path, after: Path) -> Iterator[Change]:
    tables = (_table(report, "claims", CLAIMS) for report in (before, after))
    was, now = (dict(zip(table["claim"], table["verdict"], strict=True)) for table in tables)
    for claim in dict.fromkeys([*was, *now]):
        if was.get(claim) != now.get(claim):
            yield Change("claim", "", claim, was.get(claim, NOTHING), now.get(claim, NOTHING))


def _verdicts(before: Path, after: Path, slug: str) -> Iterator[Change]:
    """Compare for each pair on how much of PC(+) it is decided in which way, and by how much."""
    was, now = (
        _decided(_table(report, f"verdicts/{slug}", VERDICTS)) for report in (before, after)
    )
    for pair in dict.fromkeys([*was, *now]):
        one, two = was.get(pair, {}), now.get(pair, {})
        shares = [(one.get(it, (0, 0))[0], two.get(it, (0, 0))[0]) for it in {*one, *two}]
        if pair not in was or pair not in now or any(abs(a - b) > SHARE for a, b in shares):
            said = (_in_words(pair, known.get(pair)) for known in (was, now))
            yield Change("verdict", slug, " against ".join(pair[1:]), *said)


def _decided(rows: pd.DataFrame) -> dict[Any, dict[str, tuple[float, float]]]:
    """Add up for each pair how much of PC(+) has a finding, and its largest difference there."""
    found: dict[Any, dict[str, tuple[float, float]]] = {}
    for row in rows.to_dict("records"):
        own = found.setdefault(tuple(row[name] for name in PAIR), {})
        if row["finding"] != UNDECIDED:
            wide, largest = own.get(row["finding"], (0.0, 0.0))
            wide += row["pc_to"] - row["pc_from"]
            own[row["finding"]] = wide, max(largest, abs(row["largest_difference"]))
    return found


def _in_words(pair: tuple[str, ...], found: Mapping[str, tuple[float, float]] | None) -> str:
    if found is None:
        return NOTHING
    names = {"A cheaper": f"{pair[1]} cheaper", "B cheaper": f"{pair[2]} cheaper"}
    said = [
        f"{names.get(name, name)} on {formats.share(wide)} of PC(+), by up to {formats.cost(size)}"
        for name, (wide, size) in sorted(found.items())
    ]
    return "; ".join(said) or UNDECIDED


def _numbers(before: Path, after: Path, slug: str) -> Changes:
    """Compare numbers with intervals; those that left each other's are changes."""
    one, two = (
        _table(report, f"intervals/{slug}", INTERVALS).set_index(NUMBER)
        for report in (before, after)
    )
    found, same, within = [], 0, 0
    for key in dict.fromkeys([*one.index, *two.index]):
        was, now = (rows.loc[key] if key in rows.index else None for rows in (one, two))
        if was is not None and now is not None:
            if was["value"] == now["value"] or (isnan(was["value"]) and isnan(now["value"])):
                same += 1
                continue
            if _holds(was, now["value"]) and _holds(now, was["value"]):
                within += 1
                continue
        model, quantity, condition = key
        what = f"{model}, {quantity}{' at ' if condition else ''}{condition}"
        said = (NOTHING if it is None else _estimate(quantity, it) for it in (was, now))
        found.append(Change("number", slug, what, *said))
    return Changes(tuple(found), same, within)


def _holds(row: Mapping[Any, Any], value: float) -> bool:
    return bool(row["low"] <= value <= row["high"])


def _estimate(quantity: str, row: Mapping[Any, Any]) -> str:
    written = formats.pc if quantity.startswith("range") else formats.cost
    ends = " to ".join(NOTHING if isnan(it) else written(it) for it in (row["low"], row["high"]))
    return f"{NOTHING if isnan(row['value']) else written(row['value'])} ({ends})"
