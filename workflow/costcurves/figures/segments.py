"""Segments: what the leading models cost for whom, a dot a model."""

from functools import partial
from typing import Any, Final

import pandas as pd
from matplotlib.axes import Axes

from costcurves.figures import axes, style
from costcurves.figures.context import Context, Tables, confidence_of, leading, rows_of
from costcurves.figures.polylines import filtered
from costcurves.formats import count

NAME: Final = "segments"
CONDITIONS: Final = 2  # a panel each
SEGMENTS: Final = 40
FEW: Final = 12  # segments for which four models are drawn; of more two
DOT: Final = 6.0  # points from one model's dot to the next
COLUMNS: Final = ["condition", "by", "segment", "model", "cases", "cost", "cost_low", "cost_high"]


def data(tables: Tables, context: Context) -> pd.DataFrame:
    """Return costs of the leading models at two conditions, with their intervals."""
    rows = tables["segments"]
    place = rows.groupby(["by", "segment"], sort=False).ngroup()
    models = leading(tables, context)[: 4 if place.nunique() <= FEW else 2]
    shown = rows["model"].isin(models) & (place < SEGMENTS)
    shown &= rows["condition"].isin(rows["condition"].unique()[:CONDITIONS])
    return rows.loc[shown, COLUMNS].reset_index(drop=True)


def panels(data: pd.DataFrame, _context: Context) -> dict[str, axes.Panel]:
    """Return a panel for each condition."""
    highest = max(1.05 * float(data[["cost", "cost_high"]].max().max()), 0.01)
    return {
        condition: partial(draw, condition=condition, highest=highest)
        for condition in data["condition"].unique()
    }


def draw(ax: Axes, data: pd.DataFrame, context: Context, condition: str, highest: float) -> None:
    """Draw a row for each segment; the ends of an interval are joined by a line."""
    rows = filtered(data, condition=condition)
    models = [model for model in context.models if rows["model"].eq(model).any()]
    step = DOT * max(len(models), 2) + 4
    labels: dict[float, str] = {}
    for (by, segment), costs in rows.groupby(["by", "segment"], sort=False):
        middle = (len(labels) + 0.5) * step
        cases = f" ({count(int(costs['cases'].iloc[0]))})"
        room = axes.NAMES - 8 - style.text_width(cases)
        labels[middle] = style.fitted(f"{by}: {segment or 'unknown'}", room) + cases
        for row in rows_of(costs):
            y = middle + (models.index(row["model"]) - (len(models) - 1) / 2) * DOT
            ends = row["cost_low"], row["cost_high"]
            axes.estimate(ax, y, row["cost"], ends, context.colour(row["model"]))
    height = len(labels) * step
    axes.place(ax, axes.NAMES, height)
    ax.set(xlim=(0, highest), ylim=(height, 0))
    ax.set_xlabel("cost of a case (share of the highest)")
    ax.set_yticks(list(labels), list(labels.values()))
    ax.tick_params(axis="y", length=0)
    axes.ticks(ax, "x", steps=4)
    looks = {model: {"color": context.colour(model), **style.DOT} for model in models}
    axes.key(ax, {context.short[model]: look for model, look in looks.items()})


def words(data: pd.DataFrame, tables: Tables, _context: Context) -> dict[str, Any]:
    """Return the segments that are beyond chance apart from all other cases."""
    rows = tables["segments"]
    apart = rows[(rows["more_low"] > 0) | (rows["more_high"] < 0)]
    apart = apart.iloc[(-apart["more"].abs()).to_numpy().argsort(kind="stable")]
    return {"apart": rows_of(apart), "level": confidence_of(rows), "of": data["segment"].nunique()}
