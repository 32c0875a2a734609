"""How optimistic is choosing on the data that are judged, and does cross-fitting repair it?

Scores of positives are normal around 1, of negatives around 0 (d' = 1), so what a chosen threshold
will cost on new data is known. Printed, and written to tests/simulations/results/optimism.json, are
mean areas over many data sets in ten folds:

- `fold`, `pooled`: the lower envelopes of the folds, and of all data: chosen where they are judged;
- `cross_fitted`: chosen on nine folds, judged on the tenth;
- `true`: what the choice made on all data really costs; `optimum` is what the best choice would.

Run: ``python -m tests.simulations optimism`` (a minute).
"""

import math
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.special import ndtr

from costcurves.counts.operating_points import from_scores
from costcurves.curves.curves import Curve, mean
from costcurves.curves.envelopes import lower_envelopes
from tests.choosing.fitted import cross_fitted, deployed
from tests.simulations.making import Cell, Row

RESULTS = Path(__file__).parent / "results" / "optimism.json"
DISTANCE = 1.0
FOLDS = 10
RUNS = {20: 8000, 50: 4000, 500: 800}  # data sets, by instances of each class

FloatArray = NDArray[np.float64]


class Areas(NamedTuple):
    """Areas of each simulated data set, shape (data sets,)."""

    fold: FloatArray
    pooled: FloatArray
    cross_fitted: FloatArray
    true: FloatArray


class Estimate(NamedTuple):
    """A mean over data sets and its Monte Carlo standard error."""

    mean: float
    error: float


def areas(rng: np.random.Generator, size: int) -> list[float]:
    """Simulate a data set of `size` positives and `size` negatives: its `Areas`."""
    labels, folds = np.tile([0, 1], size), np.repeat(np.arange(FOLDS), 2 * size // FOLDS)
    scores = rng.normal(size=2 * size) + DISTANCE * labels
    points = from_scores(scores=scores, labels=labels, groups=folds)
    whole = from_scores(scores=scores, labels=labels)
    served = deployed(whole)
    true = 1 - ndtr(served.threshold), ndtr(served.threshold - DISTANCE)
    return [
        mean([envelope.curve for envelope in lower_envelopes(points)]).area(),
        lower_envelopes(whole)[0].curve.area(),
        cross_fitted(points).curve.area(),
        Curve(served.curve.pc, *true).area(),
    ]


def simulate(seed: int, datasets: int, size: int) -> Areas:
    """Simulate many data sets."""
    rng = np.random.default_rng([seed, size])
    return Areas(*np.array([areas(rng, size) for _ in range(datasets)]).T)


def estimate(values: FloatArray) -> Estimate:
    """Mean and standard error, to five digits."""
    error = values.std(ddof=1) / math.sqrt(len(values))
    return Estimate(round(float(values.mean()), 5), round(float(error), 5))


def optimum() -> float:
    """Area under the cost curve of the best thresholds, d'/2 + ln((1 - pc)/pc)/d'."""

    def cost(pc: float) -> float:
        threshold = DISTANCE / 2 + math.log((1 - pc) / pc) / DISTANCE
        return float(pc * ndtr(threshold - DISTANCE) + (1 - pc) * ndtr(-threshold))

    return float(quad(cost, 0, 1)[0])


def row(seed: int, datasets: int, size: int) -> Row:
    """Summarize one size."""
    simulated = simulate(seed, datasets, size)
    return {
        "positives": size,
        "negatives": size,
        "folds": FOLDS,
        "datasets": datasets,
        **{name: estimate(values)._asdict() for name, values in simulated._asdict().items()},
        "cross_fitted - true": estimate(simulated.cross_fitted - simulated.true)._asdict(),
        "optimum": round(optimum(), 5),
    }


TABLES: dict[str, list[Cell]] = {
    "rows": [partial(row, 20061, datasets, size) for size, datasets in RUNS.items()]
}
