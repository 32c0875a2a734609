"""All result tables by stage."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import pandas as pd

from costcurves.tables.averages import AVERAGES
from costcurves.tables.bands import BANDS
from costcurves.tables.batches import batches, names_of, of
from costcurves.tables.check_results import CHECK_RESULTS
from costcurves.tables.choice_bands import CHOICE_BANDS
from costcurves.tables.choice_intervals import CHOICE_INTERVALS
from costcurves.tables.comparisons import COMPARISONS
from costcurves.tables.constructions import CONSTRUCTIONS
from costcurves.tables.contract import Contract, read
from costcurves.tables.criteria import CRITERIA
from costcurves.tables.crossovers import CROSSOVERS
from costcurves.tables.deployment import DEPLOYMENT
from costcurves.tables.duality import DUALITY
from costcurves.tables.envelopes import ENVELOPES
from costcurves.tables.headline import HEADLINE
from costcurves.tables.hybrids import HYBRIDS
from costcurves.tables.instance_costs import INSTANCE_COSTS
from costcurves.tables.intervals import INTERVALS
from costcurves.tables.losses import LOSSES
from costcurves.tables.measures import MEASURES
from costcurves.tables.operating_points import OPERATING_POINTS
from costcurves.tables.optimism import OPTIMISM
from costcurves.tables.roc import ROC
from costcurves.tables.threshold_choice import THRESHOLD_CHOICE
from costcurves.tables.verdicts import VERDICTS

if TYPE_CHECKING:
    from costcurves.tables.dataset import Dataset

Results = dict[str, dict[str, pd.DataFrame]]

CONTRACTS: Final[dict[str, Contract]] = {
    contract.name: contract
    for contract in (
        OPERATING_POINTS,
        ENVELOPES,
        ROC,
        AVERAGES,
        HYBRIDS,
        CRITERIA,
        DEPLOYMENT,
        CHOICE_BANDS,
        CHOICE_INTERVALS,
        OPTIMISM,
        THRESHOLD_CHOICE,
        LOSSES,
        CONSTRUCTIONS,
        HEADLINE,
        MEASURES,
        DUALITY,
        BANDS,
        INTERVALS,
        COMPARISONS,
        VERDICTS,
        CROSSOVERS,
        INSTANCE_COSTS,
        CHECK_RESULTS,
    )
}


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
