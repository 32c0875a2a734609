"""Displays draw the curves that they are given, on the axes that they are given."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import costcurves as cc
from costcurves.api.curve import vertices
from costcurves.figures import style
from tests.api.data import FIFTEEN as Y
from tests.api.data import GOOD, POOR, Model

DISPLAYS = (cc.CostCurveDisplay, cc.CostDifferenceDisplay, cc.DualityDisplay)
X = np.column_stack([GOOD, POOR])
# Three models on folds of unequal size: curves, bands and thresholds all differ.
LABELS = np.tile(Y, 4)
SCORES = {
    name: np.clip(np.concatenate([scores, scores**2, np.sqrt(scores), 1 - scores]), 0, 1)
    for name, scores in {"good": GOOD, "poor": POOR, "turned": 0.9 - 0.7 * GOOD[::-1]}.items()
}
OUTLINE = np.array([[0, 1, 1, 0], [0, 0.1, 0.3, 0.2]])

pytestmark = pytest.mark.filterwarnings("ignore:in-sample estimate:UserWarning")


@pytest.fixture
def axes() -> Any:
    return Figure().subplots(1, 2)


@pytest.fixture(scope="module")
def three() -> cc.Comparison:
    """Three models at a prior that is not the data's share."""
    folds = np.repeat([1, 2, 3, 3], 15)
    return cc.compare_models(LABELS, SCORES, folds=folds, prior=0.3, n_resamples=200)


def with_table(comparison: cc.Comparison, name: str, table: pd.DataFrame) -> cc.Comparison:
    """Return the same with another table."""
    made = comparison._tables.made | {name: table}
    return cc.Comparison(replace(comparison._tables, made=made))


def lines_of(axes: Any, colour: str) -> list[Any]:
    return [line for line in axes.lines if to_hex(line.get_color()) == to_hex(colour)]


def named(axes: Any) -> dict[str, str]:
    """Return the colour of each line that the legend names."""
    legend = axes.get_legend()
    texts = [text.get_text() for text in legend.get_texts()]
    return dict(zip(texts, [to_hex(line.get_color()) for line in legend.get_lines()], strict=True))


def strips(patches: Any) -> list[tuple[float, float, str]]:
    """Return start, width and colour of each strip along the axis."""
    shapes = [(patch.get_x(), patch.get_width(), patch.get_facecolor()) for patch in patches]
    return [(round(x, 9), round(width, 9), to_hex(colour)) for x, width, colour in shapes]


def test_a_curve_is_drawn_on_the_axes_that_are_given(axes: Any) -> None:
    curve = cc.cost_curve(Y, GOOD)
    display = curve.plot(axes[0], band=False, name="$x$", curve_kwargs={"lw": 3})
    assert (display.ax_, display.figure_) == (axes[0], axes[0].figure)
    assert display.lines_ == [display.line_]
    assert display.line_.get_linewidth() == 3
    (text,) = axes[0].get_legend().get_texts()
    assert (text.get_text(), text.get_parse_math()) == ("$x$", False)
    assert repr(display) == "CostCurveDisplay('model')"
    for figure in (curve.plot(band=False).figure_, curve.plot_thresholds(cost_ratio=2).figure):
        assert figure.number in pyplot.get_fignums()  # where no axes are given
        pyplot.close(figure)
    for decisions in (1 - Y, Y):  # a second curve leaves room for the first
        cc.cost_curve(Y, decisions).plot(axes[1], band=False)
    assert axes[1].get_ylim() == (0, 1)


@pytest.mark.parametrize("display", DISPLAYS)
def test_from_predictions_estimators_and_cross_validation(display: Any) -> None:
    models = {"good": Model([0, 1]), "_poor": Model([0, 1], 1)}
    tested = {"indices": {"test": [np.arange(0, 15, 2), np.arange(1, 15, 2)]}}
    results = {name: {**tested, "estimator": [model] * 2} for name, model in models.items()}
    ax = Figure().subplots(1, 2)
    options = {"ax": ax if display is cc.DualityDisplay else ax[0], "n_resamples": 50}
    for make, given, alone, name in (
        (display.from_predictions, (Y, {"good": GOOD, "_poor": POOR}), (Y, GOOD), "model"),
        (display.from_estimator, (models, X, Y), (models["good"], X, Y), "Model"),
        (display.from_cv_results, (results, X, Y), (results["good"], X, Y), "model"),
    ):
        drawn = make(*given, curve_kwargs={"color": "red"}, **options)
        assert len(lines_of(ax[0], "red")) >= len(drawn.lines_) > 0
        assert drawn.lines_[0] in ax[0].lines
        if display is not cc.CostDifferenceDisplay:
            assert make(*alone, **options).name == [name]


def test_a_notebook_shows_without_resampling_until_bands_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    comparison = cc.compare_models(Y, {"good": GOOD, "poor": POOR}, n_resamples=50)
    with monkeypatch.context() as patched:
        for place in ("chance.resamples.resampling", "api.trusted.resampled_instances"):
            patched.setattr(f"costcurves.{place}", lambda *_, **__: pytest.fail("resampled"))
        cc.CostCurveDisplay.from_comparison(comparison, band=False)._repr_html_()
        cc.CostDifferenceDisplay.from_comparison(comparison, band=False)._repr_html_()
        cc.DualityDisplay.from_comparison(comparison, 0.4)._repr_html_()
        before = [shown._repr_html_() for shown in (comparison["good"], comparison)]
    comparison["good"].band()
    after = [shown._repr_html_() for shown in (comparison["good"], comparison)]
    bands = [len(re.findall(r"opacity: 0\.16", page)) for page in (*before, *after)]
    assert bands == [0, 0, 1, 2]
    assert ["<table" in page for page in (*before, *after)] == [False, False, False, True]


def test_displays_are_made_of_plain_arrays(axes: Any) -> None:
    at, heights = [[0, 1], [0.2, 0.4]], [[0, 1], pd.Series([0.3, 0.2])]
    two = cc.CostCurveDisplay(at, heights, band=[None, OUTLINE])
    two.plot(axes[1], name=["x", "y"], curve_kwargs=[{"color": "red"}, {"color": "blue"}])
    assert two.line_ is two.lines_
    assert two.lines_[1].get_xydata().tolist() == [[0.2, 0.3], [0.4, 0.2]]
    assert named(axes[1]) == {"x": to_hex("red"), "y": to_hex("blue")}
    (patch,) = axes[1].patches
    assert to_hex(patch.get_facecolor()) == to_hex("blue")
    assert patch.get_path().vertices[:4].tolist() == np.transpose(OUTLINE).tolist()
    stretches = [[0.2, 0.3]], [[0.5, 0.6], [0.8, 0.9]]
    less = cc.CostDifferenceDisplay([0, 1], [-0.1, 0.1], pair=("p", "q"), cheaper=stretches)
    less.plot(axes[0])
    assert [x for x, *_ in strips(axes[0].patches)] == [0.2, 0.5, 0.8]
    assert axes[0].get_title() == less.name[0] == "cost(p) \N{MINUS SIGN} cost(q)"
    spaces = Figure().subplots(1, 2)
    cc.DualityDisplay([0, 0.2, 1], [0, 0.7, 1], [0, 0.5, 1], [0, 0.25, 0], at=0.5).plot(spaces)
    dots = [line.get_xydata()[0] for ax in spaces for line in ax.lines if line.get_marker() == "o"]
    assert np.ravel(dots) == pytest.approx([0.2, 0.7, 0.5, 0.25])


def test_each_curve_has_its_own_colour_and_the_band_for_all_pc(
    three: cc.Comparison, axes: Any
) -> None:
    three.plot(axes[0])
    colours = named(axes[0])
    assert len({*colours.values()}) == 3
    along_axis = strips(axes[0].patches[3:])
    for patch, (name, curve) in zip(axes[0].patches[:3], three.curves.items(), strict=True):
        (line,) = (line for line in lines_of(axes[0], colours[name]) if len(line.get_xdata()) > 2)
        assert np.array_equal(line.get_xydata(), np.column_stack([curve.pc, curve.cost]))
        assert to_hex(patch.get_facecolor()) == colours[name]
        there, back = (np.column_stack(vertices(edge)).tolist() for edge in curve.band())
        drawn = patch.get_path().vertices.tolist()
        assert drawn[: len(there) + len(back)] == [*there, *back[::-1]]
        rows = three.not_ruled_out.query("decision == @name and standing != 'ruled out'")
        ends = [(x, x + width) for x, width, colour in along_axis if colour == colours[name]]
        assert len(ends) > 0
        assert np.array(ends) == pytest.approx(rows[["pc_from", "pc_to"]].to_numpy())


def test_a_difference_is_drawn_with_its_sign_its_band_and_its_verdicts(
    three: cc.Comparison, axes: Any
) -> None:
    pair = a, b = "good", "turned"
    rows = three.verdicts.query("model_a == @a and model_b == @b").iloc[[0, 0]]
    ends = {"pc_from": [0.1, 0.6], "pc_to": [0.35, 0.9]}
    both = rows.assign(finding=["A cheaper", "B cheaper"], **ends)
    cc.CostDifferenceDisplay.from_comparison(with_table(three, "verdicts", both), a, b).plot(
        axes[0]
    )
    (line,) = (line for line in axes[0].lines if len(line.get_xdata()) > 2)
    pcs = np.array([0.113, 0.307, 0.511, 0.719, 0.903])
    expected = np.asarray(three[a].cost_at(pcs)) - three[b].cost_at(pcs)
    assert np.interp(pcs, *line.get_xydata().T) == pytest.approx(expected)
    assert three.differences[pair](pcs) == pytest.approx(expected)
    band, *along_axis = axes[0].patches
    corners = {tuple(corner) for corner in band.get_path().vertices}
    assert all({*zip(*vertices(edge), strict=True)} <= corners for edge in three.band()[pair])
    colours = [to_hex(style.colour(place)) for place in (0, 1)]
    assert strips(along_axis) == [(0.1, 0.25, colours[0]), (0.6, 0.3, colours[1])]


@pytest.mark.parametrize("pc", [0.23, 0.64])
def test_both_spaces_show_the_same_point(three: cc.Comparison, axes: Any, pc: float) -> None:
    cc.DualityDisplay.from_comparison(three, pc).plot(axes)
    roc, costs = axes
    for name, colour in named(roc).items():
        pooled = three[name].table("envelopes").query("level == 'pooled'")
        corners = {(0, 0), (1, 1), *zip(pooled["at0"], 1 - pooled["at1"], strict=True)}
        hull, iso, dot = (line.get_xydata() for line in lines_of(roc, colour))
        assert {*map(tuple, hull)} == corners
        ((fp, tp),) = dot
        nec = (1 - tp) * pc + fp * (1 - pc)
        assert nec == pytest.approx((pooled["at1"] * pc + pooled["at0"] * (1 - pc)).min())
        (x0, y0), (x1, y1) = iso
        assert [y0 + (y1 - y0) * fp, (y1 - y0) / (x1 - x0)] == pytest.approx([tp, 1 / pc - 1])
        curve, _, at = lines_of(costs, colour)
        highest = pooled[["nec_from", "nec_to"]].to_numpy().max()
        assert curve.get_ydata().max() == pytest.approx(highest)
        assert tuple(at.get_xydata()[0]) == pytest.approx((pc, nec))


def test_where_a_constant_decision_is_as_cheap_it_is_named(three: cc.Comparison) -> None:
    names = ["good", "poor", "always negative", "always positive"]
    ends = {"pc_from": [0.0, 0.4, 0.0, 0.8], "pc_to": [0.4, 0.8, 0.1, 1.0]}
    rows = three.not_ruled_out.iloc[[0] * 4].assign(decision=names, standing="cheapest", **ends)
    changed = with_table(three, "not_ruled_out", rows)
    cheapest = [changed.cheapest_at(pc) for pc in (0, 0.1, 0.2, 0.4, 0.6, 0.8, 1)]
    assert cheapest == [names[place] for place in (2, 2, 0, 1, 1, 3, 3)]
