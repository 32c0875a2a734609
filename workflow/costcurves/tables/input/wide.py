"""Wide tables: a row an instance, a column a model (or one for each of a model's classes)."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa

from costcurves.errors import InputError, refuse
from costcurves.names import quoted
from costcurves.settings import OF_CLASS, SEGMENT, ReadingKeys, several
from costcurves.tables.codes import Floats
from costcurves.tables.input.headers import truths
from costcurves.tables.input.reader import (
    ID,
    TIMES,
    Reading,
    distinct,
    named,
    numbers_of,
    one_of,
    with_rows,
)
from costcurves.tables.input.sheets import Sheet

INSTANCE: Final = rf"|instance|(?i:index|rowindex|row_ids|\.row)|{ID}"
ONE: Final = re.compile(  # what the scores of an only model are called
    r"(?i)((y|oof|hat|p|raw|pred(ict(ed|ion)?)?|label|class|score|prob(a|abilit(y|ie))?)s?[ _.]?)*"
)
DECIDED: Final = re.compile(  # what the decisions of an only model are called
    r"(?i)\W?(y[ _.]?)?(pred(ict(ed|ions?)?)?s?|decisions?)([ _.](class|label|y))?"
)
BESIDE: Final = re.compile(  # of a model beside its scores: what decisions are called
    r"(?i)(?P<first>.+[ _.-]|)(pred(ict(ed|ions?)?)?s?|decisions?|class|label|hat)"
    r"(?P<last>[ _.-].+|)"
)
AROUND: Final = " _-.()[]"  # between what a model and what its class is called
NEARLY: Final = 0.001  # probabilities, after rounding
SPLIT: Final = "split"
OF_CASES: Final = {"cluster": "clusters", "weight": "weights of cases"}  # called so to the letter
MEND_ID: Final = (
    "if it says which cases belong together, name it as that (--column cluster=NAME, in a "
    "configuration 'columns:'); else name the id of each row (--column instance=NAME)"
)
MEND: Final = "('columns: {score: NAME}' or --column score=NAME)"


class Wide:
    """A table with a column a model."""

    name: Final = "wide"
    what: Final = "a wide table, a column a model"

    def claims(self, names: Sequence[str]) -> bool:
        """Say whether there is a truth, and no column of models."""
        looks = {name.strip("\ufeff \t").casefold() for name in names}
        return bool(truths(names)) and "model" not in looks

    def read(self, sheet: Sheet, said: ReadingKeys, model: str) -> Reading:
        """Read each model's column, one below the other."""
        names = sheet.names
        labels = ["label"] if "label" in names else truths(names)
        label = one_of(sheet, "the truth", "label", labels)
        ids = [one for one in names if re.fullmatch(INSTANCE, one) and one != label]
        unique = [one for one in ids if len(distinct(sheet.table[one], said)) == len(sheet.table)]
        ids = ["instance"] if "instance" in names else unique or ids
        chosen, looks = _said(sheet, said), {one.strip().casefold(): one for one in names}
        kept = {own: one for own, one in looks.items() if own not in OF_CASES}
        kept |= {one: one for one in OF_CASES if one in names and one not in chosen}
        if ids and not unique and not {"instance", "dataset", "repeat", SPLIT} & {*kept}:
            size = len(distinct(sheet.table[ids[0]], said))
            found = f"{named(ids[:1])} has {size:,} values in {len(sheet.table):,} rows"
            raise InputError([f"{sheet.source.path}: {found}; {MEND_ID}"])
        columns = {own: sheet.table[kept[own]] for own in TIMES if own in kept}
        columns["label"] = sheet.table[label]
        if ids:
            columns["instance"] = sheet.table[one_of(sheet, "the instance's id", "instance", ids)]
        used = {label, *ids, SPLIT, *(kept[own] for own in TIMES if own in kept)}
        used |= {*sheet.conditions.values()}
        left = [one for one in names if one not in used and not one.startswith(SEGMENT)]
        classes = distinct(columns["label"], said)
        refuse(_asked(sheet, said, [one for one in OF_CASES if one in columns]))
        decided = [one for one in left if DECIDED.fullmatch(one) and one not in chosen]
        decided = [one for one in decided if {*distinct(sheet.table[one], said)} <= {*classes}]
        beside = {} if chosen else _beside(sheet, said, left, {*classes})
        others = [one for one in left if one not in (*decided, *beside.values())]
        models = _models(sheet, said, others, decided)
        scores, how = _scores(sheet, models, classes, model)
        decided = [beside[one] for one in scores if one in beside] or decided[:1]
        decided = decided if len(decided) == len(scores) else []
        for one, own in zip(decided, scores.values(), strict=False):
            own["decision"] = sheet.table[one]
        how += f", decisions are in {named(decided)}" if decided else ""
        unused = tuple(one for one in left if one not in (*models, *decided))
        how += f"; not used: {named(unused)}" if unused else ""
        split = SPLIT if SPLIT in names else ""
        whole = with_rows(sheet, said, columns | {"model": columns["label"]}, split, "")
        seen = f"{self.what}: the truth is {named([label])}"
        seen += f", instances {named(ids)}" if ids else ""
        seen += "".join(f", {OF_CASES[one]} {named([one])}" for one in OF_CASES if one in columns)
        notes, table = (f"{seen}, {how}", *whole.notes[1:]), whole.table.drop_columns("model")
        return Reading(_long(table, scores), notes, whole.numbered, unused)


def _asked(sheet: Sheet, said: ReadingKeys, names: Sequence[str]) -> Iterator[str]:
    """Ask whether columns named as clusters or weights hold the scores of a model."""
    for name in names:
        values = floats(numbers_of(sheet, said, name))
        between = values[(values > 0) & (values < 1)]
        if name not in (said.columns or {}) and len(between) == len(values) > 0:
            what = f"{OF_CASES[name]} (--column {name}={name}) or scores of a model"
            mend = f"(--column score={name}, and so the other models)"
            yield f"{sheet.source.path}: column {quoted(name)} may hold {what} {mend}; say which"


def _said(sheet: Sheet, said: ReadingKeys) -> list[str]:
    """Give the columns that were said to hold scores."""
    own = several((said.columns or {}).get("score"))
    of_classes = [role for role in said.columns or {} if role.startswith(OF_CLASS)]
    return [name for name in (*own, *of_classes) if name in sheet.names]


def _models(
    sheet: Sheet, said: ReadingKeys, names: list[str], decided: list[str]
) -> dict[str, Floats]:
    """Find the scores of models; ask where a column may be something else.

    Where columns are called `score_...`, no number that is no probability may be a score as well.
    """
    chosen, path = _said(sheet, said), sheet.source.path
    numbers = {name: numbers_of(sheet, said, name) for name in chosen or names}
    found = {name: floats(it) for name, it in numbers.items() if chosen or it is not None}
    unlike = [] if chosen else _unlike(found)
    if called := [name for name in found if name.startswith(OF_CLASS)]:
        found = {name: it for name, it in found.items() if name in called or name not in unlike}
        unlike = [] if chosen else [name for name in found if name not in called]
    if unlike or not (found or decided):
        which = named(unlike or names or sheet.names)
        mend = "name those that hold scores ('columns: {score: [...]}', --column score=NAME ...)"
        if not unlike:
            mend = f"if the truth is in another file, give that as well; else {mend}"
        what = f"numbers in {which} that may be no scores" if unlike else f"no scores in {which}"
        raise InputError([f"{path}: is a wide table with {what}; {mend}"])
    return found


def _beside(sheet: Sheet, said: ReadingKeys, names: list[str], known: set[str]) -> dict[str, str]:
    """Find the decisions of models beside their scores: `rf_proba, rf_pred` or `p_rf, pred_rf`."""
    found = {}
    for name in names:
        match = BESIDE.fullmatch(name)
        if match and bool(match["first"]) != bool(match["last"]):
            ends = match.group("first", "last")
            others = [one for one in names if one != name and one.startswith(ends[0])]
            others = [one for one in others if one.endswith(ends[1])]
            both = [{*distinct(sheet.table[one], said)} <= known for one in (name, *others)]
            if both == [True, False] and numbers_of(sheet, said, others[0]) is not None:
                found[others[0]] = name
    return found


def floats(values: pa.ChunkedArray | None) -> Floats:
    """Give numbers, none where there are none."""
    none = np.empty(0)  # of what is said to be scores, and will be refused
    return none if values is None else values.cast(pa.float64()).to_numpy()


def _unlike(columns: dict[str, Floats]) -> list[str]:
    """Find columns that look like attributes: of whole numbers, or no probabilities among such."""
    values = {name: one[~np.isnan(one)] for name, one in columns.items()}
    whole = [name for name, one in values.items() if (one == np.round(one)).all()]
    beyond = [name for name, one in values.items() if ((one < 0) | (one > 1)).any()]
    if len(whole) == len(values):  # decisions, but for what has more than two values
        return [name for name in whole if len(np.unique(values[name])) > 2]
    return [
        name for name in values if name in whole or (name in beyond and len(beyond) < len(values))
    ]


def _scores(
    sheet: Sheet, models: dict[str, Floats], classes: list[str], model: str
) -> tuple[dict[str, dict[str, Any]], str]:
    """Give each model's columns, and what was understood."""
    found, path = _of_classes(models, classes), sheet.source.path
    if found and len(found) < len(models):
        other = named([name for name in models if name not in found])
        why = "some models have a column for each class, others have one: read them one by one"
        raise InputError([f"{path}: {why}; {other}"])
    if not found and (pair := _complements(models)):
        why = "sum to 1 in each row, as scores of two classes do"
        raise InputError([f"{path}: {named(pair)} {why}; name that of the positive one {MEND}"])
    scores: dict[str, dict[str, Any]] = {} if models else {model: {}}
    for name in models:
        own, column = (found[name][0], OF_CLASS + found[name][1]) if found else (name, "score")
        scores.setdefault(own, {})[column] = sheet.table[name]
    if len(scores) == 1 and ONE.fullmatch(next(iter(scores)).partition("[")[0]):
        scores = {model: next(iter(scores.values()))}
        if found:
            return scores, f"scores of each class are in {named([*models])}"
    listed = f"model{'' if len(scores) == 1 else 's'} {', '.join(map(quoted, scores))}"
    return scores, f"its {listed}"


def _of_classes(models: dict[str, Floats], classes: list[str]) -> dict[str, tuple[str, str]]:
    """Find columns that are called after a model and a class, and sum to 1 over its classes.

    What is called as a class and nothing else, or as arrays are (`model[class]`), need not sum.
    """
    each: dict[tuple[str, str], dict[str, str]] = {}
    for name in models if 1 < len(classes) <= len(models) else ():
        for one in classes:
            for at in re.finditer(re.escape(one), name):
                each.setdefault((name[: at.start()], name[at.end() :]), {})[one] = name
    whole = {around: own for around, own in each.items() if len(own) == len(classes)}
    return {
        name: ("".join(around).strip(AROUND), one)
        for around, own in whole.items()
        if around[1] == "]"
        or around in (("", ""), (OF_CLASS, ""))
        or _sum_to_one([models[it] for it in own.values()])
        for one, name in own.items()
    }


def _complements(models: dict[str, Floats]) -> list[str]:
    """Find two columns of which one says 1 where the other says 0."""
    names, first = [*models], np.array([one[:1].sum() for one in models.values()])
    near = np.triu(np.abs(first[:, None] + first - 1) <= 2 * NEARLY, 1)
    for pair in np.argwhere(near):
        one, other = (models[names[at]] for at in pair)
        if (one != other).any() and _sum_to_one([one, other]):
            return [names[at] for at in pair]
    return []


def _sum_to_one(values: Sequence[Floats]) -> bool:
    """Say whether rows sum to 1, as far as rounded ones can, and ones that have all values."""
    sums = np.sum(values, axis=0)
    return bool((np.abs(sums - 1) <= len(values) * NEARLY)[~np.isnan(sums)].all())


def _long(table: pa.Table, scores: dict[str, dict[str, Any]]) -> pa.Table:
    """Put models below each other; what all share is not copied."""
    of_all = {name: [*table[name].chunks] * len(scores) for name in table.column_names}
    columns = {name: pa.chunked_array(chunks, table[name].type) for name, chunks in of_all.items()}
    codes = np.repeat(np.arange(len(scores), dtype=np.int32), table.num_rows)
    columns["model"] = pa.DictionaryArray.from_arrays(codes, pa.array([*scores]))
    for name in next(iter(scores.values())):
        each = [one[name] for one in scores.values()]
        types = {one.type for one in each}
        parts = [one if len(types) == 1 else one.cast(pa.float64()) for one in each]
        columns[name] = pa.chunked_array([chunk for one in parts for chunk in one.chunks])
    return pa.table(columns)
