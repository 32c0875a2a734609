"""Neyman-Pearson and a workforce's limit, drawn in ROC space and in cost space."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Context
from costcurves.figures.polylines import by_model, cost_vertices, roc_vertices, thinned
from costcurves.figures.sheet import LEFT, ROOM, TOP

Tables = Mapping[str, pd.DataFrame]

MOST_MODELS: Final = 5
KEYS: Final = ["space", "criterion", "series", "model", "limit"]
STATEMENT: Final = "a choice under a limit"
SIDE: Final = (2.6, 2.2)  # width and height of each of the two axes
COST_LEFT: Final = LEFT + ROOM - SIDE[0]
FOOT: Final = 0.62
NEAREST: Final = (-1.0, 2.0)  # a virtual point outside this is too far away to be drawn
NAMES: Final = {"neyman-pearson": "Neyman-Pearson", "workforce": "Workforce"}
LIMIT: Final[dict[str, Any]] = {
    "color": style.INK,
    "linewidth": 1.0,
    "linestyle": (0, (4, 2)),
    "zorder": 5,
}


def constructions_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Hulls, envelopes, limits and the points reached, of the first five models.

    The columns are `space`, `criterion`, `series`, `model`, `limit`, `x` and `y`. In space "roc"
    the series are "hull", "limit" (two ends of the line that points may not lie beyond) and
    "point"; in "cost" they are "envelope", "line" (the cost line of the point) and "dual point" (of
    the limit: on an axis, or virtual; left out if it is infinite).
    """
    shown = context.models[:MOST_MODELS]
    made = tables["constructions"]
    made = made[made["model"].isin(shown)].reset_index(drop=True)
    pooled = tables["envelopes"][tables["envelopes"]["level"] == "pooled"]
    pooled = pooled[pooled["model"].isin(shown)]
    first = made.drop_duplicates("criterion")
    hulls = roc_vertices(pooled, ["model"]).set_axis(["model", "x", "y"], axis=1)
    curves = cost_vertices(pooled, ["model"]).set_axis(["model", "x", "y"], axis=1)
    dual = first[np.isfinite(first["dual_pc"])].assign(model="")
    parts = [
        _for_each(thinned(hulls, ["model"], SIDE), first, "roc", "hull"),
        _for_each(thinned(curves, ["model"], (SIDE[0], SIDE[1] / 0.5)), first, "cost", "envelope"),
        _limits(first),
        _part(made, "roc", "point", made["fp"], made["tp"]),
        _lines(made),
        _part(dual, "cost", "dual point", dual["dual_pc"], dual["dual_nec"]),
    ]
    return pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)


def _part(
    rows: pd.DataFrame, space: str, series: str, x: "pd.Series[float]", y: "pd.Series[float]"
) -> pd.DataFrame:
    own = rows[["criterion", "model", "limit"]]
    return own.assign(space=space, series=series, x=x, y=y)[[*KEYS, "x", "y"]]


def _for_each(curves: pd.DataFrame, first: pd.DataFrame, space: str, series: str) -> pd.DataFrame:
    """Repeat curves for each criterion, as each has axes of its own."""
    both = first[["criterion", "limit"]].merge(curves, how="cross")
    return both.assign(space=space, series=series)[[*KEYS, "x", "y"]]


def _limits(first: pd.DataFrame) -> pd.DataFrame:
    """Two points of each limit: upright at a FP rate, or where tp P + fp N is the capacity."""
    capacity = first["criterion"] == "workforce"
    fp = first["limit"].where(~capacity, (first["limit"] - first["positives"]) / first["negatives"])
    low = first["limit"].where(~capacity, first["limit"] / first["negatives"])
    ends = [_part(first.assign(model=""), "roc", "limit", fp, fp * 0 + 1)]
    ends.append(_part(first.assign(model=""), "roc", "limit", low, low * 0))
    return pd.concat(ends).sort_index(kind="stable")


def _lines(made: pd.DataFrame) -> pd.DataFrame:
    at0, at1 = made["fp"], 1 - made["tp"]
    ends = [_part(made, "cost", "line", at0 * 0 + pc, y) for pc, y in ((0.0, at0), (1.0, at1))]
    return pd.concat(ends).sort_index(kind="stable")


def constructions(data: pd.DataFrame, context: Context) -> Figure:
    """Draw for each limit the points that it allows in ROC space, and their lines in cost space.

    As in Drummond and Holte (2006), Figs 23 and 24. The lines of all points on the limit go through
    one point of cost space: for a highest FP rate it is on the axis, for a workforce beyond it.

    Parameters
    ----------
    data
        As `constructions_data` makes it.
    context
        The data set.
    """
    if data.empty:
        return sheet.without(context.title, STATEMENT, "the study sets no limit")
    names = [str(name) for name in data["criterion"].unique()]
    models = [model for model in context.models if model in set(data["model"])]
    height = 0.42 + SIDE[1] + FOOT
    listed = sheet.list_height(models)
    figure = sheet.sheet(TOP + len(names) * height + listed + 0.1)
    more = len(context.models) - len(models)
    first = f"; the first {len(models)} models" if more > 0 else ""
    pooled = "in-sample selection; all folds and repeats pooled, one hull and one envelope a model"
    sheet.title(figure, context.title, STATEMENT, pooled, f"{context.counts}{first}")
    for place, name in enumerate(names):
        rows = data[data["criterion"] == name]
        _draw_row(figure, TOP + place * height + 0.42, name, rows, context)
    top = TOP + len(names) * height + 0.06
    sheet.name_list(figure, top, [("", model) for model in models], context)
    return figure


def _draw_row(figure: Figure, top: float, name: str, rows: pd.DataFrame, context: Context) -> None:
    limit = float(rows["limit"].iloc[0])
    said = {
        "neyman-pearson": f"false positive rate at most {limit:.3g}",
        "workforce": f"at most {limit:,.4g} cases of one pass over the data handled",
    }
    sheet.write(figure, LEFT, top - 0.3, NAMES[name], size=style.SMALL, weight="bold")
    left = LEFT + style.text_width(NAMES[name], style.SMALL, "bold") + 0.12
    sheet.note(figure, left, top - 0.3, said[name])
    bold = {"size": style.BODY, "weight": "bold"}
    sheet.write(figure, LEFT, top - 0.09, "ROC space: the hull on the limit", **bold)
    sheet.write(figure, COST_LEFT, top - 0.09, "Cost space: the line allowed", **bold)
    _draw_roc(sheet.panel(figure, LEFT, top, *SIDE), rows, context)
    _draw_cost(sheet.panel(figure, COST_LEFT, top, *SIDE), rows, context)


def _draw_roc(axes: Axes, rows: pd.DataFrame, context: Context) -> None:
    spaces.roc_space(axes)
    axes.set(xlabel=spaces.FP, ylabel=spaces.TP)
    own = {str(name): part for name, part in rows[rows["space"] == "roc"].groupby("series")}
    for model, hull in by_model(own["hull"], context.models):
        axes.plot(hull["x"], hull["y"], linewidth=1.5, zorder=3, **context.line(model))
    axes.plot(own["limit"]["x"], own["limit"]["y"], **LIMIT)
    for model, point in by_model(own["point"], context.models):
        _mark(axes, point, context.line(model)["color"])


def _draw_cost(axes: Axes, rows: pd.DataFrame, context: Context) -> None:
    own = {str(name): part for name, part in rows[rows["space"] == "cost"].groupby("series")}
    dual = own.get("dual point")
    x, y = (float(dual[name].iloc[0]) if dual is not None else np.nan for name in ("x", "y"))
    near = NEAREST[0] <= x <= NEAREST[1] and -1 <= y <= 2
    highest = max(float(own["line"]["y"].max()), y if near else 0.0)
    top, step = style.round_top(highest)
    spaces.cost_space(axes, min(top, max(1.0, highest)), step, coarse=True)
    axes.set(xlabel=spaces.PC, ylabel=spaces.NEC)
    for model, curve in by_model(own["envelope"], context.models):
        look = {**context.line(model), "linewidth": 0.8, "alpha": 0.6}
        axes.plot(curve["x"], curve["y"], zorder=2, **look)
    for model, line in by_model(own["line"], context.models):
        axes.plot(line["x"], line["y"], linewidth=1.7, zorder=3, **context.line(model))
        if near and not 0 <= x <= 1:
            end = line.iloc[0 if x < 0 else 1]
            look = {"linewidth": 0.6, "linestyle": (0, (1, 1.5))}
            color = context.line(model)["color"]
            axes.plot([end["x"], x], [end["y"], y], color=color, zorder=3, **look)
    if near:
        _mark_dual(axes, x, y)
    else:
        _explain(axes, "the limit's point is far outside" if np.isfinite(x) else "no dual point")


def _mark_dual(axes: Axes, x: float, y: float) -> None:
    """Mark the limit's point; where it is virtual the axes grow until it is in them."""
    virtual = not 0 <= x <= 1
    if virtual:
        low, high = axes.get_ylim()
        axes.set(xlim=(min(0, x - 0.1), max(1, x + 0.1)), ylim=(min(low, y - 0.05), high))
        for edge in (0, 1):
            axes.axvline(edge, color=style.QUIET, linewidth=0.7, zorder=1)
    look: dict[str, Any] = {"markerfacecolor": "white", "markeredgecolor": style.INK}
    axes.plot(x, y, marker="s", markersize=5.5, zorder=7, clip_on=False, **look)
    _explain(axes, "square: the limit's virtual point" if virtual else "square: the limit's point")


def _explain(axes: Axes, words: str) -> None:
    place: dict[str, Any] = {"ha": "right", "va": "top", "transform": axes.transAxes, "zorder": 8}
    ground = {"boxstyle": "square,pad=0.15", "facecolor": "white", "linewidth": 0, "alpha": 0.85}
    axes.text(0.98, 0.97, words, size=style.SMALL, color=style.NOTE, bbox=ground, **place)


def _mark(axes: Axes, point: pd.DataFrame, color: str) -> None:
    look: dict[str, Any] = {"markeredgecolor": "white", "markeredgewidth": 0.7, "zorder": 6}
    axes.plot(point["x"], point["y"], marker="o", markersize=6, color=color, clip_on=False, **look)
