"""Differences of two models with their simultaneous band: shown where the band leaves zero out."""

from functools import partial
from itertools import islice
from typing import Any, Final

import pandas as pd
from matplotlib.axes import Axes

from costcurves.figures import axes, style
from costcurves.figures.context import Context
from costcurves.figures.polylines import (
    cost_vertices,
    covered,
    curve,
    curve_part,
    cut,
    filtered,
    range_part,
    ranges,
    together,
)
from costcurves.pairs.comparisons import ALL_PAIRS, REFERENCE

NAME: Final = "differences"
MOST: Final = 6  # pairs
LINES: Final = ("difference", "simultaneous lower", "simultaneous upper")


def data(context: Context) -> pd.DataFrame:
    """Return differences and bands of pairs, those with the leading model first."""
    family = REFERENCE if context.reference else ALL_PAIRS
    rows = filtered(context.tables["comparisons"], family=family)
    rows = rows[rows["line"].isin(LINES)]
    shown, first = context.wins, context.leading[0]

    def order(pair: tuple[str, str]) -> tuple[bool, float]:
        spans = [*shown.get(pair, []), *shown.get(pair[::-1], [])]
        return first not in pair, -round(covered(spans), 9)

    by_pair: dict[Any, pd.DataFrame] = dict(iter(rows.groupby(["model_a", "model_b"], sort=False)))
    parts = []
    for a, b in islice(sorted(by_pair, key=order), MOST):
        vertices = cost_vertices(by_pair[a, b], ["line"])
        parts.append(curve_part(vertices["line"], a, vertices["pc"], vertices["nec"], b))
        parts.append(range_part("A cheaper", a, shown.get((a, b), []), b))
        parts.append(range_part("B cheaper", a, shown.get((b, a), []), b))
    return together(parts)


def pairs_of(data: pd.DataFrame) -> list[tuple[str, str]]:
    """List the pairs that are drawn."""
    return list(data[["model", "other"]].drop_duplicates().itertuples(index=False, name=None))


def panels(data: pd.DataFrame, context: Context) -> dict[str, axes.Panel]:
    """Return a panel for each pair."""
    pairs = pairs_of(data)
    names = [f"{context.short[a]} against {context.short[b]}" for a, b in pairs]
    draws = [partial(draw, a=a, b=b) for a, b in pairs]
    return dict(zip(names if len(pairs) > 1 else [""], draws, strict=True))


def draw(ax: Axes, data: pd.DataFrame, context: Context, a: str, b: str) -> None:
    """Draw the difference of a pair, its band, and where it is shown."""
    (x, y), low, high = (curve(data, line, a, b) for line in LINES)
    reach = max(0.02, *(abs(height) for height in (*y, *low[1], *high[1])))
    ax.set(ylim=(-1.35 * reach, 1.35 * reach), ylabel="difference in cost")
    axes.ticks(ax, "y")
    axes.ratio_axis(ax, context)
    axes.band(ax, low, high, style.LIGHT, alpha=0.7)
    ax.axhline(0, color=style.QUIET, linewidth=0.8)
    ax.plot(x, y, color=style.INK, linewidth=1.2)
    shown = []
    ground = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
    words: axes.Look = {"transform": ax.transAxes, "weight": "bold", "zorder": 6, "bbox": ground}
    for finding, model, height, at, arrow in (
        ("A cheaper", a, 0.015, "bottom", "↓"),
        ("B cheaper", b, 0.985, "top", "↑"),
    ):
        colour = context.colour(model)
        for start, end in ranges(data, finding, a, b):
            shown.append((start, end))
            part = cut(x, y, start, end)
            ax.plot(*part, color=colour, linewidth=2.6, solid_capstyle="butt")
        name = style.fitted(context.short[model], ax.bbox.width - 80, "bold")
        ax.text(0.01, height, f"{name} costs less {arrow}", va=at, color=colour, **words)
    axes.bar(ax, shown)
    axes.mark_conditions(ax, context.named)


def words(data: pd.DataFrame, context: Context) -> dict[str, Any]:
    """Return what is shown of each pair that is drawn."""
    pairs = []
    for a, b in pairs_of(data):
        shown: list[dict[str, Any]] = []
        for finding, cheaper, dearer in (("A cheaper", a, b), ("B cheaper", b, a)):
            for low, high in ranges(data, finding, a, b):
                shown.append({"cheaper": cheaper, "dearer": dearer, "low": low, "high": high})
        shown.sort(key=lambda span: span["low"] - span["high"])
        pairs.append({"a": a, "b": b, "shown": shown})
    level = float(context.tables["verdicts"]["familywise"].iloc[0])
    whole = len(context.models) * (len(context.models) - 1) // 2
    return {"pairs": pairs, "level": level, "reference": context.reference, "whole": whole}
