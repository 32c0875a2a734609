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
from costcurves.figures.sheet import LEFT, LINE, ROOM
from costcurves.formats import cases, cost, count, pc
from costcurves.tables.selection.limited import limits

Tables = Mapping[str, pd.DataFrame]

MOST_MODELS: Final = 5
KEYS: Final = ["space", "criterion", "series", "model", "limit"]
STATEMENT: Final = "a choice under a limit"
SIDE: Final = (2.6, 2.2)  # width and height of each of the two axes
COST_LEFT: Final = LEFT + ROOM - SIDE[0]
HEAD: Final = 0.42  # of a row: what the limit is, and what each space shows
FOOT: Final = 0.62
KEY: Final = 0.78  # baseline of the first line that says what the marks are
ABOVE: Final = KEY + 2 * LINE  # where the first row begins
NEAREST: Final = (-1.0, 2.0)  # a virtual point outside this is too far away to be drawn
LIMIT: Final[dict[str, Any]] = {
    "color": style.INK,
    "linewidth": 1.0,
    "linestyle": (0, (4, 2)),
    "zorder": 5,
}
BEYOND: Final = "#faeee4"
SQUARE: Final[dict[str, Any]] = {
    "marker": "s",
    "markersize": 5.5,
    "markerfacecolor": "white",
    "markeredgecolor": style.INK,
    "linestyle": "none",
}
DOT: Final[dict[str, Any]] = {"marker": "o", "markersize": 5, "markeredgecolor": "white"}
RING: Final[dict[str, Any]] = {"marker": "o", "markersize": 7, "markerfacecolor": "none"}
LINES: Final[dict[str, dict[str, Any]]] = {
    "the limit": LIMIT,
    "beyond it": {"color": BEYOND, "linewidth": 6, "solid_capstyle": "butt"},
    "cost line": {"color": style.NOTE, "linewidth": 1.7},
    "lower envelope": {"color": style.NOTE, "linewidth": 0.8, "alpha": 0.6},
    "trivial is cheaper": {"color": style.SHADE, "linewidth": 6, "solid_capstyle": "butt"},
}
MARKS: Final[dict[str, dict[str, Any]]] = {
    "point promised (in-sample)": {"color": style.NOTE, **DOT},
    "what held-out folds made of it": {"color": style.NOTE, **RING},
    "where the limit's lines meet": SQUARE,
}


def constructions_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Hulls, envelopes, limits and the points reached, of the first five models.

    In "roc" the series are "hull", "limit" (two ends of its line), "point" and "held out" (the same
    choice on the other folds); in "cost" they are "envelope", "line" (the point's cost line) and
    "dual point" (the limit's; left out if it is infinite).
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
    judged = made[made["folds"] > 0]
    parts = [
        _for_each(thinned(hulls, ["model"], SIDE), first, "roc", "hull"),
        _for_each(thinned(curves, ["model"], (SIDE[0], SIDE[1] / 0.5)), first, "cost", "envelope"),
        _limits(first),
        _part(made, "roc", "point", made["fp"], made["tp"]),
        _part(judged, "roc", "held out", judged["held_out_fp"], judged["held_out_tp"]),
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
    """Two points of the line of each limit: where TP is 1, and where it is 0."""
    sizes = first[["limit", "negatives", "positives"]].to_numpy(float)
    kinds, rows = limits(), first.assign(model="")
    fp = [kinds[name].ends(*own) for name, own in zip(first["criterion"], sizes, strict=True)]
    both = pd.DataFrame(fp, first.index, [0, 1], dtype=float)
    ends = [_part(rows, "roc", "limit", both[tp], both[tp] * 0 + tp) for tp in (1, 0)]
    return pd.concat(ends).sort_index(kind="stable")


def _lines(made: pd.DataFrame) -> pd.DataFrame:
    at0, at1 = made["fp"], 1 - made["tp"]
    ends = [_part(made, "cost", "line", at0 * 0 + pc, y) for pc, y in ((0.0, at0), (1.0, at1))]
    return pd.concat(ends).sort_index(kind="stable")


def constructions(data: pd.DataFrame, context: Context) -> Figure:
    """Draw for each limit the points that it allows in ROC space, and their lines in cost space.

    As in Drummond and Holte (2006), Figs 23 and 24. The lines of all points on a limit go through
    one point of cost space: for a highest FP rate it is on the axis, for a workforce beyond it.
    """
    if data.empty:
        return sheet.without(context.title, STATEMENT, "the study sets no limit")
    names = [str(name) for name in data["criterion"].unique()]
    models = [model for model in context.models if model in set(data["model"])]
    height = HEAD + SIDE[1] + FOOT
    figure = sheet.sheet(ABOVE + len(names) * height + sheet.list_height(models) + 0.1)
    more = len(context.models) - len(models)
    first = f"; the first {len(models)} models" if more > 0 else ""
    pooled = "hulls and envelopes: in-sample selection, all folds and repeats pooled"
    sheet.title(figure, context.title, STATEMENT, pooled, f"{context.counts}{first}")
    sheet.series_list(figure, KEY, list(LINES.items()))
    sheet.marker_list(figure, KEY + LINE, list(MARKS.items()))
    for place, name in enumerate(names):
        rows = data[data["criterion"] == name]
        _draw_row(figure, ABOVE + place * height + HEAD, name, rows, context)
    top = ABOVE + len(names) * height + 0.06
    sheet.name_list(figure, top, [("", model) for model in models], context)
    return figure


def _draw_row(figure: Figure, top: float, name: str, rows: pd.DataFrame, context: Context) -> None:
    limit = float(rows["limit"].iloc[0])
    kind = limits()[name]
    sheet.write(figure, LEFT, top - 0.3, kind.title, size=style.SMALL, weight="bold")
    left = LEFT + style.text_width(kind.title, style.SMALL, "bold") + 0.12
    said = kind.drawn.format(cases(limit), count(context.instances))
    sheet.note(figure, left, top - 0.3, said)
    sheet.note(figure, COST_LEFT, top - 0.3, _meeting(*_dual(rows)))
    bold = {"size": style.BODY, "weight": "bold"}
    sheet.write(figure, LEFT, top - 0.09, "ROC space: the best point allowed", **bold)
    sheet.write(figure, COST_LEFT, top - 0.09, "Cost space: that point's cost line", **bold)
    _draw_roc(sheet.panel(figure, LEFT, top, *SIDE), rows, context)
    _draw_cost(sheet.panel(figure, COST_LEFT, top, *SIDE), rows, context)


def _meeting(x: float, y: float) -> str:
    """Say where the lines of all points on a limit meet."""
    if not np.isfinite(x):
        return "parallel lines: as many positives as negatives"
    where = f"PC(+) = {pc(x)}, cost {cost(y)}"
    if 0 <= x <= 1:
        return f"lines meet at {where}"
    return f"lines meet at {where} ({'virtual' if _is_near(x, y) else 'far off'})"


def _dual(rows: pd.DataFrame) -> tuple[float, float]:
    """Give the limit's point in cost space; NaN where it is infinite."""
    found = rows.loc[rows["series"] == "dual point", ["x", "y"]].to_numpy(float)
    return (float(found[0, 0]), float(found[0, 1])) if len(found) else (np.nan, np.nan)


def _is_near(x: float, y: float) -> bool:
    return NEAREST[0] <= x <= NEAREST[1] and -1 <= y <= 2


def _draw_roc(axes: Axes, rows: pd.DataFrame, context: Context) -> None:
    spaces.roc_space(axes)
    axes.set(xlabel=spaces.FP, ylabel=spaces.TP)
    own = {str(name): part for name, part in rows[rows["space"] == "roc"].groupby("series")}
    ends = own["limit"]
    axes.fill_betweenx(ends["y"], ends["x"], 2, color=BEYOND, linewidth=0, zorder=0.4)
    axes.plot(ends["x"], ends["y"], **LIMIT)
    for model, hull in by_model(own["hull"], context.models):
        axes.plot(hull["x"], hull["y"], linewidth=1.5, zorder=3, **context.line(model))
    for series, look in (("point", DOT), ("held out", RING)):
        for model, point in by_model(own.get(series, rows[:0]), context.models):
            color = {"color": context.line(model)["color"], "zorder": 6, "clip_on": False}
            axes.plot(point["x"], point["y"], **look, **color)


def _draw_cost(axes: Axes, rows: pd.DataFrame, context: Context) -> None:
    own = {str(name): part for name, part in rows[rows["space"] == "cost"].groupby("series")}
    x, y = _dual(rows)
    near = _is_near(x, y)
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


def _mark_dual(axes: Axes, x: float, y: float) -> None:
    """Mark the limit's point; where it is virtual the axes grow until it is in them."""
    if not 0 <= x <= 1:
        low, high = axes.get_ylim()
        heights = min(low, y - 0.05), max(high, y + 0.05)
        axes.set(xlim=(min(0, x - 0.1), max(1, x + 0.1)), ylim=heights)
        for edge in (0, 1):
            axes.axvline(edge, color=style.QUIET, linewidth=0.7, zorder=1)
    axes.plot(x, y, zorder=7, clip_on=False, **SQUARE)
