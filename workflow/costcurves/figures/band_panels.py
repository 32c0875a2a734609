"""Bands of cost curves: of few models in one cost space, of more in a panel for each.

More bands than four hide each other and the curves. A panel has the bands of one model in its
colour, and behind them, where panels are few and so wide, the other curves in grey.
"""

from collections.abc import Mapping
from typing import Any, Final

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from costcurves.figures import spaces, style
from costcurves.figures.context import Context
from costcurves.figures.polylines import by_model, fill_between, joined, thinned
from costcurves.figures.sheet import Panels

FEW: Final = 4  # models whose bands can stand in one cost space
MOST: Final = 8  # panels: two rows
GREY: Final = 6  # panels up to which the other curves are drawn behind
COARSE: Final = 3  # how much rougher grey curves are than the others: a third of their width
FOOT: Final = 0.5  # inches beneath the panels, for the label of their x axis

Tables = Mapping[str, pd.DataFrame]


def together(context: Context) -> bool:
    """Say whether all bands stand in one cost space."""
    return len(context.models) <= FEW


def banded(headline: pd.DataFrame, context: Context) -> list[str]:
    """Choose the models whose bands are drawn: all, or as many of the cheapest as there is room."""
    height = (headline["nec_from"] + headline["nec_to"]) / 2
    areas = (height * (headline["pc_to"] - headline["pc_from"])).groupby(headline["model"]).sum()
    cheapest = areas.loc[list(context.models)].sort_values(kind="stable").index[:MOST]
    return [model for model in context.models if model in set(cheapest)]


def panels(count: int, top: float) -> Panels:
    """Lay out panels for the bands of so many models."""
    return Panels(min(count, MOST), top, across=3 if count <= 6 else 4)


def draw_bands(axes: Axes, data: pd.DataFrame, context: Context) -> None:
    """Fill the pointwise bands and outline the simultaneous ones."""
    edges = {(str(m), str(s)): rows for (m, s), rows in data.groupby(["model", "series"])}
    for model in context.models:
        own: dict[str, Any] = {"color": context.line(model)["color"], "gid": context.tag(model)}
        if (model, "pointwise lower") in edges:
            lower, upper = (edges[model, f"pointwise {edge}"] for edge in ("lower", "upper"))
            fill_between(axes, lower, upper, alpha=0.16, linewidth=0, zorder=1.2, **own)
        for edge in ("lower", "upper"):
            rows = edges.get((model, f"simultaneous {edge}"))
            if rows is not None:
                look: dict[str, Any] = {"linewidth": 0.5, "alpha": 0.65, "zorder": 1.5}
                axes.plot(rows["pc"], rows["nec"], **look, **own)


def draw_panels(
    figure: Figure,
    layout: Panels,
    data: pd.DataFrame,
    context: Context,
    scale: tuple[float, float],
) -> None:
    """Draw each model's headline curve and bands in a panel, the cheapest first.

    `scale` is the end and the step of the y axis.
    """
    shown = data[data["model"].isin(data.loc[data["method"] != "", "model"])]
    layout.label_outside(figure, spaces.PC, spaces.NEC)
    for place, (model, own) in enumerate(by_model(shown, context.numbered)):
        axes = layout.panel(figure, place, model, context)
        spaces.cost_space(axes, *scale, coarse=True)
        layout.ticks_outside(axes, place)
        if layout.count <= GREY:
            _draw_others(axes, shown[shown["model"] != model], layout.size, scale[0])
        draw_bands(axes, own, context)
        curve = _headline(own, layout.size, scale[0])
        axes.plot(curve["pc"], curve["nec"], zorder=3, linewidth=1.6, **context.line(model))


def _draw_others(axes: Axes, data: pd.DataFrame, size: tuple[float, float], top: float) -> None:
    width, height = size
    curves = _headline(data, (width / COARSE, height / COARSE), top)
    look: dict[str, Any] = {"color": style.GREYED, "linewidth": 0.5, "zorder": 1.1}
    axes.plot(*joined(curves, ["model"]), **look)


def _headline(data: pd.DataFrame, size: tuple[float, float], top: float) -> pd.DataFrame:
    """Take the headline curves with the vertices that are seen at this size."""
    curves = data.loc[data["series"] == "headline", ["model", "pc", "nec"]]
    return thinned(curves, ["model"], (size[0], size[1] / top))
