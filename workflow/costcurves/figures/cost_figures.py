"""What each model costs: the headline curves of all models together, with their bands."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from costcurves import formats
from costcurves.figures import sheet, spaces, style, words
from costcurves.figures.band_panels import (
    FOOT,
    MOST,
    banded,
    draw_bands,
    draw_panels,
    panels,
    together,
)
from costcurves.figures.context import Context
from costcurves.figures.labels import Box, Label, place_labels, place_tags
from costcurves.figures.polylines import by_model, cost_vertices, thinned
from costcurves.figures.sheet import LEFT, LINE, TOP
from costcurves.tables.keys import CROSS_FITTED

Tables = Mapping[str, pd.DataFrame]
Curves = list[tuple[str, pd.DataFrame]]  # models and their vertices
Floats = NDArray[np.float64]
Scale = tuple[float, float]  # end and step of the y axis

LABELLED = 6  # more models than this are numbered, and named in a list
LABEL_ROOM = 2.2  # inches that a name beside its curve may take
TAG = 6.5  # points
WIDTH, HEIGHT = sheet.ROOM, 3.5
SCALES = 0.98  # inches beneath a cost space: its ticks, its label, the scale of cost ratios
COLUMNS = np.linspace(0, 1, 301)  # where curves are looked at to find room for labels
CEILING = np.minimum(COLUMNS, 1 - COLUMNS)
KEYS = ["model", "estimate", "series", "method", "confidence"]
HEADLINE, IN_SAMPLE_AVERAGE = "headline", "in-sample average"
THIN = "thin: threshold chosen on the data\nit is judged on (too optimistic)"
COLUMNS_OF_PIECES = [*KEYS, "pc_from", "pc_to", "nec_from", "nec_to"]


def cost_curves_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Curves of all models, a row a vertex: `pc` and `nec`, after the columns that name a curve.

    The series are "headline", of up to six models "in-sample average" (where the headline is
    another estimate), and of the eight cheapest the edges of both bands ("pointwise lower", ...).
    """
    head = tables["headline"].assign(series=HEADLINE)
    parts = [head]
    if len(context.models) <= LABELLED:
        fitted = head.loc[head["estimate"] == CROSS_FITTED, "model"].unique()
        averages = in_sample_averages(tables, context.level)
        parts.append(averages[averages["model"].isin(fitted)].assign(series=IN_SAMPLE_AVERAGE))
    parts = [part.assign(method="", confidence=np.nan) for part in parts]
    bands = tables["bands"]
    bands = bands[bands["model"].isin(banded(head, context))]
    bands = bands.assign(series=bands["extent"] + " " + bands["edge"])
    curves, edges = (
        cost_vertices(rows[COLUMNS_OF_PIECES], KEYS) for rows in (pd.concat(parts), bands)
    )
    top, _ = style.round_top(float(max(curves["nec"].max(), edges["nec"].max())))
    width, height = (WIDTH, HEIGHT) if together(context) else panels(len(context.models), 0).size
    parts = [
        thinned(curves, KEYS, (WIDTH, HEIGHT / top)),
        thinned(edges, KEYS, (width, height / top)),
    ]
    return pd.concat(parts, ignore_index=True)


def in_sample_averages(tables: Tables, level: str) -> pd.DataFrame:
    """Select the cost-space averages of lower envelopes at one level of pooling."""
    averages = tables["averages"]
    return averages[(averages["method"] == "cost-space") & (averages["level"] == level)]


def cost_curves(data: pd.DataFrame, context: Context) -> Figure:
    """Draw the headline curves of all models against the trivial classifiers.

    Up to six models are named beside their curves where there is room; otherwise curves carry
    numbers and a list names them, the cheapest (over all PC(+)) first. Bands of up to four models
    are drawn around the curves; those of more in panels beneath.
    """
    curves = _of_series(data, HEADLINE, context)
    scale = style.round_top(float(data["nec"].max()))
    names = [model for model, _ in curves]
    labels = _labelled(data, scale[0], context)
    listed = 0.0 if labels else 0.3 + sheet.list_height(names)
    layout = panels(len(names), TOP + HEIGHT + SCALES + listed + 0.1)
    figure = sheet.sheet(layout.top - 0.1 if together(context) else layout.bottom + FOOT)
    axes = sheet.panel(figure, LEFT, TOP, WIDTH, HEIGHT)
    _cost_curves_frame(axes, data, context, scale)
    _draw_curves(axes, data, curves, context)
    if labels:
        _write_labels(axes, names, labels[: len(names)], context)
        _explain_thin(axes, labels[len(names) :])
    else:
        heights, sizes = _heights(curves, scale[0]), _tag_sizes(len(names))
        tags = place_tags(heights, _ceiling(scale[0]), WIDTH, sizes)
        thin = (data["series"] == IN_SAMPLE_AVERAGE).any()
        _number(axes, curves, tags, context, f"; {THIN}".replace("\n", " ") if thin else "")
    if not together(context):
        draw_panels(figure, layout, data, context, scale)
    return figure


def _draw_curves(axes: Axes, data: pd.DataFrame, curves: Curves, context: Context) -> None:
    if together(context):
        draw_bands(axes, data, context)
    for model, vertices in _of_series(data, IN_SAMPLE_AVERAGE, context):
        line = {**context.line(model), "linestyle": "-"}
        axes.plot(vertices["pc"], vertices["nec"], zorder=2.5, linewidth=0.8, **line)
    for model, vertices in reversed(curves):
        axes.plot(vertices["pc"], vertices["nec"], zorder=3, linewidth=1.9, **context.line(model))


def _of_series(data: pd.DataFrame, series: str, context: Context) -> Curves:
    return list(by_model(data[data["series"] == series], context.models))


def _heights(curves: Curves, top: float) -> Floats:
    """Heights of curves in inches; the same shape without any."""
    found = [np.interp(COLUMNS, rows["pc"], rows["nec"]) for _, rows in curves]
    return np.array(found).reshape(len(curves), len(COLUMNS)) * HEIGHT / top


def _ceiling(top: float) -> Floats:
    return CEILING * HEIGHT / top


def _cost_curves_frame(axes: Axes, data: pd.DataFrame, context: Context, scale: Scale) -> None:
    title = "what each classifier costs, whatever the costs are"
    how = f"{words.chosen_how(data)}; {context.counts}"
    sheet.title(sheet.sheet_of(axes), context.title, title, how, _bands_in_words(data, context))
    spaces.cost_space(axes, *scale)
    spaces.name_trivial(axes)
    spaces.mark_conditions(axes, context.conditions)
    spaces.cost_ratio_scale(axes, context.prior, below=0.52)
    axes.set(xlabel=spaces.PC, ylabel=spaces.NEC)


def _bands_in_words(data: pd.DataFrame, context: Context) -> str:
    bands = data[data["method"] != ""]
    level, how = formats.level(float(bands["confidence"].iloc[0])), words.methods(bands)
    which = "" if len(context.models) <= MOST else f" of the {MOST} cheapest"
    where = "" if together(context) else f"{which} beneath"
    return f"bands{where}: {level}, light at each PC(+), outlined for the whole curve, {how}"


def _labelled(data: pd.DataFrame, top: float, context: Context) -> list[Label] | None:
    """Find places for the names, and for the words on thin curves if there are any."""
    curves, thin = (_of_series(data, name, context) for name in (HEADLINE, IN_SAMPLE_AVERAGE))
    sizes = [(style.text_width(name, style.BODY, "bold"), style.BODY / 72) for name, _ in curves]
    if len(curves) > LABELLED or max(width for width, _ in sizes) > LABEL_ROOM:
        return None
    heights, thins = _heights(curves, top), _heights(thin, top)
    outlined = data if together(context) else data.iloc[:0]
    outlines = [
        _of_series(outlined, f"simultaneous {edge}", context) for edge in ("lower", "upper")
    ]
    edges = _heights([curve for both in outlines for curve in both], top)
    marked = [pc * WIDTH for pc in [pc for _, pc in context.conditions]]
    for obstacles in (edges, edges[:0]):
        found = _places(heights, thins, sizes, marked, (_ceiling(top), obstacles))
        if found:
            return found
    return None


def _places(
    heights: Floats,
    thins: Floats,
    sizes: list[tuple[float, float]],
    marked: Sequence[float],
    bounds: tuple[Floats, Floats],
) -> list[Label] | None:
    """Place names, and behind them the words on the thin curve that is best told from the thick."""
    ceiling, obstacles = bounds
    if not len(thins):
        return place_labels(heights, ceiling, WIDTH, sizes, marked, obstacles=obstacles)
    own = int(np.abs(thins - heights[: len(thins)]).max(axis=1).argmax())
    size = (max(style.text_width(line, style.SMALL) for line in THIN.split("\n")), 2 * LINE)
    labels = [*sizes, size]
    drawn = np.vstack([heights, thins[[own]], np.delete(thins, own, axis=0)])
    led = [len(heights)]
    return place_labels(drawn, ceiling, WIDTH, labels, marked, obstacles=obstacles, led=led)


def _write_labels(
    axes: Axes, names: Sequence[str], labels: Sequence[Label], context: Context
) -> None:
    for name, label in zip(names, labels, strict=True):
        own = context.words(name)
        x, y = label.box.left / WIDTH, (label.box.bottom + 0.2 * label.box.height) / HEIGHT
        ground = {"boxstyle": "square,pad=0.05", "facecolor": "white", "linewidth": 0}
        look = {"size": style.BODY, "transform": axes.transAxes, "zorder": 5, **own}
        axes.text(x, y, name, bbox=ground, **look)
        _lead(axes, label, {"color": own["color"], "gid": context.tag(name)}, markersize=3.2)


def _explain_thin(axes: Axes, labels: Sequence[Label]) -> None:
    for label in labels:
        x = label.box.left / WIDTH
        ground = {"boxstyle": "square,pad=0.05", "facecolor": "white", "linewidth": 0}
        look: dict[str, Any] = {"size": style.SMALL, "color": style.NOTE, "linespacing": 1.3}
        place: dict[str, Any] = {"transform": axes.transAxes, "zorder": 5}
        axes.text(x, label.box.bottom / HEIGHT, THIN, va="bottom", bbox=ground, **look, **place)
        _lead(axes, label, {"color": style.NOTE}, markersize=1.8)


def _lead(axes: Axes, label: Label, look: dict[str, Any], markersize: float) -> None:
    """Draw the leader of a label, if it has one."""
    if label.leader:
        x, *ends = np.divide(label.leader, [WIDTH, HEIGHT, HEIGHT])
        line: dict[str, Any] = {"zorder": 4, "transform": axes.transAxes, **look}
        axes.plot([x, x], ends, linewidth=0.7, **line)
        axes.plot(x, ends[1], marker="o", markersize=markersize, **line)


def _tag_sizes(count: int) -> list[tuple[float, float]]:
    width = style.text_width(str(count), TAG, "bold") + 0.04
    return [(width, 1.2 * TAG / 72)] * count


def _number(axes: Axes, curves: Curves, boxes: Sequence[Box], context: Context, thin: str) -> None:
    """Write numbers on the curves, the cheapest first, and list the names beneath the figure."""
    ranked = context.numbered
    for (model, _), box in zip(curves, boxes, strict=True):
        _write_tag(axes, str(ranked.index(model) + 1), box, context.words(model))
    first = TOP + HEIGHT + SCALES + 0.1
    order = "cheapest first, by the mean cost over PC(+)"
    order += "; in-sample averages are in the tables" if len(curves) > LABELLED else ""
    sheet.note(sheet.sheet_of(axes), LEFT, first, order + thin)
    entries = [(str(place + 1), model) for place, model in enumerate(ranked)]
    sheet.name_list(sheet.sheet_of(axes), first + 1.1 * LINE, entries, context)


def _write_tag(axes: Axes, tag: str, box: Box, look: dict[str, Any]) -> None:
    axes.text(
        (box.left + box.width / 2) / WIDTH,
        (box.bottom + box.height / 2) / HEIGHT,
        tag,
        size=TAG,
        ha="center",
        va="center_baseline",
        transform=axes.transAxes,
        zorder=5,
        bbox={"boxstyle": "square,pad=0.12", "facecolor": "white", "linewidth": 0},
        **look,
    )
