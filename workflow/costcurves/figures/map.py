"""All datasets of a study: a row a dataset, coloured along PC(+) by its verdict on a pair."""

from functools import partial
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from costcurves.figures import axes, style
from costcurves.figures.context import Context
from costcurves.figures.polylines import Ranges, filtered, spans_of, union, widest
from costcurves.many.map import COUNTS, FINDINGS, leading_pairs, of_pair, shown_pair

NAME: Final = "map"
PAIR: Final = ["model_a", "model_b"]
PAIRS: Final = 3  # a panel each
ROW: Final = 9.5  # points of a dataset's row; less where there are many
TALLEST: Final = 560.0  # points of all rows
COUNTED: Final = 36.0  # points of the counts


def data(context: Context) -> pd.DataFrame:
    """Return the verdicts on the pair to show and others, each dataset's, and their counts."""
    counts, verdicts, measures = (context.tables[name] for name in ("map", "verdicts", "measures"))
    first = shown_pair(counts)
    if first is None:
        return pd.DataFrame()
    areas = filtered(measures, headline=True).set_index(["dataset", "model"])["area"].to_dict()
    parts = []
    for family, a, b in [*dict.fromkeys([first, *leading_pairs(counts)])][:PAIRS]:
        judged = of_pair(filtered(verdicts, family=family), a, b)
        difference = [areas[name, a] - areas[name, b] for name in judged["dataset"]]
        rows = judged[["dataset", *PAIR, "finding", "pc_from", "pc_to"]].assign(
            area_difference=difference
        )
        counted = filtered(counts, family=family, model_a=a, model_b=b)
        below = counted.drop(columns=["family", "shown"]).assign(dataset="")
        parts += [rows.sort_values("area_difference", kind="stable"), below]
    return pd.concat(parts, ignore_index=True)


def panels(data: pd.DataFrame, context: Context) -> dict[str, axes.Panel]:
    """Return a panel for each pair."""
    return {
        f"{context.short[a]} against {context.short[b]}": partial(draw, a=a, b=b)
        for a, b in data[PAIR].drop_duplicates().itertuples(index=False)
    }


def draw(ax: Axes, data: pd.DataFrame, context: Context, a: str, b: str) -> None:
    """Draw a strip for each dataset, from A's greatest advantage on, and beneath the counts."""
    rows = filtered(data, model_a=a, model_b=b)
    judged, counted = rows[rows["dataset"] != ""], filtered(rows, dataset="")
    colours = {
        "A cheaper": context.colour(a),
        "B cheaper": context.colour(b),
        "undecided": style.LIGHT,
        "equivalent": "#ffffff",
    }
    names = judged["dataset"].unique().tolist()
    row = min(ROW, TALLEST / len(names))
    axes.place(ax, axes.NAMES, row * len(names))
    height = 0.8 if row == ROW else 1.0
    ax.axhspan(0, len(names), color=style.LIGHT, linewidth=0)
    for finding, spans in judged[judged["finding"] != "undecided"].groupby("finding"):
        start, end = spans["pc_from"], spans["pc_to"]
        top = spans["dataset"].map(names.index) + (1 - height) / 2
        corners = [(start, top), (end, top), (end, top + height), (start, top + height)]
        path = Path.make_compound_path_from_polys(np.transpose(corners, (2, 0, 1)))
        edge = style.QUIET if finding == "equivalent" else "none"
        patch = PathPatch(path, facecolor=colours[str(finding)], edgecolor=edge, linewidth=0.2)
        ax.add_patch(patch)
    labels = [style.fitted(context.titles.get(name) or name, axes.NAMES - 8) for name in names]
    ax.set(xlim=(0, 1), ylim=(len(names), 0), yticks=[])
    if row == ROW:
        ax.set_yticks(np.arange(len(names)) + 0.5, labels)
    ax.tick_params(length=0, labelbottom=False)
    ax.spines[:].set_visible(False)
    below = axes.second(ax)
    axes.place(below, axes.NAMES, COUNTED, below=row * len(names) + 8)
    draw_counts(below, counted, [colours[finding] for finding in FINDINGS])
    for finding in ("A cheaper", "B cheaper"):
        axes.bar_parts(below, sure(counted, finding), colours[finding])
    entries = {f"{context.short[model]} costs less": context.colour(model) for model in (a, b)}
    entries["may be chance"] = style.LIGHT
    looks = {words: {"color": colour, "linewidth": 5} for words, colour in entries.items()}
    axes.key(below, looks, below=31)


def draw_counts(ax: Axes, counted: pd.DataFrame, colours: list[str]) -> None:
    """Draw on how many datasets there is which finding, one above the other."""
    counted = counted[counted[list(COUNTS)].diff().ne(0).any(axis=1)]
    counts = counted[list(COUNTS)].to_numpy(float)
    edges = np.append(counted["pc_from"], 1.0)
    tops = np.cumsum(counts, axis=1)
    for top, height, colour in zip(tops.T, counts.T, colours, strict=True):
        ax.stairs(top, edges, baseline=top - height, fill=True, facecolor=colour, linewidth=0)
    highest = max(tops.max(), 1)
    ax.set(xlim=(0, 1), ylim=(0, highest), yticks=[0, highest])
    ax.set_ylabel("datasets", rotation=0, ha="right", va="center")
    axes.bar(ax, [])
    axes.ticks(ax, "x")
    ax.annotate(axes.PC, (0, 0), (-7, -7.5), ha="right", color=style.NOTE, **axes.BELOW)
    axes.directions(ax, 19, left=-34)


def sure(counted: pd.DataFrame, finding: str) -> Ranges:
    """Return where one model costs less on more datasets than chance allows."""
    return union(spans_of(filtered(counted, finding=finding)))


def words(data: pd.DataFrame, _context: Context) -> dict[str, Any]:
    """Return on how many datasets each model costs less, and where this is beyond chance."""
    pairs = []
    for (a, b), rows in data.groupby(PAIR, sort=False):
        counted = filtered(rows, dataset="")
        most, ahead = {}, {}
        for model, finding, count in ((a, "A cheaper", COUNTS[0]), (b, "B cheaper", COUNTS[3])):
            most[model] = int(counted[count].max())
            if spans := sure(counted, finding):
                ahead[model] = widest(spans)
        number = int(counted[list(COUNTS)].sum(axis=1).max())
        pairs.append({"a": a, "b": b, "most": most, "sure": ahead, "datasets": number})
    return {"pairs": pairs, "level": float(data["familywise"].dropna().iloc[0])}
