"""What changed between two reports: what they are made of, what they decide, and their numbers."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import isnan
from pathlib import Path
from typing import Any, Final, Literal

import pandas as pd

from costcurves import formats
from costcurves.archive.paired import Compared, Difference, Uses, paired
from costcurves.command.answers import OF_CASES, answers_of, estimate, threshold
from costcurves.formats import NOTHING
from costcurves.tables.claims import CLAIMS
from costcurves.tables.configuration.dataset import name_of
from costcurves.tables.configuration.study import parse_study
from costcurves.tables.contract import Contract
from costcurves.tables.files import read_csv
from costcurves.tables.inference.bands import INTERVALS
from costcurves.tables.inference.verdicts import VERDICTS
from costcurves.tables.keys import PAIR
from costcurves.tables.record.manifest import read_manifest

Kind = Literal["use", "number", "verdict", "claim", "input", "configuration", "version"]
NO_USE: Final = {"cheapest": NOTHING, "threshold": None, "member": ""}
BY_COST: Final = "{}, weighted by cost"
COST: Final = "; cost {}"
NORMALIZED: Final = "{}, normalized"  # beside costs in a unit
OWN_COSTS: Final = "own costs"  # the condition that the costs of each case make
HASH: Final = 12  # digits that are shown of one
UNDECIDED: Final = "undecided"
CHEAPER: Final = "{} cheaper"
ON: Final = "{} on {} of PC(+), by up to {}"
SHARE: Final = 0.005  # of PC(+), by which a verdict's stretches may move without a word
NUMBER: Final = ["model", "quantity", "condition"]
QUANTITIES: Final = {
    "cost": "{}: cost at {}",
    "area": "{}: mean cost over all PC(+), the area under the curve",
    "tec": "{}: mean cost over PC(+) by the weights of the study",
    "range start": "{}: PC(+) from which it is cheaper than both no-model baselines",
    "range end": "{}: PC(+) up to which it is cheaper than both no-model baselines",
}


@dataclass(frozen=True)
class Change:
    """Something that one of two reports says differently."""

    kind: Kind
    dataset: str  # by the name of its files; empty: of the whole study
    what: str
    before: str
    after: str  # the same as before only of what to use, which is said in any case
    difference: str = ""  # on the same cases, with its interval


@dataclass(frozen=True)
class Changes:
    """All that changed, and how many numbers did not, or not beyond chance."""

    changes: tuple[Change, ...]
    same: int
    within: int
    notes: tuple[str, ...] = ()  # on which cases costs were compared

    def plain(self) -> dict[str, Any]:
        """Give all of it as a document of plain values."""
        numbers = {"same": self.same, "within_intervals": self.within}
        changes = [asdict(one) for one in self.changes]
        return {"changes": changes, "numbers": numbers, "notes": [*self.notes]}


def changes(before: Path, after: Path, folders: Sequence[Path] = (Path(),)) -> Changes:
    """Compare two reports, case by case where the predictions of both are in folders.

    InputError where one has no manifest, or tables of other columns.
    """
    manifests = read_manifest(before), read_manifest(after)
    uses = [
        {(it["dataset"], it["condition"]): it for it in answers_of(one)} for one in (before, after)
    ]
    costs, notes = paired(manifests, uses, folders)
    found = [*_uses(uses, costs), *_claims(before, after), *_made_of(*manifests)]
    same = within = 0
    for slug in sorted({*_slugs(before), *_slugs(after)}):
        found += _verdicts(before, after, slug)
        compared = _numbers(before, after, slug, costs.get(slug, {}))
        found += compared.changes
        same, within = same + compared.same, within + compared.within
    titles = {name: row["title"] for it in uses for (name, _), row in it.items()}
    titles |= {slug: titles[name] for name, slug in _files(manifests).items() if name in titles}
    titles |= {name_of(it, weighted=True): BY_COST.format(title) for it, title in titles.items()}
    named = (replace(it, dataset=titles.get(it.dataset, it.dataset)) for it in found)
    return Changes(tuple(named), same, within, tuple(notes))


def _uses(uses: Sequence[Uses], costs: Mapping[str, Compared]) -> Iterator[Change]:
    """Say what each report recommends at each condition, and its cost where that changed."""
    for name, condition in dict.fromkeys([*uses[1], *uses[0]]):
        rows = [it.get((name, condition), NO_USE) for it in uses]
        was, now = (f"{it['cheapest']}{threshold(it)}" for it in rows)
        if was != now:
            was, now = (f"{was}{_cost(rows[0])}", f"{now}{_cost(rows[1])}")
        own = costs.get(name_of(name, weighted=condition == OWN_COSTS), {})
        one = own.get((rows[0]["cheapest"], rows[1]["cheapest"]), {}).get(("cost", condition))
        form = "{}" if rows[1].get("amount") is None else NORMALIZED
        yield Change("use", name, condition, was, now, _difference(one, form))


def _cost(row: Mapping[str, Any]) -> str:
    return "" if row is NO_USE else COST.format(estimate({**row}, "cost", "amount", OF_CASES))


def _difference(one: Difference | None, form: str = "{}") -> str:
    if one is None:
        return ""
    low, value, high = map(formats.signed, one.rate)
    return form.format(f"{value} ({low} to {high})")


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


def _files(manifests: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Give the names of the files of each dataset."""
    studies = (parse_study(it["given"], files=False) for it in manifests)
    return {one.name: one.slug for study in studies for one in study.datasets}


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
            said = (_in_words(known.get(pair)) for known in (was, now))
            yield Change("verdict", slug, " against ".join(pair[1:]), *said)


def _decided(rows: pd.DataFrame) -> dict[Any, dict[str, tuple[float, float]]]:
    """Add up for each pair how much of PC(+) has a finding, and its largest difference there."""
    found: dict[Any, dict[str, tuple[float, float]]] = {}
    for row in rows.to_dict("records"):
        family, *models = (row[name] for name in PAIR)
        own = found.setdefault((family, *sorted(models)), {})  # models may come in another order
        if row["finding"] != UNDECIDED:
            names = {"A cheaper": models[0], "B cheaper": models[1]}
            who = row["finding"]
            who = CHEAPER.format(names[who]) if who in names else who
            wide, largest = own.get(who, (0.0, 0.0))
            wide += row["pc_to"] - row["pc_from"]
            own[who] = wide, max(largest, abs(row["largest_difference"]))
    return found


def _in_words(found: Mapping[str, tuple[float, float]] | None) -> str:
    if found is None:
        return NOTHING
    said = [
        ON.format(who, formats.share(wide), formats.cost(size))
        for who, (wide, size) in sorted(found.items())
    ]
    return "; ".join(said) or UNDECIDED


def _numbers(before: Path, after: Path, slug: str, costs: Compared) -> Changes:
    """Compare numbers with intervals: differences on the same cases with zero, others two by two.

    Those that left each other's intervals are changes.
    """
    one, two = (
        _table(report, f"intervals/{slug}", INTERVALS).set_index(NUMBER)
        for report in (before, after)
    )
    found, same, within = [], 0, 0
    for key in dict.fromkeys([*one.index, *two.index]):
        was, now = (rows.loc[key] if key in rows.index else None for rows in (one, two))
        model, quantity, condition = key
        paired_with = costs.get((model, model), {}).get((quantity, condition))
        if quantity == "tec" and all(_like_area(rows, model) for rows in (one, two)):
            continue
        if was is not None and now is not None:
            if was["value"] == now["value"] or (isnan(was["value"]) and isnan(now["value"])):
                same += 1
                continue
            near = _holds(was, now["value"]) and _holds(now, was["value"])
            if near if paired_with is None else not paired_with.beyond:
                within += 1
                continue
        one_said, two_said = (
            NOTHING if it is None else _estimate(quantity, it) for it in (was, now)
        )
        what = QUANTITIES[quantity].format(model, condition)
        found.append(Change("number", slug, what, one_said, two_said, _difference(paired_with)))
    return Changes(tuple(found), same, within)


def _like_area(rows: pd.DataFrame, model: str) -> bool:
    """Say whether the mean by the study's weights is the area, which is listed already."""
    area, tec = ((model, name, "") for name in ("area", "tec"))
    values = dict(zip(rows.index, rows["value"], strict=True))
    return area in values and values[area] == values.get(tec)


def _holds(row: Mapping[Any, Any], value: float) -> bool:
    return bool(row["low"] <= value <= row["high"])


def _estimate(quantity: str, row: Mapping[Any, Any]) -> str:
    written = formats.pc if quantity.startswith("range") else formats.cost
    ends = " to ".join(NOTHING if isnan(it) else written(it) for it in (row["low"], row["high"]))
    return f"{NOTHING if isnan(row['value']) else written(row['value'])} ({ends})"
