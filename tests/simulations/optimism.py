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

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr

from costcurves.counts.operating_points import from_scores
from costcurves.curves.curves import Curve, mean
from costcurves.curves.envelopes import lower_envelopes
from tests.choosing.fitted import cross_fitted, deployed
from tests.simulations.counting import SEED, FloatArray
from tests.simulations.datasets import FOLDS
from tests.simulations.making import Cell, Row

RESULTS = Path(__file__).parent / "results" / "optimism.json"
DISTANCE = 1.0
RUNS = {20: 8000, 50: 4000, 500: 800}  # data sets, by instances of each class


def areas(rng: np.random.Generator, size: int) -> dict[str, float]:
    """Return the areas of one data set of `size` positives and `size` negatives."""
    labels, folds = np.tile([0, 1], size), np.repeat(np.arange(FOLDS), 2 * size // FOLDS)
    scores = rng.normal(size=2 * size) + DISTANCE * labels
    points = from_scores(scores=scores, labels=labels, groups=folds)
    whole = from_scores(scores=scores, labels=labels)
    served = deployed(whole)
    true = 1 - ndtr(served.threshold), ndtr(served.threshold - DISTANCE)
    return {
        "fold": mean([envelope.curve for envelope in lower_envelopes(points)]).area(),
        "pooled": lower_envelopes(whole)[0].curve.area(),
        "cross_fitted": cross_fitted(points).curve.area(),
        "true": Curve(served.curve.pc, *true).area(),
    }


def estimate(values: FloatArray) -> dict[str, float]:
    """Return the mean over data sets and its standard error, to five digits."""
    error = values.std(ddof=1) / math.sqrt(len(values))
    return {"mean": round(float(values.mean()), 5), "error": round(float(error), 5)}


def optimum() -> float:
    """Area under the cost curve of the best thresholds, d'/2 + ln((1 - pc)/pc)/d'."""

    def cost(pc: float) -> float:
        threshold = DISTANCE / 2 + math.log((1 - pc) / pc) / DISTANCE
        return float(pc * ndtr(threshold - DISTANCE) + (1 - pc) * ndtr(-threshold))

    return float(quad(cost, 0, 1)[0])


def row(datasets: int, size: int) -> Row:
    """Simulate data sets of one size."""
    rng = np.random.default_rng([SEED, size])
    rows = [areas(rng, size) for _ in range(datasets)]
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    columns["cross_fitted - true"] = columns["cross_fitted"] - columns["true"]
    start = {"positives": size, "negatives": size, "folds": FOLDS, "datasets": datasets}
    estimates = {name: estimate(values) for name, values in columns.items()}
    return start | estimates | {"optimum": round(optimum(), 5)}


TABLES: dict[str, list[Cell]] = {
    "rows": [partial(row, datasets, size) for size, datasets in RUNS.items()]
}
