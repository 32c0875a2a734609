"""The loss of each way of setting a threshold, over the cost proportion."""

from collections.abc import Mapping
from typing import Any, Final

import pandas as pd
from matplotlib.figure import Figure

from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Context
from costcurves.figures.polylines import by_model, cost_vertices, thinned
from costcurves.figures.sheet import LEFT, LINE, TOP
from costcurves.formats import cost

Tables = Mapping[str, pd.DataFrame]

MOST_MODELS: Final = 10
KEYS: Final = ["model", "method", "loss"]
OPTIMAL: Final = "optimal"
STATEMENT: Final = "what a way of setting the threshold loses"
COST: Final = "cost proportion"
AXES: Final = (1.3, 1.3)  # width and height
LIST: Final = 1.45  # beside them
COLUMN: Final = 3.2  # from one column to the next
STEP: Final = 1.86  # from one row to the next
FIRST: Final = TOP
LOOKS: Final[dict[str, dict[str, Any]]] = {
    "score-fixed": {"color": style.INK, "linestyle": (0, (4, 2)), "linewidth": 0.9},
    "score-uniform": {"color": style.INK, "linestyle": (0, (1, 1.2)), "linewidth": 0.9},
    "score-driven": {"color": style.INK, "linestyle": "-", "linewidth": 0.9},
    "rate-fixed": {"color": style.QUIET, "linestyle": (0, (4, 2)), "linewidth": 1.2},
    "rate-uniform": {"color": style.QUIET, "linestyle": (0, (1, 1.2)), "linewidth": 1.2},
    "rate-driven": {"color": style.QUIET, "linestyle": "-", "linewidth": 1.2},
}


def threshold_choice_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Loss curves of the first ten models that have scores, a row a vertex.

    `loss` is the expected one, every cost proportion being equally likely; `q` that at one of them.
    """
    rows = tables["threshold_choice"]
    shown = [model for model in context.models if model in set(rows["model"])][:MOST_MODELS]
    rows = rows[(rows["axis"] == COST) & rows["model"].isin(shown)]
    vertices = cost_vertices(rows, KEYS)
    top, _ = _scale(vertices["nec"])
    drawn = thinned(vertices, KEYS, (AXES[0], AXES[1] / top))
    return drawn.rename(columns={"pc": "cost_proportion", "nec": "q"})


def _scale(losses: "pd.Series[float]") -> tuple[float, float]:
    return style.round_top(float(losses.max()) if len(losses) else 0.0)


def threshold_choice(data: pd.DataFrame, context: Context) -> Figure:
    """Draw the threshold choice curves of each model, with their areas: the expected losses.

    As in Hernandez-Orallo, Flach and Ferri (2011), Figs 2 to 7. A score-driven curve is a Brier
    curve, a rate-driven one a ROC cost curve.
    """
    if data.empty:
        return sheet.without(context.title, STATEMENT, "no model has scores")
    curves = list(by_model(data, context.models))
    rows = -(-len(curves) // 2)
    figure = sheet.sheet(FIRST + rows * STEP + 0.3)
    left_out = len(context.models) > len(curves)
    first = f"; {len(curves)} models" if left_out else ""
    areas = "numbers: areas, the expected losses if every cost proportion is equally likely"
    pooled = f"all predictions pooled (optimal: in-sample); {context.counts}{first}"
    sheet.title(figure, context.title, STATEMENT, pooled, areas)
    scale = _scale(data["q"])
    for place, (model, own) in enumerate(curves):
        last = place + 2 >= len(curves)
        _draw_model(figure, place, model, own, scale, context, last=last)
    return figure


def _draw_model(
    figure: Figure,
    place: int,
    model: str,
    rows: pd.DataFrame,
    scale: tuple[float, float],
    context: Context,
    *,
    last: bool,
) -> None:
    row, column = divmod(place, 2)
    left, top = LEFT + column * COLUMN, FIRST + row * STEP
    sheet.key(figure, left, top + 0.1, 0.3, linewidth=1.8, **context.line(model))
    name = style.shorten(model, AXES[0] + LIST - 0.5, style.SMALL, "bold")
    sheet.write(figure, left + 0.36, top + 0.1, name, size=style.SMALL, **context.words(model))
    axes = sheet.panel(figure, left, top + 0.2, *AXES)
    axes.set(xlim=(0, 1), ylim=(0, scale[0]))
    spaces.unit_ticks(axes, coarse=True)
    spaces.value_ticks(axes, 0, *scale)
    axes.set_xlabel(COST if last else "", size=style.SMALL)
    axes.set_ylabel("" if column else "loss", size=style.SMALL)
    looks = {**LOOKS, OPTIMAL: {**context.line(model), "linewidth": 2.0, "zorder": 4}}
    curves = {str(method): own for method, own in rows.groupby("method", sort=False)}
    for line, method in enumerate(name for name in looks if name in curves):
        own = curves[method]
        axes.plot(own["cost_proportion"], own["q"], **looks[method])
        _list(figure, left, top + 0.34 + line * LINE, method, own, looks[method])


def _list(
    figure: Figure,
    left: float,
    top: float,
    method: str,
    rows: pd.DataFrame,
    look: dict[str, Any],
) -> None:
    start = left + AXES[0] + 0.08
    sheet.key(figure, start, top, 0.22, **look)
    sheet.note(figure, start + 0.27, top, method)
    number = cost(float(rows["loss"].iloc[0]))
    sheet.write(figure, left + AXES[0] + LIST, top, number, size=style.SMALL, ha="right")
