"""What steps of the cost ratio near the ends of PC(+) do for rare classes (`curves.conditions`).

Cross-fitted curves of two models, binormal scores correlated 1/2, ten folds, 500 resamples, without
these steps in the evaluation grid and with them. Written to tests/simulations/results/rare.json:

- `errors`: the standard error of the difference of two equal models (d' = 2, 100 positives among
  50,000) over the true one, at PC(+) by cost ratio: on average over data sets, as the median, and
  the standard error of the average; the true one in false positives.
- `verdicts`: with 100 positives among 20,100, chance that a model is called cheaper anywhere, where
  both have d' = 2 and where one has 2.3; width of the simultaneous band at a ratio of .5 and of 5.

Run: ``python -m tests.simulations rare`` (a quarter of an hour on two cores).
"""

from functools import partial
from pathlib import Path

import numpy as np

from costcurves.chance.resampled_bands import Resampled, difference
from costcurves.chance.resampled_curves import cross_fitted_at, evaluation_grid
from costcurves.chance.resamples import joined
from costcurves.curves.conditions import NEAR, STEPS
from costcurves.curves.cost_space import pc_from_ratio
from costcurves.tables.keys import CROSS_FITTED
from tests.simulations.counting import LEVEL, SEED, FloatArray, called_cheaper, counted
from tests.simulations.cross_fits import exact_curve, folded
from tests.simulations.making import Cell, Row
from tests.simulations.verdicts import Design

RESULTS = Path(__file__).parent / "results" / "rare.json"
GRIDS = ("regular", "steps")
RATIOS = (0.43, 0.61, 0.83, 1.13, 1.73, 3.3, 7.7, 23.0)
ERRORS = Design("errors", 100, 49_900, (2.0, 2.0))
VERDICTS = (
    Design("equal", 100, 20_000, (2.0, 2.0), datasets=200),
    Design("different", 100, 20_000, (2.0, 2.3), datasets=200),
)


def prior(design: Design) -> float:
    """Return the share of positives."""
    return design.positives / (design.positives + design.negatives)


def resampled(rng: np.random.Generator, design: Design) -> dict[str, Resampled]:
    """Resample the difference of the two models, on both grids with the same draws."""
    models, draws, of_fold = folded(rng, design.draw(rng))
    curves = [exact_curve(rows) for rows in models]
    steps = np.asarray(pc_from_ratio(STEPS, prior(design)))
    whole = evaluation_grid(curves, steps[steps < NEAR])
    values = [cross_fitted_at(rows, of_fold, draws, whole) for rows in models]
    differences = {}
    for name, grid in zip(GRIDS, (evaluation_grid(curves), whole), strict=True):
        at = np.isin(whole, grid)
        both = (
            joined(curve, CROSS_FITTED, grid, heights[:, at], draws, 1)
            for curve, heights in zip(curves, values, strict=True)
        )
        differences[name] = difference(*both)
    return differences


def errors(datasets: int = 30, of_truth: int = 800) -> list[Row]:
    """Compare standard errors with the true ones, a row a cost ratio."""
    rng, places = np.random.default_rng([SEED, 30]), np.asarray(pc_from_ratio(RATIOS, 0.002))
    truth = []
    for _ in range(of_truth):
        a, b = map(exact_curve, folded(rng, ERRORS.draw(rng)).models)
        truth.append(a(places) - b(places))
    true = np.std(truth, axis=0, ddof=1)
    ratios: dict[str, list[FloatArray]] = {name: [] for name in GRIDS}
    for _ in range(datasets):
        for name, apart in resampled(rng, ERRORS).items():
            ratios[name].append(np.interp(places, apart.grid, apart.narrow) / true)
    return [
        {"ratio": ratio, "false positives": round(float(true[at] * ERRORS.negatives), 2)}
        | {name: _summary(np.array(of_grid)[:, at]) for name, of_grid in ratios.items()}
        for at, ratio in enumerate(RATIOS)
    ]


def _summary(values: FloatArray) -> list[float]:
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    return [round(float(value), 3) for value in (np.mean(values), np.median(values), error)]


def verdict_rows(place: int, design: Design) -> list[Row]:
    """Count any verdict on a design, on each grid."""
    rng = np.random.default_rng([SEED, 31, place])
    rows: dict[str, list[Row]] = {name: [] for name in GRIDS}
    at = {f"width at {ratio:g}": float(pc_from_ratio(ratio, prior(design))) for ratio in (0.5, 5)}
    for _ in range(design.datasets):
        for name, apart in resampled(rng, design).items():
            band = apart.simultaneous(LEVEL)
            widths = {key: (band.upper(pc) - band.lower(pc)) / 2 for key, pc in at.items()}
            rows[name].append(called_cheaper(band) | widths)
    return [counted(design.start() | {"grid": name}, of_grid) for name, of_grid in rows.items()]


TABLES: dict[str, list[Cell]] = {
    "errors": [errors],
    "verdicts": [partial(verdict_rows, *cell) for cell in enumerate(VERDICTS)],
}
