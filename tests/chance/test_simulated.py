"""One design of the simulations again, briefly: `make simulations` measures all of them."""

import json
from math import sqrt

import numpy as np

from costcurves.chance.resampled_bands import difference
from tests.simulations import by_design
from tests.simulations.counting import LEVEL, PLACES

DATASETS = 60
DESIGN = "40 + 60"


def test_errors_are_as_rare_and_bands_as_wide_as_published() -> None:
    """The first data sets drawn again: false statements, the width of a band, what it holds."""
    (place,) = (at for at, design in enumerate(by_design.DESIGNS) if design.name == DESIGN)
    design, rng = by_design.DESIGNS[place], by_design.random_numbers(place)
    designs = json.loads(by_design.RESULTS.read_text("utf-8"))["designs"]
    (published,) = (row for row in designs if row["design"] == DESIGN)
    rows, bands, curves = [], [], []
    for _ in range(DATASETS):
        a, b = by_design.resampled(rng, design)
        rows.append(by_design.statements(difference(a, b)))
        bands.append(a.simultaneous(LEVEL))
        curves.append(a.estimate(PLACES))
    mean = np.mean(curves, axis=0)
    inside = [(b.lower(PLACES) <= mean + 1e-9) & (mean <= b.upper(PLACES) + 1e-9) for b in bands]
    simulated = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    simulated["band"] = np.all(inside, axis=1)
    widths = simulated["width"]
    error = widths.std(ddof=1) / sqrt(DATASETS)
    assert abs(widths.mean() - published["width"]) <= 3 * error
    assert error < 0.03 * published["width"]  # so that a band that is a tenth narrower is seen
    for name in ("any", "mean", "named", "statement", "band"):
        error = sqrt(published[name] * (1 - published[name]) / DATASETS)
        assert abs(simulated[name].mean() - published[name]) <= 3 * error, name
