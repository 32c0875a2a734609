"""What a configuration must mean besides its types and bounds: every finding in words."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from costcurves.names import (
    DECEIVING,
    SLUG_WORDS,
    is_slug,
    look,
    nearest,
    not_local,
    quoted,
    slugs,
    some,
    twins,
    unusable,
)
from costcurves.predictions.kinds import KINDS
from costcurves.settings import (
    CAPACITY,
    NEEDS,
    TEXT,
    DatasetKeys,
    Findings,
    OperatingCondition,
    Place,
    StudyKeys,
    name_of,
    repeated,
)
from costcurves.study.claims import broken_claims

CONDITIONS: Final = (
    "expected either pc, or cost_ratio, or cost_fn and cost_fp (with an optional unit; with costs "
    "an optional prior, and in each case an optional name)"
)
WAYS: Final = ({"cost_ratio"}, {"cost_fn", "cost_fp"}, {"cost_fn", "cost_fp", "unit"})
NO_NAMES: Final = ("columns", "delimiter", "description", "missing", "where")
IN_TURN: Final = "can't be given with 'classes:': each class is the positive one in turn"


def meaning_findings(study: StudyKeys, files: bool) -> Findings:
    """Find what makes no sense in a configuration; if `files`, also files that are not there."""
    for find in (_unusable_names, _repeated_names, _broken_conditions, _broken_prior):
        yield from find(study)
    yield from _broken_selection(study)
    yield from broken_claims(study)
    for index, dataset in enumerate(study.datasets):
        of_dataset = (
            *_broken_classes(dataset),
            *_broken_costs(dataset),
            *_broken_expected(dataset),
            *_broken_files(dataset, files),
        )
        for place, why in of_dataset:
            yield ("datasets", index, *place), why


def _unusable_names(study: StudyKeys) -> Findings:
    """Find names that can't be used: for files, in tables, in a report."""
    if not is_slug(study.study):
        yield ("study",), f"is {study.study!r}, expected {SLUG_WORDS}"
    wrong = re.search(f"(?![\t\r\n]){DECEIVING}|[\ud800-\udfff]", study.description or "")
    if wrong:
        yield ("description",), f"has the character {wrong.group()!r}, expected plain text"
    for place, text in _texts(asdict(study), ()):
        if why := unusable(text):
            yield place, why


def _texts(value: Any, place: Place) -> Iterator[tuple[Place, str]]:
    """Return each text that is a name, not one of prediction files."""
    if isinstance(value, str) and value:
        yield place, value
    parts = value.items() if isinstance(value, Mapping) else ()
    for part, inner in enumerate(value) if isinstance(value, list | tuple) else parts:
        if part == "classes":
            yield from (((*place, part), name) for name in inner or ())
        elif part not in NO_NAMES:
            yield from _texts(inner, (*place, part))


def _broken_conditions(study: StudyKeys) -> Findings:
    """Find operating conditions that are given in no way, or in several."""
    for index, condition in enumerate(study.operating_conditions or ()):
        keys = {key for key, value in vars(condition).items() if value is not None} - {"name"}
        costs = keys - {"prior"}
        if keys != {"pc"} and costs not in WAYS:
            given = [key for key in vars(condition) if key in keys]
            yield ("operating_conditions", index), f"is given with {some(given)}, {CONDITIONS}"
            return  # it has no name
    conditions = [OperatingCondition.configured(keys) for keys in study.operating_conditions or ()]
    yield from _repeated("operating_conditions", [condition.name for condition in conditions])


def _repeated_names(study: StudyKeys) -> Findings:
    """Find names that are given twice, or that a reader or a file system takes for the same."""
    names = [dataset.name for dataset in study.datasets]
    yield from _repeated("datasets", names)
    owners = dict[str, str]()
    for index, (dataset, slug) in enumerate(zip(study.datasets, slugs(names), strict=True)):
        made = {look(name): name for name in (dataset.name, *dataset.parts)}
        made |= {file.casefold(): file for file in dataset.part_files(slug)}
        for name in (dataset.name, slug) if dataset.costs is not None else ():
            made[look(name_of(name, weighted=True))] = name_of(name, weighted=True)
        for key, name in made.items():
            owner = owners.setdefault(key, dataset.name)
            if look(owner) != look(dataset.name):
                both = f"it and {owner!r} both make {name!r}"
                why = "as classes and costs are added to names; expected another name"
                yield ("datasets", index), f"is called {dataset.name!r}: {both}, {why}"


def _repeated(key: str, names: Sequence[str]) -> Findings:
    for index, name in enumerate(names):
        if name in names[:index]:
            yield (key, index), f"is called {name!r} like one before it, expected another name"
    for first, second in twins(names):
        yield (key, names.index(second)), f"is called {second!r}, which looks like {first!r}"


def _broken_classes(dataset: DatasetKeys) -> Findings:
    """Find what can't be said of a dataset with several classes."""
    if not dataset.each_class:
        return
    if dataset.positive is not None:
        yield ("positive",), IN_TURN
    if dataset.about.positive is not None:
        yield ("about", "positive"), IN_TURN
    if dataset.prior is not None:
        yield ("prior",), "can't be given with 'classes:': each class has its own"
    if dataset.costs is not None:
        why = "what a mistake costs depends on which class is the positive one"
        yield ("costs",), f"can't be given with 'classes:': {why}"
    classes = dataset.classes
    for column in repeated([*classes.values()] if isinstance(classes, Mapping) else ()):
        yield ("classes",), f"has the column {column!r} twice"


def _broken_costs(dataset: DatasetKeys) -> Findings:
    """Find benefits that grow with a number that no column gives, and columns without benefits."""
    if dataset.costs is None:
        return
    column, benefit = dataset.costs.column, dataset.costs.benefit
    cells = {} if benefit is None else benefit.cells
    growing = [name for name, cell in cells.items() if cell.coefficient]
    if column is None and growing:
        yield ("costs",), f"lacks the key 'column': benefit.{growing[0]} grows with its number"
    if column is not None and not growing:
        yield ("costs", "column"), "is given, but no cell of 'benefit:' has a coefficient"
    if column in TEXT:
        yield ("costs", "column"), f"is {column!r}, which holds names, expected one of numbers"


def _broken_expected(dataset: DatasetKeys) -> Findings:
    """Find findings that there are not."""
    for number, name in enumerate(dataset.expected):
        if name not in KINDS:
            hint = nearest(name, [*KINDS])
            yield ("expected", number), f"is {quoted(name)}, which is no finding; {hint}"


def _broken_files(dataset: DatasetKeys, there: bool) -> Findings:
    """Find URLs and databases, none of which is ever opened, and files that do not exist."""
    for number, path in enumerate(dataset.predictions):
        place = ("predictions", number)
        if why := not_local(path):
            yield place, f"is {why}"
        elif there and "\0" not in path and not os.path.exists(path):  # noqa: PTH110 - never raises
            yield place, f"is {path!r}, which does not exist in the folder where the command runs"


def _broken_prior(study: StudyKeys) -> Findings:
    """Find distributions of PC(+) that are none."""
    prior = study.prior
    given = [key for key, value in vars(prior).items() if value is not None]
    needed = {"beta": ("a", "b"), "cost ratio": ("low", "high", "prior")}.get(prior.kind, ())
    lacking = [key for key in needed if key not in given]
    more = [key for key in given if key not in ("kind", "low", "high", *needed)]
    for key in lacking:
        yield ("prior",), f"lacks the key {key!r}, which {prior.kind!r} needs"
    for key in more:
        yield ("prior", key), f"is given, but {prior.kind!r} has none"
    if given[1:] and not lacking and not more:
        from costcurves.curves.priors import weight_of_pc  # which takes a while

        try:
            weight_of_pc(prior)
        except ValueError as error:
            yield ("prior",), f"is no distribution: {error}"


def _broken_selection(study: StudyKeys) -> Findings:
    """Find a capacity that is no number of cases, and rules without what they need."""
    selection = study.selection
    capacity = selection.capacity
    if isinstance(capacity, float) and not capacity.is_integer():
        yield ("selection", "capacity"), f"is {capacity}, expected {CAPACITY}"
    for index, name in enumerate(selection.criteria or ()):
        if name in NEEDS and getattr(selection, NEEDS[name]) is None:
            why = f"is {name!r}, which needs selection.{NEEDS[name]}: give it, or leave this out"
            yield ("selection", "criteria", index), why
