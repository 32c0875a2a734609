"""Displays draw the curves that they are given, on the axes that they are given."""

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

import costcurves as cc
from tests.api.test_facade import GOOD, POOR, Y

QUICK = {"inference": {"resamples": 50}}


@pytest.fixture
def axes() -> Any:
    return Figure().subplots(1, 2)


class Model:
    """A classifier that was fitted: its score is its only feature."""

    def __init__(self, classes: list[Any]) -> None:
        self.classes_ = np.array(classes)

    def predict_proba(self, X: Any) -> Any:  # noqa: N803
        score = np.asarray(X)[:, 0]
        first = self.classes_[0] in (0, "well")
        return np.column_stack([1 - score, score] if first else [score, 1 - score])


class Margins:
    classes_ = np.array([0, 1])

    def decision_function(self, X: Any) -> Any:  # noqa: N803
        return np.asarray(X)[:, 0] - 0.5


def test_a_line_goes_through_the_curve(axes: Any) -> None:
    curve = cc.cost_curve(Y, GOOD, settings=QUICK)
    display = curve.plot(axes[0], band=False, color="red")
    assert display.ax_ is axes[0]
    assert display.figure_ is axes[0].figure
    (line,) = (one for one in axes[0].lines if one.get_color() == "red")
    assert np.array_equal(line.get_xydata(), curve.to_frame()[["pc", "cost"]])


def test_names_are_drawn_as_they_are(axes: Any) -> None:
    curves = cc.compare_models({"_B": GOOD, "$x$": POOR}, Y, settings=QUICK)
    curves.plot(axes[0])
    legend = axes[0].get_legend().get_texts()
    assert [one.get_text() for one in legend] == ["_B", "$x$"]
    assert not any(one.get_parse_math() for one in legend)


def test_a_second_curve_leaves_room_for_the_first(axes: Any) -> None:
    always_wrong = cc.cost_curve(Y, 1 - Y, settings=QUICK)
    always_wrong.plot(axes[0], band=False)
    cc.cost_curve(Y, Y, settings=QUICK).plot(axes[0], band=False)
    assert axes[0].get_ylim() == (0, 1)


@pytest.mark.parametrize(
    "display",
    [cc.CostCurveDisplay, cc.CostDifferenceDisplay, cc.DecisionCurveDisplay, cc.DualityDisplay],
)
def test_from_predictions_estimators_and_cross_validation(display: Any) -> None:
    one, other = {"good": GOOD, "poor": POOR}, {"good": Model([0, 1]), "poor": Model([0, 1])}
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
        found = make(*given, ax=own, settings=QUICK)
        assert axes[0].lines
        assert "</svg>" in found._repr_html_()


def test_held_out_predictions_of_repeats_are_of_the_same_instances() -> None:
    features = np.column_stack([GOOD, POOR])
    halves = [np.arange(0, 15, 2), np.arange(1, 15, 2), np.arange(7, 15), np.arange(7)]
    results = {"estimator": [Model([0, 1])] * 4, "indices": {"test": halves}}
    found = cc.compare_models({"m": results}, Y, X=features)
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
    weighted = cc.compare_models({"m": results}, Y, X=features, costs=costs)
    row = weighted.table("operating_points").query("level == 'pooled'").iloc[-1]
    whole = row["negatives_weight"], row["positives_weight"]
    assert whole == (2 * costs[Y == 0].sum(), 2 * costs[Y == 1].sum())  # in each repeat


def test_the_positive_class_is_found_among_those_that_a_model_knows() -> None:
    labels = np.where(Y, "ill", "well")
    for model in (Model(["ill", "well"]), Model(["well", "ill"])):
        found = cc.compare_models({"m": model}, labels, X=GOOD[:, None], pos_label="ill")
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
        cc.compare_models(models, Y, X=GOOD[:, None])


def test_a_difference_of_one_model_is_refused() -> None:
    one = cc.compare_models({"good": GOOD}, Y)
    with pytest.raises(ValueError, match="differences are none, as there is one model"):
        cc.CostDifferenceDisplay(one)
    with pytest.raises(ValueError, match="pc is 0, expected a PC"):
        cc.DualityDisplay(one.curves, 0)
    with pytest.raises(ValueError, match="ax has to be two axes"):
        cc.DualityDisplay(one.curves).plot(Figure().subplots())


def test_weights_of_samples_are_their_costs(axes: Any) -> None:
    weight = np.arange(1, 16)
    for options in ({"sample_weight": weight}, {"costs": weight}):
        own = cc.CostCurveDisplay.from_predictions(
            Y, Y[::-1], ax=axes[0], name="m", settings=QUICK, **options
        )
        expected = cc.cost_curve(Y, Y[::-1], sample_weight=weight)
        assert np.array_equal(own.curves["m"].cost, expected.cost)


def test_new_axes_are_of_pyplot() -> None:
    from matplotlib import pyplot

    figure = cc.cost_curve(Y, GOOD, settings=QUICK).plot().figure_
    assert figure.number in pyplot.get_fignums()
    pyplot.close(figure)
