"""Cases that cost differently: ROC beside its weighted form, and what each decision costs."""

from functools import partial
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from costcurves.figures import axes, style
from costcurves.figures.context import Context, Tables, confidence_of, leading, rows_of
from costcurves.figures.polylines import curve, models_of, part, thinned, together
from costcurves.formats import amount

NAME: Final = "case_costs"
MODELS: Final = 4
HEIGHT: Final = 150.0
LEFT: Final = 92.0
ROW: Final = 13.0
FAR: Final = 3  # times the dearest model's cost: a baseline beyond is a number at the edge
SPACES: Final = {
    "unweighted": ("fp_count", "negatives", "tp_count", "positives"),
    "weighted": ("fp_weight", "negatives_weight", "tp_weight", "positives_weight"),
}


def data(tables: Tables, context: Context) -> pd.DataFrame:
    """Return ROC curves of the leading models both ways, and the cost of each decision."""
    costs = tables["instance_costs"]
    if costs.empty:
        return together([])
    points = tables["operating_points"]
    points = points[(points["level"] == "pooled") & points["threshold"].notna()]
    parts = []
    for model in leading(tables, context)[:MODELS]:
        own = points[points["model"] == model]
        for series, (fp, negatives, tp, positives) in SPACES.items():
            steps = {"x": own[fp] / own[negatives], "y": own[tp] / own[positives]}
            rows = thinned(pd.DataFrame({"model": model, **steps}), ["model"], (210, HEIGHT))
            parts.append(part(series, model, rows["x"], rows["y"]))
    costs = costs.sort_values("cost", kind="stable")
    place = range(len(costs))
    each = ("cost", "low", "high")
    parts += [part(series, costs["model"], 1000 * costs[series], place) for series in each]
    return together(parts)


def panels(data: pd.DataFrame, context: Context) -> list[axes.Panel]:
    """Return the curves where a model has scores, and the costs."""
    curves = len(data[data["series"] == "weighted"]) > 0
    shown: axes.Look = {"data": data, "context": context}
    made = [partial(draw_curves, **shown)] if curves else []
    return [partial(draw_costs, letter="a  " if curves else "", **shown), *made]


def draw_curves(ax: Axes, data: pd.DataFrame, context: Context) -> None:
    """Draw ROC curves thin, and thick with each case weighted by its cost (Fawcett 2006)."""
    axes.place(ax, height=HEIGHT)
    axes.roc_space(ax)
    entries: dict[str, axes.Look] = {}
    for model in models_of(data, "weighted"):
        look = context.line(model, 1.4)
        ax.plot(*curve(data, "unweighted", model), color=context.colour(model), lw=0.5, alpha=0.8)
        ax.plot(*curve(data, "weighted", model), **look)
        entries[context.short[model]] = look
    entries["thin: unweighted"] = {"color": style.QUIET, "linewidth": 0.5}
    axes.x_label(ax, "share of the cost of false positives")
    ax.texts[0].remove()
    ax.set_ylabel("share of the benefit of true positives")
    axes.key(ax, entries, below=29)
    axes.title(ax, "b  ROC curves weighted by cost")


def draw_costs(ax: Axes, data: pd.DataFrame, context: Context, letter: str) -> None:
    """Draw each decision as a dot, its interval as a line, and a far one as a number."""
    ends = [data[data["series"] == series] for series in ("cost", "low", "high")]
    costs, low, high = (rows["x"].to_numpy(float) for rows in ends)
    names = ends[0]["model"]
    axes.place(ax, LEFT, ROW * len(names))
    near = costs <= FAR * costs[names.isin(context.models).to_numpy()].max()
    highest = 1.05 * float(np.nanmax([*costs[near], *high[near]]))
    labels = []
    for place, name in enumerate(names):
        trivial = name not in context.models
        colour = style.NOTE if trivial else context.colour(name)
        if near[place]:
            ax.plot([low[place], high[place]], [place, place], color=colour, linewidth=1.6)
            ax.plot(costs[place], place, marker="o", markersize=3.5, color=colour)
        else:
            beyond = f"{amount(costs[place])} →"
            ax.text(highest, place, beyond, ha="right", va="center", color=colour)
        labels.append(name if trivial else style.fitted(context.short[name], LEFT - 8))
    ax.set(xlim=(0, highest), ylim=(len(names) - 0.5, -0.5))
    ax.set_yticks(range(len(names)), labels)
    ax.tick_params(axis="y", length=0)
    axes.round_ticks(ax, highest, amount)
    axes.x_label(ax, f"cost of 1000 cases{f' ({context.unit})' if context.unit else ''}")
    axes.title(ax, f"{letter}What each decision costs")


def words(data: pd.DataFrame, tables: Tables, _context: Context) -> dict[str, Any]:
    """Return what each decision costs, the cheapest first."""
    rows = tables["instance_costs"]
    rows = rows.sort_values("cost", kind="stable")
    return {
        "rows": rows_of(rows),
        "level": confidence_of(rows),
        "several": len(data["series"].unique()) > 3,
    }
