"""What each column of a file is: read as something, a key, or not used.

What a column could be and nobody said is a question; nothing is passed over in silence.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from costcurves.errors import InputError
from costcurves.names import closest, quoted, some
from costcurves.predictions import words
from costcurves.predictions.asking import Choice, Question
from costcurves.predictions.layouts import LAYOUTS, LONG, NAMES, OF_CLASS, WIDE, Layout
from costcurves.predictions.reading import NUMBER
from costcurves.predictions.scores import Models, ask_missing, models_of
from costcurves.predictions.sheet import Sheet, is_unique, named
from costcurves.predictions.sources import Source
from costcurves.predictions.words import called, plain
from costcurves.settings import SEGMENT, ReadingKeys

NUMBERS: Final = ("train_pc", "weight", "cost_fp", "cost_fn")
KEYS: Final = ("dataset", "model", "member", "repeat", "fold")
ROLES: Final = ("label", "decision", "instance", *KEYS, "cluster", *NUMBERS)
EXACT: Final = ("cluster", "weight", "decision", "label")  # roles whose names count to the letter
MOST_CLASSES: Final = 20
PLACE: Final = "#"
SAY_LABEL: Final = (
    "say which it is (--column label=NAME, in a configuration 'columns: {label: NAME}')"
)


@dataclass(frozen=True)
class Roles:
    """What each column of a file is."""

    columns: dict[str, str]  # of a role
    models: Models
    left: list[str]  # of no role
    segments: dict[str, str]


def layout_of(source: Source, names: Sequence[str], keys: ReadingKeys) -> Layout:
    """Return the layout of a file with these columns."""
    if keys.format is not None:
        layout = NAMES[keys.format.replace("_", "-")]
        if layout.signs and not layout.claims(names):
            why = f"are not those of {layout.what}: {some(layout.signs)}"
            raise InputError([f"{source.path}: its columns {some(names)} {why}"])
        return layout
    scored = any(name in ("score", "decision") or name.startswith(OF_CLASS) for name in names)
    if {"model", "label"} <= {*names} and scored:
        return LONG
    chosen = {"label", "score"} <= {*(keys.columns or {})}  # then that is all that counts
    claimed = [it for it in LAYOUTS if it.claims(names) and not chosen]
    if len(claimed) > 1:
        choices = [Choice({"format": it.name}, f"these are {it.what}") for it in claimed]
        raise Question(f"{source.path}: could be of several layouts", choices)
    return claimed[0] if claimed else LONG if "model" in names else WIDE


def roles_of(sheet: Sheet, model: str) -> Roles:
    """Return what each column is; `model` is the name of an only model."""
    columns = _known(sheet)
    _check_parts(sheet, columns)
    left = [name for name in sheet.names if name not in (*columns.values(), *sheet.unused)]
    if "label" not in columns:
        columns["label"] = _label(sheet, columns, left)
        left.remove(columns["label"])
    classes = sheet.values(columns["label"])
    codes = [text for text in classes if plain(text) in words.CODES]
    if 2 <= len(classes) - len(codes) <= MOST_CLASSES:
        ask_missing(sheet, columns["label"], codes, "no label")
    if not {"instance"} & {*columns, *sheet.columns} and (name := _instance(sheet, columns, left)):
        columns["instance"] = name
        left.remove(name)
    for name in left:
        if name not in sheet.named and name != sheet.amount:
            _ask_role(sheet, columns, name, left)
    segments = {name: name for name in left if name.startswith(SEGMENT)}
    for role, name in sheet.columns.items():
        if role.startswith(SEGMENT) and name in sheet.names:
            segments[role] = str(name)
    left = [name for name in left if name not in segments.values()]
    decision = columns.get("decision", "")
    guessed = decision and sheet.layout is WIDE and "decision" not in sheet.columns
    if guessed and not {*sheet.values(decision)} & {*classes}:
        left.append(columns.pop("decision"))
    models = models_of(sheet, columns, left, classes, model)
    used = {name for each in models.values() for name in each.values()}
    return Roles(columns, models, [name for name in left if name not in used], segments)


def _known(sheet: Sheet) -> dict[str, str]:
    """Return the columns of roles that are said, called as the layout says, or as we call them."""
    columns, layout = dict[str, str](), sheet.layout
    free = [name for name in sheet.names if name not in sheet.named]
    for role in ROLES:
        if role in sheet.columns:
            name = sheet.columns[role]
            if isinstance(name, str) and name != PLACE:
                columns[role] = name
            continue
        pattern = layout.roles.get(role, "$.")
        names = [name for name in free if re.fullmatch(pattern, name)]
        names += [name for name in free if name == role]
        if layout is not LONG and role not in EXACT:
            names += [name for name in free if plain(name) == role]
        if names:
            columns[role] = names[0]
    decision = columns.get("decision", "")
    if decision and "decision" not in sheet.columns and sheet.fractions(decision):
        del columns["decision"]  # what is predicted with fractions is a score
    return columns


def _check_parts(sheet: Sheet, columns: Mapping[str, str]) -> None:
    """Refuse rows of training; ask which part is judged where there are several."""
    for name in (it for it in sheet.names if it not in sheet.unused):
        given = sheet.values(name)
        trained = [text for text in given if plain(text) in words.TRAINING]
        judged = [text for text in given if plain(text) in words.OTHER_ROWS]
        parts = len(trained) + len(judged) == len(given)
        split = name == columns.get("fold") or re.fullmatch(sheet.layout.resample or "$.", name)
        if trained and (parts or split):
            choices = [Choice({"where": (f"{name} == {it}",)}, f"{it} is judged") for it in judged]
            if len(judged) < 2:
                rest = tuple(f"{name} != {it}" for it in trained)
                choices = [Choice({"where": rest}, "the other rows are judged")]
            typed = " or ".join(f"--where {quoted(it.changes['where'][0])}" for it in choices)
            why = f"says that rows are of training ({some(trained)}), whose scores say nothing of"
            raise sheet.asks(f"{named([name])} {why} new cases; leave them out: {typed}", choices)
        if len(judged) > 1 and parts and name not in sheet.conditions:
            choices = [Choice({"where": (f"{name}={it}",)}, f"{it} is judged") for it in judged]
            why = f"{named([name])} has rows of {some(judged)}: say which are judged"
            raise sheet.asks(f"{why} (--where {name}={judged[-1]})", choices)


def _label(sheet: Sheet, columns: Mapping[str, str], left: Sequence[str]) -> str:
    """Return the only column that is called as a truth, or ask which one it is."""
    names, pattern = words.truths(left), sheet.layout.scores or "$."
    classes = [match[1] for name in left if (match := re.fullmatch(pattern, name))]
    decided = sheet.values(columns["decision"]) if "decision" in columns else []
    if sheet.layout.signs and ({*decided} - {"0", "1"} or len(classes) > 1):
        values = {name: {*sheet.values(name)} for name in left}
        fits = [it for it in left if len(values[it]) > 1 and values[it] <= {*decided, *classes}]
        names = fits or names
    if len(names) == 1:
        return names[0]
    if any(re.fullmatch(NUMBER, name) for name in sheet.names):
        has = f"the first row must name the columns; it has {some(sheet.names)}"
        raise InputError([f"{sheet.source.path}: {has}"])
    unique = [name for name in left if is_unique(sheet, [], name)]
    free = [] if any(re.fullmatch(words.IDS, it) for it in unique) else unique
    choices = []
    for name in (names or _truths(sheet, left, decided))[:4]:
        case = next((it for it in free if it != name), None)
        roles = {"label": name} | ({"instance": case} if case else {})
        also = f" and {quoted(case)} the case" if case else ""
        choices.append(Choice({"columns": roles}, f"{quoted(name)} is the truth{also}"))
    what = f"columns {some(names)} could each be the truth; {SAY_LABEL}"
    if not names:
        what = (
            f"no column is known as the truth; {SAY_LABEL}; of another file: --truth FILE --on ID"
        )
    raise sheet.asks(f"{what}; its columns are {some(sheet.names)}", choices)


def _truths(sheet: Sheet, left: Sequence[str], decided: Sequence[str]) -> list[str]:
    """Return what may be the truth: two values, or up to twenty that other columns name."""
    ranks = dict[str, tuple[bool, ...]]()
    for name in left:
        values = sheet.values(name)
        looks = {plain(text) for text in values}
        others = " ".join(it for it in sheet.names if it != name).lower()
        keyed = plain(name) in words.MODEL | words.REPEAT | words.FOLD
        keyed |= looks <= words.DECISION_WORDS or looks <= words.TRAINING | words.OTHER_ROWS
        decides = called(name, words.DECIDED, words.RATED)
        few = 2 <= len(values) <= min(MOST_CLASSES, len(sheet.frame) / 2)
        like = called(name, words.TRUE) or {*values} <= {*decided}
        like = like or all(text.lower() in others for text in values)
        if few and not (keyed or decides) and (like or len(values) == 2):
            digits = looks <= {"0", "1", "true", "false", "0.0", "1.0"}
            ranks[name] = (not like, len(values) > 2, not digits)
    best = sorted(ranks, key=lambda name: ranks[name])
    return [name for name in best if ranks[name][0] == ranks[best[0]][0]]


def _instance(sheet: Sheet, columns: Mapping[str, str], left: Sequence[str]) -> str | None:
    """Return the column that is called as an id: the one with a value a row, if there is one."""
    ids = [name for name in left if re.fullmatch(words.IDS, name) and sheet.size(name)]
    ids = [name for name in ids if plain(name) not in words.MODEL]
    keys = [columns[role] for role in KEYS if role in columns]
    unique = [name for name in ids if is_unique(sheet, keys, name)]
    if len(unique) > 1:
        plainly = [name for name in unique if not called(name, "index|idx|row")]
        unique = plainly if len(plainly) == 1 else unique
    if len(unique) > 1:
        choices = [
            Choice({"columns": {"instance": it}}, f"{quoted(it)} is the case") for it in unique
        ]
        raise sheet.asks(f"columns {some(unique)} could each be the case's id", choices)
    return max(unique or ids, key=sheet.size, default=None)


def _ask_role(sheet: Sheet, columns: Mapping[str, str], name: str, left: Sequence[str]) -> None:
    """Ask about a column that is called as weights, as a cost, or nearly as one of ours."""
    numbers, roles = sheet.numbers(name), list[str]()
    paid = numbers is not None and bool((numbers >= 0).all()) and len(np.unique(numbers)) > 1
    if paid and plain(name) in words.WEIGHTS and "weight" not in columns:
        roles = ["weight"]
    elif paid and plain(name) == "cost" and not {"cost_fp", "cost_fn"} & {*columns}:
        roles = ["cost_fn", "cost_fp"]
    elif sheet.layout is LONG and not (name.startswith((OF_CLASS, SEGMENT)) or name == "score"):
        absent = [
            it for it in (*ROLES, "score") if it not in (*columns, *left, "cluster", "weight")
        ]
        known = plain(name) in words.LABELS or re.fullmatch(words.IDS, name)
        role = None if known else closest(name, absent)
        roles = [role] if role else []
    twin = sheet.layout is LONG and name != plain(name) and plain(name) in (*ROLES, "score")
    if roles or twin:
        choices = [
            Choice({"columns": {role: name}}, f"the column {role!r} is {quoted(name)}")
            for role in roles
        ]
        typed = " or ".join(f"--column {role}={name}" for role in (*roles, "unused"))
        none = Choice({"columns": {"unused": (name,)}}, f"{quoted(name)} is of no use")
        raise sheet.asks(f"what is {named([name])}? Say {typed}", [*choices, none])
