"""The figures of a report, in the order in which it shows them."""

from typing import Final

from costcurves.additions import figures
from costcurves.figures.benefit_figures import decision_curves
from costcurves.figures.context import FigureKind, Tables
from costcurves.figures.cost_figures import cost_curves
from costcurves.figures.fold_figures import folds
from costcurves.figures.ratio_figures import cost_ratios
from costcurves.figures.reading_figure import reading
from costcurves.figures.roc_figures import duality
from costcurves.figures.view_figures import cost_views

# What is drawn without an annex.
IN_REPORT: Final = ("reading", "cost_curves", "cost_ratios", "cost_views")

FIGURES: Final[tuple[FigureKind, ...]] = (
    reading,
    cost_curves,
    cost_ratios,
    folds,
    duality,
    decision_curves,
    cost_views,
    *figures(),
)


def figures_of(tables: Tables, detail: str, *, first: bool) -> tuple[FigureKind, ...]:
    """List the figures to draw of a data set, perhaps the study's first one, at its detail."""
    kinds = (kind for kind in FIGURES if detail == "full" or kind.name in IN_REPORT)
    return tuple(kind for kind in kinds if kind.applies(tables) and (first or not kind.once))
