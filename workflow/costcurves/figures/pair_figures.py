"""Which of two models is cheaper, along PC(+): verdicts, in the cells of a matrix."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from costcurves import formats
from costcurves.figures import sheet, style
from costcurves.figures.context import Context, Tables, estimate_of_pairs, methods
from costcurves.figures.difference_figures import found_of
from costcurves.figures.kind import figure_kind
from costcurves.figures.map_figures import EQUIVALENT, PAIR, of_all_pairs
from costcurves.figures.outcomes import drawn, outcomes
from costcurves.figures.sheet import LEFT, TOP
from costcurves.tables.keys import IN_SAMPLE

MOST_MODELS: Final = 20  # 190 pairs
CHEAPEST: Final = "{} cheapest models"
NAMES: Final = 1.6  # room for names left of cells
CELLS: Final = LEFT + NAMES  # where cells begin
FIRST: Final = TOP + 0.34  # where the first cell begins
CELL: Final = (0.92, 0.62)  # how much of its place a cell takes


def _width() -> float:
    """Width of all cells of a row."""
    return sheet.room() - NAMES


def verdicts_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Verdicts of the pairs of the twenty cheapest models, a row an interval."""
    rows = of_all_pairs(tables["verdicts"])
    rows = rows[rows[PAIR].isin(context.ranked[:MOST_MODELS]).all(axis=1)]
    rows = rows.assign(estimate=estimate_of_pairs(rows, tables["headline"]))
    kept = [*PAIR, "estimate", "finding", "pc_from", "pc_to", "familywise", "method"]
    return rows[kept].reset_index(drop=True)


def _paired(data: pd.DataFrame, context: Context) -> dict[str, int]:
    """Give the place of each model that is in a pair, in the order of all figures."""
    paired = set(data["model_a"]) | set(data["model_b"])
    models = [model for model in context.ranked if model in paired]
    return {model: place for place, model in enumerate(models)}


@figure_kind(
    verdicts_data,
    lambda it: found_of(it, drawn(outcomes(it.rows("verdicts")))),
    ("headline", "verdicts"),
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
        top, look = FIRST + (place + 0.5) * row + 0.035, context.words(model)
        sheet.write(figure, LEFT + 0.12, top, f"{place + 1}", size=style.SMALL, ha="right", **look)
        sheet.name(figure, LEFT + 0.2, top, model, 1.3, **look)
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
