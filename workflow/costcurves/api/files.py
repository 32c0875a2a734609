"""Prediction files, whatever tool wrote them, as a frame."""

from collections.abc import Mapping, Sequence
from typing import Literal

import pandas as pd

from costcurves.extra import lacking
from costcurves.tables.configuration.reading_keys import ReadingKeys


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
) -> pd.DataFrame:
    """Read prediction files of any known kind, as one frame with the columns of the contract.

    What a file is, is recognised by what it holds. Files that belong together are joined: with the
    truth in one of them, by id. Nothing is unpickled.

    Parameters
    ----------
    files : str or sequence of str
        Paths of one file, or of files of one dataset.
    format : str, optional
        What the files are, where they could be several things.
    columns : mapping, optional
        Which column is what, such as ``{"instance": "patient", "label": "outcome"}``; ``score`` may
        be a list, a model each, and ``model`` one of columns that tell models apart; ``"#"`` as
        ``instance`` is the row's place in its file.
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

    Returns
    -------
    pandas.DataFrame
        A row for each model and instance (and repeat): ``model``, ``instance``, ``label`` as text,
        ``score`` or, for scores of each class, ``score_<class>``; ``decision``, ``repeat``,
        ``fold`` and others where files have them. ``frame.attrs["read"]`` says how each was read.

    Raises
    ------
    costcurves.errors.InputError
        For a file that can't be read, or where a guess could mirror or mix a curve. Each finding
        says what to give. Rows are not held to each other: ``costcurves check`` does that.
    ImportError
        Where the extra `report` is not installed.

    Examples
    --------
    >>> import costcurves as cc
    >>> frame = cc.read_predictions("data/toy.csv.gz")  # doctest: +SKIP
    """
    if why := lacking("read_predictions"):
        raise ImportError(why)
    from costcurves.tables.input.opening import read_table  # which needs pyarrow

    said = ReadingKeys.from_plain(
        {"format": format, "columns": columns, "delimiter": delimiter, "decimal": decimal}
        | {"missing": list(missing) or None, "where": list(where) or None, "higher_is": higher_is}
    )
    table, notes = read_table([files] if isinstance(files, str) else files, said)
    frame: pd.DataFrame = table.to_pandas()
    frame.attrs["read"] = notes
    return frame
