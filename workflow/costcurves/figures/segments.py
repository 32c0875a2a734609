"""Segments: what the leading models cost for whom, a dot a model."""

from functools import partial
from typing import Any, Final

import pandas as pd
from matplotlib.axes import Axes

from costcurves.figures import axes, style
from costcurves.figures.context import Context, Tables, confidence_of, leading, rows_of
from costcurves.formats import count

NAME: Final = "segments"
CONDITIONS: Final = 2  # a panel each
SEGMENTS: Final = 40
FEW: Final = 12  # segments for which four models are drawn; of more two
DOT: Final = 6.0  # points from one model's dot to the next
LEFT: Final = 92.0  # points for the names of segments
COLUMNS: Final = ["condition", "by", "segment", "model", "cases", "cost", "cost_low", "cost_high"]


def data(tables: Tables, context: Context) -> pd.DataFrame:
    """Return costs of the leading models at two conditions, with their intervals."""
    rows = tables["segments"]
    place = rows.groupby(["by", "segment"], sort=False).ngroup()
    models = leading(tables, context)[: 4 if place.nunique() <= FEW else 2]
    shown = rows["model"].isin(models) & (place < SEGMENTS)
    shown &= rows["condition"].isin(rows["condition"].unique()[:CONDITIONS])
    return rows.loc[shown, COLUMNS].reset_index(drop=True)


def panels(data: pd.DataFrame, context: Context) -> list[axes.Panel]:
    """Return a panel for each condition."""
    names = list(data["condition"].unique())
    letters = "ab" if len(names) > 1 else " "
    highest = 1.05 * float(data[["cost", "cost_high"]].max().max())
    shown: axes.Look = {"data": data, "context": context, "highest": max(highest, 0.01)}
    pairs = zip(names, letters, strict=False)
    return [partial(draw, condition=name, letter=letter, **shown) for name, letter in pairs]


def draw(
    ax: Axes, data: pd.DataFrame, context: Context, condition: str, letter: str, highest: float
) -> None:
    """Draw a row for each segment; the ends of an interval are joined by a line."""
    own = data[data["condition"] == condition]
    models = [model for model in context.models if model in set(own["model"])]
    step = DOT * max(len(models), 2) + 4
    labels, height = [], 0.0
    for (by, segment), rows in own.groupby(["by", "segment"], sort=False):
        words = f"{by}: {segment or 'unknown'}"
        cases = f" ({count(int(rows['cases'].iloc[0]))})"
        room = LEFT - 8 - style.text_width(cases)
        labels.append((height + step / 2, style.fitted(words, room) + cases))
        for row in rows_of(rows):
            y = height + step / 2 + (models.index(row["model"]) - (len(models) - 1) / 2) * DOT
            colour = context.colour(row["model"])
            ax.plot([row["cost_low"], row["cost_high"]], [y, y], color=colour, linewidth=1.6)
            ax.plot(row["cost"], y, marker="o", markersize=3.5, color=colour)
        height += step
    axes.place(ax, LEFT, height)
    ax.set(xlim=(0, highest), ylim=(height, 0))
    ax.set_yticks([place for place, _ in labels], [words for _, words in labels])
    ax.tick_params(axis="y", length=0)
    axes.round_ticks(ax, highest)
    axes.x_label(ax, "cost of a case (share of the highest)")
    entries = {}
    for model in models:
        look: axes.Look = {"marker": "o", "markersize": 3.5, "linewidth": 1.6}
        entries[context.short[model]] = {"color": context.colour(model), **look}
    axes.key(ax, entries, below=29)
    axes.title(ax, f"{letter}  {condition}".strip())


def words(data: pd.DataFrame, tables: Tables, _context: Context) -> dict[str, Any]:
    """Return the segments that are beyond chance apart from all other cases."""
    rows = tables["segments"]
    apart = rows[(rows["more_low"] > 0) | (rows["more_high"] < 0)]
    apart = apart.iloc[(-apart["more"].abs()).to_numpy().argsort(kind="stable")]
    return {"apart": rows_of(apart), "level": confidence_of(rows), "of": data["segment"].nunique()}
