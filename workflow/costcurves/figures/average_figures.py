"""Ways of averaging ROC curves, and what each does to the cost."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from costcurves.figures import sheet, spaces, style, tags
from costcurves.figures.context import Context
from costcurves.figures.polylines import by_model, cost_vertices, roc_vertices, thinned
from costcurves.figures.sheet import LEFT, ROOM, TOP
from costcurves.tables.curves.averages import are_several
from costcurves.tables.curves.pieces import curve_from

Tables = Mapping[str, pd.DataFrame]

MOST_MODELS: Final = 5
COST_SPACE: Final = "cost-space"
KEYS: Final = ["model", "method"]
GAP: Final = 0.7  # between the panels of a row
SIDE: Final = (ROOM - 2 * GAP) / 3
HEAD: Final = 0.34  # above each row: the model's name
MOST_HEIGHT: Final = 7.6  # of all rows together, so that the figure fits a page
FIRST: Final = TOP + 0.52
NEGLIGIBLE: Final = 1e-3  # differences of cost below it are not made larger
# The average in cost space looks like its model; the others differ in dash and in grey.
LOOKS: Final[dict[str, dict[str, Any]]] = {
    "vertical": {"color": style.INK, "linewidth": 0.9, "linestyle": (0, (5, 1.8))},
    "horizontal": {"color": style.INK, "linewidth": 1.1, "linestyle": (0, (1, 1.2))},
    "threshold": {"color": style.INK, "linewidth": 0.9, "linestyle": (0, (6, 1.5, 1, 1.5))},
    "pooled": {"color": style.GREYED, "linewidth": 1.8, "linestyle": (0, None), "zorder": 2},
}
PANELS: Final = {
    "roc": ("ROC space", spaces.FP, spaces.TP),
    "cost": ("Cost space", spaces.PC, "cost"),
    "extra": ("Cost added", spaces.PC, "added cost"),
}


def averaging_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Averages of the first five models: `space`, `model`, `method`, `x`, `y`, a row a vertex.

    In space "roc" x and y are FP and TP rate, and the average in cost space goes through the points
    dual to its lines; in "extra" y is the cost added to that of the average in cost space.
    """
    shown = context.models[:MOST_MODELS]
    averages, roc = (
        rows[rows["model"].isin(shown) & (rows["level"] == context.level)]
        for rows in (tables["averages"], tables["roc"])
    )
    own = averages[averages["method"] == COST_SPACE]
    parts = {
        "roc": pd.concat([roc[[*KEYS, "fp", "tp"]], roc_vertices(own, KEYS)]),
        "cost": cost_vertices(averages, KEYS),
        "extra": cost_vertices(pd.concat(_added(averages)), KEYS),
    }
    named = [
        rows.set_axis([*KEYS, "x", "y"], axis=1).assign(space=name) for name, rows in parts.items()
    ]
    return pd.concat([_thinned(rows) for rows in named], ignore_index=True)


def _thinned(rows: pd.DataFrame) -> pd.DataFrame:
    height = SIDE / max(float(np.ptp(rows["y"])), NEGLIGIBLE)
    return thinned(rows[["space", *KEYS, "x", "y"]], ["space", *KEYS], (SIDE, height))


def _added(averages: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Subtract each model's average in cost space from its other averages, exactly."""
    for model, rows in averages.groupby("model", sort=False):
        curves = {
            str(name): curve_from(pieces) for name, pieces in rows.groupby("method", sort=False)
        }
        base = curves.pop(COST_SPACE)
        for method, curve in curves.items():
            added = curve - base
            pieces = {"pc_from": added.pc[:-1], "pc_to": added.pc[1:]}
            ends = {"nec_from": added.starts, "nec_to": added.ends}
            yield pd.DataFrame({"model": model, "method": method, **pieces, **ends})


def has_averages(tables: Tables) -> bool:
    """Say whether any model has several curves to average."""
    return are_several(tables["averages"])


def averaging(data: pd.DataFrame, context: Context) -> Figure:
    """Draw averages of ROC curves, their cost, and what that is above the cost-space average."""
    models = list(by_model(data, context.models))
    height = min(SIDE, MOST_HEIGHT / len(models) - HEAD)
    figure = sheet.sheet(FIRST + len(models) * (height + HEAD) + 0.2)
    _head(figure, context)
    tops = {space: rows["y"].agg(["min", "max"]) for space, rows in data.groupby("space")}
    for place, (model, rows) in enumerate(models):
        top = FIRST + place * (height + HEAD)
        sheet.key(figure, LEFT, top - 0.06, 0.34, linewidth=2.0, **context.line(model))
        name = style.shorten(model, ROOM - 0.4, style.SMALL, "bold")
        sheet.write(figure, LEFT + 0.4, top - 0.06, name, size=style.SMALL, **context.words(model))
        for column, space in enumerate(PANELS):
            axes = sheet.panel(figure, LEFT + column * (SIDE + GAP), top, SIDE, height)
            tags.tag(axes, context.tag(model))
            _frame(axes, space, tops[space], last=place == len(models) - 1)
            _draw_methods(axes, rows[rows["space"] == space], context.line(model))
    return figure


def _head(figure: Figure, context: Context) -> None:
    first = f"; the first {MOST_MODELS} models" if len(context.models) > MOST_MODELS else ""
    note = "in-sample selection; right: cost of each ROC average, less the average in cost space"
    statement = "ways to average, and what they cost"
    counts = f"{context.counts}; {context.averaged}{first}"
    sheet.title(figure, context.title, statement, note, counts)
    series = [("average in cost space", {"color": style.NOTE, "linewidth": 3}), *LOOKS.items()]
    sheet.series_list(figure, TOP - 0.04, series)
    for column, (words, _, _) in enumerate(PANELS.values()):
        left = LEFT + column * (SIDE + GAP)
        sheet.write(figure, left, TOP + 0.24, words, size=style.BODY, weight="bold")


def _frame(axes: Axes, space: str, ends: "pd.Series[float]", *, last: bool) -> None:
    if space == "roc":
        spaces.roc_space(axes, coarse=True)
    elif space == "cost":
        spaces.cost_space(axes, *style.round_top(ends["max"]), coarse=True)
    else:
        _difference_space(axes, ends["min"], ends["max"])
    _, x, y = PANELS[space]
    axes.set_ylabel(y, size=style.SMALL)
    axes.set_xlabel(x if last else "", size=style.SMALL)
    axes.tick_params(labelbottom=last)


def _difference_space(axes: Axes, low: float, high: float) -> None:
    """Draw an empty space of differences around zero, with round ends."""
    top, step = style.round_top(max(high, -low, NEGLIGIBLE), least=0)
    axes.set(xlim=(0, 1), ylim=(step * np.floor(low / step - 1e-9), top))
    tags.tag(axes, tags.PC)
    spaces.unit_ticks(axes, coarse=True)
    spaces.value_ticks(axes, axes.get_ylim()[0], top, step)
    axes.axhline(0, color=style.QUIET, linewidth=0.9, zorder=1)


def _draw_methods(axes: Axes, rows: pd.DataFrame, own: dict[str, Any]) -> None:
    looks = {COST_SPACE: {**own, "linewidth": 3, "zorder": 3}, **LOOKS}
    for method, vertices in rows.groupby("method", sort=False):
        axes.plot(vertices["x"], vertices["y"], **{"zorder": 4, **looks[str(method)]})
