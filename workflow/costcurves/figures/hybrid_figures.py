"""What each way of choosing a threshold costs, and what it leaves on the table."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Context
from costcurves.figures.polylines import by_model, cost_vertices, height_at, thinned
from costcurves.figures.sheet import LINE, TOP
from costcurves.formats import signed
from costcurves.tables.selection import KNOWN_CRITERIA
from costcurves.tables.selection.criterion import criterion_of

Tables = Mapping[str, pd.DataFrame]

KEYS: Final = ["model", "criterion", "estimate", "regret"]
CROSS_FITTED: Final = "cross-fitted"
# Shaded is the first of these that a model has.
SHADED: Final = [name for name in KNOWN_CRITERIA if criterion_of(name).without_data]
REGRET: Final = "#f3d9b8"
STATEMENT: Final = "what each way of choosing costs"
SHADES: Final = "shaded, numbers: what choosing without data costs more than cross-fitted choice"
COLOURS: Final = {"ink": {"color": style.INK}, "quiet": {"color": style.QUIET}}
LOOKS: Final[dict[str, dict[str, Any]]] = {
    name: {**COLOURS.get((one := criterion_of(name)).tone, {}), **one.look}
    for name in KNOWN_CRITERIA
}


def hybrids_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Curves of all criteria that apply, a row a vertex.

    `regret` is the mean over PC(+) of what the criterion costs more than cross-fitted choice; NaN:
    there is none.
    """
    known = tables["criteria"][["model", "criterion", "regret"]]
    rows = tables["hybrids"].merge(known, on=["model", "criterion"], how="left", sort=False)
    vertices = cost_vertices(rows[rows["model"].isin(context.models)], KEYS)
    width, height = _panels(context, vertices).size
    return thinned(vertices, KEYS, (width, height / _scale(vertices)[0]))


def _scale(data: pd.DataFrame) -> tuple[float, float]:
    """End and step of the y axis: no further than where always-the-same is cheaper."""
    return style.round_top(min(0.5, float(data["nec"].max())))


def _panels(context: Context, data: pd.DataFrame) -> sheet.Panels:
    lines = sheet.series_places(list(_series(data)))[-1][0]
    return sheet.Panels(len(context.models), top=TOP + 0.14 + lines * LINE, notes=1)


def _series(data: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """Words and looks of the criteria that are drawn, and of the shade."""
    drawn = set(data["criterion"])
    looks = {name: {"color": style.NOTE, **look} for name, look in LOOKS.items() if name in drawn}
    if CROSS_FITTED in drawn and drawn & set(SHADED):
        looks["regret"] = {"color": REGRET, "linewidth": 6, "solid_capstyle": "butt"}
    in_sample = {"cost-minimizing": "cost-minimizing (in-sample, too optimistic)"}
    return {in_sample.get(name, name): look for name, look in looks.items()}


def hybrids(data: pd.DataFrame, context: Context) -> Figure:
    """Draw the cost curves of all selection criteria, a panel a model.

    Shaded is the regret of the criterion that needs no data to choose on: how much more it costs
    than cross-fitted choice (Drummond and Holte 2006, Figs 21 and 22), where there is one.
    """
    panels = _panels(context, data)
    figure = sheet.sheet(panels.bottom + 0.5)
    fitted = CROSS_FITTED in set(data["criterion"])
    sheet.title(figure, context.title, STATEMENT, context.counts, *([SHADES] if fitted else []))
    sheet.series_list(figure, 0.78, list(_series(data).items()))
    panels.label_outside(figure, spaces.PC, spaces.NEC)
    scale = _scale(data)
    for place, (model, rows) in enumerate(by_model(data, context.models)):
        axes = panels.panel(figure, place, model, context)
        spaces.cost_space(axes, *scale, coarse=True)
        panels.ticks_outside(axes, place)
        curves = {str(name): own for name, own in rows.groupby("criterion", sort=False)}
        if fitted:
            panels.annotate(figure, place, _shade(axes, curves))
        for name, own in curves.items():
            look = {**context.line(model), "linestyle": "-", **LOOKS[name]}
            if name == CROSS_FITTED:
                look = {**look, **context.line(model)}
            axes.plot(own["pc"], own["nec"], **{"zorder": 3, **look})
    return figure


def _shade(axes: Axes, curves: Mapping[str, pd.DataFrame]) -> str:
    """Shade where the first criterion without data is more expensive; say by how much in all."""
    name = next((name for name in SHADED if name in curves), None)
    if CROSS_FITTED not in curves:
        return "no cross-fitted choice to hold against"
    if name is None:
        return "no choice without data to hold against"
    own, reference = curves[name], curves[CROSS_FITTED]
    x = np.unique(np.concatenate([own["pc"], reference["pc"]]))
    higher, lower = (
        np.column_stack([height_at(curve, x, "left"), height_at(curve, x, "right")]).ravel()
        for curve in (own, reference)
    )
    where = higher >= lower
    look: dict[str, Any] = {"color": REGRET, "linewidth": 0, "zorder": 0.5, "interpolate": True}
    axes.fill_between(np.repeat(x, 2), higher, lower, where=where, **look)
    return f"{name}: {signed(float(own['regret'].iloc[0]))}"
