"""Segments: what each model costs for whom, as rows of dots."""

from typing import Final

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from costcurves import formats
from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Context, Tables
from costcurves.figures.kind import figure_kind
from costcurves.figures.sheet import LEFT, LINE, TOP
from costcurves.text import condition_name, plain

MOST_MODELS: Final = 4
PANELS: Final = 2  # conditions side by side
MOST: Final = 40  # segments, so that the figure fits a page
NAMES: Final = 1.5  # room for names of segments
GAP: Final = 0.25
DOT: Final = 0.1  # from one model's dot to the next
AIR: Final = 0.1  # between segments
SEGMENT: Final = ["by", "segment"]


def segments_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Costs at the first two conditions, of the four cheapest models, with their intervals."""
    rows = tables["segments"]
    shown = rows["model"].isin(context.ranked[:MOST_MODELS])
    shown &= rows["condition"].isin(rows["condition"].unique()[:PANELS])
    columns = ["condition", "pc", *SEGMENT, "model", "cases", "cost", "cost_low", "cost_high"]
    place = rows.groupby(SEGMENT, sort=False).ngroup()
    return rows.loc[shown & (place < MOST), [*columns, "confidence"]].reset_index(drop=True)


@figure_kind(
    segments_data,
    lambda it: [row for row in it.rows("segments") if row["more_low"] > 0 or row["more_high"] < 0],
    ("segments",),
    always=True,
)
def segments(data: pd.DataFrame, context: Context) -> Figure:
    """Draw a row a segment, a dot a model; the ends of an interval are joined by a bar."""
    models = [model for model in context.ranked if model in set(data["model"])]
    each, first = data[SEGMENT].drop_duplicates(), TOP + 0.3 + sheet.list_height(models)
    heads = each["by"].ne(each["by"].shift()).cumsum().to_numpy() * (LINE + AIR)
    tops = heads + np.arange(len(each)) * (len(models) * DOT + AIR)
    height, level = float(tops[-1]) + len(models) * DOT + AIR, float(data["confidence"].iloc[0])
    said = f"in-sample: recommended thresholds, chosen on these cases; bars: {formats.level(level)}"
    notes = segments.words.title, said, context.first(MOST_MODELS, "{} cheapest models")[2:]
    figure = sheet.sheet(first + height + 0.55, context.title, *notes)
    sheet.name_list(figure, TOP + 0.05, [("", model) for model in models], context)
    for (by, segment), top in zip(each.itertuples(index=False), tops, strict=True):
        own = data[data["by"].eq(by) & data["segment"].eq(segment)]
        if own.index[0] == data.index[data["by"].eq(by)][0]:
            sheet.name(figure, LEFT - 0.4, first + top - 0.08, by, NAMES)
        words = f"{segment or 'not said'} ({formats.cases(own['cases'].iloc[0])})"
        shown = style.shorten(words, NAMES, style.SMALL)
        sheet.note(figure, LEFT - 0.3, first + top + len(models) * DOT / 2 + 0.04, shown)
    conditions = list(data.groupby("condition", sort=False))[:2]
    width = (sheet.room() - NAMES + 0.3) / len(conditions) - GAP
    for place, (condition, rows) in enumerate(conditions):
        left = LEFT + NAMES - 0.2 + place * (width + GAP)
        axes = sheet.panel(figure, left, first, width, height)
        name = plain(condition_name(str(condition), float(rows["pc"].iloc[0]), context.prior))
        sheet.heading(figure, left, first - 0.06, style.shorten(name, width, style.BODY, "bold"))
        highest, step = style.round_top(float(data[["cost", "cost_high"]].max().max()))
        spaces.value_ticks(axes.xaxis, 0, highest, step if width > 2 else 2 * step)
        axes.set(xlim=(0, highest), ylim=(height, 0), yticks=[], xlabel="cost of a case")
        places = dict(zip(each.itertuples(index=False, name=None), tops, strict=True))
        for row in rows.to_dict("records"):
            middle = places[row["by"], row["segment"]] + (models.index(row["model"]) + 0.5) * DOT
            look = context.mark(row["model"])
            axes.plot([row["cost_low"], row["cost_high"]], [middle] * 2, linewidth=1.6, **look)
            axes.plot(row["cost"], middle, marker="o", markersize=3.5, **look)
    return figure
