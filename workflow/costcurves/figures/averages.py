"""Averages of the leading model's ROC curves, and what each costs beside the cost-space average."""

from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from costcurves.curves.averages import COST_SPACE
from costcurves.figures import axes, style
from costcurves.figures.context import Context
from costcurves.figures.polylines import (
    cost_part,
    curve,
    curve_part,
    filtered,
    hull_part,
    together,
)
from costcurves.formats import cost

NAME: Final = "averages"
METHODS: Final = {
    "cost-space": "in cost space",
    "vertical": "vertical",
    "horizontal": "horizontal",
    "threshold": "by threshold",
    "pooled": "pooled",
}
LOOKS: Final[dict[str, axes.Look]] = {
    "cost-space": {"linewidth": 2.4, "zorder": 3},
    "vertical": {"color": style.INK, "linewidth": 0.9, "linestyle": (0, (5, 1.8))},
    "horizontal": {"color": style.INK, "linewidth": 1.1, "linestyle": (0, (1, 1.2))},
    "threshold": {"color": style.INK, "linewidth": 0.9, "linestyle": (0, (6, 1.5, 1, 1.5))},
    "pooled": {"color": style.GREYED, "linewidth": 1.8},
}


def data(context: Context) -> pd.DataFrame:
    """Return averages at the study's level in both spaces; nothing where there is one curve."""
    model, tables = context.leading[0], context.tables
    roc = filtered(tables["roc"], model=model, level=context.level)
    costs = filtered(tables["averages"], model=model, level=context.level)
    if costs["method"].nunique() < 2 or costs["curves"].max() < 2:
        return together([])
    pieces = filtered(costs, method=COST_SPACE)
    return together(
        [
            cost_part("cost " + costs["method"], costs, [model]),
            hull_part(f"roc {COST_SPACE}", pieces, model),
            curve_part("roc " + roc["method"], model, roc["fp"], roc["tp"], top=1),
        ]
    )


def panels(_data: pd.DataFrame, _context: Context) -> dict[str, axes.Panel]:
    """Return ROC space and cost space."""
    return {"ROC space": draw_roc, "Cost space": draw_costs}


def draw_roc(ax: Axes, data: pd.DataFrame, context: Context) -> None:
    """Draw the averages in ROC space."""
    axes.place(ax, height=axes.SQUARE)
    axes.roc_space(ax)
    looks = _draw_curves(ax, data, context, "roc")
    by_method = areas(data, context.leading[0]).items()
    axes.key(ax, {f"{cost(area)}  {METHODS[name]}": looks[name] for name, area in by_method})


def draw_costs(ax: Axes, data: pd.DataFrame, context: Context) -> None:
    """Draw what the averages cost."""
    axes.place(ax, height=axes.SQUARE)
    axes.cost_space(ax, context)
    _draw_curves(ax, data, context, "cost")
    axes.roof_words(ax)


def _draw_curves(ax: Axes, data: pd.DataFrame, context: Context, space: str) -> axes.Look:
    """Draw the averages in a space, and return how each looks."""
    model = context.leading[0]
    looks = {method: {"color": context.colour(model), **look} for method, look in LOOKS.items()}
    for method, look in looks.items():
        ax.plot(*curve(data, f"{space} {method}", model), **look)
    return looks


def areas(data: pd.DataFrame, model: str) -> dict[str, float]:
    """Return the area under the cost curve of each average."""
    by_method = {}
    for method in METHODS:
        x, y = curve(data, f"cost {method}", model)
        if len(x):
            by_method[method] = float(np.trapezoid(y, x))
    return by_method


def words(data: pd.DataFrame, context: Context) -> dict[str, Any]:
    """Return the areas, and how much more the dearest average costs than that in cost space."""
    by_method = areas(data, context.leading[0])
    base = by_method[COST_SPACE]
    dearest, highest = max(by_method.items(), key=lambda pair: pair[1])
    return {
        "model": context.leading[0],
        "areas": {METHODS[method]: area for method, area in by_method.items()},
        "dearest": METHODS[dearest],
        "more": highest / base - 1 if base else 0.0,
    }
