"""What each column of a file is: read as something, a key, or not used.

What a column could be and nobody said is a question; nothing is passed over in silence. A key tells
rows of several models, repeats or folds apart: where rows have ids, rows of the same id; without
ids each of its values has the same number of rows of each class.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from costcurves.errors import InputError
from costcurves.names import quoted, some
from costcurves.predictions import words
from costcurves.predictions.asking import Choice, column
from costcurves.predictions.layouts import LAYOUTS, LONG, NAMES, OF_CLASS, WIDE, Layout
from costcurves.predictions.reading import NUMBER
from costcurves.predictions.scores import Models, ask_missing, models_of
from costcurves.predictions.sheet import Sheet, named
from costcurves.predictions.sources import Source
from costcurves.predictions.words import called, plain
from costcurves.settings import ReadingKeys, several

NUMBERS: Final = ("train_pc", "weight", "cost_fp", "cost_fn")
KEYS: Final = ("dataset", "model", "member", "repeat", "fold")
ROLES: Final = ("label", "decision", "instance", *KEYS, "cluster", *NUMBERS)
EXACT: Final = ("cluster", "weight", "decision", "label")  # roles whose names count to the letter
MOST_CLASSES: Final = 20
FEWEST: Final = 4  # rows of a value of a key, where rows have no ids
KEYED: Final = words.MODEL | words.REPEAT | words.TASK
PLACE: Final = "#"
SAY_LABEL: Final = (
    "say which it is (--column label=NAME, in a configuration 'columns: {label: NAME}')"
)


class Roles(NamedTuple):
    """What each column of a file is."""

    columns: dict[str, str]  # of a role
    models: Models
    left: list[str]  # of no role


def layout_of(source: Source, names: Sequence[str], keys: ReadingKeys) -> Layout:
    """Return the layout of a file with these columns."""
    if keys.format is not None:
        layout = NAMES[keys.format]
        if layout.signs and not layout.claims(names):
            why = f"are not those of {layout.what}: {some(layout.signs)}"
            raise InputError([f"{source.path}: its columns {some(names)} {why}"])
        return layout
    plainly = LONG if "model" in names else WIDE
    scored = any(name in ("score", "decision") or name.startswith(OF_CLASS) for name in names)
    ours = scored and {"model", "label"} <= {*names}
    if ours or {"label", "score"} <= {*(keys.columns or {})}:  # then that is all that counts
        return plainly
    return next((layout for layout in LAYOUTS if layout.claims(names)), plainly)


def roles_of(sheet: Sheet, model: str) -> Roles:
    """Return what each column is; `model` is the name of an only model."""
    columns = known_roles(sheet)
    _check_parts(sheet, columns)
    columns["label"] = label_of(sheet, columns)
    classes = sheet.values(columns["label"])
    codes = sheet.meaning(columns["label"], words.CODES)
    if 2 <= len(classes) - len(codes) <= MOST_CLASSES:
        ask_missing(sheet, columns["label"], codes, "no label")
    if "instance" not in {*columns, *sheet.columns} and (name := _instance(sheet, columns)):
        columns["instance"] = name
    decision = columns.get("decision")
    if decision and "decision" not in sheet.columns:
        scored = sheet.fractions(decision)  # what is predicted with fractions is a score
        if scored or (sheet.layout is WIDE and not {*sheet.values(decision)} & {*classes}):
            del columns["decision"]
    left = _left(sheet, columns)
    if "weight" not in columns:
        _ask_weight(sheet, [name for name in left if name not in (*sheet.named, sheet.amount)])
    models = models_of(sheet, columns, left, classes, model)
    used = {name for each in models.values() for name in each.values()}
    return Roles(columns, models, [name for name in left if name not in used])


def _left(sheet: Sheet, columns: Mapping[str, str]) -> list[str]:
    """Return the columns of no role."""
    return [name for name in sheet.names if name not in (*columns.values(), *sheet.unused)]


def known_roles(sheet: Sheet) -> dict[str, str]:
    """Return the columns of roles that are said, called as the layout says, or as we call them."""
    columns = dict[str, Any]()
    free = [name for name in sheet.names if name not in sheet.named]
    for role in ROLES:
        ours = role if role in EXACT else f"(?i:[\ufeff \t]*{role}[ \t]*)"
        patterns = (sheet.layout.roles.get(role, "$."), ours)
        names = [name for each in patterns for name in free if re.fullmatch(each, name)]
        if role in sheet.columns:
            names = [sheet.columns[role]]
        if names and names[0] in sheet.names:
            columns[role] = names[0]
    return columns


def _check_parts(sheet: Sheet, columns: Mapping[str, str]) -> None:
    """Refuse rows of training; ask which part is judged where there are several."""
    for name in _left(sheet, {}):
        trained = sheet.meaning(name, words.TRAINING)
        judged = sheet.meaning(name, words.OTHER_ROWS)
        judged.sort(key=lambda text: "test" not in plain(text))
        parts = len(trained) + len(judged) == len(sheet.values(name))
        split = name in (columns.get("fold"), sheet.layout.resample)
        open_parts = len(judged) > 1 and parts and name not in sheet.conditions
        if not (open_parts or (trained and (parts or split))):
            continue
        conditions = [[f"{name} == {text}"] for text in judged]
        if len(judged) < 2:
            conditions = [[f"{name} != {text}" for text in trained]]
        choices = [_only(sheet, f"rows where {each[0]} are judged", *each) for each in conditions]
        why = f"has rows of {some(judged)}: say which are judged"
        if trained:
            why = f"says that rows are of training ({some(trained)}), whose scores say nothing of"
            why = f"{why} new cases; leave them out"
        raise sheet.asks(f"{named([name])} {why}", choices)


def _only(sheet: Sheet, meaning: str, *conditions: str) -> Choice:
    """Return the answer that only rows are judged for which conditions hold, too."""
    return Choice({"where": (*(sheet.keys.where or ()), *conditions)}, meaning)


def _unused(sheet: Sheet, name: str, meaning: str) -> Choice:
    """Return the answer that a column is of no use, like those that are so already."""
    return column(meaning, unused=(*sheet.unused, name))


def keys_of(columns: Mapping[str, str], *but: str) -> list[str]:
    """Return the columns that tell models, repeats and folds apart."""
    return [columns[role] for role in KEYS if role in columns and role not in but]


def label_of(sheet: Sheet, columns: Mapping[str, str]) -> str:
    """Return the column of the truth: the only one that is called so, or ask which one it is."""
    if "label" in columns:
        return columns["label"]
    left = _left(sheet, columns)
    names = [name for name in left if plain(name) in words.LABELS]
    classes = [match[1] for name in left if (match := re.fullmatch(sheet.layout.scores, name))]
    decided = sheet.values(columns["decision"]) if "decision" in columns else []
    if sheet.layout.signs and ({*decided} - {"0", "1"} or len(classes) > 1):
        fits = [name for name in left if {*sheet.values(name)} <= {*decided, *classes}]
        names = [name for name in fits if sheet.values(name)[1:]] or names
    if len(names) == 1:
        return names[0]
    if any(re.fullmatch(NUMBER, name) for name in sheet.names):
        why = f"the first row must name the columns; it has {some(sheet.names)}"
        raise InputError([f"{sheet.source.path}: {why}"])
    why = f"no column is known as the truth; {SAY_LABEL}; of another file: --truth FILE --on ID"
    if names:
        why = f"columns {some(names)} could each be the truth; {SAY_LABEL}"
    likely = names or _truths(sheet, left, decided)
    choices = [column(f"{quoted(name)} is the truth", label=name) for name in likely[:4]]
    raise sheet.asks(f"{why}; its columns are {some(sheet.names)}", choices)


def _truths(sheet: Sheet, left: Sequence[str], decided: Sequence[str]) -> list[str]:
    """Return what may be the truth: two values, or up to twenty that other columns name."""
    likely, others = list[str](), list[str]()
    for name in left:
        values, names = sheet.values(name), " ".join({*sheet.names} - {name}).lower()
        looks = {plain(text) for text in values}
        other = plain(name) in words.MODEL | words.REPEAT | words.FOLD
        other |= looks <= words.DECISION_WORDS or looks <= words.TRAINING | words.OTHER_ROWS
        other |= called(name, words.DECIDED, words.RATED)
        if other or not 2 <= len(values) <= min(MOST_CLASSES, len(sheet.frame) / 2):
            continue
        named_by_others = all(text.lower() in names for text in values)
        if called(name, words.TRUE) or {*values} <= {*decided} or named_by_others:
            likely.append(name)
        elif len(values) == 2:
            others.append(name)
    return likely or others


def _instance(sheet: Sheet, columns: Mapping[str, str]) -> str | None:
    """Return the column that is called as an id: the one with a value a row, if there is one."""
    ids = [name for name in _left(sheet, columns) if words.IDS.fullmatch(name) and sheet.size(name)]
    ids = [name for name in ids if plain(name) not in words.MODEL]
    unique = [name for name in ids if sheet.is_unique(keys_of(columns), name)]
    if len(unique) > 1:
        choices = [column(f"{quoted(name)} is the case", instance=name) for name in unique]
        raise sheet.asks(f"columns {some(unique)} could each be the case's id", choices)
    return max(unique or ids, key=sheet.size, default=None)


def _ask_weight(sheet: Sheet, names: Sequence[str]) -> None:
    """Ask about a column that is called as weights are and could be such."""
    for name in names:
        numbers = sheet.numbers(name) if plain(name) in words.WEIGHTS else None
        if numbers is None or not 0 <= numbers.min() < numbers.max():
            continue
        choices = [
            column(f"{quoted(name)} says how many cases a row stands for", weight=name),
            _unused(sheet, name, f"{quoted(name)} is of no use"),
        ]
        raise sheet.asks(f"what is {named([name])}?", choices)


def ask_keys(sheet: Sheet, roles: Roles) -> None:
    """Ask about columns that could be keys, and about ids that repeat."""
    columns, size = roles.columns, len(sheet.frame)
    instance = columns.get("instance", "")
    known = [*keys_of(columns), *{sheet.layout.resample} & {*roles.left}]
    classes, free = {*sheet.values(columns["label"])}, list[str]()
    for name in roles.left:
        decides = {*sheet.values(name)} <= classes and called(name, words.DECIDED)
        if 2 <= sheet.size(name) <= size / 2 and not decides and name not in (*known, sheet.amount):
            free.append(name)
    if instance and sheet.columns.get("repeat") != PLACE:
        _ask_of_ids(sheet, roles, known, free, instance)
    # Without ids rows are numbered, as they are by ids that only count the rows of the file.
    places = sheet.numbers(instance) if instance else np.arange(size)
    numbered = places is not None and places[0] in (0, 1) and (np.diff(places) == 1).all()
    for name in free:
        if numbered and _is_even(sheet, columns["label"], known, name):
            _ask_key(sheet, roles, name, "has the same number of rows of each class for each value")
        if plain(name) in KEYED and (numbered or not sheet.is_nested(name, instance)):
            _ask_key(sheet, roles, name, "is called as a key is")


def _ask_of_ids(
    sheet: Sheet, roles: Roles, known: Sequence[str], free: Sequence[str], instance: str
) -> None:
    """Ask which column tells rows of the same id apart; if none does, about the id."""
    size, distinct = len(sheet.frame), sheet.count([*known, instance])
    if distinct == size:
        return
    ranks = dict[str, tuple[bool, bool, int]]()
    for name in free:
        gain = sheet.count([*known, instance, name])
        if gain > distinct and sheet.count([*known, name]) <= gain / 2:
            keyed = plain(name) in words.MODEL | words.REPEAT | words.FOLD
            ranks[name] = (gain == size, keyed, gain)
    if ranks:
        best = max(ranks, key=lambda name: ranks[name])
        _ask_key(sheet, roles, best, "tells rows of the same case apart", instance)
    if distinct > 0.9 * size or size < 2 * FEWEST:
        return  # rows that occur twice: a check names them
    rows = f"rows of the same {quoted(instance)}"
    choices = [column(f"{rows} belong together", cluster=instance, instance=None)]
    if sheet.is_nested(roles.columns["label"], instance):
        repeats = column(f"{rows} are repeats of one case", instance=instance, repeat=PLACE)
        choices.insert(0, repeats)
    what = f"{named([instance])} has {sheet.count([instance]):,} values in {size:,} rows"
    mend = "are rows of the same value repeats of one case, or cases that belong together?"
    raise sheet.asks(f"{what}: {mend}", choices)


def _ask_key(sheet: Sheet, roles: Roles, name: str, seen: str, case: str = "") -> None:
    """Ask what a column is that could be a key; of rows of the same `case` it must be one."""
    looks, choices = plain(name), list[Choice]()
    if words.UNIT.fullmatch(case) and looks not in KEYED:
        together = f"rows of the same {quoted(case)} belong together"
        choices = [column(together, cluster=case, instance=None, unused=(*sheet.unused, name))]
    likely = ["repeat", "model"] if looks in words.REPEAT else ["model", "repeat"]
    for role in ["fold", *likely] if looks in words.FOLD else likely:
        if role not in roles.columns:
            choices.append(column(f"the values of {quoted(name)} are {role}s", **{role: name}))
        elif role == "model":
            both = (*several(sheet.columns.get("model") or roles.columns["model"]), name)
            choices.append(column(f"{named(both)} tell models apart", model=both))
    if not case:
        choices.append(_unused(sheet, name, f"{quoted(name)} is only a property of cases"))
    for first in sheet.values(name)[:1]:
        choices.append(_only(sheet, f"only {quoted(first)} is judged", f"{name} == {first}"))
    why = f"{named([name])} ({sheet.size(name):,} values) {seen}"
    raise sheet.asks(f"{why}: say what it is", choices)


def _is_even(sheet: Sheet, label: str, known: Sequence[str], name: str) -> bool:
    """Return whether each value has the same number of rows of each class, within known keys."""
    cells = [sheet.codes(known), sheet.texts(name).codes]
    counts = pd.crosstab(cells, sheet.texts(label).codes)
    few = counts.sum(axis=1).min() < FEWEST or (counts > 0).sum(axis=1).max() < 2
    groups = counts.groupby(level=0)
    even = groups.size().max() > 1 and (groups.max() == groups.min()).all(axis=None)
    return bool(even and (known or not few))


def ask_numbered(sheet: Sheet, roles: Roles, *, alone: bool) -> None:
    """Ask which rows of models, repeats or files are of the same case, where no column says so."""
    columns, label = roles.columns, roles.columns["label"]
    keys = keys_of(columns, "fold")
    if "instance" in {*sheet.columns, *columns} or (alone and sheet.count(keys) == 1):
        return
    choices = [
        column(f"{quoted(name)} is the case", instance=name)
        for name in roles.left
        if sheet.is_unique(keys, name) and sheet.is_nested(label, name)
    ]
    groups, labels = sheet.codes(keys), sheet.texts(label).codes
    parts = [labels[groups == code] for code in np.unique(groups)]
    if all(np.array_equal(parts[0], part) for part in parts):
        choices.append(column("rows at the same place are of the same case", instance=PLACE))
    if "model" in columns or not alone:
        choices.append(Choice({"pairing": "unpaired"}, "models are judged on other cases"))
    why = "no column says which rows of each model, repeat or file are of the same case"
    raise sheet.asks(f"{why}; name it (--column instance=NAME)", choices)
