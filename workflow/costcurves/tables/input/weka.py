"""What Weka writes: CSV or text in columns, also among a console's output, and margins in ARFF."""

import csv
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from costcurves.errors import InputError
from costcurves.names import some
from costcurves.settings import OF_CLASS
from costcurves.tables.input import arff
from costcurves.tables.input.sources import Source

MARGIN: Final = "prediction margin"
_HEADER: Final = re.compile(r" *inst#[ ,]+actual[ ,]+predicted[ ,]+error\b")
_TEXT: Final = re.compile(
    r" *(\d+) +(\d+:.*?|\?) +(\d+:.*?) +(\+?) *(\*?[\d.][\d.,*eE-]*) *(?:\((.*)\))? *"
)
_CLASS: Final = re.compile(r"(\d+):(.*)")
_NUMBER: Final = re.compile(r"\*?\d+(\.\d*)?(e[+-]?\d{1,3})?", re.ASCII | re.IGNORECASE)


def table_of(source: Source) -> tuple[pa.Table, int]:
    """Read the columns, and the line of the first row.

    `inst#` starts anew in each fold, so that tells folds apart.
    """
    lines = source.data.decode().replace("\r\n", "\n").split("\n")
    start = next(number for number, line in enumerate(lines) if _HEADER.match(line))
    in_text = "," not in lines[start].partition("error")[0]
    width = 0 if in_text else len(lines[start].split(","))
    rows: list[list[str]] = []
    for number, line in enumerate(lines[start + 1 :], start + 2):
        if not line.strip():
            break
        row = _of_text(line) if in_text else _of_csv(line)
        if not _is_prediction(row, width):
            raise InputError([f"{source.path} line {number}: is no prediction as Weka writes them"])
        rows.append(row)
        width = len(row)
    if not rows:
        raise InputError([f"{source.path}: has a header and no rows"])
    classes = _classes(source, rows)
    header = lines[start].rstrip()
    attributes = re.findall(r"\((.*)\)$", header)[-1:] if in_text else header.split(",")[5:]
    attributes = ",".join(attributes).split(",") if in_text and attributes else attributes
    return _table(source, rows, classes, [name for name in attributes if name]), start + 2


def of_arff(source: Source) -> tuple[pa.Table, int]:
    """Read ARFF; of the margin of the true class, which the explorer saves, make scores of both."""
    table, first = arff.table_of(source)
    truths = [name for name in table.column_names if f"predicted {name}" in table.column_names]
    if MARGIN not in table.column_names or len(truths) != 1:
        return table, first
    label = table[truths[0]]
    classes = label.drop_null().unique().to_pylist()
    if len(classes) != 2:
        why = f"a margin says a score of each of two classes only; it has {some(classes)}"
        raise InputError([f"{source.path}: {why}; let Weka write CSV (-distribution)"])
    try:
        score = pc.divide(pc.add(table[MARGIN].cast(pa.float64()), 1), 2)
    except pa.ArrowInvalid as error:
        why = f"column {MARGIN!r} has a value that is no number"
        raise InputError([f"{source.path}: {why}; let Weka save it again"]) from error
    for name in classes:
        own = pc.if_else(pc.equal(label, name), score, pc.subtract(1, score))
        table = table.append_column(f"{OF_CLASS}{name}", own)
    return table, first


def _is_prediction(row: list[str], width: int) -> bool:
    """Say whether a row has a number, two classes and a score, and is as long as those before."""
    if len(row) < 5 or len(row) != (width or len(row)):
        return False
    classes = row[1] == "?" or _CLASS.fullmatch(row[1]), _CLASS.fullmatch(row[2])
    return all((*classes, re.fullmatch(r"[0-9]+", row[0]), _NUMBER.fullmatch(row[4])))


def _of_csv(line: str) -> list[str]:
    try:
        return next(csv.reader([line], quotechar='"'))
    except csv.Error:
        return []


def _of_text(line: str) -> list[str]:
    found = _TEXT.fullmatch(line)
    if found is None:
        return []
    number, actual, predicted, error, scores, attributes = found.groups()
    last = attributes.split(",") if attributes else []
    return [number, actual, predicted, error, *scores.split(","), *last]


def _classes(source: Source, rows: list[list[str]]) -> dict[int, str]:
    """Give the name of each class that occurs, by its number; text in columns cuts long ones."""
    names: dict[int, set[str]] = {}
    for value in {value for row in rows for value in row[1:3]}:
        if found := _CLASS.fullmatch(value):
            names.setdefault(int(found[1]), set()).add(_unquoted(found[2]))
    classes = {
        number: max(each, key=lambda name: (len(name), name)) for number, each in names.items()
    }
    if len({*classes.values()}) < len(classes):
        why = "two classes have the same name, as Weka cuts long ones in text; let it write CSV"
        raise InputError([f"{source.path}: {why}"])
    return dict(sorted(classes.items()))


def _unquoted(name: str) -> str:
    if name[:1] != "'":
        return name
    return re.sub(r"\\(.)", r"\1", name[1:].removesuffix("'"))


def _table(
    source: Source, rows: list[list[str]], classes: dict[int, str], attributes: list[str]
) -> pa.Table:
    width = len(rows[0]) - 4 - len(attributes)  # of the distribution, or 1
    if width > 1:
        scores = [[value.lstrip("*") for value in row[4 : 4 + width]] for row in rows]
    elif {*classes} <= {1, 2}:  # what is given is the probability of the predicted class
        width = 2
        scores = [list(_both(row)) for row in rows]
    else:
        why = "has only the probability of the predicted class, one of several; let Weka write all"
        raise InputError([f"{source.path}: {why} (-distribution)"])
    begins = [int(row[0]) == 1 for row in rows]
    columns: dict[str, list[str | int | None]] = {
        "inst#": [row[0] for row in rows],
        "fold": np.cumsum(begins).tolist(),
        "actual": [_name(row[1], classes) for row in rows],
        "predicted": [_name(row[2], classes) for row in rows],
    }
    for number, name in classes.items():
        if number <= width:
            columns[f"{OF_CLASS}{name}"] = [one[number - 1] for one in scores]
    for place, name in enumerate(attributes):
        columns.setdefault(name, [row[len(row) - len(attributes) + place] for row in rows])
    return pa.table(columns)


def _both(row: list[str]) -> Iterator[str]:
    first = row[2].startswith("1:")
    for own in (first, not first):
        yield row[4] if own else str(1 - Decimal(row[4]))


def _name(value: str, classes: dict[int, str]) -> str | None:
    found = _CLASS.fullmatch(value)
    return classes[int(found[1])] if found else None
