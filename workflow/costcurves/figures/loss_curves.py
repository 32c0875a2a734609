"""Loss curves of the threshold choice methods, of the leading models that have scores."""

from typing import Any, Final

import pandas as pd
from matplotlib.axes import Axes

from costcurves.figures import axes, style
from costcurves.figures.context import Context
from costcurves.figures.hybrids import SHORT, by_value
from costcurves.figures.polylines import cost_part, curve, filtered, together
from costcurves.formats import cost
from costcurves.ranking.threshold_choice import COST

NAME: Final = "loss_curves"
MODELS: Final = 3
LOOKS: Final[dict[str, axes.Look]] = {
    "optimal": {"linewidth": 2.2, "zorder": 3},
    "score-driven": {"color": style.INK},
    "score-fixed": {"color": style.INK, "linestyle": (0, SHORT)},
    "rate-driven": {"color": style.QUIET},
    "rate-fixed": {"color": style.QUIET, "linestyle": (0, SHORT)},
}


def data(context: Context) -> pd.DataFrame:
    """Return the loss curves; the last column has the expected loss of each."""
    rows = filtered(context.tables["threshold_choice"], axis=COST)
    if rows.empty:
        return together([])
    models = context.leading_in(rows, MODELS)
    loss = rows.groupby(["model", "method"])["loss"].first()
    return cost_part(rows["method"], rows, models, top=1).join(loss, on=["model", "series"])


def panels(data: pd.DataFrame, context: Context) -> dict[str, axes.Panel]:
    """Return a panel for each model."""
    return axes.by_model(draw, data, context)


def draw(ax: Axes, data: pd.DataFrame, context: Context, model: str) -> None:
    """Draw the loss curves of a model, and list them by expected loss."""
    highest = min(1.0, 1.05 * float(data["y"].max()))
    ax.set(xlim=(0, 1), ylim=(0, highest), xlabel="cost proportion", ylabel="loss")
    axes.ticks(ax)
    entries = {}
    for method, loss in by_value(data, model).items():
        look = {"color": context.colour(model), **LOOKS[method]}
        ax.plot(*curve(data, method, model), **look)
        entries[f"{cost(loss)}  {method}"] = look
    axes.key(ax, entries)


def words(data: pd.DataFrame, _context: Context) -> dict[str, Any]:
    """Return expected losses by model."""
    models = data["model"].unique().tolist()
    listed = {model: by_value(data, model) for model in models}
    least = next(method for method in listed[models[0]] if method != "optimal")
    return {"models": models, "losses": listed, "least": least}
