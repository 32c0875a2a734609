"""Cost curves, unweighted and weighted by cost, side by side, and who gains by the costs."""

from collections.abc import Mapping
from operator import itemgetter
from typing import Final

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from costcurves import formats
from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Context, Tables, kinds
from costcurves.figures.cost_figures import bands_in_words, draw_curves, edges_of, together
from costcurves.figures.kind import figure_kind
from costcurves.figures.polylines import cost_vertices, thinned
from costcurves.figures.sheet import LEFT, LINE, TOP
from costcurves.tables.curves.headline import headline_of
from costcurves.tables.keys import ALWAYS

Order = dict[tuple[str, str], float]  # series and model, and what it costs

UNWEIGHTED, BY_COST = "unweighted", "by cost"
TITLES: Final = {UNWEIGHTED: "Unweighted", BY_COST: "Weighted by cost"}
BESIDE: Final = ("headline", "bands")  # stages whose unweighted tables are needed, too
RANKED: Final = 20  # models in the list, the cheapest by cost
GAP: Final = 0.3
HEIGHT: Final = 2.5
FIRST: Final = TOP + 0.32  # where the panels begin
LIST: Final = FIRST + HEIGHT + 0.68  # baseline of the words above the list
COST: Final = 0.36  # room for a cost
AIR: Final = 0.05  # between a cost and the line beside it
SHIFT: Final = 0.035  # from the baseline of words up to the middle of their letters
NAMED: Final = ["series", "model", "estimate", "method", "confidence"]
KEYS: Final = ["view", *NAMED]


def with_original(tables: Tables, original: Tables) -> Tables:
    """Add what is drawn beside a dataset weighted by cost: tables of its original."""
    return {**tables, **{f"original_{it}": original[it] for it in BESIDE}}


def cost_views_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Curves of both views, and what each model costs at the PC(+) that the costs imply."""
    pc = float(tables["instance_costs"]["pc"].iloc[0])
    original = {stage: tables[f"original_{stage}"] for stage in BESIDE}
    parts = [_view(UNWEIGHTED, original, pc, context), _view(BY_COST, tables, pc, context)]
    data = pd.concat(parts, ignore_index=True)
    top, _ = style.round_top(float(data["nec"].max()))
    return thinned(data, KEYS, (_width(), HEIGHT / top))


def _view(view: str, tables: Tables, pc: float, context: Context) -> pd.DataFrame:
    head, bands = tables["headline"], edges_of(tables["bands"])
    pieces = [head.assign(series="headline", method="", confidence=np.nan)]
    pieces += [bands] if together(context) else []
    curves = cost_vertices(pd.concat(pieces), NAMED)
    costs = [("implied", model, float(curve(pc))) for model, curve in headline_of(head).items()]
    costs.append(("trivial", ALWAYS[pc > 0.5], min(pc, 1 - pc)))
    implied = pd.DataFrame(costs, columns=["series", "model", "nec"])
    implied = implied.assign(estimate="", method="", confidence=np.nan, pc=pc)
    return pd.concat([curves, implied]).assign(view=view)[[*KEYS, "pc", "nec"]]


@figure_kind(
    cost_views_data,
    lambda it: sorted(it.rows("instance_costs"), key=itemgetter("nec")),
    ("headline", "bands", "instance_costs"),
    always=True,
)
def cost_views(data: pd.DataFrame, context: Context) -> Figure:
    """Draw the cost curves of both views on the same axes, and who is cheapest at these costs."""
    orders = _orders(data)
    height = LIST + (max(map(len, orders.values())) + 1) * LINE + 0.1
    notes = [bands_in_words(data)] if (data["method"] != "").any() else []
    texts = cost_views.words.title, _chosen(data, context), *notes
    figure = sheet.sheet(height, context.title, *texts)
    scale = style.round_top(float(data["nec"].max()))
    for place, view in enumerate(TITLES):
        _panel(figure, place, data[data["view"] == view], context, scale)
        sheet.heading(figure, LEFT + place * (_width() + GAP), FIRST - 0.26, TITLES[view])
    some = f", the {RANKED} cheapest by cost" if len(context.models) > RANKED else ""
    at = f"PC(+) = {formats.pc(_pc(data))}"
    heading = f"normalized expected cost at {at}, the cheapest first{some}"
    sheet.paragraph(figure, LIST, sheet.lines(heading))
    for one in orders[BY_COST]:
        _write_row(figure, one, orders, context)
    return figure


def _width() -> float:
    return (sheet.room() - GAP) / 2


def _ends() -> tuple[float, float]:
    """Where both columns of costs end."""
    left, right = sheet.margins()
    half = min(0.75, (right - left) / 2 - 1.48)  # a name and a cost have 1.48 inches
    return (left + right) / 2 - half, (left + right) / 2 + half


def _chosen(data: pd.DataFrame, context: Context) -> str:
    """Say how thresholds were chosen, of each view where they differ, and the counts."""
    how = {view: kinds(data[data["view"] == view]) for view in TITLES}
    if len(set(how.values())) == 1:
        return context.chosen(data)
    each = "; ".join(f"{TITLES[view].lower()}: {said}" for view, said in how.items())
    return f"{each}; {context.counts}"


def _panel(
    figure: Figure, place: int, data: pd.DataFrame, context: Context, scale: tuple[float, float]
) -> None:
    left, pc = LEFT + place * (_width() + GAP), _pc(data)
    axes = sheet.panel(figure, left, FIRST, _width(), HEIGHT)
    spaces.cost_space(axes, *scale, coarse=True)
    spaces.name_trivial(axes)
    axes.axvline(pc, color=style.INK, linewidth=0.8, zorder=2)
    spaces.mark_conditions(axes, [(f"these costs: PC(+) = {formats.pc(pc)}", pc)])
    axes.set(xlabel=spaces.PC, ylabel="" if place else spaces.NEC)
    axes.tick_params(labelleft=not place)
    draw_curves(axes, data, context)


def _pc(data: pd.DataFrame) -> float:
    """Read the PC(+) that the costs imply."""
    return float(data.loc[data["series"] == "trivial", "pc"].iloc[0])


def _orders(data: pd.DataFrame) -> dict[str, Order]:
    """Give for each view who costs what at the implied PC(+), the cheapest (by cost) first."""
    marked = data[data["series"].isin(["implied", "trivial"])].sort_values("nec", kind="stable")
    orders: dict[str, Order] = {view: {} for view in TITLES}
    for view, *one, cost in marked[["view", "series", "model", "nec"]].itertuples(index=False):
        orders[view][*one] = cost
    models = [one for one in orders[BY_COST] if one[0] == "implied"]
    shown = orders[BY_COST].keys() - set(models[RANKED:])
    return {
        view: {one: cost for one, cost in order.items() if one in shown}
        for view, order in orders.items()
    }


def _write_row(
    figure: Figure, one: tuple[str, str], orders: Mapping[str, Order], context: Context
) -> None:
    """Write a model at its place in the orders that have it, and join the two by a line."""
    series, model = one
    trivial = series == "trivial"
    named = {"color": style.NOTE} if trivial else context.words(model)
    line = {"color": style.QUIET} if trivial else context.line(model)
    tops, ends = [], _ends()
    names = ends[0] - COST, ends[1] + COST
    shown = style.shorten(model, names[0] - style.LEFT, style.SMALL, "bold")
    for end, ha, name, order in zip(ends, ("right", "left"), names, orders.values(), strict=True):
        if one in order:
            tops.append(LIST + LINE * (list(order).index(one) + 1.1))
            sheet.note(figure, end, tops[-1], formats.cost(order[one]), ha=ha)
            sheet.note(figure, name, tops[-1], shown, ha=ha, **named)
    if len(tops) == len(orders):
        across, down = figure.get_size_inches()
        x = [(ends[0] + AIR) / across, (ends[1] - AIR) / across]
        y = [1 - (top - SHIFT) / down for top in tops]
        figure.add_artist(Line2D(x, y, linewidth=1.6, **line))
