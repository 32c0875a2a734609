"""What callers give, as the rows that a file of it would have: arrays of any library, any labels.

Nothing is guessed. Which class is positive is asked where labels do not say it themselves, and
arrays in the wrong order are refused wherever they can be told apart.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.extra import lacking
from costcurves.names import quoted, some
from costcurves.predictions.asking import of_files
from costcurves.predictions.rows import COSTS, UNKNOWN, Rows, completed
from costcurves.predictions.sources import Source
from costcurves.settings import Dataset, ReadingKeys, several
from costcurves.tables.contract import constant, stacked

Array = NDArray[Any]

PLAIN: Final = ({0, 1}, {-1, 1})  # labels that say which is positive; booleans equal 0 and 1
PANDAS: Final = (pd.Series, pd.DataFrame)
NUMBERS: Final = "biufO"  # kinds of arrays that may hold numbers
MOST_CLASSES: Final = 20  # whole numbers of more values are taken for scores
SEVERAL: Final = (
    "; take one class against all others, such as cost_curve(np.asarray(y_true) == {!r}, "
    "scores of that class); 'costcurves report' takes several classes of files"
)
ORDER: Final = "; y_true are the labels: are they and what was predicted exchanged?"
# Options that are columns, and what files call these.
OF_ROWS: Final = {
    "folds": "fold",
    "repeats": "repeat",
    "instance": "instance",
    "groups": "cluster",
}
NUMBERED: Final = {"sample_weight": ["weight"], "costs": COSTS}
SHORTEST: Final = 20  # rows of a block that a repeat of cross-validation may be
MOST_REPEATS: Final = 100


def shown(value: Any) -> str:
    """Return a value as messages show it, without NumPy's type."""
    return quoted(value.tolist() if isinstance(value, np.generic | np.ndarray) else value)


def _like_scores(labels: Array, values: list[Any]) -> bool:
    """Return whether labels of more than two values may be scores, and not names of classes."""
    many = len(values) > min(MOST_CLASSES, len(labels) // 2)
    return labels.dtype.kind in "fiu" and (many or any(value % 1 != 0 for value in values))


class Arguments(Source):
    """Arrays in place of a file: a row is a position, from 0."""

    def place(self, row: int) -> str:
        """Return where a row is."""
        return f"position {row}"


@dataclass(frozen=True)
class Classes:
    """The two labels of the data."""

    negative: Any
    positive: Any

    @classmethod
    def of(cls, labels: Array, pos_label: Any) -> Classes:
        """Tell the classes apart, or say what is missing to do so."""
        if not len(labels):
            raise ValueError("y_true has no values, expected a label for each prediction")
        values = pd.unique(labels).tolist()
        named = some([str(value) for value in values], 3)
        if len(values) > 2:
            mend = ORDER if _like_scores(labels, values) else SEVERAL.format(values[-1])
            raise ValueError(f"y_true has {len(values)} different values ({named}), not two{mend}")
        if pos_label is not None and pos_label not in values:
            label = shown(pos_label)
            raise ValueError(f"pos_label is {label}, but the labels of y_true are {named}")
        if len(values) < 2:
            raise ValueError(f"all labels of y_true are {named}; costs need both classes")
        if pos_label is None and {*values} not in PLAIN:
            such = f"such as pos_label={values[0]!r}{ORDER if labels.dtype.kind == 'f' else ''}"
            raise ValueError(f"y_true has the labels {named}: say which is positive, {such}")
        positive = 1 if pos_label is None else pos_label
        (negative,) = (value for value in values if value != positive)
        return cls(negative, positive)

    def codes(self, values: Array) -> NDArray[np.int8]:
        """Return 1 where a value is the positive label, 0 where it is the negative one, else -1."""
        codes, known = pd.factorize(values)
        labels = {self.negative: 0, self.positive: 1}
        return np.array([labels.get(value, UNKNOWN) for value in known.tolist()], np.int8)[codes]


def column(name: str, values: Any, length: int | None = None) -> Array:
    """Return as an array what NumPy, pandas, polars or Arrow call a column; no value is missing."""
    array = np.asarray(values)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        mend = ORDER if name == "y_true" else ""
        raise ValueError(f"{name} has the shape {array.shape}, expected one dimension{mend}")
    if length is not None and len(array) != length:
        raise ValueError(f"{name} has {len(array)} values, expected {length}, as y_true has")
    masked = np.ravel(np.ma.getmask(values))
    for i in np.flatnonzero(pd.isna(array) | masked)[:1]:
        raise ValueError(f"{name} at position {i} is missing; leave out such rows")
    return array


def is_table(values: Any) -> bool:
    """Return whether values are columns by name: a mapping, or a frame of any library."""
    return isinstance(values, Mapping) or hasattr(values, "columns")


def expect_order(called: str, y_true: Any, models: Any) -> None:
    """Refuse models in place of labels, which come first."""
    if is_table(y_true) and not is_table(models):
        call = f"call {called}(y_true, {{'name': predictions, ...}})"
        raise TypeError(f"y_true is a {type(y_true).__name__} of models, expected labels; {call}")


def expect_same_rows(y_true: Any, given: Mapping[str, Any]) -> None:
    """Refuse columns of pandas whose rows have other names: they may be of other cases."""
    each = {"y_true": y_true, **given}
    named = {name: given.index for name, given in each.items() if isinstance(given, PANDAS)}
    first = next(iter(named), "")
    for name, index in named.items():
        if len(index) == len(named[first]) and not index.equals(named[first]):
            mend = "align them, or give arrays (.to_numpy()) if they are in the same order"
            raise ValueError(f"{first} and {name} have unequal pandas indexes; {mend}")


def doubles(values: Any) -> NDArray[np.float64]:
    """Return numbers as doubles; whole ones that are larger than any are infinite."""
    try:
        return np.asarray(values, np.float64)
    except OverflowError:
        return np.asarray(values).astype(str).astype(np.float64)


def refuse_at(wrong: Array, name: str, values: Any, expected: str) -> None:
    """Refuse the first value that is wrong, if there is one."""
    for i in np.flatnonzero(wrong)[:1]:
        raise ValueError(f"{name} at position {i} is {shown(values[i])}, expected {expected}")


def weights(name: str, values: Any, length: int) -> NDArray[np.float64]:
    """Return as numbers what each sample counts."""
    array = column(name, values, length)
    if array.dtype.kind not in NUMBERS or pd.api.types.infer_dtype(array) == "boolean":
        raise ValueError(f"{name} holds {shown(array[0])}, expected numbers")
    number = doubles(array)
    refuse_at(~((number >= 0) & (number < np.inf)), name, number, "a number, at least 0")
    return number


def columns(table: Any) -> dict[str, Any]:
    """Return the columns of a table by name."""
    if not is_table(table):
        kind = type(table).__name__
        raise TypeError(f"models are a {kind}, expected names with scores, or a frame of columns")
    names = table if isinstance(table, Mapping) else table.columns
    names = [*(table.column_names if hasattr(type(table), "column_names") else names)]
    by_name = {str(name): table[name] for name in names}
    if len(by_name) < len(names):
        called = some([str(name) for name in names])
        raise ValueError(f"models are named {called}, expected each by another name")
    return by_name


def predicted(name: str, values: Any, classes: Classes, length: int) -> tuple[Array, Array]:
    """Return scores (NaN: none) and decisions (-1: none) of what a model predicted.

    Booleans, and the labels themselves unless they are floats, are decisions.
    """
    if np.shape(values)[1:] == (2,):
        place = int(classes.positive > classes.negative)
        mend = f"give that of the positive class, such as predict_proba(X)[:, {place}]"
        raise ValueError(f"{name} has a column for each class; {mend}")
    array = column(name, values, length)
    if array.dtype.kind != "f":
        decided = array.astype(np.int8) if array.dtype.kind == "b" else classes.codes(array)
        if (decided >= 0).all():
            return np.full(length, np.nan), decided
    try:
        if array.dtype.kind not in NUMBERS:
            raise TypeError
        score = doubles(array)
    except (TypeError, ValueError):
        such = some([str(value) for value in pd.unique(array)], 3)
        labels = some([str(classes.negative), str(classes.positive)])
        expected = f"expected numbers as scores, or the labels {labels} as decisions"
        raise ValueError(f"{name} holds {such}; {expected}") from None
    refuse_at(~np.isfinite(score), name, score, "a finite number")
    # An integer of NumPy's would be compared as the double that it becomes.
    same = score.astype(array.dtype) if array.dtype.kind in "iu" else score
    refuse_at(same != array, name, array, "a number that a double can be: rank them")
    return score, np.full(length, UNKNOWN, np.int8)


def rows_of(
    y_true: Any, models: Any, dataset: Dataset, options: Mapping[str, Any]
) -> tuple[Rows, Any]:
    """Return the rows that a file with the same predictions would have, and the positive label.

    Rows have the labels 0 and 1.
    """
    models = columns(models)
    of_rows = (*OF_ROWS, *NUMBERED)
    given = {name: options[name] for name in of_rows if options.get(name) is not None}
    single = len(models) == 1
    called = {name: "y_score" if single else f"the score of {name!r}" for name in models}
    expect_same_rows(y_true, {called[model]: models[model] for model in models} | given)
    labels = column("y_true", y_true)
    if "repeats" in given and "instance" not in given:
        why = "repeats of cross-validation predict the same cases again"
        raise ValueError(f"repeats need instance, which says which rows are of one: {why}")
    classes, count = Classes.of(labels, options.get("pos_label")), len(labels)
    codes = classes.codes(labels)
    if "folds" in given:
        given["folds"] = folds_of(given["folds"], labels, given.get("groups"))
    if not {"instance", "groups"} & {*given}:
        _warn_of_repeated(y_true, codes, given.get("folds"))
    coded = pd.Categorical.from_codes(codes, pd.Index(["0", "1"], dtype="str"))
    shared: dict[str, Any] = {"label": coded, "row": np.arange(count, dtype=np.int32)}
    for name, values in given.items():
        if name in NUMBERED:
            shared |= dict.fromkeys(NUMBERED[name], weights(name, values, count))
        else:
            texts = _text(column(name, values, count), whole=name == "instance")
            shared[OF_ROWS[name]] = texts
    parts = []
    for model, values in models.items():
        score, decision = predicted(called[model], values, classes, count)
        word = constant("", count) if decision[0] == UNKNOWN else _text(decision)
        made = {"model": constant(model.encode().decode(), count), "score": score, "decision": word}
        parts.append(pd.DataFrame({**made, **shared}, copy=False))
    if not parts:
        raise ValueError("there are no models, expected one or more with what they predicted")
    if "instance" not in shared:
        place = _in_order_of_content(parts)
        cases = pd.Categorical.from_codes(place, pd.RangeIndex(count))
        parts = [part.assign(instance=cases) for part in parts]
    frame = completed(stacked(parts))
    return Rows(frame, dataset, (Arguments("", "", b""),)), classes.positive


def folds_of(folds: Any, labels: Array, groups: Any) -> Any:
    """Return the fold of each row: as given, or in which a splitter holds it out."""
    if isinstance(folds, str) or not hasattr(folds, "split"):
        return folds
    rows = np.zeros(len(labels))
    tests, again = ([test for _, test in folds.split(rows, labels, groups)] for _ in range(2))
    held_out, others = np.concatenate(tests), np.concatenate(again)
    if not np.array_equal(held_out, others):
        raise ValueError(f"folds is {folds}, which splits anew each time; give it a random_state")
    if not np.array_equal(np.sort(held_out), np.arange(len(labels))):
        mend = "give the fold, repeat and instance of each row"
        raise ValueError(f"folds is {folds}, which does not hold each row out once; {mend}")
    return np.repeat(np.arange(len(tests)), [len(test) for test in tests])[np.argsort(held_out)]


def _warn_of_repeated(y_true: Any, codes: Array, folds: Any) -> None:
    """Warn where rows seem to be of the same case, as several repeats of one cross-validation.

    Folds that are each sorted by class have equal labels, too, and are of different cases.
    """
    first, again, why = 0, _block(codes), "labels come in equal blocks"
    if again and folds is not None and np.count_nonzero(np.diff(codes[:again])) == 1:
        fold = np.asarray(folds)
        again = again if np.isin(fold[again:], fold[:again]).any() else 0
    if isinstance(y_true, PANDAS) and not y_true.index.is_unique:
        case = pd.factorize(y_true.index)[0]
        if pd.Series(codes).groupby(case).nunique().max() == 1:
            again, why = int(y_true.index.duplicated().argmax()), "they have the same index"
            first = case.tolist().index(case[again])
    if again:
        mend = "give instance and repeats, or intervals come out too narrow"
        rows = f"positions {first} and {again} of y_true seem to be of the same case: {why}"
        warnings.warn(f"{rows}; {mend}. If not: instance=range(n)", stacklevel=5)


def _block(codes: Array) -> int:
    """Return how many rows a block of labels has that all others repeat; 0: none does."""
    count = len(codes)
    repeats = [number for number in range(MOST_REPEATS, 1, -1) if count % number == 0]
    for size in (*range(1, min(SHORTEST, count)), *(count // number for number in repeats)):
        if (codes[size:] == codes[:-size]).all():
            return size if size >= SHORTEST else 0
    return 0


def _in_order_of_content(parts: Sequence[pd.DataFrame]) -> Array:
    """Return the place of each case by what is known of it, for cases that have no names.

    Of weights and costs their order counts, as their scale says nothing.
    """
    known = parts[0].drop(columns=["model", "row", "score", "decision"])
    scaled = [name for name in ("weight", *COSTS) if name in known]
    known[scaled] = known[scaled].rank(method="dense")
    each = [part[["score", "decision"]] for part in parts]
    code = pd.util.hash_pandas_object(pd.concat([known, *each], axis=1), index=False)
    return code.rank(method="first").to_numpy(np.int32) - 1


def _text(values: Array, whole: bool = False) -> pd.Categorical:
    """Return values as text, or `whole` numbers for it, as categories in order of appearance.

    Text is Python's own, not NumPy's; what holds half a character is a UnicodeEncodeError.
    """
    number = values.dtype.kind in "biu"  # different ones have different texts
    codes, known = pd.factorize(values if number else pd.Series(values).astype(str))
    names: Any = known
    if not (number and whole):
        names = [str(value).encode().decode() for value in known]
    return pd.Categorical.from_codes(codes, pd.Index(names))


def plain(values: Any) -> Any:
    """Return values as a file of a configuration can hold them, in place of numbers of NumPy's."""
    return json.loads(json.dumps(values, default=_item))


def _item(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else str(value)


def read_predictions(files: Any, *, truth: Any = None, on: Any = None, **keys: Any) -> pd.DataFrame:
    """Read prediction files of any known layout, as one frame with the columns of the contract.

    The columns of a file show its layout. What they leave open is asked, never guessed.

    Parameters
    ----------
    files : str or sequence of str
        Paths of one file, or of files of one dataset: CSV, Parquet or Feather.
    truth : str, optional
        A file with the truth, where the others have none.
    on : str, optional
        The column by which its rows are found, in all files.
    unpaired : bool
        Whether models are judged on other cases.
    format : str, optional
        The layout of the files, where they could be of several.
    columns : mapping, optional
        Which column is what, such as ``{"instance": "patient", "label": "outcome"}``; ``score`` may
        be a list, a model each, ``model`` one of columns that tell models apart, and ``unused`` one
        of columns of no use; ``"#"`` as ``instance`` is the row's place in its file.
    delimiter : str, optional
        What separates columns of text; default: as its header has it.
    decimal : {".", ","}
        The decimal sign of numbers in text.
    missing : sequence of str
        Texts that mean that there is no value.
    where : sequence of str
        Conditions for rows to keep, such as ``"split == test"``; all must hold.
    higher_is : {"positive", "negative", "predicted"}
        The class that a higher score speaks for; scores are negated for "negative".
    missing_labels, abstain
        As keys of a dataset in config/README.md.

    Returns
    -------
    pandas.DataFrame
        A row for each model and case (and repeat): ``model``, ``instance``, ``label`` as text,
        ``score`` or, for scores of each class, ``score_<class>``; ``decision``, ``repeat``,
        ``fold`` and others where files have them. ``frame.attrs["read"]`` says how each was read.

    Raises
    ------
    costcurves.errors.InputError
        For an option that is none of those above, or a value that is none of its own; for a file
        that can't be read, or where a guess could mirror or mix a curve. Each finding says what to
        give. Rows are not compared with each other: ``costcurves check`` does that.
    ImportError
        Where the extra `report` is not installed.

    Examples
    --------
    >>> import costcurves as cc
    >>> frame = cc.read_predictions("data/toy.csv.gz")  # doctest: +SKIP
    """
    if why := lacking("read_predictions"):
        raise ImportError(why)
    from costcurves.predictions.opening import read_frames  # which needs pyarrow

    if on is not None:
        keys["columns"] = {**keys.get("columns", {}), "on": on}
    pairing = "unpaired" if keys.pop("unpaired", False) else "paired"
    reading = ReadingKeys.from_plain(plain(keys))
    paths = [*several(files), *several(truth)]
    return read_frames(of_files(paths, reading, pairing=pairing))
