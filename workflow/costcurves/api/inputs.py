"""What callers give, as the rows that a file of it would have: arrays of any library, any labels.

Nothing is guessed. Which class is positive is asked where labels do not say it themselves, and
arrays in the wrong order are refused wherever they can be told apart.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.extra import lacking
from costcurves.names import some
from costcurves.predictions.asking import of_files
from costcurves.predictions.rows import COSTS, UNKNOWN, Rows, completed
from costcurves.predictions.sources import Source
from costcurves.settings import Dataset, ReadingKeys
from costcurves.tables.contract import constant, stacked

Array = NDArray[Any]

PLAIN: Final = ({0, 1}, {-1, 1})  # labels that say which is positive; booleans equal 0 and 1
PANDAS: Final = (pd.Series, pd.DataFrame)
NUMBERS: Final = "biufO"  # kinds of arrays that may hold numbers
MOST_CLASSES: Final = 20  # whole numbers of more values are taken for scores
ORDER: Final = "; y_true are the labels: are they and what was predicted exchanged?"
OF_CLASS: Final = "; give the column of the positive class, such as predict_proba(X)[:, 1]"


def _like_scores(labels: Array, found: list[Any]) -> bool:
    """Say whether labels of more than two values may be scores, and not names of classes."""
    if labels.dtype.kind == "f" and any(one % 1 != 0 for one in found):
        return True
    return labels.dtype.kind in "fiu" and len(found) > min(MOST_CLASSES, len(labels) // 2)


def _aside(found: list[Any]) -> str:
    """Say how to go on with several classes."""
    one = f"such as cost_curve(np.asarray(y_true) == {found[-1]!r}, scores of that class)"
    files = "'costcurves report' takes several classes of files"
    return f"; take one class against all others, {one}; {files}"


class Arguments(Source):
    """Arrays in place of a file: a row is a position, from 0."""

    def place(self, row: int) -> str:
        """Say where a row is."""
        return f"position {row}"


@dataclass(frozen=True)
class Classes:
    """The two labels of the data."""

    negative: Any
    positive: Any

    @classmethod
    def of(cls, labels: Array, pos_label: Any) -> "Classes":
        """Tell the classes apart, or say what is missing to do so."""
        if not len(labels):
            raise ValueError("y_true has no values, expected a label for each prediction")
        found = pd.unique(labels).tolist()
        named = some([str(one) for one in found], 3)
        if len(found) > 2:
            mend = ORDER if _like_scores(labels, found) else _aside(found)
            raise ValueError(f"y_true has {len(found)} different values ({named}), not two{mend}")
        if pos_label is not None and pos_label not in found:
            raise ValueError(f"pos_label is {pos_label!r}, but the labels of y_true are {named}")
        if len(found) < 2:
            raise ValueError(f"all labels of y_true are {named}; costs need both classes")
        if pos_label is None and {*found} not in PLAIN:
            such = f"such as pos_label={found[0]!r}{ORDER if labels.dtype.kind == 'f' else ''}"
            raise ValueError(f"y_true has the labels {named}: say which is positive, {such}")
        positive = 1 if pos_label is None else pos_label
        (negative,) = (one for one in found if one != positive)
        return cls(negative, positive)

    def codes(self, values: Array) -> NDArray[np.int8]:
        """Give 1 where a value is the positive label, 0 where it is the negative one, else -1."""
        codes, found = pd.factorize(values)
        known = {self.negative: 0, self.positive: 1}
        return np.array([known.get(one, UNKNOWN) for one in found.tolist()], np.int8)[codes]


def column(name: str, values: Any, length: int | None = None) -> Array:
    """Give as an array what NumPy, pandas, polars or Arrow call a column; no value is missing."""
    array = np.asarray(values)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        mend = ORDER if name == "y_true" else OF_CLASS if array.ndim == 2 else ""
        raise ValueError(f"{name} has the shape {array.shape}, expected one dimension{mend}")
    if length is not None and len(array) != length:
        raise ValueError(f"{name} has {len(array)} values, expected {length}, as y_true has")
    masked = np.ravel(np.ma.getmask(values))
    for i in np.flatnonzero(pd.isna(array) | masked)[:1]:
        raise ValueError(f"{name} at position {i} is missing; leave out such rows")
    return array


def expect_order(called: str, y_true: Any, models: Any) -> None:
    """Refuse models in place of labels, which come first."""
    tables = [isinstance(it, Mapping) or hasattr(it, "columns") for it in (y_true, models)]
    if isinstance(y_true, Mapping) or tables == [True, False]:
        call = f"call {called}(y_true, {{'name': predictions, ...}})"
        raise TypeError(f"y_true is a {type(y_true).__name__} of models, expected labels; {call}")


def expect_same_rows(y_true: Any, given: Mapping[str, Any]) -> None:
    """Refuse columns of pandas whose rows have other names: they may be of other cases."""
    each = {"y_true": y_true, **given}
    named = {name: it.index for name, it in each.items() if isinstance(it, PANDAS)}
    first = next(iter(named), "")
    for name, index in named.items():
        if len(index) == len(named[first]) and not index.equals(named[first]):
            mend = "align them, or give arrays (.to_numpy()) if they are in the same order"
            raise ValueError(f"{first} and {name} have unequal pandas indexes; {mend}")


def doubles(values: Any) -> NDArray[np.float64]:
    """Give numbers as doubles; whole ones that are larger than any are infinite."""
    try:
        return np.asarray(values, np.float64)
    except OverflowError:
        return np.asarray(values).astype(str).astype(np.float64)


def weights(name: str, values: Any, length: int) -> NDArray[np.float64]:
    """Give as numbers what each sample counts."""
    array = column(name, values, length)
    if array.dtype.kind not in NUMBERS:
        raise ValueError(f"{name} holds {array[0]!r}, expected numbers")
    number = doubles(array)
    for i in np.flatnonzero(~(np.isfinite(number) & (number >= 0)))[:1]:
        raise ValueError(f"{name} at position {i} is {number[i]}, expected a number, at least 0")
    return number


def columns(table: Any) -> dict[str, Any]:
    """Give the columns of a table by name: of a mapping, or of a frame of any library."""
    if not isinstance(table, Mapping) and not hasattr(table, "columns"):
        kind = type(table).__name__
        raise TypeError(f"models are a {kind}, expected names with scores, or a frame of columns")
    names = table if isinstance(table, Mapping) else table.columns
    names = [*(table.column_names if hasattr(type(table), "column_names") else names)]
    found = {str(name): table[name] for name in names}
    if len(found) < len(names):
        raise ValueError(
            f"models are named {some([str(one) for one in names])}, expected each by another name"
        )
    return found


def predicted(name: str, values: Any, classes: Classes, length: int) -> tuple[Array, Array]:
    """Give scores (NaN: none) and decisions (-1: none) of what a model predicted.

    Booleans, and the labels themselves unless they are floats, are decisions.
    """
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
        such = some([str(one) for one in pd.unique(array)], 3)
        labels = some([str(classes.negative), str(classes.positive)])
        expected = f"expected numbers as scores, or the labels {labels} as decisions"
        raise ValueError(f"{name} holds {such}; {expected}") from None
    for i in np.flatnonzero(~np.isfinite(score))[:1]:
        raise ValueError(f"{name} at position {i} is {score[i]}, expected a finite number")
    # An integer of NumPy's would be compared as the double that it becomes.
    same = score.astype(array.dtype) if array.dtype.kind in "iu" else score
    for i in np.flatnonzero(same != array)[:1]:
        raise ValueError(f"{name} at position {i} is {array[i]}, which no double is; rank them")
    return score, np.full(length, UNKNOWN, np.int8)


def rows_of(
    y_true: Any,
    models: Any,
    dataset: Dataset,
    *,
    pos_label: Any = None,
    folds: Any = None,
    repeats: Any = None,
    instance: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    costs: Any = None,
) -> Rows:
    """Give the rows that a file with the same predictions would have, with labels 0 and 1."""
    given = columns(models)
    scores = {_called(model, given): values for model, values in given.items()}
    each = {"costs": costs, "sample_weight": sample_weight}
    of_rows = {"folds": folds, "repeats": repeats, "instance": instance, "groups": groups}
    expect_same_rows(y_true, {**scores, **each, **of_rows})
    labels = column("y_true", y_true)
    if repeats is not None and instance is None:
        why = "repeats of cross-validation predict the same cases again"
        raise ValueError(f"repeats need instance, which says which rows are of one: {why}")
    classes, count = Classes.of(labels, pos_label), len(labels)
    cost, weight = (None if it is None else weights(of, it, count) for of, it in each.items())
    codes, row = classes.codes(labels), np.arange(count, dtype=np.int32)
    maybe = {
        "label": pd.Categorical.from_codes(codes, pd.Index(["0", "1"], dtype="str")),
        "repeat": _named("repeats", repeats, count),
        "fold": _named("folds", folds, count),
        "instance": _named("instance", instance, count, whole=True),
        "cluster": _named("groups", groups, count),
        "row": row,
        "weight": weight,
        **dict.fromkeys(COSTS, cost),
    }
    own = {name: values for name, values in maybe.items() if values is not None}
    parts = []
    for model, values in given.items():
        score, decision = predicted(_called(model, given), values, classes, count)
        word = constant("", count) if decision[0] == UNKNOWN else _text(decision)
        made = {"model": constant(model.encode().decode(), count), "score": score, "decision": word}
        parts.append(pd.DataFrame({**made, **own}, copy=False))
    if not parts:
        raise ValueError("there are no models, expected one or more with what they predicted")
    if instance is None:
        place = _in_order_of_content(parts)
        names = pd.Categorical.from_codes(place, pd.RangeIndex(count))
        parts = [part.assign(instance=names) for part in parts]
    frame = stacked(parts)
    return Rows(completed(frame), dataset, (Arguments("", "", b""),))


def _in_order_of_content(parts: Sequence[pd.DataFrame]) -> Array:
    """Return the place of each case by what is known of it, for cases that have no names.

    Of weights and costs their order counts, as their scale says nothing.
    """
    known = parts[0].drop(columns=["model", "row", "score", "decision"])
    scaled = [name for name in ("weight", *COSTS) if name in known]
    known[scaled] = known[scaled].rank(method="dense")
    each = [part[["score", "decision"]] for part in parts]
    code = pd.util.hash_pandas_object(pd.concat([known, *each], axis=1), index=False)
    place = np.empty(len(code), dtype=np.int32)
    place[np.argsort(code.to_numpy(), kind="stable")] = np.arange(len(code))
    return place


def _called(model: str, models: Collection[str]) -> str:
    """Say which argument the predictions of a model are."""
    return "y_score" if len(models) == 1 else f"the score of {model!r}"


def _named(name: str, values: Any, length: int, whole: bool = False) -> pd.Categorical | None:
    return None if values is None else _text(column(name, values, length), whole)


def _text(values: Array, whole: bool = False) -> pd.Categorical:
    """Give values as text, or `whole` numbers for it, as categories in order of appearance.

    Text is Python's own, not NumPy's; what holds half a character is a UnicodeEncodeError.
    """
    if values.dtype.kind in "biu":  # different ones have different texts
        codes, found = pd.factorize(values)
        names = pd.Index(found)
        return pd.Categorical.from_codes(codes, names if whole else names.astype("str"))
    codes, texts = pd.factorize(pd.Series(values).astype(str))
    return pd.Categorical.from_codes(codes, pd.Index([it.encode().decode() for it in texts]))


def read_predictions(
    files: str | Sequence[str],
    *,
    format: str | None = None,  # noqa: A002 - as the key is called
    columns: Mapping[str, str | Sequence[str]] | None = None,
    delimiter: str | None = None,
    decimal: Literal[".", ","] = ".",
    missing: Sequence[str] = (),
    where: Sequence[str] = (),
    higher_is: Literal["positive", "negative"] = "positive",
    truth: str | None = None,
    on: str | None = None,
    unpaired: bool = False,
) -> pd.DataFrame:
    """Read prediction files of any known layout, as one frame with the columns of the contract.

    What a file is, is recognised by its columns. What it leaves open is asked, never guessed.

    Parameters
    ----------
    files : str or sequence of str
        Paths of one file, or of files of one dataset: CSV, Parquet or Feather.
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
    higher_is : {"positive", "negative"}
        The class that a higher score speaks for; scores are negated for the latter.
    truth : str, optional
        A file with the truth, where the others have none.
    on : str, optional
        The column by which its rows are found, in all files.
    unpaired : bool
        Whether models are judged on other cases.

    Returns
    -------
    pandas.DataFrame
        A row for each model and case (and repeat): ``model``, ``instance``, ``label`` as text,
        ``score`` or, for scores of each class, ``score_<class>``; ``decision``, ``repeat``,
        ``fold`` and others where files have them. ``frame.attrs["read"]`` says how each was read.

    Raises
    ------
    ValueError
        For a class or sign that is none of those above.
    costcurves.errors.InputError
        For a file that can't be read, or where a guess could mirror or mix a curve. Each finding
        says what to give. Rows are not compared with each other: ``costcurves check`` does that.
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

    for name, value, known in (
        ("higher_is", higher_is, ("positive", "negative")),
        ("decimal", decimal, (".", ",")),
    ):
        if value not in known:
            raise ValueError(f"{name} is {value!r}, expected {known[0]!r} or {known[1]!r}")
    roles = {role: n if isinstance(n, str) else tuple(n) for role, n in (columns or {}).items()}
    roles |= {} if on is None else {"on": on}
    keys = ReadingKeys(
        format=format,
        columns=roles or None,
        delimiter=delimiter,
        decimal=decimal,
        missing=tuple(missing) or None,
        where=tuple(where) or None,
        higher_is=higher_is,
    )
    pairing = "unpaired" if unpaired else "paired"
    paths = [files] if isinstance(files, str) else [*files]
    paths += [] if truth is None else [truth]
    return read_frames(of_files(paths, keys, pairing=pairing))
