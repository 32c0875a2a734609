"""One design of the simulations again, briefly: `make simulations` measures all of them."""

import json
from math import sqrt
from typing import Any

import numpy as np
import pytest

from costcurves.chance.resampled_bands import difference
from tests.simulations import by_design
from tests.simulations.inference import LEVEL, PLACES

DATASETS = 60
DESIGN = "40 + 60"


@pytest.fixture(scope="module")
def simulated() -> list[dict[str, Any]]:
    """Draw the first data sets again: false statements, the width of a band, and a curve."""
    (place,) = (at for at, design in enumerate(by_design.DESIGNS) if design.name == DESIGN)
    design, rng = by_design.DESIGNS[place], by_design.random_numbers(place)
    rows = []
    for _ in range(DATASETS):
        a, b = by_design.resampled(rng, design)
        band = a.simultaneous(LEVEL)
        edges = {"lower": band.lower(PLACES), "upper": band.upper(PLACES)}
        rows.append(by_design.statements(difference(a, b)) | edges | {"at": a.estimate(PLACES)})
    return rows


@pytest.fixture(scope="module")
def published() -> dict[str, Any]:
    designs = json.loads(by_design.RESULTS.read_text("utf-8"))["designs"]
    (row,) = (entry for entry in designs if entry["design"] == DESIGN)
    return dict(row)


def test_bands_are_as_wide_as_published(
    simulated: list[dict[str, Any]], published: dict[str, Any]
) -> None:
    widths = np.array([row["width"] for row in simulated])
    error = widths.std(ddof=1) / sqrt(DATASETS)
    assert abs(widths.mean() - published["width"]) <= 3 * error
    assert error < 0.03 * published["width"]  # so that a band that is a tenth narrower is seen


@pytest.mark.parametrize("name", ["any", "mean", "named", "statement"])
def test_false_statements_are_as_rare_as_published(
    simulated: list[dict[str, Any]], published: dict[str, Any], name: str
) -> None:
    share = np.mean([row[name] for row in simulated])
    error = sqrt(published[name] * (1 - published[name]) / DATASETS)
    assert abs(share - published[name]) <= 3 * error


def test_bands_hold_the_mean_curve_as_often_as_published(
    simulated: list[dict[str, Any]], published: dict[str, Any]
) -> None:
    mean = np.mean([row["at"] for row in simulated], axis=0)
    inside = [(row["lower"] <= mean + 1e-9) & (mean <= row["upper"] + 1e-9) for row in simulated]
    share = np.mean(np.all(inside, axis=1))
    error = sqrt(published["band"] * (1 - published["band"]) / DATASETS)
    assert abs(share - published["band"]) <= 3 * error
