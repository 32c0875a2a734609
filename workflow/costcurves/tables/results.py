"""All result tables by stage."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import pandas as pd

from costcurves.tables.configuration.stages import STAGES, batches, names_of, of
from costcurves.tables.contract import read
from costcurves.tables.making import contract_of

if TYPE_CHECKING:
    from costcurves.tables.configuration.dataset import Dataset

Results = dict[str, dict[str, pd.DataFrame]]


CONTRACTS: Final = {stage: contract_of(stage) for stage in (*STAGES, "check_results")}


def read_results(files: Mapping[str, Sequence[str]], place: int = 0) -> Results:
    """Read every result table of a batch of datasets: by dataset, then by stage.

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
