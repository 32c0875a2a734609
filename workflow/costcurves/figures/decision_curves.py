"""Net benefit against the threshold probability: the cost curves as decision curves."""

from functools import partial
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from costcurves.figures import axes, style
from costcurves.figures.context import Context, Tables, confidence_of, leading, wins
from costcurves.figures.polylines import Floats, curve, models_of, part, thinned, together
from costcurves.maths.costs.net_benefit import net_benefit, pc_at, treat_all
from costcurves.tables.curves.pieces import curve_from

NAME: Final = "decision_curves"
MODELS: Final = 5
BANDED: Final = 4
AT: Final = np.linspace(0.001, 0.95, 400)  # beyond, a false positive counts 19 false negatives
BELOW: Final = -0.25  # the axis goes as far down, as a share of what perfect decisions bring


def data(tables: Tables, context: Context) -> pd.DataFrame:
    """Return the net benefit of the leading models, and of four the edges of its band."""
    models = leading(tables, context)[:MODELS]
    bands = tables["bands"]
    bands = bands[bands["extent"] == "simultaneous"]
    parts = []
    for model in models:
        head = tables["headline"]
        parts.append(_part("net benefit", model, head[head["model"] == model], context.prior))
        for edge in ("lower", "upper"):
            own = bands[(bands["model"] == model) & (bands["edge"] == edge)]
            if len(own) and model in models[:BANDED]:
                parts.append(_part(edge, model, own, context.prior))
    return together(parts)


def _part(series: str, model: str, pieces: pd.DataFrame, prior: float) -> pd.DataFrame:
    """Read a cost curve at threshold probabilities, as far down as the axis goes."""
    at = pc_at(AT, prior)
    benefit: Floats = np.maximum(net_benefit(curve_from(pieces)(at), at, prior), BELOW * prior)
    rows = pd.DataFrame({"model": model, "x": AT, "y": benefit})
    rows = thinned(rows, ["model"], (210, 128 / ((1 - BELOW) * prior)))
    return part(series, model, rows["x"], rows["y"])


def panels(data: pd.DataFrame, context: Context) -> list[axes.Panel]:
    """Return one panel."""
    return [partial(draw, data=data, context=context)]


def draw(ax: Axes, data: pd.DataFrame, context: Context) -> None:
    """Draw decision curves between treat all and treat none, after Vickers and Elkin.

    Medical Decision Making 26, 565-574, 2006, doi:10.1177/0272989X06295361.
    """
    prior = context.prior
    axes.unit_ticks(ax, coarse=False)
    ax.set(xlim=(0, 1), ylim=(BELOW * prior, 1.05 * prior), ylabel="net benefit of 1000 cases")
    axes.value_ticks(ax, BELOW * prior, prior, times=1000)
    axes.x_label(ax, "threshold probability")
    ax.axhline(0, color=style.QUIET, linewidth=0.9)
    ax.plot(AT, treat_all(AT, prior), color=style.QUIET, linewidth=0.9, linestyle=(0, (4, 2)))
    models = models_of(data, "net benefit")
    entries: dict[str, axes.Look] = {}
    for model in models[::-1]:
        axes.band(
            ax, curve(data, "lower", model), curve(data, "upper", model), context.colour(model)
        )
        ax.plot(*curve(data, "net benefit", model), **context.line(model, 1.2))
    for model in models:
        entries[context.short[model]] = context.line(model, 1.2)
    entries["treat all"] = {"color": style.QUIET, "linewidth": 0.9, "linestyle": (0, (4, 2))}
    entries["treat none"] = {"color": style.QUIET, "linewidth": 0.9}
    axes.key(ax, entries, below=29)


def words(data: pd.DataFrame, tables: Tables, context: Context) -> dict[str, Any]:
    """Return the widest range in which a model is shown to bring more than another."""
    models = models_of(data, "net benefit")
    best = next((win for win in wins(tables, context) if {*win[:2]} <= {*models}), None)
    shown = None
    if best is not None:
        low, high = max(best.ranges, key=lambda span: span[1] - span[0])
        ends = sorted(_threshold(pc, context.prior) for pc in (low, high))
        shown = {"more": best.cheaper, "less": best.dearer, "low": ends[0], "high": ends[1]}
    level = confidence_of(tables["bands"]) if len(tables["bands"]) else None
    return {"models": models, "shown": shown, "level": level}


def _threshold(pc: float, prior: float) -> float:
    """Return the threshold probability at which treating has this PC(+)."""
    return float(pc_at(pc, prior))  # the same formula leads back
