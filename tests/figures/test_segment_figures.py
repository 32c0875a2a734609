"""What models cost for whom: each dot and each bar where the table says, in its order."""

from collections.abc import Mapping
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.text import Text

from costcurves.figures import style
from costcurves.figures.kind import Shown
from costcurves.figures.segment_figures import segments
from costcurves.formats import signed
from costcurves.tables.contracts import CONTRACTS
from tests.drawn import painted
from tests.fake_report import row
from tests.fake_tables import HOSTILE
from tests.figures.test_figures import case, make

MODELS = ("Tree", "Rule", "Bayes", "Vote", "Ladder")
CONDITIONS = {"late in the year": 0.7, "early": 0.2, "never": 0.9}
SMALL = ("ward", "{{7*7}}")
# Neither in the order of letters nor of sizes; "" is where it was not said.
EACH = (
    ("ward", "west"),
    SMALL,
    ("ward", ""),
    ("ward", "north"),
    ("$sex$", "<b>m</b>"),
    ("$sex$", "_f"),
)
FOUND = 0.95  # the level


def cost_of(model: str, at: int, place: int) -> float:
    """Another number for each dot."""
    return 0.1 + 0.031 * MODELS.index(model) + 0.0073 * at + 0.017 * (place * 5 % 7)


def rows() -> pd.DataFrame:
    """Segments of three conditions; of the small one there is no interval."""
    found = []
    for at, (condition, pc) in enumerate(CONDITIONS.items()):
        for model in MODELS:
            for place, (by, segment) in enumerate(EACH):
                cost = cost_of(model, at, place)
                low, high = cost - 0.011 - 0.001 * place, cost + 0.02 + 0.002 * at
                known = (by, segment) != SMALL
                ends = {"cost_low": low, "cost_high": high, "more_low": -0.1, "more_high": 0.2}
                names = {"condition": condition, "pc": pc, "by": by, "segment": segment}
                more = {"cases": 1200.0 + place, "cost": cost, "confidence": FOUND}
                contract = CONTRACTS["segments"]
                found.append(row(contract, names, more, ends if known else {}, model=model))
    return pd.DataFrame(found)


class Rig(NamedTuple):
    """What is to be drawn."""

    tables: Mapping[str, pd.DataFrame]
    context: Any


@cache
def rig() -> Rig:
    context = make(MODELS, size=10, repeats=1).context
    assert context.ranked != MODELS
    return Rig({"segments": rows()}, context)


@cache
def drawn() -> Figure:
    return painted(segments, *rig())


def panels(figure: Figure) -> list[Axes]:
    """The panels, from left to right: in the order of the conditions."""
    return sorted(figure.axes, key=lambda axes: axes.get_position().x0)


def dots(axes: Axes) -> list[tuple[float, float, str]]:
    """Height, cost and colour of each dot, from the top."""
    found = [line for line in axes.lines if line.get_marker() == "o"]
    each = [(line, np.ravel(np.asarray(line.get_xydata(), float))) for line in found]
    return sorted((float(y), float(x), to_hex(line.get_color())) for line, (x, y) in each)


def bars(axes: Axes) -> dict[float, tuple[float, float, str]]:
    """Ends and colour of each bar, by its height."""
    found = {}
    for line in axes.lines:
        xy = np.asarray(line.get_xydata(), float)
        if len(xy) == 2 and not np.isnan(xy).any():
            assert xy[0, 1] == xy[1, 1]
            found[float(xy[0, 1])] = (*xy[:, 0].tolist(), to_hex(line.get_color()))
    return found


def pixels(text: Text) -> np.ndarray:
    return text.get_transform().transform(text.get_position())


def expected(condition: str) -> list[dict[str, Any]]:
    """The rows of a condition from the top: segments as in the table, then models by their cost."""
    table, context = rig().tables["segments"], rig().context
    shown: Any = table[table["condition"] == condition].to_dict("records")
    order = context.ranked[:4]
    return [
        next(it for it in shown if (it["by"], it["segment"], it["model"]) == (*each, model))
        for each in EACH
        for model in order
    ]


def test_dots_stand_at_costs_and_bars_span_intervals_in_the_order_of_the_table() -> None:
    assert len(drawn().axes) == 2
    for condition, axes in zip(CONDITIONS, panels(drawn()), strict=False):
        found, wide = dots(axes), bars(axes)
        shown = expected(condition)
        assert len({height for height, *_ in found}) == len(found)
        assert [cost for _, cost, _ in found] == [it["cost"] for it in shown]
        colours = [to_hex(rig().context.colour(it["model"])) for it in shown]
        assert [colour for *_, colour in found] == colours
        for (height, _, colour), it in zip(found, shown, strict=True):
            if (it["by"], it["segment"]) == SMALL:
                assert height not in wide
            else:
                assert wide[height] == (it["cost_low"], it["cost_high"], colour)
        assert len(wide) == len(found) - 4


def test_both_axes_begin_at_0_and_hold_the_highest_end() -> None:
    table = rig().tables["segments"]
    highest = table.loc[table["condition"].isin([*CONDITIONS][:2]), "cost_high"].max()
    ends = {axes.get_xlim() for axes in drawn().axes}
    ((low, high),) = ends
    assert low == 0
    assert highest <= high <= 2 * highest
    wide = table.assign(cost_high=table["cost_high"] + 1)
    figure = painted(segments, {"segments": wide}, rig().context)
    assert figure.axes[0].get_xlim()[1] >= highest + 1
    only = table.assign(cost_low=np.nan, cost_high=np.nan, cost=9 * table["cost"])
    figure = painted(segments, {"segments": only}, rig().context)
    assert figure.axes[0].get_xlim()[1] > 9 * table["cost"].min()


def test_segments_are_called_as_they_are_beside_their_dots() -> None:
    figure, axes = drawn(), panels(drawn())[0]
    places = axes.transData.transform([(0, height) for height, *_ in dots(axes)])[:, 1]
    heights = dict(zip(EACH, np.split(places, len(EACH)), strict=True))
    texts = {text.get_text(): pixels(text) for text in figure.texts}
    for place, (by, segment) in enumerate(EACH):
        own = heights[by, segment]
        left, height = texts[f"{segment or 'not said'} (120{place})"]
        assert own.min() < height < own.max()
        assert left < axes.get_window_extent().x0
    for by, each in groupby(EACH, key=lambda it: it[0]):
        (left, height), first = texts[by], next(each)
        above = [own.min() for own in heights.values() if own.min() > heights[first].max()]
        assert heights[first].max() < height < min([*above, np.inf])


@pytest.mark.parametrize("name", HOSTILE[:4])
def test_hostile_segments_appear_as_they_are(name: str) -> None:
    table = rig().tables["segments"]
    named = table.assign(segment=name + table["segment"], by=name + table["by"])
    texts = {it.get_text() for it in painted(segments, {"segments": named}, rig().context).texts}
    shown = {style.shorten(name + by, 1.5, style.SMALL, "bold") for by in ("ward", "$sex$")}
    assert shown <= texts
    assert any(it.startswith(f"{name[:5]}") and it.endswith("(1200)") for it in texts)


def test_two_conditions_stand_side_by_side() -> None:
    figure = painted(segments, *rig())
    assert len(figure.axes) == 2
    bold = {it.get_text(): pixels(it)[0] for it in figure.texts if it.get_fontweight() == "bold"}
    assert [it for it in CONDITIONS if it in bold] == [*CONDITIONS][:2]
    for condition, axes in zip(CONDITIONS, panels(figure), strict=False):
        assert bold[condition] == pytest.approx(axes.get_window_extent().x0)
        assert [cost for _, cost, _ in dots(axes)] == [it["cost"] for it in expected(condition)]


def test_notes_say_the_level_and_which_models_and_thresholds_they_are_of() -> None:
    said = " ".join(text.get_text() for text in drawn().texts)
    assert "in-sample: recommended thresholds, chosen on these cases" in said
    assert "bars: 95\u202f%" in said
    assert "the 4 cheapest models" in said
    assert "cheapest" not in " ".join(it.get_text() for it in painted(segments, *case("two")).texts)
    names = {text.get_text() for text in drawn().texts} & {*MODELS}
    assert names == {*rig().context.ranked[:4]}


def test_the_alternative_text_names_segments_that_differ_beyond_chance() -> None:
    table, context = rig().tables["segments"], rig().context
    none = Shown(segments, rig().tables, context).alternative
    assert none.endswith("No segment is beyond chance apart from all other cases.")
    of = (table["model"] == "Rule") & (table["by"] == "ward")
    sure = {"west": (0.001, 0.0413, 0.2), "": (-0.2, -0.0721, -0.001), "north": (-0.01, 0.03, 0.2)}
    for segment, found in sure.items():
        own = of & table["segment"].eq(segment) & table["condition"].eq("early")
        for name, value in zip(("more_low", "more", "more_high"), found, strict=True):
            table = table.assign(**{name: table[name].mask(own, value)})
    alternative = Shown(segments, {"segments": table}, context).alternative
    first = f"early, ward west, Rule: {signed(0.0413)}"
    second = f"early, ward not said, Rule: {signed(-0.0721)}"
    assert alternative.endswith(f"Beyond chance apart from all other cases: {first}; {second}.")
