"""The contract of every table of a dataset, in the order of the stages."""

from typing import Final

from costcurves.tables.checks.check_results import CHECK_RESULTS
from costcurves.tables.checks.plausibility import PLAUSIBILITY
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
