"""The cost curves of all models: thick where one is lowest, and where differences are shown."""

from functools import partial
from typing import Any, Final

import pandas as pd
from matplotlib.axes import Axes

from costcurves.curves.bands import in_common
from costcurves.curves.conditions import Condition
from costcurves.figures import axes, style
from costcurves.figures.context import OWN_COSTS, Context, ruled_out
from costcurves.figures.polylines import (
    Ranges,
    cost_part,
    covered,
    curve,
    cut,
    filtered,
    models_of,
    range_part,
    ranges,
    together,
    union,
    widest,
)

NAME: Final = "cost_curves"
COLOURED: Final = 5  # models; the others stand back
BANDED: Final = 4
SEEN: Final = 0.004  # of PC(+): narrower thick parts are dots


def data(context: Context) -> pd.DataFrame:
    """Return the curves, those that lead first, bands of four, and ranges of what is shown."""
    models, below = context.leading, context.lowest
    bands = filtered(context.tables["bands"], extent="pointwise")
    parts = [cost_part("curve", context.tables["headline"], models)]
    parts.append(cost_part(bands["edge"], bands, models[:BANDED], top=1.5))
    parts += [range_part("lowest", model, ranges) for model, ranges in below.items()]
    if len(models) == 1:
        shown = in_common([ruled_out(context.tables), below.get(models[0], [])])
        parts.append(range_part("shown", models[0], shown))
    for (cheaper, dearer), spans in context.wins.items():
        parts.append(range_part("shown", cheaper, spans, dearer))
    return together(parts)


def panels(data: pd.DataFrame, _context: Context) -> dict[str, axes.Panel]:
    """Return the panel of all models, and one of up to four with their bands."""
    models = models_of(data, "curve")
    whole, banded = partial(draw, models=models), partial(draw, models=models[:BANDED], banded=True)
    if len(models) == 1:
        return {"": banded}
    return {"": whole, "with bands": banded} if models_of(data, "lower") else {"": whole}


def draw(
    ax: Axes, data: pd.DataFrame, context: Context, models: list[str], *, banded: bool = False
) -> None:
    """Draw the curves of some models in cost space."""
    axes.cost_space(ax, context)
    curves = {}
    for model in models[:COLOURED][::-1]:  # those that lead on top
        x, y = curve(data, "curve", model)
        colour = context.colour(model)
        if banded:
            edges = curve(data, "lower", model), curve(data, "upper", model)
            axes.band(ax, *edges, colour)
        (curves[context.short[model]],) = ax.plot(x, y, zorder=2, **context.line(model, 0.9))
        for low, high in ranges(data, "lowest", model):
            if high - low > SEEN:
                part = cut(x, y, low, high)
                ax.plot(*part, color=colour, linewidth=2.4, zorder=3, solid_capstyle="butt")
    others = []
    for model in models[COLOURED:]:
        others += ax.plot(*curve(data, "curve", model), zorder=1, **style.STAND_BACK)
    axes.bar(ax, _shown(data, models))
    pc = context.own_costs
    axes.mark_conditions(ax, [Condition(OWN_COSTS, pc, named=False)] if pc else context.named)
    axes.roof_words(ax)
    named = axes.name_curves(ax, dict(reversed(curves.items())), others)
    entries = context.key(models, COLOURED, 1.6)
    axes.key(ax, {name: look for name, look in entries.items() if name not in named}, below=40)


def _shown(data: pd.DataFrame, models: list[str]) -> Ranges:
    """Join the ranges in which a difference between any two of some models is shown."""
    rows = filtered(data, series="shown")
    rows = rows[rows["model"].isin(models) & rows["other"].isin([*models, ""])]
    return union(list(zip(rows["x"][::2], rows["x"][1::2], strict=True)))


def words(data: pd.DataFrame, context: Context) -> dict[str, Any]:
    """Return what is shown, the widest range first, and where each model is lowest."""
    models = models_of(data, "curve")
    shown = filtered(data, series="shown")
    best = None
    if len(shown):
        of_leader = filtered(shown, model=models[0])
        cheaper, dearer = (of_leader if len(of_leader) else shown)[["model", "other"]].iloc[0]
        low, high = widest(ranges(data, "shown", cheaper, dearer))
        best = {"cheaper": cheaper, "dearer": dearer, "low": low, "high": high}
    shares = {model: covered(ranges(data, "lowest", model)) for model in models}
    return {
        "models": models,
        "best": best,
        "shares": {model: share for model, share in shares.items() if share > SEEN},
        "confidence": context.confidence("bands"),
        "level": context.confidence("not_ruled_out"),
        "banded": models[:BANDED],
        "long": [each.name for each in context.named if len(each.name) > style.LONG],
    }
