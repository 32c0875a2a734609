"""Prediction files in our columns, whatever they are called in the files."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.errors import InputError, of_all, refuse
from costcurves.formats import count as counted
from costcurves.names import nearest, quoted, some
from costcurves.predictions import words
from costcurves.predictions.asking import Question, answered, as_arguments
from costcurves.predictions.columns import (
    KEYS,
    NUMBERS,
    PLACE,
    Roles,
    ask_keys,
    ask_numbered,
    keys_of,
    known_roles,
    label_of,
    layout_of,
    roles_of,
)
from costcurves.predictions.findings import Finding, missed
from costcurves.predictions.layouts import LONG, NAMES, OF_CLASS, from_weka
from costcurves.predictions.reading import NESTED, read_frame
from costcurves.predictions.rows import taken, together
from costcurves.predictions.sheet import Sheet, named
from costcurves.predictions.sources import Source, model_name, read_source
from costcurves.settings import Dataset, several
from costcurves.tables.contract import constant

CONDITION: Final = re.compile(r"(.+?)(\s*!?==?|\s+in\s)\s*(.*)")  # a column, a sign, and text
TEXTS: Final = ("label", "decision", "instance", "cluster", *KEYS)


@dataclass(frozen=True)
class PredictionFile:
    """A prediction file in our columns: text as categories, numbers with NaN for none.

    Its column ``row`` is the number of each row in the file.
    """

    source: Source
    frame: pd.DataFrame
    notes: tuple[str, ...]  # what was understood
    beside: tuple[Source, ...]  # what it was joined with
    findings: tuple[Finding, ...]  # in columns that are not used


def open_files(dataset: Dataset) -> list[PredictionFile]:
    """Read the prediction files of a dataset."""
    layout, paths = dataset.format, dataset.predictions
    if layout not in (None, *NAMES):
        raise InputError([f"format: {quoted(layout)}: {nearest(str(layout), [*NAMES])}"])
    sheets = of_all(lambda path: _sheet(path, dataset), paths, Question)
    refuse(_not_there(", ".join(paths), sheets))
    if "on" in sheets[0].columns:
        sheets = _with_truths(sheets)
    names = [sheet.source.path for sheet in sheets]
    if sheets[0].columns.get("fold") == PLACE:  # the folder is that of a fold
        names = [str(Path(path).parent.with_name(Path(path).name)) for path in names]
    times = Counter(map(model_name, {*names}))
    models = [name if times[model_name(name)] > 1 else model_name(name) for name in names]
    return of_all(lambda each: _read(*each, dataset), zip(sheets, models, strict=True), Question)


def read_frames(dataset: Dataset) -> pd.DataFrame:
    """Read prediction files as one frame; ``attrs["read"]`` says how each was read."""
    paths = [*dataset.predictions]
    files = answered(
        open_files, dataset, as_arguments, lambda given: f"read_predictions({paths}, {given})"
    )
    frame = pd.concat([file.frame.drop(columns="row") for file in files], ignore_index=True)
    frame.attrs["read"] = [f"{file.source.path}: {note}" for file in files for note in file.notes]
    return frame


def _sheet(path: str, dataset: Dataset) -> Sheet:
    """Read all columns of a file, and keep the rows that conditions keep."""
    source, texts = read_source(path), {*TEXTS}
    amount = dataset.costs.column if dataset.costs else None
    for role in TEXTS:
        texts |= {*several((dataset.columns or {}).get(role))}
    texts |= {match[1] for text in dataset.where or () if (match := CONDITION.fullmatch(text))}
    frame = read_frame(source, dataset, texts)
    if amount is not None and amount not in frame:
        why = f"which 'costs: column:' names; its columns are {some([*map(str, frame)])}"
        raise InputError([f"{path}: has no column {quoted(amount)}, {why}"])
    layout = layout_of(source, [*map(str, frame)], dataset)
    if layout.name == "weka":
        frame = from_weka(path, frame)
    rows = np.arange(len(frame), dtype=np.int32)
    sheet = Sheet(replace(source, data=b""), frame, rows, dataset, layout, amount)
    for text in dataset.where or ():
        sheet = _kept(sheet, text)
    return sheet


def _kept(sheet: Sheet, text: str) -> Sheet:
    """Keep the rows for which a condition holds, if its column is there."""
    match = CONDITION.fullmatch(text)
    if match is None or match[1] not in sheet.names:
        return sheet
    name, sign, value = match.groups()
    wanted = [text.strip(" '\"") for text in (value.split(",") if "in" in sign else [value])]
    values = sheet.texts(name)
    keep = values.isin(wanted) != ("!" in sign)
    if not keep.any() or not {*wanted} <= {*values.categories}:
        why = f"{quoted(text)} has to keep rows by what {quoted(name)} holds"
        raise InputError(
            [f"{sheet.source.path}: 'where:' (--where): {why}: {some([*values.categories])}"]
        )
    note = f"{counted(int(keep.sum()))} of {counted(len(keep))} rows are kept, where {quoted(text)}"
    frame = sheet.frame[keep].reset_index(drop=True)
    for other in frame.select_dtypes("category"):
        frame[other] = taken(frame[other].array)
    return replace(
        sheet,
        frame=frame,
        rows=sheet.rows[keep],
        notes=(*sheet.notes, note),
        conditions=(*sheet.conditions, name),
    )


def _not_there(paths: str, sheets: Sequence[Sheet]) -> Iterator[str]:
    """Find columns that options name and that no file has."""
    keys, names = sheets[0].keys, {name for sheet in sheets for name in sheet.names}
    for text in keys.where or ():
        match = CONDITION.fullmatch(text)
        if match is None or match[1] not in names:
            why = "expected a column, ==, != or in, and text, as in 'split == test'"
            columns = f"columns are {some(sorted(names))}"
            yield f"{paths}: 'where:' (--where) has {quoted(text)}, {why}; {columns}"
    for role, given in (keys.columns or {}).items():
        missing = [name for name in several(given) if name not in {*names, PLACE}]
        if missing and role not in names:
            what = f"'columns: {role}:' names"
            if role.startswith(OF_CLASS):
                what = f"is to have the scores of the class {quoted(role.removeprefix(OF_CLASS))}"
            yield f"{paths}: no column {some(missing)}, which {what}"


def _with_truths(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Add the truth in the last file to the others, by the id that options name.

    A prediction without a truth is refused, a truth without a prediction counted.
    """
    *sheets, truth = sheets
    on = str(truth.columns["on"])
    for sheet in (truth, *sheets):
        if on not in sheet.names:
            why = f"by which the truth in {truth.source.path} is found"
            raise InputError([f"{sheet.source.path}: has no column {quoted(on)}, {why}"])
    label, ids = label_of(truth, known_roles(truth)), pd.Index(truth.texts(on).astype("str"))
    if not ids.is_unique:
        raise InputError([f"{truth.source.path}: has an id twice in {quoted(on)}"])
    joined, other = [], truth.source
    for sheet in sheets:
        wanted = pd.Index(sheet.texts(on).astype("str"))
        places = ids.get_indexer(wanted)
        lacks = places < 0
        if lacks.any():
            many = f"{np.count_nonzero(lacks):,} of its {len(places):,} rows are of cases"
            why = f"that {other.path} does not have, such as {some([*wanted[lacks].unique()], 3)}"
            mend = "leave them out, or add their truth"
            raise InputError([f"{sheet.source.path}: {many} {why}; {mend}"])
        frame = sheet.frame.assign(label=taken(truth.texts(label).take(places)))
        for name in truth.names:
            if name in (*KEYS, "cluster", *NUMBERS) and name not in frame:
                frame[name] = truth.frame[name].take(places).array
        notes = (f"its truth is {named([label])} of {other.path}, by {quoted(on)}", *sheet.notes)
        if left := len(ids) - len(np.unique(places)):
            notes += (f"{left:,} of {len(ids):,} cases of the truth are not predicted",)
        keys = replace(sheet.keys, columns={"instance": on, **sheet.columns, "label": "label"})
        joined.append(replace(sheet, frame=frame, keys=keys, notes=notes, beside=(other,)))
    return joined


def _read(sheet: Sheet, model: str, dataset: Dataset) -> PredictionFile:
    """Say what each column is, and put the rows into our columns."""
    names = sheet.columns.get("model", "")
    if not isinstance(names, str):
        each = [sheet.frame[name].astype("str").radd(f"{name}=") for name in names]
        joined = each[0].str.cat(each[1:], sep=", ")
        frame = sheet.frame.drop(columns=[*names, "model"], errors="ignore")
        frame = frame.assign(model=_as_names(joined))
        keys = replace(sheet.keys, columns={**sheet.columns, "model": "model"})
        sheet = replace(sheet, frame=frame, keys=keys)
    roles = roles_of(sheet, model)
    ask_keys(sheet, roles)
    if dataset.pairing == "paired":
        ask_numbered(sheet, roles, alone=len(dataset.predictions) == 1)
    shared, notes = _shared(sheet, roles)
    parts = []
    for name, columns in roles.models.items():
        part = {"model": constant(name, len(sheet.frame)), **shared}
        for role, of in columns.items():
            part[role] = sheet.texts(of) if role == "decision" else sheet.checked(of, of)
        if "score" in part and dataset.higher_is == "negative":
            part["score"] = -part["score"]
        parts.append(pd.DataFrame(part, copy=False))
    left = [name for name in roles.left if name != sheet.amount]
    findings = tuple(missed(sheet.frame[left], sheet.numbers, shared["instance"]))
    ours = sheet.layout is LONG and not (left or sheet.unused)
    notes = [_understood(sheet, roles, left), *sheet.notes, *notes]
    if ours and all(role == name for role, name in roles.columns.items()):
        notes = [*sheet.notes]
    return PredictionFile(sheet.source, together(parts), (*notes,), sheet.beside, findings)


def _shared(sheet: Sheet, roles: Roles) -> tuple[dict[str, Any], list[str]]:
    """Return the columns that all models of a file share, and what was understood of rows."""
    notes, chosen = list[str](), sheet.columns
    shared: dict[str, Any] = {"row": sheet.rows}
    for role, name in roles.columns.items():
        if role in NUMBERS:
            shared[role] = sheet.checked(name, role)
        elif role != "decision":
            shared[role] = sheet.texts(name)
            if NESTED in shared[role].categories:
                why = "holds lists or bytes, expected text"
                raise InputError([f"{sheet.source.path}: column {quoted(name)} {why}"])
    if sheet.amount is not None:
        shared["amount"] = sheet.checked(sheet.amount, sheet.amount)
    groups = sheet.codes(keys_of(roles.columns))
    folder = Path(sheet.source.path).parent.name if chosen.get("fold") == PLACE else ""
    if "instance" not in shared:
        place = sheet.rows
        if "instance" in chosen and groups.any():
            place = pd.Series(groups).groupby(groups).cumcount().to_numpy()
        shared["instance"] = _as_names(place, f"{folder} " if folder else "")
        notes.append("no column says which case a row is, so rows are numbered")
    if folder:
        shared["fold"] = constant(folder, len(sheet.rows))
    if chosen.get("repeat") == PLACE:
        cases = pd.DataFrame({"group": groups, "case": shared["instance"].codes})
        shared["repeat"] = _as_names(cases.groupby(["group", "case"]).cumcount() + 1)
        notes.append("rows of the same case are numbered as its repeats")
    resample = sheet.layout.resample
    if resample in roles.left and "fold" in shared:
        shared["repeat"] = sheet.texts(resample)
    elif resample in roles.left and "repeat" not in shared:
        notes += _with_folds(shared, sheet.texts(resample))
    elif not {"repeat", "fold"} & {*shared}:
        notes.append("no column says folds, so it is read as one test set")
    for role in {"repeat", "fold"} & {*shared}:
        # 1 and 1.0 are the same.
        plain = pd.Index(shared[role].categories).str.replace(r"^(\d+)\.0+$", r"\1", regex=True)
        if not plain.is_unique:
            shared[role] = _as_names(plain.take(shared[role].codes))
    return shared, notes


def _with_folds(shared: dict[str, Any], resamples: pd.Categorical) -> list[str]:
    """Add repeat and fold by a column of resamples, and return how it was understood.

    They are the folds of several repeats if such make up all cases one after the other; else
    resamples in which cases recur are a repeat each, as of a bootstrap.
    """
    names = resamples.categories
    both = names.str.extract(r"^(Fold\d+)\.(Rep\d+)$")
    if both.notna().all(axis=None):
        for role, place in (("repeat", 1), ("fold", 0)):
            shared[role] = _as_names(both[place].take(resamples.codes))
        return []
    order = np.arange(len(names))
    if names.str.isdecimal().all():
        order = np.argsort(np.argsort(names.astype(int)))
    pairs = pd.DataFrame({"resample": order[resamples.codes], "case": shared["instance"].codes})
    pairs = pairs.drop_duplicates().sort_values("resample", kind="stable")
    times = pairs.groupby("case").cumcount().groupby(pairs["resample"])
    repeats = times.max() + 1
    last, size = int(repeats.max()), f"its {len(names):,} resamples"
    if (times.min() + 1 != repeats).any() or len(pairs) != last * pairs["case"].nunique():
        shared["repeat"], shared["fold"] = resamples, constant("1", len(resamples))
        return [f"{size} overlap, so each is read as a repeat"]
    shared["repeat"] = _as_names(repeats.take(order[resamples.codes]))
    shared["fold"] = resamples
    return [f"{size} are read as the folds of {last} repeats"][: last - 1]


def _as_names(values: Any, before: str = "") -> pd.Categorical:
    codes, distinct = pd.factorize(values)
    names = pd.Index([f"{before}{value}" for value in distinct.tolist()], dtype="str")
    return pd.Categorical.from_codes(codes, names)


def _understood(sheet: Sheet, roles: Roles, left: Sequence[str]) -> str:
    """Say what each column is read as, and which are not used and why."""
    read = [f"{role} {quoted(name)}" for role, name in roles.columns.items() if role != "decision"]
    of_models = [item for each in roles.models.values() for item in each.items()]
    read += [f"{role} {quoted(name)}" for role, name in dict.fromkeys(of_models)]
    if "model" not in roles.columns:
        read.append(f"models {', '.join(map(quoted, roles.models))}")
    unused = [f"{quoted(name)} ({_why(sheet, name)})" for name in left]
    unused += [f"{quoted(name)} (as said)" for name in sheet.unused]
    what = LONG.what if "model" in roles.columns else sheet.layout.what
    return f"{what}: {', '.join(read)}{'; not used: ' if unused else ''}{', '.join(unused)}"


def _why(sheet: Sheet, name: str) -> str:
    """Say why a column is not used."""
    size = sheet.size(name)
    if name == sheet.layout.resample and size > 1:
        return "says repeats and folds"
    if words.AMOUNT.fullmatch(name):
        return "may be what a miss costs, 'costs:'"
    if words.called(name, words.DECIDED) and sheet.values(name):
        return "no decision of a model read here"
    if size < 2:
        return "numbers" if sheet.fractions(name) else "one value"
    return f"{size:,} values, no key"
