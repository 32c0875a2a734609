"""All datasets of a study on rows of dots: what each way of choosing a threshold costs."""

from itertools import cycle
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from costcurves import formats
from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Tables, methods, rows_of
from costcurves.figures.kind import figure_kind, grouped
from costcurves.figures.map_figures import TALLEST, Survey
from costcurves.figures.sheet import LEFT, LINE, TOP
from costcurves.settings import KNOWN_CRITERIA, NEEDS
from costcurves.tables.curves.pieces import areas
from costcurves.tables.keys import CROSS_FITTED, IN_SAMPLE

NAMES: Final = 1.6  # room for names
ROW: Final = 0.2
MOST: Final = int(TALLEST / ROW)  # rows, with one for the name of each dataset
TRIVIAL: Final = 0.25  # area of the better trivial classifier
KEYS: Final = ["dataset", "model", "criterion"]
SHAPES: Final = cycle("oosD^vP")
MARKERS: Final = {one: next(SHAPES) for one in KNOWN_CRITERIA if one not in NEEDS}


def choices_data(tables: Tables, survey: Survey) -> pd.DataFrame:
    """Areas of all ways of choosing, a row each; of cross-fitted choice with their intervals.

    Left out are those that keep a limit, models without a choice, and datasets with no room left.
    """
    rows, intervals = _of_choices(tables), tables["intervals"]
    lines = rows.drop_duplicates(KEYS[:2])["dataset"].value_counts().add(1)
    ends = lines.reindex([name for name, _ in survey.titles]).dropna().cumsum()
    rows = rows[rows["dataset"].isin(ends.index[(ends <= MOST) | (ends == ends.min())])]
    known = intervals[(intervals["quantity"] == "area") & (intervals["estimate"] == CROSS_FITTED)]
    known = known[["dataset", "model", "low", "high", "method", "confidence"]]
    known = known.assign(criterion=CROSS_FITTED)
    data = rows[[*KEYS, "estimate", "area"]].merge(known, on=KEYS, how="left", sort=False)
    return data.fillna({"method": ""})


def _of_choices(tables: Tables) -> pd.DataFrame:
    """Give the areas of models that have more than one way of choosing."""
    pieces = tables["hybrids"][~tables["hybrids"]["criterion"].isin(NEEDS)]
    rows = areas(pieces, [*KEYS, "estimate"]).reset_index(name="area")
    return rows[rows.duplicated(KEYS[:2], keep=False)]


@figure_kind(
    choices_data,
    lambda it: grouped(rows_of(it.data), "dataset", "model"),
    ("hybrids", "intervals"),
    tells=lambda tables: len(_of_choices(tables)) > 0,
)
def choices(data: pd.DataFrame, survey: Survey) -> Figure:
    """Draw each model as a row, its ways of choosing as dots, the cross-fitted one's interval."""
    looks = _looks(data)
    in_sample = set(data.loc[data["estimate"] == IN_SAMPLE, "criterion"])
    words = [f"{name} (in-sample)" if name in in_sample else name for name in looks]
    first = TOP + 0.16 + sheet.series_places(words)[-1][0] * LINE
    each = list(data.groupby("dataset", sort=False))
    count = sum(1 + own["model"].nunique() for _, own in each)
    titles = dict(survey.titles)
    some = "All" if len(each) == len(titles) else f"{len(each)} of {len(titles)}"
    title = titles[str(each[0][0])] if len(each) == 1 else f"{some} datasets"
    figure = sheet.sheet(first + count * ROW + 0.55, title, *_notes(data))
    marks = [{"color": style.NOTE, "linestyle": "none", **look} for look in looks.values()]
    sheet.series_list(figure, TOP - 0.02, list(zip(words, marks, strict=True)), 0)
    axes = sheet.panel(figure, LEFT + NAMES, first, sheet.room() - NAMES, count * ROW)
    area_space(axes, pd.concat([data, pd.DataFrame({"area": [TRIVIAL]})]), count)
    axes.axvline(TRIVIAL, color=style.QUIET, linewidth=0.9, zorder=1)
    place = 0
    for dataset, own in each:
        sheet.name(figure, LEFT, first + (place + 0.7) * ROW, titles[str(dataset)], NAMES - 0.1)
        for model, rows in own.groupby("model", sort=False):
            place += 1
            y, color = first + (place + 0.7) * ROW, survey.ink(str(model))
            sheet.name(figure, LEFT + 0.12, y, str(model), NAMES - 0.22, color=color)
            _dots(axes, place + 0.5, rows, survey.colour(str(model)), looks)
        place += 1
    return figure


def _looks(data: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """Give the markers of what is drawn; filled is what is judged on other data than chose."""
    drawn = set(data["criterion"])
    look: dict[str, Any] = {"markersize": 5.0, "markeredgewidth": 1.1, "zorder": 3}
    return {
        name: {**look, "marker": marker}
        | ({"markerfacecolor": "white"} if name != CROSS_FITTED else {})
        for name, marker in MARKERS.items()
        if name in drawn
    }


def _notes(data: pd.DataFrame) -> list[str]:
    bars = data[data["low"].notna()]
    level = formats.level(float(bars["confidence"].iloc[0])) if len(bars) else ""
    said = f"; bars: {level}, {methods(bars)}" if len(bars) else ""
    upright = f"upright: {formats.cost(TRIVIAL)}, the cheaper no-model baseline"
    return [choices.words.title, f"{upright}{said}"]


def _dots(
    axes: Axes, middle: float, rows: pd.DataFrame, color: str, looks: dict[str, dict[str, Any]]
) -> None:
    """Draw a model's areas; the ends of an interval are joined by a bar."""
    axes.axhline(middle, color=style.EQUAL, linewidth=0.8, zorder=1)
    known = rows[["criterion", "area", "low", "high"]]
    for name, area, *ends in known.itertuples(index=False, name=None):
        axes.plot(ends, [middle] * 2, color=color, linewidth=2.2, zorder=2)
        axes.plot(area, middle, color=color, linestyle="none", **looks[str(name)])


def area_space(axes: Axes, data: pd.DataFrame, count: int) -> None:
    """Draw an empty space of areas with so many rows."""
    low, high = data[["area", "low"]].min().min(), data[["area", "high"]].max().max()
    step = style.round_top(float(high - low), least=0.01)[1]
    ends = step * np.floor(low / step), step * np.ceil(high / step)
    axes.set(xlim=ends, ylim=(count, 0), yticks=[])
    spaces.value_ticks(axes.xaxis, *ends, step)
    label = "area under the cost curve: mean normalized expected cost over PC(+)"
    wide = style.text_width(label) > sheet.inches(axes)[0]
    axes.set_xlabel(label.partition(":")[0] if wide else label)
    axes.spines["left"].set_visible(False)
