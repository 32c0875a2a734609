"""One operating condition in ROC space and in cost space."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from costcurves import formats
from costcurves.figures import sheet, spaces, style, words
from costcurves.figures.context import Context
from costcurves.figures.polylines import cost_vertices, roc_vertices
from costcurves.figures.sheet import LEFT, LINE, ROOM, TOP
from costcurves.maths.cost_space import ratio_from_pc
from costcurves.tables.curves.headline import constant_decision, estimates_of, headline_of
from costcurves.tables.keys import ALWAYS, FIXED, IN_SAMPLE

Tables = Mapping[str, pd.DataFrame]

COLOURED: Final = 5  # with more models than this, only the cheapest at the condition are coloured
CHEAPEST: Final = 3
SIDE: Final = 2.6  # width of each of the two axes
HEIGHTS: Final = (2.6, 1.9)  # of the axes of one condition, and of each of two: no more are drawn
NEIGHBOURS: Final = 3  # lines drawn of vertices on either side of the cheapest point
PROMISE: Final = (
    "thin, dots in ROC space: in-sample promise, chosen and judged on all predictions pooled"
)
COST_LEFT: Final = LEFT + ROOM - SIDE
HEAD, FOOT = 0.42, 0.64  # above the squares: condition and titles; below: labels, then the list
PROMISED: Final[dict[str, Any]] = {"linewidth": 0.9, "zorder": 3}
JUDGED: Final[dict[str, Any]] = {"linewidth": 1.9, "zorder": 3.5}
DASHED: Final[dict[str, Any]] = {
    "color": style.INK,
    "linewidth": 1.0,
    "linestyle": (0, (4, 2)),
    "zorder": 5,
}


def duality_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Headlines, hulls, envelopes and what touches them, with `x`, `y` as the last columns.

    Of at most two conditions: each model's cheapest "point" of its hull and what its headline costs
    there ("judged"); lines of the model with the lowest headline, or "constant": the constant
    decision where no headline is cheaper.
    """
    pooled = tables["envelopes"][tables["envelopes"]["level"] == "pooled"]
    pooled = pooled[pooled["model"].isin(context.models)]
    head = tables["headline"][tables["headline"]["model"].isin(context.models)]
    marked = tables["duality"][tables["duality"]["model"].isin(context.models)]
    names = marked["condition"].drop_duplicates().iloc[: len(HEIGHTS)]
    marked = marked[marked["condition"].isin(names)]
    marked = marked.drop_duplicates(["condition", "model"], ignore_index=True)
    judged = _judged(marked, head)
    best = judged.loc[judged.groupby("condition", sort=False)["nec"].idxmin()]
    constant = _constant(best)
    models = marked.loc[best.index.difference(constant.index, sort=False)]
    cheapest = pd.concat([models, constant])
    hulls = roc_vertices(pooled, ["model"])
    parts = [
        _part(hulls, "roc", "hull", "fp", "tp"),
        _part(cost_vertices(pooled, ["model"]), "cost", "envelope", "pc", "nec"),
        _part(cost_vertices(head, ["model", "estimate"]), "cost", "headline", "pc", "nec"),
        _part(_iso_performance(cheapest), "roc", "iso-performance line", "fp", "tp"),
        _part(_cost_lines(_neighbours(models, hulls)), "cost", "line", "pc", "nec"),
        _part(_cost_lines(cheapest), "cost", "lowest line", "pc", "nec"),
        _part(marked, "roc", "point", "fp", "tp"),
        _part(marked, "cost", "point", "pc", "nec"),
        _part(judged, "cost", "judged", "pc", "nec"),
        _part(constant, "roc", "constant", "fp", "tp"),
        _part(constant, "cost", "constant", "pc", "nec"),
    ]
    return pd.concat([part for part in parts if len(part)], ignore_index=True)


def _part(rows: pd.DataFrame, space: str, series: str, x: str, y: str) -> pd.DataFrame:
    texts = {name: rows.get(name, "") for name in ("condition", "model", "holder")}
    texts["estimate"] = rows.get("estimate", IN_SAMPLE)
    place = {"x": rows[x].astype(float), "y": rows[y].astype(float)}
    return pd.DataFrame({"space": space, "series": series, **texts, **place})


def _judged(marked: pd.DataFrame, head: pd.DataFrame) -> pd.DataFrame:
    """Give what each model's headline costs at the conditions."""
    curves, kinds = headline_of(head), estimates_of(head)
    both = zip(marked["model"], marked["pc"], strict=True)
    costs = [curves[str(model)](float(pc)) for model, pc in both]
    estimate = marked["model"].map(kinds)
    return marked[["condition", "pc", "model"]].assign(estimate=estimate, nec=costs)


def _constant(best: pd.DataFrame) -> pd.DataFrame:
    """Give the constant decision at each condition under which no headline is cheaper."""
    both = zip(best["pc"], best["nec"], strict=True)
    found = best.assign(holder=[constant_decision(*one) for one in both], model="", estimate=FIXED)
    found = found[found["holder"] != ""]
    pc, rate = found["pc"], found["holder"].eq(ALWAYS[1]).astype(float)
    nec = np.minimum(pc, 1 - pc)
    line = {"slope": 1 / pc.where(pc > 0) - 1, "intercept": 1 - nec / pc.where(pc > 0)}
    return found.assign(fp=rate, tp=rate, nec=nec, **line)


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
    models: pd.DataFrame  # by name: pc, cost, promised, fp, tp, holder
    context: Context

    @classmethod
    def of(cls, data: pd.DataFrame, name: str, context: Context) -> "_Condition":
        rows = data[data["condition"].isin(["", name])]
        points = rows[rows["series"].isin(["point", "judged"])].set_index("model")
        series = points.groupby(["space", "series"])
        roc, promised, judged = (
            series.get_group(key)
            for key in (("roc", "point"), ("cost", "point"), ("cost", "judged"))
        )
        models = pd.DataFrame(
            {"pc": judged["x"], "cost": judged["y"], "promised": promised["y"]}
            | {"fp": roc["x"], "tp": roc["y"], "holder": roc["holder"]}
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
        return style.round_top(float(self.series("envelope", "headline")["y"].max()))

    @property
    def constant(self) -> pd.DataFrame:
        """The constant decision that is cheapest, a row a space; none where a model is."""
        return self.series("constant")

    @property
    def cheapest(self) -> tuple[str, float]:
        """What is cheapest, and what it costs: a model by its headline, or a constant decision."""
        if len(self.constant):
            costs = self.constant[self.constant["space"] == "cost"].iloc[0]
            return str(costs["holder"]), float(costs["y"])
        return self.coloured[0], float(self.models["cost"].iloc[0])

    def series(self, *names: str) -> pd.DataFrame:
        return self.rows[self.rows["series"].isin(names)]


def _coloured(count: int) -> int:
    return count if count <= COLOURED else CHEAPEST


def duality(data: pd.DataFrame, context: Context) -> Figure:
    """Draw hulls and cost curves side by side, a row for each marked operating condition.

    Models are judged by their headlines (thick); hulls and envelopes (thin) are in-sample promises.
    The dashed line is the condition: the iso-performance line that touches the hull of the cheapest
    model, and the upright at which that point's line is its lowest.
    """
    names = [str(name) for name in data.loc[data["series"] == "point", "condition"].unique()]
    listed = 1 + _coloured(len(context.models)) + (len(context.models) > COLOURED)
    listed += "constant" in set(data["series"])
    tall = HEIGHTS[len(names) - 1]
    height = HEAD + tall + FOOT + listed * LINE + 0.1
    figure = sheet.sheet(TOP + len(names) * height)
    how = f"thick: {words.chosen_how(data)}; {context.counts}{_left_out(context, len(names))}"
    notes = (how, PROMISE)
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
    ratio = formats.ratio(float(ratio_from_pc(pc, prior)))
    at = f"at p(+) = {formats.cost(prior)}"
    costs = f"cost of a missed positive : cost of a false alarm = {ratio} {at}"
    shown = style.shorten(name, 1.5, style.SMALL, "bold")
    sheet.write(figure, LEFT, top, shown, size=style.SMALL, weight="bold")
    rest = costs if name == formats.condition(pc) else f"PC(+) = {formats.pc(pc)}, {costs}"
    left = LEFT + style.text_width(shown, style.SMALL, "bold") + 0.12
    sheet.note(figure, left, top, rest)


def _draw_roc(axes: Axes, condition: _Condition) -> None:
    spaces.roc_space(axes)
    axes.set(xlabel=spaces.FP, ylabel=spaces.TP)
    _draw_models(axes, condition.series("hull"), condition, PROMISED)
    iso = condition.series("iso-performance line")
    axes.plot(iso["x"], iso["y"], **DASHED)
    _draw_points(axes, ("fp", "tp"), condition)
    _draw_constant(axes, "roc", condition)
    if len(condition.constant):
        name, cost = condition.cheapest
        said = f"dashed: every point costs\n{formats.cost(cost)} at this PC(+),\nas {name}"
    else:
        promised = f"{formats.cost(condition.models['promised'].iloc[0])} in-sample at this PC(+)"
        said = f"dashed: every point costs\n{promised};\nit touches the cheapest's hull"
    look: dict[str, Any] = {"size": style.SMALL, "color": style.NOTE, "linespacing": 1.35}
    axes.text(0.97, 0.04, said, ha="right", va="bottom", **look)


def _draw_cost(axes: Axes, condition: _Condition) -> None:
    spaces.cost_space(axes, *condition.scale)
    axes.set(xlabel=spaces.PC, ylabel=spaces.NEC)
    axes.axvline(condition.pc, **DASHED)
    _draw_models(axes, condition.series("envelope"), condition, PROMISED)
    _draw_models(axes, condition.series("headline"), condition, JUDGED)
    thin = {"color": condition.context.line(condition.coloured[0])["color"], "linewidth": 0.5}
    lines = condition.series("line")
    for start in range(0, len(lines), 2):
        ends = lines.iloc[start : start + 2]
        axes.plot(ends["x"], ends["y"], alpha=0.6, zorder=2, **thin)
    lowest = condition.series("lowest line")
    axes.plot(lowest["x"], lowest["y"], color=style.INK, linewidth=1.1, zorder=4)
    _draw_points(axes, ("pc", "promised"), condition, small=True)
    _draw_points(axes, ("pc", "cost"), condition)
    _draw_constant(axes, "cost", condition)


def _draw_models(
    axes: Axes, rows: pd.DataFrame, condition: _Condition, look: dict[str, Any]
) -> None:
    for model, vertices in rows.groupby("model", sort=False):
        own: dict[str, Any] = {"color": style.GREYED, "linewidth": 0.7, "zorder": 2}
        if model in condition.coloured:
            own = {**condition.context.line(str(model)), **look}
        axes.plot(vertices["x"], vertices["y"], **own)


def _draw_points(
    axes: Axes, columns: tuple[str, str], condition: _Condition, *, small: bool = False
) -> None:
    for model in reversed(condition.coloured):
        x, y = condition.models.loc[model, list(columns)].to_numpy(float)
        best = model == condition.cheapest[0] and not small
        axes.plot(
            x,
            y,
            marker="o",
            markersize=3 if small else 7 if best else 5,
            markerfacecolor=condition.context.line(model)["color"],
            markeredgecolor=style.INK if best else "white",
            markeredgewidth=1.2 if best else 0.7,
            clip_on=False,
            zorder=6,
        )


def _draw_constant(axes: Axes, space: str, condition: _Condition) -> None:
    rows = condition.constant[condition.constant["space"] == space]
    look: dict[str, Any] = {"marker": "o", "markersize": 7, "color": style.INK, "zorder": 6}
    axes.plot(rows["x"], rows["y"], linestyle="none", clip_on=False, **look)


def _read_out(figure: Figure, top: float, condition: _Condition) -> None:
    """List what is cheapest first: cost, what is promised, rates, and what decides there."""
    coloured = condition.coloured
    size, numbers = _read_out_layout(coloured)
    sheet.note(figure, LEFT, top, "cheapest first")
    for heading, left in zip(("cost", "promised", "FP", "TP"), numbers, strict=True):
        sheet.note(figure, left, top, heading, ha="right")
    sheet.note(figure, numbers[-1] + 0.3, top, "operating point")
    for _, decision in condition.constant[condition.constant["space"] == "cost"].iterrows():
        top += LINE
        sheet.write(figure, LEFT + 0.44, top, decision["holder"], size=style.SMALL)
        cost = formats.cost(decision["y"])
        sheet.write(figure, numbers[0], top, cost, size=style.SMALL, ha="right")
        sheet.note(figure, numbers[-1] + 0.3, top, "a constant decision")
    for place, model in enumerate(coloured):
        y, point = top + (place + 1) * LINE, condition.models.loc[model]
        sheet.key(figure, LEFT, y, 0.36, linewidth=1.7, **condition.context.line(model))
        sheet.write(figure, LEFT + 0.44, y, model, size=size)
        for column, left in zip(("cost", "promised", "fp", "tp"), numbers, strict=True):
            number = formats.cost(float(condition.models[column][model]))
            sheet.write(figure, left, y, number, size=style.SMALL, ha="right")
        sheet.write(figure, numbers[-1] + 0.3, y, str(point["holder"]), size=style.SMALL)
    if len(coloured) < len(condition.models):
        others = f"grey: the {len(condition.models) - len(coloured)} others, none cheaper"
        sheet.note(figure, LEFT + 0.44, top + (len(coloured) + 1) * LINE, others)


def _read_out_layout(models: Sequence[str]) -> tuple[float, list[float]]:
    """Choose the names' size, and where the columns of numbers end."""
    widest = max(style.text_width(model, style.SMALL) for model in models)
    room = min(max(widest, 1.2), 2.3)
    numbers = [LEFT + 0.44 + room + right for right in (0.55, 1.15, 1.65, 2.15)]
    return style.SMALL * min(1.0, room / widest), numbers
