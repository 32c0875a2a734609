"""The verdicts of all pairs of models at a glance: rows against columns."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from costcurves import formats
from costcurves.figures import sheet, style, words
from costcurves.figures.context import Context
from costcurves.figures.difference_figures import first_family
from costcurves.figures.sheet import LEFT, ROOM, TOP
from costcurves.tables.keys import IN_SAMPLE

Tables = Mapping[str, pd.DataFrame]

MOST_MODELS: Final = 20
PAIR: Final = ["model_a", "model_b"]
STATEMENT: Final = "which differences are real"
NAMES: Final = 1.6  # room for the names of the rows, numbers included
FIRST: Final = TOP + 0.34
CELL: Final = (0.92, 0.62)  # how much of its place a cell takes


def verdicts_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Verdicts of the pairs of the twenty cheapest models, a row an interval."""
    rows = first_family(tables["verdicts"], context)
    shown = context.numbered[:MOST_MODELS]
    rows = rows[rows["model_a"].isin(shown) & rows["model_b"].isin(shown)]
    rows = rows.assign(estimate=words.of_pairs(rows, tables["headline"]))
    kept = [*PAIR, "estimate", "finding", "pc_from", "pc_to", "familywise", "method"]
    return rows[kept].reset_index(drop=True)


def verdicts(data: pd.DataFrame, context: Context) -> Figure:
    """Draw the verdicts of each pair as a strip along PC(+), in the cell of its row and column.

    A cell is coloured in its upper half where the row is cheaper, in its lower half where the
    column is. Models are numbered as in all figures of the data set: the cheapest first.
    """
    if data.empty:
        return sheet.without(context.title, STATEMENT, "there are no two models to compare")
    paired = set(data["model_a"]) | set(data["model_b"])
    models = [model for model in context.numbered if model in paired]
    count = len(models) - 1
    width, row = (ROOM - NAMES) / count, 0.36 if count <= 8 else 0.26
    figure = sheet.sheet(FIRST + count * row + 0.34)
    _head(figure, data, context)
    axes = sheet.panel(figure, LEFT + NAMES, FIRST, ROOM - NAMES, count * row)
    axes.set(xlim=(0, count), ylim=(count, 0))
    axes.set_axis_off()
    number = {model: place for place, model in enumerate(models)}
    _fill_cells(axes, data, number, context)
    in_full = _name_columns(figure, models, width, context)
    _name_rows(figure, models[:-1] if in_full else models, row, context)
    _explain_cell(figure, axes, count, row)
    return figure


def _head(figure: Figure, data: pd.DataFrame, context: Context) -> None:
    left_out = len(context.models) - MOST_MODELS
    first = f"; the {MOST_MODELS} cheapest models" if left_out > 0 else ""
    level = formats.level(float(data["familywise"].iloc[0]))
    decided = f"{level} for all pairs and all PC(+) at once, "
    tested = (data["method"] != IN_SAMPLE).any()
    sure = f"{decided if tested else ''}{words.methods(data)}{first}"
    how = f"{words.chosen_how(data)}; {context.counts}"
    sheet.title(figure, context.title, STATEMENT, how, sure)
    reading = "upper half coloured: the row is cheaper; lower half: the column; grey: undecided"
    if (data["finding"] == "equivalent").any():
        reading += "; hatched: equivalent"
    sheet.note(figure, LEFT, 0.24 + sheet.LINE * 3.1, reading)


def _fill_cells(
    axes: Axes, data: pd.DataFrame, number: Mapping[str, int], context: Context
) -> None:
    across, down = CELL
    for (a, b), rows in data.groupby(PAIR, sort=False):
        places = number[str(a)], number[str(b)]
        top, left = min(places) + (1 - down) / 2, max(places) - 1 + (1 - across) / 2
        ground: dict[str, Any] = {"facecolor": style.EQUAL, "linewidth": 0, "zorder": 0}
        axes.add_patch(Rectangle((left, top), across, down, **ground))
        halves = (0.0, down / 2) if places[0] < places[1] else (down / 2, 0.0)
        cheaper = {"A cheaper": (str(a), halves[0]), "B cheaper": (str(b), halves[1])}
        ends = rows[["pc_from", "pc_to"]].to_numpy(float)
        for finding, (low, high) in zip(rows["finding"], ends, strict=True):
            place, span = left + across * low, across * (high - low)
            if finding in cheaper:
                model, below = cheaper[str(finding)]
                color = context.line(model)["color"]
                look: dict[str, Any] = {"facecolor": color, "edgecolor": color, "linewidth": 0.4}
                look["gid"] = context.tag(model)
                axes.add_patch(Rectangle((place, top + below), span, down / 2, **look))
            elif finding == "equivalent":
                look = {"facecolor": "white", "edgecolor": style.QUIET, "linewidth": 0}
                axes.add_patch(Rectangle((place, top), span, down, hatch="/////", **look))


def _name_columns(figure: Figure, models: Sequence[str], width: float, context: Context) -> bool:
    """Name the columns as far as there is room; say whether all are named in full."""
    names = [f"{number}  {model}" for number, model in enumerate(models, 1)]
    for place, (name, model) in enumerate(zip(names[1:], models[1:], strict=True)):
        words = name if width > 0.6 else str(place + 2)
        shown = style.shorten(words, width - 0.08, style.SMALL, "bold")
        look: dict[str, Any] = {"size": style.SMALL, **context.words(model)}
        x = LEFT + NAMES + (place + 0.5) * width
        sheet.write(figure, x, FIRST - 0.06, shown, ha="center", **look)
    widest = max(style.text_width(name, style.SMALL, "bold") for name in names[1:])
    return widest <= width - 0.08


def _name_rows(figure: Figure, models: Sequence[str], row: float, context: Context) -> None:
    """Name the rows, and beneath them a last model that columns do not name in full."""
    for place, model in enumerate(models):
        look: dict[str, Any] = {"size": style.SMALL, **context.words(model)}
        y = FIRST + (place + 0.5) * row + 0.035
        sheet.write(figure, LEFT + 0.12, y, str(place + 1), ha="right", **look)
        shown = style.shorten(model, NAMES - 0.3, style.SMALL, "bold")
        sheet.write(figure, LEFT + 0.2, y, shown, **look)


def _explain_cell(figure: Figure, axes: Axes, count: int, row: float) -> None:
    """Write beneath the last cell, which is always there, how PC(+) runs in all of them."""
    width = sheet.inches(axes)[0] / count
    left = LEFT + ROOM - width
    top = FIRST + count * row + 0.08
    low, high = left + width * (1 - CELL[0]) / 2, left + width * (1 + CELL[0]) / 2
    if width > 0.75:
        sheet.note(figure, low, top, "0", ha="center")
        sheet.note(figure, (low + high) / 2, top, "PC(+)", ha="center")
        sheet.note(figure, high, top, "1", ha="center")
    else:
        words = "in each cell PC(+) runs from 0 at its left to 1 at its right"
        sheet.note(figure, LEFT + ROOM, top + 0.04, words, ha="right")
