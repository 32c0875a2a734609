"""Cost curves over the cost ratio, as shares of what the cheaper no-model baseline costs.

Where a class is rare, all cost ratios of use lie near one end of PC(+), which this scale spreads.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray

from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Context, Tables, ratio_tag
from costcurves.figures.cost_figures import (
    HEADLINE,
    KEYS,
    bands_in_words,
    draw_curves,
    edges_of,
    together,
)
from costcurves.figures.kind import figure_kind
from costcurves.figures.polylines import cost_vertices, curve_starts, height_at, thinned
from costcurves.figures.sheet import LEFT, TOP
from costcurves.formats import ratio
from costcurves.maths.geometry.cost_space import pc_from_ratio, ratio_from_pc

RARE: Final = 0.05  # share of the rarer class below which this is drawn
HEIGHT: Final = 3.0
DECADES: Final = 6  # of cost ratios, at most, to either side of 1:1
HIGHEST: Final = 1.2  # share up to which curves are shown: above 1 no model is of use
POINTS: Final = 50  # a decade, at which straight pieces, here bent, are drawn besides their ends


def cost_ratios_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Headlines, and bands of few models, by cost ratio; `along` is the place on its log scale."""
    head = tables["headline"].assign(series=HEADLINE, method="", confidence=np.nan)
    parts = [head, edges_of(tables["bands"])] if together(context) else [head]
    low, high = decades(head, [pc for _, pc in context.conditions], context.prior)
    points = 1 + POINTS * (high - low)
    grid = pc_from_ratio(np.logspace(low, high, points), context.prior)
    vertices = cost_vertices(pd.concat(parts), KEYS)
    curves = np.split(np.arange(len(vertices)), curve_starts(vertices, KEYS)[1:])
    data = pd.concat([_between(vertices.iloc[rows], grid) for rows in curves], ignore_index=True)
    data["ratio"] = ratio_from_pc(data["pc"], context.prior)
    data["along"] = (np.log10(data["ratio"]) - low) / (high - low)
    data["share"] = data["nec"] / np.minimum(data["pc"], 1 - data["pc"])
    return thinned(data, KEYS, (sheet.room(), HEIGHT / HIGHEST))


def is_rare(measures: pd.DataFrame) -> bool:
    """Say whether a class is so rare that this scale is needed."""
    return not measures["prior"].between(RARE, 1 - RARE).all()


def decades(head: pd.DataFrame, conditions: Iterable[float], prior: float) -> tuple[int, int]:
    """Choose powers of ten between which all conditions lie, and all that is of use."""
    ends = head[["pc_from", "pc_to"]].to_numpy(float).ravel()
    heights = head[["nec_from", "nec_to"]].to_numpy(float).ravel()
    useful = ends[heights < np.minimum(ends, 1 - ends) * (1 - 1e-9)]
    useful = np.append(useful, [pc for pc in conditions if 0 < pc < 1])
    powers = np.append(np.log10(ratio_from_pc(useful, prior)), [-1, 1])
    low, high = np.clip([np.floor(powers.min()), np.ceil(powers.max())], -DECADES, DECADES)
    return int(low), int(high)


def _between(curve: pd.DataFrame, grid: NDArray[np.float64]) -> pd.DataFrame:
    """Take a curve at its own vertices between the ends of a grid, and at the grid."""
    inside = curve["pc"].between(grid[0], grid[-1])
    at = np.union1d(grid, curve.loc[inside, "pc"])
    heights = np.stack([height_at(curve, at, "left"), height_at(curve, at, "right")], axis=1)
    named = pd.concat([curve[KEYS].head(1)] * (2 * len(at)), ignore_index=True)
    return named.assign(pc=np.repeat(at, 2), nec=heights.ravel())


@figure_kind(
    cost_ratios_data,
    lambda it: it.headline,
    ("headline", "bands"),
    tells=lambda tables: is_rare(tables["measures"]),
    always=True,
)
def cost_ratios(data: pd.DataFrame, context: Context) -> Figure:
    """Draw headline curves over the cost ratio, where few with bands, and list the models."""
    low, high = np.round(np.log10([data["ratio"].min(), data["ratio"].max()])).astype(int)
    listed = TOP + HEIGHT + 0.68
    bands = [bands_in_words(data)] if (data["method"] != "").any() else []
    notes = cost_ratios.words.title, context.chosen(data), *bands
    figure = sheet.sheet(listed + sheet.list_height(context.ranked), context.title, *notes)
    axes = sheet.panel(figure, LEFT, TOP, sheet.room(), HEIGHT)
    axes.axhspan(1, HIGHEST, color=style.SHADE, linewidth=0, zorder=0)
    axes.axhline(1, color=style.QUIET, linewidth=0.9, zorder=1)
    axes.set(xlim=(0, 1), ylim=(0, HIGHEST))
    spaces.value_ticks(axes.yaxis, 0, HIGHEST, 0.2)
    powers = np.arange(low, high + 1)
    axes.set_xticks((powers - low) / (high - low), labels=[ratio(10.0**one) for one in powers])
    for label, power in zip(axes.get_xticklabels(), powers, strict=True):
        sheet.tag(label, ratio_tag(float(pc_from_ratio(10.0**power, context.prior))))
    axes.get_xticklabels()[-1].set_horizontalalignment("right")  # room ends there
    marked = {name: pc for name, pc in context.conditions if 0 < pc < 1}
    along = (np.log10(ratio_from_pc([*marked.values()], context.prior)) - low) / (high - low)
    places = zip(marked, along.tolist(), strict=True)
    inside = [(name, at) for name, at in places if 0 <= at <= 1]
    spaces.mark_conditions(axes, inside, context.ratios)
    axes.set_xlabel(spaces.in_ratios(context.prior), gid=sheet.SHARE_TAG)
    axes.set_ylabel("cost, as a share of that of the\ncheaper no-model baseline")
    shown = data.drop(columns=["pc", "nec"]).rename(columns={"along": "pc", "share": "nec"})
    draw_curves(axes, shown, context)
    entries = [(str(place), model) for place, model in enumerate(context.ranked, 1)]
    sheet.name_list(figure, listed, entries, context)
    return figure
