"""What each column of a file is: read as something, a key, or not used.

What a column could be and nobody said is a question; nothing is passed over in silence. A key tells
rows of several models, repeats or folds apart: where rows have ids, rows of the same id; without
ids each of its values has the same number of rows of each class.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from costcurves.errors import InputError
from costcurves.names import closest, quoted, some
from costcurves.predictions import words
from costcurves.predictions.asking import Choice, column
from costcurves.predictions.layouts import LAYOUTS, LONG, NAMES, OF_CLASS, WIDE, Layout
from costcurves.predictions.reading import NUMBER
from costcurves.predictions.scores import Models, ask_missing, models_of
from costcurves.predictions.sheet import Sheet, codes_of, count, is_unique, named
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


@dataclass(frozen=True)
class Roles:
    """What each column of a file is."""

    columns: dict[str, str]  # of a role
    models: Models
    left: list[str]  # of no role


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
    if {"label", "score"} <= {*(keys.columns or {})}:  # then that is all that counts
        return LONG if "model" in names else WIDE
    claimed = (layout for layout in LAYOUTS if layout.claims(names))
    return next(claimed, LONG if "model" in names else WIDE)


def roles_of(sheet: Sheet, model: str) -> Roles:
    """Return what each column is; `model` is the name of an only model."""
    columns = _known(sheet)
    _check_parts(sheet, columns)
    if "label" not in columns:
        columns["label"] = _label(sheet, columns)
    classes = sheet.values(columns["label"])
    codes = [text for text in classes if plain(text) in words.CODES]
    if 2 <= len(classes) - len(codes) <= MOST_CLASSES:
        ask_missing(sheet, columns["label"], codes, "no label")
    if not {"instance"} & {*columns, *sheet.columns} and (name := _instance(sheet, columns)):
        columns["instance"] = name
    left = _left(sheet, columns)
    for name in left:
        if name not in sheet.named and name != sheet.amount:
            _ask_role(sheet, columns, name)
    decision = columns.get("decision", "")
    guessed = decision and sheet.layout is WIDE and "decision" not in sheet.columns
    if guessed and not {*sheet.values(decision)} & {*classes}:
        left.append(columns.pop("decision"))
    models = models_of(sheet, columns, left, classes, model)
    used = {name for each in models.values() for name in each.values()}
    return Roles(columns, models, [name for name in left if name not in used])


def _left(sheet: Sheet, columns: Mapping[str, str]) -> list[str]:
    """Return the columns of no role."""
    return [name for name in sheet.names if name not in (*columns.values(), *sheet.unused)]


def _known(sheet: Sheet) -> dict[str, str]:
    """Return the columns of roles that are said, called as the layout says, or as we call them."""
    columns = dict[str, str]()
    free = [name for name in sheet.names if name not in sheet.named]
    for role in ROLES:
        name = sheet.columns.get(role)
        if role not in sheet.columns:
            names = [
                each for each in free if re.fullmatch(sheet.layout.roles.get(role, "$."), each)
            ]
            names += [
                each for each in free if each == role or (role not in EXACT and plain(each) == role)
            ]
            name = next(iter(names), None)
        if isinstance(name, str) and name != PLACE:
            columns[role] = name
    decision = columns.get("decision", "")
    if decision and "decision" not in sheet.columns and sheet.fractions(decision):
        del columns["decision"]  # what is predicted with fractions is a score
    return columns


def _check_parts(sheet: Sheet, columns: Mapping[str, str]) -> None:
    """Refuse rows of training; ask which part is judged where there are several."""
    for name in (each for each in sheet.names if each not in sheet.unused):
        given = sheet.values(name)
        trained = [text for text in given if plain(text) in words.TRAINING]
        judged = [text for text in given if plain(text) in words.OTHER_ROWS]
        parts = len(trained) + len(judged) == len(given)
        split = name == columns.get("fold") or re.fullmatch(sheet.layout.resample or "$.", name)
        open_parts = len(judged) > 1 and parts and name not in sheet.conditions
        if not (open_parts or (trained and (parts or split))):
            continue
        conditions: list[tuple[str, ...]] = [(f"{name} == {text}",) for text in judged]
        if len(judged) < 2:
            conditions = [tuple(f"{name} != {text}" for text in trained)]
        choices = [
            Choice(
                {"where": (*(sheet.keys.where or ()), *each)}, f"rows where {each[0]} are judged"
            )
            for each in conditions
        ]
        typed = " or ".join(f"--where {quoted(each[0])}" for each in conditions)
        why = f"has rows of {some(judged)}: say which are judged ({typed})"
        if trained:
            why = f"says that rows are of training ({some(trained)}), whose scores say nothing of"
            why = f"{why} new cases; leave them out: {typed}"
        raise sheet.asks(f"{named([name])} {why}", choices)


def _label(sheet: Sheet, columns: Mapping[str, str]) -> str:
    """Return the only column that is called as a truth, or ask which one it is."""
    left = _left(sheet, columns)
    names, pattern = words.truths(left), sheet.layout.scores or "$."
    classes = [match[1] for name in left if (match := re.fullmatch(pattern, name))]
    decided = sheet.values(columns["decision"]) if "decision" in columns else []
    if sheet.layout.signs and ({*decided} - {"0", "1"} or len(classes) > 1):
        fits = [name for name in left if {*sheet.values(name)} <= {*decided, *classes}]
        names = [name for name in fits if sheet.values(name)[1:]] or names
    if len(names) == 1:
        return names[0]
    if any(re.fullmatch(NUMBER, name) for name in sheet.names):
        why = f"the first row must name the columns; it has {some(sheet.names)}"
        raise InputError([f"{sheet.source.path}: {why}"])
    unique = [name for name in left if is_unique(sheet, [], name)]
    cases = [] if any(re.fullmatch(words.IDS, name) for name in unique) else unique
    choices = []
    for name in (names or _truths(sheet, left, decided))[:4]:
        case = next((each for each in cases if each != name), None)
        also = f" and {quoted(case)} the case" if case else ""
        roles = {"label": name} | ({"instance": case} if case else {})
        choices.append(column(f"{quoted(name)} is the truth{also}", **roles))
    why = f"no column is known as the truth; {SAY_LABEL}; of another file: --truth FILE --on ID"
    if names:
        why = f"columns {some(names)} could each be the truth; {SAY_LABEL}"
    raise sheet.asks(f"{why}; its columns are {some(sheet.names)}", choices)


def _truths(sheet: Sheet, left: Sequence[str], decided: Sequence[str]) -> list[str]:
    """Return what may be the truth: two values, or up to twenty that other columns name."""
    ranks = dict[str, tuple[bool, ...]]()
    for name in left:
        values, others = sheet.values(name), " ".join({*sheet.names} - {name}).lower()
        looks = {plain(text) for text in values}
        keyed = plain(name) in words.MODEL | words.REPEAT | words.FOLD
        keyed |= looks <= words.DECISION_WORDS or looks <= words.TRAINING | words.OTHER_ROWS
        like = called(name, words.TRUE) or {*values} <= {*decided}
        like = like or all(text.lower() in others for text in values)
        few = 2 <= len(values) <= min(MOST_CLASSES, len(sheet.frame) / 2)
        decides = called(name, words.DECIDED, words.RATED)
        if few and not (keyed or decides) and (like or len(values) == 2):
            digits = looks <= {"0", "1", "true", "false", "0.0", "1.0"}
            ranks[name] = (not like, len(values) > 2, not digits)
    best = sorted(ranks, key=lambda name: ranks[name])
    return [name for name in best if ranks[name][0] == ranks[best[0]][0]]


def _instance(sheet: Sheet, columns: Mapping[str, str]) -> str | None:
    """Return the column that is called as an id: the one with a value a row, if there is one."""
    ids = [name for name in _left(sheet, columns) if re.fullmatch(words.IDS, name)]
    ids = [name for name in ids if plain(name) not in words.MODEL and sheet.size(name)]
    keys = [columns[role] for role in KEYS if role in columns]
    unique = [name for name in ids if is_unique(sheet, keys, name)]
    plainly = [name for name in unique if not called(name, "index|idx|row")]
    unique = plainly if len(plainly) == 1 else unique
    if len(unique) > 1:
        choices = [column(f"{quoted(name)} is the case", instance=name) for name in unique]
        raise sheet.asks(f"columns {some(unique)} could each be the case's id", choices)
    return max(unique or ids, key=sheet.size, default=None)


def _ask_role(sheet: Sheet, columns: Mapping[str, str], name: str) -> None:
    """Ask about a column that is called as weights, as a cost, or nearly as one of ours."""
    numbers, roles = sheet.numbers(name), list[str]()
    paid = numbers is not None and bool((numbers >= 0).all()) and len(np.unique(numbers)) > 1
    if paid and plain(name) in words.WEIGHTS and "weight" not in columns:
        roles = ["weight"]
    elif paid and plain(name) == "cost" and not {"cost_fp", "cost_fn"} & {*columns}:
        roles = ["cost_fn", "cost_fp"]
    elif sheet.layout is LONG and not name.startswith(OF_CLASS):
        ours = {*ROLES, "score"} - {*columns, *sheet.names, "cluster", "weight"}
        known = plain(name) in words.LABELS or re.fullmatch(words.IDS, name)
        near = None if known or plain(name) == "score" else closest(name, sorted(ours))
        roles = [near] if near else []
    twin = sheet.layout is LONG and name != plain(name) and plain(name) in sheet.names
    if roles or (twin and plain(name) in (*ROLES, "score")):
        choices = [
            column(f"the column {role!r} is {quoted(name)}", **{role: name}) for role in roles
        ]
        choices.append(column(f"{quoted(name)} is of no use", unused=(*sheet.unused, name)))
        typed = " or ".join(f"--column {role}={name}" for role in (*roles, "unused"))
        raise sheet.asks(f"what is {named([name])}? Say {typed}", choices)


def ask_keys(sheet: Sheet, roles: Roles) -> None:
    """Ask about columns that could be keys, and about ids that repeat."""
    columns, size = roles.columns, len(sheet.frame)
    instance, cluster = columns.get("instance"), columns.get("cluster")
    known = [columns[role] for role in KEYS if role in columns]
    known += [name for name in roles.left if name == sheet.layout.resample]
    classes, free = {*sheet.values(columns["label"])}, []
    for name in (each for each in roles.left if each not in known):
        values = {*sheet.values(name)}
        decides = values and values <= classes and called(name, words.DECIDED)
        if 2 <= sheet.size(name) <= size / 2 and not decides:
            free.append(name)
    if instance is not None and sheet.columns.get("repeat") != PLACE:
        _ask_of_ids(sheet, roles, known, free, instance)
    places = None if instance is None else sheet.numbers(instance)
    counts = places is not None and bool((np.diff(places) == 1).all() and places[0] in (0, 1))
    numbered = instance is None or counts  # it only counts the rows of the file
    for name in free:
        keyed = plain(name) in KEYED
        # It only numbers the cases of each cluster, or is a property of cases.
        if not (keyed or cluster is None) and is_unique(sheet, [cluster], name):
            continue
        if numbered and _is_even(sheet, roles, known, name) and not _differs(sheet, roles, name):
            _ask_key(sheet, roles, name, "has the same number of rows of each class for each value")
        if keyed and (instance is None or numbered or not is_nested(sheet, name, instance)):
            _ask_key(sheet, roles, name, "is called as a key is")


def is_nested(sheet: Sheet, name: str, instance: str) -> bool:
    """Return whether all rows of a case have the same value of a column."""
    return count(sheet, [instance, name]) == count(sheet, [instance])


def _ask_of_ids(
    sheet: Sheet, roles: Roles, known: Sequence[str], free: Sequence[str], instance: str
) -> None:
    """Ask which column tells rows of the same id apart; if none does, about the id."""
    size, distinct = len(sheet.frame), count(sheet, [*known, instance])
    if distinct == size:
        return
    ranks = dict[str, tuple[bool, bool, int]]()
    for name in free:
        gain = count(sheet, [*known, instance, name])
        if gain > distinct and count(sheet, [*known, name]) <= gain / 2:
            keyed = plain(name) in words.MODEL | words.REPEAT | words.FOLD
            ranks[name] = (gain == size, keyed, gain)
    if ranks:
        best = max(ranks, key=lambda name: ranks[name])
        _ask_key(sheet, roles, best, "tells rows of the same case apart", instance)
    if distinct > 0.9 * size or size < 2 * FEWEST:
        return  # rows that occur twice: a check names them
    together = f"rows of the same {quoted(instance)} belong together"
    repeats = f"rows of the same {quoted(instance)} are repeats of one case"
    choices = [
        column(together, cluster=instance, instance=None),
        column(repeats, instance=instance, repeat=PLACE),
    ]
    choices = choices if words.UNIT.fullmatch(instance) else choices[::-1]
    what = f"{named([instance])} has {count(sheet, [instance]):,} values in {size:,} rows"
    typed = "repeats of one case (--column repeat=#), or cases that belong together (--column"
    raise sheet.asks(f"{what}: are rows of the same value {typed} cluster={instance})?", choices)


def _ask_key(sheet: Sheet, roles: Roles, name: str, seen: str, case: str = "") -> None:
    """Ask what a column is that could be a key; of rows of the same `case` it must be one."""
    values, looks, unused = sheet.values(name), plain(name), (*sheet.unused, name)
    order = ["model", "repeat"]
    if looks in words.REPEAT or (sheet.numbers(name) is not None and looks not in words.MODEL):
        order = ["repeat", "model"]
    if looks in words.FOLD:
        order = ["fold", *order]
    choices = []
    if words.UNIT.fullmatch(case) and looks not in KEYED:
        together = f"rows of the same {quoted(case)} belong together"
        choices = [column(together, cluster=case, instance=None, unused=unused)]
    for role in order:
        taken = roles.columns.get(role)
        if taken is None and role not in sheet.columns:
            choices.append(column(f"the values of {quoted(name)} are {role}s", **{role: name}))
        elif role == "model":
            both = (*several(sheet.columns.get("model") or taken), name)
            choices.append(column(f"{named(both)} tell models apart", model=both))
    where = (*(sheet.keys.where or ()), f"{name} == {values[0]}")
    single = Choice({"where": where}, f"only {quoted(values[0])} is judged")
    none = column(f"{quoted(name)} is only a property of cases", unused=unused)
    choices.insert(2, single if case else none)
    typed = " or ".join(f"--column {role}={name}" for role in order)
    why = f"{named([name])} ({sheet.size(name):,} values) {seen}: say what it is ({typed})"
    raise sheet.asks(why, [*choices, single])


def _counts(sheet: Sheet, codes: NDArray[np.integer], name: str) -> NDArray[np.int64]:
    """Count the rows of each code and each value of a column."""
    values = sheet.texts(name)
    table = np.zeros((int(codes.max()) + 1, len(values.categories)), np.int64)
    np.add.at(table, (codes, values.codes), 1)
    return table


def _is_even(sheet: Sheet, roles: Roles, known: Sequence[str], name: str) -> bool:
    """Return whether each value has the same number of rows of each class, within known keys."""
    groups, cells = codes_of(sheet, known), codes_of(sheet, [*known, name])
    counts = _counts(sheet, cells, roles.columns["label"])
    alone = counts.sum(axis=1).min() < FEWEST or (counts > 0).sum(axis=1).max() < 2
    of_group = groups[np.unique(cells, return_index=True)[1]]
    order = np.argsort(of_group, kind="stable")
    same = np.diff(of_group[order]) == 0
    even = (np.diff(counts[order], axis=0)[same] == 0).all()
    return bool(same.any() and even and (known or not alone))


def _differs(sheet: Sheet, roles: Roles, name: str) -> bool:
    """Return whether other columns show that the cases of each value are others.

    Of the same cases a property has the same values; two columns have to say that it has not. What
    has other values for each value of the column may be a property of models.
    """
    codes, against = sheet.texts(name).codes, 0
    classes = {*sheet.values(roles.columns["label"])}
    for other in (each for each in roles.left if each != name):
        if sheet.fractions(other):
            amounts = sheet.numbers(other) if words.AMOUNT.fullmatch(other) else None
            if amounts is not None:
                first, second = (np.sort(amounts[codes == code]) for code in (0, 1))
                against += not np.array_equal(first, second)
        elif (size := sheet.size(other)) > 1 and not ({*sheet.values(other)} or {""}) <= classes:
            table = _counts(sheet, codes, other)
            nested = ((table > 0).sum(axis=0) <= 1).all() and size <= len(codes) / 4
            against += not nested and bool((table != table[0]).any())
    return against >= 2 and plain(name) not in KEYED | words.FOLD


def ask_numbered(sheet: Sheet, roles: Roles) -> None:
    """Ask which rows of models or repeats are of the same case, where no column says so."""
    columns, label = roles.columns, roles.columns["label"]
    keys = [columns[role] for role in KEYS if role in columns and role != "fold"]
    if sheet.columns.get("instance") or "instance" in columns or count(sheet, keys) == 1:
        return
    choices = [
        column(f"{quoted(name)} is the case", instance=name)
        for name in roles.left
        if is_unique(sheet, keys, name) and is_nested(sheet, label, name)
    ]
    groups, labels = codes_of(sheet, keys), sheet.texts(label).codes
    parts = [labels[groups == code] for code in range(int(groups.max()) + 1)]
    if all(np.array_equal(parts[0], part) for part in parts):
        choices.append(column("rows at the same place are of the same case", instance=PLACE))
    if "model" in columns:
        choices.append(Choice({"pairing": "unpaired"}, "models are judged on other cases"))
    why = "no column says which rows of each model and repeat are of the same case"
    raise sheet.asks(f"{why}; name it (--column instance=NAME)", choices)
