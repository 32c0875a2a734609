"""One design of the simulations again, briefly: `make simulations` measures all of them."""

import json
from math import sqrt
from typing import Any

import numpy as np
import pytest

from costcurves.chance.resampled_bands import difference
from tests.simulations import by_design
from tests.simulations.counting import LEVEL, PLACES

DATASETS = 60
DESIGN = "40 + 60"
Columns = dict[str, Any]


@pytest.fixture(scope="module")
def simulated() -> Columns:
    """Draw the first data sets again: false statements, the width of a band, what it holds."""
    (place,) = (at for at, design in enumerate(by_design.DESIGNS) if design.name == DESIGN)
    design, rng = by_design.DESIGNS[place], by_design.random_numbers(place)
    rows, bands, curves = [], [], []
    for _ in range(DATASETS):
        a, b = by_design.resampled(rng, design)
        rows.append(by_design.statements(difference(a, b)))
        bands.append(a.simultaneous(LEVEL))
        curves.append(a.estimate(PLACES))
    mean = np.mean(curves, axis=0)
    inside = [(b.lower(PLACES) <= mean + 1e-9) & (mean <= b.upper(PLACES) + 1e-9) for b in bands]
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    return columns | {"band": np.all(inside, axis=1)}


@pytest.fixture(scope="module")
def published() -> Columns:
    designs = json.loads(by_design.RESULTS.read_text("utf-8"))["designs"]
    return next(dict(row) for row in designs if row["design"] == DESIGN)


def test_bands_are_as_wide_as_published(simulated: Columns, published: Columns) -> None:
    widths = simulated["width"]
    error = widths.std(ddof=1) / sqrt(DATASETS)
    assert abs(widths.mean() - published["width"]) <= 3 * error
    assert error < 0.03 * published["width"]  # so that a band that is a tenth narrower is seen


@pytest.mark.parametrize("name", ["any", "mean", "named", "statement", "band"])
def test_errors_are_as_rare_as_published(simulated: Columns, published: Columns, name: str) -> None:
    error = sqrt(published[name] * (1 - published[name]) / DATASETS)
    assert abs(simulated[name].mean() - published[name]) <= 3 * error
