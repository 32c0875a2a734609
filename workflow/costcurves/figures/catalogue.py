"""The figures of a report: what each is called, which tables it shows, how it is drawn.

A figure is a pure function of tables. It is drawn from one frame, so that the data published beside
it is exactly what it shows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import pandas as pd
from matplotlib.figure import Figure

from costcurves.figures import average_figures as averages
from costcurves.figures import choice_figures as choices
from costcurves.figures import construction_figures as limits
from costcurves.figures import cost_figures as costs
from costcurves.figures import difference_figures as differences
from costcurves.figures import instance_figures as instances
from costcurves.figures import pair_figures as pairs
from costcurves.figures import roc_figures as roc
from costcurves.figures import style
from costcurves.figures import view_figures as views
from costcurves.figures.context import Context, Tables

ESSENTIAL: Final = ("cost_curves", "verdicts", "cost_views", "instance_costs")


@dataclass(frozen=True)
class FigureKind:
    """A kind of figure; there is one of each for every data set."""

    name: str  # in file names and captions
    title: str  # what it shows, for headings
    sources: tuple[str, ...]  # the stages whose tables it needs
    select: Callable[[Tables, Context], pd.DataFrame]  # makes the frame of what is drawn
    paint: Callable[[pd.DataFrame, Context], Figure]
    beside: tuple[str, ...] = ()  # stages whose unweighted tables it needs, too
    tells: Callable[[Tables], bool] | None = None  # where to have rows is not enough

    def applies(self, tables: Tables) -> bool:
        """Say whether there is anything to draw: its sources have rows that it tells of."""
        filled = all(len(tables[source]) > 0 for source in self.sources)
        return filled and (self.tells is None or self.tells(tables))

    def data(self, tables: Tables, context: Context) -> pd.DataFrame:
        """Give exactly what is drawn, as a table.

        `tables` are those of one data set by stage; those of `beside` are under the names that
        `view_figures.beside` gives.
        """
        return self.select(tables, context)

    def draw(self, tables: Tables, context: Context) -> Figure:
        """Draw the figure in the report's style; `saving.save` writes it."""
        return self.drawn(self.data(tables, context), context)

    def drawn(self, data: pd.DataFrame, context: Context) -> Figure:
        """Draw its data, as `data` gives them."""
        with style.house_style():
            return self.paint(data, context)


FIGURES: Final[tuple[FigureKind, ...]] = (
    FigureKind(
        "cost_curves",
        "What each classifier costs",
        ("headline", "averages", "bands"),
        costs.cost_curves_data,
        costs.cost_curves,
    ),
    FigureKind(
        "folds",
        "The folds behind the average",
        ("envelopes", "averages", "headline"),
        averages.folds_data,
        averages.folds,
        tells=averages.has_folds,
    ),
    FigureKind(
        "duality",
        "One operating condition in ROC space and cost space",
        ("headline", "envelopes", "duality"),
        roc.duality_data,
        roc.duality,
    ),
    FigureKind(
        "crossovers",
        "Which of two classifiers is cheaper, and when",
        ("crossovers",),
        pairs.crossovers_data,
        pairs.crossovers,
    ),
    FigureKind(
        "differences",
        "Where the difference of two classifiers is real",
        ("headline", "comparisons", "verdicts"),
        differences.differences_data,
        differences.differences,
    ),
    FigureKind(
        "verdicts",
        "Which differences are real",
        ("headline", "verdicts"),
        pairs.verdicts_data,
        pairs.verdicts,
    ),
    FigureKind(
        "hybrids",
        "What each way of choosing a threshold costs",
        ("hybrids", "criteria"),
        choices.hybrids_data,
        choices.hybrids,
    ),
    FigureKind(
        "regrets",
        "Confidence bands of the regret of a criterion",
        ("hybrids", "choice_bands"),
        choices.regrets_data,
        choices.regrets,
        tells=choices.has_regrets,
    ),
    FigureKind(
        "thresholds",
        "What each way of setting a threshold loses",
        ("threshold_choice",),
        choices.threshold_choice_data,
        choices.threshold_choice,
    ),
    FigureKind(
        "constructions",
        "A choice under a limit, in both spaces",
        ("constructions", "envelopes"),
        limits.constructions_data,
        limits.constructions,
    ),
    FigureKind(
        "optimism",
        "What choosing on the judged data leaves out",
        ("optimism", "intervals"),
        choices.optimism_data,
        choices.optimism,
        tells=choices.has_delivered,
    ),
    FigureKind(
        "cost_views",
        "Cost curves, unweighted and weighted by cost",
        ("headline", "bands", "instance_costs"),
        views.cost_views_data,
        views.cost_views,
        views.BESIDE,
    ),
    FigureKind(
        "instance_costs",
        "What the costs of instances change",
        ("instance_costs", "operating_points"),
        instances.instance_costs_data,
        instances.instance_costs,
    ),
    FigureKind(
        "averaging",
        "Ways to average, and what they cost",
        ("roc", "averages"),
        averages.averaging_data,
        averages.averaging,
        tells=averages.has_averages,
    ),
)


def figures_of(tables: Tables, detail: str) -> tuple[FigureKind, ...]:
    """List the figures to draw of a data set at the study's detail, "full" or "essential"."""
    kinds = (kind for kind in FIGURES if detail == "full" or kind.name in ESSENTIAL)
    return tuple(kind for kind in kinds if kind.applies(tables))
