"""The contract of every table of a dataset, in the order of the stages; how results are read."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import pandas as pd

from costcurves.tables.checks.check_results import CHECK_RESULTS
from costcurves.tables.checks.plausibility import PLAUSIBILITY
from costcurves.tables.configuration.stages import batches, names_of, of
from costcurves.tables.contract import read
from costcurves.tables.curves.averages import AVERAGES, ROC
from costcurves.tables.curves.envelopes import DUALITY, ENVELOPES
from costcurves.tables.curves.headline import HEADLINE, MEASURES
from costcurves.tables.curves.operating_points import OPERATING_POINTS
from costcurves.tables.curves.ranked import RANKINGS
from costcurves.tables.curves.threshold_choice import LOSSES, THRESHOLD_CHOICE
from costcurves.tables.inference.auc_differences import AUC_DIFFERENCES
from costcurves.tables.inference.bands import BANDS, INTERVALS
from costcurves.tables.inference.comparisons import COMPARISONS
from costcurves.tables.inference.instance_costs import INSTANCE_COSTS
from costcurves.tables.inference.verdicts import CROSSOVERS, IN_THE_RUNNING, VERDICTS
from costcurves.tables.selection.choices import CHOICE_BANDS, CHOICE_INTERVALS, OPTIMISM
from costcurves.tables.selection.criteria import CRITERIA, HYBRIDS
from costcurves.tables.selection.deployment import CONSTRUCTIONS, DEPLOYMENT

if TYPE_CHECKING:
    from costcurves.tables.configuration.dataset import Dataset

ByDataset = dict[str, dict[str, pd.DataFrame]]  # then by stage

CONTRACTS: Final = {
    contract.name: contract
    for contract in (
        *(OPERATING_POINTS, ENVELOPES, RANKINGS, PLAUSIBILITY, ROC, AVERAGES),
        *(HYBRIDS, CRITERIA, DEPLOYMENT, CHOICE_BANDS, CHOICE_INTERVALS, OPTIMISM),
        *(THRESHOLD_CHOICE, LOSSES, CONSTRUCTIONS, HEADLINE, MEASURES, DUALITY),
        *(BANDS, INTERVALS, COMPARISONS, VERDICTS, CROSSOVERS, IN_THE_RUNNING),
        *(INSTANCE_COSTS, AUC_DIFFERENCES, CHECK_RESULTS),
    )
}


def read_results(files: Mapping[str, Sequence[str]], place: int = 0) -> ByDataset:
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


def read_views(files: Mapping[str, Sequence[str]], views: Sequence["Dataset"]) -> ByDataset:
    """Read every result table of a study: by the slug of each view, then by stage."""
    found: ByDataset = {}
    for place, batch in enumerate(batches(views).values()):
        results = read_results(files, place)
        found |= {view.slug: results[view.name] for view in batch}
    return found
