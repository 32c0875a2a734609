"""Which of two models is cheaper, along PC(+): a strip for each pair."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from numpy.typing import NDArray

from costcurves.figures import sheet, spaces, style, tags, words
from costcurves.figures.context import Context
from costcurves.figures.sheet import LEFT, ROOM, TOP
from costcurves.formats import pc_range

Tables = Mapping[str, pd.DataFrame]
Floats = NDArray[np.float64]

MOST_STRIPS: Final = 15  # more pairs than this are cells of a matrix
MOST_MODELS: Final = 20  # of a matrix: 190 pairs
LANE: Final = 0.15  # height of half a strip
ROW: Final = 2 * LANE + 0.13  # from one strip to the next
NAMES: Final = 1.6  # room for names left of strips and cells
FIRST: Final = TOP + 0.22
NEGLIGIBLE: Final = 1e-9  # narrower intervals are rounding
PAIR: Final = ["model_a", "model_b"]
LANES: Final = (("model_a", -1), ("model_b", 1))  # upper and lower: whose it is, and its sign


def crossovers_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Select the intervals of the pairs of the twenty cheapest models.

    `sign` is that of cost(A) - cost(B): -1 where A is cheaper, 0 where both cost the same.
    """
    shown = context.numbered[:MOST_MODELS]
    rows = tables["crossovers"]
    rows = rows[rows["model_a"].isin(shown) & rows["model_b"].isin(shown)]
    rows = rows[rows["pc_to"] - rows["pc_from"] > NEGLIGIBLE]
    sign = np.sign(rows["largest_difference"].astype(float)).astype(int)
    return rows[[*PAIR, "estimate", "pc_from", "pc_to"]].assign(sign=sign).reset_index(drop=True)


def crossovers(data: pd.DataFrame, context: Context) -> Figure:
    """Draw which of two models is cheaper along PC(+), for each pair.

    The upper half of a strip is coloured where the first model is cheaper, the lower half where the
    second is, so that colour is not all that tells them apart. Up to 15 pairs have strips of their
    own; more are the cells of a matrix.
    """
    pairs = data[PAIR].drop_duplicates()
    return _matrix(data, context) if len(pairs) > MOST_STRIPS else _strips(data, pairs, context)


def _head(figure: Figure, data: pd.DataFrame, context: Context, reading: str) -> None:
    chance = "without inference: differences that are chance look like any others"
    statement = "which of two classifiers is cheaper, and when"
    how = f"{words.chosen_how(data)}; " if len(data) else ""
    sheet.title(figure, context.title, statement, f"{how}{context.counts}", chance, reading)


def _strips(data: pd.DataFrame, pairs: pd.DataFrame, context: Context) -> Figure:
    height = max(1, len(pairs)) * ROW
    figure = sheet.sheet(FIRST + height + 0.98)
    _head(figure, data, context, "coloured: that model is cheaper; grey: both cost the same")
    axes = sheet.panel(figure, LEFT + NAMES, FIRST, ROOM - NAMES, height)
    axes.set(xlim=(0, 1), ylim=(height, 0), yticks=[], xlabel=spaces.PC)
    tags.tag(axes, tags.PC)
    spaces.unit_ticks(axes, coarse=False)
    axes.spines["left"].set_visible(False)
    spaces.cost_ratio_scale(axes, context.prior, below=0.52)
    spaces.mark_conditions(axes, context.conditions)
    place = data.groupby(PAIR, sort=False).ngroup()
    placed = data.assign(left=0.0, top=place * ROW + ROW / 2 - LANE)
    _fill_lanes(axes, placed, (1.0, LANE), context)
    _write_intervals(axes, placed, context)
    for number, pair in enumerate(pairs.itertuples(index=False)):
        for lane, model in enumerate(map(str, pair)):
            top = FIRST + number * ROW + ROW / 2 + (lane - 1) * LANE
            _name_lane(figure, top, model, context)
    if pairs.empty:
        sheet.note(figure, LEFT, FIRST + 0.2, "one model only: no other to compare it with")
    return figure


def _name_lane(figure: Figure, top: float, model: str, context: Context) -> None:
    """Write a model's name beside its lane, ending where the strips begin."""
    shown = style.shorten(model, LEFT + NAMES - 0.2, style.SMALL, "bold")
    look = {"size": style.SMALL, "ha": "right", **context.words(model)}
    sheet.write(figure, LEFT + NAMES - 0.1, top + 0.76 * LANE, shown, **look)


def _fill_lanes(
    axes: Axes, placed: pd.DataFrame, size: tuple[float, float], context: Context
) -> None:
    """Fill the intervals of strips whose upper left corners are `left` and `top`, a path a colour.

    `size` is the width of a strip and the height of one of its lanes.
    """
    width, lane = size
    left, top, sign = (placed[name].to_numpy(float) for name in ("left", "top", "sign"))
    low, high = (left + width * placed[name].to_numpy(float) for name in ("pc_from", "pc_to"))
    x, y = np.unique([left, top], axis=1)
    _fill(axes, {"facecolor": style.STRIP}, x, x + width, y, 2 * lane)
    equal = sign == 0
    _fill(axes, {"facecolor": style.EQUAL}, low[equal], high[equal], top[equal], 2 * lane)
    for number, (column, cheaper) in enumerate(LANES):
        for model in placed.loc[sign == cheaper, column].unique():
            own = (sign == cheaper) & (placed[column] == model).to_numpy()
            look = {"facecolor": context.line(str(model))["color"], "gid": context.tag(str(model))}
            _fill(axes, look, low[own], high[own], top[own] + number * lane, lane)


def _fill(
    axes: Axes, look: dict[str, Any], low: Floats, high: Floats, top: Floats, height: float
) -> None:
    if len(low):
        bottom = top + height
        corners = np.array([[low, top], [high, top], [high, bottom], [low, bottom]])
        path = Path.make_compound_path_from_polys(np.moveaxis(corners, 2, 0))
        axes.add_patch(PathPatch(path, linewidth=0, zorder=0.5, **look))


def _write_intervals(axes: Axes, placed: pd.DataFrame, context: Context) -> None:
    """Write where an interval begins and ends into its bar, where that fits."""
    width, size = ROOM - NAMES, 6.5
    for number, (column, cheaper) in enumerate(LANES):
        for row in placed[placed["sign"] == cheaper].to_dict("records"):
            low, high = float(row["pc_from"]), float(row["pc_to"])
            span = pc_range(low, high)
            if (high - low) * width > style.text_width(span, size) + 0.1:
                fill = context.line(str(row[column]))["color"]
                look: dict[str, Any] = {"size": size, "color": style.ink_on(fill), "ha": "center"}
                ground = {"boxstyle": "square,pad=0.05", "facecolor": fill, "linewidth": 0}
                y = row["top"] + (number + 0.74) * LANE
                axes.text((low + high) / 2, y, span, bbox=ground, **look)


def _matrix(data: pd.DataFrame, context: Context) -> Figure:
    """Draw the strips as cells, models numbered as in all figures of the data set."""
    paired = set(data["model_a"]) | set(data["model_b"])
    models = [model for model in context.numbered if model in paired]
    cell = (ROOM - NAMES) / (len(models) - 1)
    row = min(0.3, max(0.2, cell * 0.8))
    top = FIRST + 0.2
    figure = sheet.sheet(top + len(models) * row + 0.1)
    _head(figure, data, context, _matrix_words(context))
    axes = sheet.panel(figure, LEFT + NAMES, top, ROOM - NAMES, len(models) * row)
    axes.set(xlim=(0, len(models) - 1), ylim=(len(models), 0))
    axes.set_axis_off()
    number = {model: place for place, model in enumerate(models)}
    turned = _turned(data, number)
    left = turned["model_b"].map(number).astype(float) - 0.94
    placed = turned.assign(left=left, top=turned["model_a"].map(number).astype(float) + 0.1)
    _fill_lanes(axes, placed, (0.88, 0.4), context)
    for model, place in number.items():
        _name_row(figure, place, top + (place + 0.5) * row + 0.04, model, context)
        look = {"ha": "center", "size": style.SMALL, **context.words(model)}
        if place:
            x = LEFT + NAMES + (place - 0.5) * cell
            sheet.write(figure, x, top - 0.08, str(place + 1), **look)
    return figure


def _turned(data: pd.DataFrame, number: Mapping[str, int]) -> pd.DataFrame:
    """Turn pairs round where that is needed to have the model of the lower number first."""
    a, b = data["model_a"], data["model_b"]
    later = a.map(number).astype(int) > b.map(number).astype(int)
    sign = data["sign"].where(~later, -data["sign"])
    return data.assign(model_a=a.where(~later, b), model_b=b.where(~later, a), sign=sign)


def _matrix_words(context: Context) -> str:
    reading = "each cell from PC(+) = 0 to 1; upper half: its row is cheaper; lower: its column"
    left_out = len(context.models) - MOST_MODELS
    return f"{reading}; the {MOST_MODELS} cheapest models" if left_out > 0 else reading


def _name_row(figure: Figure, place: int, top: float, model: str, context: Context) -> None:
    look = {"size": style.SMALL, **context.words(model)}
    sheet.write(figure, 0.34, top, str(place + 1), ha="right", **look)
    shown = style.shorten(model, LEFT + NAMES - 0.5, style.SMALL, "bold")
    sheet.write(figure, 0.42, top, shown, **look)
