"""The same models in both spaces: hulls beside envelopes, points beside their costs."""

from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from costcurves.figures import axes, style
from costcurves.figures.context import Context
from costcurves.figures.polylines import (
    cost_part,
    curve,
    filtered,
    hull_part,
    models_of,
    part,
    roc_part,
    together,
)

NAME: Final = "roc_and_cost"
COLOURED: Final = 5


def data(context: Context) -> pd.DataFrame:
    """Return ROC curves, hulls, envelopes, and the best points at the main condition."""
    marked = context.tables["duality"]
    if marked.empty:
        return together([])
    models = context.leading
    points, pieces = (
        filtered(context.tables[name], level="pooled") for name in ("operating_points", "envelopes")
    )
    parts = [roc_part(filtered(points, model=model)) for model in models[:COLOURED]]
    parts += [hull_part("hull", filtered(pieces, model=model), model) for model in models]
    parts.append(cost_part("envelope", pieces, models))
    here = filtered(marked, condition=context.main.name).drop_duplicates("model")
    parts.append(part("point", here["model"], here["fp"], here["tp"]))
    parts.append(part("cost", here["model"], here["pc"], here["nec"]))
    return together(parts)


def panels(_data: pd.DataFrame, _context: Context) -> dict[str, axes.Panel]:
    """Return ROC space and cost space."""
    return {"ROC space": draw_roc, "Cost space": draw_costs}


def draw_roc(ax: Axes, data: pd.DataFrame, context: Context) -> None:
    """Draw ROC curves, hulls and points, and the line of equal cost through the best point."""
    axes.place(ax, height=axes.SQUARE)
    axes.roc_space(ax)
    models = _draw_curves(ax, data, context, "hull")
    for model in models[:COLOURED]:
        colour = context.colour(model)
        ax.plot(*curve(data, "roc", model), color=colour, linewidth=0.4, alpha=0.7)
        ax.plot(*curve(data, "classifier", model), ".", color=colour, markersize=2.5)
        ax.plot(*curve(data, "point", model), color=colour, clip_on=False, **style.DOT)
    costs = filtered(data, series="cost")
    best = costs.iloc[int(costs["y"].argmin())]
    ((fp, tp),) = np.transpose(curve(data, "point", best["model"]))
    along = fp + best["x"], tp + 1 - best["x"]
    ax.axline((fp, tp), along, color=style.INK, linewidth=0.7, linestyle=(0, (4, 2)))
    axes.key(ax, context.key(models, COLOURED, 1.3))


def draw_costs(ax: Axes, data: pd.DataFrame, context: Context) -> None:
    """Draw lower envelopes, and what the same points cost."""
    axes.place(ax, height=axes.SQUARE)
    axes.cost_space(ax, context)
    for model in _draw_curves(ax, data, context, "envelope")[:COLOURED]:
        ax.plot(*curve(data, "cost", model), color=context.colour(model), **style.DOT)
    axes.mark_conditions(ax, [context.main])
    axes.roof_words(ax)


def _draw_curves(ax: Axes, data: pd.DataFrame, context: Context, series: str) -> list[str]:
    """Draw the curves of all models, those that lead on top, and list the models."""
    models = models_of(data, series)
    for model in models[::-1]:
        look = context.line(model, 1.3) if model in models[:COLOURED] else style.STAND_BACK
        ax.plot(*curve(data, series, model), **look)
    return models


def words(data: pd.DataFrame, context: Context) -> dict[str, Any]:
    """Return the points at the main condition, the cheapest first."""
    rows = filtered(data, series="cost").sort_values("y", kind="stable")
    points = []
    for model, cost in rows[["model", "y"]].itertuples(index=False):
        ((fp, tp),) = np.transpose(curve(data, "point", model))
        points.append({"model": model, "fp": fp, "tp": tp, "cost": cost})
    pc = context.main.pc
    return {"points": points, "condition": context.main.name, "trivial": min(pc, 1 - pc)}
