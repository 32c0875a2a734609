"""How to read a cost curve: how that of one model comes about, and a point with its line."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Context, Row, Tables
from costcurves.figures.cost_figures import KEYS, bands_in_words, draw_bands, edges_of
from costcurves.figures.fold_figures import AVERAGE, averaged, fold_looks, folds_data
from costcurves.figures.kind import Shown, figure_kind
from costcurves.figures.polylines import cost_lines, cost_vertices, joined, roc_vertices, thinned
from costcurves.figures.sheet import LEFT, LINE, TOP
from costcurves.formats import cost, pc
from costcurves.tables.keys import CROSS_FITTED

HEIGHT: Final = 2.3
TEXTS: Final = {"series": "", "estimate": "", "method": ""}
POINT: Final[dict[str, Any]] = {"color": style.INK, "linewidth": 1.2, "zorder": 5}
FOLD: Final[dict[str, Any]] = {"color": style.GREYED, "linewidth": 0.4, "alpha": 0.6, "zorder": 1.1}
DOT: Final[dict[str, Any]] = {"marker": "o", "markersize": 6, "linestyle": "none"}


def reading_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Folds, average, headline and band of one model; its pooled hull; a point, and its line."""
    point = example(tables, context.ranked)
    model = str(point["model"].iloc[0])
    used = "envelopes", "averages", "headline", "bands"
    own = {it: rows[rows["model"] == model] for it, rows in tables.items() if it in used}
    pooled = own["envelopes"][own["envelopes"]["level"] == "pooled"]
    edges = cost_vertices(edges_of(own["bands"]), KEYS)
    top, _ = style.round_top(float(edges["nec"].max()))
    parts = [
        folds_data(own, replace(context, models=(model,))),
        thinned(edges, KEYS, (spaces.SIDE, HEIGHT / top)),
        roc_vertices(pooled, ["model"]).assign(series="hull"),
        point[["model", "fp", "tp"]].assign(series="point"),
        cost_lines(point)[["model", "pc", "nec"]].assign(series="line"),
        point[["model", "pc", "nec"]].assign(series="point"),
    ]
    named = [
        rows.rename(columns={x: "x", y: "y"}).assign(space=space)
        for rows in parts
        for space, x, y in (("roc", "fp", "tp") if "fp" in rows else ("cost", "pc", "nec"),)
    ]
    names = ["space", *KEYS, "number", "x", "y"]
    return pd.concat(named, ignore_index=True).reindex(columns=names).fillna(TEXTS)


def example(tables: Tables, ranked: Sequence[str]) -> pd.DataFrame:
    """Give the point to show (a row of `duality`), of the cheapest model that is cross-fitted.

    It is that of the condition at which it saves most against a no-model baseline, in hindsight.
    """
    head, marked = tables["headline"], tables["duality"]
    fitted = set(head.loc[head["estimate"] == CROSS_FITTED, "model"])
    own = marked[marked["model"] == next(model for model in ranked if model in fitted)]
    saved = np.minimum(own["pc"], 1 - own["pc"]) - own["nec"]
    return own.loc[[saved.idxmax()]]


def _point(shown: Shown[Context]) -> list[Row]:
    """Read the point that is shown, and give its model's areas."""
    point = shown.data[shown.data["series"] == "point"].set_index("space")
    (fp, tp), (pc, nec) = (point.loc[it, ["x", "y"]].to_numpy(float) for it in ("roc", "cost"))
    known = {"fp": fp, "tp": tp, "pc": pc, "nec": nec}
    return [{**row, **known} for row in averaged(shown) if row["model"] in set(point["model"])]


@figure_kind(
    reading_data,
    _point,
    ("envelopes", "averages", "headline", "bands", "duality"),
    tells=lambda tables: tables["headline"]["estimate"].eq(CROSS_FITTED).any(),
    once=True,
    always=True,
)
def reading(data: pd.DataFrame, context: Context) -> Figure:
    """Draw a point in ROC space beside its line, among what the curve of its model comes from."""
    model = str(data["model"].iloc[0])
    costs = data[data["space"] == "cost"].rename(columns={"x": "pc", "y": "nec"})
    notes = context.counts, bands_in_words(costs)
    looks = fold_looks(context.line(model))
    named = {
        **({"fold": "one fold: its lower envelope"} if context.all_folds > 1 else {}),
        AVERAGE: f"{context.averaged_over('fold')}, in hindsight",
        "headline": "cross-fitted: the cost to expect",
        "line": "the line of the point",
    }
    looks["fold"] = FOLD
    looks["line"] = {**POINT, "linestyle": spaces.DASHED["linestyle"]}
    listed = sheet.series_places([*named.values()])[-1][0]
    first = TOP + (2 + listed) * LINE + 0.28  # beneath a name, a list of lines, and titles
    height = first + HEIGHT + 0.5
    figure = sheet.sheet(height, context.title, reading.words.title, *notes)
    sheet.key(figure, LEFT, TOP, 0.34, linewidth=1.8, **context.line(model))
    sheet.name(figure, LEFT + 0.4, TOP, model, sheet.room() - 0.4, **context.words(model))
    entries = [(words, looks[one]) for one, words in named.items()]
    sheet.series_list(figure, TOP + LINE, entries)
    titles = "ROC space: a point", "Cost space: its line"
    roc, space = spaces.both_spaces(figure, first, HEIGHT, *titles)
    hull, dot = (
        data[(data["space"] == "roc") & (data["series"] == it)] for it in ("hull", "point")
    )
    roc.plot(hull["x"], hull["y"], **{**context.line(model), "linewidth": 0.9})
    roc.plot(dot["x"], dot["y"], **POINT, **DOT)
    fp, tp = dot[["x", "y"]].to_numpy(float)[0]
    highest = float(costs["nec"].where(costs["series"] != "line").max())
    spaces.cost_space(space, *style.round_top(highest))
    draw_bands(space, costs, replace(context, models=(model,)))
    for series, rows in costs.groupby("series", sort=False):
        if series in looks:
            number = rows[["number", "pc", "nec"]].fillna({"number": 0})
            space.plot(*joined(number, ["number"]), **looks[str(series)])
    at = costs[costs["series"] == "point"]
    space.plot(at["pc"], at["nec"], **POINT, **DOT)
    x, y = at[["pc", "nec"]].to_numpy(float)[0]
    said = (
        f"FP {cost(fp)}, TP {cost(tp)}: its line\nruns from {cost(fp)} to {cost(1 - tp)},\n"
        f"{cost(y)} at PC(+) = {pc(x)}"
    )
    look: dict[str, Any] = {"size": style.SMALL, "color": style.NOTE, "linespacing": 1.35}
    roc.text(0.97, 0.04, said, ha="right", va="bottom", **look)
    return figure
