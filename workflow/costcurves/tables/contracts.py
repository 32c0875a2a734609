"""The contract of every table of a dataset, in the order of the stages."""

from typing import Final

from costcurves.choosing.compared import CHOICE_BANDS, CHOICE_INTERVALS, OPTIMISM
from costcurves.choosing.hybrids import CRITERIA, HYBRIDS
from costcurves.choosing.threshold_choice import THRESHOLD_CHOICE
from costcurves.choosing.to_use import CONSTRUCTIONS, DEPLOYMENT
from costcurves.invariants import CHECK_RESULTS
from costcurves.tables.contract import Contract
from costcurves.tables.curves.averages import AVERAGES
from costcurves.tables.curves.envelopes import DUALITY, ENVELOPES
from costcurves.tables.curves.headline import HEADLINE, MEASURES
from costcurves.tables.curves.operating_points import OPERATING_POINTS
from costcurves.tables.curves.ranked import RANKINGS
from costcurves.tables.curves.roc import ROC
from costcurves.tables.detail import STAGES
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
from costcurves.tables.inference.pair_intervals import PAIR_INTERVALS
from costcurves.tables.inference.segments import SEGMENTS
from costcurves.tables.inference.verdicts import CROSSOVERS, IN_THE_RUNNING, VERDICTS
from costcurves.tables.predicted import PLAUSIBILITY, PREDICTIONS

_EACH = (
    *(OPERATING_POINTS, ENVELOPES, RANKINGS, PLAUSIBILITY, AVERAGES, HYBRIDS, CRITERIA, DEPLOYMENT),
    *(THRESHOLD_CHOICE, HEADLINE, MEASURES, DUALITY, BANDS, INTERVALS, COMPARISONS, VERDICTS),
    *(PAIR_INTERVALS, CROSSOVERS, IN_THE_RUNNING, INSTANCE_COSTS, SEGMENTS),
    *(DECISIONS, DECISION_DIFFERENCES, CONFUSIONS),
    CHECK_RESULTS,
    *(ROC, CONSTRUCTIONS, CHOICE_BANDS, CHOICE_INTERVALS, OPTIMISM, AUC_DIFFERENCES),
    *(RELIABILITY, CALIBRATION),
)
_BY_NAME = {contract.name: contract for contract in _EACH}
CONTRACTS: Final = {name: _BY_NAME[name] for name in (*STAGES, CHECK_RESULTS.name)}


def contract_of(table: str) -> Contract:
    """Return the contract of a table, of a dataset or of the whole study."""
    if table in CONTRACTS:
        return CONTRACTS[table]
    if table == "map":
        from costcurves.tables.inference.map import MAP

        return MAP
    if table == "claims":
        from costcurves.tables.claims import CLAIMS

        return CLAIMS
    return PREDICTIONS if table == "predictions" else CHECK_RESULTS
