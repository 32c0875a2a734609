"""Net benefit against the threshold probability: the cost curves as decision curves."""

from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from costcurves import formats
from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Context, Tables, methods
from costcurves.figures.kind import figure_kind
from costcurves.figures.polylines import Floats, by_model, fill_between, thinned
from costcurves.figures.sheet import TOP
from costcurves.maths.costs.net_benefit import net_benefit, pc_at, treat_all
from costcurves.tables.curves.pieces import curve_from

KEYS: Final = ["model", "estimate", "series", "method", "confidence"]
AT: Final = np.linspace(0.001, 0.95, 400)  # beyond, a false positive counts 19 false negatives
BELOW: Final = -0.25  # the axis goes as far down, as a share of what perfect decisions bring
THRESHOLD: Final = "threshold probability"
BENEFIT: Final = "net benefit"


def decision_curves_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Net benefit of the headlines and of the edges of their simultaneous bands, a row a vertex."""
    bands = tables["bands"]
    wide = bands[bands["extent"] == "simultaneous"].assign(series=lambda own: own["edge"])
    head = tables["headline"].assign(series=BENEFIT, method="", confidence=np.nan)
    rows = pd.concat([head, wide], ignore_index=True)
    groups = [own for _, own in rows.groupby(KEYS, sort=False, dropna=False)]
    names = pd.concat([own[KEYS].iloc[:1] for own in groups])
    data = names.iloc[np.repeat(np.arange(len(groups)), len(AT))].reset_index(drop=True)
    data["threshold"] = np.tile(AT, len(groups))
    data["net_benefit"] = np.concatenate([_benefit(own, context.prior) for own in groups])
    width, height = _panels(context).size
    return thinned(data, KEYS, (width, height / ((1 - BELOW) * context.prior)))


def _benefit(pieces: pd.DataFrame, prior: float) -> Floats:
    """Read a cost curve at threshold probabilities, as far down as the axis goes."""
    at = pc_at(AT, prior)
    return np.maximum(net_benefit(curve_from(pieces)(at), at, prior), BELOW * prior)


def _panels(context: Context) -> sheet.Panels:
    return sheet.Panels.of(context.models, top=TOP + 0.14)


@figure_kind(decision_curves_data, lambda it: it.headline, ("headline", "bands"))
def decision_curves(data: pd.DataFrame, context: Context) -> Figure:
    """Draw each model's decision curve between treat all and treat none, after Vickers and Elkin.

    Medical Decision Making 26, 565-574, 2006, doi:10.1177/0272989X06295361.
    """
    panels, whole = _panels(context), context.prior
    bands = data[data["method"] != ""]
    level = formats.level(float(bands["confidence"].iloc[0]))
    sure = f"bands: {level} for the whole curve, {methods(bands)}"
    said = f"{sure}; grey: treat all, zero: treat none"
    notes = decision_curves.words.title, context.chosen(data[data["series"] == BENEFIT]), said
    figure = sheet.sheet(panels.bottom + 0.5, context.title, *notes)
    panels.label_outside(figure, THRESHOLD)
    _, step = style.round_top(whole, least=0)
    for place, (model, rows) in enumerate(by_model(data, context.models)):
        axes = panels.panel(figure, place, model, context)
        axes.set(xlim=(0, 1), ylim=(BELOW * whole, 1.05 * whole))
        spaces.unit_ticks(axes, coarse=True)
        spaces.value_ticks(axes.yaxis, 0, whole, step)
        quiet: dict[str, Any] = {"color": style.QUIET, "linewidth": 0.9, "zorder": 2}
        axes.axhline(0, **quiet)
        axes.plot(AT, treat_all(AT, whole), **quiet)
        lines = {str(name): own for name, own in rows.groupby("series")}
        look: dict[str, Any] = {**context.mark(model), "alpha": 0.16, "linewidth": 0}
        fill_between(axes, lines["upper"], lines["lower"], zorder=1.2, **look)
        own = lines[BENEFIT].iloc[:, -2:].to_numpy().T
        axes.plot(*own, zorder=3, linewidth=1.6, **context.line(model))
    return figure
