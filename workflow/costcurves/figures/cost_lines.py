"""How a cost curve comes about: points, their lines, the envelope, and the average of folds."""

from functools import partial
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from costcurves.figures import axes, style
from costcurves.figures.context import Context, Tables, leading
from costcurves.figures.polylines import cost_part, cost_vertices, curve, part, thinned, together
from costcurves.tables.curves.averages import COST_SPACE
from costcurves.tables.keys import CROSS_FITTED

NAME: Final = "cost_lines"
LINES: Final = 120  # that can be told apart
FOLDS: Final = 100
POINTS: Final = (style.COLOURS[1], style.COLOURS[0], style.COLOURS[2])


def data(tables: Tables, context: Context) -> pd.DataFrame:
    """Return points, lines and envelope of the first fold of the leading model, and all folds."""
    model = leading(tables, context)[0]
    level = level_of(tables)
    points = tables["operating_points"]
    points = points[(points["model"] == model) & (points["level"] == level)]
    pieces = tables["envelopes"]
    pieces = pieces[(pieces["model"] == model) & (pieces["level"] == level)]
    if points.empty or pieces.empty:
        return together([])
    number = pieces.groupby(["repeat", "fold"], sort=False, dropna=False).ngroup().to_numpy()
    hull = pieces[number == _typical(pieces, number)]
    here = hull[["repeat", "fold"]].iloc[0]
    points = points[(points["repeat"] == here["repeat"]) & (points["fold"] == here["fold"])]
    fp, fn = points["fp"].to_numpy(float), points["fn"].to_numpy(float)
    along = np.arange(len(fp)) if len(fp) <= LINES else _evenly(fp - fn)
    steps = "roc" if points["threshold"].notna().any() else "classifier"
    corners = hull[["at0", "at1"]].drop_duplicates().to_numpy(float)
    inner = corners[(corners.max(axis=1) < 1) & (corners.sum(axis=1) < 1)]
    chosen = inner[np.unique(np.linspace(0, len(inner) - 1, 3).round().astype(int))]
    folds = pieces.assign(model=number.astype(str))[number < FOLDS]
    vertices = thinned(cost_vertices(folds, ["model"]), ["model"], (210, 256))
    averages = tables["averages"]
    average = averages[(averages["level"] == level) & (averages["method"] == COST_SPACE)]
    head = tables["headline"]
    judged = head[head["estimate"] == CROSS_FITTED]
    return together(
        [
            part("point", model, chosen[:, 0], 1 - chosen[:, 1]),
            part(steps, model, fp, 1 - fn),
            part("line", model, fp[along], fn[along]),
            cost_part("envelope", hull, [model]),
            part("fold", vertices["model"], vertices["pc"], vertices["nec"], level),
            cost_part("average", average, [model]),
            cost_part("cross-fitted", judged, [model]),
        ]
    )


def level_of(tables: Tables) -> str:
    """Return what curves are averaged over: repeats, where there are several, else folds."""
    return "repeat" if tables["measures"]["repeats"].max() > 1 else "fold"


def _typical(pieces: pd.DataFrame, number: np.ndarray[Any, Any]) -> int:
    """Return the fold whose envelope has the middle area."""
    width = pieces["pc_to"] - pieces["pc_from"]
    height = (pieces["nec_from"] + pieces["nec_to"]) / 2
    areas = np.bincount(number, (width * height).to_numpy(float))
    return int(np.argsort(areas, kind="stable")[len(areas) // 2])


def _evenly(along: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Choose points of a ROC curve at even steps along it."""
    steps = np.linspace(along[0], along[-1], LINES)
    return np.unique(np.searchsorted(along, steps).clip(max=len(along) - 1))


def panels(data: pd.DataFrame, context: Context) -> list[axes.Panel]:
    """Return points and lines, lines and envelope, and where there are folds their average."""
    made: list[axes.Panel] = [
        partial(draw_points, data=data),
        partial(draw_lines, data=data, context=context),
    ]
    if len(data[data["series"] == "cross-fitted"]):
        made.append(partial(draw_folds, data=data, context=context))
    return made


def draw_points(ax: Axes, data: pd.DataFrame) -> None:
    """Draw points in ROC space, and beside it their lines in cost space, in the same colours."""
    model = data["model"].iloc[0]
    left, width = 30.0, 88.0
    axes.place(ax, left, right=style.WIDTH - left - width)
    costs = ax.figure.add_axes((0, 0, 1, 1))
    axes.place(costs, style.WIDTH - width - 6)
    axes.roc_space(ax, coarse=True)
    ax.plot(*curve(data, "roc", model), color=style.QUIET, linewidth=0.6)
    ax.plot(*curve(data, "classifier", model), ".", color=style.QUIET, markersize=2.5)
    axes.empty_cost_space(costs, 1)
    axes.unit_ticks(costs)
    axes.x_label(costs, axes.PC)
    costs.set_ylabel("cost")
    ax.set_ylabel(axes.TP)
    for (fp, tp), colour in zip(np.transpose(curve(data, "point", model)), POINTS, strict=False):
        dot: axes.Look = {"marker": "o", "markersize": 4, "color": colour, "clip_on": False}
        ax.plot(fp, tp, zorder=4, **dot)
        costs.plot([0, 1], [fp, 1 - tp], linewidth=1.3, zorder=3, **dot)
    axes.title(ax, "a  A point in ROC space is a line in cost space")


def draw_lines(ax: Axes, data: pd.DataFrame, context: Context) -> None:
    """Draw the cost lines of one fold and their lower envelope."""
    model = data["model"].iloc[0]
    axes.cost_space(ax, context)
    at0, at1 = curve(data, "line", model)
    lines = [[(0, start), (1, end)] for start, end in zip(at0, at1, strict=True)]
    ax.add_collection(LineCollection(lines, colors=style.QUIET, linewidths=0.35, alpha=0.6))
    ax.plot(*curve(data, "envelope", model), color=context.colour(model), linewidth=2.2)
    entries: dict[str, axes.Look] = {
        f"{len(lines)} points, a line each": {"color": style.QUIET, "linewidth": 0.6},
        "their lower envelope": {"color": context.colour(model), "linewidth": 2.2},
    }
    axes.key(ax, entries)
    axes.title(ax, "b  The lowest of all lines: the envelope")


def draw_folds(ax: Axes, data: pd.DataFrame, context: Context) -> None:
    """Draw the envelope of each fold, their average, and the cost to expect."""
    model = data["model"].iloc[0]
    axes.cost_space(ax, context)
    folds = data[data["series"] == "fold"]
    for _, rows in folds.groupby("model", sort=False):
        ax.plot(rows["x"], rows["y"], color=style.QUIET, linewidth=0.4)
    looks: dict[str, axes.Look] = {
        "average": {"color": style.INK, "linewidth": 1.2, "linestyle": (0, (3.6, 1.4))},
        "cross-fitted": {"color": context.colour(model), "linewidth": 2.2},
    }
    for series, look in looks.items():
        ax.plot(*curve(data, series, model), **look)
    count = f"{folds['model'].nunique()} {folds['other'].iloc[0]}s"
    entries = {
        f"envelopes of {count}": {"color": style.QUIET, "linewidth": 0.6},
        "their average, in hindsight": looks["average"],
        "threshold chosen on other folds": looks["cross-fitted"],
    }
    axes.key(ax, entries)
    axes.title(ax, "c  Folds, their average, and the cost to expect")


def words(data: pd.DataFrame, tables: Tables, _context: Context) -> dict[str, Any]:
    """Return areas in hindsight and cross-fitted, and whether their difference is shown."""
    model = data["model"].iloc[0]
    areas = {}
    for series in ("average", "cross-fitted"):
        x, y = curve(data, series, model)
        areas[series.replace("-", "_")] = float(np.trapezoid(y, x)) if len(x) else None
    optimism = tables["optimism"]
    rows = optimism[(optimism["model"] == model) & (optimism["level"] == level_of(tables))]
    return {
        "model": model,
        "lines": len(data[data["series"] == "line"]),
        "points": [*np.transpose(curve(data, "point", model))],
        "folds": data.loc[data["series"] == "fold", "model"].nunique(),
        "kind": level_of(tables),
        "shown": bool((rows["left_out_low"] > 0).any()),
        "share": float(rows["left_out_share"].iloc[0]) if len(rows) else 0.0,
        **areas,
    }
