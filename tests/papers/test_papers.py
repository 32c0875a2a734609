"""The numbers of the papers: every value in the JSON files beside, with where it stands."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from costcurves.counts.operating_points import OperatingPoints, from_scores
from costcurves.curves import cost_space, curves, reid
from costcurves.curves.envelopes import lower_envelope, lower_envelopes
from costcurves.ranking import roc_averages
from costcurves.ranking.roc import auc

EPSILON = float(np.finfo(np.float64).eps)
GOLDEN: dict[str, list[dict[str, Any]]] = {
    paper.stem: json.loads(paper.read_text(encoding="utf-8"))["values"]
    for paper in sorted(Path(__file__).parent.glob("*.json"))
}
VALUES = [
    pytest.param(value, id=f"{paper}: {value['where']}")
    for paper, values in GOLDEN.items()
    for value in values
]

Points = list[list[float]]  # [fp, tp] each


def number(text: str) -> float:
    return float(Fraction(text))


def numbers(value: Any) -> Any:
    """The floats of a number, or of a list of lists of them."""
    return [numbers(item) for item in value] if isinstance(value, list) else number(value)


def envelope(fp: float, tp: float) -> curves.Curve:
    return lower_envelope([fp], [1 - tp]).curve


def average(points: Points) -> curves.Curve:
    return curves.mean([envelope(fp, tp) for fp, tp in points])


def roc_curves(points: Points) -> list[roc_averages.Roc]:
    return [(np.array([0, fp, 1]), np.array([0, tp, 1])) for fp, tp in points]


def least_cost(fp: Any, tp: Any, pc: float) -> Any:
    return np.min(cost_space.nec(pc, fp, 1 - tp))


def operating_points(scores: list[float], classes: list[float]) -> OperatingPoints:
    """From the conventions of Hernandez-Orallo et al. to ours: class 0 is their positive one."""
    return from_scores(
        scores=[-score for score in scores], labels=[1 - int(label) for label in classes]
    )


CALLS: dict[str, Callable[..., Any]] = {
    "largest of the trivial classifiers": lambda: curves.largest(curves.trivial()),
    "operating range of points": lambda points: curves.operating_range(average(points)),
    "cost of points": lambda points, pc: [cost_space.nec(pc, fp, 1 - tp) for fp, tp in points],
    "cost ratios within a range": lambda ratios, prior, low, high: [
        low < cost_space.pc_from_ratio(ratio, prior) < high for ratio in ratios
    ],
    "break points of the cost-space average": lambda points: average(points).pc,
    "FP rates of the cost-space average": lambda points: average(points).at0,
    "TP rates of the cost-space average": lambda points: 1 - average(points).at1,
    "height of the cost-space average": lambda points, pc: average(points)(pc),
    "least cost of the vertical average": lambda points, pc: least_cost(
        *roc_averages.vertical(roc_curves(points)), pc
    ),
    "least cost of the horizontal average": lambda points, pc: least_cost(
        *roc_averages.horizontal(roc_curves(points)), pc
    ),
    "holders of the lower envelope": lambda scores, classes: (
        lower_envelopes(operating_points(scores, classes))[0].holders
    ),
    "break points of the lower envelope": lambda scores, classes: (
        lower_envelopes(operating_points(scores, classes))[0].curve.pc
    ),
    "AUC": lambda scores, classes: auc(operating_points(scores, classes)),
}


def named(call: str) -> Callable[..., Any]:
    """A function above, or one of the package: module.function."""
    module, _, function = call.partition(".")
    return CALLS.get(call) or getattr({"cost_space": cost_space, "reid": reid}[module], function)


@pytest.mark.parametrize("value", VALUES)
def test_the_papers_numbers(value: dict[str, Any]) -> None:
    arguments = {name: numbers(argument) for name, argument in value["with"].items()}
    result = np.ravel(named(value["call"])(**arguments))
    expected = np.array(numbers(value["gives"]))
    assert result.shape == expected.shape
    np.testing.assert_allclose(result, expected, rtol=4 * EPSILON, atol=2 * EPSILON)


@pytest.mark.parametrize("paper", GOLDEN)
def test_every_value_says_where_it_stands(paper: str) -> None:
    keys = {"where", "what", "call", "with", "gives"}
    for value in GOLDEN[paper]:
        assert keys <= set(value) <= keys | {"erratum"}
