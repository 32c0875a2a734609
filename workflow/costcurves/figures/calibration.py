"""Reliability curves: the share of positives that scores stand for, and how many have which."""

from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from costcurves.figures import axes, style
from costcurves.figures.context import Context, confidence_of
from costcurves.figures.polylines import curve, curve_part, filtered, part, together

NAME: Final = "calibration"
MODELS: Final = 3
HEIGHT: Final = 150.0


def data(context: Context) -> pd.DataFrame:
    """Return the curves and bands of the leading models, and of each class the cases by score."""
    rows = context.tables["reliability"]
    parts = []
    for model in context.leading_in(rows, MODELS):
        bins = filtered(rows, model=model, line="scores")
        lines = filtered(rows, model=model).drop(bins.index)
        x = lines[["score_from", "score_to"]].to_numpy(float).ravel()
        series, y = (np.repeat(lines[name].to_numpy(), 2) for name in ("line", "rate"))
        parts.append(curve_part(series, model, x, y, top=1))
        share = bins["positives"] / bins["cases"].sum()
        others = bins["cases"] / bins["cases"].sum() - share
        parts.append(part("positives", model, bins["score_from"], share))
        parts.append(part("negatives", model, bins["score_from"], others))
    return together(parts)


def panels(data: pd.DataFrame, context: Context) -> dict[str, axes.Panel]:
    """Return a panel for each model."""
    return axes.by_model(draw, data, context)


def draw(ax: Axes, data: pd.DataFrame, context: Context, model: str) -> None:
    """Draw a reliability curve with its band, and beneath it the scores of each class."""
    strip = axes.second(ax)
    axes.place(ax, height=HEIGHT)
    axes.place(strip, height=30, below=HEIGHT + 14)
    lower, upper = (curve(data, f"consistent {edge}", model) for edge in ("lower", "upper"))
    axes.band(ax, lower, upper, style.LIGHT, alpha=1)
    x, y = curve(data, "curve", model)
    ax.plot([0, 1], [0, 1], color=style.QUIET, linewidth=0.9)
    ax.plot(x, y, **context.line(model, 1.6))
    end = next(end for end in (0.1, 0.2, 0.5, 1.0) if end >= x.max())
    ax.set(xlim=(0, end), ylim=(0, 1), ylabel="share of positives")
    left, positives = curve(data, "positives", model)
    _, negatives = curve(data, "negatives", model)
    edges = np.append(left, 2 * left[-1] - left[-2])
    strip.stairs(positives, edges, fill=True, color=context.colour(model))
    strip.stairs(-negatives, edges, fill=True, color=style.QUIET)
    strip.axhline(0, color=style.INK, linewidth=0.6)
    highest = 1.05 * max(positives.max(), negatives.max())
    strip.set(xlim=(0, end), ylim=(-highest, highest), yticks=[], xlabel="score")
    axes.ticks(ax)
    axes.ticks(strip, "x")
    up = {"color": context.colour(model), "linewidth": 5}
    down = {"color": style.QUIET, "linewidth": 5}
    axes.key(strip, {"positives (up)": up, "negatives (down)": down})


def words(data: pd.DataFrame, context: Context) -> dict[str, Any]:
    """Return the tests of calibration, and which models fail them."""
    rows = filtered(context.tables["calibration"], part="miscalibration", minus="")
    rows = rows.set_index("model", drop=False)
    models = [model for model in data["model"].unique() if model in rows.index]
    tests = rows.loc[models].to_dict("records")
    level = confidence_of(context.tables["reliability"])
    failed = [test["model"] for test in tests if test["p_value"] < 1 - level]
    tested = bool(rows.loc[models, "p_value"].notna().any())
    return {"tests": tests, "failed": failed, "tested": tested, "level": level}
