"""A study of given prediction files: which datasets they hold, and a configuration of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import pandas as pd

from costcurves.errors import refuse
from costcurves.names import quoted, some, unusable
from costcurves.predictions.asking import of_files
from costcurves.predictions.layouts import OF_CLASS
from costcurves.predictions.opening import PredictionFile, open_files
from costcurves.predictions.rows import COSTS, TRUTH
from costcurves.predictions.sources import study_name
from costcurves.predictions.staged import rows_of
from costcurves.settings import REST, Dataset
from costcurves.study.strict_yaml import as_yaml

PLAINLY: Final = of_files([])


@dataclass(frozen=True)
class FileDataset:
    """A dataset that files hold, with its models and labels by first appearance."""

    name: str
    files: Mapping[str, str]  # sha256 by path
    models: tuple[str, ...]
    labels: tuple[str, ...]
    classes: tuple[str, ...] = ()  # all, where each is to be the positive one in turn
    # Of each label whether all its rows have a cost above 0, of each of `COSTS`.
    paid: Mapping[str, Sequence[bool]] = field(default_factory=dict)
    alone: bool = False  # with one instance in each fold
    notes: tuple[str, ...] = ()  # how its files were read
    amount: str = ""  # a column that may say what a miss costs


def find_datasets(files: Dataset) -> tuple[FileDataset, ...]:
    """Return the datasets that prediction files hold, in order of appearance.

    Files without a column ``dataset`` are of the only one that others hold, or of one of their own.
    """
    opened = open_files(files)
    named = _values([file.frame for file in opened], "dataset")
    unnamed = next((file.source.path for file in opened if "dataset" not in file.frame), "")
    default = named[0] if len(named) == 1 else study_name(unnamed)
    parts = dict[str, list[PredictionFile]]()
    for file in opened:
        if "dataset" not in file.frame:
            parts.setdefault(default, []).append(file)
            continue
        for name, rows in file.frame.groupby("dataset", sort=False, observed=True):
            if name:
                part = replace(file, frame=rows.reset_index(drop=True))
                parts.setdefault(str(name), []).append(part)
    datasets = tuple(_dataset(name, each, files) for name, each in parts.items())
    refuse(_unusable(datasets, files.positive))
    for dataset in datasets:
        classes = dataset.classes or None
        positive = classes[0] if classes else files.positive
        keys = replace(files, name=dataset.name, classes=classes, positive=positive)
        rows_of(keys, parts[dataset.name])  # which asks what rows leave open
    return datasets


def _dataset(name: str, files: Sequence[PredictionFile], options: Dataset) -> FileDataset:
    frames = [file.frame for file in files]
    labels = _values(frames, "label")
    scored = [str(name) for name in frames[0] if str(name).startswith(OF_CLASS)]
    of_classes = tuple(name.removeprefix(OF_CLASS) for name in scored)
    classes = of_classes if len(of_classes) > 2 and {*labels} <= {*of_classes} else ()
    if len(labels) > 2 and not (scored or any("score" in frame for frame in frames)):
        classes = labels
    read = [source for file in files for source in (file.source, *file.beside)]
    findings = [finding for file in files for finding in file.findings]
    return FileDataset(
        name=name,
        files={source.path: source.sha256 for source in read},
        models=_values(frames, "model"),
        labels=labels,
        classes=() if options.positive else classes,
        paid=_paid(frames, labels) if len(labels) == 2 else {},
        alone=all(map(_alone, frames)),
        notes=tuple(f"{file.source.path}: {note}" for file in files for note in file.notes),
        amount=next((each.seen for each in findings if each.finding == "amounts"), ""),
    )


def _values(frames: Sequence[pd.DataFrame], name: str) -> tuple[str, ...]:
    """Return the texts that occur in a column, in order of appearance."""
    each = [frame[name].unique() for frame in frames if name in frame]
    return tuple(dict.fromkeys(str(text) for texts in each for text in texts if text))


def _paid(frames: Sequence[pd.DataFrame], labels: Sequence[str]) -> dict[str, list[bool]]:
    """Return of each label whether all its rows have a cost above 0, of each of `COSTS`."""
    whole = pd.concat([frame.reindex(columns=["label", *COSTS]) for frame in frames])
    costs = whole[[*COSTS]].astype(float) > 0
    return {label: costs[whole["label"] == label].all().to_list() for label in labels}


def _alone(frame: pd.DataFrame) -> bool:
    """Whether each fold has one instance, as in leave-one-out."""
    keys = [name for name in ("model", "member", "repeat", "fold") if name in frame]
    if "fold" not in keys:
        return False
    folds = len(frame[keys].drop_duplicates())
    return folds == len(frame) > len(frame[keys[:-1]].drop_duplicates())


def _unusable(datasets: Sequence[FileDataset], positive: str | None) -> Iterator[str]:
    """Find names that no configuration takes, and a positive class that no dataset has."""
    for dataset in datasets:
        if positive not in (None, *dataset.labels):
            labels = f"labels of dataset {quoted(dataset.name)} are {some(dataset.labels)}"
            yield f"--positive is {quoted(positive)}, but {labels}"
        each = {"dataset": [dataset.name], "model": dataset.models, "label": dataset.labels}
        for what, names in each.items():
            for name in names:
                if why := unusable(name):
                    yield f"{', '.join(dataset.files)}: {what} {quoted(name)} {why}"


def initial_config(
    name: str,
    datasets: Sequence[FileDataset],
    options: Dataset = PLAINLY,
    costs: Mapping[str, Any] | None = None,
) -> str:
    """Write a configuration, with comments that say what can be changed.

    `costs` are what a miss and a false alarm cost, and in which unit.
    """
    study = {"study": name}
    if any(dataset.alone for dataset in datasets):
        study["folds_without_a_class"] = "pool"  # no fold of one instance has both classes
    if options.pairing == "unpaired":
        study["pairing"] = "unpaired"
    marked = as_yaml({"operating_conditions": [dict(costs)]}) if costs else ""
    pair = datasets[0].models[:2]
    kind = "cheaper" if len(pair) == 2 else "at most\n#     at_most: 0.2"
    offered = OFFERED.format(kind, ", ".join(map(_text, pair)))
    parts = [HEAD, as_yaml(study), MONEY, marked, offered]
    for dataset in datasets:
        values: dict[str, Any] = {"name": dataset.name, "predictions": [*dataset.files]}
        values |= options.given()
        if options.positive is not None:
            values["positive"] = options.positive
        if options.rest or dataset.classes:
            values["classes"] = REST if options.rest else [*dataset.classes]
        if _costed(dataset, options.positive):
            values["costs"] = {"unit": ""}  # that its files say; without this key none are used
        parts.append(as_yaml([values]))
        if dataset.amount and not (dataset.classes or "costs" in values):
            parts.append(AMOUNT.format(_text(dataset.amount)))
        if not dataset.classes:
            parts.append("  # prior: 0.5  # the proportion of positives in deployment\n")
        models = ", ".join(map(_text, dataset.models))
        parts.append(f"  # models: [{models}]  # which, in which order\n")
    return "".join(parts)


def _costed(dataset: FileDataset, positive: str | None) -> bool:
    """Return whether files say what a mistake on each case costs, given its class."""
    given = [
        paid[label == positive if positive else TRUTH.get(label.lower()) == 1]
        for label, paid in dataset.paid.items()
    ]
    return bool(given) and all(given) and not dataset.classes


def _text(value: Any) -> str:
    """Write a value so that YAML reads it again, on one line."""
    return as_yaml(value).removesuffix("\n")


HEAD: Final = """\
# A study of costcurves: config/README.md explains every key. Paths are relative to the folder where
# the command runs. What stands behind a # is not read; take the # away to say something else.
"""
MONEY: Final = """
# What mistakes cost: a miss (false negative) and a false alarm (false positive), in any unit. The
# report says at each condition what to use, at the share of positives in each dataset or at a
# prior; in place of amounts stands a ratio (cost_ratio: 5) or PC(+) (pc: 0.5). Name them before
# looking at results: they share half of the error that verdicts may have.
# operating_conditions:
#   - cost_fn: 500
#     cost_fp: 20
#     unit: EUR
"""
AMOUNT: Final = """\
  # costs:  # a miss costs the amount, a false alarm 1
  #   column: {}
  #   benefit: {{tp: 0, tn: 0, fp: -1, fn: {{coefficient: -1}}}}
"""
OFFERED: Final = """
# What you claim, to be decided by the data:
# claims:
#   - claim: What you expect, in your own words.
#     kind: {}
#     models: [{}]
#     pc: 0.5
# title: Which classifier is cheaper, and when?
# appendix: true
# inference:
#   confidence: 0.9

datasets:
"""
