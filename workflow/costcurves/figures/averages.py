"""Averages of the leading model's ROC curves, and what each costs beside the cost-space average."""

from functools import partial
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from costcurves.figures import axes, style
from costcurves.figures.context import Context, Tables, leading
from costcurves.figures.polylines import cost_part, curve, part, thinned, together
from costcurves.formats import cost

NAME: Final = "averages"
HEIGHT: Final = 165.0
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


def data(tables: Tables, context: Context) -> pd.DataFrame:
    """Return averages at the study's level in both spaces; nothing where there is one curve."""
    model = leading(tables, context)[0]
    roc, costs = tables["roc"], tables["averages"]
    roc = roc[(roc["model"] == model) & (roc["level"] == context.level)]
    costs = costs[(costs["model"] == model) & (costs["level"] == context.level)]
    if costs["method"].nunique() < 2 or costs["curves"].max() < 2:
        return together([])
    parts = []
    for method in METHODS:
        own = costs[costs["method"] == method]
        parts.append(cost_part(f"cost {method}", own, [model]))
        points = roc.loc[roc["method"] == method, ["model", "fp", "tp"]]
        if method == "cost-space":
            corners = own[["at0", "at1"]].drop_duplicates()
            x, y = np.r_[0, corners["at0"], 1], np.r_[0, 1 - corners["at1"], 1]
            points = pd.DataFrame({"model": model, "fp": x, "tp": y})
        points = thinned(points, ["model"], (210, HEIGHT))
        parts.append(part(f"roc {method}", model, points["fp"], points["tp"]))
    return together(parts)


def panels(data: pd.DataFrame, context: Context) -> list[axes.Panel]:
    """Return ROC space and cost space."""
    shown: axes.Look = {"data": data, "context": context}
    return [partial(draw_roc, **shown), partial(draw_costs, **shown)]


def draw_roc(ax: Axes, data: pd.DataFrame, context: Context) -> None:
    """Draw the averages in ROC space."""
    axes.place(ax, height=HEIGHT)
    axes.roc_space(ax)
    entries = {}
    for method, area in areas(data).items():
        look = {"color": context.colour(data["model"].iloc[0]), **LOOKS[method]}
        ax.plot(*curve(data, f"roc {method}", data["model"].iloc[0]), **look)
        entries[f"{cost(area)}  {METHODS[method]}"] = look
    axes.key(ax, entries, below=29)
    axes.title(ax, "a  ROC space")


def draw_costs(ax: Axes, data: pd.DataFrame, context: Context) -> None:
    """Draw what the averages cost."""
    axes.place(ax, height=HEIGHT)
    axes.cost_space(ax, context)
    for method in areas(data):
        look = {"color": context.colour(data["model"].iloc[0]), **LOOKS[method]}
        ax.plot(*curve(data, f"cost {method}", data["model"].iloc[0]), **look)
    axes.roof_words(ax)
    axes.title(ax, "b  Cost space")


def areas(data: pd.DataFrame) -> dict[str, float]:
    """Return the area under the cost curve of each average."""
    found = {}
    for method in METHODS:
        x, y = curve(data, f"cost {method}", data["model"].iloc[0])
        if len(x):
            found[method] = float(np.trapezoid(y, x))
    return found


def words(data: pd.DataFrame, _tables: Tables, _context: Context) -> dict[str, Any]:
    """Return the areas, and how much more the dearest average costs than that in cost space."""
    found = areas(data)
    base = found["cost-space"]
    dearest = max(found, key=lambda method: found[method])
    more = found[dearest] / base - 1 if base else 0.0
    listed = {METHODS[method]: area for method, area in found.items()}
    model = str(data["model"].iloc[0])
    return {"model": model, "areas": listed, "dearest": METHODS[dearest], "more": more}
