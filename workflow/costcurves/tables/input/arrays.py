"""Arrays, as of scikit-learn: from `numpy.savez`, or as lists in JSON. Nothing is unpickled."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from costcurves.errors import InputError
from costcurves.names import quoted, some
from costcurves.tables import reading_limits as limits
from costcurves.tables.input.sources import Source

TRUTHS: Final = ("y_true", "label", "labels", "truth", "target", "y")
CLASS: Final = "{model}[{name}]"  # the column of a model's scores of a class


def arrays_of(source: Source, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Read the arrays of an archive; those of Python objects would have to be unpickled."""
    with np.load(io.BytesIO(source.data), allow_pickle=False) as file:
        try:
            return {name: file[name] for name in file.files}
        except (ValueError, OSError, MemoryError, zipfile.BadZipFile) as error:
            found = f"an array of {some(names)} is damaged, or holds Python objects"
            expected = "which are never loaded; expected arrays of numbers or text"
            raise InputError([f"{source.path}: {found}, {expected}"]) from error


def validated(source: Source, held: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    """Put what `cross_validate` gives, by split or in the instances' order, into rows of splits."""
    truth = np.asarray(next((held[name] for name in TRUTHS if name in held), []))
    tests = [np.asarray(one) for one in held["indices"]["test"]]
    rows, predictions = np.concatenate(tests), held["predictions"]
    if rows.dtype.kind not in "iu":
        raise TypeError("places are whole numbers")
    if not len(truth) or rows.min() < 0 or rows.max() >= len(truth):
        why = "expected 'y_true' with the label of each instance that 'indices: test' names"
        raise InputError([f"{source.path}: {why}"])
    if len(predictions) == len(truth):
        parts = [np.asarray(predictions)[test] for test in tests]
    else:
        parts = [np.asarray(one) for one in predictions]
    if [len(one) for one in parts] != [len(one) for one in tests]:
        why = "expected 'predictions' with one array for each of 'indices: test', as long as it"
        raise InputError([f"{source.path}: {why}"])
    made = {"y_true": truth[rows], "instance": rows, "prediction": np.concatenate(parts)}
    made["split"] = np.repeat(np.arange(len(tests)), [len(one) for one in tests])
    return made | ({"classes": np.asarray(held["classes"])} if "classes" in held else {})


def table_of(source: Source, arrays: Mapping[str, NDArray[Any]]) -> pa.Table:
    """Make columns of arrays; one with a column a class becomes columns `model[class]`."""
    truth = next((name for name in TRUTHS if name in arrays), None)
    if truth is None:
        why = "has no array 'y_true' with the labels; give it to numpy.savez as well"
        raise InputError([f"{source.path}: {why}; found {some([*arrays])}"])
    classes = arrays.get("classes", np.unique(arrays[truth]))
    columns: dict[str, Any] = {}
    for name, values in arrays.items():
        if name == "classes":
            continue
        if len(values) != len(arrays[truth]) or values.ndim > 2:
            found = f"array {quoted(name)} has the shape {values.shape}"
            expected = f"expected {len(arrays[truth])} rows, as {truth!r} has"
            raise InputError([f"{source.path}: {found}, {expected}"])
        if values.ndim == 1:
            columns[name] = values
        elif values.shape[1] == len(classes):
            each = zip(classes, values.T, strict=True)
            columns |= {CLASS.format(model=name, name=one): own for one, own in each}
        else:
            found = f"array {quoted(name)} has {values.shape[1]} columns"
            expected = f"expected one for each of the classes {some([*map(str, classes)])}"
            raise InputError([f"{source.path}: {found}, {expected}"])
    columns = {name: np.ascontiguousarray(values) for name, values in columns.items()}
    refuse_unlike(source, columns)
    return pa.table(columns)


def refuse_unlike(source: Source, columns: Mapping[str, NDArray[Any]]) -> None:
    """Refuse arrays of what is neither numbers nor text."""
    for name, values in columns.items():
        if values.dtype.kind not in "biufU" or values.nbytes > limits.LARGEST_TABLE:
            found = f"array {quoted(name)} is of {values.dtype}"
            raise InputError([f"{source.path}: {found}, expected numbers or text"])
