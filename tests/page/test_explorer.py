"""What scripts draw from: the tables' numbers, few of them, in a text that nothing can end."""

import json
from typing import Any

import numpy as np
import pytest

from costcurves.choosing.headline import headline_of
from costcurves.figures.polylines import filtered
from costcurves.report.explorer import GRAIN, TOLERANCE
from tests.browsed_study import browsed_report, browsed_tables
from tests.fake_report import assembled, parts_of, tables

PC = np.linspace(0, 1, 997)
NEAR = TOLERANCE + 2 * GRAIN


def contents(slug: str) -> Any:
    """What the page says of a dataset."""
    return json.loads(parts_of(browsed_report(), slug)["roc_and_cost"].content.explorer)


def test_points_are_the_counts_of_the_pooled_hull_and_curves_the_headline() -> None:
    scores, results = contents("scores"), browsed_tables()["scores"]
    assert scores["pc"] == 0.5
    for model in scores["models"]:
        of = {"model": model["name"], "level": "pooled"}
        pieces = filtered(results["envelopes"], **of).query("point >= 0")
        rows = filtered(results["operating_points"], **of).set_index("point").loc[pieces["point"]]
        points = model["points"]
        assert points["fp"] == rows["fp_count"].tolist()
        assert points["tp"] == rows["tp_count"].tolist()
        assert points["holder"] == pieces["holder"].tolist()
        rates = np.array(points["fp"]) / points["negatives"]
        assert rates == pytest.approx(pieces["at0"].to_numpy(), abs=1e-12)
        curve = headline_of(results["headline"])[model["name"]]
        around = curve(np.clip(PC + np.linspace(-NEAR, NEAR, 9)[:, np.newaxis], 0, 1))
        at, nec = (np.cumsum(model["curve"][axis]) * GRAIN for axis in ("pc", "nec"))
        drawn = np.interp(PC, at, nec)  # a jump may stand a little aside
        assert (drawn >= around.min(axis=0) - NEAR).all()
        assert (drawn <= around.max(axis=0) + NEAR).all()


def test_a_decision_is_one_point_without_a_threshold() -> None:
    for model in contents("decisions")["models"]:
        assert model["points"]["holder"] == ["decision"]


def test_cost_ratios_begin_at_the_prior_of_deployment() -> None:
    content = parts_of(assembled({"toy": tables(prior=0.15)}))["roc_and_cost"].content
    assert json.loads(content.explorer)["prior"] == 0.15  # of the data 0.4 are positive
