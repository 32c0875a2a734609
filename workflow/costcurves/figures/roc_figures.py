"""One operating condition in ROC space and in cost space."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Context
from costcurves.figures.polylines import cost_vertices, roc_vertices
from costcurves.figures.sheet import LEFT, LINE, ROOM, TOP
from costcurves.maths.cost_space import ratio_from_pc

Tables = Mapping[str, pd.DataFrame]

COLOURED: Final = 5  # with more models than this, only the cheapest at the condition are coloured
CHEAPEST: Final = 3
SIDE: Final = 2.6  # width of each of the two axes
HEIGHTS: Final = (2.6, 1.9)  # of the axes of one condition, and of each of two: no more are drawn
NEIGHBOURS: Final = 3  # lines drawn of vertices on either side of the cheapest point
COST_LEFT: Final = LEFT + ROOM - SIDE
HEAD, FOOT = 0.42, 0.64  # above the squares: condition and titles; below: labels, then the list
DASHED: Final[dict[str, Any]] = {
    "color": style.INK,
    "linewidth": 1.0,
    "linestyle": (0, (4, 2)),
    "zorder": 5,
}


def duality_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Hulls, envelopes and what touches them, with `x`, `y` as the last columns.

    `space` is "roc" (x, y are FP and TP rate) or "cost" (PC(+) and normalized expected cost).
    `series` is "hull", "envelope", "point" (each model's cheapest at a `condition`, with its
    `holder` in words) and, of the model that is cheapest there, "iso-performance line", "lowest
    line" and "line" (of up to three neighbouring vertices of its hull on either side). Drawn are at
    most two conditions.
    """
    pooled = tables["envelopes"][tables["envelopes"]["level"] == "pooled"]
    pooled = pooled[pooled["model"].isin(context.models)]
    marked = tables["duality"][tables["duality"]["model"].isin(context.models)]
    names = marked["condition"].drop_duplicates().iloc[: len(HEIGHTS)]
    marked = marked[marked["condition"].isin(names)]
    marked = marked.drop_duplicates(["condition", "model"], ignore_index=True)
    cheapest = marked.loc[marked.groupby("condition", sort=False)["nec"].idxmin()]
    hulls = roc_vertices(pooled, ["model"])
    parts = [
        _part(hulls, "roc", "hull", "fp", "tp"),
        _part(cost_vertices(pooled, ["model"]), "cost", "envelope", "pc", "nec"),
        _part(_iso_performance(cheapest), "roc", "iso-performance line", "fp", "tp"),
        _part(_cost_lines(_neighbours(cheapest, hulls)), "cost", "line", "pc", "nec"),
        _part(_cost_lines(cheapest), "cost", "lowest line", "pc", "nec"),
        _part(marked, "roc", "point", "fp", "tp"),
        _part(marked, "cost", "point", "pc", "nec"),
    ]
    return pd.concat(parts, ignore_index=True)


def _part(rows: pd.DataFrame, space: str, series: str, x: str, y: str) -> pd.DataFrame:
    texts = {name: rows.get(name, "") for name in ("condition", "model", "holder")}
    place = {"x": rows[x].astype(float), "y": rows[y].astype(float)}
    return pd.DataFrame({"space": space, "series": series, **texts, **place})


def _neighbours(cheapest: pd.DataFrame, hulls: pd.DataFrame) -> pd.DataFrame:
    """Give the vertices of the cheapest models' hulls around their points, trivial ones apart."""
    crowd = hulls.assign(place=np.arange(len(hulls)))
    crowd = crowd[(crowd["fp"] + crowd["tp"]).between(0, 2, inclusive="neither")]
    both = cheapest[["condition", "model", "fp", "tp"]].merge(
        crowd, on="model", suffixes=("_at", "")
    )
    away = (both["fp"] - both["fp_at"]) + (both["tp"] - both["tp_at"])  # grows along a hull
    both = both.assign(away=away, side=np.sign(away))[away != 0]
    return (
        both.sort_values("away", key=np.abs, kind="stable")
        .groupby(["condition", "side"], sort=False)
        .head(NEIGHBOURS)
    )


def _iso_performance(points: pd.DataFrame) -> pd.DataFrame:
    """Each point's iso-performance line where it crosses the unit square; upright at PC(+) = 0."""
    upright = points["pc"] == 0
    reach = (1 - points["intercept"]) / points["slope"].where(points["slope"] > 0)
    last = reach.clip(upper=1).fillna(1)
    high = points["intercept"] + points["slope"] * last
    fp, base = points["fp"], points["intercept"]
    starts = points.assign(fp=fp.where(upright, 0.0), tp=base.where(~upright, 0.0))
    ends = points.assign(fp=fp.where(upright, last), tp=high.where(~upright, 1.0))
    return pd.concat([starts, ends]).sort_index(kind="stable")


def _cost_lines(points: pd.DataFrame) -> pd.DataFrame:
    """Each point's cost line from PC(+) = 0 to 1."""
    ends = [points.assign(pc=0.0, nec=points["fp"]), points.assign(pc=1.0, nec=1 - points["tp"])]
    return pd.concat(ends).sort_index(kind="stable")


@dataclass(frozen=True)
class _Condition:
    """What is drawn of one operating condition: its rows, and its models, the cheapest first."""

    rows: pd.DataFrame
    models: pd.DataFrame  # by name: pc, cost, fp, tp, holder
    context: Context

    @classmethod
    def of(cls, data: pd.DataFrame, name: str, context: Context) -> "_Condition":
        rows = data[data["condition"].isin(["", name])]
        points = rows[rows["series"] == "point"].set_index("model")
        roc, cost = (points[points["space"] == space] for space in ("roc", "cost"))
        models = pd.DataFrame(
            {"pc": cost["x"], "cost": cost["y"], "fp": roc["x"], "tp": roc["y"]}
            | {"holder": roc["holder"]}
        )
        in_order = models.reindex([model for model in context.models if model in models.index])
        return cls(rows, in_order.sort_values("cost", kind="stable"), context)

    @property
    def pc(self) -> float:
        return float(self.models["pc"].iloc[0])

    @property
    def coloured(self) -> list[str]:
        return [str(model) for model in self.models.index[: _coloured(len(self.models))]]

    @property
    def scale(self) -> tuple[float, float]:
        return style.round_top(float(self.series("envelope")["y"].max()))

    def series(self, name: str) -> pd.DataFrame:
        return self.rows[self.rows["series"] == name]


def _coloured(count: int) -> int:
    return count if count <= COLOURED else CHEAPEST


def duality(data: pd.DataFrame, context: Context) -> Figure:
    """Draw hulls and envelopes side by side, a row for each marked operating condition.

    The dashed line is the condition: in ROC space the iso-performance line that touches the hull of
    the cheapest model, in cost space the upright at which that point's line is lowest. A list under
    each row reads out the models, the cheapest first; with more than five, the best three.

    Parameters
    ----------
    data
        As `duality_data` makes it.
    context
        The data set.
    """
    names = [str(name) for name in data.loc[data["series"] == "point", "condition"].unique()]
    listed = 1 + _coloured(len(context.models)) + (len(context.models) > COLOURED)
    tall = HEIGHTS[len(names) - 1]
    height = HEAD + tall + FOOT + listed * LINE + 0.1
    figure = sheet.sheet(TOP + len(names) * height)
    pooled = "in-sample selection; all folds and repeats pooled, one hull and one envelope a model"
    notes = (pooled, f"{context.counts}{_left_out(context, len(names))}")
    sheet.title(figure, context.title, "one operating condition in two spaces", *notes)
    for place, name in enumerate(names):
        condition = _Condition.of(data, name, context)
        _name_condition(figure, TOP + place * height + 0.06, name, condition)
        _draw_row(figure, TOP + place * height + HEAD, tall, condition)
    return figure


def _left_out(context: Context, shown: int) -> str:
    count = len(context.conditions)
    return f"; {shown} of {count} marked conditions, all in the table" if shown < count else ""


def _draw_row(figure: Figure, top: float, height: float, condition: _Condition) -> None:
    bold = {"size": style.BODY, "weight": "bold"}
    sheet.write(figure, LEFT, top - 0.09, "ROC space: a point of the hull", **bold)
    sheet.write(figure, COST_LEFT, top - 0.09, "Cost space: the lowest line", **bold)
    _draw_roc(sheet.panel(figure, LEFT, top, SIDE, height), condition)
    _draw_cost(sheet.panel(figure, COST_LEFT, top, SIDE, height), condition)
    _read_out(figure, top + height + FOOT, condition)


def _name_condition(figure: Figure, top: float, name: str, condition: _Condition) -> None:
    pc, prior = condition.pc, condition.context.prior
    ratio = spaces.ratio_words(float(ratio_from_pc(pc, prior)))
    costs = f"cost of a missed positive : cost of a false alarm = {ratio} at p(+) = {prior:.3g}"
    place = f"PC(+) = {pc:.3g}"
    shown = style.shorten(name, 1.5, style.SMALL, "bold")
    sheet.write(figure, LEFT, top, shown, size=style.SMALL, weight="bold")
    rest = costs if name == place else f"{place}, {costs}"
    left = LEFT + style.text_width(shown, style.SMALL, "bold") + 0.12
    sheet.note(figure, left, top, rest)


def _draw_roc(axes: Axes, condition: _Condition) -> None:
    spaces.roc_space(axes)
    axes.set(xlabel=spaces.FP, ylabel=spaces.TP)
    _draw_models(axes, condition.series("hull"), condition)
    iso = condition.series("iso-performance line")
    axes.plot(iso["x"], iso["y"], **DASHED)
    _draw_points(axes, ("fp", "tp"), condition)
    best = condition.models.iloc[0]
    words = f"dashed: every point costs\n{best['cost']:.3f} at this PC(+);\nno hull lies above it"
    look: dict[str, Any] = {"size": style.SMALL, "color": style.NOTE, "linespacing": 1.35}
    axes.text(0.97, 0.04, words, ha="right", va="bottom", **look)


def _draw_cost(axes: Axes, condition: _Condition) -> None:
    envelopes = condition.series("envelope")
    spaces.cost_space(axes, *condition.scale)
    axes.set(xlabel=spaces.PC, ylabel=spaces.NEC)
    axes.axvline(condition.pc, **DASHED)
    _draw_models(axes, envelopes, condition)
    thin = {"color": condition.context.line(condition.coloured[0])["color"], "linewidth": 0.5}
    lines = condition.series("line")
    for start in range(0, len(lines), 2):
        ends = lines.iloc[start : start + 2]
        axes.plot(ends["x"], ends["y"], alpha=0.6, zorder=2, **thin)
    lowest = condition.series("lowest line")
    axes.plot(lowest["x"], lowest["y"], color=style.INK, linewidth=1.1, zorder=4)
    _draw_points(axes, ("pc", "cost"), condition)
    _name_cost(axes, condition)


def _name_cost(axes: Axes, condition: _Condition) -> None:
    """Write the lowest cost beside the upright, if no curve runs where the words would be."""
    width, height = (
        inch / side for inch, side in zip((0.95, 0.3), sheet.inches(axes), strict=True)
    )
    right = condition.pc <= 0.5
    x = condition.pc + (0.03 if right else -0.03)
    y = _free_height(condition, (x, x + width) if right else (x - width, x), height)
    if y is None:
        return
    best = condition.models.iloc[0]
    axes.text(
        x,
        y,
        f"cost {best['cost']:.3f}\nFP {best['fp']:.2f}, TP {best['tp']:.2f}",
        ha="left" if right else "right",
        va="center",
        size=style.SMALL,
        linespacing=1.35,
        transform=axes.get_xaxis_transform(),
        zorder=7,
        bbox={"boxstyle": "square,pad=0.2", "facecolor": "white", "linewidth": 0, "alpha": 0.85},
    )


def _free_height(condition: _Condition, span: tuple[float, float], height: float) -> float | None:
    """Find where, best low down, words over a span of PC(+) meet no curve, as a share of y."""
    columns = np.linspace(*span, 21)
    drawn = pd.concat([condition.series("envelope"), condition.series("lowest line")])
    lines = [rows for _, rows in drawn.groupby(["series", "model"], sort=False)]
    heights = [np.interp(columns, rows["x"], rows["y"]) for rows in lines]
    heights.append(np.minimum(columns, 1 - columns))
    places = np.array(heights) / condition.scale[0]
    tried = (0.12, 0.2, 0.08, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
    return next((y for y in tried if (np.abs(places - y) > 0.7 * height).all()), None)


def _draw_models(axes: Axes, rows: pd.DataFrame, condition: _Condition) -> None:
    for model, vertices in rows.groupby("model", sort=False):
        look: dict[str, Any] = {"color": style.GREYED, "linewidth": 0.7, "zorder": 2}
        if model in condition.coloured:
            look = {**condition.context.line(str(model)), "linewidth": 1.7, "zorder": 3}
        axes.plot(vertices["x"], vertices["y"], **look)


def _draw_points(axes: Axes, columns: tuple[str, str], condition: _Condition) -> None:
    for model in reversed(condition.coloured):
        x, y = condition.models.loc[model, list(columns)].to_numpy(float)
        best = model == condition.coloured[0]
        axes.plot(
            x,
            y,
            marker="o",
            markersize=7 if best else 5,
            markerfacecolor=condition.context.line(model)["color"],
            markeredgecolor=style.INK if best else "white",
            markeredgewidth=1.2 if best else 0.7,
            clip_on=False,
            zorder=6,
        )


def _read_out(figure: Figure, top: float, condition: _Condition) -> None:
    """List the models at the condition: cost, rates, and what decides there."""
    coloured = condition.coloured
    size, numbers = _read_out_layout(coloured)
    for heading, left in zip(("cost", "FP", "TP"), numbers, strict=True):
        sheet.note(figure, left, top, heading, ha="right")
    sheet.note(figure, numbers[-1] + 0.3, top, "operating point")
    for number, model in enumerate(coloured):
        y, point = top + (number + 1) * LINE, condition.models.loc[model]
        sheet.key(figure, LEFT, y, 0.36, linewidth=1.7, **condition.context.line(model))
        sheet.write(figure, LEFT + 0.44, y, model, size=size)
        for column, left in zip(("cost", "fp", "tp"), numbers, strict=True):
            sheet.write(figure, left, y, f"{point[column]:.3f}", size=style.SMALL, ha="right")
        sheet.write(figure, numbers[-1] + 0.3, y, str(point["holder"]), size=style.SMALL)
    if len(coloured) < len(condition.models):
        others = f"grey: the {len(condition.models) - len(coloured)} others, none cheaper"
        sheet.note(figure, LEFT + 0.44, top + (len(coloured) + 1) * LINE, others)


def _read_out_layout(models: Sequence[str]) -> tuple[float, list[float]]:
    """Choose the names' size, and where the columns of numbers end."""
    widest = max(style.text_width(model, style.SMALL) for model in models)
    room = min(max(widest, 1.2), 2.9)
    numbers = [LEFT + 0.44 + room + 0.55 + 0.5 * column for column in range(3)]
    return style.SMALL * min(1.0, room / widest), numbers
