"""The predictions of an old model and a new one, as a gate compares them."""

from dataclasses import replace

import pandas as pd

from costcurves.errors import InputError
from costcurves.names import some
from costcurves.predictions.rows import Rows
from costcurves.predictions.staged import stage_with_sources
from costcurves.settings import Dataset


def read_two(
    dataset: Dataset, named: tuple[str, str] | None
) -> tuple[pd.DataFrame, tuple[str, str]]:
    """Read the predictions of the old and the new model, and return the names of these.

    They are those that are `named`, else the only one of each of two files.
    """
    chosen = replace(dataset, models=named)
    predictions, _ = stage_with_sources(chosen, *([] if named else [_of_files]))
    old, new = predictions["model"].unique()
    return predictions, (old, new)


def _of_files(rows: Rows) -> Rows:
    """Check that two files have a model each; where both have the same name, add its age."""
    sources, models = rows.frame["source"].to_numpy(), rows.values("model")
    names = [
        [*rows.frame["model"][sources == place].unique()] for place in range(len(rows.sources))
    ]
    if [len(each) for each in names] != [1, 1]:
        files = zip(rows.sources, names, strict=True)
        seen = "; ".join(f"{source.path} has {some(each)}" for source, each in files)
        expected = "expected the predictions of one model in each of two files"
        raise InputError([f"models: {seen}; {expected}, or --old and --new to name the two"])
    if len(models) == 2:
        return rows
    called = pd.Index([f"{models[0]} ({age})" for age in ("old", "new")], dtype="str")
    model = pd.Categorical.from_codes(sources, called)
    return replace(rows, frame=rows.frame.assign(model=model))
