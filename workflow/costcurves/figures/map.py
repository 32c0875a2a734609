"""All datasets of a study: a row a dataset, coloured along PC(+) by its verdict on a pair."""

from functools import partial
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from costcurves.figures import axes, style
from costcurves.figures.context import Context, Tables
from costcurves.figures.polylines import Floats, Ranges, union
from costcurves.tables.inference.map import COUNTS, FINDINGS, leading_pairs, of_pair, shown_pair

NAME: Final = "map"
PAIR: Final = ["model_a", "model_b"]
PAIRS: Final = 3  # a panel each
ROW: Final = 9.5  # points of a dataset's row; less where there are many
TALLEST: Final = 560.0  # points of all rows
LEFT: Final = 92.0
COUNTED: Final = 36.0  # points of the counts
EQUIVALENT: Final = "#ffffff"


def data(tables: Tables, _context: Context) -> pd.DataFrame:
    """Return the verdicts on the pair to show and others, each dataset's, and their counts."""
    counts, verdicts, measures = (tables[name] for name in ("map", "verdicts", "measures"))
    first = shown_pair(counts)
    if first is None:
        return pd.DataFrame()
    pairs = dict.fromkeys([first, *leading_pairs(counts)])
    headline = measures[measures["headline"]]
    areas = headline.set_index(["dataset", "model"])["area"].to_dict()
    parts = []
    for family, a, b in [*pairs][:PAIRS]:
        judged = of_pair(verdicts[verdicts["family"] == family], a, b)
        difference = [areas[name, a] - areas[name, b] for name in judged["dataset"]]
        rows = judged[["dataset", *PAIR, "finding", "pc_from", "pc_to"]]
        rows = rows.assign(area_difference=difference)
        counted = counts[(counts[["family", *PAIR]] == [family, a, b]).all(axis=1)]
        below = counted.drop(columns=["family", "shown"]).assign(dataset="")
        parts += [rows.sort_values("area_difference", kind="stable"), below]
    return pd.concat(parts, ignore_index=True)


def panels(data: pd.DataFrame, context: Context) -> list[axes.Panel]:
    """Return a panel for each pair."""
    pairs = list(data[PAIR].drop_duplicates().itertuples(index=False, name=None))
    letters = "abc" if len(pairs) > 1 else " "
    named = zip(pairs, letters, strict=False)
    shown: axes.Look = {"data": data, "context": context}
    return [partial(draw, pair=pair, letter=letter, **shown) for pair, letter in named]


def draw(
    ax: Axes, data: pd.DataFrame, context: Context, pair: tuple[str, str], letter: str
) -> None:
    """Draw a strip for each dataset, from A's greatest advantage on, and beneath the counts."""
    a, b = pair
    own = data[(data["model_a"] == a) & (data["model_b"] == b)]
    judged, counted = own[own["dataset"] != ""], own[own["dataset"] == ""]
    names = list(judged["dataset"].unique())
    row = min(ROW, TALLEST / len(names))
    axes.place(ax, LEFT, row * len(names))
    colours = {"A cheaper": context.colour(a), "B cheaper": context.colour(b)}
    colours |= {"equivalent": EQUIVALENT, "undecided": style.LIGHT}
    tops = {name: number + 0.1 for number, name in enumerate(names)}
    if row == ROW:
        whole = np.ones(len(names))
        _boxes(ax, 0 * whole, whole, np.array([*tops.values()]), style.LIGHT)
    else:
        ax.axhspan(0, len(names), color=style.LIGHT, linewidth=0)
    for finding in ("A cheaper", "B cheaper", "equivalent"):
        rows = judged[judged["finding"] == finding]
        low, high = (rows[name].to_numpy(float) for name in ("pc_from", "pc_to"))
        top = rows["dataset"].map(tops).to_numpy(float)
        _boxes(ax, low, high, top, colours[finding])
    ax.set(xlim=(0, 1), ylim=(len(names), 0))
    labels = [style.fitted(context.titles.get(name, name), LEFT - 8) for name in names]
    if row == ROW:
        ax.set_yticks(np.arange(len(names)) + 0.5, labels)
    else:
        ax.set_yticks([])
    ax.tick_params(length=0, labelbottom=False)
    ax.spines[:].set_visible(False)
    below = ax.figure.add_axes((0, 0, 1, 1))
    axes.place(below, LEFT, COUNTED, below=row * len(names) + 8)
    counts = counted[list(COUNTS)].to_numpy(float)
    changes = np.append(True, np.abs(np.diff(counts, axis=0)).max(axis=1) > 0)
    edges = np.append(counted["pc_from"].to_numpy(float)[changes], 1.0)
    base = np.zeros(int(changes.sum()))
    for heights, finding in zip(counts[changes].T, FINDINGS, strict=True):
        top = base + heights
        look: axes.Look = {"facecolor": colours[finding], "linewidth": 0}
        below.stairs(top, edges, baseline=base, fill=True, **look)
        base = top
    below.set(xlim=(0, 1), ylim=(0, max(base.max(), 1)))
    below.set_yticks([0, max(base.max(), 1)])
    below.set_ylabel("datasets", rotation=0, ha="right", va="center")
    axes.bar(below, [])
    for finding in ("A cheaper", "B cheaper"):
        for span in sure(counted, finding):
            axes.bar_part(below, *span, colours[finding])
    ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]
    below.set_xticks(ticks, [f"{value:g}" for value in ticks])
    where: axes.Look = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "top"}
    below.annotate(axes.PC, (0, 0), (-7, -7.5), ha="right", color=style.NOTE, **where)
    axes.directions(below, 19, left=-34)
    entries: dict[str, axes.Look] = {}
    for finding, said in (("A cheaper", a), ("B cheaper", b)):
        entries[f"{context.short[said]} costs less"] = {"color": colours[finding], "linewidth": 5}
    entries["may be chance"] = {"color": style.LIGHT, "linewidth": 5}
    axes.key(below, entries, below=31)
    axes.title(ax, f"{letter}  {context.short[a]} against {context.short[b]}".strip())


def _boxes(ax: Axes, low: Floats, high: Floats, top: Floats, colour: str) -> None:
    """Draw ranges of PC(+) in rows of datasets as one path."""
    if len(low):
        bottom = top + 0.8
        corners = np.array([[low, top], [high, top], [high, bottom], [low, bottom]])
        path = Path.make_compound_path_from_polys(np.moveaxis(corners, 2, 0))
        edge = style.QUIET if colour == EQUIVALENT else colour
        ax.add_patch(PathPatch(path, facecolor=colour, edgecolor=edge, linewidth=0.2))


def sure(counted: pd.DataFrame, finding: str) -> Ranges:
    """Return where one model costs less on more datasets than chance allows."""
    rows = counted[counted["finding"] == finding]
    ends = rows[["pc_from", "pc_to"]].to_numpy(float)
    return union([(float(low), float(high)) for low, high in ends])


def words(data: pd.DataFrame, _tables: Tables, _context: Context) -> dict[str, Any]:
    """Return on how many datasets each model costs less, and where this is beyond chance."""
    pairs = []
    for (a, b), own in data.groupby(PAIR, sort=False):
        counted = own[own["dataset"] == ""]
        most = {model: int(counted[name].max()) for model, name in ((a, COUNTS[0]), (b, COUNTS[3]))}
        ahead = {}
        for model, finding in ((a, "A cheaper"), (b, "B cheaper")):
            if spans := sure(counted, finding):
                ahead[model] = max(spans, key=lambda span: span[1] - span[0])
        number = int(counted[list(COUNTS)].sum(axis=1).max())
        pairs.append({"a": a, "b": b, "most": most, "sure": ahead, "datasets": number})
    level = float(data["familywise"].dropna().iloc[0])
    return {"pairs": pairs, "level": level}
