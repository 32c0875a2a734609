"""The contract of every table, by its name."""

from typing import Final

from costcurves.chance.bands import BANDS, INTERVALS
from costcurves.choosing.choosable import OPERATING_POINTS
from costcurves.choosing.headline import HEADLINE
from costcurves.choosing.hybrids import CRITERIA, HYBRIDS
from costcurves.choosing.to_use import CONSTRUCTIONS, DEPLOYMENT
from costcurves.costs.instance_costs import INSTANCE_COSTS
from costcurves.curves.averages import AVERAGES
from costcurves.curves.envelopes import DUALITY, ENVELOPES
from costcurves.invariants import CHECK_RESULTS
from costcurves.many.claims import CLAIMS
from costcurves.many.map import MAP
from costcurves.pairs.choices import CHOICE_INTERVALS, OPTIMISM
from costcurves.pairs.comparisons import COMPARISONS
from costcurves.pairs.not_ruled_out import NOT_RULED_OUT
from costcurves.pairs.pair_intervals import PAIR_INTERVALS
from costcurves.pairs.verdicts import CROSSOVERS, VERDICTS
from costcurves.predictions.predicted import PLAUSIBILITY, PREDICTIONS
from costcurves.ranking.calibration import CALIBRATION, RELIABILITY
from costcurves.ranking.delong import AUC_DIFFERENCES
from costcurves.ranking.measures import MEASURES, RANKINGS
from costcurves.ranking.roc_averages import ROC
from costcurves.ranking.threshold_choice import THRESHOLD_CHOICE

_ALL = (
    PREDICTIONS,
    OPERATING_POINTS,
    ENVELOPES,
    RANKINGS,
    PLAUSIBILITY,
    HYBRIDS,
    CRITERIA,
    DEPLOYMENT,
    ROC,
    THRESHOLD_CHOICE,
    CONSTRUCTIONS,
    AVERAGES,
    HEADLINE,
    MEASURES,
    DUALITY,
    BANDS,
    INTERVALS,
    INSTANCE_COSTS,
    CHOICE_INTERVALS,
    OPTIMISM,
    RELIABILITY,
    CALIBRATION,
    COMPARISONS,
    VERDICTS,
    PAIR_INTERVALS,
    CROSSOVERS,
    NOT_RULED_OUT,
    AUC_DIFFERENCES,
    MAP,
    CLAIMS,
    CHECK_RESULTS,
)
CONTRACTS: Final = {contract.name: contract for contract in _ALL}
