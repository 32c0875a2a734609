"""How a cost curve comes about: points, their lines, the envelope, and the average of folds."""

from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from costcurves.curves.averages import COST_SPACE
from costcurves.curves.pieces import areas
from costcurves.figures import axes, style
from costcurves.figures.context import Context
from costcurves.figures.polylines import (
    Floats,
    cost_part,
    cost_vertices,
    curve,
    curve_part,
    filtered,
    models_of,
    part,
    roc_part,
    together,
)
from costcurves.tables.keys import CROSS_FITTED

NAME: Final = "cost_lines"
LINES: Final = 120  # that can be told apart
FOLDS: Final = 100
POINTS: Final = (style.COLOURS[1], style.COLOURS[0], style.COLOURS[2])
THIN: Final[axes.Look] = {"color": style.QUIET, "linewidth": 0.6}


def data(context: Context) -> pd.DataFrame:
    """Return points, lines and envelope of a fold of the leading model, and all its folds."""
    model, level = context.leading[0], level_of(context)
    points, pieces, averages = (
        filtered(context.tables[name], model=model, level=level)
        for name in ("operating_points", "envelopes", "averages")
    )
    if points.empty or pieces.empty:
        return together([])
    # The fold whose envelope has the middle area.
    by_area = areas(pieces, ["repeat", "fold"]).sort_values(kind="stable").index
    repeat, fold = by_area[len(by_area) // 2]
    points, hull = (filtered(rows, repeat=repeat, fold=fold) for rows in (points, pieces))
    corners = hull[["at0", "at1"]].drop_duplicates().to_numpy(float)
    chosen = evenly(corners[corners.sum(axis=1) < 1], 3)
    number = pieces.groupby(["repeat", "fold"], sort=False, dropna=False).ngroup()
    folds = cost_vertices(pieces.assign(number=number)[number < FOLDS], ["number"])
    return together(
        [
            part("point", model, chosen[:, 0], 1 - chosen[:, 1]),
            roc_part(points),
            part("line", model, *evenly(points[["fp", "fn"]].to_numpy(), LINES).T),
            cost_part("envelope", hull, [model]),
            curve_part("fold", folds["number"].astype(str), folds["pc"], folds["nec"], level),
            cost_part("average", filtered(averages, method=COST_SPACE), [model]),
            cost_part(
                "cross-fitted", filtered(context.tables["headline"], estimate=CROSS_FITTED), [model]
            ),
        ]
    )


def evenly(rows: Floats, most: int) -> Any:
    """Return all rows of an array, or so many at even steps."""
    return rows[np.linspace(0, len(rows) - 1, min(len(rows), most)).round().astype(int)]


def level_of(context: Context) -> str:
    """Return what curves are averaged over: repeats, where there are several, else folds."""
    return "repeat" if context.tables["measures"]["repeats"].max() > 1 else "fold"


def panels(data: pd.DataFrame, _context: Context) -> dict[str, axes.Panel]:
    """Return points and lines, lines and envelope, and where there are folds their average."""
    drawn: dict[str, axes.Panel] = {
        "A point in ROC space is a line in cost space": draw_points,
        "The lowest of all lines: the envelope": draw_lines,
    }
    if models_of(data, "cross-fitted"):
        drawn["Folds, their average, and the cost to expect"] = draw_folds
    return drawn


def draw_points(ax: Axes, data: pd.DataFrame, context: Context) -> None:
    """Draw points in ROC space, and beside it their lines in cost space, in the same colours."""
    model, left, width = context.leading[0], 30.0, 88.0
    costs = axes.second(ax)
    axes.place(ax, left, right=style.WIDTH - left - width)
    axes.place(costs, style.WIDTH - width - axes.RIGHT)
    axes.roc_space(ax, steps=2)
    axes.empty_cost_space(costs, 1)
    axes.ticks(costs, steps=2)
    costs.set(xlabel=axes.PC, ylabel="cost")
    ax.plot(*curve(data, "roc", model), **THIN)
    ax.plot(*curve(data, "classifier", model), ".", color=style.QUIET, markersize=2.5)
    for (fp, tp), colour in zip(np.transpose(curve(data, "point", model)), POINTS, strict=False):
        dot = {**style.DOT, "color": colour, "clip_on": False}
        ax.plot(fp, tp, **dot)
        costs.plot([0, 1], [fp, 1 - tp], linewidth=1.3, **dot)


def draw_lines(ax: Axes, data: pd.DataFrame, context: Context) -> None:
    """Draw the cost lines of one fold and their lower envelope."""
    model = context.leading[0]
    axes.cost_space(ax, context)
    at0, at1 = curve(data, "line", model)
    lines = [[(0, start), (1, end)] for start, end in zip(at0, at1, strict=True)]
    ax.add_collection(LineCollection(lines, colors=style.QUIET, linewidths=0.35, alpha=0.6))
    look: axes.Look = {"color": context.colour(model), "linewidth": 2.2}
    ax.plot(*curve(data, "envelope", model), **look)
    count = f"{len(lines)} points, a line each"
    axes.key(ax, {count: THIN, "their lower envelope": look}, below=40)


def draw_folds(ax: Axes, data: pd.DataFrame, context: Context) -> None:
    """Draw the envelope of each fold, their average, and the cost to expect."""
    model = context.leading[0]
    axes.cost_space(ax, context)
    folds, kind = models_of(data, "fold"), level_of(context)
    for fold in folds:
        ax.plot(*curve(data, "fold", fold, kind), color=style.QUIET, linewidth=0.4)
    average: axes.Look = {"color": style.INK, "linewidth": 1.2, "linestyle": style.DASHES[1]}
    expected: axes.Look = {"color": context.colour(model), "linewidth": 2.2}
    ax.plot(*curve(data, "average", model), **average)
    ax.plot(*curve(data, "cross-fitted", model), **expected)
    entries = {
        f"envelopes of {len(folds)} {kind}s": THIN,
        "their average, in hindsight": average,
        "threshold chosen on other folds": expected,
    }
    axes.key(ax, entries, below=40)


def words(data: pd.DataFrame, context: Context) -> dict[str, Any]:
    """Return areas in hindsight and cross-fitted, and whether their difference is shown."""
    model, level = context.leading[0], level_of(context)
    average, expected = (curve(data, series, model) for series in ("average", "cross-fitted"))
    rows = filtered(context.tables["optimism"], model=model, level=level)
    return {
        "model": model,
        "lines": len(curve(data, "line", model)[0]),
        "points": [*np.transpose(curve(data, "point", model))],
        "folds": len(models_of(data, "fold")),
        "kind": level,
        "shown": bool((rows["left_out_low"] > 0).any()),
        "share": float(rows["left_out_share"].iloc[0]) if len(rows) else 0.0,
        "average": float(np.trapezoid(*average[::-1])),
        "cross_fitted": float(np.trapezoid(*expected[::-1])) if len(expected[0]) else None,
    }
