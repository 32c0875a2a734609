"""Reliability curves: the share of positives that scores stand for, and how many have which."""

from functools import partial
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from costcurves.figures import axes, style
from costcurves.figures.context import Context, Tables, confidence_of, leading
from costcurves.figures.polylines import curve, part, thinned, together

NAME: Final = "calibration"
MODELS: Final = 3
BANDS: Final = {"simultaneous": style.ROOF, "consistent": style.LIGHT}  # the wider one beneath
HEIGHT: Final = 150.0


def data(tables: Tables, context: Context) -> pd.DataFrame:
    """Return the curves and bands of the leading models, and of each class the cases by score."""
    rows = tables["reliability"]
    models = [model for model in leading(tables, context) if model in set(rows["model"])]
    parts = []
    for model in models[:MODELS]:
        own = rows[rows["model"] == model]
        lines = own[own["line"] != "scores"]
        ends = pd.DataFrame({"line": np.repeat(lines["line"].to_numpy(), 2)})
        ends["x"] = lines[["score_from", "score_to"]].to_numpy(float).ravel()
        ends["y"] = np.repeat(lines["rate"].to_numpy(float), 2)
        ends = thinned(ends, ["line"], (210, HEIGHT))
        parts.append(part(ends["line"], model, ends["x"], ends["y"]))
        bins = own[own["line"] == "scores"]
        whole = bins["cases"].sum()
        negatives = bins["cases"] - bins["positives"]
        for name, counts in (("positives", bins["positives"]), ("negatives", negatives)):
            parts.append(part(name, model, bins["score_from"], counts / whole))
    return together(parts)


def panels(data: pd.DataFrame, context: Context) -> list[axes.Panel]:
    """Return a panel for each model."""
    models = list(data["model"].unique())
    letters = "abc" if len(models) > 1 else " "
    pairs = zip(models, letters, strict=False)
    shown: axes.Look = {"data": data, "context": context}
    return [partial(draw, model=model, letter=letter, **shown) for model, letter in pairs]


def draw(ax: Axes, data: pd.DataFrame, context: Context, model: str, letter: str) -> None:
    """Draw a reliability curve with its bands, and beneath it the scores of each class."""
    axes.place(ax, height=HEIGHT)
    strip = ax.figure.add_axes((0, 0, 1, 1))
    axes.place(strip, height=30, below=HEIGHT + 14)
    for band, colour in BANDS.items():
        lower, upper = (curve(data, f"{band} {edge}", model) for edge in ("lower", "upper"))
        if len(lower[0]):
            axes.band(ax, lower, upper, colour, alpha=1)
    ax.plot([0, 1], [0, 1], color=style.QUIET, linewidth=0.9)
    x, y = curve(data, "curve", model)
    ax.plot(x, y, **context.line(model, 1.6))
    axes.unit_ticks(ax, coarse=False)
    end = next(end for end in (0.1, 0.2, 0.5, 1.0) if end >= x.max())
    axes.round_ticks(ax, end)
    ax.set(xlim=(0, end), ylim=(0, 1), ylabel="share of positives")
    highest = 0.0
    for name, sign, colour in (
        ("positives", 1, context.colour(model)),
        ("negatives", -1, style.QUIET),
    ):
        left, height = curve(data, name, model)
        width = left[1] - left[0]
        strip.bar(left, sign * height, width, align="edge", color=colour, linewidth=0)
        highest = max(highest, float(height.max()))
    strip.axhline(0, color=style.INK, linewidth=0.6)
    axes.round_ticks(strip, end)
    strip.set(xlim=(0, end), ylim=(-1.05 * highest, 1.05 * highest))
    strip.set_yticks([])
    axes.x_label(strip, "score")
    axes.key(
        strip,
        {
            "positives (up)": {"color": context.colour(model), "linewidth": 5},
            "negatives (down)": {"color": style.QUIET, "linewidth": 5},
        },
        below=29,
    )
    axes.title(ax, f"{letter}  {context.short[model]}".strip())


def words(data: pd.DataFrame, tables: Tables, _context: Context) -> dict[str, Any]:
    """Return the tests of calibration, and which models fail them."""
    rows = tables["calibration"]
    models = [str(model) for model in data["model"].unique()]
    rows = rows[(rows["part"] == "miscalibration") & (rows["minus"] == "")]
    rows = rows[rows["model"].isin(models)].set_index("model")
    tests = [{"model": it, **rows.loc[it].to_dict()} for it in models if it in rows.index]
    level = confidence_of(tables["reliability"])
    failed = [one["model"] for one in tests if one["p_value"] < 1 - level]
    tested = [one for one in tests if one["p_value"] == one["p_value"]]
    return {"tests": tests, "failed": failed, "tested": bool(tested), "level": level}
