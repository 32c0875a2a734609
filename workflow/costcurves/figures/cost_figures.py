"""What each model costs: the headline curves of all models together, with their bands."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from costcurves import formats
from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Context, Tables, methods
from costcurves.figures.kind import figure_kind
from costcurves.figures.labels import Label, place_labels, place_tags
from costcurves.figures.polylines import by_model, cost_vertices, fill_between, joined, thinned
from costcurves.figures.sheet import LEFT, LINE, TOP, Panels
from costcurves.tables.curves.pieces import areas
from costcurves.tables.keys import CROSS_FITTED

Curves = list[tuple[str, pd.DataFrame]]  # models and their vertices
Floats = NDArray[np.float64]

FEW: Final = 4  # models whose bands can stand in one cost space
MOST: Final = 8  # panels of bands: two rows
GREY: Final = 6  # panels up to which the other curves are drawn behind
COARSE: Final = 3  # how much rougher grey curves are than the others: a third of their width
LABELLED: Final = 6  # more models than this are numbered, and named in a list
LABEL_ROOM: Final = 2.2  # inches that a name beside its curve may take
TAG: Final = 6.5  # points
WIDTH, HEIGHT = sheet.ROOM, sheet.ROOM / 2  # both scales are equal where costs end at 0.5
SCALES: Final = 0.98  # inches beneath a cost space: its ticks, its label, the scale of cost ratios
COLUMNS: Final = np.linspace(0, 1, 301)  # where curves are looked at to find room for labels
KEYS: Final = ["model", "estimate", "series", "method", "confidence"]
HEADLINE, IN_SAMPLE_AVERAGE = "headline", "in-sample average"
THIN: Final = "thin: threshold chosen on the data\nit is judged on (too optimistic)"


def cost_curves_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Headlines of all models, averages of up to six, and bands of the eight cheapest."""
    head, bands = tables["headline"].assign(series=HEADLINE), tables["bands"]
    parts = [head]
    if len(context.models) <= LABELLED:
        fitted = head.loc[head["estimate"] == CROSS_FITTED, "model"].unique()
        averages = in_sample_averages(tables, context.level)
        parts.append(averages[averages["model"].isin(fitted)].assign(series=IN_SAMPLE_AVERAGE))
    lines = pd.concat([part.assign(method="", confidence=np.nan) for part in parts])
    edges = edges_of(bands[bands["model"].isin(_cheapest(head, context))])
    curves, edges = (cost_vertices(rows, KEYS) for rows in (lines, edges))
    top, _ = style.round_top(float(max(curves["nec"].max(), edges["nec"].max())))
    width, height = (WIDTH, HEIGHT) if together(context) else _panels(context, 0).size
    drawn = [
        thinned(curves, KEYS, (WIDTH, HEIGHT / top)),
        thinned(edges, KEYS, (width, height / top)),
    ]
    return pd.concat(drawn, ignore_index=True)


def in_sample_averages(tables: Tables, level: str) -> pd.DataFrame:
    """Select the cost-space averages of lower envelopes at one level of pooling."""
    averages = tables["averages"]
    return averages[(averages["method"] == "cost-space") & (averages["level"] == level)]


def edges_of(bands: pd.DataFrame) -> pd.DataFrame:
    """Name the edges of bands as series: "pointwise lower" and the like."""
    return bands.assign(series=bands["extent"] + " " + bands["edge"])


def together(context: Context) -> bool:
    """Say whether all bands stand in one cost space."""
    return len(context.models) <= FEW


def _cheapest(headline: pd.DataFrame, context: Context) -> "pd.Index[str]":
    """Choose the models whose bands are drawn: as many of the cheapest as there is room for."""
    found = areas(headline, ["model"]).loc[list(context.models)]
    return found.sort_values(kind="stable").index[:MOST]


def _panels(context: Context, top: float) -> Panels:
    """Lay out a row of panels where there are few, and their names can be told apart in it."""
    models = context.ranked[:MOST]
    row = Panels(len(models), top, across=len(models), line_above=True)
    names = {style.shorten(model, row.size[0], style.SMALL, "bold") for model in models}
    if len(models) <= GREY and len(names) == len(models):
        return row
    return Panels(len(models), top, across=3 if len(models) <= GREY else 4)


@figure_kind(cost_curves_data, lambda it: it.headline, "headline", "averages", "bands", always=True)
def cost_curves(data: pd.DataFrame, context: Context) -> Figure:
    """Draw the headline curves of all models, named beside them or numbered and listed."""
    curves = _of_series(data, HEADLINE, context)
    scale = style.round_top(float(data["nec"].max()))
    names = [model for model, _ in curves]
    labels = _labelled(data, scale[0], context)
    beneath = _thin_in_words(data) if labels is None or len(labels) == len(names) else ""
    listed = 0.3 + sheet.list_height(names) if labels is None else LINE * bool(beneath)
    layout = _panels(context, TOP + HEIGHT + SCALES + listed + 0.1)
    height = layout.top - 0.1 if together(context) else layout.bottom + 0.5
    which = "" if len(names) <= MOST else f" of the {MOST} cheapest"
    where = "" if together(context) else f"{which} beneath"
    notes = context.chosen(data), bands_in_words(data, where)
    figure = sheet.sheet(height, context.title, cost_curves.words.title, *notes)
    axes = sheet.panel(figure, LEFT, TOP, WIDTH, HEIGHT)
    spaces.cost_space(axes, *scale)
    spaces.name_trivial(axes)
    spaces.mark_conditions(axes, context.conditions, context.ratios)
    spaces.cost_ratio_scale(axes, context.prior, below=0.52)
    axes.set(xlabel=spaces.PC, ylabel=spaces.NEC)
    if together(context):
        draw_bands(axes, data, context)
    for model, vertices in _of_series(data, IN_SAMPLE_AVERAGE, context):
        look = {**context.line(model), "linestyle": "-", "linewidth": 0.8, "zorder": 2.5}
        axes.plot(vertices["pc"], vertices["nec"], **look)
    for model, vertices in reversed(curves):
        axes.plot(vertices["pc"], vertices["nec"], zorder=3, linewidth=1.9, **context.line(model))
    if labels is None:
        _number(figure, axes, data, scale[0], context, beneath)
    else:
        _write_labels(axes, names, labels, context)
        if beneath:
            sheet.note(figure, LEFT, TOP + HEIGHT + SCALES, beneath)
    if not together(context):
        _draw_panels(figure, layout, data, context, scale)
    return figure


def bands_in_words(data: pd.DataFrame, where: str = "") -> str:
    """Say what the bands in `data` are; `where` they stand, if not around their curves."""
    bands = data[data["method"] != ""]
    level, how = formats.level(float(bands["confidence"].iloc[0])), methods(bands)
    return f"bands{where}: {level}, light at each PC(+), outlined for the whole curve, {how}"


def draw_bands(axes: Axes, data: pd.DataFrame, context: Context) -> None:
    """Fill the pointwise bands and outline the simultaneous ones."""
    edges = {(str(m), str(s)): rows for (m, s), rows in data.groupby(["model", "series"])}
    for model in context.models:
        own = context.mark(model)
        if (model, "pointwise lower") in edges:
            lower, upper = (edges[model, f"pointwise {edge}"] for edge in ("lower", "upper"))
            fill_between(axes, lower, upper, alpha=0.16, linewidth=0, zorder=1.2, **own)
        for edge in ("lower", "upper"):
            rows = edges.get((model, f"simultaneous {edge}"))
            if rows is not None:
                axes.plot(rows["pc"], rows["nec"], linewidth=0.5, alpha=0.65, zorder=1.5, **own)


def _draw_panels(
    figure: Figure,
    layout: Panels,
    data: pd.DataFrame,
    context: Context,
    scale: tuple[float, float],
) -> None:
    """Draw headline curves and bands, a panel a model; behind few of them the other curves."""
    shown = data[data["model"].isin(data.loc[data["method"] != "", "model"])]
    layout.label_outside(figure, spaces.PC, spaces.NEC)
    width, height = layout.size
    for place, (model, own) in enumerate(by_model(shown, context.ranked)):
        axes = layout.panel(figure, place, model, context)
        spaces.cost_space(axes, *scale, coarse=True)
        if layout.count <= GREY:
            others = shown[(shown["model"] != model) & (shown["series"] == HEADLINE)]
            size = width / COARSE, height / COARSE / scale[0]
            curves = thinned(others[["model", "pc", "nec"]], ["model"], size)
            look: dict[str, Any] = {"color": style.GREYED, "linewidth": 0.5, "zorder": 1.1}
            axes.plot(*joined(curves, ["model"]), **look)
        draw_bands(axes, own, context)
        curve = own.loc[own["series"] == HEADLINE, ["model", "pc", "nec"]]
        curve = thinned(curve, ["model"], (width, height / scale[0]))
        axes.plot(curve["pc"], curve["nec"], zorder=3, linewidth=1.6, **context.line(model))


def _of_series(data: pd.DataFrame, series: str, context: Context) -> Curves:
    return list(by_model(data[data["series"] == series], context.models))


def _heights(curves: Curves, top: float) -> Floats:
    """Heights of curves in inches; the same shape without any."""
    found = [np.interp(COLUMNS, rows["pc"], rows["nec"]) for _, rows in curves]
    return np.array(found).reshape(len(curves), len(COLUMNS)) * HEIGHT / top


def _ceiling(top: float) -> Floats:
    return np.minimum(COLUMNS, 1 - COLUMNS) * HEIGHT / top


def _labelled(data: pd.DataFrame, top: float, context: Context) -> list[Label] | None:
    """Find places for the names, and behind them, if there is room, for the words on thin curves.

    None: there is no room for the names.
    """
    curves, thin = (_of_series(data, name, context) for name in (HEADLINE, IN_SAMPLE_AVERAGE))
    sizes = [(style.text_width(name, style.BODY, "bold"), style.BODY / 72) for name, _ in curves]
    if len(curves) > LABELLED or max(width for width, _ in sizes) > LABEL_ROOM:
        return None
    heights, wanted = _heights(curves, top), [sizes]
    if thin:
        thins = _heights(thin, top)
        own = int(np.abs(thins - heights[: len(thins)]).max(axis=1).argmax())
        heights = np.vstack([heights, thins[[own]], np.delete(thins, own, axis=0)])
        words = max(style.text_width(line, style.SMALL) for line in THIN.split("\n"))
        wanted.insert(0, [*sizes, (words, 2 * LINE)])
    outlines = [_of_series(data, f"simultaneous {edge}", context) for edge in ("lower", "upper")]
    edges = _heights(outlines[0] + outlines[1] if together(context) else [], top)
    marked = [pc * WIDTH for _, pc in context.conditions]
    ceiling, led = _ceiling(top), [len(sizes)]
    for some in wanted:
        for blocked in (edges, edges[:0]):
            found = place_labels(heights, ceiling, WIDTH, some, marked, obstacles=blocked, led=led)
            if found:
                return found
    return None


def _write_labels(
    axes: Axes, names: Sequence[str], labels: Sequence[Label], context: Context
) -> None:
    ground = {"boxstyle": "square,pad=0.05", "facecolor": "white", "linewidth": 0}
    look: dict[str, Any] = {"transform": axes.transAxes, "zorder": 5, "bbox": ground}
    for name, label in zip(names, labels, strict=False):
        own = context.words(name)
        x, y = label.box.left / WIDTH, (label.box.bottom + 0.2 * label.box.height) / HEIGHT
        axes.text(x, y, name, size=style.BODY, **look, **own)
        _lead(axes, label, 3.2, color=own["color"], gid=context.tag(name))
    for label in labels[len(names) :]:
        x, y = label.box.left / WIDTH, label.box.bottom / HEIGHT
        small: dict[str, Any] = {"size": style.SMALL, "color": style.NOTE, "linespacing": 1.3}
        axes.text(x, y, THIN, va="bottom", **look, **small)
        _lead(axes, label, 1.8, color=style.NOTE)


def _lead(axes: Axes, label: Label, markersize: float, **look: Any) -> None:
    """Draw the leader of a label, if it has one."""
    if label.leader:
        x, *ends = np.divide(label.leader, [WIDTH, HEIGHT, HEIGHT])
        line: dict[str, Any] = {"zorder": 4, "transform": axes.transAxes, **look}
        axes.plot([x, x], ends, linewidth=0.7, **line)
        axes.plot(x, ends[1], marker="o", markersize=markersize, **line)


def _thin_in_words(data: pd.DataFrame) -> str:
    """Say what thin curves are, where there are any."""
    return THIN.replace("\n", " ") if IN_SAMPLE_AVERAGE in set(data["series"]) else ""


def _number(
    figure: Figure, axes: Axes, data: pd.DataFrame, top: float, context: Context, thin: str
) -> None:
    """Write numbers on the curves, the cheapest first, and list the names beneath the figure."""
    ranked, curves = context.ranked, _of_series(data, HEADLINE, context)
    width = style.text_width(str(len(curves)), TAG, "bold") + 0.04
    sizes = [(width, 1.2 * TAG / 72)] * len(curves)
    boxes = place_tags(_heights(curves, top), _ceiling(top), WIDTH, sizes)
    ground = {"boxstyle": "square,pad=0.12", "facecolor": "white", "linewidth": 0}
    look: dict[str, Any] = {"ha": "center", "va": "center_baseline", "zorder": 5, "bbox": ground}
    for (model, _), box in zip(curves, boxes, strict=True):
        x, y = (box.left + box.width / 2) / WIDTH, (box.bottom + box.height / 2) / HEIGHT
        number = str(ranked.index(model) + 1)
        look |= {"size": TAG, "transform": axes.transAxes, **context.words(model)}
        axes.text(x, y, number, **look)
    first = TOP + HEIGHT + SCALES + 0.1
    order = "cheapest first, by the mean cost over PC(+)"
    order += "; in-sample averages are in the tables" if len(curves) > LABELLED else ""
    sheet.note(figure, LEFT, first, sheet.fitting(order, thin))
    entries = [(str(place), model) for place, model in enumerate(ranked, 1)]
    sheet.name_list(figure, first + 1.1 * LINE, entries, context)
