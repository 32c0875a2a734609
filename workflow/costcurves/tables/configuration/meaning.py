"""What a configuration must mean besides keeping to the schema: every finding in words."""

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from costcurves.tables.configuration.claim_keys import broken_claims
from costcurves.tables.configuration.dataset import name_of, part_files, parts
from costcurves.tables.configuration.names import (
    DECEIVING,
    SLUG_WORDS,
    is_slug,
    look,
    not_local,
    slugs,
    some,
    twins,
    unusable,
)
from costcurves.tables.configuration.reading_keys import SEGMENT, TEXT
from costcurves.tables.configuration.schema import Findings, Place
from costcurves.tables.configuration.settings import CAPACITY, NEEDS, Costs, OperatingCondition

NOT_OF_CLASSES: Final = {
    "positive": "each class is the positive one in turn",
    "prior": "each class has its own",
    "costs": "what a mistake costs depends on which class is the positive one",
    "about.positive": "each class is the positive one in turn",
    "about.negative": "each class is the positive one in turn",
}


def meaning_findings(content: Mapping[str, Any], *, files: bool) -> list[tuple[Place, str]]:
    """Find what makes no sense in a configuration, with its defaults, that keeps to the schema.

    Whether files are there is checked if `files`.
    """
    checks = [
        _unusable_names,
        _unusable_description,
        _repeated_names,
        _broken_prior,
        _broken_selection,
        broken_claims,
        _broken_segments,
        _broken_costs,
        _broken_matrix,
        _broken_classes,
        _not_local,
        *((_missing_files,) if files else ()),
    ]
    return [finding for check in checks for finding in check(content)]


def _unusable_names(content: Mapping[str, Any]) -> Findings:
    """Find names that can't be used: for files, in tables, in a report."""
    if not is_slug(content["study"]):
        yield ("study",), f"is {content['study']!r}, expected {SLUG_WORDS}"
    for place, name in _names(content):
        if name is not None and (why := unusable(name)):
            yield place, why


def _unusable_description(content: Mapping[str, Any]) -> Findings:
    """Find a description that is more than plain text."""
    wrong = re.search(f"(?![\t\r\n]){DECEIVING}|[\ud800-\udfff]", content["description"] or "")
    if wrong:
        yield ("description",), f"has the character {wrong.group()!r}, expected plain text"


def _names(content: Mapping[str, Any]) -> Iterator[tuple[Place, str | None]]:
    yield ("title",), content["title"]
    yield ("inference", "baseline"), content["inference"]["baseline"]
    for index, claim in enumerate(content["claims"]):
        yield ("claims", index, "claim"), claim["claim"]
    for index, condition in enumerate(content["operating_conditions"] or ()):
        yield ("operating_conditions", index, "name"), condition.get("name")
    for index, dataset in enumerate(content["datasets"]):
        place = ("datasets", index)
        for key in ("name", "title", "positive"):
            yield (*place, key), dataset.get(key)
        for key in ("unit", "column"):
            name = (dataset.get("costs") or {}).get(key)
            yield (*place, "costs", key), name or None
        for key, text in dataset["about"].items():
            yield (*place, "about", key), text
        for key in ("models", "predictions"):
            for number, name in enumerate(dataset.get(key) or []):
                yield (*place, key, number), name
        for name in dataset.get("classes") or []:
            yield (*place, "classes"), name


def _repeated_names(content: Mapping[str, Any]) -> Findings:
    """Find names that are given twice, or that a reader or a file system takes for the same."""
    conditions = map(OperatingCondition.configured, content["operating_conditions"] or ())
    yield from _repeated("operating_conditions", [one.name for one in conditions])
    datasets = content["datasets"]
    names = [one["name"] for one in datasets]
    yield from _repeated("datasets", names)
    owners: dict[tuple[str, str], str] = {}
    for index, (one, file_name) in enumerate(zip(datasets, slugs(names), strict=True)):
        for what, called, key in _made(one, file_name):
            owner = owners.setdefault((what, key), one["name"])
            if look(owner) != look(one["name"]):
                both = f"it and {owner!r} both have {what} called {called!r}"
                why = "as classes and costs are added to names; expected another name"
                yield ("datasets", index), f"is called {one['name']!r}: {both}, {why}"


def _repeated(key: str, names: Sequence[str]) -> Findings:
    for index, name in enumerate(names):
        if name in names[:index]:
            yield (key, index), f"is called {name!r} like one before it, expected another name"
    for first, second in twins(names):
        yield (key, names.index(second)), f"is called {second!r}, which looks like {first!r}"


def _made(dataset: Mapping[str, Any], file_name: str) -> Iterator[tuple[str, str, str]]:
    """Say what a configured dataset makes, how that is called, and what must not be the same."""
    names, files = [dataset["name"], *parts(dataset)], [*part_files(dataset, file_name)]
    if dataset.get("costs") is not None:
        names.append(name_of(dataset["name"], weighted=True))
        files.append(name_of(file_name, weighted=True))
    for name in dict.fromkeys(names):
        yield "a dataset", name, look(name)
    for file in files:
        yield "files", file, file.casefold()


def _broken_classes(content: Mapping[str, Any]) -> Findings:
    """Find what can't be said of a dataset with several classes."""
    for index, dataset in enumerate(content["datasets"]):
        if classes := dataset.get("classes"):
            given = {f"about.{key}": text for key, text in dataset["about"].items()} | dataset
            for key, why in NOT_OF_CLASSES.items():
                if given[key] is not None:
                    place: Place = ("datasets", index, *key.split("."))
                    yield place, f"can't be given with 'classes:': {why}"
            columns = classes.values() if isinstance(classes, Mapping) else classes
            for column, times in Counter(columns).items():
                if times > 1:
                    yield ("datasets", index, "classes"), f"has the column {column!r} twice"


def _broken_segments(content: Mapping[str, Any]) -> Findings:
    """Find segments by columns that say something else: they would be taken from there."""
    for index, dataset in enumerate(content["datasets"]):
        columns = {it: role for role, it in (dataset.get("columns") or {}).items() if str(it) == it}
        columns |= {name: name for name in (*TEXT, "score", "weight")}
        for number, name in enumerate(dataset.get("segments") or ()):
            if columns.get(name, role := f"{SEGMENT}{name}") != role:
                why = f"is {name!r}, which is the {columns[name]}; copy that column under another"
                yield ("datasets", index, "segments", number), f"{why} name, and name the copy"


def _broken_costs(content: Mapping[str, Any]) -> Findings:
    """Find benefits that grow with a number that no column gives, and columns without benefits."""
    for index, dataset in enumerate(content["datasets"]):
        costs, place = dataset.get("costs") or {}, ("datasets", index, "costs")
        benefit = Costs.from_plain(costs).benefit
        column = costs.get("column")
        cells = {} if benefit is None else benefit.cells
        grow = [name for name, cell in cells.items() if cell.coefficient]
        if column is None and grow:
            yield place, f"lacks the key 'column': benefit.{grow[0]} grows with its number"
        if column is not None and not grow:
            yield (*place, "column"), "is given, but no cell of 'benefit:' has a coefficient"
        if column in TEXT:
            yield (*place, "column"), f"is {column!r}, which holds names, expected one of numbers"


def _broken_matrix(content: Mapping[str, Any]) -> Findings:
    """Find costs of decisions that are not of each class, and correct ones that cost too much."""
    for index, dataset in enumerate(content["datasets"]):
        matrix, place = dataset.get("cost_matrix"), ("datasets", index, "cost_matrix")
        classes = [*(dataset.get("classes") or ())]
        if matrix is None:
            continue
        if not classes:
            why = "with two name conditions, such as {cost_fn: 5, cost_fp: 1}"
            yield place, f"is for several classes, which 'classes:' lists; {why}"
        elif content["pairing"] == "unpaired":
            yield place, "compares models on the same cases, which 'pairing: unpaired' denies"
        elif {*matrix} != {*classes}:
            yield place, f"has rows for {some([*matrix])}, expected the classes, {some(classes)}"
        for true, costs in matrix.items() if classes else ():
            if {*costs} != {*classes}:
                why = f"has costs of {some([*costs])}, expected those of {some(classes)}"
                yield (*place, true), why
            elif true in costs and costs[true] > min(costs.values()):
                less = min(costs, key=costs.__getitem__)
                why = f"has {costs[true]:g} for being right, more than {costs[less]:g} for {less!r}"
                yield (*place, true), why


def _broken_prior(content: Mapping[str, Any]) -> Findings:
    """Find distributions of PC(+) that are none."""
    prior = content["prior"]
    low, high = prior.get("low", 0), prior.get("high", 1)
    if low >= high:
        yield ("prior",), f"goes from {low} to {high}, expected low < high"


def _broken_selection(content: Mapping[str, Any]) -> Findings:
    """Find a capacity that is no number of cases, and criteria without what they need."""
    selection = content["selection"]
    capacity = selection.get("capacity")
    if isinstance(capacity, float) and not capacity.is_integer():
        yield ("selection", "capacity"), f"is {capacity}, expected {CAPACITY}"
    for index, name in enumerate(selection.get("criteria") or []):
        if name in NEEDS and selection.get(NEEDS[name]) is None:
            why = f"is {name!r}, which needs selection.{NEEDS[name]}: give it, or leave this out"
            yield ("selection", "criteria", index), why


def _not_local(content: Mapping[str, Any]) -> Findings:
    """Find sources that are URLs or databases: none is ever opened."""
    for place, path in _prediction_files(content):
        if why := not_local(path):
            yield place, f"is {why}"


def _missing_files(content: Mapping[str, Any]) -> Findings:
    """Find files of predictions that do not exist."""
    for place, path in _prediction_files(content):
        unseen = not_local(path) is None and "\0" not in path
        if unseen and not os.path.exists(path):  # noqa: PTH110 - never raises
            yield place, f"is {path!r}, which does not exist in the folder where the command runs"


def _prediction_files(content: Mapping[str, Any]) -> Findings:
    """List the files of predictions, each with the place of its name."""
    for index, dataset in enumerate(content["datasets"]):
        for number, path in enumerate(dataset["predictions"]):
            yield ("datasets", index, "predictions", number), path
