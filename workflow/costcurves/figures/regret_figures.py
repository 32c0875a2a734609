"""The regret of choosing without data with its confidence band, model by model."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from costcurves import formats
from costcurves.figures import sheet, spaces, style, tags, words
from costcurves.figures.context import Context
from costcurves.figures.hybrid_figures import CROSS_FITTED, REGRET, SHADED
from costcurves.figures.polylines import by_model, cost_vertices, fill_between, thinned
from costcurves.figures.sheet import LINE, TOP
from costcurves.maths.curves import Curve
from costcurves.tables.curves.pieces import curve_from, piece_columns
from costcurves.tables.selection.hybrids import curves_by_criterion

Tables = Mapping[str, pd.DataFrame]

KEYS: Final = ["model", "criterion", "series", "method", "confidence"]
COARSE: Final = 2  # how much rougher than others these small, jagged curves are drawn
STATEMENT: Final = "is choosing without data more expensive?"
WITHOUT: Final = "no choice without data has a band against cross-fitted choice"
LOOKS: Final[dict[str, dict[str, Any]]] = {
    "regret": {"color": style.INK, "linewidth": 1.2, "zorder": 3},
    "band": {"color": REGRET, "linewidth": 0, "zorder": 1},
}


def regrets_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Regrets with the edges of their bands, a row a vertex.

    `criterion` is the first that needs no data to choose on; `regret`, what it costs more than
    cross-fitted choice; the series are "regret" and the "lower" and "upper" edge of its band.
    """
    found = [
        pd.DataFrame({**dict(zip(KEYS, names, strict=True)), **piece_columns([curve])[1]})
        for names, curve in _lines(tables, context)
    ]
    if not found:
        return pd.DataFrame(columns=[*KEYS, "pc", "regret"])
    vertices = cost_vertices(pd.concat(found, ignore_index=True), KEYS)
    low, high = _range(vertices["nec"])
    width, height = sheet.Panels(len(context.models), top=0).size
    data = thinned(vertices, KEYS, (width / COARSE, height / COARSE / (high - low)))
    return data.rename(columns={"nec": "regret"})


def _lines(tables: Tables, context: Context) -> Iterator[tuple[list[object], Curve]]:
    """Give the regret of each model and the edges of its band."""
    curves, wide = curves_by_criterion(tables["hybrids"]), _bands(tables)
    groups = dict(list(wide.groupby(["model_a", "criterion_a"], sort=False)))
    for model in context.models:
        name = next((name for name in SHADED if (model, name) in groups), None)
        if name is None:
            continue
        rows = groups[model, name]
        half = curve_from(rows)
        regret = curves[model, name] - curves[model, CROSS_FITTED]
        how = [rows["method"].iloc[0], rows["confidence"].iloc[0]]
        for series, curve in (
            ("regret", regret),
            ("lower", regret - half),
            ("upper", regret + half),
        ):
            yield [model, name, series, *how], curve


def has_regrets(tables: Tables) -> bool:
    """Say whether a choice without data has a band against cross-fitted choice."""
    return bool(_bands(tables)["criterion_a"].isin(SHADED).any())


def _bands(tables: Tables) -> pd.DataFrame:
    """Take the bands over all PC(+) of what criteria cost a model more than cross-fitted choice."""
    bands = tables["choice_bands"]
    wide = bands[bands["extent"].eq("simultaneous") & bands["criterion_b"].eq(CROSS_FITTED)]
    return wide[wide["model_a"] == wide["model_b"]]


def _range(values: "pd.Series[float]") -> tuple[float, float]:
    """Least and greatest height, 0 included."""
    return min(0.0, float(values.min())), max(0.01, float(values.max()))


def regrets(data: pd.DataFrame, context: Context) -> Figure:
    """Draw each model's regret and its band over all PC(+), a panel a model."""
    if data.empty:
        return sheet.without(context.title, STATEMENT, WITHOUT)
    models = [model for model in context.models if model in set(data["model"])]
    panels = sheet.Panels(len(models), top=TOP + 0.14 + LINE, notes=1)  # a list of two lines
    figure = sheet.sheet(panels.bottom + 0.5)
    _head(figure, data, context)
    panels.label_outside(figure, spaces.PC)
    ends = _range(data["regret"])
    for place, (model, rows) in enumerate(by_model(data, models)):
        axes = panels.panel(figure, place, model, context)
        _regret_space(axes, ends)
        panels.ticks_outside(axes, place)
        panels.annotate(figure, place, str(rows["criterion"].iloc[0]))
        lines = {str(name): own[["pc", "regret"]] for name, own in rows.groupby("series")}
        fill_between(axes, lines["lower"], lines["upper"], **LOOKS["band"])
        axes.plot(*lines["regret"].to_numpy().T, **LOOKS["regret"])
    return figure


def _head(figure: Figure, data: pd.DataFrame, context: Context) -> None:
    level = formats.level(float(data["confidence"].iloc[0]))
    sure = "above zero: more expensive; where the band leaves out zero, chance does not explain it"
    sheet.title(figure, context.title, STATEMENT, context.counts, sure)
    looks = [
        ("regret: what it costs more than cross-fitted choice", LOOKS["regret"]),
        (
            f"{level} for the whole curve, {words.methods(data)}",
            {**LOOKS["band"], "linewidth": 6, "solid_capstyle": "butt"},
        ),
    ]
    sheet.series_list(figure, 0.78, looks)


def _regret_space(axes: Axes, ends: tuple[float, float]) -> None:
    low, high = ends
    air = 0.04 * (high - low)
    tags.tag(axes, tags.PC)
    axes.set(xlim=(0, 1), ylim=(low - air, high + air))
    axes.axhline(0, color=style.QUIET, linewidth=0.9, zorder=2)
    spaces.unit_ticks(axes, coarse=True)
    step = style.round_top(max(high, -low), least=0)[1]
    step = step if (high - low) / step <= 5 else 2 * step
    first = step * np.ceil(low / step - 1e-9) + 0.0  # not minus zero
    spaces.value_ticks(axes, first, high, step)
