"""The figures of a report: what each is called, which tables it shows, how it is drawn.

A figure is a pure function of tables. It is drawn from one frame, so that the data published beside
it is exactly what it shows.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import pandas as pd
from matplotlib.figure import Figure

from costcurves.figures import style
from costcurves.figures.average_figures import averaging, averaging_data, has_averages
from costcurves.figures.construction_figures import constructions, constructions_data
from costcurves.figures.context import Context
from costcurves.figures.cost_figures import cost_curves, cost_curves_data
from costcurves.figures.difference_figures import differences, differences_data
from costcurves.figures.fold_figures import folds, folds_data, has_folds
from costcurves.figures.hybrid_figures import hybrids, hybrids_data
from costcurves.figures.instance_figures import instance_costs, instance_costs_data
from costcurves.figures.optimism_figures import has_delivered, optimism, optimism_data
from costcurves.figures.pair_figures import crossovers, crossovers_data
from costcurves.figures.regret_figures import has_regrets, regrets, regrets_data
from costcurves.figures.roc_figures import duality, duality_data
from costcurves.figures.threshold_figures import threshold_choice, threshold_choice_data
from costcurves.figures.verdict_figures import verdicts, verdicts_data
from costcurves.figures.view_figures import BESIDE, cost_views, cost_views_data

Tables = Mapping[str, pd.DataFrame]

ESSENTIAL: Final = ("cost_curves", "verdicts", "cost_views", "instance_costs")


def _anything(_: Tables) -> bool:
    return True


@dataclass(frozen=True)
class FigureKind:
    """A kind of figure; there is one of each for every data set."""

    name: str  # in file names and captions
    title: str  # what it shows, for headings
    sources: tuple[str, ...]  # the stages whose tables it needs
    select: Callable[[Tables, Context], pd.DataFrame]  # makes the frame of what is drawn
    paint: Callable[[pd.DataFrame, Context], Figure]
    beside: tuple[str, ...] = ()  # stages whose unweighted tables it needs, too
    tells: Callable[[Tables], bool] = _anything  # where to have rows is not enough

    def applies(self, tables: Tables) -> bool:
        """Say whether there is anything to draw: its sources have rows that it tells of."""
        return all(len(tables[source]) > 0 for source in self.sources) and self.tells(tables)

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
        cost_curves_data,
        cost_curves,
    ),
    FigureKind(
        "folds",
        "The folds behind the average",
        ("envelopes", "averages", "headline"),
        folds_data,
        folds,
        tells=has_folds,
    ),
    FigureKind(
        "duality",
        "One operating condition in ROC space and cost space",
        ("headline", "envelopes", "duality"),
        duality_data,
        duality,
    ),
    FigureKind(
        "crossovers",
        "Which of two classifiers is cheaper, and when",
        ("crossovers",),
        crossovers_data,
        crossovers,
    ),
    FigureKind(
        "differences",
        "Where the difference of two classifiers is real",
        ("headline", "comparisons", "verdicts"),
        differences_data,
        differences,
    ),
    FigureKind(
        "verdicts",
        "Which differences are real",
        ("headline", "verdicts"),
        verdicts_data,
        verdicts,
    ),
    FigureKind(
        "hybrids",
        "What each way of choosing a threshold costs",
        ("hybrids", "criteria"),
        hybrids_data,
        hybrids,
    ),
    FigureKind(
        "regrets",
        "Confidence bands of the regret of a criterion",
        ("hybrids", "choice_bands"),
        regrets_data,
        regrets,
        tells=has_regrets,
    ),
    FigureKind(
        "thresholds",
        "What each way of setting a threshold loses",
        ("threshold_choice",),
        threshold_choice_data,
        threshold_choice,
    ),
    FigureKind(
        "constructions",
        "A choice under a limit, in both spaces",
        ("constructions", "envelopes"),
        constructions_data,
        constructions,
    ),
    FigureKind(
        "optimism",
        "What choosing on the judged data leaves out",
        ("optimism", "intervals"),
        optimism_data,
        optimism,
        tells=has_delivered,
    ),
    FigureKind(
        "cost_views",
        "Cost curves, unweighted and weighted by cost",
        ("headline", "bands", "instance_costs"),
        cost_views_data,
        cost_views,
        BESIDE,
    ),
    FigureKind(
        "instance_costs",
        "What the costs of instances change",
        ("instance_costs", "operating_points"),
        instance_costs_data,
        instance_costs,
    ),
    FigureKind(
        "averaging",
        "Ways to average, and what they cost",
        ("roc", "averages"),
        averaging_data,
        averaging,
        tells=has_averages,
    ),
)


def figures_of(tables: Tables, detail: str) -> tuple[FigureKind, ...]:
    """List the figures to draw of a data set at the study's detail, "full" or "essential"."""
    kinds = (kind for kind in FIGURES if detail == "full" or kind.name in ESSENTIAL)
    return tuple(kind for kind in kinds if kind.applies(tables))
