"""How much too low the areas of lower envelopes are, model by model."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from costcurves import formats
from costcurves.figures import sheet, spaces, style, words
from costcurves.figures.context import Context
from costcurves.figures.sheet import LEFT, ROOM, TOP
from costcurves.tables.keys import CROSS_FITTED

Tables = Mapping[str, pd.DataFrame]

NAMES: Final = 1.6  # room for names
ROW: Final = 0.27
FIRST: Final = TOP + 0.16
STATEMENT: Final = "what choosing on the judged data leaves out"
LOOKS: Final[dict[str, dict[str, Any]]] = {
    "fold": {"marker": "o", "markersize": 5.5, "markerfacecolor": "white"},
    "repeat": {"marker": "s", "markersize": 5.0, "markerfacecolor": "white"},
    "pooled": {"marker": "D", "markersize": 4.2, "markerfacecolor": style.GREYED},
    CROSS_FITTED: {"marker": "o", "markersize": 6.0},
}


def optimism_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Areas of each model: `model`, `series`, `area`, `low`, `high`, `method`, `confidence`.

    The series are the levels, means of lower envelopes, and "cross-fitted", which has an interval
    where the headline is of that kind. A level that is no other than the next is left out.
    """
    rows = tables["optimism"]
    rows = rows[rows["model"].isin(context.models)]
    single = {"repeat": context.repeats == 1, "fold": context.repeats * context.folds == 1}
    levels = [level for level in ("fold", "repeat", "pooled") if not single.get(level)]
    means = rows[rows["level"].isin(levels)][["model", "level", "area"]]
    honest = rows.drop_duplicates("model")[["model", "cross_fitted"]].dropna()
    known = tables["intervals"]
    known = known[(known["quantity"] == "area") & (known["estimate"] == CROSS_FITTED)]
    interval = known[["model", "low", "high", "method", "confidence"]]
    fitted = honest.assign(series=CROSS_FITTED).merge(interval, on="model", how="left", sort=False)
    parts = [
        means.rename(columns={"level": "series"}),
        fitted.rename(columns={"cross_fitted": "area"}),
    ]
    data = pd.concat(parts, ignore_index=True).fillna({"method": ""})
    return data[["model", "series", "area", "low", "high", "method", "confidence"]]


def has_delivered(tables: Tables) -> bool:
    """Say whether what is delivered was measured of any model."""
    return bool(tables["optimism"]["cross_fitted"].notna().any())


def optimism(data: pd.DataFrame, context: Context) -> Figure:
    """Draw the areas of each model as dots on a row, the cross-fitted one with its interval."""
    models = [model for model in context.models if model in set(data["model"])]
    figure = sheet.sheet(FIRST + len(models) * ROW + 0.55)
    _head(figure, data, context)
    axes = sheet.panel(figure, LEFT + NAMES, FIRST, ROOM - NAMES, len(models) * ROW)
    _frame(axes, data, len(models))
    for place, model in enumerate(models):
        own = data[data["model"] == model].set_index("series")
        color = context.line(model)["color"]
        axes.axhline(place + 0.5, color=style.EQUAL, linewidth=0.8, zorder=1)
        if CROSS_FITTED in own.index:
            low, high = own.loc[CROSS_FITTED, ["low", "high"]].to_numpy(float)
            axes.plot([low, high], [place + 0.5] * 2, color=color, linewidth=2.2, zorder=2)
        for series, look in LOOKS.items():
            if series in own.index:
                dot = {"color": color, "markeredgewidth": 1.1, "zorder": 3, **look}
                axes.plot(float(own["area"][series]), place + 0.5, linestyle="none", **dot)
        y = FIRST + (place + 0.5) * ROW + 0.035
        shown = style.shorten(model, LEFT + NAMES - 0.2, style.SMALL, "bold")
        look = {"size": style.SMALL, "ha": "right", **context.words(model)}
        sheet.write(figure, LEFT + NAMES - 0.12, y, shown, **look)
    return figure


def _frame(axes: Axes, data: pd.DataFrame, count: int) -> None:
    low, high = data[["area", "low"]].min().min(), data[["area", "high"]].max().max()
    step = style.round_top(float(high - low), least=0.01)[1]
    ends = step * np.floor(low / step), step * np.ceil(high / step)
    axes.set(xlim=ends, ylim=(count, 0), yticks=[])
    axes.set_xticks(np.arange(ends[0], ends[1] + step / 2, step))
    axes.xaxis.set_major_formatter(f"{{x:.{spaces.decimals(step)}f}}")
    axes.set_xlabel("area under the cost curve: mean normalized expected cost over PC(+)")
    axes.spines["left"].set_visible(False)


def _head(figure: Figure, data: pd.DataFrame, context: Context) -> None:
    open_dots = "open, grey: in-sample selection, thresholds chosen on the data they are judged on"
    bars = data[data["low"].notna()]
    notes = [context.counts]
    if len(bars):
        level = formats.level(float(bars["confidence"].iloc[0]))
        notes[0] += f"; bars: {level}, {words.methods(bars)}"
    sheet.title(figure, context.title, STATEMENT, open_dots, *notes)
    said = {
        "fold": context.averaged_over("fold"),
        "repeat": context.averaged_over("repeat"),
        "pooled": "all pooled",
        CROSS_FITTED: "cross-fitted",
    }
    drawn = [name for name in LOOKS if name in set(data["series"])]
    looks = [{"color": style.NOTE, "linestyle": "none", **LOOKS[name]} for name in drawn]
    sheet.marker_list(figure, 0.8, [(said[n], look) for n, look in zip(drawn, looks, strict=True)])
