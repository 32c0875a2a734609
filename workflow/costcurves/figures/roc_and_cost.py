"""The same models in both spaces: hulls beside envelopes, points beside their costs."""

from functools import partial
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from costcurves.figures import axes, style
from costcurves.figures.context import Context, Tables, leading
from costcurves.figures.polylines import cost_part, curve, models_of, part, thinned, together

NAME: Final = "roc_and_cost"
HEIGHT: Final = 165.0  # points: ROC space is nearly square
COLOURED: Final = 5


def data(tables: Tables, context: Context) -> pd.DataFrame:
    """Return ROC curves, hulls, envelopes, and the best points at the main condition."""
    marked = tables["duality"]
    if marked.empty or context.main is None:
        return together([])
    models = leading(tables, context)
    points = tables["operating_points"]
    points = points[points["level"] == "pooled"]
    pieces = tables["envelopes"]
    pieces = pieces[pieces["level"] == "pooled"]
    parts = []
    for model in models[:COLOURED]:
        own = points[points["model"] == model]
        steps = pd.DataFrame({"model": model, "x": own["fp"], "y": 1 - own["fn"]})
        if own["threshold"].isna().all():  # classifiers of their own: their points are no curve
            parts.append(part("classifier", model, steps["x"], steps["y"]))
            continue
        steps = thinned(steps.sort_values(["x", "y"]), ["model"], (210, HEIGHT))
        parts.append(part("roc", model, steps["x"], steps["y"]))
    for model in models:
        own = pieces[pieces["model"] == model]
        corners = own[["at0", "at1"]].drop_duplicates().sort_values("at0")
        x, y = np.r_[0, corners["at0"], 1], np.r_[0, 1 - corners["at1"], 1]
        parts.append(part("hull", model, x, y))
    parts.append(cost_part("envelope", pieces, models))
    here = marked[marked["condition"] == context.main.name].drop_duplicates("model")
    parts.append(part("point", here["model"], here["fp"], here["tp"]))
    parts.append(part("cost", here["model"], here["pc"], here["nec"]))
    return together(parts)


def panels(data: pd.DataFrame, context: Context) -> list[axes.Panel]:
    """Return ROC space and cost space."""
    shown: axes.Look = {"data": data, "context": context}
    return [partial(draw_roc, **shown), partial(draw_costs, **shown)]


def draw_roc(ax: Axes, data: pd.DataFrame, context: Context) -> None:
    """Draw ROC curves, hulls and points, and the line of equal cost through the best point."""
    axes.place(ax, height=HEIGHT)
    axes.roc_space(ax)
    models = models_of(data, "hull")
    front = models[:COLOURED]
    for model in models[::-1]:
        look = context.line(model, 1.3) if model in front else {"color": style.GREYED, "lw": 0.6}
        ax.plot(*curve(data, "hull", model), **look)
        if model in front:
            colour = context.colour(model)
            ax.plot(*curve(data, "roc", model), color=colour, linewidth=0.4, alpha=0.7)
            ax.plot(*curve(data, "classifier", model), ".", color=colour, markersize=2.5)
            dot: axes.Look = {"marker": "o", "markersize": 4, "clip_on": False, "zorder": 4}
            ax.plot(*curve(data, "point", model), color=colour, **dot)
    best = _best(data)
    (pc,), _ = curve(data, "cost", best)
    (fp,), (tp,) = curve(data, "point", best)
    axes.iso_cost(ax, fp, tp, pc)
    entries = {context.short[model]: context.line(model, 1.3) for model in front}
    if len(models) > len(front):
        others = f"{len(models) - len(front)} other models"
        entries[others] = {"color": style.GREYED, "linewidth": 0.6}
    axes.key(ax, entries, below=29)
    axes.title(ax, "a  ROC space", rows=1)


def draw_costs(ax: Axes, data: pd.DataFrame, context: Context) -> None:
    """Draw lower envelopes, and what the same points cost."""
    axes.place(ax, height=HEIGHT)
    axes.cost_space(ax, context)
    models = models_of(data, "envelope")
    for model in models[::-1]:
        front = model in models[:COLOURED]
        look = context.line(model, 1.3) if front else {"color": style.GREYED, "lw": 0.6}
        ax.plot(*curve(data, "envelope", model), **look)
        if front:
            dot: axes.Look = {"marker": "o", "markersize": 4, "zorder": 6}
            ax.plot(*curve(data, "cost", model), color=context.colour(model), **dot)
    if context.main is not None:
        axes.mark_conditions(ax, [context.main])
    axes.roof_words(ax)
    axes.title(ax, "b  Cost space")


def _best(data: pd.DataFrame) -> str:
    """Return the model whose point costs least at the condition."""
    costs = data[data["series"] == "cost"]
    return str(costs.iloc[int(costs["y"].argmin())]["model"])


def words(data: pd.DataFrame, _tables: Tables, context: Context) -> dict[str, Any]:
    """Return the points at the main condition, the cheapest first."""
    rows = data[data["series"] == "cost"].sort_values("y", kind="stable")
    points = []
    for model, cost in rows[["model", "y"]].itertuples(index=False):
        (fp,), (tp,) = curve(data, "point", model)
        points.append({"model": model, "fp": fp, "tp": tp, "cost": cost})
    condition = context.main.name if context.main else ""
    pc = float(rows["x"].iloc[0])
    return {"points": points, "condition": condition, "trivial": min(pc, 1 - pc)}
