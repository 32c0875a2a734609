"""Numbers of several classes in one column: vectors, or lists of a class and its probability.

Spark writes a vector a row, without the classes. BigQuery, Vertex AI and Hugging Face write them.
"""

import ast
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import pyarrow as pa

from costcurves.errors import InputError
from costcurves.names import quoted, some
from costcurves.settings import OF_CLASS, ReadingKeys
from costcurves.tables.input.arrays import CLASS
from costcurves.tables.input.sources import Source

Entries = dict[str | int, Any]  # the numbers of a row: by class, or by place from 0

NEARLY: Final = 0.01  # from 1: the sum of probabilities that were rounded
LONGEST: Final = 1 << 16  # characters of a vector that is written as text
DENSE: Final = {"type", "size", "indices", "values"}  # the fields of a vector of Spark's


def unpacked(source: Source, table: pa.Table, said: ReadingKeys) -> pa.Table:
    """Give each entry of such a column its own column, and leave out whatever else is nested.

    Unpacked are probabilities, and numbers of which `said` names an entry. Where entries have no
    classes, and nobody says which is whose, that is asked.
    """
    roles = said.columns or {}
    chosen = [one for it in roles.values() for one in ([it] if isinstance(it, str) else it)]
    columns: dict[str, Any] = {}
    for name in table.column_names:
        values, named = table[name], any(one.startswith(f"{name}[") for one in chosen)
        first = _entries(_first(values)) if _may_be_packed(values.type) else {}
        if first and (named or _is_whole(first)):
            long = "model" in table.column_names and 0 not in first
            form = OF_CLASS + "{name}" if long else CLASS
            made = {one: form.format(model=name, name=one) for one in first}
            columns |= _columns(source, name, values, made)
            if 0 in first and not any(role.startswith(("score", OF_CLASS)) for role in roles):
                raise InputError([_which(source, name, len(first))])
        elif not _is_packed(values.type):
            columns[name] = values
    return pa.table(columns)


def _may_be_packed(kind: pa.DataType) -> bool:
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return kind in (pa.string(), pa.large_string()) or bool(pa.types.is_nested(kind))


def _is_packed(kind: pa.DataType) -> bool:
    """Whether values hold several, or bytes: such as what a model was given."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    bytes_too = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary)
    return any(known(kind) for known in (pa.types.is_nested, *bytes_too))


def _first(values: pa.ChunkedArray) -> Any:
    """Give the first value that there is."""
    return next((one for it in values if (one := it.as_py()) not in (None, "")), None)


def _columns(
    source: Source, name: str, values: pa.ChunkedArray, of: Mapping[str | int, str]
) -> dict[str, pa.Array]:
    rows: list[Entries] = []
    for number, value in enumerate(values.to_pylist()):
        found = _entries(value)
        if found.keys() ^ {*of} and value not in (None, ""):
            expected = f"expected numbers of {some([*map(str, of)])}, as in the first row"
            where = f"{source.place(number)}: column {quoted(name)} is {quoted(value)}"
            raise InputError([f"{where}; {expected}"])
        rows.append(found)
    return {own: pa.array([row.get(one) for row in rows], pa.float64()) for one, own in of.items()}


def _entries(value: Any) -> Entries:
    """Give the numbers of a row; none if it holds anything else."""
    held = _parsed(value) if isinstance(value, str) else value
    if isinstance(held, Mapping) and {*held} == DENSE:
        held = _spark(held)
    pairs: list[tuple[Any, Any]] = []
    if isinstance(held, Mapping):
        lists = [one for one in held.values() if isinstance(one, list)]
        both = sorted(lists, key=lambda one: not isinstance(one[0] if one else 0, str))
        pairs = list(zip(*both, strict=False)) if len(both) == len(held) == 2 else [*held.items()]
        pairs = [(_class(name), one) for name, one in pairs]
    elif isinstance(held, list) and all(isinstance(one, Mapping) and len(one) == 2 for one in held):
        pairs = [_pair(one) for one in held]
    elif isinstance(held, list):
        pairs = [*enumerate(held)]
    numbers = all(isinstance(one, int | float) and one is not True for _, one in pairs)
    return dict(pairs) if numbers and len(pairs) > 1 else {}


def _spark(vector: Mapping[str, Any]) -> list[float]:
    """Spell out a vector as Spark keeps it in Parquet: dense, or with the places of its numbers."""
    if vector["indices"] is None:
        return list(vector["values"])
    known = dict(zip(vector["indices"], vector["values"], strict=False))
    return [known.get(place, 0.0) for place in range(min(vector["size"], LONGEST))]


def _pair(one: Mapping[str, Any]) -> tuple[Any, Any]:
    """Tell the class from its number: as it is text, or is called so."""
    first, second = one.items()
    if isinstance(second[1], str | bool) or second[0].casefold() in ("label", "class"):
        first, second = second, first
    return _class(first[1]), second[1]


def _class(name: Any) -> str:
    """Write a class as its label is written."""
    return str(name).lower() if isinstance(name, bool) else str(name)


def _parsed(text: str) -> Any:
    """Read a vector as text: as JSON, Python or NumPy write it."""
    text = text.strip()
    if text[:1] not in ("[", "{") or len(text) > LONGEST:
        return None
    for read in (json.loads, ast.literal_eval):
        with suppress(ValueError, SyntaxError, MemoryError, RecursionError):
            return read(text)
    with suppress(ValueError):
        return [float(one) for one in text[1:-1].split()]
    return None


def _is_whole(numbers: Entries) -> bool:
    """Whether numbers are the probabilities of all classes."""
    values = numbers.values()
    return all(0 <= one <= 1 for one in values) and abs(sum(values) - 1) <= NEARLY


def _which(source: Source, name: str, size: int) -> str:
    found = f"column {quoted(name)} holds vectors of {size} numbers; nothing says of which classes"
    last = CLASS.format(model=name, name=size - 1)
    if size == 2:
        mend = f"name the entry of the positive class, such as --column 'score={last}'"
        mend += f" (in a configuration 'columns: {{score: \"{last}\"}}')"
    else:
        mend = f"name the entry of each class, such as --column 'score_CLASS={last}' (in a "
        mend += f"configuration 'classes: {{CLASS: \"{last}\"}}')"
    return f"{source.path}: {found}; {mend}; entries count from 0"
