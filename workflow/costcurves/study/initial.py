"""A study of given prediction files: which datasets they hold, and a configuration of them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

import pandas as pd

from costcurves.errors import InputError, refuse
from costcurves.names import quoted, unusable
from costcurves.predictions.asking import Options, Question, proposals
from costcurves.predictions.layouts import OF_CLASS
from costcurves.predictions.opening import PredictionFile, open_files
from costcurves.predictions.rows import COSTS, MOST_SEGMENTS, TRUTH
from costcurves.predictions.sources import study_name
from costcurves.predictions.staged import trial
from costcurves.settings import SEGMENT, ReadingKeys
from costcurves.study.strict_yaml import as_yaml

PLAINLY: Final = Options(ReadingKeys())
LEAST: Final = 1e-12  # cost ratio


@dataclass(frozen=True)
class FileDataset:
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
    rest: bool = False  # whether the positive class is taken against the rest

    @property
    def needs_positive(self) -> bool:
        """Whether its labels do not say which class is positive."""
        return not (self.classes or all(label.lower() in TRUTH for label in self.labels))


def find_datasets(files: Sequence[str], options: Options = PLAINLY) -> tuple[FileDataset, ...]:
    """Return the datasets that prediction files hold, in order of appearance.

    Files without a column ``dataset`` are of the only one that others hold, or of one of their own.
    What files leave open is refused, with the commands that answer it.
    """
    try:
        opened = open_files(files, options)
        return _found(opened, options)
    except Question as question:
        lines = proposals(files, question, options, trial(files))
        raise InputError([*question.findings, *lines]) from question


def _found(opened: Sequence[PredictionFile], options: Options) -> tuple[FileDataset, ...]:
    named = [
        it for file in opened if "dataset" in file.frame for it in _values(file.frame, "dataset")
    ]
    named = list(dict.fromkeys(named))
    unnamed = next((it.source.path for it in opened if "dataset" not in it.frame), "")
    own = named[0] if len(named) == 1 else study_name(unnamed)
    parts = dict[str, list[tuple[PredictionFile, pd.DataFrame]]]()
    for file in opened:
        if "dataset" not in file.frame:
            parts.setdefault(own, []).append((file, file.frame))
            continue
        for name, rows in file.frame.groupby("dataset", sort=False, observed=True):
            if name:
                parts.setdefault(str(name), []).append((file, rows))
    made = tuple(_dataset(name, each, options) for name, each in parts.items())
    refuse(_unusable(made))
    return made


def _dataset(
    name: str,
    parts: Sequence[tuple[PredictionFile, pd.DataFrame]],
    options: Options,
) -> FileDataset:
    frames = [frame for _, frame in parts]
    labels = _of_all(frames, "label")
    columns = {str(it) for frame in frames for it in frame}
    scored = tuple(it for it in map(str, parts[0][1]) if it.startswith(OF_CLASS))
    of_classes = tuple(it.removeprefix(OF_CLASS) for it in scored)
    classes: tuple[str, ...] = ()
    if len(of_classes) > 2 and {*labels} <= {*of_classes}:
        classes = of_classes
    if (
        not classes
        and len(labels) > 2
        and not options.rest
        and "score" not in columns
        and not scored
    ):
        classes = labels
    findings = [it for file, _ in parts for it in file.findings]
    hashes = dict[str, str]()
    for file, _ in parts:
        hashes |= {source.path: source.sha256 for source in (file.source, *file.beside)}
    segments = [it for it in sorted(columns) if it.startswith(SEGMENT)]
    return FileDataset(
        name=name,
        files=hashes,
        models=_of_all(frames, "model"),
        labels=labels,
        classes=classes,
        paid=_paid(frames, labels) if len(labels) == 2 else {},
        alone=all(map(_alone, frames)),
        notes=tuple(f"{file.source.path}: {note}" for file, _ in parts for note in file.notes),
        amount=next((it.seen for it in findings if it.finding == "amounts"), ""),
        segments=tuple(
            it.removeprefix(SEGMENT)
            for it in segments
            if 2 <= len(_of_all([frame for frame in frames if it in frame], it)) <= MOST_SEGMENTS
        ),
        rest=options.rest,
    )


def _values(frame: pd.DataFrame, name: str) -> list[str]:
    """Return the texts that occur in a column, in order of appearance."""
    return [str(it) for it in frame[name].unique() if it]


def _of_all(frames: Sequence[pd.DataFrame], name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(it for frame in frames for it in _values(frame, name)))


def _paid(frames: Sequence[pd.DataFrame], labels: Sequence[str]) -> dict[str, list[float]]:
    """Average what mistakes cost by label."""
    known = [name for name in COSTS if any(name in frame for frame in frames)]
    whole = pd.concat([frame.reindex(columns=["label", *COSTS]) for frame in frames])
    if not known or whole[known].isna().all(axis=None):
        return {}
    means = dict[str, list[float]]()
    for label in labels:
        rows = whole.loc[whole["label"] == label, [*COSTS]].astype(float)
        complete = rows.notna().all() & (rows.min() > 0)
        means[label] = [float(rows[it].mean()) if complete[it] else 0.0 for it in COSTS]
    return means


def _alone(frame: pd.DataFrame) -> bool:
    """Whether each fold has one instance, as in leave-one-out."""
    keys = [name for name in ("model", "member", "repeat", "fold") if name in frame]
    if "fold" not in keys:
        return False
    folds = len(frame[keys].drop_duplicates())
    return folds == len(frame) > len(frame[keys[:-1]].drop_duplicates())


def _unusable(datasets: Sequence[FileDataset]) -> Iterator[str]:
    """Find names that no configuration takes."""
    for dataset in datasets:
        each = {"dataset": [dataset.name], "model": dataset.models, "label": dataset.labels}
        for what, names in each.items():
            for name in names:
                if why := unusable(name):
                    yield f"{', '.join(dataset.files)}: {what} {quoted(name)} {why}"


def initial_config(
    name: str,
    datasets: Sequence[FileDataset],
    positives: Mapping[str, str],
    options: Options = PLAINLY,
    costs: Mapping[str, Any] | None = None,
) -> str:
    """Write a configuration, with comments that say what can be changed.

    `positives` are the labels of datasets where labels do not say it; `costs` are what a miss and
    a false alarm cost, and in which unit.
    """
    lines = [HEAD, f"study: {_text(name)}\n"]
    if any(dataset.alone for dataset in datasets):
        lines.append("folds_without_a_class: pool  # no fold of one instance has both classes\n")
    if options.pairing == "unpaired":
        lines.append("pairing: unpaired\n")
    ratios = {}
    for dataset in datasets:
        ratio = _own_ratio(dataset, positives.get(dataset.name))
        if ratio:
            ratios[f"costs of {dataset.name[:100]}"] = ratio
    lines.append(MONEY)
    if costs:
        lines.append("operating_conditions:\n  - ")
        lines.append("    ".join(f"{key}: {_text(value)}\n" for key, value in costs.items()))
    elif ratios:
        lines.append(CONDITIONS)
    for condition, ratio in ratios.items():
        why = "  # of a miss to a false alarm, on average"
        lines.append(f"  - name: {_text(condition)}\n    cost_ratio: {ratio}{why}\n")
    claim = "kind: at most\n#     at_most: 0.2"
    pair = datasets[0].models[:2]
    if len(pair) == 2:
        claim = "kind: cheaper"
    models = ", ".join(map(_text, pair if len(pair) == 2 else pair[:1]))
    lines.append(OFFERED.format(claim, models))
    for dataset in datasets:
        paid = f"costs of {dataset.name[:100]}" in ratios
        lines += _dataset_lines(dataset, positives.get(dataset.name), options, paid=paid)
    return "".join(lines)


def _own_ratio(dataset: FileDataset, positive: str | None) -> str:
    """Write how many times as much a miss costs as a false alarm, if that is known."""
    means = dict[bool, Sequence[float]]()
    for label, paid in dataset.paid.items():
        means[label == positive if positive else TRUTH.get(label.lower()) == 1] = paid
    if dataset.classes or len(means) < 2 or not (means[False][0] and means[True][1]):
        return ""
    ratio = means[True][1] / means[False][0]
    return f"{Decimal(f'{ratio:.4g}'):f}" if LEAST < ratio < 1 / LEAST else ""


def _dataset_lines(
    dataset: FileDataset, positive: str | None, options: Options, *, paid: bool
) -> Iterator[str]:
    yield f"  - name: {_text(dataset.name)}\n    predictions:\n"
    for file in dataset.files:
        yield f"      - {_text(file)}\n"
    for key, value in options.keys.given().items():
        yield f"    {key}: {json.dumps(value)}\n"
    if positive is not None:
        yield f"    positive: {_text(positive)}\n"
    if dataset.rest:
        yield "    classes: rest  # all labels but the positive one are negative\n"
    if dataset.classes:
        yield "    classes:  # each is the positive one in turn\n"
        yield from (f"      - {_text(label)}\n" for label in dataset.classes)
    elif paid:
        yield "    costs:  # that its files say; without this key they are not used\n"
        yield '      unit: ""\n'
    elif dataset.paid:
        yield "    # costs:  # its files say what mistakes cost, but not of each, or it is 0\n"
    elif dataset.amount:
        yield "    # costs:  # a miss costs the amount, a false alarm 1\n"
        yield f"    #   column: {_text(dataset.amount)}\n"
        yield "    #   benefit: {tp: 0, tn: 0, fp: -1, fn: {coefficient: -1}}\n"
    if not dataset.classes:
        yield "    # prior: 0.5  # the proportion of positives in deployment\n"
    if dataset.segments:
        yield f"    segments: {json.dumps(dataset.segments)}\n"
    yield "    # models:  # which, in which order\n"
    yield from (f"    #   - {_text(model)}\n" for model in dataset.models)


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
CONDITIONS: Final = """\
operating_conditions:
  - cost_ratio: 0.2
  - cost_ratio: 1
  - cost_ratio: 5
"""
OFFERED: Final = """
# What you claim, to be decided by the data:
# claims:
#   - claim: What you expect, in your own words.
#     {}
#     models: [{}]
#     pc: 0.5
# title: Which classifier is cheaper, and when?
# appendix: true
# inference:
#   confidence: 0.9

datasets:
"""
