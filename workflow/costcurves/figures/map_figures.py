"""All datasets of a study at once: a row a dataset, coloured along PC(+) by its verdict."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from costcurves import formats
from costcurves.figures import patterns, sheet, spaces, style
from costcurves.figures.context import Row, Tables
from costcurves.figures.kind import Shown, figure_kind
from costcurves.figures.polylines import Floats
from costcurves.figures.sheet import LEFT, TOP
from costcurves.maths.geometry.slivers import EXACT
from costcurves.tables.inference.comparisons import ALL_PAIRS
from costcurves.tables.inference.map import COUNTS, FINDINGS, leading_pairs, of_pair, shown_pair
from costcurves.text import Name, Text, joined, listed, phrase

Spans = list[tuple[float, float]]

PAIR: Final = ["model_a", "model_b"]
EQUIVALENT: Final[dict[str, Any]] = {
    "facecolor": "white",
    "edgecolor": style.QUIET,
    "linewidth": 0,
    "hatch": "/////",
}
NAMES: Final = 1.5  # room for the names of datasets
AREAS: Final = 0.62  # room for the numbers at the side
FIRST: Final = TOP + 0.5
TALLEST: Final = 7.0  # of all rows together: the figure fits on a page of paper
LARGEST, SMALLEST = 0.19, 0.06  # height of a row; names need the smaller one
COUNTED: Final = 0.8  # height of the counts
TESTED: Final = 0.09  # height of the strip of the sign test
GAP: Final = 0.34  # between panels side by side
MOST_PANELS: Final = 21  # of small multiples
LISTED: Final = 3  # ranges of PC(+) that a cell names one by one


@dataclass(frozen=True)
class Survey:
    """A study as its maps speak of it."""

    title: str
    roster: tuple[str, ...]  # all its models in order, which their colours come from
    titles: tuple[tuple[str, str], ...]  # names and titles of its datasets, in order

    def colour(self, model: str) -> str:
        """Colour of a model, as in all figures of the study."""
        return style.colour(self.roster.index(model))

    def ink(self, model: str) -> str:
        """Colour of a model's name."""
        return style.ink(self.roster.index(model))


def map_data(tables: Tables, _: Survey) -> pd.DataFrame:
    """Select what `pairs_data` does of the pair that is shown."""
    return pairs_data(tables, [shown_pair(tables["map"])])


def maps_data(tables: Tables, _: Survey) -> pd.DataFrame:
    """Select the same of the first 21 pairs."""
    return pairs_data(tables, leading_pairs(tables["map"])[:MOST_PANELS])


def pairs_data(tables: Tables, pairs: Iterable[tuple[str, str, str] | None]) -> pd.DataFrame:
    """Select the verdicts on each pair, `area_difference` that of A minus B, then its counts."""
    counts, verdicts, measures = (tables[name] for name in ("map", "verdicts", "measures"))
    areas = measures[measures["headline"]].set_index(["dataset", "model"])["area"].to_dict()
    parts = []
    for family, a, b in filter(None, pairs):
        judged = of_pair(verdicts[verdicts["family"] == family], a, b)
        difference = [areas[name, a] - areas[name, b] for name in judged["dataset"]]
        rows = judged[["dataset", *PAIR, "finding", "pc_from", "pc_to"]]
        counted = counts[(counts[["family", *PAIR]] == [family, a, b]).all(axis=1)]
        below = counted.drop(columns=["family", "shown"]).assign(dataset="")
        parts += [rows.assign(area_difference=difference), below]
    return pd.concat(parts, ignore_index=True)


class Most(NamedTuple):
    """The most datasets that agree, and a PC(+) where they do."""

    datasets: int
    at: float


def most(rows: pd.DataFrame, finding: str) -> Most:
    """Find the most datasets that agree, and one PC(+) where they do: in the widest interval."""
    found = int(rows[finding].max())
    best = rows[rows[finding] == found]
    widest = best.iloc[int((best["pc_to"] - best["pc_from"]).to_numpy().argmax())]
    return Most(found, float(widest["pc_from"] + widest["pc_to"]) / 2)


def ahead(rows: pd.DataFrame, a: str, b: str) -> dict[str, Spans]:
    """Give where each of two models costs less on more datasets than chance allows, if anywhere."""
    found = {
        model: _spans(rows[rows["finding"] == finding])
        for model, finding in ((a, "A cheaper"), (b, "B cheaper"))
    }
    return {model: spans for model, spans in found.items() if spans}


def _spans(rows: pd.DataFrame) -> Spans:
    """Join neighbouring intervals."""
    joined: Spans = []
    for low, high in rows[["pc_from", "pc_to"]].itertuples(index=False, name=None):
        near = joined and low - joined[-1][1] < EXACT
        joined.append((joined.pop()[0] if near else low, high))
    return joined


def lower(ahead: Mapping[str, Spans]) -> Text:
    """Say where the vote is no chance; nowhere if it is nowhere."""
    each = [
        phrase(patterns.FOR_RANGES, what=Name(one), ranges=in_words(spans))
        for one, spans in ahead.items()
    ]
    return listed(each) or (patterns.NOWHERE,)


def in_words(spans: Spans) -> Text:
    """Say ranges of PC(+) one by one, or how much of all they cover."""
    if len(spans) <= LISTED:
        return joined(", ", [formats.pc_range(*span) for span in spans])
    whole, much = formats.pc_range(spans[0][0], spans[-1][1]), formats.share(covered(spans))
    return phrase(patterns.IN_STRETCHES, whole=whole, n=f"{len(spans)}", share=much)


def covered(*ranges: Spans) -> float:
    """Add up how much of PC(+) ranges cover."""
    return sum(high - low for spans in ranges for low, high in spans)


def _agreed(shown: Shown[Survey]) -> Iterator[Row]:
    """Give of each pair on how many datasets which of its models is cheaper."""
    counted = shown.data[shown.data["dataset"] == ""]
    for _, rows in counted.groupby(PAIR, sort=False):
        a, b = _models(rows)
        sure = lower(ahead(rows, a, b))
        both = (a, most(rows, "a_cheaper")), (b, most(rows, "b_cheaper"))
        datasets = int(rows[list(COUNTS)].sum(axis=1).max())
        yield {"a": a, "b": b, "both": both, "datasets": datasets, "lower": sure}


@figure_kind(map_data, _agreed, ("map",), tells=lambda it: shown_pair(it["map"]) is not None)
def map(data: pd.DataFrame, survey: Survey) -> Figure:  # noqa: A001 - as its files are called
    """Draw the map of one pair: rows by the difference of areas, with counts and sign test."""
    judged, counted = data[data["dataset"] != ""], data[data["dataset"] == ""]
    # From A's greatest advantage to B's; in the study's order where equal.
    first = judged.drop_duplicates("dataset").sort_values("area_difference", kind="stable")
    row = min(LARGEST, TALLEST / len(first))
    height = row * len(first)
    total = FIRST + height + 0.22 + COUNTED + TESTED + 0.62
    figure = sheet.sheet(total, survey.title, map.words.title, *_notes(data))
    top = TOP + 0.146
    for left, model in zip((LEFT, LEFT + sheet.room() / 2), _models(data), strict=True):
        look = {"color": survey.colour(model), "linewidth": 5, "solid_capstyle": "butt"}
        sheet.key(figure, left, top, 0.3, **look)
        words, room = f"{model} is cheaper", sheet.room() / 2 - 0.6
        sheet.name(figure, left + 0.38, top, words, room, color=survey.ink(model))
    left, wide = LEFT + NAMES, sheet.room() - NAMES - AREAS
    order = [str(name) for name in first["dataset"]]
    _rows(sheet.panel(figure, left, FIRST, wide, height), judged, order, survey)
    if row >= SMALLEST:
        _names(figure, first, row, survey)
    below = FIRST + height + 0.22
    _counts(sheet.panel(figure, left, below, wide, COUNTED), counted, survey)
    tested = sheet.panel(figure, left, below + COUNTED + 0.05, wide, TESTED)
    _tested(tested, counted, survey)
    tested.set_xlabel(spaces.PC)
    sheet.note(figure, left - 0.3, below + COUNTED / 2 + 0.03, "datasets", ha="right")
    sheet.note(figure, left - 0.3, below + COUNTED + 0.05 + TESTED, "more than chance", ha="right")
    sheet.note(figure, LEFT + sheet.room(), FIRST - 0.06, "area", ha="right")
    return figure


@figure_kind(maps_data, _agreed, ("map",), tells=lambda it: len(leading_pairs(it["map"])) > 1)
def maps(data: pd.DataFrame, survey: Survey) -> Figure:
    """Draw a small map of each pair: rows in the study's order, counts and sign test beneath."""
    pairs = list(data.groupby(PAIR, sort=False))
    columns = 2 if len(pairs) <= 4 else 3
    lines, above = -(-len(pairs) // columns), TOP + 0.13
    order = [name for name, _ in survey.titles if name in set(data["dataset"])]
    height = min(max(0.3, 0.12 * len(order)), 8.6 / lines - 0.95)
    width = (sheet.room() - GAP * (columns - 1)) / columns
    total = above + lines * (height + 0.85) + 0.3
    figure = sheet.sheet(total, survey.title, maps.words.title, *_notes(data)[:2])
    for place, (_, own) in enumerate(pairs):
        line, column = divmod(place, columns)
        left, top = LEFT + column * (width + GAP), above + line * (height + 0.85)
        judged, counted = own[own["dataset"] != ""], own[own["dataset"] == ""]
        sides = (left, "left"), (left + width, "right")
        for model, (x, ha) in zip(_models(own), sides, strict=True):
            room, color = width / 2 - 0.06, survey.ink(model)
            sheet.name(figure, x, top + 0.12, model, room, ha=ha, color=color)
        _rows(sheet.panel(figure, left, top + 0.18, width, height), judged, order, survey)
        _counts(sheet.panel(figure, left, top + 0.22 + height, width, 0.26), counted, survey)
        tested = sheet.panel(figure, left, top + 0.5 + height, width, 0.06)
        _tested(tested, counted, survey)
        tested.tick_params(labelsize=style.SMALL - 1)
    return figure


def _notes(data: pd.DataFrame) -> list[str]:
    level = formats.level(float(data["familywise"].dropna().iloc[0]))
    equal = "; hatched: equivalent" if (data["finding"] == "equivalent").any() else ""
    return [
        f"a row each; coloured: that model is cheaper; grey: undecided{equal}",
        f"beneath: on how many, and where it is on more of them than chance allows ({level})",
        "rows are in order of the area under the first model's curve minus that under the second's",
    ]


def _models(rows: pd.DataFrame) -> tuple[str, str]:
    """Read the two models of a pair."""
    return str(rows["model_a"].iloc[0]), str(rows["model_b"].iloc[0])


def _rows(axes: Axes, judged: pd.DataFrame, order: Sequence[str], survey: Survey) -> None:
    """Draw a strip for each dataset."""
    axes.set(xlim=(0, 1), ylim=(len(order), 0))
    axes.set_axis_off()
    top = judged["dataset"].map({name: row for row, name in enumerate(order)}).to_numpy()
    gap = 0.12 if len(order) <= 40 else 0.06
    _strips(axes, judged.assign(top=top + gap), 1 - 2 * gap, survey)


def _strips(axes: Axes, rows: pd.DataFrame, height: float, survey: Survey) -> None:
    """Draw intervals as rectangles, those of one finding as one path."""
    for finding, own in rows.groupby("finding", sort=False):
        low, high, top = (own[name].to_numpy(float) for name in ("pc_from", "pc_to", "top"))
        path = boxes(low, high, top, height)
        axes.add_patch(PathPatch(path, **_look(own, str(finding), survey)))


def _look(rows: pd.DataFrame, finding: str, survey: Survey) -> dict[str, Any]:
    a, b = _models(rows)
    cheaper = {"A cheaper": a, "B cheaper": b}
    if finding == "equivalent":
        return EQUIVALENT
    color = survey.colour(cheaper[finding]) if finding in cheaper else style.EQUAL
    return {"facecolor": color, "edgecolor": color, "linewidth": 0.2}


def _names(figure: Figure, datasets: pd.DataFrame, row: float, survey: Survey) -> None:
    """Write what each dataset is called, and the difference of the areas."""
    titles, size = dict(survey.titles), min(style.SMALL, row * 72 * 0.95)
    both, right = datasets[["dataset", "area_difference"]], LEFT + sheet.room()
    for place, (name, difference) in enumerate(both.itertuples(index=False)):
        y = FIRST + (place + 0.5) * row + size / 72 * 0.36
        shown = style.shorten(titles[name], LEFT + NAMES - 0.2, size)
        sheet.write(figure, LEFT + NAMES - 0.08, y, shown, size=size, ha="right")
        sheet.write(figure, right, y, formats.signed(difference), size=size, ha="right")


def _counts(axes: Axes, counted: pd.DataFrame, survey: Survey) -> None:
    """Stack how many datasets have which verdict, along PC(+)."""
    edges = np.append(counted["pc_from"].to_numpy(float), 1.0)
    below = np.zeros(len(counted))
    for name, finding in zip(COUNTS, FINDINGS, strict=True):
        above = below + counted[name].to_numpy(float)
        if (above > below).any():
            look = {**_look(counted, finding, survey), "linewidth": 0}
            axes.stairs(above, edges, baseline=below, fill=True, **look)
        below = above
    axes.set(xlim=(0, 1), ylim=(0, max(below.max(), 1)), yticks=[0, max(below.max(), 1)])
    axes.tick_params(labelbottom=False, bottom=False)
    axes.spines["bottom"].set_visible(False)


def _tested(axes: Axes, counted: pd.DataFrame, survey: Survey) -> None:
    """Draw where the sign test finds more than chance."""
    axes.set(xlim=(0, 1), ylim=(1, 0), yticks=[])
    axes.spines["left"].set_visible(False)
    _strips(axes, counted.assign(top=0.0), 1.0, survey)
    spaces.unit_ticks(axes, coarse=True)
    axes.set_yticks([])


def of_all_pairs(rows: pd.DataFrame) -> pd.DataFrame:
    """Select the comparisons that share the error of all pairs, beside those with a baseline."""
    return rows[rows["family"] == ALL_PAIRS]


def boxes(low: Floats, high: Floats, top: Floats, height: float) -> Path:
    """Make one path of rectangles."""
    bottom = top + height
    corners = np.array([[low, top], [high, top], [high, bottom], [low, bottom]])
    return Path.make_compound_path_from_polys(np.moveaxis(corners, 2, 0))
