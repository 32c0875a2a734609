"""How optimistic is choosing on the data that are judged, and does cross-fitting repair it?

Scores of positives are normal around 1, of negatives around 0 (d' = 1), so what a chosen threshold
will cost on new data is known. Printed, and written to tests/simulations/results/optimism.json, are
mean areas over many data sets in ten folds:

- `fold`, `pooled`: the lower envelopes of the folds, and of all data: chosen where they are judged;
- `cross_fitted`: chosen on nine folds, judged on the tenth;
- `true`: what the choice made on all data really costs; `optimum` is what the best choice would.

Run: ``python -m tests.simulations.optimism`` (a minute).
"""

import math
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.special import ndtr

from tests.choosing.fitted import areas as areas_of
from tests.choosing.fitted import judged_on_held_out
from tests.simulations.making import Row, made, write

RESULTS = Path(__file__).parent / "results" / "optimism.json"
DISTANCE = 1.0
FOLDS = 10
RUNS = {20: 8000, 50: 4000, 500: 800}  # data sets, by instances of each class
AT_ONCE = 200_000  # errors of candidates on folds, of data sets that are worked on together

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


def draw(
    rng: np.random.Generator, datasets: int, size: int
) -> tuple[FloatArray, NDArray[np.int64], NDArray[np.int64]]:
    """Thresholds (falling, behind inf), and errors (data sets, folds, candidates) of each."""
    labels = np.tile([0, 1], size)
    folds = np.repeat(np.arange(FOLDS), 2 * size // FOLDS)
    scores = rng.normal(size=(datasets, 2 * size)) + DISTANCE * labels
    order = np.argsort(-scores, axis=1)
    thresholds = np.pad(
        np.take_along_axis(scores, order, 1), ((0, 0), (1, 0)), constant_values=np.inf
    )
    in_fold = folds[order][:, np.newaxis] == np.arange(FOLDS)[:, np.newaxis]
    is_positive = labels[order][:, np.newaxis] == 1
    no_candidate = ((0, 0), (0, 0), (1, 0))
    fp_count = np.pad(np.cumsum(in_fold & ~is_positive, axis=2), no_candidate)
    tp_count = np.pad(np.cumsum(in_fold & is_positive, axis=2), no_candidate)
    return thresholds, fp_count, tp_count[..., -1:] - tp_count


def chosen_on_first(
    fp_count: NDArray[np.generic], fn_count: NDArray[np.generic], sizes: NDArray[np.int64]
) -> FloatArray:
    """Areas of what is chosen on the first of two folds and judged on the second."""
    return areas_of(judged_on_held_out(fp_count, fn_count, sizes, sizes))[1::2]


def areas(rng: np.random.Generator, datasets: int, size: int) -> Areas:
    """Simulate data sets of `size` positives and `size` negatives."""
    thresholds, fp_count, fn_count = draw(rng, datasets, size)
    fold_size = np.full(FOLDS, size // FOLDS)
    folds = judged_on_held_out(fp_count, fn_count, fold_size, fold_size)
    all_fp, all_fn = fp_count.sum(axis=1), fn_count.sum(axis=1)
    one_fold = (-1, fp_count.shape[2])
    per_fold = twice(fp_count.reshape(one_fold)), twice(fn_count.reshape(one_fold))
    true_fp, true_fn = 1 - ndtr(thresholds), ndtr(thresholds - DISTANCE)
    against_truth = np.stack([all_fp / size, true_fp], 1), np.stack([all_fn / size, true_fn], 1)
    return Areas(
        chosen_on_first(*per_fold, fold_size[:2]).reshape(datasets, FOLDS).mean(axis=1),
        chosen_on_first(twice(all_fp), twice(all_fn), np.array([size, size])),
        areas_of(folds).reshape(datasets, FOLDS).mean(axis=1),
        chosen_on_first(*against_truth, np.array([1, 1])),
    )


def twice(count: NDArray[np.int64]) -> NDArray[np.int64]:
    """(data sets, 2, candidates): a fold to choose on, and the same to judge on."""
    return np.stack([count, count], axis=1)


def simulate(seed: int, datasets: int, size: int) -> Areas:
    """Simulate many data sets, in parts that fit the memory."""
    part = max(1, AT_ONCE // (FOLDS * 2 * size))
    rng = np.random.default_rng([seed, size])
    parts = [areas(rng, min(part, datasets - i), size) for i in range(0, datasets, part)]
    return Areas(*(np.concatenate(found) for found in zip(*parts, strict=True)))


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
    found = simulate(seed, datasets, size)
    return {
        "positives": size,
        "negatives": size,
        "folds": FOLDS,
        "datasets": datasets,
        **{name: estimate(values)._asdict() for name, values in found._asdict().items()},
        "cross_fitted - true": estimate(found.cross_fitted - found.true)._asdict(),
        "optimum": round(optimum(), 5),
    }


def main() -> None:
    """Simulate, print and write the table."""
    (rows,) = made(partial(row, 20061, datasets, size) for size, datasets in RUNS.items())
    print(*rows, sep="\n")
    write(RESULTS, {"distance": DISTANCE, "seed": 20061, "rows": rows})


if __name__ == "__main__":
    main()
