"""A study for given prediction files: which datasets they hold, and a configuration of them."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final, get_type_hints

import pyarrow as pa
import pyarrow.compute as pc

from costcurves.errors import of_all, refuse
from costcurves.names import quoted, unusable
from costcurves.settings import OF_CLASS, SEGMENT, Costs, DatasetKeys, Group, ReadingKeys, StudyKeys
from costcurves.study.models import meanings
from costcurves.study.strict_yaml import as_yaml
from costcurves.tables.input.headers import COSTS, TRUTH
from costcurves.tables.input.opening import open_files
from costcurves.tables.input.reading import PredictionFile, read_columns
from costcurves.tables.input.rows import MOST_SEGMENTS
from costcurves.tables.input.sources import study_name
from costcurves.tables.reading_limits import crowd_findings


@dataclass(frozen=True)
class FoundDataset:
    """A dataset that files hold, with its models and labels by first appearance."""

    name: str
    files: Mapping[str, str]  # sha256 by path
    models: tuple[str, ...]
    labels: tuple[str, ...]
    classes: tuple[str, ...] = ()  # all, where each is to be the positive one in turn
    # The means of `COSTS` by label: 0 where some cost is 0 or not said; empty: files have no costs.
    paid: Mapping[str, Sequence[float]] = field(default_factory=dict)
    alone: bool = False  # with one instance in each fold
    notes: tuple[str, ...] = ()  # how its files were read
    amount: str = ""  # a column that may say what a miss costs
    segments: tuple[str, ...] = ()  # what columns called so say

    @property
    def needs_positive(self) -> bool:
        """Whether its labels do not say which class is positive."""
        return not (self.classes or all(label.lower() in TRUTH for label in self.labels))


@dataclass(frozen=True)
class _File:
    """What a prediction file holds."""

    path: str
    paths: Mapping[str, str]  # with those that it is joined with: sha256
    table: pa.Table
    classes: tuple[str, ...]  # of which it has scores
    datasets: tuple[str, ...]  # that its rows name
    notes: tuple[str, ...]  # how it was read
    amount: str  # a column that may say what a miss costs


def find_datasets(
    files: Sequence[str], said: ReadingKeys | None = None, classes: Sequence[str] = ()
) -> tuple[FoundDataset, ...]:
    """Find the datasets that prediction files hold, in order of appearance.

    Their `classes` are those that are given, or else what labels and columns say. Files without a
    column ``dataset`` are of the only one that others hold, or of one of their own.
    """
    held = of_all(_file, open_files(files, said or ReadingKeys()))
    known = list(dict.fromkeys(name for one in held for name in one.datasets))
    unnamed = next((one.path for one in held if not one.datasets), "")
    own = (known[0] if len(known) == 1 else study_name(unnamed),)
    datasets = dict.fromkeys(name for one in held for name in one.datasets or own)
    crowded = crowd_findings({"datasets": len(datasets)})
    refuse(f"{', '.join(files)}: {why}" for why in crowded)
    found = tuple(
        _found(name, [one for one in held if name in (one.datasets or own)], classes)
        for name in datasets
    )
    refuse(why for one in found for why in _unusable(one))
    del held
    pa.default_memory_pool().release_unused()  # jobs need the memory, beside this process
    return found


def _file(file: PredictionFile) -> _File:
    names, table = file.names, None
    classes = tuple(name.removeprefix(OF_CLASS) for name in names if name.startswith(OF_CLASS))
    if classes and "score" not in names:
        table = read_columns(file, score=f"{OF_CLASS}{classes[0]}")
    if table is None or not {*table["label"].unique().to_pylist()} <= {*classes}:
        table, classes = read_columns(file), ()
    named = _values([table], "dataset") if "dataset" in table.column_names else ()
    path, hashes = file.source.path, {one.path: one.sha256 for one in (file.source, *file.beside)}
    notes = tuple(f"{path}: {note}" for note in file.notes)
    classes = classes if len(classes) > 2 else ()
    amount = next((one.seen for one in file.seen if one.finding == "amounts"), "")
    return _File(path, hashes, table, classes, named, notes, amount)


def _found(dataset: str, files: Sequence[_File], given: Sequence[str]) -> FoundDataset:
    tables = [
        one.table.filter(pc.equal(one.table["dataset"], dataset)) if one.datasets else one.table
        for one in files
    ]
    labels = _values(tables, "label")
    classes = (*given,) or tuple(dict.fromkeys(name for one in files for name in one.classes))
    if len(labels) > 2 and not any("score" in table.column_names for table in tables):
        classes = labels
    return FoundDataset(
        name=dataset,
        files={path: digest for one in files for path, digest in one.paths.items()},
        models=_values(tables, "model"),
        labels=labels,
        classes=classes,
        paid=_paid(tables, labels) if len(labels) == 2 else {},
        alone=all(map(_alone, tables)),
        notes=tuple(note for one in files for note in one.notes),
        amount=files[0].amount,
        segments=tuple(
            name.removeprefix(SEGMENT)
            for name in dict.fromkeys(it for table in tables for it in table.column_names)
            if name.startswith(SEGMENT) and _divides(tables, name)
        ),
    )


def _paid(tables: Sequence[pa.Table], labels: Sequence[str]) -> dict[str, list[float]]:
    """Average what mistakes cost by label."""
    known = {"label", *COSTS}
    parts = [table.select([it for it in table.column_names if it in known]) for table in tables]
    whole = pa.concat_tables(parts, promote_options="default")
    given = [name for name in COSTS if name in whole.column_names]
    if all(whole[name].null_count == len(whole) for name in given):
        return {}

    def mean(costs: pa.ChunkedArray) -> float:
        has_all = not costs.null_count and pc.min(costs).as_py() > 0
        return float(pc.mean(costs).as_py()) if has_all else 0.0

    each = {label: whole.filter(pc.equal(whole["label"], label)) for label in labels}
    return {
        label: [mean(rows[name]) if name in given else 0.0 for name in COSTS]
        for label, rows in each.items()
    }


def _divides(tables: Sequence[pa.Table], name: str) -> bool:
    """Whether a column divides the cases into a few segments."""
    having = [table for table in tables if name in table.column_names]
    return 2 <= len(_values(having, name)) <= MOST_SEGMENTS


def _alone(table: pa.Table) -> bool:
    """Whether each fold has one instance, as in leave-one-out."""
    keys = [name for name in ("model", "member", "repeat", "fold") if name in table.column_names]
    if "fold" not in keys:
        return False
    folds, sets = (table.group_by(it).aggregate([]).num_rows for it in (keys, keys[:-1]))
    return bool(folds == table.num_rows > sets)


def _values(tables: Sequence[pa.Table], column: str) -> tuple[str, ...]:
    values = (value for table in tables for value in table[column].unique().to_pylist())
    return tuple(dict.fromkeys(str(value) for value in values if value))


def _unusable(found: FoundDataset) -> Iterator[str]:
    """Find names that no configuration takes."""
    crowded = crowd_findings({"models": len(found.models)})
    yield from (f"dataset {quoted(found.name)}: {why}" for why in crowded)
    given = {"dataset": [found.name], "model": found.models, "label": found.labels}
    for what, names in given.items():
        for name in names:
            if why := unusable(name):
                yield f"{', '.join(found.files)}: {what} {quoted(name)} {why}"


def initial_config(
    name: str,
    datasets: Sequence[FoundDataset],
    positives: Mapping[str, str],
    said: ReadingKeys | None = None,
) -> str:
    """Write a configuration; `positives` are the labels of datasets where labels do not say it."""
    reading = said or ReadingKeys()
    pooled = any(one.alone for one in datasets)
    offered = {key: it for key, it in OFFERED.items() if not (pooled and key == POOLED)}
    head = [HEAD, f"study: {_text(name)}\n", f"{POOLED}: pool{WHY_POOLED}" if pooled else ""]
    ratios = [_own_ratio(one, positives.get(one.name)) for one in datasets]
    each = list(zip(datasets, ratios, strict=True))
    own = dict.fromkeys(
        f"  - name: {_text(f'costs of {one.name[:100]}')}\n    cost_ratio: {ratio}{WHY_RATIO}"
        for one, ratio in each
        if ratio
    )
    parts = [_dataset(one, positives.get(one.name), bool(ratio), reading) for one, ratio in each]
    conditions = CONDITIONS if own else CONDITIONS.replace("\n", "\n# ").rstrip("# ")
    return "".join([*head, *_offers(StudyKeys, offered), WHY, conditions, *own, DATASETS, *parts])


def _own_ratio(found: FoundDataset, positive: str | None) -> str:
    """Write how many times as much a false negative costs as a false positive, if that is known."""
    of = {
        label == positive if positive else TRUTH.get(label.lower()) == 1: paid
        for label, paid in found.paid.items()
    }
    if found.classes or of.keys() != {False, True} or not (of[False][0] and of[True][1]):
        return ""
    ratio = of[True][1] / of[False][0]
    return f"{Decimal(f'{ratio:.4g}'):f}" if LEAST < ratio < 1 / LEAST else ""


def _offers(group: type[Group], offered: Mapping[str, Any], indent: str = "# ") -> Iterator[str]:
    """Write keys as comments: each with a value, or else its default, and what it means."""
    told, kinds = meanings(group), get_type_hints(group)
    for key, value in offered.items():
        if isinstance(value, Mapping):
            yield f"{indent}{key}:\n"
            yield from _offers(kinds[key], value, f"{indent}  ")
        else:
            shown = f" {getattr(group, key) if value is None else value}".rstrip()
            yield f"{indent}{key}:{shown}  # {_FIRST.split(told[key])[0]}\n"


def _dataset(found: FoundDataset, positive: str | None, paid: bool, said: ReadingKeys) -> str:
    lines = [
        f"  - name: {_text(found.name)}\n",
        *_offers(DatasetKeys, {"title": _text(found.name)}, "    # "),
        "    predictions:\n",
        *(f"      - {_text(file)}\n" for file in found.files),
        *(f"    {key}: {json.dumps(value)}\n" for key, value in said.given().items()),  # is YAML
        f"    positive: {_text(positive)}\n" if positive is not None else "",
    ]
    if found.classes:
        lines += ["    classes:  # each is the positive one in turn\n"]
        lines += [f"      - {_text(one)}\n" for one in found.classes]
    else:
        lines += _offers(DatasetKeys, {"prior": 0.5, "about": ABOUT}, "    # ")
        if paid:
            unit = _FIRST.split(meanings(Costs)["unit"])[0]
            lines += ["    costs:  # that its files say; without this key they are not used\n"]
            lines += [f'      unit: ""  # {unit}\n']
        elif found.paid:
            why = "its files say what mistakes cost, but not of each instance, or it is 0"
            lines += [f"    # costs:  # {why}\n", *_offers(Costs, {"unit": "$"}, "    #   ")]
        elif found.amount:
            lines += ["    # costs:  # a miss costs the amount, a false alarm 1\n"]
            lines += [f"    #   column: {_text(found.amount)}\n", f"    #   benefit: {BY_AMOUNT}\n"]
    if found.segments:
        lines += [f"    segments: {json.dumps(found.segments)}\n"]
    lines += _offers(DatasetKeys, {"models": ""}, "    # ")
    return "".join([*lines, *(f"    #   - {_text(model)}\n" for model in found.models)])


def _text(value: Any) -> str:
    """Write text so that YAML reads it as text, on one line."""
    return as_yaml(str(value)).removesuffix("\n")


_FIRST: Final = re.compile(r"[.:;](?: |$)")  # where what comes first in a meaning ends
OFFERED: Final[Mapping[str, Any]] = {  # with a value to begin with; None: the default
    "title": "Which classifier is cheaper, and when?",
    "seed": None,
    "folds_without_a_class": "pool",
    "inference": {"confidence": None, "resamples": None, "equivalence": 0.01},
    "selection": {"max_fp_rate": 0.05, "capacity": "10%"},
    "detail": "essential",
    "anonymous": "true",
}
ABOUT: Final = {"case": "loans", "positive": "repaid in time"}
HEAD: Final = """\
# A study of costcurves: config/README.md explains every key. Paths are relative to the folder where
# the command runs. What stands behind a # is not read; take the # away to say something else.
"""
POOLED: Final = "folds_without_a_class"
WHY_POOLED: Final = "  # no fold of one instance has both classes\n"
BY_AMOUNT: Final = "{tp: 0, tn: 0, fp: -1, fn: {coefficient: -1}}"
WHY_RATIO: Final = "  # of a false negative to a false positive, on average\n"
LEAST: Final = 1e-12  # cost ratio
WHY: Final = """
# Operating conditions at which the report says what to use: how many times as much a false negative
# costs as a false positive, here 1:5, 1:1 and 5:1, at the class ratio of each dataset; or with the
# proportion of positives in deployment; or by PC(+), as pc: 0.5. Those that are named here, before
# the results are looked at, share half of the error that verdicts may have.
"""
CONDITIONS: Final = """\
operating_conditions:
  - cost_ratio: 0.2
  - cost_ratio: 1
  - cost_ratio: 5
"""
DATASETS: Final = """\
  # - name: a missed case costs ten false alarms
  #   prior: 0.02
  #   cost_ratio: 10

datasets:
"""
