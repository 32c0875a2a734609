"""The single folds of each model behind their average and behind the headline curve."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from costcurves.figures import sheet, spaces, style, words
from costcurves.figures.context import Context
from costcurves.figures.cost_figures import in_sample_averages
from costcurves.figures.polylines import by_model, cost_vertices, joined, thinned
from costcurves.figures.sheet import TOP
from costcurves.tables.keys import IN_SAMPLE

Tables = Mapping[str, pd.DataFrame]
KEYS = ["model", "estimate", "series", "number"]
AVERAGE = "average of folds"


def folds_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Curves of single folds, their averages and headlines, a row a vertex.

    The series are "fold" (its curves numbered), "average of folds", of their lower envelopes, and
    "headline".
    """
    envelopes = tables["envelopes"]
    single = envelopes[envelopes["level"] == "fold"]
    codes = single.groupby(["model", "repeat", "fold"], sort=False, observed=True).ngroup()
    average = in_sample_averages(tables, "fold")
    parts = [
        single.assign(series="fold", estimate=IN_SAMPLE, number=codes),
        average.assign(series=AVERAGE, number=0),
        tables["headline"].assign(series="headline", number=0),
    ]
    vertices = cost_vertices(pd.concat(parts), KEYS)
    width, height = _panels(context).size
    top, _ = style.round_top(float(vertices["nec"].max()))
    return thinned(vertices, KEYS, (width, height / top))


def has_folds(tables: Tables) -> bool:
    """Say whether the average over folds of any model is one of several curves."""
    own = tables["averages"]
    return bool(
        (own["level"].eq("fold") & own["method"].eq("cost-space") & own["curves"].gt(1)).any()
    )


def _panels(context: Context) -> sheet.Panels:
    return sheet.Panels(len(context.models), top=TOP + 0.1)


def folds(data: pd.DataFrame, context: Context) -> Figure:
    """Draw each model's single folds thin behind their average, a panel a model."""
    curves = list(by_model(data, context.models))
    panels = _panels(context)
    figure = sheet.sheet(panels.bottom + 0.5)
    scale = style.round_top(float(data["nec"].max()))
    _folds_head(figure, data, context)
    panels.label_outside(figure, spaces.PC, spaces.NEC)
    for place, (model, vertices) in enumerate(curves):
        axes = panels.panel(figure, place, model, context)
        spaces.cost_space(axes, *scale, coarse=True)
        panels.ticks_outside(axes, place)
        looks = _fold_looks(context.line(model))
        for series, rows in vertices.groupby("series", sort=False):
            axes.plot(*joined(rows[["number", "pc", "nec"]], ["number"]), **looks[str(series)])
    return figure


def _fold_looks(line: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        "fold": {"color": line["color"], "linewidth": 0.5, "alpha": 0.45, "zorder": 2},
        AVERAGE: {"color": style.INK, "linewidth": 1.1, "zorder": 3},
        "headline": {**line, "linewidth": 1.8, "zorder": 4},
    }


def _folds_head(figure: Figure, data: pd.DataFrame, context: Context) -> None:
    alone = "thin, black: in-sample selection, each fold's lower envelope chooses on that fold"
    title = "the folds behind the average"
    how = f"thick: {words.chosen_how(data)}; {context.counts}"
    sheet.title(figure, context.title, title, how, alone)
    looks = _fold_looks({"color": style.NOTE})
    named = {
        "fold": "one fold",
        AVERAGE: f"{context.averaged_over('fold')} (too optimistic)",
        "headline": "headline",
    }
    sheet.series_list(figure, 0.78, [(named[series], looks[series]) for series in named])
