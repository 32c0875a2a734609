"""Reliability curves, their bands and the strips beneath: all is where the table says."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import StepPatch

from costcurves.figures import style
from costcurves.figures.calibration_figures import reliability
from costcurves.figures.kind import Shown
from costcurves.figures.polylines import UNSEEN, Floats
from costcurves.figures.sheet import inches
from costcurves.formats import cost
from tests.drawn import painted
from tests.figures.test_figures import _distance, case

WIDER, NARROWER = "simultaneous", "consistent"
CASES = ("one", "five", "useless", "equal")
WITHOUT = ("curve", "scores")
SAID = "dark, where calibrated scores lie; light, where the rates do"


@cache
def drawn(name: str) -> Figure:
    return painted(reliability, *case(name))


def table(name: str) -> pd.DataFrame:
    return case(name).tables["reliability"]


def panels(figure: Figure) -> dict[str, tuple[Axes, Axes]]:
    """A panel and the strip beneath it, by tag."""
    pairs = zip(figure.axes[::2], figure.axes[1::2], strict=True)
    return {str(axes.get_gid()): (axes, strip) for axes, strip in pairs}


def of(name: str, model: str) -> tuple[Axes, Axes, dict[str, pd.DataFrame]]:
    """The panel and the strip of a model, and its lines in the table."""
    axes, strip = panels(drawn(name))[case(name).context.tag(model)]
    own = table(name)[table(name)["model"] == model]
    return axes, strip, {str(line): rows for line, rows in own.groupby("line")}


def near(axes: Axes) -> float:
    """What thinning may move a line, in units of the y axis."""
    return 1.01 * UNSEEN / inches(axes)[1]


def between(edges: pd.DataFrame, at: Floats) -> Floats:
    """What an edge reads, which goes straight from one stretch of scores to the next."""
    ends = edges[["score_from", "score_to"]].to_numpy(float).ravel()
    found: Floats = np.interp(at, ends, np.repeat(edges["rate"].to_numpy(float), 2))
    return found


@pytest.mark.parametrize("name", CASES)
def test_the_line_is_the_curve_of_the_table(name: str) -> None:
    context = case(name).context
    assert len(panels(drawn(name))) == len(context.models)
    for model in context.models:
        axes, _, lines = of(name, model)
        (line,) = [it for it in axes.lines if it.get_color() == context.colour(model)]
        x, y = np.asarray(line.get_xydata(), float).T
        rows = lines["curve"]
        ends = pd.concat(
            [rows[[end, "rate"]].set_axis(["x", "y"], axis=1) for end in ("score_from", "score_to")]
        ).to_numpy(float)
        assert {*zip(x, y, strict=True)} <= {*map(tuple, ends)}
        assert (x[0], x[-1]) == (rows["score_from"].iloc[0], rows["score_to"].iloc[-1])
        scale = np.array(inches(axes))
        for point in ends:
            assert _distance(point * scale, np.column_stack([x, y]) * scale) <= UNSEEN + 1e-9
        as_known = Line2D([], [], linewidth=1.6, **context.line(model))
        assert vars(line)["_dash_pattern"] == vars(as_known)["_dash_pattern"]
        (diagonal,) = [it for it in axes.lines if to_hex(it.get_color()) == style.QUIET]
        assert np.asarray(diagonal.get_xydata()).tolist() == [[0, 0], [1, 1]]
        assert axes.get_xlim() == axes.get_ylim() == (0, 1)


@pytest.mark.parametrize("name", CASES)
def test_bands_lie_between_their_edges_and_the_honest_one_beneath(name: str) -> None:
    for model in case(name).context.models:
        axes, _, lines = of(name, model)
        wide, narrow = axes.patches
        light, dark = (style._luminance(to_rgb(it.get_facecolor())) for it in (wide, narrow))
        assert light > dark
        for band, patch in ((WIDER, wide), (NARROWER, narrow)):
            lower, upper = (lines[f"{band} {edge}"] for edge in ("lower", "upper"))
            first = max(it["score_from"].min() for it in (lower, upper))
            last = min(it["score_to"].max() for it in (lower, upper))
            steps = np.unique(pd.concat([lower, upper])[["score_from", "score_to"]].to_numpy())
            at = (steps[:-1] + steps[1:]) / 2
            at = at[(at > first) & (at < last) & (np.diff(steps) > 1e-6)]
            ends = zip(at, between(lower, at), between(upper, at), strict=True)
            slack = 3 * near(axes)
            path = patch.get_path()
            for x, low, high in ends:
                if high - low > 2 * slack:
                    assert path.contains_point((x, (low + high) / 2)), (band, x)
                    assert path.contains_point((x, low + slack)), (band, x)
                    assert path.contains_point((x, high - slack)), (band, x)
                assert not path.contains_point((x, low - slack)), (band, x)
                assert not path.contains_point((x, high + slack)), (band, x)


@pytest.mark.parametrize("name", CASES)
def test_positives_stand_up_and_negatives_down_as_shares_of_cases(name: str) -> None:
    context, highest = case(name).context, 0.0
    for model in context.models:
        axes, strip, lines = of(name, model)
        rows = lines["scores"]
        whole = rows["cases"].sum()
        steps = {to_hex(it.get_facecolor()): it for it in strip.patches}
        shares = {
            context.colour(model): rows["positives"] / whole,
            style.QUIET: (rows["positives"] - rows["cases"]) / whole,
        }
        assert {*steps} == {*shares}
        for colour, expected in shares.items():
            patch: Any = steps[colour]
            assert isinstance(patch, StepPatch)
            values, edges, baseline = patch.get_data()
            assert values == pytest.approx(expected.to_numpy())
            assert edges.tolist() == [*rows["score_from"], 1.0]
            assert baseline == 0
            highest = max(highest, float(expected.abs().max()))
        ends, above = strip.get_position(), axes.get_position()
        assert (ends.x0, ends.x1) == (above.x0, above.x1)
        assert ends.y1 < above.y0
    limits = {strip.get_ylim() for _, strip in panels(drawn(name)).values()}
    ((low, high),) = limits
    assert low == -high
    assert highest <= high <= 1.2 * highest


def words(figure: Figure) -> str:
    return " ".join(text.get_text() for text in figure.texts)


def test_without_bands_there_are_none_and_none_are_explained() -> None:
    tables, context = case("two")
    both, none = tables["reliability"], tables["reliability"]["line"].isin(WITHOUT)
    assert f"bands (90\u202f%): {SAID}" in words(drawn("two"))
    figure = painted(reliability, {**tables, "reliability": both[none]}, context)
    assert not [it for axes in figure.axes[::2] for it in axes.patches]
    assert "band" not in words(figure)
    assert len(figure.axes[1].patches) == 2
    first = none | both["model"].eq(context.models[0])
    figure = painted(reliability, {**tables, "reliability": both[first]}, context)
    assert [len(axes.patches) for axes in figure.axes[::2]] == [2, 0]
    assert SAID in words(figure)


def test_the_level_of_bands_is_that_of_the_table() -> None:
    tables, context = case("two")
    other = tables["reliability"].assign(confidence=0.8)
    assert "bands (80\u202f%)" in words(painted(reliability, {"reliability": other}, context))


def test_the_alternative_text_says_the_miscalibration_of_each_model() -> None:
    tables, context = case("five")
    rows = tables["calibration"]
    assert rows["minus"].ne("").any()
    own = rows[rows["part"].eq("miscalibration") & rows["minus"].eq("")]
    assert len(own) == 5
    each = [
        f"{it['model']}: {cost(it['value'])}, of it {cost(it['by_chance'])} by chance"
        for it in own.to_dict("records")
    ]
    alternative = Shown(reliability, tables, context).alternative
    assert alternative.endswith(f"Miscalibration: {'; '.join(each)}.")
