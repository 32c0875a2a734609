"""What scripts draw from: the tables' numbers, few of them, in a text that nothing can end."""

import json
from typing import Any

import numpy as np
import pytest

from costcurves.choosing.headline import headline_of
from costcurves.report.explorer import GRAIN, TOLERANCE
from tests.browsed_study import Tables, browsed_report, browsed_tables
from tests.fake_report import assembled, tables

PC = np.linspace(0, 1, 997)


def contents(number: int) -> dict[str, Any]:
    """What the page says of a dataset, with curves as vertices."""
    made = browsed_report().sections
    sections = (made[1], made[-1].sections[1])[number].sections
    (values,) = [section.content for section in sections if section.part == "roc_and_cost"]
    content: dict[str, Any] = json.loads(values.explorer)
    for model in content["models"]:
        steps = [np.array(model["curve"][axis]) for axis in ("pc", "nec")]
        model["curve"] = [np.cumsum(step) * GRAIN for step in steps]
    return content


@pytest.fixture(scope="module")
def scores() -> dict[str, Any]:
    return contents(0)


@pytest.fixture(scope="module")
def results() -> Tables:
    return browsed_tables()["scores"]


def test_points_are_the_counts_of_the_pooled_hull(scores: dict[str, Any], results: Tables) -> None:
    pooled = results["operating_points"][results["operating_points"]["level"] == "pooled"]
    pieces_of = results["envelopes"][results["envelopes"]["level"] == "pooled"]
    for model in scores["models"]:
        points_of = pooled[pooled["model"] == model["name"]].set_index("point")
        pieces = pieces_of[(pieces_of["model"] == model["name"]) & (pieces_of["point"] >= 0)]
        points = model["points"]
        assert points["fp"] == points_of.loc[pieces["point"], "fp_count"].tolist()
        assert points["tp"] == points_of.loc[pieces["point"], "tp_count"].tolist()
        assert points["holder"] == pieces["holder"].tolist()
        rates = np.array(points["fp"]) / points["negatives"]
        assert rates == pytest.approx(pieces["at0"].to_numpy(), abs=1e-12)


def test_curves_are_the_headline(scores: dict[str, Any], results: Tables) -> None:
    near = TOLERANCE + 2 * GRAIN
    for model in scores["models"]:
        curve = headline_of(results["headline"])[model["name"]]
        around = curve(np.clip(PC + np.linspace(-near, near, 9)[:, np.newaxis], 0, 1))
        drawn = np.interp(PC, *model["curve"])  # a jump may stand a little aside
        assert (drawn >= around.min(axis=0) - near).all()
        assert (drawn <= around.max(axis=0) + near).all()
    assert scores["pc"] == 0.5


def test_a_decision_is_one_point_without_a_threshold() -> None:
    for model in contents(1)["models"]:
        assert model["points"]["holder"] == ["decision"]


def test_cost_ratios_begin_at_the_prior_of_deployment() -> None:
    made = assembled({"toy": tables(prior=0.15)})
    (values,) = [
        section.content for section in made.sections[1].sections if section.part == "roc_and_cost"
    ]
    assert json.loads(values.explorer)["prior"] == 0.15  # of the data 0.4 are positive
