"""Prediction files in our columns, whatever they are called in the files."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.errors import InputError, refuse
from costcurves.formats import count as counted
from costcurves.names import nearest, quoted, some
from costcurves.predictions import words
from costcurves.predictions.asking import Choice, Options, Question, Reading, proposals
from costcurves.predictions.columns import KEYS, NUMBERS, PLACE, Roles, layout_of, roles_of
from costcurves.predictions.findings import Finding, missed
from costcurves.predictions.keys import ask_keys, ask_numbered
from costcurves.predictions.layouts import LONG, NAMES, OF_CLASS, from_weka
from costcurves.predictions.reading import (
    read_frame,
)
from costcurves.predictions.resamples import folds_of
from costcurves.predictions.rows import MOST_SEGMENTS, taken
from costcurves.predictions.sheet import Sheet, codes_of, named
from costcurves.predictions.sources import Source, model_name, read_source
from costcurves.settings import SEGMENT, ReadingKeys, several
from costcurves.tables.contract import constant, stacked

CONDITION: Final = re.compile(r"(.+?)(\s*!?==?|\s+in\s)\s*(.*)")  # a column, a sign, and text
TEXTS: Final = ("label", "decision", "instance", "cluster", *KEYS)
NUMBERED: Final = "no column says which case a row is, so rows are numbered"


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


def open_files(
    paths: Sequence[str], options: Options, amount: str | None = None
) -> list[PredictionFile]:
    """Read prediction files that belong together; keep the column `amount`."""
    keys = options.keys
    if keys.format is not None and keys.format.replace("_", "-") not in NAMES:
        hint = nearest(keys.format, [*NAMES])
        raise InputError([f"format: {quoted(keys.format)}: {hint}"])
    sheets = _each(lambda path: _sheet(read_source(path), keys, amount), paths)
    refuse(_not_there(", ".join(paths), sheets, keys))
    if len(sheets) > 1:
        sheets = _with_truths(sheets)
    models = _names(sheets)
    files = _each(lambda sheet: _read(sheet, models[sheet.source.path], options), sheets)
    for sheet, file in zip(sheets, files, strict=True):
        placed = NUMBERED not in file.notes or "instance" in sheet.columns
        if len(files) > 1 and options.pairing == "paired" and not placed:
            place = {"columns": {"instance": PLACE}}
            choices = [
                Choice(place, "rows at the same place are the same case"),
                Choice({"pairing": "unpaired"}, "models are judged on other cases"),
            ]
            why = "no column says which case a row is, and there are other files; name it"
            raise sheet.asks(f"{why} (--column instance=NAME)", choices)
    return files


def _each(make: Callable[[Any], Any], items: Sequence[Any]) -> list[Any]:
    """Make something of each item; all that is wrong is said at once, but a question at once."""
    made, findings = list[Any](), list[str]()
    for item in items:
        try:
            made.append(make(item))
        except Question:
            raise
        except InputError as error:
            findings += error.findings
    refuse(findings)
    return made


def read_frames(paths: Sequence[str], options: Options) -> pd.DataFrame:
    """Read prediction files as one frame; ``attrs["read"]`` says how each was read."""

    def read(changed: Options) -> Reading:
        notes = [note for file in open_files(paths, changed) for note in file.notes]
        return Reading((), notes)

    try:
        files = open_files(paths, options)
    except Question as question:
        lines = proposals(paths, question, options, read, Options.in_python)
        raise InputError([*question.findings, *lines]) from question
    frames = [file.frame.drop(columns="row") for file in files]
    frame = frames[0] if len(frames) == 1 else pd.concat(frames, ignore_index=True)
    frame.attrs["read"] = [f"{file.source.path}: {it}" for file in files for it in file.notes]
    return frame


def _sheet(source: Source, keys: ReadingKeys, amount: str | None) -> Sheet:
    """Read all columns of a file, and keep the rows that conditions keep."""
    texts = {*TEXTS}
    for role, names in (keys.columns or {}).items():
        if role in TEXTS or role.startswith(SEGMENT):
            texts |= {*several(names)}
    for text in keys.where or ():
        texts |= {match[1] for match in [CONDITION.fullmatch(text)] if match}
    frame = read_frame(source, keys, texts)
    if amount is not None and amount not in frame:
        has = f"which 'costs: column:' names; its columns are {some([*map(str, frame)])}"
        raise InputError([f"{source.path}: has no column {quoted(amount)}, {has}"])
    layout = layout_of(source, [*map(str, frame)], keys)
    if layout.name == "weka":
        frame = from_weka(source.path, frame)
    odd = frame.attrs.get("odd", {})
    sheet = Sheet(
        replace(source, data=b""), frame, np.arange(len(frame)), keys, layout, amount, odd=odd
    )
    for text in keys.where or ():
        sheet = _kept(sheet, text)
    return sheet


def _kept(sheet: Sheet, text: str) -> Sheet:
    """Keep the rows for which a condition holds, if its column is there."""
    match = CONDITION.fullmatch(text)
    if match is None or match[1] not in sheet.names:
        return sheet
    name, sign, value = match.groups()
    wanted = [it.strip(" '\"") for it in (value.split(",") if "in" in sign else [value])]
    values = sheet.texts(name)
    exist = [str(it) for it in values.categories]
    keep = values.isin(wanted) != ("!" in sign)
    if not keep.any() or not {*wanted} <= {*exist}:
        why = f"{quoted(text)} has to keep rows by what {quoted(name)} holds: {some(exist)}"
        raise InputError([f"{sheet.source.path}: 'where:' (--where): {why}"])
    note = f"{counted(int(keep.sum()))} of {counted(len(keep))} rows are kept, where {quoted(text)}"
    frame = sheet.frame[keep].reset_index(drop=True)
    for column in frame.select_dtypes("category"):
        frame[column] = taken(frame[column].array)
    notes, conditions = (*sheet.notes, note), (*sheet.conditions, name)
    made = sheet.changed(frame=frame, rows=sheet.rows[keep])
    return replace(made, notes=notes, conditions=conditions)


def _not_there(paths: str, sheets: Sequence[Sheet], keys: ReadingKeys) -> Iterator[str]:
    """Find columns that options name and that no file has."""
    names = {name for sheet in sheets for name in sheet.names}
    for text in keys.where or ():
        match = CONDITION.fullmatch(text)
        if match is None or match[1] not in names:
            form = "expected a column, ==, != or in, and text, as in 'split == test'"
            has = f"'where:' (--where) has {quoted(text)}, {form}"
            yield f"{paths}: {has}; columns are {some(sorted(names))}"
    for role, given in (keys.columns or {}).items():
        missing = [name for name in several(given) if name not in {*names, PLACE}]
        what = f"'columns: {role}:' names"
        if role.startswith(SEGMENT):
            what = "'segments:' names"
        elif role.startswith(OF_CLASS):
            what = f"is to have the scores of the class {quoted(role.removeprefix(OF_CLASS))}"
        if missing and role not in names:
            yield f"{paths}: no column {some(missing)}, which {what}"


def _names(sheets: Sequence[Sheet]) -> dict[str, str]:
    """Name the model of each file as it is called; with its folders where that is not unique."""
    paths = {sheet.source.path: sheet.source.path for sheet in sheets}
    if sheets[0].columns.get("fold") == PLACE:  # the folder is that of a fold, not of a model
        paths = {path: str(Path(path).parent.with_name(Path(path).name)) for path in paths}
    times = Counter(model_name(path) for path in {*paths.values()})
    names = {path: model_name(name) for path, name in paths.items()}
    return {path: name if times[name] == 1 else paths[path] for path, name in names.items()}


def _truths_of(sheet: Sheet, sheets: Sequence[Sheet]) -> list[str]:
    """Return the columns that are called as a truth, or of whose classes others have scores."""
    names = [name for name in words.truths(sheet.names) if not sheet.fractions(name)]
    if names:
        return names
    others = set.intersection(*({*it.names} for it in sheets if it is not sheet))
    return [it for it in sheet.names if sheet.values(it)[1:] and {*sheet.values(it)} <= others]


def _with_truths(sheets: list[Sheet]) -> list[Sheet]:
    """Add the truth of an only file that has one to the others, by the id that is said."""
    label, on = (sheets[0].columns.get(role) for role in ("label", "on"))
    holding = [it for it in sheets if (label in it.names if label else _truths_of(it, sheets))]
    if len(holding) != 1:
        return sheets
    truth, path = holding[0], holding[0].source.path
    lacking = [sheet for sheet in sheets if sheet is not truth]
    shared = [name for name in truth.names if all(name in it.names for it in lacking)]
    if on not in shared:
        choices = [Choice({"columns": {"on": it}}, f"the truth is in {path}") for it in shared]
        why = f"only {path} has a truth: if it is that of the other files, say by which id they are"
        raise lacking[0].asks(f"{why} matched (--column on=ID); they have {some(shared)}", choices)
    labels = [label] if label else _truths_of(truth, sheets)
    if len(labels) != 1:
        choices = [
            Choice({"columns": {"label": it}}, f"{quoted(it)} is the truth") for it in labels
        ]
        raise truth.asks("which column is the truth? (--column label=NAME)", choices)
    return [_with_truth(sheet, truth, str(on), labels[0]) for sheet in lacking]


def _with_truth(sheet: Sheet, truth: Sheet, on: str, label: str) -> Sheet:
    """Add the truth by id; a prediction without one is refused, a truth without one counted."""
    path, other = sheet.source.path, truth.source.path
    known, asked = truth.texts(on).astype("str"), sheet.texts(on).astype("str")
    if len(pd.unique(known)) < len(known):
        raise InputError([f"{other}: has an id twice in {quoted(on)}"])
    places = pd.Index(known).get_indexer(pd.Index(asked))
    if (places < 0).any():
        lacking = [*dict.fromkeys(map(str, asked[places < 0]))]
        many = f"{np.count_nonzero(places < 0):,} of its {len(places):,} rows are of cases"
        why = f"that {other} does not have, such as {some(lacking, 3)}"
        raise InputError([f"{path}: {many} {why}; leave them out, or add their truth"])
    frame = sheet.frame.copy(deep=False)
    frame["label"] = taken(truth.texts(label).take(places))
    for name in truth.names:
        if name in (*KEYS, "cluster", *NUMBERS) and name not in frame:
            frame[name] = truth.frame[name].take(places).array
    left = len(known) - len(np.unique(places))
    notes = (f"its truth is {named([label])} of {other}, by {quoted(on)}", *sheet.notes)
    notes += (f"{left:,} of {len(known):,} cases of the truth are not predicted",) if left else ()
    made = sheet.changed(frame=frame, columns={"instance": on, **sheet.columns, "label": "label"})
    return replace(made, notes=notes, beside=(truth.source,))


def _read(sheet: Sheet, model: str, options: Options) -> PredictionFile:
    """Say what each column is, and put the rows into our columns."""
    names = sheet.columns.get("model", "")
    if not isinstance(names, str):
        parts = ("=".join((name, "{}")) for name in names)
        each = zip(*(sheet.texts(name) for name in names), strict=True)
        pattern = ", ".join(parts)
        joined = pd.Series([pattern.format(*values) for values in each])
        frame = sheet.frame.drop(columns=[*{*names, "model"} & {*sheet.names}])
        frame = frame.assign(model=pd.Categorical(joined, pd.unique(joined)))
        sheet = sheet.changed(frame=frame, columns={**sheet.columns, "model": "model"})
    roles = roles_of(sheet, model)
    ask_keys(sheet, roles)
    if options.pairing == "paired":
        ask_numbered(sheet, roles)
    shared, notes = _shared(sheet, roles)
    frame = stacked([_part(sheet, shared, roles, name) for name in roles.models])
    left = [name for name in roles.left if name != sheet.amount]
    unused = {name: sheet.texts(name) for name in left if not sheet.fractions(name)}
    amounts = {name: sheet.numbers(name) for name in left}
    findings = tuple(missed(unused, amounts, shared["instance"]))
    ours = sheet.layout is LONG and not (left or sheet.unused)
    if ours and all(role == name for role, name in roles.columns.items()):
        notes = list(sheet.notes)
    else:
        notes = [_understood(sheet, roles, left), *sheet.notes, *notes]
    return PredictionFile(sheet.source, frame, tuple(notes), sheet.beside, findings)


def _shared(sheet: Sheet, roles: Roles) -> tuple[dict[str, Any], list[str]]:
    """Return the columns that all models of a file share, and what was understood of rows."""
    notes, chosen = list[str](), sheet.columns
    shared: dict[str, Any] = {"row": sheet.rows.astype(np.int32)}
    for role, name in {**roles.columns, **roles.segments}.items():
        kind = sheet.odd.get(name)
        truth = kind == "bool" and (role == "label" or role.startswith(SEGMENT))
        if kind and role not in ("decision", *NUMBERS) and not truth:
            why = f"column {quoted(name)} is {kind}, expected text"
            raise InputError([f"{sheet.source.path}: {why}"])
        if role != "decision":
            shared[role] = sheet.checked(name, role) if role in NUMBERS else sheet.texts(name)
    if sheet.amount is not None:
        shared["amount"] = sheet.checked(sheet.amount, sheet.amount)
    groups = codes_of(sheet, [roles.columns[role] for role in KEYS if role in roles.columns])
    folder = Path(sheet.source.path).parent.name
    if "instance" not in shared:
        place = sheet.rows
        if "instance" in chosen and groups.any():
            place = pd.Series(groups).groupby(groups).cumcount().to_numpy()
        before = f"{folder} " if chosen.get("fold") == PLACE else ""
        shared["instance"] = _as_names(place, before)
        notes.append(NUMBERED)
    if chosen.get("fold") == PLACE:
        shared["fold"] = constant(folder, len(groups))
    if chosen.get("repeat") == PLACE:
        own = pd.DataFrame({"group": groups, "case": shared["instance"].codes})
        shared["repeat"] = _as_names(own.groupby(["group", "case"]).cumcount().to_numpy() + 1)
        notes.append("rows of the same case are numbered as its repeats")
    resample = sheet.layout.resample
    if resample in roles.left and "fold" in shared:
        shared["repeat"] = sheet.texts(resample)
    elif resample in roles.left and "repeat" not in shared:
        both = folds_of(sheet.texts(resample), shared["instance"])
        shared |= {"repeat": both[0], "fold": both[1]}
        notes += both[2]
    elif not {"repeat", "fold"} & {*shared}:
        notes.append("no column says folds, so it is read as one test set")
    for role in {"repeat", "fold"} & {*shared}:
        # 1 and 1.0 are the same.
        plain = pd.Index(shared[role].categories).str.replace(r"^(\d+)\.0+$", r"\1", regex=True)
        if not plain.is_unique:
            codes, names = pd.factorize(plain)
            shared[role] = pd.Categorical.from_codes(codes[shared[role].codes], names)
    return shared, notes


def _as_names(numbers: Any, before: str = "") -> pd.Categorical:
    codes, distinct = pd.factorize(numbers)
    names = pd.Index([f"{before}{number}" for number in distinct.tolist()], dtype="str")
    return pd.Categorical.from_codes(codes, names)


def _part(sheet: Sheet, shared: Mapping[str, Any], roles: Roles, name: str) -> pd.DataFrame:
    """Return the rows of one model, or those of all models that a column names."""
    size = len(sheet.frame)
    part = {"model": constant(name, size), **shared}
    for role in dict.fromkeys(role for own in roles.models.values() for role in own):
        column = roles.models[name].get(role)
        if role == "decision":
            part[role] = constant("", size) if column is None else sheet.texts(column)
        else:
            scores = constant(np.nan, size) if column is None else sheet.checked(column, column)
            lower = role == "score" and sheet.keys.higher_is == "negative"
            part[role] = -scores if lower else scores
    return pd.DataFrame(part, copy=False)


def _understood(sheet: Sheet, roles: Roles, left: Sequence[str]) -> str:
    """Say what each column is read as, and which are not used and why."""
    read = [f"{role} {quoted(name)}" for role, name in roles.columns.items() if role != "decision"]
    of_roles = dict[str, list[str]]()
    for own in roles.models.values():
        for role, name in own.items():
            of_roles.setdefault(role, []).append(name)
    read += [f"{role} {', '.join(map(quoted, names))}" for role, names in of_roles.items()]
    if "model" not in roles.columns:
        read.append(f"models {', '.join(map(quoted, roles.models))}")
    unused = [f"{quoted(name)} ({_why(sheet, roles, name)})" for name in left]
    unused += [f"{quoted(name)} (as said)" for name in sheet.unused]
    what = LONG.what if "model" in roles.columns else sheet.layout.what
    tail = f"; not used: {', '.join(unused)}" if unused else ""
    return f"{what}: {', '.join(read)}{tail}"


def _why(sheet: Sheet, roles: Roles, name: str) -> str:
    """Say why a column is not used."""
    values, classes = sheet.values(name), {*sheet.values(roles.columns["label"])}
    if name == sheet.layout.resample and values[1:]:
        return "says repeats and folds"
    if words.AMOUNT.fullmatch(name) and sheet.numbers(name) is not None:
        return "may be what a miss costs, 'costs:'"
    if words.called(name, words.DECIDED) and values:
        return "no decision of a model read here" if {*values} <= classes else "no labels in it"
    size = sheet.size(name)
    if size < 2:
        return "numbers" if sheet.fractions(name) else "one value"
    few = size <= MOST_SEGMENTS
    return "may divide cases, 'segments:'" if few else f"{size:,} values, no key"
