"""Figures: what they draw is the tables', whatever the names, and nothing overlaps or is cut."""

import dataclasses
import functools
import io
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text
from matplotlib.transforms import Bbox
from numpy.typing import NDArray

from costcurves import formats
from costcurves.annex.figures.choice_figures import REGRET
from costcurves.annex.figures.difference_figures import LOOKS
from costcurves.figures import sheet, style
from costcurves.figures.catalogue import FIGURES
from costcurves.figures.context import Context
from costcurves.figures.cost_figures import WIDTH
from costcurves.figures.kind import FigureKind
from costcurves.figures.polylines import (
    UNSEEN,
    Floats,
    cost_vertices,
    height_at,
    joined,
    roc_vertices,
    thinned,
)
from costcurves.figures.spaces import ratio_ticks
from costcurves.figures.view_figures import BESIDE
from costcurves.tables.contracts import CONTRACTS
from costcurves.tables.curves.headline import headline_of
from tests import fake_tables
from tests.drawn import painted
from tests.fake_tables import HOSTILE

Tables = Mapping[str, pd.DataFrame]
KINDS = {kind.name: kind for kind in FIGURES}
EVERY_KIND = pytest.mark.parametrize("kind", FIGURES, ids=lambda kind: kind.name)


class Case(NamedTuple):
    """A data set to draw."""

    tables: Tables
    context: Context


def make(models: tuple[str, ...], title: str = "Fake", level: str = "repeat", **made: Any) -> Case:
    pcs = made.pop("pcs", (0.35,))
    prior = made.pop("prior", 0.4)
    estimate = made.pop("estimate", "cross-fitted")
    repeats, folds = made.setdefault("repeats", 2), made.setdefault("folds", 3)
    predictions = fake_tables.random_predictions(models, **made)
    conditions = tuple((f"PC(+) = {pc:g}", pc) for pc in pcs)
    tables = fake_tables.tables(predictions, pcs, level, estimate)
    size = made.get("size", 40) * folds
    sizes = (size, 2 * size // 5, repeats, folds, repeats * folds)
    headline = tables["measures"].query("headline")
    ranked = tuple(headline.sort_values("area", kind="stable")["model"])
    context = Context(title, models, prior, level, *sizes, conditions, models, ranked)
    return Case(tables, context)


TWENTY = tuple(f"Classifier {number}" for number in range(1, 21))
LONG = (
    "W" * 60,
    *(f"{number} is a name of sixty characters, for all lists {'W' * 10}" for number in "12"),
)
MAKERS = {
    "one": lambda: make(("A",)),
    "two": lambda: make(("C4.5", "Naive Bayes")),
    "five": lambda: make(("C4.5", "1R", "Naive Bayes", "C4.5 undersampled", "C4.5 oversampled")),
    "twenty": lambda: make(TWENTY, size=20, pcs=(0.1, 0.35, 0.8)),
    "hostile": lambda: make(HOSTILE, title=HOSTILE[0] + HOSTILE[4], prior=0.01),
    "long": lambda: make(LONG, title=LONG[0], prior=0.99),
    "pooled": lambda: make(("A", "B"), level="pooled", estimate="fixed in advance"),
    "useless": lambda: make(("A", "B"), useless=True, pcs=(0, 1), repeats=1, folds=1),
    "equal": lambda: make(("equal", ""), size=5, pcs=(0.5, 0.5)),
}
# models are not known by lines
FILLED = {"crossovers", "differences", "verdicts", "optimism", "regrets"}
EVERY_CASE = pytest.mark.parametrize("name", MAKERS)


@functools.cache
def case(name: str) -> Case:
    return MAKERS[name]()


@functools.cache
def drawn(kind: str, name: str) -> Figure:
    return painted(KINDS[kind], *case(name))


@functools.cache
def shown(kind: str, name: str) -> pd.DataFrame:
    return KINDS[kind].data(*case(name))


def lines_of(figure: Figure) -> list[Line2D]:
    return [line for axes in figure.axes for line in axes.lines]


def texts_of(figure: Figure) -> set[str]:
    return {text.get_text() for text in figure.findobj(Text)}


# What is written


class Recorder(RendererBase):
    """Draws nothing, and remembers where each text would be: its words, box and angle."""

    def __init__(self, figure: Figure) -> None:
        super().__init__()
        self.figure = figure
        self.drawn: list[tuple[str, Bbox, float]] = []

    def points_to_pixels(self, points: Any) -> Any:
        return points * self.figure.dpi / 72

    def flipy(self) -> bool:
        return False

    def draw_path(self, *args: Any, **kwargs: Any) -> None:
        """Leave paths out."""

    def draw_text(
        self,
        gc: GraphicsContextBase,  # noqa: ARG002 - as the base class has it
        x: float,
        y: float,
        s: str,
        prop: FontProperties,
        angle: float,
        ismath: bool | str = False,
        mtext: Text | None = None,
    ) -> None:
        assert ismath is False
        if mtext is not None:
            box = Text.get_window_extent(mtext, self)
        else:  # one of several lines
            width, height, descent = self.get_text_width_height_descent(s, prop, False)
            box = Bbox.from_bounds(x, y - descent, width, height)
        if s.strip():
            self.drawn.append((s, box, angle))


@functools.cache
def written(kind: str, name: str) -> list[tuple[str, Bbox, float]]:
    """Texts that are drawn, with their boxes in pixels and their angles."""
    figure = drawn(kind, name)
    recorder = Recorder(figure)
    with style.house_style():
        figure.draw(recorder)
    return recorder.drawn


@EVERY_KIND
@EVERY_CASE
def test_no_text_is_cut_or_runs_into_another(kind: FigureKind[Context], name: str) -> None:
    if not kind.applies(case(name).tables):
        return
    figure = drawn(kind.name, name)
    sheet = figure.bbox
    for words, box, _ in written(kind.name, name):
        assert box.x0 >= sheet.x0, words
        assert box.x1 <= sheet.x1, words
        assert box.y0 >= sheet.y0, words
        assert box.y1 <= sheet.y1, words
    upright = [(words, box) for words, box, angle in written(kind.name, name) if angle in (0, 90)]
    for number, (words, box) in enumerate(upright):
        for other, place in upright[:number]:
            assert not box.padded(-1).overlaps(place.padded(-1)), (words, other)


def test_a_note_longer_than_its_line_is_written_smaller() -> None:
    figure = sheet.sheet(2.0, "Fake", "notes", "short", "too long " * 20)
    short, long = figure.texts[-2:]
    assert short.get_fontsize() == style.SMALL
    assert style.text_width(long.get_text(), long.get_fontsize()) == pytest.approx(sheet.ROOM)


@EVERY_KIND
def test_hostile_names_appear_as_they_are(kind: FigureKind[Context]) -> None:
    texts = texts_of(drawn(kind.name, "hostile"))
    fitting = {"_hidden", "{{7*7}}", r"$\foo$ $x^2$"}
    few = {"duality": 3, "reading": 1}  # of six models, the cheapest
    if kind.name in few:
        assert len(texts & set(HOSTILE)) == few[kind.name]
    else:
        assert fitting <= texts


@pytest.mark.parametrize("name", ["hostile", "long", "twenty"])
def test_lists_never_cut_a_name(name: str) -> None:
    assert set(case(name).context.models) <= texts_of(drawn("cost_curves", name))


def test_a_cost_space_says_where_constant_decisions_are_cheaper_and_which() -> None:
    axes = drawn("cost_curves", "five").axes[0]
    (ground,) = axes.collections[0].get_paths()
    assert [ground.contains_point((0.4, height)) for height in (0.3, 0.39, 0.41, 0.9)] == [
        False,
        False,
        True,
        True,
    ]
    left = {text.get_text(): text.get_position()[0] for text in axes.texts}
    assert left["always negative"] < 0.5 < left["always positive"]


def test_operating_conditions_stand_at_their_pc() -> None:
    axes = drawn("cost_curves", "five").axes[0]
    assert [0.35] in [np.unique(line.get_xdata()).tolist() for line in axes.lines]


def test_numbers_stand_on_the_curves_that_they_name() -> None:
    axes = drawn("cost_curves", "twenty").axes[0]
    data = shown("cost_curves", "twenty").query("series == 'headline'")
    ranked, (_, top) = case("twenty").context.ranked, axes.get_ylim()
    tags = [text for text in axes.texts if text.get_text().isdigit()]
    assert len(tags) == len(TWENTY)
    for tag in tags:
        x, y = tag.get_position()
        own = data[data["model"] == ranked[int(tag.get_text()) - 1]]
        assert np.interp(x, own["pc"], own["nec"]) == pytest.approx(y * top, abs=0.03 * top)


def test_up_to_six_models_are_named_beside_their_curves() -> None:
    texts = texts_of(drawn("cost_curves", "five"))
    assert set(case("five").context.models) <= texts
    assert "1" not in {text.get_text() for text in drawn("cost_curves", "five").texts}
    assert {str(number) for number in range(1, 21)} <= texts_of(drawn("cost_curves", "twenty"))


def test_the_list_begins_with_the_cheapest() -> None:
    tables, context = case("twenty")
    turned = dataclasses.replace(context, models=context.models[::-1])
    listed = [
        text.get_text()
        for text in painted(KINDS["cost_curves"], tables, turned).texts
        if text.get_text() in context.models
    ]
    measures = tables["measures"].query("headline").set_index("model")["area"]
    assert listed[:20] == list(measures.sort_values().index)


def numbers_of(kind: str) -> dict[str, str]:
    """The number that each model of twenty has in a figure: what stands left of its name."""
    words = [text.get_text() for text in drawn(kind, "twenty").texts]
    pairs = [(name, number) for number, name in pairwise(words) if name in TWENTY]
    return {name: number for name, number in pairs if number.isdigit()}


def test_a_model_has_one_number_in_all_figures_of_a_dataset() -> None:
    expected = {name: str(place) for place, name in enumerate(case("twenty").context.ranked, 1)}
    assert list(expected) != list(TWENTY)
    assert numbers_of("cost_curves") == expected
    assert numbers_of("crossovers") == expected
    assert expected.items() >= numbers_of("verdicts").items()
    assert len(numbers_of("verdicts")) >= 19


def test_panels_of_bands_begin_with_the_cheapest() -> None:
    names = [text.get_text() for text in drawn("cost_curves", "twenty").texts]
    panels = [name for name in names if name in TWENTY][-8:]
    assert panels == list(case("twenty").context.ranked[:8])


@pytest.mark.parametrize("kind", ["verdicts", "crossovers"])
def test_cells_of_a_matrix_are_coloured_in_the_half_of_the_cheaper_model(kind: str) -> None:
    context, data = case("twenty").context, shown(kind, "twenty")
    number = {model: place for place, model in enumerate(context.ranked)}
    sign = data["sign" if kind == "crossovers" else "finding"]
    expected = set()
    for a, b, who in zip(data["model_a"], data["model_b"], sign, strict=True):
        if who in ("A cheaper", "B cheaper", -1, 1):
            cheaper, other = (a, b) if who in ("A cheaper", -1) else (b, a)
            row, column = sorted((number[a], number[b]))
            colour = style.colour(context.roster.index(cheaper))
            expected.add((row, column, number[cheaper] < number[other], colour))
    assert _halves(drawn(kind, "twenty")) == expected


def test_strips_in_a_matrix_are_where_the_model_of_their_colour_is_cheaper() -> None:
    context, data = case("twenty").context, shown("crossovers", "twenty")
    number = {model: place for place, model in enumerate(context.ranked)}
    expected = set()
    for row in data[data["sign"] != 0].to_dict("records"):
        cheaper = row["model_a"] if row["sign"] < 0 else row["model_b"]
        first, second = sorted((number[row["model_a"]], number[row["model_b"]]))
        ends = (second - 0.94 + 0.88 * row[end] for end in ("pc_from", "pc_to"))
        colour = style.colour(context.roster.index(cheaper))
        expected.add((first, *(round(end, 6) for end in ends), colour))
    found, colours = set(), {colour for *_, colour in expected}
    for axes, patch in [(a, p) for a in drawn("crossovers", "twenty").axes for p in a.patches]:
        colour = mpl.colors.to_hex(patch.get_facecolor())
        place = patch.get_transform() + axes.transData.inverted()
        for corners in map(np.asarray, patch.get_path().to_polygons(place)):
            if colour in colours:
                left, right = corners[:, 0].min(), corners[:, 0].max()
                found.add((int(corners[:, 1].min()), round(left, 6), round(right, 6), colour))
    assert found == expected


def _halves(figure: Figure) -> set[tuple[int, int, bool, str]]:
    """Row, column and colour of what is filled of cells, and whether it is the upper half."""
    found, colours = set(), set(map(style.colour, range(len(TWENTY))))
    for axes, patch in [(one, patch) for one in figure.axes for patch in one.patches]:
        colour = mpl.colors.to_hex(patch.get_facecolor())
        place = patch.get_transform() + axes.transData.inverted()
        corners = [np.asarray(it)[:4] for it in patch.get_path().to_polygons(place)]
        for x, y in [it.mean(axis=0) for it in corners if colour in colours]:
            found.add((int(y), int(x) + 1, bool(y % 1 < 0.5), colour))
    return found


@EVERY_KIND
@EVERY_CASE
def test_every_figure_says_what_kind_of_estimate_it_shows(
    kind: FigureKind[Context], name: str
) -> None:
    if kind.applies(case(name).tables):
        words = " ".join(sorted(texts_of(drawn(kind.name, name))))
        assert any(one in words for one in ("in-sample", "cross-fitted", "fixed in advance"))


def test_what_is_left_out_is_said() -> None:
    def words(kind: str) -> str:
        return " ".join(sorted(texts_of(drawn(kind, "twenty"))))

    assert "the first 5 models" in words("averaging")
    assert "2 of 3 marked conditions" in words("duality")
    assert "the 17 others" in words("duality")
    tables, context = case("twenty")
    models = (*context.models, "one more")
    more = dataclasses.replace(context, models=models, roster=models)
    figure = painted(KINDS["crossovers"], tables, more)
    assert any("the 20 cheapest models" in text for text in texts_of(figure))


# What is drawn


def look(line: Line2D) -> tuple[str, Any]:
    return mpl.colors.to_hex(line.get_color()), line.get_linestyle()


def same_line(line: Line2D, vertices: pd.DataFrame) -> bool:
    return np.array_equal(line.get_xydata(), vertices.iloc[:, -2:].to_numpy(float), equal_nan=True)


@EVERY_CASE
def test_cost_curves_are_their_data(name: str) -> None:
    data = shown("cost_curves", name)
    lines = lines_of(drawn("cost_curves", name))
    context = case(name).context
    assert list(data["model"].unique()) == list(context.models)
    for (model, series), vertices in data.groupby(["model", "series"], sort=False):
        if not str(series).startswith("pointwise"):
            own = [line for line in lines if same_line(line, vertices)]
            index = context.roster.index(str(model))
            assert style.colour(index) in {look(line)[0] for line in own}


def test_the_light_band_is_its_data() -> None:
    data = shown("cost_curves", "two")
    fills = [fill for axes in drawn("cost_curves", "two").axes for fill in axes.patches]
    for _, rows in data[data["series"].str.startswith("pointwise")].groupby("model", sort=False):
        lower, upper = (
            rows.loc[rows["series"] == f"pointwise {edge}", ["pc", "nec"]].to_numpy()
            for edge in ("lower", "upper")
        )
        around = np.concatenate([lower, upper[::-1]])
        assert any(np.array_equal(vertices_of(fill)[: len(around)], around) for fill in fills)


@EVERY_CASE
def test_folds_are_their_data(name: str) -> None:
    data = shown("folds", name)
    panels = drawn("folds", name).axes
    models = data.groupby("model", sort=False)
    assert len(panels) == len(models)
    for axes, (_, rows) in zip(panels, models, strict=True):
        for _, curves in rows.groupby("series"):
            x, y = joined(curves[["number", "pc", "nec"]], ["number"])
            expected = pd.DataFrame({"x": x, "y": y})
            assert any(same_line(line, expected) for line in axes.lines)


@pytest.mark.parametrize("kind", ["duality", "averaging"])
@EVERY_CASE
def test_both_spaces_are_their_data(kind: str, name: str) -> None:
    data = shown(kind, name)
    drawn_lines = [np.asarray(line.get_xydata()) for line in lines_of(drawn(kind, name))]
    points = {tuple(xy) for line in drawn_lines for xy in line}
    if kind == "duality" and len(case(name).context.models) > 5:
        data = data[~data["series"].isin(["point", "judged"])]  # only three are marked
    missing = {tuple(xy) for xy in data[["x", "y"]].to_numpy()} - points
    assert not missing


def vertices_of(patch: Patch) -> NDArray[np.float64]:
    return np.asarray(patch.get_path().vertices, float)


def test_the_cheaper_model_follows_the_difference_and_not_a_name() -> None:
    """A model called "equal" doesn't turn its strips grey."""
    rows = pd.DataFrame({"model_a": ["equal"], "model_b": ["B"], "pc_from": [0.0], "pc_to": [1.0]})
    rows = rows.assign(cheaper="equal", estimate="cross-fitted", largest_difference=-0.1)
    data = KINDS["crossovers"].data({"crossovers": rows}, make(("equal", "B")).context)
    assert data["sign"].tolist() == [-1]


@pytest.mark.parametrize("kind", ["cost_curves", "folds", "duality", "averaging"])
@EVERY_CASE
def test_axes_hold_what_they_show(kind: str, name: str) -> None:
    extent = {"line", "lowest line"}  # cost lines leave the axes, as they do in the papers
    data = shown(kind, name)
    inside = data[~data["series"].isin(extent)] if kind == "duality" else data
    highest = inside.loc[inside.iloc[:, -2].notna()].iloc[:, -1].max()
    panels = [axes for axes in drawn(kind, name).axes if axes.get_ylim()[0] <= 0]
    assert all(axes.get_xlim() == (0, 1) for axes in panels)
    assert max(axes.get_ylim()[1] for axes in panels) >= highest


@EVERY_CASE
def test_the_y_axis_of_the_main_figure_ends_where_the_data_do(name: str) -> None:
    highest = shown("cost_curves", name)["nec"].max()
    low, high = drawn("cost_curves", name).axes[0].get_ylim()
    assert low == 0
    assert highest <= high <= max(0.05, 2 * highest)


@pytest.mark.parametrize("name", ["two", "five", "useless"])
def test_direct_labels_keep_off_the_curves(name: str) -> None:
    axes, context = drawn("cost_curves", name).axes[0], case(name).context
    data = shown("cost_curves", name)
    for words, box, _ in written("cost_curves", name):
        if words in context.models:
            for _, rows in data.groupby("model"):
                assert not _runs_through(axes, rows, box), words


def _runs_through(axes: Axes, rows: pd.DataFrame, box: Bbox) -> bool:
    x = np.linspace(0, 1, 2001)
    y = np.interp(x, rows["pc"], rows["nec"])
    return box.count_contains(axes.transData.transform(np.column_stack([x, y]))) > 0


def test_a_model_keeps_colour_and_dash_in_all_figures() -> None:
    tables, context = case("five")
    data = KINDS["cost_curves"].data(tables, context)
    for kind in FIGURES:
        looks = {look(line) for line in lines_of(drawn(kind.name, "five"))}
        keys = {look(line) for line in drawn(kind.name, "five").lines}
        of_one = shown(kind.name, "five") if kind.name == "reading" else data
        for model in of_one["model"].unique():
            own = look(Line2D([], [], **context.line(model)))
            assert own in looks | keys or kind.name in FILLED


def test_colours_follow_the_roster_of_the_study() -> None:
    tables, context = case("two")
    roster = ("another", "Naive Bayes", "C4.5")
    moved = dataclasses.replace(context, roster=roster)
    assert moved.line("C4.5")["color"] == style.colour(2)
    assert moved.line("Naive Bayes")["color"] == style.colour(1)
    looks = {look(line)[0] for line in lines_of(painted(KINDS["cost_curves"], tables, moved))}
    assert {style.colour(1), style.colour(2)} <= looks
    assert style.colour(0) not in looks


def test_the_iso_performance_line_touches_the_hull_and_no_hull_is_above_it() -> None:
    data = shown("duality", "five")
    roc = data[data["space"] == "roc"]
    iso = roc[roc["series"] == "iso-performance line"][["x", "y"]].to_numpy()
    (x0, y0), (x1, y1) = iso
    hulls = roc[roc["series"] == "hull"]
    above = hulls["y"] - (y0 + (hulls["x"] - x0) * (y1 - y0) / (x1 - x0))
    assert above.max() == pytest.approx(0, abs=1e-12)


def test_what_is_read_out_under_the_two_spaces_stands_in_its_column() -> None:
    places = [
        (text.get_text(), *np.round(text.get_position(), 6))
        for text in drawn("duality", "two").texts
    ]
    (line,) = {y for words, _, y in places if words == "Naive Bayes"}
    columns = {words: x for words, x, _ in places if words in ("cost", "hindsight", "FP", "TP")}
    found = {
        name: words for words, x, y in places for name in columns if (x, y) == (columns[name], line)
    }
    rows = shown("duality", "two").query("model == 'Naive Bayes'")
    at = {
        (space, series): (x, y)
        for space, series, x, y in rows[["space", "series", "x", "y"]].itertuples(index=False)
    }
    roc, promised, judged = at["roc", "point"], at["cost", "point"], at["cost", "judged"]
    expected = {"cost": judged[1], "hindsight": promised[1], "FP": roc[0], "TP": roc[1]}
    assert found == {name: formats.cost(value) for name, value in expected.items()}
    # PC(+) = .35 = .4 r / (.4 r + .6), so a missed positive costs r = .81 false alarms
    words = "cost of a miss : cost of a false alarm = 1:1.2 at p(+) = 0.400"
    assert words in texts_of(drawn("duality", "two"))


def test_the_lowest_line_is_lowest_at_the_condition() -> None:
    data = shown("duality", "five")
    (x0, y0), (x1, y1) = data[data["series"] == "lowest line"][["x", "y"]].to_numpy()
    assert (x0, x1) == (0, 1)
    costs = data[(data["series"] == "point") & (data["space"] == "cost")]["y"]
    assert y0 * 0.65 + y1 * 0.35 == pytest.approx(costs.min())


def test_models_are_ranked_by_what_they_are_judged_by_not_by_what_is_promised() -> None:
    tables, context = make(("A", "B"), pcs=(0.35, 1.0))
    names = {"A": "B", "B": "A"}  # so that B is cheapest, and A promises most
    tables["headline"]["model"] = tables["headline"]["model"].map(names)
    data = KINDS["duality"].data(tables, context)
    head = headline_of(tables["headline"])
    first, last = (data[data["condition"] == name] for name in data["condition"].unique()[1:])
    promised = first[(first["series"] == "point") & (first["space"] == "cost")].set_index("model")
    assert head["B"](0.35) < head["A"](0.35)
    assert promised.loc["A", "y"] < promised.loc["B", "y"]
    assert set(first.loc[first["series"].str.contains("lowest|iso"), "model"]) == {"B"}
    touching = first[(first["series"] == "lowest line")][["x", "y"]].to_numpy()
    assert touching[:, 1] @ [0.65, 0.35] == pytest.approx(promised.loc["B", "y"])
    assert last.loc[last["series"] == "constant", "holder"].unique() == ["always positive"]
    assert last.loc[last["series"] == "lowest line", "y"].tolist() == [1, 0]
    figure = KINDS["duality"].drawn(data, context)
    texts = [(*text.get_position(), text.get_text()) for text in figure.texts]
    rows = sorted((-y, x, words) for x, y, words in texts)
    (column,) = {x for _, x, words in rows if words == "A"}
    named = [words for _, x, words in rows if x == column]
    assert named == ["B", "A", "always positive", "A", "B"]
    costs = [f"{head[model](0.35):.3f}" for model in ("B", "A")]
    assert [words for *_, words in rows if words in costs] == costs


def test_at_pc_0_and_1_the_iso_performance_line_is_upright_and_flat() -> None:
    data = KINDS["duality"].data(*make(("A",), pcs=(0.0, 1.0)))
    iso = data[data["series"] == "iso-performance line"]
    upright, flat = (rows[["x", "y"]].to_numpy() for _, rows in iso.groupby("condition"))
    assert upright[0][0] == upright[1][0]
    assert sorted(upright[:, 1]) == [0, 1]
    assert flat[0][1] == flat[1][1]


def test_costs_added_are_differences_to_the_average_in_cost_space() -> None:
    data = shown("averaging", "two")
    extra = data[(data["model"] == "C4.5") & (data["space"] == "extra")]
    tables, context = case("two")
    averages = tables["averages"]
    rows = averages[(averages["model"] == "C4.5") & (averages["level"] == context.level)]
    cost = cost_vertices(rows, ["method"]).set_axis(["method", "x", "y"], axis=1)
    base = cost[cost["method"] == "cost-space"]
    for method, added in extra.groupby("method"):
        own = cost[cost["method"] == method]
        both = [np.interp(added["x"], one["x"], one["y"]) for one in (own, base)]
        np.testing.assert_allclose(added["y"].to_numpy(), both[0] - both[1], atol=1e-12)


# The catalogue


def test_names_are_fit_for_files_and_sources_are_stages() -> None:
    assert len(KINDS) == len(FIGURES)
    for kind in FIGURES:
        assert kind.name.isidentifier()
        assert {*kind.sources} <= set(CONTRACTS)


@EVERY_KIND
def test_figures_need_their_sources_only_and_leave_them_alone(kind: FigureKind[Context]) -> None:
    tables, context = case("two")
    original = [f"original_{stage}" for stage in BESIDE]
    needed = [*kind.sources, *(original if kind.name == "cost_views" else [])]
    copies = {name: tables[name].copy() for name in needed}
    painted(kind, copies, context)
    for name, copy in copies.items():
        pd.testing.assert_frame_equal(copy, tables[name])
    for name in needed:
        with pytest.raises(KeyError, match=name):
            painted(kind, {other: copies[other] for other in needed if other != name}, context)


def saved(kind: FigureKind[Context], name: str) -> bytes:
    """A figure's SVG, drawn anew."""
    file = io.BytesIO()
    figure = painted(kind, *case(name))
    with style.house_style():
        figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


@EVERY_KIND
def test_a_figure_is_the_same_twice(kind: FigureKind[Context]) -> None:
    assert saved(kind, "two") == saved(kind, "two")


# What is drawn of the inference and of the criteria


def test_of_many_pairs_those_are_drawn_of_which_most_is_decided() -> None:
    tables, context = case("twenty")
    widths: dict[tuple[str, str], float] = {}
    for row in tables["verdicts"].to_dict("records"):
        pair = row["model_a"], row["model_b"]
        decided = row["finding"] in ("A cheaper", "B cheaper")
        widths[pair] = widths.get(pair, 0.0) + decided * (row["pc_to"] - row["pc_from"])
    some = KINDS["differences"].data(tables, context)
    drawn_pairs = list(some[["model_a", "model_b"]].drop_duplicates().itertuples(index=False))
    assert len(widths) == 190
    assert len(drawn_pairs) == 9
    found = [round(widths[a, b], 9) for a, b in drawn_pairs]
    assert found == sorted((round(width, 9) for width in widths.values()), reverse=True)[:9]


def test_the_key_of_differences_shows_what_is_drawn() -> None:
    figure = drawn("differences", "two")
    minuend, pointwise, whole = (one for one in figure.artists if isinstance(one, Line2D))
    assert "cost(A) \N{MINUS SIGN} cost(B)" in texts_of(figure)
    assert minuend.get_color() == LOOKS["difference"]["color"]
    lower = figure.axes[0].lines[1]
    assert lower.get_linestyle() == whole.get_linestyle()
    assert (lower.get_color(), lower.get_linewidth()) == (whole.get_color(), whole.get_linewidth())
    assert whole.get_color() != pointwise.get_color()


def test_ranges_in_strips_are_where_they_stand() -> None:
    data = shown("crossovers", "five")
    written = [
        (text.get_position()[0], text.get_text())
        for axes in drawn("crossovers", "five").axes
        for text in axes.texts
    ]
    ranges = {
        (round((low + high) / 2, 9), formats.pc_range(low, high))
        for low, high in zip(data["pc_from"], data["pc_to"], strict=True)
    }
    found = {(round(x, 9), words) for x, words in written if words[:1].isdigit()}
    assert found
    assert found <= ranges


@pytest.mark.parametrize("name", ["two", "five", "twenty"])
def test_each_number_of_the_verdicts_has_a_name_in_full(name: str) -> None:
    texts = texts_of(drawn("verdicts", name))
    for number, model in enumerate(case(name).context.ranked, 1):
        assert {f"{number}  {model}", model} & texts


def test_what_is_decided_equivalent_is_hatched() -> None:
    for kind in ("differences", "verdicts"):
        hatched = [p for axes in drawn(kind, "two").axes for p in axes.patches if p.get_hatch()]
        assert len(hatched) == 1
        assert any("hatched: equivalent" in text for text in texts_of(drawn(kind, "two")))


def test_the_regret_is_where_the_criterion_costs_more() -> None:
    axes = drawn("hybrids", "one").axes[0]
    rows = shown("hybrids", "one")
    own, reference = (
        rows.loc[rows["criterion"] == name, ["pc", "nec"]]
        for name in ("score-driven", "cross-fitted")
    )
    shades = [
        c for c in axes.collections if mpl.colors.to_hex(np.asarray(c.get_facecolor())[0]) == REGRET
    ]
    inside = [path for shade in shades for path in shade.get_paths()]
    for pc in np.linspace(0.0123, 0.987, 50):
        (high,), (low,) = (height_at(c, np.array([pc]), "right") for c in (own, reference))
        shaded = any(path.contains_point((pc, (high + low) / 2)) for path in inside)
        assert shaded == (high > low)


@pytest.mark.parametrize("name", ["one", "five", "useless"])
def test_regrets_are_the_difference_of_two_hybrids(name: str) -> None:
    panels = drawn("regrets", name).axes
    hybrids = dict(list(case(name).tables["hybrids"].groupby("model")))
    x = np.array([0.123, 0.456, 0.789])
    for axes, (model, rows) in zip(
        panels, shown("regrets", name).groupby("model", sort=False), strict=True
    ):
        line = rows.loc[rows["series"] == "regret", ["pc", "regret"]]
        assert any(same_line(own, line) for own in axes.lines)
        curves = hybrids[model]
        own, reference = (
            cost_vertices(curves[curves["criterion"] == way], ["model"])
            for way in ("score-driven", "cross-fitted")
        )
        expected = height_at(own, x, "right") - height_at(reference, x, "right")
        np.testing.assert_allclose(height_at(line, x, "right"), expected, atol=5e-3)


def test_the_band_of_a_regret_is_as_wide_as_the_table_says() -> None:
    rows = shown("regrets", "one")
    lower, upper = (
        rows.loc[rows["series"] == edge, ["pc", "regret"]] for edge in ("lower", "upper")
    )
    x = np.array([0.15, 0.65])  # half of it: 0.02 to 0.08 and 0.01 to 0.05, see `fake_tables`
    found = height_at(upper, x, "right") - height_at(lower, x, "right")
    np.testing.assert_allclose(found, 2 * np.array([0.029, 0.036]), atol=5e-3)


@pytest.mark.parametrize("name", ["one", "five", "twenty"])
@pytest.mark.parametrize(("kind", "ways"), [("hybrids", "criterion"), ("thresholds", "method")])
def test_panels_of_models_are_their_data(kind: str, ways: str, name: str) -> None:
    models = shown(kind, name).groupby("model", sort=False)
    for axes, (_, rows) in zip(drawn(kind, name).axes, models, strict=True):
        for way, line in rows.groupby(ways):
            assert any(same_line(own, line) for own in axes.lines), way


@pytest.mark.parametrize("name", ["one", "two", "five"])
def test_what_is_read_is_drawn_of_the_cheapest_model(name: str) -> None:
    figure, data, context = drawn("reading", name), shown("reading", name), case(name).context
    (model,) = set(data["model"])
    assert model == context.ranked[0]
    for space, axes in zip(("roc", "cost"), figure.axes, strict=True):
        own = data[data["space"] == space]
        for series in {"hull", "average of folds", "headline", "line"} & set(own["series"]):
            vertices = own.loc[own["series"] == series, ["x", "y"]].to_numpy(float)
            assert any(np.array_equal(line.get_xydata(), vertices) for line in axes.lines), series
    folds = data[data["series"] == "fold"]
    assert folds["number"].nunique() == context.repeats * context.folds


def test_the_point_that_is_read_lies_on_its_line_and_on_its_hull() -> None:
    data = shown("reading", "two")
    (fp, tp), (pc, nec) = data.loc[data["series"] == "point", ["x", "y"]].to_numpy(float)
    ends = data.loc[data["series"] == "line", ["x", "y"]].to_numpy(float)
    assert ends.tolist() == [[0, fp], [1, 1 - tp]]
    assert nec == pytest.approx(fp + pc * (1 - tp - fp))
    hull = data.loc[data["series"] == "hull", ["x", "y"]].to_numpy(float).tolist()
    assert [fp, tp] in hull
    said = f"FP {fp:.3f}, TP {tp:.3f}: its line\nruns from {fp:.3f} to {1 - tp:.3f},"
    assert any(said in text for text in texts_of(drawn("reading", "two")))


@pytest.mark.parametrize("name", ["one", "two", "twenty"])
def test_dots_are_areas(name: str) -> None:
    lines = lines_of(drawn("optimism", name))
    dots = {float(np.asarray(line.get_xdata())[0]) for line in lines if line.get_marker() != "None"}
    assert dots == set(shown("optimism", name)["area"])


def test_bars_are_the_intervals_of_areas() -> None:
    tables, context = case("two")
    known = tables["intervals"]
    moved = known["quantity"].ne("area").astype(float)
    known = known.assign(low=known["low"] - moved, high=known["high"] + moved)
    data = KINDS["optimism"].data({**tables, "intervals": known}, context)
    bars = data[data["series"] == "cross-fitted"].set_index("model")
    areas = known[known["quantity"] == "area"].set_index("model")
    for end in ("low", "high"):
        assert bars[end].to_dict() == areas[end].to_dict()


def test_each_view_shows_its_own_curves() -> None:
    tables, context = case("two")
    head = tables["headline"]
    half = head.assign(nec_from=head["nec_from"] / 2, nec_to=head["nec_to"] / 2)
    data = KINDS["cost_views"].data({**tables, "original_headline": half}, context)
    curves = data[data["series"] == "headline"].groupby("view")["nec"].max()
    assert curves["unweighted"] == pytest.approx(curves["by cost"] / 2)


def test_the_filled_dot_is_the_cross_fitted_one() -> None:
    figure, data = drawn("optimism", "two"), shown("optimism", "two")
    (words,) = (text for text in figure.texts if text.get_text() == "cross-fitted")
    dots = {
        float(np.max(one.get_xdata())): one for one in figure.artists if isinstance(one, Line2D)
    }
    key = dots[max(x for x in dots if x < words.get_position()[0])]
    honest = set(data.loc[data["series"] == "cross-fitted", "area"])
    filled = [
        line
        for line in figure.axes[0].lines
        if line.get_marker() != "None" and float(np.asarray(line.get_xdata())[0]) in honest
    ]
    assert filled
    assert {line.get_markerfacecolor() == line.get_color() for line in filled} == {True}
    assert key.get_markerfacecolor() == key.get_color()
    assert {line.get_marker() for line in filled} == {key.get_marker()}


def test_points_reached_and_the_point_of_the_limit_are_marked() -> None:
    data = shown("constructions", "two")
    marked = data[data["series"].isin(["point", "held out", "dual point"])]
    near = marked[marked["x"].between(-1, 2)]
    dots = {
        tuple(np.asarray(line.get_xydata())[0])
        for line in lines_of(drawn("constructions", "two"))
        if line.get_marker() in {"o", "s"}
    }
    assert set(near[["x", "y"]].itertuples(index=False, name=None)) == dots


def test_limits_of_later_models_are_drawn_where_the_first_have_none() -> None:
    tables, context = case("twenty")
    last = context.models[-2:]
    made = tables["constructions"]
    made = made[made["model"].isin(last)]
    data = KINDS["constructions"].data({**tables, "constructions": made}, context)
    assert set(data["model"]) - {""} == set(last)


def test_without_other_folds_there_is_no_ring() -> None:
    tables, context = case("two")
    made = tables["constructions"].assign(folds=0, held_out_fp=np.nan, held_out_tp=np.nan)
    data = KINDS["constructions"].data({**tables, "constructions": made}, context)
    assert "held out" in set(shown("constructions", "two")["series"])
    assert "held out" not in set(data["series"])


@pytest.mark.parametrize(
    ("pc", "words"),
    [
        (0.0, "lines meet at PC(+) = 0, cost 0.400"),
        (1.5, "lines meet at PC(+) = 1.5, cost 0.400 (virtual)"),
        (-7.25, "lines meet at PC(+) = \N{MINUS SIGN}7.25, cost 0.400 (far off)"),
        (np.nan, "parallel lines: as many positives as negatives"),
    ],
)
def test_where_the_lines_of_a_limit_meet_is_said(pc: float, words: str) -> None:
    tables, context = case("two")
    made = tables["constructions"].query("criterion == 'workforce'")
    made = made.assign(dual_pc=pc, dual_nec=0.4 + 0 * pc)
    figure = painted(KINDS["constructions"], {**tables, "constructions": made}, context)
    assert words in texts_of(figure)


def test_a_figure_without_rows_does_not_apply_and_says_why() -> None:
    tables, context = case("two")
    none = {**tables, "constructions": tables["constructions"].iloc[:0]}
    assert KINDS["constructions"].applies(tables)
    assert not KINDS["constructions"].applies(none)
    figure = painted(KINDS["constructions"], none, context)
    assert any("no limit" in text for text in texts_of(figure))
    assert not KINDS["differences"].applies(case("one").tables)


@pytest.mark.parametrize(("name", "panels"), [("two", 0), ("five", 5), ("twenty", 8)])
def test_bands_of_many_models_have_panels_and_that_is_said(name: str, panels: int) -> None:
    main, *others = drawn("cost_curves", name).axes
    spaces = [axes for axes in others if axes.patches]
    assert len(spaces) == panels
    assert bool([fill for fill in main.patches if fill.get_alpha()]) == (panels == 0)
    texts = texts_of(drawn("cost_curves", name))
    assert any(text.startswith("bands") and (" beneath" in text) == (panels > 0) for text in texts)
    data = shown("cost_curves", name)
    assert data.loc[data["method"] != "", "model"].nunique() == (panels or 2)


def test_bands_are_those_of_the_cheapest_models() -> None:
    data = shown("cost_curves", "twenty")
    head = data[data["series"] == "headline"]
    areas = {m: np.trapezoid(rows["nec"], rows["pc"]) for m, rows in head.groupby("model")}
    cheapest = set(sorted(areas, key=lambda model: float(areas[model]))[:8])
    assert set(data.loc[data["method"] != "", "model"]) == cheapest


def test_thin_lines_are_explained_wherever_they_are_drawn() -> None:
    for name in ("one", "two", "five", "hostile", "long"):
        texts = texts_of(drawn("cost_curves", name))
        assert any("too optimistic" in text for text in texts), name


# Polylines and scales


@given(st.integers(0, 2**32 - 1))
def test_nothing_that_could_be_seen_is_left_out(seed: int) -> None:
    random = np.random.default_rng(seed)
    size = int(random.integers(1, 300))
    x = np.sort(np.round(random.random(size), 2))
    noise = random.choice([0.0, 1e-4, 1e-2, 1.0]) * random.random(size)
    curve = pd.DataFrame({"model": "A", "pc": x, "nec": np.minimum(x, 1 - x) + noise})
    kept = thinned(curve, ["model"], (3.0, 2.0))
    assert kept.iloc[[0, -1]].to_numpy().tolist() == curve.iloc[[0, -1]].to_numpy().tolist()
    vertices = kept[["pc", "nec"]].to_numpy() * [3.0, 2.0]
    for point in curve[["pc", "nec"]].to_numpy() * [3.0, 2.0]:
        assert _distance(point, vertices) <= UNSEEN + 1e-12


def _distance(point: Floats, vertices: Floats) -> float:
    """Distance of a point from a polyline."""
    if len(vertices) == 1:
        return float(np.hypot(*(point - vertices[0])))
    start, along = vertices[:-1], np.diff(vertices, axis=0)
    length = (along**2).sum(axis=1)
    share = ((point - start) * along).sum(axis=1) / np.where(length > 0, length, 1)
    nearest = start + np.clip(share, 0, 1)[:, None] * along
    return float(np.hypot(*(point - nearest).T).min())


def test_thinning_keeps_curves_apart() -> None:
    flat = pd.DataFrame({"model": ["A"] * 3 + ["B"] * 3, "pc": [0, 0.5, 1] * 2, "nec": 0.2})
    assert thinned(flat, ["model"], (5, 5))[["model", "pc"]].to_numpy().tolist() == [
        ["A", 0],
        ["A", 1],
        ["B", 0],
        ["B", 1],
    ]


def test_a_jump_keeps_both_ends() -> None:
    jump = pd.DataFrame({"model": "A", "pc_from": [0, 0.5], "pc_to": [0.5, 1.0]})
    jump = jump.assign(nec_from=[0.0, 0.1], nec_to=[0.3, 0.0])
    vertices = cost_vertices(jump, ["model"])[["pc", "nec"]].to_numpy().tolist()
    assert vertices == [[0, 0], [0.5, 0.3], [0.5, 0.1], [1, 0]]


def test_equal_neighbours_of_different_curves_are_both_kept() -> None:
    flat = pd.DataFrame(
        {"pc_from": 0.0, "pc_to": 1.0, "nec_from": 0.2, "nec_to": 0.2}, index=[0, 0]
    )
    vertices = cost_vertices(flat.assign(model=["A", "B"]), ["model"])
    assert len(vertices) == 4


def test_the_hull_of_interleaved_models_stays_apart() -> None:
    rows = pd.DataFrame({"model": ["A", "B", "A"], "at0": [0.1, 0.2, 0.4], "at1": [0.6, 0.3, 0.1]})
    vertices = roc_vertices(rows, ["model"])
    hull = vertices[vertices["model"] == "A"][["fp", "tp"]].to_numpy()
    assert hull.tolist() == pytest.approx(np.array([[0, 0], [0.1, 0.4], [0.4, 0.9], [1, 1]]))


@given(st.floats(1e-4, 1 - 1e-4), st.sampled_from([WIDTH, 3.0]))
def test_cost_ratios_rise_and_keep_apart(prior: float, width: float) -> None:
    ticks = ratio_ticks(prior, width)
    assert len(ticks) >= 3
    ends = [
        (pc * width - half, pc * width + half)
        for pc, words in ticks
        for half in [style.text_width(words, style.SMALL) / 2]
    ]
    assert all(left[1] < right[0] for left, right in pairwise(ends))
    assert all(0 < pc < 1 for pc, _ in ticks)
    odds = [float(a) / float(b) for _, words in ticks for a, b in [words.split(":")]]
    assert odds == sorted(odds)


def test_the_key_of_folds_names_thin_black_and_thick_lines() -> None:
    figure = drawn("folds", "two")
    words = [text.get_text() for text in figure.texts]
    named = ["one fold", "mean of 6 folds (too low)", "headline"]
    assert [one for one in words if one in named] == named
    key = [one for one in figure.artists if isinstance(one, Line2D)][: len(named)]
    lines = figure.axes[0].lines[-3:]
    assert [one.get_linewidth() for one in lines] == [one.get_linewidth() for one in key]
    assert [one.get_color() for one in lines] == [style.colour(0), style.INK, style.colour(0)]
    assert key[1].get_color() == style.INK


def test_folds_stand_behind_their_average_and_the_headline() -> None:
    series = shown("folds", "two")["series"].unique()
    assert list(series) == ["fold", "average of folds", "headline"]


def test_the_context_counts_in_words() -> None:
    context = Context("T", ("A",), 0.5, "repeat", 1, 1, 1, 1, 1, (), ("A",), ("A",))
    assert context.counts == "1 case (1 positive), one test set"
    assert context.averaged_over(context.level) == "all predictions pooled"
    both = "cross-fitted, fixed in advance"
    names = {"model_a": list("AAB"), "model_b": list("BCC")}
    pairs = pd.DataFrame({**names, "estimate": [both, "cross-fitted", both]})
    assert context.chosen(pairs) == f"cross-fitted or fixed in advance; {context.counts}"
    many = Context("T", ("A",), 0.5, "fold", 12340, 617, 10, 10, 100, (), ("A",), ("A",))
    assert many.counts == "12\u202f340 cases (617 positive), 10 \N{MULTIPLICATION SIGN} 10 folds"
    assert many.averaged_over(many.level) == "mean of 100 folds"
    uneven = dataclasses.replace(many, repeats=3, folds=3, all_folds=8)  # 3, 2 and 3
    assert uneven.counts.endswith(", 8 folds in 3 repeats")
    assert uneven.averaged_over("fold") == "mean of 8 folds"
