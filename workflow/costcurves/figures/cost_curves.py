"""The cost curves of all models: thick where one is lowest, and where differences are shown."""

from functools import partial
from typing import Any, Final

import pandas as pd
from matplotlib.axes import Axes

from costcurves.figures import axes, style
from costcurves.figures.context import (
    OWN_COSTS,
    Condition,
    Context,
    Tables,
    confidence_of,
    leading,
    lowest,
    ruled_out,
    wins,
)
from costcurves.figures.polylines import (
    cost_part,
    covered,
    curve,
    cut,
    models_of,
    overlap,
    range_part,
    ranges,
    together,
    union,
)

NAME: Final = "cost_curves"
COLOURED: Final = 5  # models; the others stand back
BANDED: Final = 4
SEEN: Final = 0.004  # of PC(+): narrower thick parts are dots


def data(tables: Tables, context: Context) -> pd.DataFrame:
    """Return the curves, those that lead first, bands of four, and ranges of what is shown."""
    models = leading(tables, context)
    bands = tables["bands"]
    bands = bands[bands["extent"] == "pointwise"]
    parts = [cost_part("curve", tables["headline"], models)]
    for edge, rows in bands.groupby("edge"):
        parts.append(cost_part(str(edge), rows, models[:BANDED], rough=3))
    parts += [range_part("lowest", model, ranges) for model, ranges in lowest(tables).items()]
    if len(models) == 1:
        shown = overlap(ruled_out(tables), lowest(tables).get(models[0], []))
        parts.append(range_part("shown", models[0], shown))
    for win in wins(tables, context):
        parts.append(range_part("shown", win.cheaper, win.ranges, win.dearer))
    return together(parts)


def panels(data: pd.DataFrame, context: Context) -> list[axes.Panel]:
    """Return the panel of all models, and one of up to four with their bands."""
    models = models_of(data, "curve")
    first = partial(draw, data=data, context=context, models=models)
    if not len(data[data["series"] == "lower"]):
        return [first]
    if len(models) == 1:
        return [partial(first, banded=True)]
    return [first, partial(first, models=models[:BANDED], banded=True)]


def draw(
    ax: Axes,
    data: pd.DataFrame,
    context: Context,
    models: list[str],
    *,
    banded: bool = False,
) -> None:
    """Draw the curves of some models in cost space."""
    axes.cost_space(ax, context)
    front = models[:COLOURED]
    curves, others = {}, {}
    for model in models[::-1]:
        x, y = curve(data, "curve", model)
        if banded:
            axes.band(
                ax, curve(data, "lower", model), curve(data, "upper", model), context.colour(model)
            )
        if model not in front:
            ax.plot(x, y, color=style.GREYED, linewidth=0.6, zorder=1)
            others[model] = x, y
            continue
        ax.plot(x, y, zorder=2, **context.line(model, 0.9))
        for low, high in ranges(data, "lowest", model):
            if high - low > SEEN:
                look: axes.Look = {"color": context.colour(model), "linewidth": 2.4, "zorder": 3}
                ax.plot(*cut(x, y, low, high), solid_capstyle="butt", **look)
        curves[context.short[model]] = (x, y, context.colour(model))
    axes.bar(ax, _shown(data, models))
    own = [Condition(OWN_COSTS, context.own_costs, named=False)] if context.own_costs else []
    axes.mark_conditions(ax, own or context.named)
    axes.roof_words(ax)
    unnamed = axes.name_curves(ax, dict(reversed(curves.items())), others)
    entries = {
        context.short[model]: context.line(model, 1.6)
        for model in front
        if context.short[model] in unnamed
    }
    if len(models) > len(front):
        entries[f"{len(others)} other models"] = {"color": style.GREYED, "linewidth": 0.6}
    axes.key(ax, entries)


def _shown(data: pd.DataFrame, models: list[str]) -> list[tuple[float, float]]:
    """Join the ranges in which a difference between any two of some models is shown."""
    rows = data[(data["series"] == "shown") & data["model"].isin(models)]
    rows = rows[rows["other"].isin([*models, ""])]
    ends = rows["x"].to_numpy(float).reshape(-1, 2)
    return union([(float(low), float(high)) for low, high in ends])


def words(data: pd.DataFrame, tables: Tables, context: Context) -> dict[str, Any]:
    """Return what is shown, the widest range first, and where each model is lowest."""
    models = models_of(data, "curve")
    shown = data[data["series"] == "shown"]
    best = None
    if len(shown):
        of_leader = shown[shown["model"] == models[0]]
        cheaper, dearer = (of_leader if len(of_leader) else shown)[["model", "other"]].iloc[0]
        spans = ranges(data, "shown", cheaper, dearer)
        low, high = max(spans, key=lambda span: span[1] - span[0])
        best = {"cheaper": cheaper, "dearer": dearer, "low": low, "high": high}
    shares = {model: covered(ranges(data, "lowest", model)) for model in models}
    return {
        "models": models,
        "best": best,
        "shares": {model: share for model, share in shares.items() if share > SEEN},
        "confidence": confidence_of(tables["bands"]) if len(tables["bands"]) else None,
        "level": confidence_of(tables["in_the_running"]),
        "banded": models[:BANDED],
        "prior": context.prior,
    }
