"""The contract of every table, by its name."""

from typing import Final

from costcurves.choosing.compared import CHOICE_BANDS, CHOICE_INTERVALS, OPTIMISM
from costcurves.choosing.hybrids import CRITERIA, HYBRIDS
from costcurves.choosing.threshold_choice import THRESHOLD_CHOICE
from costcurves.choosing.to_use import CONSTRUCTIONS, DEPLOYMENT
from costcurves.invariants import CHECK_RESULTS
from costcurves.tables.claims import CLAIMS
from costcurves.tables.curves.averages import AVERAGES
from costcurves.tables.curves.envelopes import DUALITY, ENVELOPES
from costcurves.tables.curves.headline import HEADLINE, MEASURES
from costcurves.tables.curves.operating_points import OPERATING_POINTS
from costcurves.tables.curves.ranked import RANKINGS
from costcurves.tables.curves.roc import ROC
from costcurves.tables.inference.auc_differences import AUC_DIFFERENCES
from costcurves.tables.inference.bands import BANDS, INTERVALS
from costcurves.tables.inference.calibration import CALIBRATION, RELIABILITY
from costcurves.tables.inference.comparisons import COMPARISONS
from costcurves.tables.inference.decisions import (
    CONFUSIONS,
    DECISION_DIFFERENCES,
    DECISIONS,
)
from costcurves.tables.inference.instance_costs import INSTANCE_COSTS
from costcurves.tables.inference.map import MAP
from costcurves.tables.inference.pair_intervals import PAIR_INTERVALS
from costcurves.tables.inference.verdicts import CROSSOVERS, IN_THE_RUNNING, VERDICTS
from costcurves.tables.predicted import PLAUSIBILITY, PREDICTIONS

_ALL = (
    *(PREDICTIONS, OPERATING_POINTS, ENVELOPES, RANKINGS, PLAUSIBILITY),
    *(AVERAGES, ROC, HYBRIDS, CRITERIA, DEPLOYMENT, THRESHOLD_CHOICE, CONSTRUCTIONS),
    *(HEADLINE, MEASURES, DUALITY),
    *(BANDS, INTERVALS, INSTANCE_COSTS, DECISIONS, DECISION_DIFFERENCES, CONFUSIONS),
    *(CHOICE_BANDS, CHOICE_INTERVALS, OPTIMISM, RELIABILITY, CALIBRATION),
    *(COMPARISONS, VERDICTS, PAIR_INTERVALS, CROSSOVERS, IN_THE_RUNNING, AUC_DIFFERENCES),
    *(MAP, CLAIMS, CHECK_RESULTS),
)
CONTRACTS: Final = {
    **{contract.name: contract for contract in _ALL},
    "check_map": CHECK_RESULTS,
    "check_claims": CHECK_RESULTS,
}
