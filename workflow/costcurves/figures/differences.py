"""Differences of two models with their simultaneous band: shown where the band leaves zero out."""

from functools import partial
from typing import Any, Final

import pandas as pd
from matplotlib.axes import Axes

from costcurves.figures import axes, style
from costcurves.figures.context import Context, Tables, leading, wins
from costcurves.figures.polylines import (
    cost_vertices,
    covered,
    curve,
    cut,
    part,
    range_part,
    ranges,
    thinned,
    together,
)
from costcurves.tables.inference.comparisons import ALL_PAIRS, REFERENCE

NAME: Final = "differences"
MOST: Final = 6  # pairs
PAIR: Final = ["model_a", "model_b"]
LINES: Final = ("difference", "simultaneous lower", "simultaneous upper")


def data(tables: Tables, context: Context) -> pd.DataFrame:
    """Return differences and bands of pairs, those with the leading model first."""
    rows = tables["comparisons"]
    family = REFERENCE if context.reference else ALL_PAIRS
    rows = rows[(rows["family"] == family) & rows["line"].isin(LINES)]
    width: dict[tuple[str, str], float] = {}
    shown = {(win.cheaper, win.dearer): win.ranges for win in wins(tables, context)}
    for a, b in rows[PAIR].drop_duplicates().itertuples(index=False, name=None):
        both = shown.get((a, b), []), shown.get((b, a), [])
        width[a, b] = round(sum(map(covered, both)), 9)
    parts = []
    first = leading(tables, context)[0]
    for a, b in sorted(width, key=lambda pair: (first not in pair, -width[pair]))[:MOST]:
        own = rows[(rows["model_a"] == a) & (rows["model_b"] == b)]
        vertices = thinned(cost_vertices(own, ["line"]), ["line"], (210, 256))
        parts.append(part(vertices["line"], a, vertices["pc"], vertices["nec"], b))
        parts.append(range_part("A cheaper", a, shown.get((a, b), []), b))
        parts.append(range_part("B cheaper", a, shown.get((b, a), []), b))
    return together(parts)


def panels(data: pd.DataFrame, context: Context) -> list[axes.Panel]:
    """Return a panel for each pair."""
    pairs = data[["model", "other"]].drop_duplicates().itertuples(index=False, name=None)
    letters = dict(zip(pairs, "abcdef", strict=False))
    letters = letters if len(letters) > 1 else dict.fromkeys(letters, "")
    shown: axes.Look = {"data": data, "context": context}
    return [partial(draw, pair=pair, letter=letter, **shown) for pair, letter in letters.items()]


def draw(
    ax: Axes, data: pd.DataFrame, context: Context, pair: tuple[str, str], letter: str
) -> None:
    """Draw the difference of a pair, its band, and where it is shown."""
    a, b = pair
    own = data[(data["model"] == a) & (data["other"] == b)]
    (x, y), low, high = (curve(own, line, a, b) for line in LINES)
    heights = [*y, *low[1], *high[1], 0.0]
    reach = max(0.02, *(abs(height) for height in heights))
    ax.set(ylim=(-1.35 * reach, 1.35 * reach), ylabel="difference in cost")
    axes.value_ticks(ax, -1.1 * reach, 1.1 * reach, signed=True)
    axes.ratio_axis(ax, context)
    if len(low[0]):
        axes.band(ax, low, high, style.LIGHT, alpha=0.7)
    ax.axhline(0, color=style.QUIET, linewidth=0.8)
    ax.plot(x, y, color=style.INK, linewidth=1.2)
    shown = []
    for finding, model in (("A cheaper", a), ("B cheaper", b)):
        for start, end in ranges(own, finding, a, b):
            shown.append((start, end))
            look: axes.Look = {"color": context.colour(model), "linewidth": 2.6}
            ax.plot(*cut(x, y, start, end), solid_capstyle="butt", **look)
    ground = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
    look = {"transform": ax.transAxes, "weight": "bold", "zorder": 6, "bbox": ground}
    room = style.WIDTH - axes.LEFT - axes.RIGHT - 80
    upper, lower = (style.fitted(context.short[model], room, "bold") for model in (b, a))
    ax.text(0.01, 0.985, f"{upper} costs less ↑", va="top", color=context.colour(b), **look)
    ax.text(0.01, 0.015, f"{lower} costs less ↓", va="bottom", color=context.colour(a), **look)
    axes.bar(ax, shown)
    axes.mark_conditions(ax, context.named)
    if letter:
        axes.title(ax, f"{letter}  {context.short[a]} against {context.short[b]}")


def words(data: pd.DataFrame, tables: Tables, context: Context) -> dict[str, Any]:
    """Return what is shown of each pair that is drawn."""
    pairs = []
    for a, b in data[["model", "other"]].drop_duplicates().itertuples(index=False, name=None):
        shown = []
        for finding, cheaper, dearer in (("A cheaper", a, b), ("B cheaper", b, a)):
            for low, high in ranges(data, finding, a, b):
                shown.append({"cheaper": cheaper, "dearer": dearer, "low": low, "high": high})
        shown.sort(key=lambda one: one["low"] - one["high"])
        pairs.append({"a": a, "b": b, "shown": shown})
    level = float(tables["verdicts"]["familywise"].iloc[0])
    whole = len(context.models) * (len(context.models) - 1) // 2
    return {"pairs": pairs, "level": level, "reference": context.reference, "whole": whole}
