"""Ways of averaging, with their costs."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Context, Row, Tables
from costcurves.figures.kind import Shown, figure_kind
from costcurves.figures.polylines import by_model, cost_vertices, roc_vertices, thinned
from costcurves.figures.sheet import LEFT, TOP, room
from costcurves.tables.curves.averages import COST_SPACE
from costcurves.tables.curves.pieces import areas, curve_from
from costcurves.tables.curves.roc import are_several

MOST_MODELS: Final = 5
KEYS: Final = ["model", "method"]


GAP: Final = 0.7  # between the panels of a row


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


AVERAGES: Final = {
    "cost-space": "in cost space",
    "vertical": "vertical",
    "horizontal": "horizontal",
    "threshold": "by threshold",
    "pooled": "pooled",
}
PANELS: Final = {
    "roc": ("ROC space", spaces.FP, spaces.TP),
    "cost": ("Cost space", spaces.PC, "cost"),
    "extra": ("Cost added", spaces.PC, "added cost"),
}


def _side() -> float:
    return (room() - 2 * GAP) / 3


def averaging_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Averages of the first five models in ROC and cost space, and, "extra", the cost they add."""
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
    drawn = []
    for space, rows in parts.items():
        named = rows.set_axis([*KEYS, "x", "y"], axis=1)
        named.insert(0, "space", space)
        height = _side() / max(float(np.ptp(named["y"])), NEGLIGIBLE)
        drawn.append(thinned(named, ["space", *KEYS], (_side(), height)))
    return pd.concat(drawn, ignore_index=True)


def _added(averages: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Subtract each model's average in cost space from its other averages, exactly."""
    for model, rows in averages.groupby("model", sort=False):
        methods = rows.groupby("method", sort=False)
        curves = {str(name): curve_from(pieces) for name, pieces in methods}
        base = curves.pop(COST_SPACE)
        for method, curve in curves.items():
            added = curve - base
            pieces = {"pc_from": added.pc[:-1], "pc_to": added.pc[1:]}
            ends = {"nec_from": added.starts, "nec_to": added.ends}
            yield pd.DataFrame({"model": model, "method": method, **pieces, **ends})


def areas_by_method(averages: pd.DataFrame, level: str) -> dict[tuple[str, str], float]:
    """Give the area under each model's average by method, at a level if it is there."""
    each: dict[Any, float] = areas(averages, [*KEYS, "level"]).to_dict()
    return {(who, how): each.get((who, how, level), area) for (who, how, _), area in each.items()}


def _areas(shown: Shown[Context]) -> Iterator[Row]:
    """Give for each model the area under its average by each method."""
    found = areas_by_method(shown.tables["averages"], shown.context.level)
    for model in shown.context.models:
        known = ((found.get((model, name)), words) for name, words in AVERAGES.items())
        yield {"model": model, "areas": [one for one in known if one[0] is not None]}


@figure_kind(
    averaging_data,
    _areas,
    ("roc", "averages"),
    tells=lambda tables: are_several(tables["averages"]),
)
def averaging(data: pd.DataFrame, context: Context) -> Figure:
    """Draw averages of ROC curves, their cost, and what that is above the cost-space average."""
    models = list(by_model(data, context.models))
    height = min(_side(), MOST_HEIGHT / len(models) - HEAD)
    total = FIRST + len(models) * (height + HEAD) + 0.2
    note = "in-sample selection; right: cost of each ROC average, less the average in cost space"
    counts = f"{context.counts}; {context.averaged_over(context.level)}{context.first(MOST_MODELS)}"
    figure = sheet.sheet(total, context.title, averaging.words.title, note, counts)
    series = [("average in cost space", {"color": style.NOTE, "linewidth": 3}), *LOOKS.items()]
    sheet.series_list(figure, TOP - 0.04, series)
    for column, (words, _, _) in enumerate(PANELS.values()):
        sheet.heading(figure, LEFT + column * (_side() + GAP), TOP + 0.24, words)
    tops = {space: rows["y"].agg(["min", "max"]) for space, rows in data.groupby("space")}
    for place, (model, rows) in enumerate(models):
        top = FIRST + place * (height + HEAD)
        sheet.key(figure, LEFT, top - 0.06, 0.34, linewidth=2.0, **context.line(model))
        sheet.name(figure, LEFT + 0.4, top - 0.06, model, room() - 0.4, **context.words(model))
        looks = {COST_SPACE: {**context.line(model), "linewidth": 3, "zorder": 3}, **LOOKS}
        for column, space in enumerate(PANELS):
            axes = sheet.panel(figure, LEFT + column * (_side() + GAP), top, _side(), height)
            sheet.tag(axes, context.tag(model))
            _frame(axes, space, tops[space], last=place == len(models) - 1)
            methods = rows[rows["space"] == space].groupby("method", sort=False)
            for method, vertices in methods:
                axes.plot(vertices["x"], vertices["y"], **{"zorder": 4, **looks[str(method)]})
    return figure


def _frame(axes: Axes, space: str, ends: "pd.Series[float]", *, last: bool) -> None:
    if space == "roc":
        spaces.roc_space(axes, coarse=True)
    elif space == "cost":
        spaces.cost_space(axes, *style.round_top(ends["max"]), coarse=True)
    else:
        top, step = style.round_top(max(ends["max"], -ends["min"], NEGLIGIBLE), least=0)
        low = step * np.floor(ends["min"] / step - 1e-9)
        axes.set(xlim=(0, 1), ylim=(low, top))
        sheet.tag(axes, sheet.PC_TAG)
        spaces.unit_ticks(axes, coarse=True)
        spaces.value_ticks(axes.yaxis, low, top, step)
        axes.axhline(0, color=style.QUIET, linewidth=0.9, zorder=1)
    _, x, y = PANELS[space]
    axes.set_ylabel(y, size=style.SMALL)
    axes.set_xlabel(x if last else "", size=style.SMALL)
    axes.tick_params(labelbottom=last)
