"""Displays draw the curves that they are given, on the axes that they are given."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import costcurves as cc
from costcurves.api.curve import vertices
from costcurves.figures import style
from tests.api.test_facade import GOOD, POOR, Y

DISPLAYS = (
    cc.CostCurveDisplay,
    cc.CostDifferenceDisplay,
    cc.DualityDisplay,
)
QUICK = {"inference": {"resamples": 50}}

pytestmark = pytest.mark.filterwarnings("ignore:in-sample estimate:UserWarning")


@pytest.fixture
def axes() -> Any:
    return Figure().subplots(1, 2)


class Model:
    """A classifier that was fitted: its score is one of its features."""

    def __init__(self, classes: list[Any], feature: int = 0) -> None:
        self.classes_ = np.array(classes)
        self.feature = feature

    def predict_proba(self, X: Any) -> Any:  # noqa: N803
        score = np.asarray(X)[:, self.feature]
        first = self.classes_[0] in (0, "well")
        return np.column_stack([1 - score, score] if first else [score, 1 - score])


class Margins:
    classes_ = np.array([0, 1])

    def decision_function(self, X: Any) -> Any:  # noqa: N803
        return np.asarray(X)[:, 0] - 0.5


def test_a_line_goes_through_the_curve(axes: Any) -> None:
    curve = cc.cost_curve(Y, GOOD, settings=QUICK)
    display = curve.plot(axes[0], band=False, name="mine", curve_kwargs={"c": "red", "lw": 3})
    assert display.ax_ is axes[0]
    assert display.figure_ is axes[0].figure
    (line,) = (one for one in axes[0].lines if one.get_color() == "red")
    assert [line] == display.lines_
    assert line is display.line_
    assert line.get_linewidth() == 3
    assert [one.get_text() for one in axes[0].get_legend().get_texts()] == ["mine"]
    assert repr(display) == "CostCurveDisplay('model')"
    assert np.array_equal(line.get_xydata(), curve.to_frame()[["pc", "cost"]])


def test_names_are_drawn_as_they_are(axes: Any) -> None:
    curves = cc.compare_models(Y, {"_B": GOOD, "$x$": POOR}, settings=QUICK)
    curves.plot(axes[0])
    legend = axes[0].get_legend().get_texts()
    assert [one.get_text() for one in legend] == ["_B", "$x$"]
    assert not any(one.get_parse_math() for one in legend)


def test_a_second_curve_leaves_room_for_the_first(axes: Any) -> None:
    always_wrong = cc.cost_curve(Y, 1 - Y, settings=QUICK)
    always_wrong.plot(axes[0], band=False)
    cc.cost_curve(Y, Y, settings=QUICK).plot(axes[0], band=False)
    assert axes[0].get_ylim() == (0, 1)


@pytest.mark.parametrize("display", DISPLAYS)
def test_from_predictions_estimators_and_cross_validation(display: Any) -> None:
    one, other = {"good": GOOD, "poor": POOR}, {"good": Model([0, 1]), "poor": Model([0, 1], 1)}
    features = np.column_stack([GOOD, POOR])
    halves = [np.arange(0, 15, 2), np.arange(1, 15, 2)]
    tested = {"indices": {"test": halves}, "test_score": [0, 0]}
    results = {name: {**tested, "estimator": [model] * 2} for name, model in other.items()}
    for make, given in (
        (display.from_predictions, (Y, one)),
        (display.from_estimator, (other, features, Y)),
        (display.from_cv_results, (results, features, Y)),
    ):
        axes = Figure().subplots(1, 2)
        own = axes if display is cc.DualityDisplay else axes[0]
        found = make(*given, ax=own, n_resamples=50, curve_kwargs={"color": "red"})
        assert len(lines_of(axes[0], "red")) >= len(found.lines_) > 0
        assert found.lines_[0] in axes[0].lines
        assert "</svg>" in found._repr_html_()


def made_anew() -> dict[str, Any]:
    """What a notebook may show, of curves that nobody has asked for more yet."""
    found = cc.compare_models(Y, {"good": GOOD, "poor": POOR}, settings=QUICK)
    return {
        "a curve": found["good"],
        "a comparison": found,
        "costs": cc.CostCurveDisplay.from_comparison(found, band=False),
        "a difference": cc.CostDifferenceDisplay.from_comparison(found, band=False),
        "duality": cc.DualityDisplay.from_comparison(found, 0.4),
    }


ASKED: dict[str, Callable[[Any], object]] = {
    "a curve": lambda it: it.band(),
    "a comparison": lambda it: it.verdicts,
}


@pytest.mark.parametrize("name", made_anew())
def test_a_notebook_shows_without_resampling_until_bands_are_asked_for(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        for place in ("chance.resamples.resampling", "api.trusted.resampled_instances"):
            patched.setattr(f"costcurves.{place}", lambda *_, **__: pytest.fail("resampled"))
        shown = made_anew()[name]
        assert repr(shown)
        before = shown._repr_html_()
    if name in ASKED:
        ASKED[name](shown)
        after = shown._repr_html_()
        bands = [len(re.findall(r"opacity: 0\.16", it)) for it in (before, after)]
        assert bands[1] > bands[0] == 0
        assert ("<table" in before, "<table" in after) == (False, name == "a comparison")


def test_net_benefit_without_a_band_is_the_same_beside_it() -> None:
    curve = cc.cost_curve(Y, GOOD, settings=QUICK)
    alone = curve.net_benefit(prior=0.37, extent=None)
    whole = curve.net_benefit(prior=0.37)
    assert [*whole.columns.drop(alone.columns)] == ["low", "high", "chosen_low", "chosen_high"]
    pd.testing.assert_frame_equal(whole[alone.columns], alone)


def test_the_difference_that_is_drawn_is_the_table_s(axes: Any) -> None:
    found = cc.compare_models(Y, {"good": GOOD, "poor": POOR, "crisp": GOOD > 0.4}, settings=QUICK)
    for place, (a, b) in enumerate((("good", "poor"), ("poor", "crisp"))):
        cc.CostDifferenceDisplay.from_comparison(found, a, b, band=False).plot(axes[place])
        (line, _) = axes[place].lines
        at, drawn = line.get_xydata().T
        between = np.linspace(0.001, 0.999, 97)
        expected = found.differences[a, b](between)
        assert np.interp(between, at, drawn) == pytest.approx(expected, abs=1e-12)


def test_held_out_predictions_of_repeats_are_of_the_same_instances() -> None:
    features = np.column_stack([GOOD, POOR])
    halves = [np.arange(0, 15, 2), np.arange(1, 15, 2), np.arange(7, 15), np.arange(7)]
    results = {"estimator": [Model([0, 1])] * 4, "indices": {"test": halves}}
    found = cc.compare_models(Y, {"m": results}, X=features)
    rows = np.concatenate(halves)
    expected = cc.cost_curve(
        Y[rows],
        GOOD[rows],
        folds=np.repeat([0, 1, 2, 3], [8, 7, 8, 7]),
        repeats=np.repeat([1, 2], 15),
        instance=rows,
    )
    assert np.array_equal(found["m"].cost, expected.cost)
    costs = np.arange(1, 16)
    weighted = cc.compare_models(Y, {"m": results}, X=features, costs=costs)
    row = weighted.table("operating_points").query("level == 'pooled'").iloc[-1]
    whole = row["negatives_weight"], row["positives_weight"]
    assert whole == (2 * costs[Y == 0].sum(), 2 * costs[Y == 1].sum())  # in each repeat


def test_the_positive_class_is_found_among_those_that_a_model_knows() -> None:
    labels = np.where(Y, "ill", "well")
    for model in (Model(["ill", "well"]), Model(["well", "ill"])):
        found = cc.compare_models(labels, {"m": model}, X=GOOD[:, None], pos_label="ill")
        assert np.array_equal(found["m"].cost, cc.cost_curve(Y, GOOD).cost)


@pytest.mark.parametrize(
    ("models", "message"),
    [
        ({"m": object()}, "object has none of the methods predict_proba, decision_function, pred"),
        ({"m": Model(["a", "b"])}, "the classifier knows the classes"),
        ({"m": {"test_score": []}}, "'m' lacks what return_estimator=True, return_indices=True"),
        (
            {
                "m": Model([0, 1]),
                "n": {"estimator": [Margins()], "indices": {"test": [np.arange(15)]}},
            },
            "held out in different folds; use one cv",
        ),
    ],
)
def test_models_that_are_refused(models: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        cc.compare_models(Y, models, X=GOOD[:, None])


def test_a_difference_of_one_model_is_refused() -> None:
    one = cc.compare_models(Y, {"good": GOOD})
    with pytest.raises(ValueError, match="differences are none, as there is one model"):
        cc.CostDifferenceDisplay.from_comparison(one)
    with pytest.raises(ValueError, match="at is 0, expected a PC"):
        cc.DualityDisplay.from_comparison(one, 0)
    with pytest.raises(ValueError, match="ax has to be two axes"):
        cc.DualityDisplay.from_comparison(one).plot(Figure().subplots())


@pytest.mark.parametrize("option", ["sample_weight", "costs"])
def test_weights_and_costs_of_samples_are_passed_on(option: str, axes: Any) -> None:
    given: dict[str, Any] = {option: np.arange(1, 16)}
    own = cc.CostCurveDisplay.from_predictions(
        Y, Y[::-1], ax=axes[0], name="m", settings=QUICK, **given
    )
    expected = cc.cost_curve(Y, Y[::-1], **given)
    assert np.array_equal(own.cost, [expected.cost])
    assert not np.array_equal(expected.cost, cc.cost_curve(Y, Y[::-1]).cost)


def test_new_axes_are_of_pyplot() -> None:
    from matplotlib import pyplot

    figure = cc.cost_curve(Y, GOOD, settings=QUICK).plot().figure_
    assert figure.number in pyplot.get_fignums()
    pyplot.close(figure)


# Three models on folds of unequal size: curves, bands and thresholds all differ.
THREE = {"good": GOOD, "poor": POOR, "turned": np.round(0.9 - 0.7 * GOOD[::-1], 2)}
T = np.array([0.05, 0.2, 0.35, 0.55, 0.8])


LABELS = np.tile(Y, 4)
SCORES = {
    name: np.clip(np.concatenate([one, one**2, np.sqrt(one), 1 - one]), 0, 1)
    for name, one in THREE.items()
}


@pytest.fixture(scope="module")
def three() -> cc.Comparison:
    """Three models at a prior that is not the data's share."""
    folds, settings = np.repeat([1, 2, 3, 3], 15), {"inference": {"resamples": 200}, "seed": 3}
    return cc.compare_models(LABELS, SCORES, folds=folds, prior=0.3, settings=settings)


def with_table(found: cc.Comparison, name: str, table: pd.DataFrame) -> cc.Comparison:
    """The same with another table."""
    return cc.Comparison(replace(found._tables, made=found._tables.made | {name: table}))


OUTLINE = np.array([[0, 1, 1, 0], [0, 0.1, 0.3, 0.2]])


def test_displays_are_made_of_plain_arrays(axes: Any) -> None:
    one = cc.CostCurveDisplay([0, 0.5, 1], pd.Series([0, 0.2, 0]), name="a", band=OUTLINE)
    assert one.plot(axes[0]) is one
    assert one.line_.get_xydata().tolist() == [[0, 0], [0.5, 0.2], [1, 0]]
    assert axes[0].patches[0].get_path().vertices[:4].tolist() == np.transpose(OUTLINE).tolist()
    two = cc.CostCurveDisplay([[0, 1], [0.2, 0.4]], [[0, 1], [0.3, 0.3]], band=[None, OUTLINE])
    two.plot(axes[1], name=["x", "y"], curve_kwargs=[{"color": "red"}, {"color": "blue"}])
    assert two.line_ is two.lines_
    assert [it.get_color() for it in two.lines_] == ["red", "blue"]
    assert to_hex(axes[1].patches[0].get_facecolor()) == to_hex("blue")
    assert [it.get_text() for it in axes[1].get_legend().get_texts()] == ["x", "y"]
    assert repr(two) == "CostCurveDisplay('', '')"


def test_displays_of_other_quantities_are_made_of_plain_arrays(axes: Any) -> None:
    stretches = [[0.2, 0.3]], [[0.5, 0.6], [0.8, 0.9]]
    less = cc.CostDifferenceDisplay([0, 1], [-0.1, 0.1], pair=("p", "q"), cheaper=stretches)
    less.plot(axes[0])
    assert less.line_.get_ydata().tolist() == [-0.1, 0.1]
    assert [round(it.get_x(), 9) for it in axes[0].patches] == [0.2, 0.5, 0.8]
    assert axes[0].get_title() == repr(less)[len("CostDifferenceDisplay('") : -2]
    spaces = Figure().subplots(1, 2)
    cc.DualityDisplay([0, 0.2, 1], [0, 0.7, 1], [0, 0.5, 1], [0, 0.25, 0], at=0.5).plot(spaces)
    assert spaces[1].lines[0].get_xydata().tolist() == [[0, 0], [0.5, 0.25], [1, 0]]
    dots = [it.get_xydata()[0] for ax in spaces for it in ax.lines if it.get_marker() == "o"]
    assert np.ravel(dots) == pytest.approx([0.2, 0.7, 0.5, 0.25])


def test_arrays_that_do_not_go_together_are_refused(axes: Any) -> None:
    said = r"shapes \[\(3,\)\] and \[\(2,\)\], 1 names, 1 bands"
    with pytest.raises(ValueError, match=said):
        cc.CostCurveDisplay([0, 0.5, 1], [0, 1])
    with pytest.raises(ValueError, match="2 names, 1 bands"):
        cc.CostCurveDisplay([0, 1], [0, 1], name=["a", "b"])
    looks: list[dict[str, Any]] = [{"name": ["a", "b"]}, {"curve_kwargs": [{}, {}]}]
    for look in looks:
        with pytest.raises(ValueError, match="expected a name and a dict for each of 1 lines"):
            cc.CostCurveDisplay([0, 1], [0, 1]).plot(axes[0], **look)


def lines_of(axes: Any, colour: str) -> list[Any]:
    return [one for one in axes.lines if to_hex(one.get_color()) == to_hex(colour)]


def named(axes: Any) -> dict[str, str]:
    """The colour of each line that the legend names."""
    legend = axes.get_legend()
    texts = [text.get_text() for text in legend.get_texts()]
    return dict(zip(texts, [to_hex(one.get_color()) for one in legend.get_lines()], strict=True))


def test_each_curve_has_its_own_colour_and_the_band_for_all_pc(
    three: cc.Comparison, axes: Any
) -> None:
    three.plot(axes[0])
    colours = named(axes[0])
    assert len({*colours.values()}) == 3
    patches, strips = axes[0].patches[:3], axes[0].patches[3:]
    for patch, (name, curve) in zip(patches, three.curves.items(), strict=True):
        (line,) = (it for it in lines_of(axes[0], colours[name]) if len(it.get_xdata()) > 2)
        assert np.array_equal(line.get_xdata(), curve.pc)
        assert np.array_equal(line.get_ydata(), curve.cost)
        assert to_hex(patch.get_facecolor()) == colours[name]
        lower, upper = (vertices(edge) for edge in curve.band("simultaneous"))
        narrow = [vertices(edge) for edge in curve.band("pointwise")]
        corners = {tuple(one) for one in patch.get_path().vertices}
        assert {*zip(*lower, strict=True), *zip(*upper, strict=True)} == corners
        there, back = (np.column_stack(edge).tolist() for edge in (lower, upper))
        drawn = patch.get_path().vertices.tolist()
        assert drawn[: len(there) + len(back)] == [*there, *back[::-1]]
        assert not {*zip(*narrow[1], strict=True)} <= corners
        own = [it for it in strips if to_hex(it.get_facecolor()) == colours[name]]
        drawn = [[it.get_x(), it.get_x() + it.get_width()] for it in own]
        rows = three.not_ruled_out.query("decision == @name and standing != 'ruled out'")
        assert len(rows) > 0
        assert np.ravel(drawn) == pytest.approx(rows[["pc_from", "pc_to"]].to_numpy().ravel())


def test_columns_of_net_benefit_are_what_their_names_say(three: cc.Comparison) -> None:
    """By the definitions, from the rates of the line that serves each threshold."""
    p, curve = 0.4, three["poor"]
    found = curve.net_benefit(T, prior=p)
    weight = T / (1 - T)
    assert found["treat_all"].to_numpy() == pytest.approx(p - (1 - p) * weight)
    assert found["standardized"].to_numpy() == pytest.approx(found["net_benefit"] / p)
    avoided = (found["net_benefit"] - found["treat_all"]) / weight
    assert found["interventions_avoided"].to_numpy() == pytest.approx(avoided)
    cost = np.asarray(curve.cost_at(found["pc"]))
    assert found["chosen"].to_numpy() == pytest.approx(p * (1 - cost / found["pc"]))
    assert not np.allclose(found["chosen"], found["net_benefit"])


@pytest.mark.parametrize("pair", [("good", "poor"), ("good", "turned")])
def test_a_difference_is_drawn_with_its_sign_its_band_and_its_verdicts(
    three: cc.Comparison, axes: Any, pair: tuple[str, str]
) -> None:
    cc.CostDifferenceDisplay.from_comparison(three, *pair).plot(axes[0])
    a, b = pair
    assert axes[0].get_title() == f"cost({a}) \N{MINUS SIGN} cost({b})"
    (line,) = (it for it in axes[0].lines if len(it.get_xdata()) > 2)
    pcs = np.array([0.113, 0.307, 0.511, 0.719, 0.903])
    expected = [three[a].cost_at(pc) - three[b].cost_at(pc) for pc in pcs]
    assert np.interp(pcs, *line.get_xydata().T) == pytest.approx(expected)
    band, *strips = axes[0].patches
    corners = {tuple(one) for one in band.get_path().vertices}
    for edge in ("lower", "upper"):
        wide = zip(*vertices(three.band(f"simultaneous {edge}")[pair]), strict=True)
        assert {*wide} <= corners, edge
    own = three.verdicts.query("model_a == @a and model_b == @b")
    sides = {"A cheaper": to_hex(style.colour(0)), "B cheaper": to_hex(style.colour(1))}
    assert [
        (round(it.get_x(), 9), round(it.get_width(), 9), to_hex(it.get_facecolor()))
        for it in strips
    ] == [
        (round(start, 9), round(end - start, 9), sides[finding])
        for start, end, finding in zip(own["pc_from"], own["pc_to"], own["finding"], strict=True)
        if finding in sides
    ]


def test_verdicts_for_both_models_of_a_pair_are_drawn(three: cc.Comparison, axes: Any) -> None:
    rows = three.verdicts.query("model_a == 'good' and model_b == 'poor'").iloc[[0, 0]]
    found = rows.assign(finding=["A cheaper", "B cheaper"], pc_from=[0.1, 0.6], pc_to=[0.35, 0.9])
    made = with_table(three, "verdicts", found)
    cc.CostDifferenceDisplay.from_comparison(made).plot(axes[0])
    strips = [(round(it.get_x(), 9), to_hex(it.get_facecolor())) for it in axes[0].patches[1:]]
    assert strips == [(0.1, to_hex(style.colour(0))), (0.6, to_hex(style.colour(1)))]


@pytest.mark.parametrize("pc", [0.23, 0.64])
def test_both_spaces_show_the_same_point(three: cc.Comparison, axes: Any, pc: float) -> None:
    cc.DualityDisplay.from_comparison(three, pc).plot(axes)
    roc, costs = axes
    for name, colour in named(roc).items():
        pooled = three[name].table("envelopes").query("level == 'pooled'")
        corners = {(0, 0), (1, 1), *zip(pooled["at0"], 1 - pooled["at1"], strict=True)}
        hull, iso, dot = lines_of(roc, colour)
        assert {tuple(one) for one in hull.get_xydata()} == corners
        ((fp, tp),) = dot.get_xydata()
        heights = pooled["at1"] * pc + pooled["at0"] * (1 - pc)
        nec = (1 - tp) * pc + fp * (1 - pc)
        assert nec == pytest.approx(heights.min())
        (x0, y0), (x1, y1) = iso.get_xydata()
        assert y0 + (y1 - y0) * fp == pytest.approx(tp)
        assert (y1 - y0) / (x1 - x0) == pytest.approx(1 / pc - 1)
        curve, _, at = lines_of(costs, colour)
        assert curve.get_transform() is costs.transData  # and not where the hull is
        assert curve.get_linewidth() == hull.get_linewidth() == 1.9
        assert curve.get_xydata()[:, 1].max() == pytest.approx(
            three[name]
            .table("envelopes")
            .query("level == 'pooled'")[["nec_from", "nec_to"]]
            .to_numpy()
            .max()
        )
        assert tuple(at.get_xydata()[0]) == pytest.approx((pc, nec))


def test_vertices_areas_and_rules_are_their_own(three: cc.Comparison) -> None:
    for name, curve in three.curves.items():
        frame = curve.to_frame()
        assert [curve.threshold_for(pc) for pc in frame["pc"]] == frame["threshold"].tolist()
        assert f"'{name}' {curve.area:.4f}" in repr(three)
    assert len({round(curve.area, 4) for curve in three.curves.values()}) == 3
    negative, positive = (SCORES["good"][one == LABELS] for one in (0, 1))
    brier = ((negative**2).mean() + ((1 - positive) ** 2).mean()) / 2  # both classes alike
    assert three["good"].rule("score-driven").area() == pytest.approx(brier)


def test_where_a_constant_decision_is_as_cheap_it_is_named(three: cc.Comparison) -> None:
    names = ["good", "poor", "always negative", "always positive"]
    ends = {"pc_from": [0.0, 0.4, 0.0, 0.8], "pc_to": [0.4, 0.8, 0.1, 1.0]}
    rows = three.not_ruled_out.iloc[[0] * 4].assign(decision=names, standing="cheapest", **ends)
    found = with_table(three, "not_ruled_out", rows)
    named = [found.cheapest_at(pc) for pc in (0.05, 0.2, 0.6, 0.9)]
    assert named == ["always negative", "good", "poor", "always positive"]
