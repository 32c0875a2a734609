"""How tables are made: a table's function has its name, and its arguments name what it needs.

So a rule says all that there is to say: its inputs are tables that exist, its parameters are values
of the configuration, its outputs are tables that are wanted. What lies between is made once.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from inspect import signature
from typing import Any, Final

from costcurves.tables.configuration.batches import joined, names_of, of_each
from costcurves.tables.configuration.stages import LEFT_OUT, STAGES
from costcurves.tables.contract import Contract, read_all, write
from costcurves.tables.inference.resampling import read_resamples, write_resamples

# What functions call a table in fewer words.
SHORT: Final = {"points": "operating_points", "resamples": "resampling"}
# What is no table, only on the way to some.
BETWEEN: Final = {
    "pairs": "inference.pairs",
    "choices": "selection.choices",
    "resampled_criteria": "selection.resampled_criteria",
    "left_out": "selection.optimism",
}
RESAMPLES: Final = "resampling"  # arrays
MODULES: Final = {
    **{stage: f"{package}.{stage}" for stage, package in STAGES.items()},
    **BETWEEN,
    RESAMPLES: "inference.resampling",
    "predictions": "input.predictions",
    "check_results": "checks.check_results",
}


def make(
    outputs: Mapping[str, str],
    inputs: Mapping[str, Sequence[str]],
    parameters: Mapping[str, Any],
    stamp: str,
) -> None:
    """Make the tables of a rule for a batch of datasets.

    They carry what they are made of, the `stamp`.
    """
    given = {name: _read(name, files) for name, files in inputs.items()}

    def made(dataset: str, *tables: Any) -> list[Any]:
        own = dict(zip(given, tables, strict=True))
        known = Known({**parameters, **own, "dataset": dataset}, set(outputs))
        return [known[name] for name in outputs]

    names = {name: name for name in names_of(next(iter(given.values())))}
    of_datasets = of_each(made, names, *given.values())
    for (name, file), tables in zip(
        outputs.items(), zip(*of_datasets.values(), strict=True), strict=True
    ):
        if name == RESAMPLES:
            write_resamples(dict(zip(of_datasets, tables, strict=True)), file)
        else:
            write(joined(tables), file, contract_of(name), stamp)


class Known(dict[str, Any]):
    """What is known of a dataset, by name; what is not known yet is made when it is asked for.

    Only `wanted` tables may be made; one that a study leaves out has no rows.
    """

    def __init__(self, given: Mapping[str, Any], wanted: set[str]) -> None:
        super().__init__(given)
        self._may = wanted | set(BETWEEN)

    def __missing__(self, name: str) -> Any:
        """Make it."""
        if name in SHORT:
            return self[SHORT[name]]
        if name not in self._may and name in LEFT_OUT:
            self[name] = contract_of(name).empty()
        elif name in self._may:
            function = function_of(name)
            self[name] = function(**{one: self[one] for one in signature(function).parameters})
        else:
            raise KeyError(name)
        return self[name]


def function_of(name: str) -> Callable[..., Any]:
    """Give the function that makes a table, or what several are made from."""
    function: Callable[..., Any] = getattr(_module(name), name)
    return function


def contract_of(table: str) -> Contract:
    """Give the contract of a table."""
    contract: Contract = getattr(_module(table), table.upper())
    return contract


def _module(name: str) -> Any:
    return import_module(f"costcurves.tables.{MODULES[name]}")


def _read(name: str, files: Sequence[str]) -> Any:
    return read_resamples(*files) if name == RESAMPLES else read_all(files, contract_of(name))
