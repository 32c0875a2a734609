"""Which of two models is cheaper, along PC(+): strips of each pair, or the cells of a matrix."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch, Rectangle

from costcurves import formats
from costcurves.annex.figures.difference_figures import found_of
from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Context, Row, Tables, estimate_of_pairs, methods
from costcurves.figures.kind import Shown, figure_kind
from costcurves.figures.map_figures import EQUIVALENT, PAIR, boxes, first_family
from costcurves.figures.outcomes import drawn, outcomes
from costcurves.figures.polylines import Floats
from costcurves.figures.sheet import LEFT, TOP
from costcurves.tables.keys import IN_SAMPLE

MOST_STRIPS: Final = 15  # more pairs than this are cells of a matrix
MOST_MODELS: Final = 20  # of a matrix: 190 pairs
CHEAPEST: Final = "{} cheapest models"
LANE: Final = 0.15  # height of half a strip
ROW: Final = 2 * LANE + 0.13  # from one strip to the next
NAMES: Final = 1.6  # room for names left of strips and cells
CELLS: Final = LEFT + NAMES  # where strips and cells begin
STRIPS: Final = TOP + 0.22  # where the first strip begins
FIRST: Final = TOP + 0.34  # where the first cell of the verdicts begins
CELL: Final = (0.92, 0.62)  # how much of its place a cell of the verdicts takes
NEGLIGIBLE: Final = 1e-9  # narrower intervals are rounding
LANES: Final = (("model_a", -1), ("model_b", 1))  # upper and lower: whose it is, and its sign


def _width() -> float:
    """Width of strips, and of all cells of a row."""
    return sheet.room() - NAMES


def crossovers_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Intervals of the pairs of the twenty cheapest models, with the sign of cost(A) - cost(B)."""
    rows = _of_cheapest(tables["crossovers"], context)
    rows = rows[rows["pc_to"] - rows["pc_from"] > NEGLIGIBLE]
    sign = np.sign(rows["largest_difference"].astype(float)).astype(int)
    return rows[[*PAIR, "estimate", "pc_from", "pc_to"]].assign(sign=sign).reset_index(drop=True)


def verdicts_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Verdicts of the pairs of the twenty cheapest models, a row an interval."""
    rows = _of_cheapest(first_family(tables["verdicts"], context), context)
    rows = rows.assign(estimate=estimate_of_pairs(rows, tables["headline"]))
    kept = [*PAIR, "estimate", "finding", "pc_from", "pc_to", "familywise", "method"]
    return rows[kept].reset_index(drop=True)


def _of_cheapest(rows: pd.DataFrame, context: Context) -> pd.DataFrame:
    shown = context.ranked[:MOST_MODELS]
    return rows[rows["model_a"].isin(shown) & rows["model_b"].isin(shown)]


def _paired(data: pd.DataFrame, context: Context) -> dict[str, int]:
    """Give the place of each model that is in a pair, in the order of all figures."""
    paired = set(data["model_a"]) | set(data["model_b"])
    models = [model for model in context.ranked if model in paired]
    return {model: place for place, model in enumerate(models)}


def _name_row(
    figure: Figure,
    corner: tuple[float, float],
    number: int,
    model: str,
    room: float,
    context: Context,
) -> None:
    """Write a model's number, which ends at the corner, and its name."""
    left, top = corner
    look = context.words(model)
    sheet.write(figure, left, top, str(number), size=style.SMALL, ha="right", **look)
    sheet.name(figure, left + 0.08, top, model, room, **look)


def _along(shown: Shown[Context]) -> Iterator[Row]:
    """Give the stretches of each pair, how often who is cheaper changes, and the share of each."""
    pairs = groupby(shown.rows("crossovers"), itemgetter("model_a", "model_b"))
    for (a, b), rows in pairs:
        stretches = [
            (a if by < 0 else b if by > 0 else None, row["pc_from"], row["pc_to"])
            for row in rows
            for by in [row["largest_difference"]]
        ]
        yield {
            "a": a,
            "b": b,
            "stretches": stretches,
            "changes": sum(one[0] != after[0] for one, after in pairwise(stretches)),
            "shares": [
                (name, sum(high - low for who, low, high in stretches if who == name))
                for name in (a, b)
            ],
        }


@figure_kind(crossovers_data, _along, "crossovers")
def crossovers(data: pd.DataFrame, context: Context) -> Figure:
    """Draw which of two models is cheaper along PC(+): strips of up to 15 pairs, or a matrix."""
    pairs = data[PAIR].drop_duplicates()
    return _matrix(data, context) if len(pairs) > MOST_STRIPS else _strips(data, pairs, context)


def _sheet(height: float, data: pd.DataFrame, context: Context, reading: str) -> Figure:
    chance = "as observed: differences may be chance"
    notes = context.chosen(data), chance, reading
    return sheet.sheet(height, context.title, crossovers.words.title, *notes)


def _strips(data: pd.DataFrame, pairs: pd.DataFrame, context: Context) -> Figure:
    height = len(pairs) * ROW
    reading = "coloured: that model is cheaper; grey: both cost the same"
    figure = _sheet(STRIPS + height + 0.98, data, context, reading)
    axes = sheet.panel(figure, CELLS, STRIPS, _width(), height)
    axes.set(xlim=(0, 1), ylim=(height, 0), yticks=[], xlabel=spaces.PC)
    sheet.tag(axes, sheet.PC_TAG)
    spaces.unit_ticks(axes, coarse=False)
    axes.spines["left"].set_visible(False)
    spaces.cost_ratio_scale(axes, context.prior, below=0.52)
    spaces.mark_conditions(axes, context.conditions, context.ratios)
    place = data.groupby(PAIR, sort=False).ngroup()
    placed = data.assign(left=0.0, top=place * ROW + ROW / 2 - LANE)
    _fill_lanes(axes, placed, (1.0, LANE), context)
    _write_intervals(axes, placed, context)
    for number, pair in enumerate(pairs.itertuples(index=False)):
        for lane, model in enumerate(map(str, pair)):
            top = STRIPS + number * ROW + ROW / 2 + (lane - 1) * LANE + 0.76 * LANE
            look = {"ha": "right", **context.words(model)}
            sheet.name(figure, CELLS - 0.1, top, model, CELLS - 0.2, **look)
    return figure


def _fill_lanes(
    axes: Axes, placed: pd.DataFrame, size: tuple[float, float], context: Context
) -> None:
    """Fill strips, a path a colour; `size`: the width of a strip, the height of a lane."""
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
            look = {"facecolor": context.colour(str(model)), "gid": context.tag(str(model))}
            _fill(axes, look, low[own], high[own], top[own] + number * lane, lane)


def _fill(
    axes: Axes, look: dict[str, Any], low: Floats, high: Floats, top: Floats, height: float
) -> None:
    if len(low):
        axes.add_patch(PathPatch(boxes(low, high, top, height), linewidth=0, zorder=0.5, **look))


def _write_intervals(axes: Axes, placed: pd.DataFrame, context: Context) -> None:
    """Write where an interval begins and ends into its bar, where that fits."""
    for number, (column, cheaper) in enumerate(LANES):
        for row in placed[placed["sign"] == cheaper].to_dict("records"):
            low, high = float(row["pc_from"]), float(row["pc_to"])
            span = formats.pc_range(low, high)
            if (high - low) * _width() > style.text_width(span, 6.5) + 0.1:
                fill = context.colour(str(row[column]))
                look: dict[str, Any] = {"size": 6.5, "color": style.ink_on(fill), "ha": "center"}
                ground = {"boxstyle": "square,pad=0.05", "facecolor": fill, "linewidth": 0}
                y = row["top"] + (number + 0.74) * LANE
                axes.text((low + high) / 2, y, span, bbox=ground, **look)


def _matrix(data: pd.DataFrame, context: Context) -> Figure:
    """Draw the strips as cells, models numbered as in all figures of the data set."""
    number = _paired(data, context)
    cell = _width() / (len(number) - 1)
    row = min(0.3, max(0.2, cell * 0.8))
    top = STRIPS + 0.2
    reading = "each cell from PC(+) = 0 to 1; upper half: its row is cheaper; lower: its column"
    reading += context.first(MOST_MODELS, CHEAPEST)
    figure = _sheet(top + len(number) * row + 0.1, data, context, reading)
    axes = sheet.panel(figure, CELLS, top, _width(), len(number) * row)
    axes.set(xlim=(0, len(number) - 1), ylim=(len(number), 0))
    axes.set_axis_off()
    turned = _turned(data, number)
    left = turned["model_b"].map(number).astype(float) - 0.94
    placed = turned.assign(left=left, top=turned["model_a"].map(number).astype(float) + 0.1)
    _fill_lanes(axes, placed, (0.88, 0.4), context)
    for model, place in number.items():
        _name_row(figure, (0.34, top + (place + 0.5) * row + 0.04), place + 1, model, 1.72, context)
        if place:
            look = {"ha": "center", "size": style.SMALL, **context.words(model)}
            sheet.write(figure, CELLS + (place - 0.5) * cell, top - 0.08, str(place + 1), **look)
    return figure


def _turned(data: pd.DataFrame, number: Mapping[str, int]) -> pd.DataFrame:
    """Turn pairs round where that is needed to have the model of the lower number first."""
    a, b = data["model_a"], data["model_b"]
    later = a.map(number).astype(int) > b.map(number).astype(int)
    sign = data["sign"].where(~later, -data["sign"])
    return data.assign(model_a=a.where(~later, b), model_b=b.where(~later, a), sign=sign)


@figure_kind(
    verdicts_data,
    lambda it: found_of(it, drawn(outcomes(it.rows("verdicts")))),
    "headline",
    "verdicts",
)
def verdicts(data: pd.DataFrame, context: Context) -> Figure:
    """Draw the verdicts of each pair as a strip along PC(+), in the cell of its row and column."""
    number = _paired(data, context)
    models, count = list(number), len(number) - 1
    width, row = _width() / count, 0.36 if count <= 8 else 0.26
    level = formats.level(float(data["familywise"].iloc[0]))
    tested = (data["method"] != IN_SAMPLE).any()
    decided = f"{level} for all pairs and all PC(+) at once, " if tested else ""
    sure = f"{decided}{methods(data)}{context.first(MOST_MODELS, CHEAPEST)}"
    notes = context.chosen(data), sure
    figure = sheet.sheet(FIRST + count * row + 0.34, context.title, verdicts.words.title, *notes)
    reading = "upper half coloured: the row is cheaper; lower half: the column; grey: undecided"
    if (data["finding"] == "equivalent").any():
        reading += "; hatched: equivalent"
    sheet.note(figure, LEFT, TOP - 0.0685, reading)
    axes = sheet.panel(figure, CELLS, FIRST, _width(), count * row)
    axes.set(xlim=(0, count), ylim=(count, 0))
    axes.set_axis_off()
    for (a, b), rows in data.groupby(PAIR, sort=False):
        _fill_cell(axes, rows, (str(a), str(b)), number, context)
    in_full = _name_columns(figure, models, width, context)
    for place, model in enumerate(models[:-1] if in_full else models):
        corner = LEFT + 0.12, FIRST + (place + 0.5) * row + 0.035
        _name_row(figure, corner, place + 1, model, 1.3, context)
    _explain_cell(figure, sheet.inches(axes)[0] / count, FIRST + count * row + 0.08)
    return figure


def _fill_cell(
    axes: Axes,
    rows: pd.DataFrame,
    pair: tuple[str, str],
    number: Mapping[str, int],
    context: Context,
) -> None:
    across, down = CELL
    a, b = pair
    top = min(number[a], number[b]) + (1 - down) / 2
    left = max(number[a], number[b]) - 1 + (1 - across) / 2
    ground: dict[str, Any] = {"facecolor": style.EQUAL, "linewidth": 0, "zorder": 0}
    axes.add_patch(Rectangle((left, top), across, down, **ground))
    halves = (0.0, down / 2) if number[a] < number[b] else (down / 2, 0.0)
    cheaper = {"A cheaper": (a, halves[0]), "B cheaper": (b, halves[1])}
    ends = rows[["pc_from", "pc_to"]].to_numpy(float)
    for finding, (low, high) in zip(rows["finding"], ends, strict=True):
        place, span = left + across * low, across * (high - low)
        if finding in cheaper:
            model, below = cheaper[str(finding)]
            corner = place, top + below
            look = {**context.mark(model), "linewidth": 0.4}
            axes.add_patch(Rectangle(corner, span, down / 2, **look))
        elif finding == "equivalent":
            axes.add_patch(Rectangle((place, top), span, down, **EQUIVALENT))


def _name_columns(figure: Figure, models: Sequence[str], width: float, context: Context) -> bool:
    """Name the columns as far as there is room; say whether all are named in full."""
    names = [f"{number}  {model}" for number, model in enumerate(models, 1)][1:]
    for place, (name, model) in enumerate(zip(names, models[1:], strict=True)):
        words = name if width > 0.6 else str(place + 2)
        look = {"ha": "center", **context.words(model)}
        sheet.name(figure, CELLS + (place + 0.5) * width, FIRST - 0.06, words, width - 0.08, **look)
    widest = max(style.text_width(name, style.SMALL, "bold") for name in names)
    return widest <= width - 0.08


def _explain_cell(figure: Figure, width: float, top: float) -> None:
    """Write beneath the last cell, which is always there, how PC(+) runs in all of them."""
    if width > 0.75:
        left = LEFT + sheet.room() - width
        low, high = left + width * (1 - CELL[0]) / 2, left + width * (1 + CELL[0]) / 2
        for words, x in (("0", low), ("PC(+)", (low + high) / 2), ("1", high)):
            sheet.note(figure, x, top, words, ha="center")
    else:
        words = "in each cell PC(+) runs from 0 at its left to 1 at its right"
        sheet.note(figure, LEFT + sheet.room(), top + 0.04, words, ha="right")
