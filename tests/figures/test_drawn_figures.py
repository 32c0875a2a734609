"""What figures of the asymmetric study say to who reads them: it is what the tables say."""

import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from costcurves.maths.geometry.curves import Curve
from costcurves.tables.curves.headline import headline_of
from costcurves.tables.curves.pieces import curve_from
from tests.approved import FIGURES, approved, listed, path_of
from tests.asymmetric_study import BY_COST, DATASETS
from tests.drawn import Drawn, Floats, Panel, Shape, number
from tests.slow_views import Told, View

VIEWS = [*DATASETS, BY_COST]
PC = np.array([0.0307, 0.1013, 0.1991, 0.3387, 0.4421, 0.5602, 0.6707, 0.7993, 0.9109, 0.9811])
NEAR = 0.007  # of the height of axes: what thinning leaves out
LEVEL = "80\N{NARROW NO-BREAK SPACE}%"
OF_RANGES = "90\N{NARROW NO-BREAK SPACE}%"  # half of the error is for named conditions
UNTESTED = "species--setosa"  # has too few positives to choose thresholds on other folds
WHY_NONE = "no verdict where thresholds are chosen in hindsight"
CONDITIONS = {"late in the year": 0.7, "early": 0.2}

Open = Callable[[str, str], Drawn]


@pytest.fixture(scope="session")
def opened(asymmetric_figures: Path) -> Open:
    """The figures of the asymmetric study, by name and view."""
    return cache(lambda name, view: Drawn(path_of(asymmetric_figures, f"{view}/{name}")))


@pytest.mark.parametrize("name", FIGURES)
def test_words_are_those_that_were_approved(asymmetric_figures: Path, name: str) -> None:
    """Where they have to change: `make approve`, and read what has changed."""
    assert listed(Drawn(path_of(asymmetric_figures, name))) == approved(name).read_text("utf-8")


def heights(panel: Panel, shape: Shape) -> Floats:
    """What a line reads at `PC`; at none of them does a curve of this study jump."""
    x, y = np.concatenate(shape.parts).T
    found: Floats = np.interp(PC, panel.pc(x), panel.up(y))
    return found


def spaces_of(drawn: Drawn) -> list[Panel]:
    """The cost spaces of the main figure; between them are strips, without an axis."""
    return [panel for panel in drawn.panels if panel.x.ticks]


def level_with(first: Panel, panel: Panel, shape: Shape) -> Shape:
    """A shape as if it were drawn in the first panel of a row, whose y axis has labels."""
    moved = np.subtract(first.box, panel.box)[[0, 2]]
    return Shape(tuple(part + moved for part in shape.parts), shape.style, shape.tags)


def near(panel: Panel) -> float:
    """What thinning may move a line, in units of the y axis."""
    _, _, top, bottom = panel.box
    return NEAR * float(panel.up(top) - panel.up(bottom))


def headlines(told: Told, view: str) -> dict[str, Curve]:
    return headline_of(told("headline", view))


def spans(panel: Panel, shapes: Iterable[Shape]) -> list[tuple[float, float]]:
    """From where to where on PC(+) the parts of areas reach."""
    ends = [panel.pc(part[:, 0]) for shape in shapes for part in shape.parts]
    return sorted((float(one.min()), float(one.max())) for one in ends)


@pytest.mark.parametrize("name", VIEWS)
def test_axes_are_called_what_they_are(opened: Open, told: Told, name: str) -> None:
    main = opened("cost_curves", name)
    prior = float(told("measures", name)["prior"].iloc[0])
    said = [one.text for one in main.all]
    assert said.count("normalized expected cost") == 1
    assert said.count(f"cost of a miss : cost of a false alarm, at p(+) = {prior:.3f}") == 1
    for panel in spaces_of(main):
        for scale in panel.scales:
            assert [words for *_, words in scale.x.ticks] == ["0", "PC(+) 0.5", "1"]
            places = [panel.pc(place) for place, *_ in scale.x.ticks]
            assert places == pytest.approx([0, 0.5, 1], abs=1e-4)
    assert sum(len(panel.scales) for panel in spaces_of(main)) == len(spaces_of(main))  # one row
    drawn = opened("duality", name)
    pooled = told("envelopes", name)
    pooled = pooled[pooled["level"] == "pooled"]
    for roc in drawn.panels[::2]:
        assert (roc.x.name, roc.y.name) == ("false positive rate", "true positive rate")
        for hull in roc.lines():
            own = pooled[pooled["model"] == drawn.name(hull.model)]
            expected = np.column_stack([own["at0"], 1 - own["at1"]])
            x, y = np.concatenate(hull.parts).T
            found = np.column_stack([roc.across(x), roc.up(y)])
            gaps = np.abs(found[np.newaxis] - expected[:, np.newaxis]).max(axis=2).min(axis=1)
            assert gaps.max() < 1e-4


@pytest.mark.parametrize("name", VIEWS)
def test_cost_ratios_stand_where_they_belong(opened: Open, told: Told, name: str) -> None:
    prior = float(told("measures", name)["prior"].iloc[0])
    assert prior != 0.5
    panels = spaces_of(opened("cost_curves", name))
    labelled = [one for one in panels if one.scales]
    assert labelled
    for one in labelled:
        assert len(one.x.ticks) > (4 if len(panels) == 1 else 2)
        for place, _, words in one.x.ticks:
            missed, alarm = map(float, words.split(":"))
            pc = float(one.pc(place))
            assert pc * (1 - prior) / (prior * (1 - pc)) == pytest.approx(missed / alarm, rel=1e-3)


@pytest.mark.parametrize("name", VIEWS)
def test_curves_say_who_is_cheapest_where(opened: Open, told: Told, name: str) -> None:
    drawn = opened("cost_curves", name)
    first, *_ = panels = spaces_of(drawn)
    curves = headlines(told, name)
    lines, thick = {}, {}
    for panel in panels:
        for one in panel.lines(least=1.2):
            model, shape = drawn.name(one.model), level_with(first, panel, one)
            if one.width < 2:
                lines[model] = heights(first, shape)
            else:
                thick[model] = spans(first, [shape])
    assert set(lines) == set(curves)
    assert set(thick) <= set(curves)
    for model, line in lines.items():
        assert line == pytest.approx(curves[model](PC), abs=near(first)), model
    for pc in PC:
        costs = {model: curve(pc) for model, curve in curves.items()} | {"": min(pc, 1 - pc)}
        least = min(costs.values())
        best = {it for it, cost in costs.items() if cost <= least + 1e-12}
        on = {it for it, ends in thick.items() for low, high in ends if low < pc < high}
        assert on == (set() if "" in best else best), pc


@pytest.mark.parametrize("name", VIEWS)
def test_bands_are_at_the_level_that_is_said(opened: Open, told: Told, name: str) -> None:
    drawn = opened("cost_curves", name)
    head = [one.text for one in drawn.words if one.text.startswith("Lower is cheaper")]
    assert [re.findall(r"[\d.]+\s%", one) for one in head] == [[LEVEL]]
    rows = told("bands", name)
    assert set(rows["confidence"]) == {0.8}
    first, *_ = panels = spaces_of(drawn)
    bands = [(panel, it) for panel in panels for it in panel.shapes if it.model is not None]
    bands = [(panel, it) for panel, it in bands if it.fill != "none"]
    assert {drawn.name(it.model) for _, it in bands} == set(headlines(told, name))
    for panel, band in bands:
        own = rows[(rows["model"] == drawn.name(band.model)) & (rows["extent"] == "pointwise")]
        (ground,) = level_with(first, panel, band).parts  # the lower edge and back the upper one
        back = int(np.argmax(ground[:, 0])) + 1
        upper = np.vstack([ground[back:], ground[:1]])[::-1]
        for edge, part in (("lower", ground[:back]), ("upper", upper)):
            expected = curve_from(own[own["edge"] == edge])(PC)
            assert heights(first, Shape((part,), {}, ())) == pytest.approx(
                expected, abs=near(first)
            )


def _colours(drawn: Drawn) -> dict[str, str]:
    """The colour of each model's curve, by the name that stands beside it."""
    lines = [it for panel in spaces_of(drawn) for it in panel.lines(least=1.2, most=1.5)]
    return {drawn.name(one.model): one.style["stroke"] for one in lines}


def pairs_of(told: Told, name: str) -> list[tuple[str, str]]:
    rows = told("comparisons", name)
    return [*rows[["model_a", "model_b"]].drop_duplicates().itertuples(index=False, name=None)]


@pytest.mark.parametrize("name", VIEWS)
def test_differences_have_the_sign_and_the_bands_that_are_said(
    opened: Open, told: Told, name: str
) -> None:
    drawn = opened("differences", name)
    words = " ".join(one.text for one in drawn.words)
    assert (f"{LEVEL} at each PC(+)" in words) == (name != UNTESTED)
    assert (WHY_NONE in words) == (name == UNTESTED)
    curves, rows = headlines(told, name), told("comparisons", name)
    rows = rows[rows["family"] == "all pairs"]
    pairs = [*combinations(curves, 2)]
    assert len(drawn.panels) == 2 * len(pairs)
    title = "".join(one.text for one in drawn.words)
    for panel, (a, b) in zip(drawn.panels[::2], pairs, strict=True):
        wide = f"cost({a}) \N{MINUS SIGN} cost({b})"
        assert wide in title or f"{a} \N{MINUS SIGN} {b}" in title
        difference = curves[a](PC) - curves[b](PC)
        (line,) = [it for it in panel.shapes if it.width == 1.5]
        assert _up(panel, line) == pytest.approx(difference, abs=near(panel))
        who = [one.text for one in panel.words if not one.text.startswith(" ")]
        assert who == [b, a]  # above zero B is cheaper, below zero A
        high, low = sorted(panel.words[::2], key=lambda one: one.y)
        assert (high.text, low.text) == (b, a)
        own = rows[(rows["model_a"] == a) & (rows["model_b"] == b)]
        if name == UNTESTED:  # a line, and no band that might be read as a verdict
            assert own["line"].unique().tolist() == ["difference"]
            assert not [it for it in panel.shapes if it.width == 0.7]
            continue
        assert set(own.loc[own["line"].str.startswith("pointwise"), "confidence"]) == {0.8}
        edges = [it for it in panel.shapes if it.width == 0.7]
        for edge, shape in zip(("lower", "upper"), edges, strict=True):
            expected = curve_from(own[own["line"] == f"simultaneous {edge}"])(PC)
            assert _up(panel, shape) == pytest.approx(expected, abs=near(panel))
        (ground,) = panel.shapes[1].parts  # along the lower edge and back along the upper one
        back = int(np.argmax(ground[:, 0])) + 1
        for edge, part in (("lower", ground[:back]), ("upper", ground[back:][::-1])):
            expected = curve_from(own[own["line"] == f"pointwise {edge}"])(PC)
            found = _up(panel, Shape((part,), {}, ()))
            assert found == pytest.approx(expected, abs=near(panel)), edge


def _up(panel: Panel, shape: Shape, pc: Floats = PC) -> Floats:
    """What a line reads at places on PC(+) that its axes do not number."""
    x, y = np.concatenate(shape.parts).T
    found: Floats = np.interp(pc, panel.pc(x), panel.up(y))
    return found


@pytest.mark.parametrize("name", VIEWS)
def test_verdicts_have_the_colour_and_level_that_tables_say(
    opened: Open, told: Told, name: str
) -> None:
    rows = told("verdicts", name)
    rows = rows[rows["family"] == "all pairs"]
    drawn = opened("differences", name)
    colours = _colours(opened("cost_curves", name))
    model_of = {colour: model for model, colour in colours.items()}
    pairs = [*combinations(headlines(told, name), 2)]
    both = zip(drawn.panels[::2], drawn.panels[1::2], pairs, strict=True)
    for above, panel, (a, b) in both:
        own = rows[(rows["model_a"] == a) & (rows["model_b"] == b)]
        strips = [it for it in panel.shapes if it.fill in model_of and it.width == 0.3]
        found = [(model_of[it.fill], *spans(panel, [it])[0]) for it in strips]
        expected = [
            ({"A cheaper": a, "B cheaper": b}[str(row.finding)], row.pc_from, row.pc_to)
            for row in own.itertuples()
            if row.finding in ("A cheaper", "B cheaper")
        ]
        assert [it[0] for it in found] == [it[0] for it in expected]
        edges = [it for it in above.shapes if it.width == 0.7]
        for model, low, high in found:  # where a verdict is, the band has left zero
            inside = np.linspace(low, high, 12)[1:-1]
            side = -1 if model == a else 1
            gaps = side * np.array([_up(above, it, inside) for it in edges])
            assert (gaps > -near(above)).all()
            assert gaps.mean() > near(above)
        for one, other in zip(found, expected, strict=True):
            assert one[1:] == pytest.approx(other[1:], abs=1e-4)
        for words in panel.words:
            if words.text.endswith(" cheaper"):
                at = float(panel.pc(words.x))
                assert words.text == f"{next(it[0] for it in found if it[1] < at < it[2])} cheaper"
    said = " ".join(one.text for one in opened("verdicts", name).words)
    assert set(rows["familywise"]) == {0.9}
    assert re.findall(r"[\d.]+\s%", said) == ([OF_RANGES] if name != UNTESTED else [])
    assert (WHY_NONE in said) == (name == UNTESTED)


@pytest.mark.parametrize("name", VIEWS)
def test_cells_are_coloured_for_the_row_above_and_for_the_column_below(
    opened: Open, told: Told, name: str
) -> None:
    drawn = opened("verdicts", name)
    rows = told("verdicts", name)
    rows = rows[rows["family"] == "all pairs"]
    colours = _colours(opened("cost_curves", name))
    models = {}
    for words in drawn.words:
        place, model = re.match(r"(\d+)(?:  |$)", words.text), number(words.tags, "name-")
        if place and model is not None:
            models[int(place[1])] = drawn.name(model)
    (panel,) = drawn.panels
    coloured = [it for it in panel.shapes if it.model is not None]
    places = [it.parts[0] for it in panel.shapes if it.fill == "#dcdcdc"]
    lefts, tops = (sorted({float(it[:, k].min()) for it in places}) for k in (0, 1))
    found = []
    for cell in places:
        (left, top), (right, bottom) = cell.min(axis=0), cell.max(axis=0)
        row, column = models[tops.index(top) + 1], models[lefts.index(left) + 2]
        for shape in coloured:
            (low, _), (high, _) = shape.parts[0].min(axis=0), shape.parts[0].max(axis=0)
            middle = shape.parts[0][:, 1].mean()
            if left - 0.1 < low < right and top < middle < bottom:
                winner = row if middle < (top + bottom) / 2 else column
                assert shape.fill == colours[winner]
                ends = ((low - left) / (right - left), (high - left) / (right - left))
                found.append((*sorted((row, column)), winner, *ends))
    expected = [
        (*sorted(pair), pair[str(it.finding) == "B cheaper"], it.pc_from, it.pc_to)
        for it in rows[rows["finding"].isin(["A cheaper", "B cheaper"])].itertuples()
        for pair in [(str(it.model_a), str(it.model_b))]
    ]
    assert [it[:3] for it in sorted(found)] == [it[:3] for it in sorted(expected)]
    for one, other in zip(sorted(found), sorted(expected), strict=True):
        assert one[3:] == pytest.approx(other[3:], abs=1e-4)


@pytest.mark.parametrize("name", VIEWS)
def test_the_cheapest_at_a_condition_is_by_its_headline(
    opened: Open, told: Told, name: str
) -> None:
    drawn = opened("duality", name)
    curves = headlines(told, name)
    lists = sorted((one.y, one.x, one.text) for one in drawn.words)
    starts = [y for y, _, text in lists if text == "cheapest first"]
    for (condition, pc), panel, start in zip(
        CONDITIONS.items(), drawn.panels[1::2], starts, strict=True
    ):
        upright = next(it for it in panel.shapes if it.width == 1.0 and len(it.parts[0]) == 2)
        assert panel.across(upright.parts[0][0, 0]) == pytest.approx(pc, abs=1e-4), condition
        for line in panel.lines(least=1.5):
            expected = curves[drawn.name(line.model)](PC)
            assert heights(panel, line) == pytest.approx(expected, abs=near(panel))
        rows = [(y, x, text) for y, x, text in lists if start < y < start + 80]
        listed_models = [text for _, _, text in rows if text in curves]
        ranked = sorted(curves, key=lambda model: curves[model](pc))
        assert [curves[it](pc) for it in listed_models] == sorted(
            curves[it](pc) for it in listed_models
        )
        assert listed_models[0] == ranked[0]
        texts = [text for _, _, text in rows]
        assert f"{curves[ranked[0]](pc):.3f}" in texts


@pytest.mark.parametrize("name", VIEWS)
def test_instances_are_counted_not_predictions(
    opened: Open, view_of: Callable[[str], View], name: str
) -> None:
    rows = next(iter(view_of(name).models.values()))
    labels = rows.instances.values()
    counted = f"{len(labels)} cases ({sum(labels)} positive)"
    assert len(labels) < len(rows.rows)
    for figure in ("cost_curves", "duality", "verdicts", "differences"):
        said = [one.text for one in opened(figure, name).words if " cases (" in one.text]
        assert [it for it in said if counted in it], figure
