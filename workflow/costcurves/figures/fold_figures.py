"""Single folds, their average, and the curve by which their model is judged."""

from typing import Any, Final

import pandas as pd
from matplotlib.figure import Figure

from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Context, Row, Tables
from costcurves.figures.cost_figures import in_sample_averages
from costcurves.figures.kind import Shown, figure_kind
from costcurves.figures.polylines import by_model, cost_vertices, joined, thinned
from costcurves.figures.sheet import LINE, TOP
from costcurves.tables.keys import IN_SAMPLE

FOLDS: Final = ["model", "estimate", "series", "number"]
AVERAGE: Final = "average of folds"


def folds_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Curves of the series "fold" (numbered), "average of folds" and "headline", a row a vertex."""
    envelopes = tables["envelopes"]
    single = envelopes[envelopes["level"] == "fold"]
    codes = single.groupby(["model", "repeat", "fold"], sort=False, observed=True).ngroup()
    parts = [
        single.assign(series="fold", estimate=IN_SAMPLE, number=codes),
        in_sample_averages(tables, "fold").assign(series=AVERAGE, number=0),
        tables["headline"].assign(series="headline", number=0),
    ]
    vertices = cost_vertices(pd.concat(parts), FOLDS)
    width, height = _panels(context).size
    top, _ = style.round_top(float(vertices["nec"].max()))
    return thinned(vertices, FOLDS, (width, height / top))


def _panels(context: Context) -> sheet.Panels:
    listed = sheet.series_places([*_series(context).values()])[-1][0]
    return sheet.Panels.of(context.models, top=TOP + 0.1 + listed * LINE)


def _series(context: Context) -> dict[str, str]:
    """Say what the series are."""
    average = f"{context.averaged_over('fold')} (too low)"
    return {"fold": "one fold", AVERAGE: average, "headline": "headline"}


def averaged(shown: Shown[Context]) -> list[Row]:
    """Give the measures that models are judged by, with the `average` of folds: its area."""
    rows = shown.tables["measures"]
    rows = rows[rows["estimate"].eq(IN_SAMPLE) & rows["level"].eq("fold")]
    areas = dict(zip(rows["model"], rows["area"], strict=True))
    return [{**row, "average": areas[row["model"]]} for row in shown.headline]


@figure_kind(
    folds_data,
    averaged,
    ("envelopes", "averages", "headline"),
    tells=lambda tables: in_sample_averages(tables, "fold")["curves"].gt(1).any(),
)
def folds(data: pd.DataFrame, context: Context) -> Figure:
    """Draw each model's single folds thin behind their average, a panel a model."""
    panels = _panels(context)
    alone = "thin, black: lower envelopes, the best threshold of each fold in hindsight (in-sample)"
    notes = f"thick: {context.chosen(data)}", alone
    figure = sheet.sheet(panels.bottom + 0.5, context.title, folds.words.title, *notes)
    looks = fold_looks({"color": style.NOTE})
    listed = [(words, looks[one]) for one, words in _series(context).items()]
    sheet.series_list(figure, TOP - 0.04, listed)
    panels.label_outside(figure, spaces.PC, spaces.NEC)
    scale = style.round_top(float(data["nec"].max()))
    for place, (model, vertices) in enumerate(by_model(data, context.models)):
        axes = panels.panel(figure, place, model, context)
        spaces.cost_space(axes, *scale, coarse=True)
        looks = fold_looks(context.line(model))
        for series, rows in vertices.groupby("series", sort=False):
            axes.plot(*joined(rows[["number", "pc", "nec"]], ["number"]), **looks[str(series)])
    return figure


def fold_looks(line: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """How single folds, their average and the headline look, beside the line of their model."""
    return {
        "fold": {"color": line["color"], "linewidth": 0.5, "alpha": 0.45, "zorder": 2},
        AVERAGE: {"color": style.INK, "linewidth": 1.1, "zorder": 3},
        "headline": {**line, "linewidth": 1.8, "zorder": 4},
    }
