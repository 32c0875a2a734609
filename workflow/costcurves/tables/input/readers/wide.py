"""Wide tables: a row an instance, a column a model (or one for each of a model's classes)."""

import re
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from costcurves.errors import InputError
from costcurves.tables.configuration.names import quoted
from costcurves.tables.configuration.reading_keys import ReadingKeys
from costcurves.tables.input.headers import LABELS, OF_CLASS
from costcurves.tables.input.readers.interface import (
    TIMES,
    Reading,
    distinct,
    named,
    one_of,
    text,
    with_rows,
)
from costcurves.tables.input.readers.layouts import ID
from costcurves.tables.input.readers.sheets import Sheet
from costcurves.tables.input.reading import numbers_in

INSTANCE: Final = rf"|instance|(?i:index|rowindex|row_ids|\.row)|{ID}"
ONE: Final = re.compile(  # what the scores of an only model are called
    r"(?i)(y_?|oof_?)?(score|prob|proba|probability|pred|preds|prediction|predictions|hat|oof)s?|p"
)
OF_ONE: Final = re.compile(r"(.+)\[(.*)\]")  # a model's scores of a class
SPLIT: Final = "split"


class Wide:
    """A table with a column a model."""

    name: Final = "wide"
    what: Final = "a wide table, a column a model"

    def claims(self, names: Sequence[str]) -> bool:
        """Say whether there is a truth, and no column of models."""
        looks = {name.strip("\ufeff \t").casefold() for name in names}
        long = looks & {"model", "decision"} or any(one.startswith(OF_CLASS) for one in looks)
        return bool(looks & LABELS) and not long

    def read(self, sheet: Sheet, said: ReadingKeys, model: str) -> Reading:
        """Read each model's column, one below the other."""
        names = sheet.names
        labels = [one for one in names if one.strip().casefold() in LABELS]
        label = one_of(sheet, "the truth", "label", ["label"] if "label" in names else labels)
        ids = [one for one in names if re.fullmatch(INSTANCE, one) and one != label]
        unique = [one for one in ids if len(distinct(sheet.table[one], said)) == len(sheet.table)]
        ids = ["instance"] if "instance" in names else unique or ids
        kept = {one.strip().casefold(): one for one in names}
        columns = {own: sheet.table[kept[own]] for own in TIMES if own in kept}
        columns["label"] = sheet.table[label]
        if ids:
            columns["instance"] = sheet.table[one_of(sheet, "the instance's id", "instance", ids)]
        used = {label, *ids, SPLIT, *(kept[own] for own in TIMES if own in kept)}
        models = _models(sheet, said, [one for one in names if one not in used])
        split = SPLIT if SPLIT in names else ""
        scores, how = _scores(sheet, said, models, columns["label"], model)
        whole = with_rows(sheet, said, columns | {"model": columns["label"]}, split, "")
        seen = f"{self.what}: the truth is {named([label])}"
        seen += f", instances {named(ids)}" if ids else ""
        notes = (f"{seen}, {how}", *whole.notes[1:])
        return Reading(_long(whole.table.drop_columns("model"), scores), notes, whole.numbered)


def _models(sheet: Sheet, said: ReadingKeys, names: list[str]) -> list[str]:
    """Find the columns of models; ask where a column may be something else."""
    chosen = (said.columns or {}).get("score")
    if chosen:
        columns = [chosen] if isinstance(chosen, str) else [*chosen]
        return [name for name in columns if name in sheet.names]
    numbers = {name: _numbers(sheet, said, name) for name in names}
    found = {name: values for name, values in numbers.items() if values is not None}
    unlike = _unlike({name: pc.drop_null(values) for name, values in found.items()})
    if not found or unlike:
        path, which = sheet.source.path, named(unlike or names or sheet.names)
        mend = "name those that hold scores ('columns: {score: [...]}', --column score=NAME ...)"
        if not unlike:
            mend = f"if the truth is in another file, give that as well; else {mend}"
        what = f"numbers in {which} that may be no scores" if unlike else f"no scores in {which}"
        raise InputError([f"{path}: is a wide table with {what}; {mend}"])
    return [*found]


def _unlike(columns: dict[str, pa.ChunkedArray]) -> list[str]:
    """Find columns that look like attributes: of whole numbers, or no probabilities among such."""
    values = {name: one.cast(pa.float64()).to_numpy() for name, one in columns.items()}
    whole = [name for name, one in values.items() if (one == np.round(one)).all()]
    beyond = [name for name, one in values.items() if ((one < 0) | (one > 1)).any()]
    if len(whole) == len(values):  # decisions, but for what has more than two values
        return [name for name in whole if len(np.unique(values[name])) > 2]
    return [
        name for name in values if name in whole or (name in beyond and len(beyond) < len(values))
    ]


def _numbers(sheet: Sheet, said: ReadingKeys, name: str) -> pa.ChunkedArray | None:
    """Give a column's numbers; None if it holds anything else."""
    values = sheet.table[name]
    if pa.types.is_floating(values.type) or pa.types.is_integer(values.type):
        return values
    if pa.types.is_string(values.type) or pa.types.is_dictionary(values.type):
        numbers = numbers_in(values, said)
        given = len(values) - (text(values, said).to_pylist().count(""))
        return numbers if given and numbers.null_count == len(values) - given else None
    return None


def _scores(
    sheet: Sheet, said: ReadingKeys, names: list[str], label: Any, model: str
) -> tuple[dict[str, dict[str, Any]], str]:
    """Give each model's columns, and what was understood."""
    classes, table = distinct(label, said), sheet.table
    if len(names) > 1 and {*names} == {*classes}:
        one = {f"{OF_CLASS}{name}": table[name] for name in names}
        return {model: one}, f"scores of each class are in {named(names)}"
    parts = {name: OF_ONE.fullmatch(name) for name in names}
    found = {name: match for name, match in parts.items() if match and match[2] in classes}
    if found and len(found) < len(names):
        other = named([name for name in names if name not in found])
        why = "some models have a column for each class, others have one: read them one by one"
        raise InputError([f"{sheet.source.path}: {why}; {other}"])
    models: dict[str, dict[str, Any]] = {}
    for name in names:
        own, column = (found[name][1], OF_CLASS + found[name][2]) if found else (name, "score")
        models.setdefault(own, {})[column] = table[name]
    if len(models) == 1 and ONE.fullmatch(next(iter(models))):
        models = {model: next(iter(models.values()))}
    listed = f"model{'' if len(models) == 1 else 's'} {', '.join(map(quoted, models))}"
    return models, f"its {listed}"


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
