"""Loss curves of the threshold choice methods, of the leading models that have scores."""

from functools import partial
from typing import Any, Final

import pandas as pd
from matplotlib.axes import Axes

from costcurves.choosing.threshold_choice import COST
from costcurves.figures import axes, style
from costcurves.figures.context import Context, Tables, leading
from costcurves.figures.polylines import COLUMNS, cost_part, curve, together
from costcurves.formats import cost

NAME: Final = "loss_curves"
MODELS: Final = 3
LOOKS: Final[dict[str, axes.Look]] = {
    "optimal": {"linewidth": 2.2, "zorder": 3},
    "score-driven": {"color": style.INK, "linewidth": 0.9},
    "score-fixed": {"color": style.INK, "linewidth": 0.9, "linestyle": (0, (4, 2))},
    "rate-driven": {"color": style.QUIET, "linewidth": 1.2},
    "rate-fixed": {"color": style.QUIET, "linewidth": 1.2, "linestyle": (0, (4, 2))},
}


def data(tables: Tables, context: Context) -> pd.DataFrame:
    """Return the loss curves; the last column has the expected loss of each."""
    rows = tables["threshold_choice"]
    rows = rows[rows["axis"] == COST]
    models = [model for model in leading(tables, context) if model in set(rows["model"])]
    parts = []
    for model in models[:MODELS]:
        for method, own in rows[rows["model"] == model].groupby("method", sort=False):
            parts.append(
                cost_part(str(method), own, [model], top=1).assign(loss=own["loss"].iloc[0])
            )
    return together(parts) if parts else pd.DataFrame(columns=[*COLUMNS, "loss"])


def panels(data: pd.DataFrame, context: Context) -> list[axes.Panel]:
    """Return a panel for each model."""
    models = list(data["model"].unique())
    highest = min(1.0, 1.05 * float(data["y"].max()))
    letters = "abc" if len(models) > 1 else " "
    pairs = zip(models, letters, strict=False)
    shown: axes.Look = {"data": data, "context": context, "highest": highest}
    return [partial(draw, model=model, letter=letter, **shown) for model, letter in pairs]


def draw(
    ax: Axes, data: pd.DataFrame, context: Context, model: str, letter: str, highest: float
) -> None:
    """Draw the loss curves of a model, and list them by expected loss."""
    axes.unit_ticks(ax, coarse=False)
    ax.set(xlim=(0, 1), ylim=(0, highest), ylabel="loss")
    axes.value_ticks(ax, 0, highest)
    axes.x_label(ax, "cost proportion")
    entries = {}
    for method, loss in losses(data, model).items():
        look = {"color": context.colour(model), **LOOKS[method]}
        ax.plot(*curve(data, method, model), **look)
        entries[f"{cost(loss)}  {method}"] = look
    axes.key(ax, entries, below=29)
    axes.title(ax, f"{letter}  {context.short[model]}".strip())


def losses(data: pd.DataFrame, model: str) -> dict[str, float]:
    """Return the expected loss of each method of a model, the smallest first."""
    rows = data[data["model"] == model].drop_duplicates("series").sort_values("loss")
    return dict(rows[["series", "loss"]].itertuples(index=False, name=None))


def words(data: pd.DataFrame, _tables: Tables, _context: Context) -> dict[str, Any]:
    """Return expected losses by model."""
    models = [str(model) for model in data["model"].unique()]
    listed = {model: losses(data, model) for model in models}
    first = {method: loss for method, loss in listed[models[0]].items() if method != "optimal"}
    return {"models": models, "losses": listed, "least": min(first, key=lambda it: first[it])}
