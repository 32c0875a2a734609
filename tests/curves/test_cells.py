"""Cells of scores: what counting in them instead of row by row changes."""

import numpy as np
import pytest
from numpy.typing import NDArray

from costcurves.counts.operating_points import from_scores
from costcurves.curves.cells import MOST_CELLS, cells
from tests.choosing.fitted import envelope_heights

PLACES = np.linspace(0, 1, 257)


@pytest.mark.parametrize("digits", [16, 3])
def test_bands_of_cells_are_those_of_rows_within_a_fiftieth_of_their_width(digits: int) -> None:
    """The same 1,000 draws, counted at all of some thousand scores, and in cells of them."""
    rng = np.random.default_rng(20061)
    labels = rng.random(4000) < 0.2
    scores = 1 / (1 + np.exp(-rng.normal(1.5 * labels)))
    points = from_scores(scores=scores.round(digits), labels=labels)
    bounds = cells(points)
    assert len(bounds) <= MOST_CELLS + 1 < len(points.threshold)
    fp, tp = (above(counts, rng) for counts in (points.fp_count, points.tp_count))
    exact, rough = edges(fp, tp), edges(fp[:, bounds], tp[:, bounds])
    width = (exact[1] - exact[0]).mean()
    assert (rough - exact).mean(axis=1).min() >= 0  # fewer thresholds, none cheaper
    assert np.abs(rough - exact).mean() < 0.02 * width
    assert (
        np.abs(np.diff(rough - exact, axis=0)).mean() < 0.01 * width
    )  # nearly the same in each resample


def above(counts: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw a class again, one fewer than there are: (resamples, points) above each threshold."""
    steps = np.diff(counts)
    drawn = rng.multinomial(steps.sum() - 1, steps / steps.sum(), 1000)
    return np.pad(np.cumsum(drawn, axis=1), ((0, 0), (1, 0)))


def edges(fp: NDArray[np.int64], tp: NDArray[np.int64]) -> NDArray[np.float64]:
    """(2, places) the 5th and the 95th percentile of resampled lower envelopes."""
    return np.quantile(envelope_heights(fp, tp, PLACES), [0.05, 0.95], axis=0)
