"""How a stage is made: its inputs are read, its function is called, its tables are written.

A stage's rule names everything: its inputs are the function's arguments in order, its parameters
the function's keywords, its outputs the tables. A table's function and contract have its name, in
the module of that name. Stages of several tables, which share what is costly, stand here.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from itertools import starmap
from typing import TYPE_CHECKING, Any, Final

from costcurves.tables.batches import joined, of_each
from costcurves.tables.contract import Contract, read_all, write

if TYPE_CHECKING:
    import pandas as pd

    from costcurves.tables.resampling import Resamples

Tables = dict[str, "Callable[[], pd.DataFrame]"]  # what makes each, called if it is wanted


def make(
    outputs: Mapping[str, str], inputs: Mapping[str, Sequence[str]], parameters: Mapping[str, Any]
) -> None:
    """Make the tables of a stage for a batch of datasets.

    Parameters
    ----------
    outputs
        The file of each table that is wanted, by the table's name.
    inputs
        The files of each table that is read, in the order of the function's arguments.
    parameters
        The function's keywords.

    Raises
    ------
    InputError
        With the findings about all datasets.
    """
    function = _function(next(iter(outputs)))

    def wanted(*tables: Any) -> "dict[str, pd.DataFrame]":
        made = function(*tables, **parameters)
        return {name: made[name]() for name in outputs}

    made = of_each(wanted, *starmap(_read, inputs.items()))
    for name, file in outputs.items():
        write(joined([own[name] for own in made.values()]), file, contract_of(name))


def contract_of(table: str) -> Contract:
    """Give the contract of a table, which has its name, in the module of its name."""
    contract: Contract = getattr(import_module(f"costcurves.tables.{table}"), table.upper())
    return contract


def _read(table: str, files: Sequence[str]) -> Any:
    from costcurves.tables.resampling import read_resamples

    if table == "resampling":
        return read_resamples(*files)
    return read_all(files, contract_of(table))


def _function(table: str) -> Callable[..., Tables]:
    if table in SEVERAL:
        return SEVERAL[table]
    own = getattr(import_module(f"costcurves.tables.{table}"), table)
    return lambda *tables, **parameters: {table: partial(own, *tables, **parameters)}


def comparisons(
    predictions: "pd.DataFrame",
    points: "pd.DataFrame",
    headline: "pd.DataFrame",
    resamples: "Resamples",
    measures: "pd.DataFrame",
    *,
    inference: Mapping[str, Any],
) -> Tables:
    """Compare every two models: their differences, what the data decide, and where they cross."""
    from costcurves.tables.comparisons import comparisons
    from costcurves.tables.crossovers import crossovers
    from costcurves.tables.pairs import pairs
    from costcurves.tables.verdicts import verdicts

    found = pairs(predictions, points, headline, resamples, inference)
    level = inference["confidence"]
    return {
        "comparisons": partial(comparisons, resamples.dataset, found, level),
        "verdicts": partial(verdicts, measures, found, inference),
        "crossovers": partial(crossovers, headline, measures, found, level),
    }


def confidence(
    points: "pd.DataFrame",
    headline: "pd.DataFrame",
    resamples: "Resamples",
    *,
    inference: Mapping[str, Any],
    **quantities: Any,
) -> Tables:
    """Say how sure the headline curves are, and every number of the summary."""
    from costcurves.tables.bands import bands
    from costcurves.tables.intervals import intervals

    tables = points, headline, resamples
    return {
        "bands": partial(bands, *tables, inference),
        "intervals": partial(intervals, *tables, inference=inference, **quantities),
    }


def choices(
    predictions: "pd.DataFrame",
    averages: "pd.DataFrame",
    hybrids: "pd.DataFrame",
    criteria: "pd.DataFrame",
    headline: "pd.DataFrame",
    resamples: "Resamples",
    *,
    level: str,
    selection: Mapping[str, Any],
    confidence: float,
    prior: Mapping[str, Any],
    conditions: Sequence[Mapping[str, Any]],
) -> Tables:
    """Resample the curve of every criterion, and what lower envelopes leave out."""
    from costcurves.tables.choice_bands import choice_bands
    from costcurves.tables.choice_intervals import choice_intervals
    from costcurves.tables.choices import choices
    from costcurves.tables.chooser import chooser
    from costcurves.tables.optimism import left_out, optimism

    marked = [condition["pc"] for condition in conditions]
    own = chooser(
        predictions, hybrids, headline, resamples, marked=marked, level=level, selection=selection
    )
    found, dataset = choices(predictions, own), resamples.dataset
    quantities = {"confidence": confidence, "prior": prior, "conditions": conditions}
    return {
        "choice_bands": partial(choice_bands, dataset, found, confidence),
        "choice_intervals": partial(choice_intervals, dataset, found, **quantities),
        "optimism": lambda: optimism(
            averages,
            criteria,
            left_out(predictions, averages, hybrids, headline, resamples, confidence),
        ),
    }


SEVERAL: Final = {
    **dict.fromkeys(("comparisons", "verdicts", "crossovers"), comparisons),
    **dict.fromkeys(("bands", "intervals"), confidence),
    **dict.fromkeys(("choice_bands", "choice_intervals", "optimism"), choices),
}
