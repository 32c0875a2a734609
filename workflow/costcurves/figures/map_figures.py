"""All datasets of a study at once: a row a dataset, coloured along PC(+) by its verdict."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from costcurves import formats
from costcurves.figures import sheet, spaces, style
from costcurves.figures.sheet import LEFT, ROOM
from costcurves.tables.inference.map import FINDINGS, of_pair
from costcurves.tables.inference.map_pairs import COUNTS, leading_pairs, shown_pair

NAMES: Final = 1.5  # room for the names of datasets
AREAS: Final = 0.62  # room for the numbers at the side
FIRST: Final = 1.32
TALLEST: Final = 7.0  # of all rows together: the figure fits on a page of paper
LARGEST, SMALLEST = 0.19, 0.06  # height of a row; names need the smaller one
COUNTED: Final = 0.8  # height of the counts
TESTED: Final = 0.09  # height of the strip of the sign test
GAP: Final = 0.34  # between panels side by side
MOST_PANELS: Final = 21  # of small multiples
PAIR: Final = ["model_a", "model_b"]


@dataclass(frozen=True)
class Survey:
    """A study as its maps speak of it."""

    title: str
    roster: tuple[str, ...]  # all its models in order, which their colours come from
    titles: tuple[tuple[str, str], ...]  # names and titles of its datasets, in order

    def colour(self, model: str) -> str:
        """Colour of a model, as in all figures of the study."""
        return style.colour(self.roster.index(model))

    def words(self, model: str) -> dict[str, Any]:
        """Colour and weight of a model's name."""
        return {"color": style.ink(self.roster.index(model)), "weight": "bold"}


def map_data(
    counts: pd.DataFrame, verdicts: pd.DataFrame, measures: pd.DataFrame, pair: tuple[str, str, str]
) -> pd.DataFrame:
    """Select what the map of one pair (family and two models) shows.

    First the verdicts with `area_difference`, the area under the curve of A minus that of B; then,
    without a dataset, the rows of `counts`.
    """
    family, a, b = pair
    own = verdicts[verdicts["family"] == family]
    judged = of_pair(own, a, b)
    headline = measures[measures["headline"]]
    areas = headline.set_index(["dataset", "model"])["area"].to_dict()
    difference = [areas[name, a] - areas[name, b] for name in judged["dataset"]]
    rows = judged[["dataset", *PAIR, "finding", "pc_from", "pc_to"]]
    counted = counts[(counts[["family", *PAIR]] == list(pair)).all(axis=1)]
    below = counted.drop(columns=["family", "shown"]).assign(dataset="")
    return pd.concat([rows.assign(area_difference=difference), below], ignore_index=True)


def draw_maps(
    counts: pd.DataFrame, verdicts: pd.DataFrame, measures: pd.DataFrame, survey: Survey
) -> dict[str, tuple[Figure, pd.DataFrame]]:
    """Draw by name "map", of the pair that `shown` marks, and "maps", of the first 21 pairs.

    There are none where no pair was judged on three datasets.
    """
    pairs, pair = leading_pairs(counts), shown_pair(counts)
    if pair is None:
        return {}
    first = map_data(counts, verdicts, measures, pair)
    each = [map_data(counts, verdicts, measures, pair) for pair in pairs[:MOST_PANELS]]
    every = pd.concat(each, ignore_index=True)
    with style.house_style():
        one = {"map": (pair_map(first, survey), first)}
        return one if len(pairs) == 1 else one | {"maps": (small_maps(every, survey), every)}


def pair_map(data: pd.DataFrame, survey: Survey) -> Figure:
    """Draw the map of one pair: rows by the difference of areas, with counts and sign test."""
    judged, counted = data[data["dataset"] != ""], data[data["dataset"] == ""]
    a, b = str(data["model_a"].iloc[0]), str(data["model_b"].iloc[0])
    order = _by_area(judged)
    row = min(LARGEST, TALLEST / len(order))
    height = row * len(order)
    figure = sheet.sheet(FIRST + height + 0.22 + COUNTED + TESTED + 0.62)
    _head(figure, data, survey, a, b)
    wide = ROOM - NAMES - AREAS
    axes = sheet.panel(figure, LEFT + NAMES, FIRST, wide, height)
    _rows(axes, judged, order, survey)
    if row >= SMALLEST:
        _names(figure, judged, order, row, survey)
    below = FIRST + height + 0.22
    _counts(sheet.panel(figure, LEFT + NAMES, below, wide, COUNTED), counted, survey)
    tested = sheet.panel(figure, LEFT + NAMES, below + COUNTED + 0.05, wide, TESTED)
    _tested(tested, counted, survey)
    tested.set_xlabel(spaces.PC)
    _explain(figure, below)
    return figure


def small_maps(data: pd.DataFrame, survey: Survey) -> Figure:
    """Draw a small map of each pair: rows in the study's order, counts and sign test beneath."""
    pairs = list(data.groupby(PAIR, sort=False))
    columns = 2 if len(pairs) <= 4 else 3
    lines = -(-len(pairs) // columns)
    order = [name for name, _ in survey.titles if name in set(data["dataset"])]
    height = min(max(0.3, 0.12 * len(order)), 8.6 / lines - 0.95)
    size = (ROOM - GAP * (columns - 1)) / columns, height
    figure = sheet.sheet(0.95 + lines * (height + 0.85) + 0.3)
    _small_head(figure, data, survey)
    for place, (_, own) in enumerate(pairs):
        line, column = divmod(place, columns)
        corner = LEFT + column * (size[0] + GAP), 0.95 + line * (height + 0.85)
        _small(figure, own, order, (corner, size), survey)
    return figure


def _small(
    figure: Figure,
    own: pd.DataFrame,
    order: Sequence[str],
    place: tuple[tuple[float, float], tuple[float, float]],
    survey: Survey,
) -> None:
    (left, top), (width, height) = place
    judged, counted = own[own["dataset"] != ""], own[own["dataset"] == ""]
    a, b = str(own["model_a"].iloc[0]), str(own["model_b"].iloc[0])
    _versus(figure, left, top + 0.12, (a, b), width, survey)
    axes = sheet.panel(figure, left, top + 0.18, width, height)
    _rows(axes, judged, order, survey)
    _counts(sheet.panel(figure, left, top + 0.22 + height, width, 0.26), counted, survey)
    tested = sheet.panel(figure, left, top + 0.5 + height, width, 0.06)
    _tested(tested, counted, survey)
    tested.tick_params(labelsize=style.SMALL - 1)


def _head(figure: Figure, data: pd.DataFrame, survey: Survey, a: str, b: str) -> None:
    sheet.title(figure, survey.title, "one pair of models on all datasets", *_notes(data))
    top = 0.24 + sheet.LINE * 4.4
    sheet.key(figure, LEFT, top, 0.3, color=survey.colour(a), linewidth=5, solid_capstyle="butt")
    room = ROOM / 2 - 0.6
    look = survey.words(a)
    shown = style.shorten(f"{a} is cheaper", room, style.SMALL, "bold")
    sheet.write(figure, LEFT + 0.38, top, shown, size=style.SMALL, **look)
    left = LEFT + ROOM / 2
    sheet.key(figure, left, top, 0.3, color=survey.colour(b), linewidth=5, solid_capstyle="butt")
    shown = style.shorten(f"{b} is cheaper", room, style.SMALL, "bold")
    sheet.write(figure, left + 0.38, top, shown, size=style.SMALL, **survey.words(b))


def _small_head(figure: Figure, data: pd.DataFrame, survey: Survey) -> None:
    sheet.title(figure, survey.title, "pairs of models on all datasets", *_notes(data)[:2])


def _notes(data: pd.DataFrame) -> list[str]:
    level = formats.level(float(data["familywise"].dropna().iloc[0]))
    count = data.loc[data["dataset"] != "", "dataset"].nunique()
    equal = "; hatched: equivalent" if (data["finding"] == "equivalent").any() else ""
    return [
        f"a row for each of {count} datasets; coloured: that model is cheaper; grey: the data "
        f"cannot tell{equal}",
        f"beneath: on how many datasets, and where it is on more of them than chance allows "
        f"({level})",
        "rows are in order of the area under the first model's curve minus that under the second's",
    ]


def _versus(
    figure: Figure,
    left: float,
    top: float,
    pair: tuple[str, str],
    width: float,
    survey: Survey,
) -> None:
    """Name two models side by side, each in its colour."""
    half = width / 2 - 0.06
    for model, x, ha in ((pair[0], left, "left"), (pair[1], left + width, "right")):
        shown = style.shorten(model, half, style.SMALL, "bold")
        sheet.write(figure, x, top, shown, size=style.SMALL, ha=ha, **survey.words(model))


def _by_area(judged: pd.DataFrame) -> list[str]:
    """List the datasets from A's greatest advantage to B's; in the study's order where equal."""
    first = judged.drop_duplicates("dataset").sort_values("area_difference", kind="stable")
    return [str(name) for name in first["dataset"]]


def _rows(axes: Axes, judged: pd.DataFrame, order: Sequence[str], survey: Survey) -> None:
    """Draw a strip for each dataset."""
    axes.set(xlim=(0, 1), ylim=(len(order), 0))
    axes.set_axis_off()
    top = judged["dataset"].map({name: row for row, name in enumerate(order)}).to_numpy()
    gap = 0.12 if len(order) <= 40 else 0.06
    _strips(axes, judged.assign(top=top + gap), 1 - 2 * gap, survey)


def _strips(axes: Axes, rows: pd.DataFrame, height: float, survey: Survey) -> None:
    """Draw intervals as rectangles, those of one finding as one path."""
    for (a, b, finding), own in rows.groupby([*PAIR, "finding"], sort=False):
        look = _look(str(a), str(b), str(finding), survey)
        axes.add_patch(PathPatch(_boxes(own, height), **look))


def _boxes(rows: pd.DataFrame, height: float) -> Path:
    """Make one path of a rectangle for each interval."""
    low, high, top = (rows[name].to_numpy(float) for name in ("pc_from", "pc_to", "top"))
    across = np.column_stack([low, high, high, low, low])
    down = np.column_stack([top, top, top + height, top + height, top])
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
    return Path(np.stack([across, down], axis=2).reshape(-1, 2), codes * len(rows))


def _look(a: str, b: str, finding: str, survey: Survey) -> dict[str, Any]:
    cheaper = {"A cheaper": a, "B cheaper": b}
    if finding in cheaper:
        color = survey.colour(cheaper[finding])
        return {"facecolor": color, "edgecolor": color, "linewidth": 0.2}
    if finding == "equivalent":
        return {"facecolor": "white", "edgecolor": style.QUIET, "linewidth": 0, "hatch": "/////"}
    return {"facecolor": style.EQUAL, "edgecolor": style.EQUAL, "linewidth": 0.2}


def _names(
    figure: Figure, judged: pd.DataFrame, order: Sequence[str], row: float, survey: Survey
) -> None:
    """Write what each dataset is called, and the difference of the areas."""
    titles, size = dict(survey.titles), min(style.SMALL, row * 72 * 0.95)
    differences = judged.drop_duplicates("dataset").set_index("dataset")["area_difference"]
    for place, name in enumerate(order):
        y = FIRST + (place + 0.5) * row + size / 72 * 0.36
        shown = style.shorten(titles[name], LEFT + NAMES - 0.2, size)
        sheet.write(figure, LEFT + NAMES - 0.08, y, shown, size=size, ha="right")
        number = formats.signed(differences[name])
        sheet.write(figure, LEFT + ROOM, y, number, size=size, ha="right")


def _counts(axes: Axes, counted: pd.DataFrame, survey: Survey) -> None:
    """Stack how many datasets have which verdict, along PC(+)."""
    edges = np.append(counted["pc_from"].to_numpy(float), 1.0)
    below = np.zeros(len(counted))
    a, b = str(counted["model_a"].iloc[0]), str(counted["model_b"].iloc[0])
    for name, finding in zip(COUNTS, FINDINGS, strict=True):
        above = below + counted[name].to_numpy(float)
        if (above > below).any():
            look = {**_look(a, b, finding, survey), "linewidth": 0}
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


def _explain(figure: Figure, below: float) -> None:
    """Name the counts and the strip beneath them."""
    left, middle = LEFT + NAMES - 0.3, below + COUNTED / 2 + 0.03
    sheet.note(figure, left, middle, "datasets", ha="right")
    sheet.note(figure, left, below + COUNTED + 0.05 + TESTED, "more than chance", ha="right")
    sheet.note(figure, LEFT + ROOM, FIRST - 0.06, "area", ha="right")
