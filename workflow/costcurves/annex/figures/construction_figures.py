"""Neyman-Pearson and a workforce's limit, drawn in ROC space and in cost space."""

from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Context, Tables
from costcurves.figures.kind import figure_kind
from costcurves.figures.polylines import by_model, cost_lines, cost_vertices, roc_vertices, thinned
from costcurves.figures.sheet import LEFT, LINE, TOP
from costcurves.figures.spaces import DASHED
from costcurves.formats import cases, cost, count, pc
from costcurves.tables.selection.limited import limits

MOST_MODELS: Final = 5
KEYS: Final = ["space", "criterion", "series", "model", "limit"]
SIDE: Final = (spaces.SIDE, 2.2)  # width and height of each of the two axes
HEAD: Final = 0.42  # of a row: what the limit is, and what each space shows
FOOT: Final = 0.62
KEY: Final = TOP - 0.04  # baseline of the first line that says what the marks are
ABOVE: Final = KEY + 2 * LINE  # where the first row begins
NEAREST: Final = (-1.0, 2.0)  # a virtual point outside this is too far away to be drawn
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
    "the limit": DASHED,
    "beyond it": {"color": BEYOND, "linewidth": 6, "solid_capstyle": "butt"},
    "cost line": {"color": style.NOTE, "linewidth": 1.7},
    "lower envelope": {"color": style.NOTE, "linewidth": 0.8, "alpha": 0.6},
    "baseline lower": {"color": style.SHADE, "linewidth": 6, "solid_capstyle": "butt"},
}
MARKS: Final[dict[str, dict[str, Any]]] = {
    "point in hindsight": {"color": style.NOTE, **DOT},
    "the same on held-out folds": {"color": style.NOTE, **RING},
    "where the limit's lines meet": SQUARE,
}


def constructions_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Hulls, envelopes, limits and the points reached, of the first five models that have any."""
    made = tables["constructions"]
    shown = [model for model in context.models if model in set(made["model"])][:MOST_MODELS]
    made = made[made["model"].isin(shown)].reset_index(drop=True)
    pooled = tables["envelopes"][tables["envelopes"]["level"] == "pooled"]
    pooled = pooled[pooled["model"].isin(shown)]
    first = made.drop_duplicates("criterion").assign(model="")
    each = first[["criterion", "limit"]]  # has axes of its own
    hulls = thinned(roc_vertices(pooled, ["model"]), ["model"], SIDE)
    curves = thinned(cost_vertices(pooled, ["model"]), ["model"], (SIDE[0], SIDE[1] / 0.5))
    parts = [
        _part(each.merge(hulls, how="cross"), "roc", "hull", "fp", "tp"),
        _part(each.merge(curves, how="cross"), "cost", "envelope", "pc", "nec"),
        _part(_limits(first), "roc", "limit", "fp", "tp"),
        _part(made, "roc", "point", "fp", "tp"),
        _part(made[made["folds"] > 0], "roc", "held out", "held_out_fp", "held_out_tp"),
        _part(cost_lines(made), "cost", "line", "pc", "nec"),
        _part(first[np.isfinite(first["dual_pc"])], "cost", "dual point", "dual_pc", "dual_nec"),
    ]
    return pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)


def _part(rows: pd.DataFrame, space: str, series: str, x: str, y: str) -> pd.DataFrame:
    return rows.assign(space=space, series=series, x=rows[x], y=rows[y])[[*KEYS, "x", "y"]]


def _limits(first: pd.DataFrame) -> pd.DataFrame:
    """Two points of the line of each limit: where TP is 1, and where it is 0."""
    sizes, kinds = first[["limit", "negatives", "positives"]].to_numpy(float), limits()
    fp = [kinds[name].ends(*own) for name, own in zip(first["criterion"], sizes, strict=True)]
    both = pd.DataFrame(fp, first.index, [0, 1], dtype=float)
    ends = [first.assign(fp=both[tp], tp=float(tp)) for tp in (1, 0)]
    return pd.concat(ends).sort_index(kind="stable")


@figure_kind(constructions_data, lambda it: it.rows("constructions"), "constructions", "envelopes")
def constructions(data: pd.DataFrame, context: Context) -> Figure:
    """Draw the points that limits allow, and their lines (Drummond and Holte 2006, Figs 23, 24)."""
    if data.empty:
        return sheet.sheet(
            TOP + 0.3, context.title, constructions.words.title, "the study sets no limit"
        )
    models = [model for model in context.models if model in set(data["model"])]
    limited = list(data.groupby("criterion", sort=False))
    height = HEAD + SIDE[1] + FOOT
    listed = ABOVE + len(limited) * height
    pooled = "hulls and envelopes: in-sample selection, all folds and repeats pooled"
    counts = f"{context.counts}{context.first(len(models))}"
    total = listed + sheet.list_height(models) + 0.1
    figure = sheet.sheet(total, context.title, constructions.words.title, pooled, counts)
    sheet.series_list(figure, KEY, list(LINES.items()))
    sheet.series_list(figure, KEY + LINE, list(MARKS.items()), 0)
    for place, (name, rows) in enumerate(limited):
        _draw_row(figure, ABOVE + place * height + HEAD, str(name), rows, context)
    sheet.name_list(figure, listed + 0.06, [("", model) for model in models], context)
    return figure


def _draw_row(figure: Figure, top: float, name: str, rows: pd.DataFrame, context: Context) -> None:
    kind = limits()[name]
    said = kind.drawn.format(cases(float(rows["limit"].iloc[0])), count(context.instances))
    sheet.remark(figure, top - 0.3, kind.title, said)
    dual = rows.loc[rows["series"] == "dual point", ["x", "y"]].to_numpy(float)
    meeting = tuple(dual[0]) if len(dual) else (np.nan, np.nan)  # NaN where it is infinite
    sheet.note(figure, LEFT + sheet.room() - spaces.SIDE, top - 0.3, _meeting(*meeting))
    shown = "ROC space: the best point allowed", "Cost space: that point's cost line"
    roc, costs = spaces.both_spaces(figure, top, SIDE[1], *shown)
    _draw_roc(roc, rows[rows["space"] == "roc"], context)
    _draw_cost(costs, rows[rows["space"] == "cost"], meeting, context)


def _meeting(x: float, y: float) -> str:
    """Say where the lines of all points on a limit meet."""
    if not np.isfinite(x):
        return "parallel lines: as many positives as negatives"
    where = f"PC(+) = {pc(x)}, cost {cost(y)}"
    if 0 <= x <= 1:
        return f"lines meet at {where}"
    return f"lines meet at {where} ({'virtual' if _is_near(x, y) else 'far off'})"


def _is_near(x: float, y: float) -> bool:
    return NEAREST[0] <= x <= NEAREST[1] and -1 <= y <= 2


def _draw_roc(axes: Axes, rows: pd.DataFrame, context: Context) -> None:
    own = {str(name): part for name, part in rows.groupby("series")}
    ends = own["limit"]
    axes.fill_betweenx(ends["y"], ends["x"], 2, color=BEYOND, linewidth=0, zorder=0.4)
    axes.plot(ends["x"], ends["y"], **DASHED)
    for model, hull in by_model(own["hull"], context.models):
        axes.plot(hull["x"], hull["y"], linewidth=1.5, zorder=3, **context.line(model))
    for series, look in (("point", DOT), ("held out", RING)):
        for model, point in by_model(own.get(series, rows[:0]), context.models):
            own_look = {**look, "color": context.colour(model), "zorder": 6}
            axes.plot(point["x"], point["y"], clip_on=False, **own_look)


def _draw_cost(
    axes: Axes, rows: pd.DataFrame, meeting: tuple[float, float], context: Context
) -> None:
    own = {str(name): part for name, part in rows.groupby("series")}
    x, y = meeting
    near = _is_near(x, y)
    highest = max(float(own["line"]["y"].max()), y if near else 0.0)
    top, step = style.round_top(highest)
    spaces.cost_space(axes, min(top, max(1.0, highest)), step, coarse=True)
    for model, curve in by_model(own["envelope"], context.models):
        look = {**context.line(model), "linewidth": 0.8, "alpha": 0.6}
        axes.plot(curve["x"], curve["y"], zorder=2, **look)
    for model, line in by_model(own["line"], context.models):
        axes.plot(line["x"], line["y"], linewidth=1.7, zorder=3, **context.line(model))
        if near and not 0 <= x <= 1:
            end = line.iloc[0 if x < 0 else 1]
            look = {"linewidth": 0.6, "linestyle": (0, (1, 1.5))}
            axes.plot([end["x"], x], [end["y"], y], color=context.colour(model), zorder=3, **look)
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
