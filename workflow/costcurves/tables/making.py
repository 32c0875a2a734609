"""How tables are made and read: a table's function has its name, its arguments what it needs.

So a rule says all that there is to say: its inputs are tables that exist, its parameters are values
of the configuration, its outputs are tables that are wanted. What lies between is made once.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from costcurves.errors import of_all
from costcurves.tables.configuration.stages import LEFT_OUT, STAGES, batches, names_of, of
from costcurves.tables.contract import Contract, read, read_all, stacked, write
from costcurves.tables.inference.resampling import read_resamples, write_resamples

if TYPE_CHECKING:
    from costcurves.tables.configuration.dataset import Dataset
    from costcurves.tables.configuration.study import Study

Results = dict[str, dict[str, pd.DataFrame]]  # by dataset, then by stage

# What functions call a table in fewer words.
SHORT: Final = {"points": "operating_points", "resamples": "resampling"}
# What is no table, only on the way to some.
BETWEEN: Final = {
    "counted": "curves.operating_points",
    "conditions": "curves.conditions",
    "marked": "curves.conditions",
    "pairs": "inference.comparisons",
    "choices": "selection.choices",
    "resampled_criteria": "selection.choices",
    "left_out": "selection.choices",
}
MODULES: Final = {
    **STAGES,
    **BETWEEN,
    "resampling": "inference.resampling",  # arrays
    "predictions": "input.predictions",
    "check_results": "checks.check_results",
}


def make(
    outputs: Mapping[str, str],
    inputs: Mapping[str, Sequence[str]],
    parameters: Mapping[str, Any],
    stamp: str,
) -> None:
    """Make the tables of a rule for a batch of datasets; they carry the `stamp`."""
    given = {
        name: read_resamples(*files) if name == "resampling" else read_all(files, contract_of(name))
        for name, files in inputs.items()
    }

    def made(dataset: str) -> list[Any]:
        own = {name: of(table, dataset) for name, table in given.items()}
        known = Known({**parameters, **own, "dataset": dataset}, set(outputs))
        return [known[name] for name in outputs]

    names = names_of(next(iter(given.values())))
    by_output = zip(*of_all(made, names), strict=True)
    for (name, file), tables in zip(outputs.items(), by_output, strict=True):
        if name == "resampling":
            write_resamples(dict(zip(names, tables, strict=True)), file)
        else:
            write(stacked(tables), file, contract_of(name), stamp)


class Known(dict[str, Any]):
    """What is known of a dataset, by name; what is not known yet is made when it is asked for.

    Only `wanted` tables may be made; one that a study leaves out has no rows.
    """

    def __init__(self, given: Mapping[str, Any], wanted: set[str]) -> None:
        super().__init__(given)
        self._may = wanted | set(BETWEEN)
        self.otherwise: dict[str, Callable[[], Any]] = {}  # made in another way than by its name

    def __missing__(self, name: str) -> Any:
        """Make it."""
        if name in SHORT:
            return self[SHORT[name]]
        if name in self.otherwise:
            self[name] = self.otherwise[name]()
            return self[name]
        if name not in self._may and name in LEFT_OUT:
            self[name] = contract_of(name).empty()
        elif name in self._may:
            function = function_of(name)
            self[name] = function(**{one: self[one] for one in signature(function).parameters})
        else:
            raise KeyError(name)
        return self[name]


def in_memory(study: "Study", dataset: "Dataset") -> Known:
    """Make tables of one dataset as the workflow does, once its predictions are given."""
    given = {
        "dataset": dataset.name,
        "seed": study.seed,
        "every_threshold": study.every_threshold,
        "level": study.level,
        "selection": study.applied.plain(),
        "prior": study.prior.plain(),
        "priors": {dataset.name: dataset.prior},
        "inference": study.inference.plain(),
        "confidence": study.inference.confidence,
        "operating_conditions": [one.plain() for one in study.operating_conditions],
        "weighted": dataset.weighted,
    }
    return Known(given, {*STAGES, "resampling"})


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


CONTRACTS: Final = {stage: contract_of(stage) for stage in (*STAGES, "check_results")}


def read_results(files: Mapping[str, Sequence[str]], place: int = 0) -> Results:
    """Read every result table of a batch of datasets.

    Each stage has a file for each batch. A stage without files was not run: its table has no rows.
    """
    made = dict(files.items())
    tables = {
        stage: read(made[stage][place], contract) if stage in made else contract.empty()
        for stage, contract in CONTRACTS.items()
    }
    names = names_of(tables["operating_points"])
    return {name: {stage: of(table, name) for stage, table in tables.items()} for name in names}


def read_views(files: Mapping[str, Sequence[str]], views: Sequence["Dataset"]) -> Results:
    """Read every result table of a study: by the slug of each view, then by stage."""
    found: Results = {}
    for place, batch in enumerate(batches(views).values()):
        results = read_results(files, place)
        found |= {view.slug: results[view.name] for view in batch}
    return found
