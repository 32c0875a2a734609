"""What each model costs: few models in one cost space, else a panel a model."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch

from costcurves import formats
from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Context, Tables, methods
from costcurves.figures.kind import figure_kind, written
from costcurves.figures.labels import place_labels
from costcurves.figures.lowest import SLIVER
from costcurves.figures.map_figures import boxes
from costcurves.figures.polylines import (
    by_model,
    cost_vertices,
    fill_between,
    height_at,
    joined,
    thinned,
)
from costcurves.figures.sheet import LEFT, LINE, TOP, Panels
from costcurves.tables.inference.verdicts import CHEAPEST, OUT, RUNNING
from costcurves.tables.keys import ALWAYS, IN_SAMPLE

Ends = list[tuple[float, float]]  # of ranges of PC(+)
Names = Sequence[Sequence[str]]
Place = tuple[float, float, float]  # left, top and width
Ranges = Mapping[tuple[str, str], Ends]  # by decision, and whether it is or could be the cheapest

FEW: Final = 4  # models whose bands can stand in one cost space of other figures
ALONE: Final = 3  # models that stand in one cost space
MOST: Final = 12  # panels
ACROSS: Final = 3  # panels side by side; one more of four, and of more than nine
COARSE: Final = 3  # how much rougher grey curves are than the others: a third of their width
GREY: Final[dict[str, Any]] = {"color": style.GREYED, "linewidth": 0.6, "zorder": 1.1}
STRIP: Final = 0.14  # inches for strips, between an axis and its labels
SCALES: Final = 0.46  # inches for the labels of cost ratios, and for the scale of PC(+)
ROW: Final = 0.27  # from one name in a list to the next, with a strip between them
COLUMNS: Final = np.linspace(0, 1, 301)  # where curves are looked at to find room for labels
KEYS: Final = ["model", "estimate", "series", "method", "confidence"]
HEADLINE: Final = "headline"
LANE: Final = 0.07  # of them for one strip
SHADES: Final = {RUNNING: 0.3, CHEAPEST: 1.0}  # of a colour in strips
NO_MODEL: Final = "no model"


def cost_curves_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Headlines, pointwise bands of models with panels, and the ends of ranges, without `nec`."""
    head, bands = tables["headline"], tables["bands"]
    ends = _ends(tables["in_the_running"], head)
    shown = _shown(_ranges(ends), context)
    own = bands["model"].isin(shown) & bands["extent"].eq("pointwise")
    lines = head.assign(series=HEADLINE, method="", confidence=np.nan)
    curves = cost_vertices(pd.concat([lines, edges_of(bands[own])]), KEYS)
    top, _ = style.round_top(float(curves["nec"].max()))
    width, height = (sheet.room(), _height()) if _alone(context) else _panels(shown, 0).size
    curves = thinned(curves, KEYS, (width, height / top))
    return pd.concat([curves, ends], ignore_index=True)


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


def _alone(context: Context) -> bool:
    return len(context.models) <= ALONE


def _height() -> float:
    return 0.31 * sheet.room()


def _ends(running: pd.DataFrame, head: pd.DataFrame) -> pd.DataFrame:
    """Give two rows a range of PC(+): where a decision is the cheapest, and where it could be.

    A model is the cheapest where it costs less than both no-model baselines. It could be only if it
    was tested, as those are not whose thresholds are chosen in hindsight.
    """
    tested = [*head.loc[head["estimate"] != IN_SAMPLE, "model"]]
    tested += [*ALWAYS] if tested else []
    rows = running[["decision", "standing", "pc_from", "pc_to"]]
    best = rows[rows["standing"].eq(CHEAPEST) & rows["decision"].isin(ALWAYS)]
    constant = [*best[["pc_from", "pc_to"]].itertuples(index=False, name=None)]
    found: dict[tuple[str, str], Ends] = defaultdict(list)
    for who, how, low, high in rows.itertuples(index=False, name=None):
        if how == CHEAPEST:
            found[who, how] += _outside((low, high), [] if who in ALWAYS else constant)
        if how != OUT and who in tested:
            own = found[who, RUNNING]
            start = own.pop()[0] if own and own[-1][1] == low else low
            own.append((start, high))
    level = float(running["confidence"].iloc[0])
    ends = [
        (who, "", how, "", level, pc, np.nan)
        for (who, how), ranges in found.items()
        for one in ranges
        for pc in one
    ]
    return pd.DataFrame(ends, columns=[*KEYS, "pc", "nec"])


def _outside(one: tuple[float, float], others: Ends) -> Ends:
    """Cut ranges out of one; nothing that is left is too narrow to be seen."""
    parts = [one]
    for low, high in others:
        parts = [it for a, b in parts for it in ((a, min(b, low)), (max(a, high), b))]
        parts = [(a, b) for a, b in parts if b - a > SLIVER]
    return parts


def _ranges(data: pd.DataFrame) -> Ranges:
    """Read the ranges again of which `_ends` gives the ends."""
    groups = data[data["nec"].isna()].groupby(["model", "series"], sort=False)["pc"]
    return {(str(w), str(h)): [*zip(pc[::2], pc[1::2], strict=True)] for (w, h), pc in groups}


def _share(ranges: Ranges, *decisions: str) -> float:
    """Give the share of the axis on which decisions are the cheapest."""
    own = [it for who in decisions for it in ranges.get((who, CHEAPEST), [])]
    return round(sum(high - low for low, high in own), 9)


def _shown(ranges: Ranges, context: Context) -> list[str]:
    """Order the models by where they are the cheapest, and then by area: those with panels."""
    return sorted(context.ranked, key=lambda model: -_share(ranges, model))[:MOST]


def _panels(models: Sequence[str], top: float) -> Panels:
    """Lay out panels."""
    across = ACROSS + (len(models) == ACROSS + 1 or len(models) > ACROSS**2)
    return Panels.of(models, top, notes=1, across=across, foot=STRIP + 0.1)


@figure_kind(
    cost_curves_data, lambda it: it.headline, ("headline", "bands", "in_the_running"), always=True
)
def cost_curves(data: pd.DataFrame, context: Context) -> Figure:
    """Draw headline curves with bands, thick where a model is the cheapest, above strips."""
    ranges, scale = _ranges(data), style.round_top(float(data["nec"].max()))
    models, alone = _shown(ranges, context), _alone(context)
    layout = _panels(models, style.HEAD + 0.12)
    ticks = {words for _, words in spaces.ratio_ticks(context.prior, layout.size[0])}
    named = [it for it in context.conditions if it[0] not in ticks]
    layout = replace(layout, notes=1 + bool(named))
    names = [
        style.wrapped(it, sheet.room() - Panels.KEY - 1.2, style.SMALL, "bold")
        for it in [*models, NO_MODEL]
    ]
    listed = ROW * len(names) + LINE * sum(len(it) - 1 for it in names) if alone else 0.0
    bottom = TOP + _height() if alone else layout.bottom + STRIP
    statement = written(cost_curves.words.title, **_finding(ranges, context))
    key = sheet.lines(_key(data, alone=alone))
    height = bottom + SCALES + (1 + len(key)) * LINE + listed + 0.12 * (1 + alone)
    figure = sheet.sheet(height, context.title, statement, *_notes(data, context))
    if alone:
        axes = sheet.panel(figure, LEFT, TOP, sheet.room(), _height())
        spaces.cost_space(axes, *scale)
        spaces.ratio_axis(axes, context.prior, below=SCALES - 0.21)
        spaces.mark_conditions(axes, context.conditions, context.ratios)
        axes.set_ylabel(spaces.NEC)
        for model in models[::-1]:
            _draw(axes, data, model, ranges, context)
        _label(axes, data, scale[0], context)
        _list(figure, height - listed, names, models, ranges, context)
    else:
        layout.label_outside(figure, y=spaces.NEC)
        grey = data.loc[data["series"] == HEADLINE, ["model", "pc", "nec"]]
        width, tall = layout.size
        grey = thinned(grey, ["model"], (width / COARSE, tall / COARSE / scale[0]))
        for place, model in enumerate(models):
            axes = layout.panel(figure, place, model, context)
            layout.annotate(figure, place, _said(ranges, layout.size[0], model))
            spaces.cost_space(axes, *scale)
            spaces.ratio_axis(axes, context.prior, SCALES - 0.21 + STRIP, pad=3.5 + 72 * STRIP)
            spaces.mark_conditions(axes, named, context.ratios)
            axes.plot(*joined(grey[grey["model"] != model], ["model"]), **GREY)
            _draw(axes, data, model, ranges, context)
            left, top = layout.corner(place)
            under = top + layout.head + layout.size[1] + 0.03
            _strip(figure, (left, under, layout.size[0]), [(model,), ALWAYS], ranges, context)
    words = spaces.in_ratios(context.prior)
    left, right = sheet.margins()
    size = style.SMALL * min(1.0, (right - left) / style.text_width(words, style.SMALL))
    look: dict[str, Any] = {"ha": "center", "size": size, "gid": sheet.SHARE_TAG}
    sheet.write(figure, (left + right) / 2, bottom + SCALES + 0.12, words, **look)
    sheet.paragraph(figure, bottom + SCALES + 0.12 + len(key) * LINE, key)
    return figure


def _finding(ranges: Ranges, context: Context) -> dict[str, Any]:
    """Give the model that is the cheapest on most of the axis; say whether one is so for sure."""
    model = max(context.ranked, key=lambda it: _share(ranges, it))
    could = [
        (who in ALWAYS, *it) for (who, how), own in ranges.items() for it in own if how == RUNNING
    ]
    constant, low, high = np.reshape(could, (-1, 3)).T
    ends = np.unique([low, high])
    inside = (low[:, None] < ends[1:]) & (high[:, None] > ends[:-1])
    only = (inside.sum(axis=0) == 1) & (inside[constant == 0].sum(axis=0) == 1)
    shown = style.shorten(model, 1.8, style.TITLE, "bold")
    part, single = _share(ranges, model), len(context.models) == 1
    return {"model": shown, "part": part, "single": single, "settled": bool(only.any())}


def _notes(data: pd.DataFrame, context: Context) -> tuple[str, str]:
    """Say how to read the curves, and what they are."""
    bands = data[data["method"] != ""]
    level = formats.level(float(bands["confidence"].iloc[0]))
    which = "" if _alone(context) else " Grey lines: the other models."
    roof = "Grey roof: always negative, always positive."
    reading = f"Lower is cheaper. Pale: {level} band.{which} {roof}"
    return reading, sheet.fitting(context.chosen(data), f"band: {methods(bands)}")


def _key(data: pd.DataFrame, *, alone: bool) -> str:
    """Say what is thick, and what the strips are."""
    ends = data[data["nec"].isna()]
    level = formats.level(float(ends["confidence"].iloc[0]))
    tested = ["pale: could still be cheapest", f"blank: ruled out at {level}"]
    tested = tested if ends["series"].eq(RUNNING).any() else []
    last = [] if alone else ["grey: no model"]
    return sheet.fitting("thick, full: cheapest by estimate", *tested, *last)


def _said(ranges: Ranges, room: float, *decisions: str) -> str:
    """Say on how much of the axis decisions are the cheapest, where it fits with that word."""
    if not (share := _share(ranges, *decisions)):
        return "cheapest nowhere"
    short = f"cheapest on {formats.share(share)}"
    words = f"{short} of the axis"
    return words if style.text_width(words, style.SMALL) <= room else short


def _draw(axes: Axes, data: pd.DataFrame, model: str, ranges: Ranges, context: Context) -> None:
    """Draw a model's band and its curve, thick on the ranges where it is the cheapest."""
    own = data[data["model"] == model]
    draw_bands(axes, own, context)
    curve = own.loc[own["series"] == HEADLINE, ["pc", "nec"]]
    axes.plot(curve["pc"], curve["nec"], zorder=3, linewidth=1.3, **context.line(model))
    parts: list[Any] = []
    for low, high in ranges.get((model, CHEAPEST), []):
        first = height_at(curve, np.array([low]), "right")
        last = height_at(curve, np.array([high]), "left")
        inside = curve[curve["pc"].gt(low) & curve["pc"].lt(high)].to_numpy().tolist()
        parts += [[low, *first], *inside, [high, *last], [np.nan, np.nan]]
    if parts:
        look: dict[str, Any] = {"linewidth": 2.8, "solid_capstyle": "butt", **context.mark(model)}
        axes.plot(*np.transpose(parts), zorder=4, **look)


def _strip(figure: Figure, place: Place, lanes: Names, ranges: Ranges, context: Context) -> None:
    """Fill strips of decisions where these are, and where they could be, the cheapest."""
    axes = sheet.panel(figure, *place, len(lanes) * LANE)
    axes.set(xlim=(0, 1), ylim=(len(lanes), 0))
    axes.set_axis_off()
    sheet.tag(axes, sheet.PC_TAG)
    for lane, decisions in enumerate(lanes):
        for who in decisions:
            look = {"color": style.QUIET} if who in ALWAYS else context.mark(who)
            for how, shade in SHADES.items():
                if ends := ranges.get((who, how)):
                    low, high = np.transpose(ends)
                    path = boxes(low, high, np.full(len(ends), lane + 0.1), 0.8)
                    axes.add_patch(PathPatch(path, alpha=shade, linewidth=0, **look))


def _label(axes: Axes, data: pd.DataFrame, top: float, context: Context) -> None:
    """Write names beside their curves where there is room."""
    curves = [*by_model(data[data["series"] == HEADLINE], context.models)]
    inch = _height() / top
    heights = np.array([np.interp(COLUMNS, it["pc"], it["nec"]) for _, it in curves]) * inch
    ceiling = np.minimum(COLUMNS, 1 - COLUMNS) * inch
    sizes = [(style.text_width(it, style.BODY, "bold"), style.BODY / 72) for it, _ in curves]
    labels = place_labels(heights, ceiling, sheet.room(), sizes)
    look: dict[str, Any] = {"transform": axes.transAxes, "zorder": 5, "size": style.BODY}
    look["bbox"] = {"boxstyle": "square,pad=0.05", "facecolor": "white", "linewidth": 0}
    for (model, _), box in zip(curves, labels, strict=True):
        if box:
            x, y = box.left / sheet.room(), (box.bottom + 0.2 * box.height) / _height()
            axes.text(x, y, model, **look, **context.words(model))


def _list(
    figure: Figure, top: float, names: Names, models: list[str], ranges: Ranges, context: Context
) -> None:
    """List models, and the no-model baselines, with their strips along the axis above."""
    for decisions, lines in zip([*((it,) for it in models), ALWAYS], names, strict=True):
        words: dict[str, Any] = {"color": style.NOTE, "weight": "bold"}
        if decisions != ALWAYS:
            words = context.words(decisions[0])
            sheet.key(figure, LEFT, top, 0.3, linewidth=1.8, **context.line(decisions[0]))
        for line in lines:
            sheet.write(figure, LEFT + Panels.KEY, top, line, size=style.SMALL, **words)
            top += LINE
        left = LEFT + Panels.KEY + style.text_width(lines[-1], style.SMALL, "bold") + 0.12
        sheet.note(figure, left, top - LINE, _said(ranges, LEFT + sheet.room() - left, *decisions))
        _strip(figure, (LEFT, top - LINE + 0.05, sheet.room()), [decisions], ranges, context)
        top += ROW - LINE


def bands_in_words(data: pd.DataFrame) -> str:
    """Say what the bands in `data` are."""
    bands = data[data["method"] != ""]
    level, how = formats.level(float(bands["confidence"].iloc[0])), methods(bands)
    return f"bands: {level}, light at each PC(+), outlined for the whole curve, {how}"


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


def draw_curves(axes: Axes, data: pd.DataFrame, context: Context) -> None:
    """Draw the bands, and above them the headline curves, the first model's on top."""
    draw_bands(axes, data, context)
    for model, rows in by_model(data[data["series"] == HEADLINE], context.models[::-1]):
        axes.plot(rows["pc"], rows["nec"], zorder=3, linewidth=1.6, **context.line(model))
