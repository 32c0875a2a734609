"""Whether a column that nobody named could be a key: rows of several models, repeats or folds.

Where rows have ids, a key is what tells rows of the same id apart. Without ids each value of a key
has the same number of rows of each class.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from costcurves.names import quoted
from costcurves.predictions import words
from costcurves.predictions.asking import Choice
from costcurves.predictions.columns import KEYS, PLACE, Roles
from costcurves.predictions.sheet import Sheet, codes_of, count, is_unique, named
from costcurves.predictions.words import called, plain
from costcurves.settings import several

FEWEST: Final = 4  # rows of a value of a key, where rows have no ids
KEYED: Final = words.MODEL | words.REPEAT | words.TASK


def ask_keys(sheet: Sheet, roles: Roles) -> None:
    """Ask about columns that could be keys, and about ids that repeat."""
    columns = roles.columns
    known = [columns[role] for role in KEYS if role in columns]
    known += [name for name in roles.left if name == sheet.layout.resample]
    free = [name for name in roles.left if name not in known and _is_coarse(sheet, roles, name)]
    instance = columns.get("instance")
    if instance is not None and sheet.columns.get("repeat") != PLACE:
        _ask_of_ids(sheet, roles, known, free, instance)
    numbered = instance is None or _is_place(sheet, instance)
    cluster = columns.get("cluster")
    for name in free:
        keyed = plain(name) in KEYED
        # It only numbers the cases of each cluster, or is a property of cases.
        if not (keyed or cluster is None) and is_unique(sheet, [cluster], name):
            continue
        if numbered and _is_even(sheet, roles, known, name) and not _differs(sheet, roles, name):
            _ask_key(sheet, roles, name, "has the same number of rows of each class for each value")
        if keyed and (instance is None or numbered or not is_nested(sheet, name, instance)):
            _ask_key(sheet, roles, name, "is called as a key is")


def _is_coarse(sheet: Sheet, roles: Roles, name: str) -> bool:
    """Return whether a column has a few values, and is no decision."""
    size, values = sheet.size(name), sheet.values(name)
    classes = sheet.values(roles.columns["label"])
    decides = values and {*values} <= {*classes} and called(name, words.DECIDED)
    return 2 <= size <= len(sheet.frame) / 2 and not decides


def _is_place(sheet: Sheet, name: str) -> bool:
    """Return whether an id only counts the rows of the file."""
    numbers = sheet.numbers(name)
    return numbers is not None and bool((np.diff(numbers) == 1).all() and numbers[0] in (0, 1))


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
    gains = {name: count(sheet, [*known, instance, name]) for name in free}
    gains = {name: gain for name, gain in gains.items() if gain > distinct}
    gains = {name: gain for name, gain in gains.items() if count(sheet, [*known, name]) <= gain / 2}
    if gains:
        keyed = words.MODEL | words.REPEAT | words.FOLD
        best = max(gains, key=lambda name: (gains[name] == size, plain(name) in keyed, gains[name]))
        _ask_key(sheet, roles, best, "tells rows of the same case apart", instance)
    if distinct > 0.9 * size or size < 2 * FEWEST:
        return  # rows that occur twice: a check names them
    choices = [*_choices_of_id(instance)]
    choices = choices if words.UNIT.fullmatch(instance) else choices[::-1]
    what = f"{named([instance])} has {count(sheet, [instance]):,} values in {size:,} rows: are rows"
    repeats = "of the same value repeats of one case (--column repeat=#), or cases that belong"
    raise sheet.asks(f"{what} {repeats} together (--column cluster={instance})?", choices)


def _choices_of_id(name: str, *unused: str) -> tuple[Choice, Choice]:
    """Return what an id that repeats may be: a cluster, or the id of a case with repeats."""
    cluster = {"cluster": name, "instance": None, **({"unused": unused} if unused else {})}
    repeat = {"instance": name, "repeat": PLACE}
    return (
        Choice({"columns": cluster}, f"rows of the same {quoted(name)} belong together"),
        Choice({"columns": repeat}, f"rows of the same {quoted(name)} are repeats of one case"),
    )


def _ask_key(sheet: Sheet, roles: Roles, name: str, seen: str, case: str = "") -> None:
    """Ask what a column is that could be a key; of rows of the same `case` it must be one."""
    values, looks = sheet.values(name), plain(name)
    order = ["model", "repeat"]
    if looks in words.REPEAT or (sheet.numbers(name) is not None and looks not in words.MODEL):
        order = ["repeat", "model"]
    if looks in words.FOLD:
        order = ["fold", *order]
    choices = []
    if words.UNIT.fullmatch(case) and looks not in KEYED:
        choices = [_choices_of_id(case, name)[0]]
    for role in order:
        taken = roles.columns.get(role)
        if taken is None and role not in sheet.columns:
            meaning = f"the values of {quoted(name)} are {role}s"
            choices.append(Choice({"columns": {role: name}}, meaning))
        elif role == "model":
            both = (*several(sheet.columns.get("model") or taken), name)
            choices.append(Choice({"columns": {role: both}}, f"{named(both)} tell models apart"))
    single = Choice({"where": (f"{name} == {values[0]}",)}, f"only {quoted(values[0])} is judged")
    none = Choice({"columns": {"unused": (name,)}}, f"{quoted(name)} is only a property of cases")
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
    for other in (it for it in roles.left if it != name):
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
        Choice({"columns": {"instance": name}}, f"{quoted(name)} is the case")
        for name in roles.left
        if is_unique(sheet, keys, name) and is_nested(sheet, label, name)
    ]
    groups, labels = codes_of(sheet, keys), sheet.texts(label).codes
    parts = [labels[groups == code] for code in range(int(groups.max()) + 1)]
    if all(np.array_equal(parts[0], part) for part in parts):
        place = {"columns": {"instance": PLACE}}
        choices.append(Choice(place, "rows at the same place are of the same case"))
    if "model" in columns:
        choices.append(Choice({"pairing": "unpaired"}, "models are judged on other cases"))
    why = "no column says which rows of each model and repeat are of the same case"
    raise sheet.asks(f"{why}; name it (--column instance=NAME)", choices)
