"""Net benefit against the threshold probability: the cost curves as decision curves."""

from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from costcurves.curves.pieces import curves_of
from costcurves.figures import axes, style
from costcurves.figures.context import Context
from costcurves.figures.polylines import curve, curve_part, filtered, models_of, together, widest
from costcurves.ranking.net_benefit import net_benefit, pc_at, treat_all

NAME: Final = "decision_curves"
MODELS: Final = 5
BANDED: Final = 4
AT: Final = np.linspace(0.001, 0.95, 400)  # beyond, a false positive counts 19 false negatives
BELOW: Final = -0.25  # the axis goes as far down, as a share of what perfect decisions bring
LOOKS: Final[dict[str, axes.Look]] = {
    "treat all": {"color": style.QUIET, "linewidth": 0.9, "linestyle": (0, (4, 2))},
    "treat none": {"color": style.QUIET, "linewidth": 0.9},
}


def data(context: Context) -> pd.DataFrame:
    """Return the net benefit of the leading models, and of four the edges of its band."""
    models, prior, parts = context.leading[:MODELS], context.prior, []
    bands = filtered(context.tables["bands"], extent="simultaneous")
    bands = bands[bands["model"].isin(models[:BANDED])]
    pieces = pd.concat([context.tables["headline"].assign(edge="net benefit"), bands])
    at = pc_at(AT, prior)
    for model in models:
        for names, cost in curves_of(filtered(pieces, model=model), ["edge"]):
            seen = np.maximum(net_benefit(cost(at), at, prior), BELOW * prior)
            parts.append(curve_part(names["edge"], model, AT, seen, top=(1 - BELOW) * prior))
    return together(parts)


def panels(_data: pd.DataFrame, _context: Context) -> dict[str, axes.Panel]:
    """Return one panel."""
    return {"": draw}


def draw(ax: Axes, data: pd.DataFrame, context: Context) -> None:
    """Draw decision curves between treat all and treat none, after Vickers and Elkin.

    Medical Decision Making 26, 565-574, 2006, doi:10.1177/0272989X06295361.
    """
    ends = np.array([BELOW, 1.05]) * context.prior
    ax.set(xlim=(0, 1), ylim=ends, xlabel="threshold probability")
    ax.set_ylabel("net benefit of 1000 cases")
    ax.yaxis.set_major_formatter(lambda y, _: f"{1000 * y:g}".replace("-", "\N{MINUS SIGN}"))
    axes.ticks(ax)
    ax.plot(AT, treat_all(AT, context.prior), **LOOKS["treat all"])
    ax.axhline(0, **LOOKS["treat none"])
    models = models_of(data, "net benefit")
    for model in models[::-1]:
        edges = curve(data, "lower", model), curve(data, "upper", model)
        axes.band(ax, *edges, context.colour(model))
        ax.plot(*curve(data, "net benefit", model), **context.line(model, 1.2))
    axes.key(ax, context.key(models, MODELS, 1.2) | LOOKS)


def words(data: pd.DataFrame, context: Context) -> dict[str, Any]:
    """Return the widest range in which a model is shown to bring more than another."""
    models = models_of(data, "net benefit")
    best = next((pair for pair in context.wins if {*pair} <= {*models}), None)
    shown = None
    if best:
        # The formula of PC(+) at a threshold probability leads back, too.
        low, high = sorted(float(pc_at(pc, context.prior)) for pc in widest(context.wins[best]))
        shown = {"more": best[0], "less": best[1], "low": low, "high": high}
    return {"models": models, "shown": shown, "level": context.confidence("bands")}
