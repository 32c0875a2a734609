"""The figures of the annex, in the order in which it shows them."""

from typing import Final

from costcurves.annex.figures.average_figures import averaging
from costcurves.annex.figures.calibration_figures import reliability
from costcurves.annex.figures.choice_figures import hybrids, regrets, thresholds
from costcurves.annex.figures.difference_figures import differences
from costcurves.annex.figures.instance_figures import instance_costs
from costcurves.annex.figures.pair_figures import verdicts
from costcurves.annex.figures.roc_figures import duality
from costcurves.figures.context import Context
from costcurves.figures.kind import FigureKind

FIGURES: Final[tuple[FigureKind[Context], ...]] = (
    duality,
    reliability,
    differences,
    verdicts,
    hybrids,
    regrets,
    thresholds,
    instance_costs,
    averaging,
)
