"""Figures in cost space: all models together, and each model's folds behind their average."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Context
from costcurves.figures.labels import Box, Label, place_labels, place_tags
from costcurves.figures.polylines import by_model, cost_vertices, joined
from costcurves.figures.sheet import LEFT, LINE, TOP

Tables = Mapping[str, pd.DataFrame]
Curves = list[tuple[str, pd.DataFrame]]  # models and their vertices
Floats = NDArray[np.float64]

LABELLED = 6  # more models than this are numbered, and named in a list
LABEL_ROOM = 2.2  # inches that a name beside its curve may take
TAG = 6.5  # points
WIDTH, HEIGHT = sheet.ROOM, 3.5
SCALES = 0.98  # inches beneath a cost space: its ticks, its label, the scale of cost ratios
COLUMNS = np.linspace(0, 1, 301)  # where curves are looked at to find room for labels
CEILING = np.minimum(COLUMNS, 1 - COLUMNS)

CHOSEN_HOW = {
    "in-sample selection": "threshold chosen on the data it is judged on, which is optimistic"
}


def cost_curves_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Headline curves of all models: `model`, `estimate`, `pc`, `nec`, a row a vertex."""
    return cost_vertices(_averages(tables, context.level), ["model", "estimate"])


def _averages(tables: Tables, level: str) -> pd.DataFrame:
    averages = tables["averages"]
    return averages[(averages["method"] == "cost-space") & (averages["level"] == level)]


def cost_curves(data: pd.DataFrame, context: Context) -> Figure:
    """Draw the headline curves of all models against the trivial classifiers.

    Up to six models are named beside their curves where there is room; otherwise curves carry
    numbers and a list names them, the cheapest (over all PC(+)) first.

    Parameters
    ----------
    data
        As `cost_curves_data` makes it.
    context
        The data set.
    """
    curves = list(by_model(data, context.models))
    top, step = style.round_top(float(data["nec"].max()))
    heights, ceiling = _heights(curves) * HEIGHT / top, CEILING * HEIGHT / top
    names = [model for model, _ in curves]
    labels = _direct_labels(names, heights, ceiling, [pc for _, pc in context.conditions])
    listed = 0.0 if labels else 0.3 + sheet.list_height(names)
    figure = sheet.sheet(TOP + HEIGHT + SCALES + listed)
    axes = sheet.panel(figure, LEFT, TOP, WIDTH, HEIGHT)
    _cost_curves_frame(axes, data, context, (top, step))
    for model, vertices in reversed(curves):
        axes.plot(vertices["pc"], vertices["nec"], zorder=3, linewidth=1.9, **context.line(model))
    if labels:
        _write_labels(axes, names, labels, context)
    else:
        _number(axes, curves, place_tags(heights, ceiling, WIDTH, _tag_sizes(len(names))), context)
    return figure


def _heights(curves: Curves) -> Floats:
    return np.array([np.interp(COLUMNS, rows["pc"], rows["nec"]) for _, rows in curves])


def _cost_curves_frame(
    axes: Axes, data: pd.DataFrame, context: Context, scale: tuple[float, float]
) -> None:
    estimate = str(data["estimate"].iloc[0])
    sheet.title(
        sheet.sheet_of(axes),
        context.title,
        "what each classifier costs, whatever the costs are",
        f"{estimate}: {CHOSEN_HOW[estimate]}" if estimate in CHOSEN_HOW else estimate,
        f"{context.counts}; {context.averaged}",
    )
    spaces.cost_space(axes, *scale)
    spaces.name_trivial(axes)
    spaces.mark_conditions(axes, context.conditions)
    spaces.cost_ratio_scale(axes, context.prior, below=0.52)
    axes.set(xlabel=spaces.PC, ylabel=spaces.NEC)


def _direct_labels(
    names: Sequence[str], heights: Floats, ceiling: Floats, marked: Sequence[float]
) -> list[Label] | None:
    sizes = [(style.text_width(name, style.BODY, "bold"), style.BODY / 72) for name in names]
    if len(names) > LABELLED or max(width for width, _ in sizes) > LABEL_ROOM:
        return None
    return place_labels(heights, ceiling, WIDTH, sizes, [pc * WIDTH for pc in marked])


def _write_labels(
    axes: Axes, names: Sequence[str], labels: Sequence[Label], context: Context
) -> None:
    for name, label in zip(names, labels, strict=True):
        words = context.words(name)
        x, y = label.box.left / WIDTH, (label.box.bottom + 0.2 * label.box.height) / HEIGHT
        ground = {"boxstyle": "square,pad=0.05", "facecolor": "white", "linewidth": 0}
        look = {"size": style.BODY, "transform": axes.transAxes, "zorder": 5, **words}
        axes.text(x, y, name, bbox=ground, **look)
        if label.leader:
            x, *ends = np.divide(label.leader, [WIDTH, HEIGHT, HEIGHT])
            line = {"color": words["color"], "zorder": 4, "transform": axes.transAxes}
            axes.plot([x, x], ends, linewidth=0.7, **line)
            axes.plot(x, ends[1], marker="o", markersize=3.2, **line)


def _tag_sizes(count: int) -> list[tuple[float, float]]:
    width = style.text_width(str(count), TAG, "bold") + 0.04
    return [(width, 1.2 * TAG / 72)] * count


def _number(axes: Axes, curves: Curves, boxes: Sequence[Box], context: Context) -> None:
    """Write numbers on the curves, the cheapest first, and list the names beneath the figure."""
    cost = {model: np.trapezoid(rows["nec"], rows["pc"]) for model, rows in curves}
    ranked = sorted(cost, key=lambda model: float(cost[model]))
    for (model, _), box in zip(curves, boxes, strict=True):
        _write_tag(axes, str(ranked.index(model) + 1), box, context.words(model))
    first = TOP + HEIGHT + SCALES + 0.1
    sheet.note(sheet.sheet_of(axes), LEFT, first, "cheapest first, by the mean cost over PC(+)")
    entries = [(str(place + 1), model) for place, model in enumerate(ranked)]
    sheet.name_list(sheet.sheet_of(axes), first + 1.1 * LINE, entries, context)


def _write_tag(axes: Axes, tag: str, box: Box, words: dict[str, Any]) -> None:
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
        **words,
    )


def folds_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Curves of the single folds and their averages: `model`, `series`, `number`, `pc`, `nec`.

    The series are "fold" (its curves numbered), "headline" and, where that isn't the average of the
    folds, "average of folds".
    """
    envelopes = tables["envelopes"]
    single = envelopes[envelopes["level"] == "fold"]
    codes = single.groupby(["model", "repeat", "fold"], sort=False, observed=True).ngroup()
    parts = [single.assign(series="fold", number=codes)]
    if _averages_pooled_folds(context):
        parts.append(_averages(tables, "fold").assign(series="average of folds", number=0))
    parts.append(_averages(tables, context.level).assign(series="headline", number=0))
    return cost_vertices(pd.concat(parts), ["model", "series", "number"])


def _averages_pooled_folds(context: Context) -> bool:
    return context.level != "fold" and context.folds > 1


def folds(data: pd.DataFrame, context: Context) -> Figure:
    """Draw each model's single folds thin behind their average, a panel a model.

    Parameters
    ----------
    data
        As `folds_data` makes it.
    context
        The data set.
    """
    curves = list(by_model(data, context.models))
    panels = sheet.Panels(len(curves), top=TOP + 0.1)
    figure = sheet.sheet(panels.bottom + 0.5)
    scale = style.round_top(float(data["nec"].max()))
    _folds_head(figure, context)
    panels.label_outside(figure, spaces.PC, spaces.NEC)
    for place, (model, vertices) in enumerate(curves):
        axes = panels.panel(figure, place, model, context)
        spaces.cost_space(axes, *scale, coarse=True)
        panels.ticks_outside(axes, place)
        looks = _fold_looks(context.line(model))
        for series, rows in vertices.groupby("series", sort=False):
            axes.plot(*joined(rows[["number", "pc", "nec"]], ["number"]), **looks[str(series)])
    return figure


def _fold_looks(line: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        "fold": {"color": line["color"], "linewidth": 0.5, "alpha": 0.45, "zorder": 2},
        "average of folds": {"color": style.INK, "linewidth": 1.1, "zorder": 3},
        "headline": {**line, "linewidth": 1.8, "zorder": 4},
    }


def _folds_head(figure: Figure, context: Context) -> None:
    alone = "each fold's lower envelope chooses its thresholds on that fold alone"
    title = "the folds behind the average"
    sheet.title(figure, context.title, title, f"in-sample selection: {alone}", context.counts)
    looks = _fold_looks({"color": style.NOTE})
    words = {"fold": "one fold"}
    if _averages_pooled_folds(context):
        words["average of folds"] = context.averaged_over("fold")
    words["headline"] = f"headline: {context.averaged}"
    sheet.series_list(figure, 0.78, [(words[series], looks[series]) for series in words])
