"""One operating condition in ROC space and in cost space."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from costcurves import formats
from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Context, Row, Tables
from costcurves.figures.kind import Shown, figure_kind, written
from costcurves.figures.polylines import cost_lines, cost_vertices, roc_vertices
from costcurves.figures.sheet import LEFT, LINE, TOP
from costcurves.maths.geometry.cost_space import ratio_from_pc
from costcurves.tables.curves.headline import constant_decision, estimates_of, headline_of
from costcurves.tables.keys import ALWAYS, FIXED, IN_SAMPLE

COLOURED: Final = 5  # with more models than this, only the cheapest at the condition are coloured
CHEAPEST: Final = 3
HEIGHTS: Final = (2.6, 1.9)  # of the axes of one condition, and of each of two: no more are drawn
NEIGHBOURS: Final = 3  # lines drawn of vertices on either side of the cheapest point
HEAD, FOOT = 0.42, 0.64  # above the squares: condition and titles; below: labels, then the list
PROMISED: Final[dict[str, Any]] = {"linewidth": 0.9, "zorder": 3}
JUDGED: Final[dict[str, Any]] = {"linewidth": 1.9, "zorder": 3.5}


def duality_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Headlines, hulls, envelopes, and what touches them at up to two conditions."""
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
        _part(cost_lines(_neighbours(models, hulls)), "cost", "line", "pc", "nec"),
        _part(cost_lines(cheapest), "cost", "lowest line", "pc", "nec"),
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


@dataclass(frozen=True)
class _Condition:
    """What is drawn of one operating condition: its rows, and its models, the cheapest first."""

    rows: pd.DataFrame
    models: pd.DataFrame  # by name: pc, cost, promised, fp, tp, holder
    context: Context

    @classmethod
    def of(cls, data: pd.DataFrame, name: str, context: Context) -> "_Condition":
        rows = data[data["condition"].isin(["", name])]
        points = dict(list(rows.set_index("model").groupby(["space", "series"])))
        roc, promised = points["roc", "point"], points["cost", "point"]
        judged = points["cost", "judged"]
        models = pd.DataFrame(
            {"pc": judged["x"], "cost": judged["y"], "promised": promised["y"]}
            | {"fp": roc["x"], "tp": roc["y"], "holder": roc["holder"]}
        )
        in_order = models.reindex([model for model in context.models if model in models.index])
        return cls(rows, in_order.sort_values("cost", kind="stable"), context)

    @property
    def coloured(self) -> list[str]:
        return [str(model) for model in self.models.index[: _coloured(len(self.models))]]

    def series(self, *names: str) -> pd.DataFrame:
        return self.rows[self.rows["series"].isin(names)]

    def constant(self, space: str) -> pd.DataFrame:
        """Select the constant decision in a space; there is none where a model is cheapest."""
        rows = self.series("constant")
        return rows[rows["space"] == space]


def _coloured(count: int) -> int:
    return count if count <= COLOURED else CHEAPEST


def _costs(shown: Shown[Context]) -> Iterator[Row]:
    """Give what each model costs under each condition, the cheapest first, and what is promised.

    A constant decision that is cheaper comes before them.
    """
    kinds = {row["model"]: row["estimate"] for row in shown.headline}
    known = shown.tables["intervals"].set_index(["model", "condition"])
    costs = known.loc[known["quantity"] == "cost", "value"].to_dict()
    for (name, at), points in groupby(shown.rows("duality"), itemgetter("condition", "pc")):
        rows = [
            {**row, "estimate": kinds[row["model"]], "costs": costs[row["model"], name]}
            for row in points
        ]
        rows.sort(key=itemgetter("costs"))
        if constant := constant_decision(at, rows[0]["costs"]):
            yield {"condition": name, "holder": constant, "costs": min(at, 1 - at)}
        yield from rows


@figure_kind(duality_data, _costs, ("headline", "envelopes", "duality"))
def duality(data: pd.DataFrame, context: Context) -> Figure:
    """Draw hulls and cost curves side by side, a row for each marked operating condition."""
    names = [str(name) for name in data.loc[data["series"] == "point", "condition"].unique()]
    listed = 1 + _coloured(len(context.models)) + (len(context.models) > COLOURED)
    listed += "constant" in set(data["series"])
    tall = HEIGHTS[len(names) - 1]
    height = HEAD + tall + FOOT + listed * LINE + 0.1
    shown, count = len(names), len(context.conditions)
    some = f"; {shown} of {count} marked conditions" if shown < count else ""
    how = f"thick: {context.chosen(data)}"
    thin = f"thin, dots in ROC space: in hindsight (in-sample), all predictions pooled{some}"
    statement = written(duality.words.title, several=shown > 1)
    figure = sheet.sheet(TOP + len(names) * height, context.title, statement, how, thin)
    for place, name in enumerate(names):
        condition, top = _Condition.of(data, name, context), TOP + place * height
        _name_condition(figure, top + 0.06, name, condition)
        shown_in = "ROC space: a point of the hull", "Cost space: the lowest line"
        roc, costs = spaces.both_spaces(figure, top + HEAD, tall, *shown_in)
        _draw_roc(roc, condition)
        _draw_cost(costs, condition)
        _read_out(figure, top + HEAD + tall + FOOT, condition)
    return figure


def _name_condition(figure: Figure, top: float, name: str, condition: _Condition) -> None:
    pc, prior = float(condition.models["pc"].iloc[0]), condition.context.prior
    ratio = formats.ratio(float(ratio_from_pc(pc, prior)))
    at = f"at p(+) = {formats.cost(prior)}"
    costs = f"cost of a miss : cost of a false alarm = {ratio} {at}"
    rest = costs if name == formats.condition(pc) else f"PC(+) = {formats.pc(pc)}, {costs}"
    sheet.remark(figure, top, style.shorten(name, 1.5, style.SMALL, "bold"), rest)


def _draw_roc(axes: Axes, condition: _Condition) -> None:
    _draw_models(axes, condition.series("hull"), condition, PROMISED)
    iso = condition.series("iso-performance line")
    axes.plot(iso["x"], iso["y"], **spaces.DASHED)
    _draw_points(axes, ("fp", "tp"), condition)
    _draw_constant(axes, "roc", condition)
    constant = condition.constant("cost")
    if len(constant):
        cost, name = formats.cost(constant["y"].iloc[0]), constant["holder"].iloc[0]
        said = f"dashed: every point costs\n{cost} at this PC(+),\nas {name}"
    else:
        promised = f"{formats.cost(condition.models['promised'].iloc[0])} in-sample at this PC(+)"
        said = f"dashed: every point costs\n{promised};\nit touches the cheapest's hull"
    look: dict[str, Any] = {"size": style.SMALL, "color": style.NOTE, "linespacing": 1.35}
    axes.text(0.97, 0.04, said, ha="right", va="bottom", **look)


def _draw_cost(axes: Axes, condition: _Condition) -> None:
    highest = float(condition.series("envelope", "headline")["y"].max())
    spaces.cost_space(axes, *style.round_top(highest))
    axes.axvline(condition.models["pc"].iloc[0], **spaces.DASHED)
    _draw_models(axes, condition.series("envelope"), condition, PROMISED)
    _draw_models(axes, condition.series("headline"), condition, JUDGED)
    color, lines = condition.context.colour(condition.coloured[0]), condition.series("line")
    for start in range(0, len(lines), 2):
        ends = lines.iloc[start : start + 2]
        axes.plot(ends["x"], ends["y"], alpha=0.6, zorder=2, color=color, linewidth=0.5)
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
    """Mark what models cost, or promise (`small`); the cheapest has a dark edge."""
    for place, model in reversed(list(enumerate(condition.coloured))):
        x, y = condition.models.loc[model, list(columns)].to_numpy(float)
        best = place == 0 and not small and condition.constant("cost").empty
        axes.plot(
            x,
            y,
            marker="o",
            markersize=3 if small else 7 if best else 5,
            markerfacecolor=condition.context.colour(model),
            markeredgecolor=style.INK if best else "white",
            markeredgewidth=1.2 if best else 0.7,
            clip_on=False,
            zorder=6,
        )


def _draw_constant(axes: Axes, space: str, condition: _Condition) -> None:
    rows = condition.constant(space)
    look: dict[str, Any] = {"marker": "o", "markersize": 7, "color": style.INK, "zorder": 6}
    axes.plot(rows["x"], rows["y"], linestyle="none", clip_on=False, **look)


def _read_out(figure: Figure, top: float, condition: _Condition) -> None:
    """List what is cheapest first: cost, what is promised, rates, and what decides there."""
    coloured, models = condition.coloured, condition.models
    widest = max(style.text_width(model, style.SMALL) for model in coloured)
    room = min(max(widest, 1.2), 2.3)
    size = style.SMALL * min(1.0, room / widest)
    left = LEFT + 0.44
    columns = {"cost": 0.55, "promised": 1.15, "fp": 1.65, "tp": 2.15}
    numbers = {name: left + room + right for name, right in columns.items()}
    points = numbers["tp"] + 0.3
    sheet.note(figure, LEFT, top, "cheapest first")
    heads = {"fp": "FP", "tp": "TP", "promised": "hindsight"}
    for name, right in numbers.items():
        sheet.note(figure, right, top, heads.get(name, name), ha="right")
    sheet.note(figure, points, top, "operating point")
    for _, decision in condition.constant("cost").iterrows():
        top += LINE
        sheet.write(figure, left, top, decision["holder"], size=style.SMALL)
        cost = formats.cost(decision["y"])
        sheet.write(figure, numbers["cost"], top, cost, size=style.SMALL, ha="right")
        sheet.note(figure, points, top, "no-model baseline")
    for model in coloured:
        top += LINE
        sheet.key(figure, LEFT, top, 0.36, linewidth=1.7, **condition.context.line(model))
        sheet.write(figure, left, top, model, size=size)
        for name, right in numbers.items():
            number = formats.cost(float(models[name][model]))
            sheet.write(figure, right, top, number, size=style.SMALL, ha="right")
        sheet.write(figure, points, top, str(models["holder"][model]), size=style.SMALL)
    if len(coloured) < len(models):
        others = f"grey: the {len(models) - len(coloured)} others, none cheaper"
        sheet.note(figure, left, top + LINE, others)
