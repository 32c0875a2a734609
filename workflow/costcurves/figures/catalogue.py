"""The figures of a report, in the order in which it shows them."""

from typing import Any, Final

from costcurves.figures import map_figures
from costcurves.figures.average_figures import averaging
from costcurves.figures.benefit_figures import decision_curves
from costcurves.figures.calibration_figures import reliability
from costcurves.figures.choice_figures import hybrids, regrets, thresholds
from costcurves.figures.context import Context, Tables
from costcurves.figures.cost_figures import cost_curves
from costcurves.figures.difference_figures import differences
from costcurves.figures.dot_figures import choices
from costcurves.figures.fold_figures import folds
from costcurves.figures.instance_figures import instance_costs
from costcurves.figures.kind import FigureKind
from costcurves.figures.map_figures import Survey
from costcurves.figures.pair_figures import verdicts
from costcurves.figures.ratio_figures import cost_ratios
from costcurves.figures.reading_figure import reading
from costcurves.figures.roc_figures import duality
from costcurves.figures.segment_figures import segments
from costcurves.figures.view_figures import cost_views

FIGURES: Final[tuple[FigureKind[Context], ...]] = (
    reading,
    cost_curves,
    cost_ratios,
    folds,
    segments,
    decision_curves,
    cost_views,
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


# Those of all datasets together.
TOGETHER: Final[tuple[FigureKind[Survey], ...]] = (choices, map_figures.map, map_figures.maps)


def captions() -> dict[str, str]:
    """Give the caption of each figure, a template of pages, by the name that they include."""
    kinds: tuple[FigureKind[Any], ...] = (*FIGURES, *TOGETHER)
    return {f"captions/{kind.name}": kind.words.caption for kind in kinds}


def figures_of(tables: Tables, detail: str, *, first: bool) -> tuple[FigureKind[Context], ...]:
    """List the figures to draw of a data set, perhaps the study's first one, at its detail."""
    kinds = (kind for kind in FIGURES if detail == "full" or kind.always)
    return tuple(kind for kind in kinds if kind.applies(tables) and (first or not kind.once))
