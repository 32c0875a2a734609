"""Figures: what they draw is the tables', whatever the names, and nothing overlaps or is cut."""

import dataclasses
import functools
import io
import re
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
from costcurves.figures import sheet, style
from costcurves.figures.catalogue import FIGURES
from costcurves.figures.choice_figures import REGRET
from costcurves.figures.context import Context, ratio_tag
from costcurves.figures.difference_figures import LOOKS
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
from costcurves.tables.keys import ALWAYS
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
FILLED = {"differences", "verdicts", "regrets", "segments"}
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
    assert style.text_width(long.get_text(), float(long.get_fontsize())) == pytest.approx(
        sheet.room()
    )


@EVERY_KIND
def test_hostile_names_appear_as_they_are(kind: FigureKind[Context]) -> None:
    texts = texts_of(drawn(kind.name, "hostile"))
    fitting = {"_hidden", "{{7*7}}", r"$\foo$ $x^2$"}
    few = {"duality": 3, "reading": 1, "segments": 4}  # of six models, the cheapest
    if kind.name in few:
        assert len(texts & set(HOSTILE)) == few[kind.name]
    else:
        assert fitting <= texts


@pytest.mark.parametrize("name", ["hostile", "long", "twenty", "five", "two", "one"])
def test_names_of_the_main_figure_are_never_cut(name: str) -> None:
    figure, context = drawn("cost_curves", name), case(name).context
    written: dict[str, str] = {}
    for text in figure.texts:
        if (text.get_gid() or "").startswith("name-"):
            index = int(str(text.get_gid())[5:])
            written[context.roster[index]] = (
                written.get(context.roster[index], "") + text.get_text()
            )
    assert len(written) == min(len(context.models), 12)
    for model, said in written.items():  # lines break at blanks
        assert "".join(said.split()) == "".join(model.split())


def test_a_shaded_roof_is_where_a_no_model_baseline_is_cheaper_and_is_said_once() -> None:
    figure = drawn("cost_curves", "five")
    for axes in spaces_of(figure):
        (ground,) = axes.collections[0].get_paths()
        assert [ground.contains_point((0.4, height)) for height in (0.3, 0.39, 0.41, 0.9)] == [
            False,
            False,
            True,
            True,
        ]
        assert not [text for text in axes.texts if "always" in text.get_text()]
    said = [text.get_text() for text in figure.texts if "always" in text.get_text()]
    assert len(said) == 1
    assert said[0].endswith("Grey roof: always negative, always positive.")


@pytest.mark.parametrize("name", ["two", "five"])
def test_operating_conditions_with_names_stand_at_their_pc(name: str) -> None:
    for axes in spaces_of(drawn("cost_curves", name)):
        assert [0.35] in [np.unique(line.get_xdata()).tolist() for line in axes.lines]
        assert "PC(+) = 0.35" in {text.get_text() for text in axes.texts}


def test_a_condition_that_is_called_by_its_ratio_is_marked_where_no_tick_says_it() -> None:
    tables, context = case("five")
    prior = context.prior  # 0.4
    ratios = {"1:1": prior, "80:1": 80 * prior / (80 * prior + 1 - prior)}
    named = dataclasses.replace(context, conditions=tuple(ratios.items()))
    for axes in spaces_of(painted(KINDS["cost_curves"], tables, named)):
        marked = {text.get_text(): text.get_gid() for text in axes.texts}
        assert marked == {"80:1": ratio_tag(ratios["80:1"])}


def test_up_to_three_models_are_named_beside_their_curves() -> None:
    (axes,) = spaces_of(drawn("cost_curves", "two"))
    labels = {text.get_text(): text.get_color() for text in axes.texts}
    context = case("two").context
    assert labels.items() >= {it: context.words(it)["color"] for it in context.models}.items()


def cheapest_at(name: str, pcs: Floats) -> list[set[str]]:
    """What costs least at each PC(+): models only where they cost less than both baselines."""
    heads = headline_of(case(name).tables["headline"])
    costs = {model: np.array([curve(pc) for pc in pcs]) for model, curve in heads.items()}
    costs |= dict(zip(ALWAYS, (pcs, 1 - pcs), strict=True))
    least = np.min([*costs.values()], axis=0)
    found = [
        {who for who, cost in costs.items() if cost[at] <= least[at] + 1e-12}
        for at in range(len(pcs))
    ]
    return [who & {*ALWAYS} or who for who in found]


@pytest.mark.parametrize("name", ["two", "five", "twenty"])
def test_models_begin_with_the_one_that_is_the_cheapest_on_most_of_the_axis(name: str) -> None:
    figure, context = drawn("cost_curves", name), case(name).context
    listed = [text.get_text() for text in figure.texts if text.get_text() in context.models]
    pcs = (np.arange(4000) + 0.5) / 4000
    best = cheapest_at(name, pcs)
    shares = {model: sum(model in who for who in best) / len(pcs) for model in context.models}
    areas = case(name).tables["measures"].query("headline").set_index("model")["area"]
    expected = sorted(context.models, key=lambda it: (-round(shares[it], 2), areas[it]))
    assert [round(shares[it], 2) for it in listed] == [round(shares[it], 2) for it in expected[:12]]
    assert listed[-1] == expected[:12][-1]
    texts = [text.get_text() for text in figure.texts]
    said = [it for it in texts if it.startswith(("cheapest on", "cheapest nowhere"))]
    no_model = ["no model" in texts]  # has a strip of its own below one cost space
    assert len(said) == len(listed) + sum(no_model)
    for model, words in zip(listed, said, strict=not any(no_model)):
        found = re.fullmatch(r"cheapest (?:nowhere|on ([\d.]+)\s%(?: of the axis)?)", words)
        assert found
        share = pytest.approx(shares[model], abs=0.006)
        assert float(found[1]) / 100 == share if found[1] else shares[model] < 1e-3


def numbers_of(kind: str) -> dict[str, str]:
    """The number that each model of twenty has in a figure: what stands left of its name."""
    words = [text.get_text() for text in drawn(kind, "twenty").texts]
    pairs = [(name, number) for number, name in pairwise(words) if name in TWENTY]
    return {name: number for name, number in pairs if number.isdigit()}


def test_a_model_has_one_number_in_all_figures_of_a_dataset() -> None:
    expected = {name: str(place) for place, name in enumerate(case("twenty").context.ranked, 1)}
    assert list(expected) != list(TWENTY)
    assert expected.items() >= numbers_of("verdicts").items()
    assert len(numbers_of("verdicts")) >= 19


def test_cells_of_a_matrix_are_coloured_in_the_half_of_the_cheaper_model() -> None:
    context, data = case("twenty").context, shown("verdicts", "twenty")
    number = {model: place for place, model in enumerate(context.ranked)}
    expected = set()
    for a, b, who in zip(data["model_a"], data["model_b"], data["finding"], strict=True):
        if who in ("A cheaper", "B cheaper"):
            cheaper, other = (a, b) if who == "A cheaper" else (b, a)
            row, column = sorted((number[a], number[b]))
            colour = style.colour(context.roster.index(cheaper))
            expected.add((row, column, number[cheaper] < number[other], colour))
    assert _halves(drawn("verdicts", "twenty")) == expected


def test_strips_in_a_matrix_are_where_the_model_of_their_colour_is_cheaper() -> None:
    context, data = case("twenty").context, shown("verdicts", "twenty")
    number = {model: place for place, model in enumerate(context.ranked)}
    expected = set()
    for row in data[data["finding"].isin(["A cheaper", "B cheaper"])].to_dict("records"):
        cheaper = row["model_a"] if row["finding"] == "A cheaper" else row["model_b"]
        first, second = sorted((number[row["model_a"]], number[row["model_b"]]))
        ends = (second - 0.96 + 0.92 * row[end] for end in ("pc_from", "pc_to"))
        colour = style.colour(context.roster.index(cheaper))
        expected.add((first, *(round(end, 6) for end in ends), colour))
    found, colours = set(), {colour for *_, colour in expected}
    for axes, patch in [(a, p) for a in drawn("verdicts", "twenty").axes for p in a.patches]:
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


# scores are taken as they are: there is no threshold that could have been chosen
WITHOUT_THRESHOLD = {"reliability"}


@EVERY_KIND
@EVERY_CASE
def test_every_figure_says_what_kind_of_estimate_it_shows(
    kind: FigureKind[Context], name: str
) -> None:
    if kind.applies(case(name).tables):
        words = " ".join(sorted(texts_of(drawn(kind.name, name))))
        said = any(one in words for one in ("in-sample", "cross-fitted", "fixed in advance"))
        assert said == (kind.name not in WITHOUT_THRESHOLD)


def test_what_is_left_out_is_said() -> None:
    def words(kind: str) -> str:
        return " ".join(sorted(texts_of(drawn(kind, "twenty"))))

    assert "the first 5 models" in words("averaging")
    assert "2 of 3 marked conditions" in words("duality")
    assert "the 17 others" in words("duality")
    tables, context = case("twenty")
    models = (*context.models, "one more")
    more = dataclasses.replace(context, models=models, roster=models)
    figure = painted(KINDS["verdicts"], tables, more)
    assert any("the 20 cheapest models" in text for text in texts_of(figure))


# What is drawn


def look(line: Line2D) -> tuple[str, Any]:
    return mpl.colors.to_hex(line.get_color()), line.get_linestyle()


def same_line(line: Line2D, vertices: pd.DataFrame) -> bool:
    return np.array_equal(line.get_xydata(), vertices.iloc[:, -2:].to_numpy(float), equal_nan=True)


@EVERY_CASE
def test_cost_curves_are_their_data(name: str) -> None:
    data, context = shown("cost_curves", name), case(name).context
    head = data[data["series"] == "headline"]
    panels = spaces_of(drawn("cost_curves", name))
    assert list(head["model"].unique()) == list(context.models)
    for axes in panels:
        lines, grey = [*axes.lines], [it for it in axes.lines if look(it)[0] == style.GREYED]
        own = [
            model
            for model, vertices in head.groupby("model")
            for line in lines
            if same_line(line, vertices) and look(line)[0] == context.colour(str(model))
        ]
        together = len(context.models) <= 3
        assert len(own) == (len(context.models) if together else 1)
        assert len(grey) == (0 if together else 1)
        if not together:
            parts = np.isnan(np.asarray(grey[0].get_xdata(), float)).sum() + 1
            assert parts == len(context.models) - 1
            assert (
                grey[0].get_linewidth()
                < 1
                < next(
                    it for it in lines if same_line(it, head[head["model"] == own[0]])
                ).get_linewidth()
            )
    if len(context.models) > 3:
        assert len(panels) == min(len(context.models), 12)


@EVERY_CASE
def test_the_main_figure_has_neither_simultaneous_bands_nor_in_sample_curves(name: str) -> None:
    series = set(shown("cost_curves", name)["series"])
    assert series >= {"headline", "pointwise lower", "pointwise upper", "cheapest"}
    assert series <= {
        "headline",
        "pointwise lower",
        "pointwise upper",
        "cheapest",
        "in the running",
    }


# Exactly 0.5 is the root of most lines, so places lie beside it.
PLACES = np.array(
    [
        0.0123,
        0.0777,
        0.1411,
        0.2287,
        0.3141,
        0.3777,
        0.4441,
        0.5261,
        0.5777,
        0.6511,
        0.7013,
        0.7777,
        0.8641,
        0.9511,
    ]
)


@EVERY_CASE
def test_a_curve_is_thick_where_its_model_is_the_cheapest(name: str) -> None:
    figure, context = drawn("cost_curves", name), case(name).context
    heads, best = headline_of(case(name).tables["headline"]), cheapest_at(name, PLACES)
    thick: dict[str, list[Floats]] = {}
    for line in [it for axes in spaces_of(figure) for it in axes.lines if it.get_linewidth() > 2]:
        model = context.roster[int(str(line.get_gid())[6:])]
        assert look(line)[0] == context.colour(model)
        xy = np.asarray(line.get_xydata())
        thick[model] = np.split(xy, np.flatnonzero(np.isnan(xy[:, 0])))
    for pc, who in zip(PLACES, best, strict=True):
        for model in context.models[:12] if len(context.models) <= 12 else ():
            parts = [it[~np.isnan(it[:, 0])] for it in thick.get(model, [])]
            on = [it for it in parts if len(it) and it[0, 0] < pc < it[-1, 0]]
            assert bool(on) == (model in who), (model, pc)
            for part in on:
                assert np.interp(pc, *part.T) == pytest.approx(heads[model](pc), abs=0.006)


@EVERY_CASE
def test_strips_are_full_where_cheapest_pale_where_it_could_be_and_blank_elsewhere(
    name: str,
) -> None:
    figure, context = drawn("cost_curves", name), case(name).context
    table, best = case(name).tables["in_the_running"], cheapest_at(name, PLACES)
    strips = [axes for axes in figure.axes if axes not in spaces_of(figure)]
    assert len(strips) == (
        len(context.models) + 1 if len(context.models) <= 3 else len(spaces_of(figure))
    )
    drawn_of = set()
    for axes in strips:
        assert axes.get_xlim() == (0, 1)
        beside = [
            it
            for it in spaces_of(figure)
            if it.get_position().x0 == axes.get_position().x0
            and it.get_position().x1 == axes.get_position().x1
        ]
        assert beside, "strips use the positions of their curves"
        drawn_on: dict[str, dict[Any, list[Any]]] = {}
        for patch in axes.patches:
            who = context.roster[int(str(patch.get_gid())[6:])] if patch.get_gid() else "baseline"
            drawn_on.setdefault(who, {}).setdefault(patch.get_alpha(), []).append(patch.get_path())
        for who, shades in drawn_on.items():
            drawn_of.add(who)
            own = [*ALWAYS] if who == "baseline" else [who]
            for pc, cheapest in zip(PLACES, best, strict=True):
                rows = table[
                    table["decision"].isin(own) & table["pc_from"].lt(pc) & table["pc_to"].gt(pc)
                ]
                full = any(inside(path, pc) for path in shades.get(1.0, []))
                pale = any(inside(path, pc) for path in shades.get(0.3, []))
                assert full == bool(cheapest & {*own}), (who, pc)
                assert pale == bool(rows["standing"].ne("out").any()), (who, pc)
    if len(context.models) <= 12:
        expected = {*table.loc[table["standing"] != "out", "decision"]} - {*ALWAYS}
        assert drawn_of == expected | {"baseline"}


def inside(path: Any, pc: float) -> bool:
    """Whether a path of rectangles covers a PC(+)."""
    return any(part[:, 0].min() < pc < part[:, 0].max() for part in path.to_polygons())


FINDINGS: dict[str, tuple[dict[str, list[tuple[float, float, str]]], str]] = {
    "half": (
        {
            "A": [
                (0.0, 0.1, "in the running"),
                (0.1, 0.63, "cheapest"),
                (0.63, 1.0, "in the running"),
            ]
        },
        "A is lowest on 53\u202f% of the axis",
    ),
    "a baseline is as cheap": (
        {
            "A": [(0.0, 0.63, "cheapest"), (0.63, 1.0, "in the running")],
            "B": [(0.0, 0.63, "in the running"), (0.63, 1.0, "cheapest")],
        },
        "no model is clearly cheapest",  # A costs less than both baselines on 0.13
    ),
    "clear somewhere": (
        {
            "A": [(0.0, 0.1, "in the running"), (0.1, 0.4, "cheapest"), (0.4, 1.0, "out")],
            "B": [(0.0, 0.2, "in the running"), (0.2, 0.3, "out"), (0.3, 1.0, "in the running")],
        },
        "the cheapest model depends on the cost ratio",
    ),
    "one model beside a baseline": (
        {
            "A": [(0.0, 0.1, "out"), (0.1, 0.4, "cheapest"), (0.4, 1.0, "in the running")],
            "B": [(0.0, 0.4, "in the running"), (0.4, 1.0, "cheapest")],
        },
        "no model is clearly cheapest",  # B is the only model on 0.1, and not alone there
    ),
    "nowhere": (
        {"A": [(0.0, 1.0, "in the running")], "B": [(0.0, 1.0, "out")]},
        "no model beats always negative and always positive",
    ),
}


@pytest.mark.parametrize("name", FINDINGS)
def test_the_title_is_a_finding_of_at_most_ten_words(name: str) -> None:
    told, expected = FINDINGS[name]
    tables, context = make(("A", "B"))
    constant = {it: [(0.0, 1.0, "out")] for it in ALWAYS}
    if "baseline" in name:
        constant["always negative"] = [(0.0, 0.5, "cheapest"), (0.5, 1.0, "out")]
    if name == "one model beside a baseline":
        constant["always negative"] = [(0.0, 0.35, "cheapest"), (0.35, 1.0, "out")]
        constant["always positive"] = [(0.0, 0.8, "out"), (0.8, 1.0, "cheapest")]
    both = {"B": [(0.0, 1.0, "in the running")], **constant, **told}
    rows = [(who, how, low, high, 0.9) for who, own in both.items() for low, high, how in own]
    names = ["decision", "standing", "pc_from", "pc_to", "confidence"]
    tables = {**tables, "in_the_running": pd.DataFrame(rows, columns=names)}
    figure = painted(KINDS["cost_curves"], tables, context)
    title = "".join(text.get_text() for text in figure.texts[:2])
    assert title == f"Fake: {expected}"
    assert len(title.replace("\u202f", "").split()) <= 10


def test_of_a_single_model_the_title_says_its_share() -> None:
    assert re.fullmatch(
        r": A is lowest on [\d.]+\s% of the axis", drawn("cost_curves", "one").texts[1].get_text()
    )


@pytest.mark.parametrize("name", ["two", "five"])
def test_words_contrast_with_what_they_stand_on(name: str) -> None:
    for text in drawn("cost_curves", name).findobj(Text):
        if text.get_text().strip():
            light = style._luminance(mpl.colors.to_rgb(text.get_color()))
            assert 1.05 / (light + 0.05) >= 4.5, text.get_text()
            ground = text.get_bbox_patch()
            assert ground is None or mpl.colors.to_hex(ground.get_facecolor()) == "#ffffff"


def test_of_models_that_were_not_tested_nothing_is_called_ruled_out() -> None:
    tables, context = make(("A", "B"), estimate="in-sample selection")
    head = tables["headline"].assign(estimate="in-sample selection")
    figure = painted(KINDS["cost_curves"], {**tables, "headline": head}, context)
    assert not [it for it in texts_of(figure) if "ruled out" in it or "could still" in it]
    alphas = {
        patch.get_alpha() for axes in figure.axes if not axes.axison for patch in axes.patches
    }
    assert alphas == {1.0}
    level = "ruled out at 85\u202f%"
    assert any(level in it for it in texts_of(drawn("cost_curves", "five")))


def spaces_of(figure: Figure) -> list[Axes]:
    """The cost spaces of the main figure: its other axes are strips."""
    return [axes for axes in figure.axes if axes.axison]


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


@pytest.mark.parametrize("name", ["one", "two", "pooled", "useless"])
def test_direct_labels_keep_off_the_curves(name: str) -> None:
    axes, context = drawn("cost_curves", name).axes[0], case(name).context
    data = shown("cost_curves", name).query("series == 'headline'")
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
        for model in of_one.loc[of_one["series"] == "headline", "model"].unique():
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


def test_each_view_shows_its_own_curves() -> None:
    tables, context = case("two")
    head = tables["headline"]
    half = head.assign(nec_from=head["nec_from"] / 2, nec_to=head["nec_to"] / 2)
    data = KINDS["cost_views"].data({**tables, "original_headline": half}, context)
    curves = data[data["series"] == "headline"].groupby("view")["nec"].max()
    assert curves["unweighted"] == pytest.approx(curves["by cost"] / 2)


@pytest.mark.parametrize(
    "kind",
    ["segments", "reliability"],
)
def test_a_figure_without_rows_does_not_apply(kind: str) -> None:
    tables = case("two").tables
    assert KINDS[kind].applies(tables)
    assert not KINDS[kind].applies({**tables, kind: tables[kind].iloc[:0]})
    assert not KINDS["differences"].applies(case("one").tables)


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


@given(st.floats(1e-4, 1 - 1e-4), st.sampled_from([sheet.room(), 3.0]))
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
