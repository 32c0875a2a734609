"""Cases that cost differently: ROC beside its weighted form, and what each decision costs."""

from typing import Any, Final

import pandas as pd
from matplotlib.axes import Axes

from costcurves.figures import axes, style
from costcurves.figures.context import Context, rows_of
from costcurves.figures.polylines import curve, curve_part, filtered, models_of, part, together
from costcurves.formats import amount

NAME: Final = "case_costs"
MODELS: Final = 4
HEIGHT: Final = 150.0
ROW: Final = 13.0
FAR: Final = 3  # times the dearest model's cost: a baseline beyond is a number at the edge


def data(context: Context) -> pd.DataFrame:
    """Return ROC curves of the leading models both ways, and the cost of each decision."""
    costs = context.tables["instance_costs"].sort_values("cost", kind="stable")
    points = filtered(context.tables["operating_points"], level="pooled").dropna(subset="threshold")
    parts = []
    for model in context.leading[:MODELS] if len(costs) else []:
        rows = filtered(points, model=model)
        fp, tp = rows["fp_count"] / rows["negatives"], rows["tp_count"] / rows["positives"]
        parts.append(curve_part("unweighted", model, fp, tp, top=1))
        parts.append(curve_part("weighted", model, rows["fp"], 1 - rows["fn"], top=1))
    dots = part("cost", costs["model"], 1000 * costs["cost"], range(len(costs)))
    ends = 1000 * costs[["low", "high"]].reset_index(drop=True)
    return together([*parts, dots.assign(**ends)])


def panels(data: pd.DataFrame, _context: Context) -> dict[str, axes.Panel]:
    """Return the costs, and the curves where a model has scores."""
    draws: dict[str, axes.Panel] = {"What each decision costs": draw_costs}
    if models_of(data, "weighted"):
        draws["ROC curves weighted by cost"] = draw_curves
    return draws


def draw_curves(ax: Axes, data: pd.DataFrame, context: Context) -> None:
    """Draw ROC curves thin, and thick with each case weighted by its cost (Fawcett 2006)."""
    axes.place(ax, height=HEIGHT)
    axes.roc_space(ax)
    ax.set_xlabel("share of the cost of false positives")
    ax.set_ylabel("share of the benefit of true positives")
    models = models_of(data, "weighted")
    for model in models:
        x, y = curve(data, "unweighted", model)
        ax.plot(x, y, color=context.colour(model), linewidth=0.5, alpha=0.8)
        ax.plot(*curve(data, "weighted", model), **context.line(model, 1.4))
    thin = {"thin: unweighted": {"color": style.QUIET, "linewidth": 0.5}}
    axes.key(ax, context.key(models, MODELS, 1.4) | thin)


def draw_costs(ax: Axes, data: pd.DataFrame, context: Context) -> None:
    """Draw each decision as a dot, its interval as a line, and a far one as a number."""
    rows = filtered(data, series="cost")
    axes.place(ax, axes.NAMES, ROW * len(rows))
    most = FAR * float(rows.loc[rows["model"].isin(context.models), "x"].max())
    highest = 1.05 * float(rows.loc[rows["x"] <= most, ["x", "high"]].max().max())
    labels = []
    for row in rows_of(rows):
        name, cost, place = row["model"], row["x"], row["y"]
        colour = context.colour(name) if name in context.models else style.NOTE
        if cost <= most:
            ax.plot((row["low"], row["high"]), (place, place), color=colour, linewidth=1.6)
            ax.plot(cost, place, color=colour, **style.DOT)
        else:
            ax.text(highest, place, f"{amount(cost)} →", ha="right", va="center", color=colour)
        labels.append(style.fitted(context.short.get(name) or name, axes.NAMES - 8))
    ax.set(xlim=(0, highest), ylim=(len(rows) - 0.5, -0.5))
    ax.set_yticks(range(len(rows)), labels)
    ax.tick_params(axis="y", length=0)
    ax.locator_params(axis="x", nbins=3, prune="upper")
    ax.xaxis.set_major_formatter(lambda x, _: amount(x))
    ax.set_xlabel(f"cost of 1000 cases{f' ({context.unit})' if context.unit else ''}")


def words(data: pd.DataFrame, context: Context) -> dict[str, Any]:
    """Return what each decision costs, the cheapest first."""
    rows = context.tables["instance_costs"].sort_values("cost", kind="stable")
    return {
        "rows": rows_of(rows),
        "level": context.confidence("instance_costs"),
        "several": bool(models_of(data, "weighted")),
    }
