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
    own = replace(dataset, models=named)
    predictions, _ = stage_with_sources(own, *([] if named else [_of_files]))
    old, new = predictions["model"].unique()
    return predictions, (old, new)


def _of_files(rows: Rows) -> Rows:
    """Hold two files to one model each; where it has the same name, say of which age it is."""
    sources, models = rows.frame["source"].to_numpy(), rows.values("model")
    each = [pd.unique(rows.frame["model"][sources == place]) for place in range(len(rows.sources))]
    if [len(one) for one in each] != [1, 1]:
        found = "; ".join(
            f"{source.path} has {some([*names])}"
            for source, names in zip(rows.sources, each, strict=True)
        )
        expected = "expected the predictions of one model in each of two files"
        raise InputError([f"models: {found}; {expected}, or --old and --new to name the two"])
    if len(models) == 2:
        return rows
    names = [f"{models[0]} ({age})" for age in ("old", "new")]
    model = pd.Categorical.from_codes(sources, pd.Index(names, dtype="str"))
    return replace(rows, frame=rows.frame.assign(model=model))
