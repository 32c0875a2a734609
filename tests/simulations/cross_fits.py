"""Cross-fitted curves of simulated data sets, resampled with the same draws and folds."""

from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtr

from costcurves.chance.resampled_bands import Resampled
from costcurves.chance.resampled_curves import Predicted, cross_fitted_at
from costcurves.chance.resamples import joined
from costcurves.chance.resampling import Weights, weights
from costcurves.counts.cost_weights import cost_weights
from costcurves.counts.operating_points import from_scores
from costcurves.curves.bands import through
from costcurves.curves.curves import Curve
from costcurves.tables.keys import CROSS_FITTED
from tests.choosing.fitted import cross_fitted
from tests.simulations.counting import PLACES, RESAMPLES, FloatArray
from tests.simulations.datasets import FOLDS, Dataset, IntArray, stratified_folds
from tests.unit_costs import unit_costs


class Folded(NamedTuple):
    """Rows of each model in the same folds, resamples of the instances, and each fold's repeat."""

    models: list[Predicted]
    draws: Weights
    of_fold: IntArray


def predicted(data: Dataset, curve: IntArray) -> list[Predicted]:
    """Lay the scores of each model out as rows; a curve is a fold, or another part of them."""
    shape = len(curve) // len(data.labels), len(data.labels)
    cases = np.tile(np.arange(shape[1]), shape[0])
    each = [np.broadcast_to(scores, shape).ravel() for scores in data.scores]
    return [Predicted(cases, data.labels[cases], scores, curve) for scores in each]


def folded(
    rng: np.random.Generator,
    data: Dataset,
    folds: int = FOLDS,
    repeats: int = 1,
    costs: FloatArray | None = None,
) -> Folded:
    """Draw resamples and folds."""
    draws = weights(data.labels, RESAMPLES, rng, costs=costs)
    parts = [stratified_folds(rng, data.labels, folds) + folds * at for at in range(repeats)]
    models = predicted(data, np.concatenate(parts))
    return Folded(models, draws, np.repeat(np.arange(repeats), folds))


def exact_curve(rows: Predicted, of_fold: IntArray | None = None) -> Curve:
    """Return the cross-fitted curve, with its jumps."""
    points = from_scores(scores=rows.score, labels=rows.label, groups=rows.curve)
    return cross_fitted(points, of_fold).curve


def curve_of(rows: Predicted, data: Folded, grid: FloatArray) -> Curve:
    """Return the cross-fitted curve, on the grid."""
    return through(grid, unit_costs(rows, data.of_fold, data.draws, grid).sum(axis=0))


def resampled(
    data: Folded, grid: FloatArray = PLACES, curves: list[Curve] | None = None, **options: Any
) -> list[Resampled]:
    """Resample the cross-fitted curve of each model."""
    models, draws, of_fold = data
    repeats = int(of_fold[-1]) + 1
    curves = curves or [curve_of(rows, data, grid) for rows in models]
    values = [cross_fitted_at(rows, of_fold, draws, grid, **options) for rows in models]
    return [
        joined(curve, CROSS_FITTED, grid, heights, draws, repeats)
        for curve, heights in zip(curves, values, strict=True)
    ]


def true_cost(
    rng: np.random.Generator,
    datasets: int,
    size: int,
    distance: float = 1.0,
    spread: float | None = None,
) -> FloatArray:
    """(places,) what thresholds that are chosen on nine of ten folds really cost, on average.

    Chosen on the mean cost lines of the folds, as cross-fitting does; folds are as large as in the
    simulation. Costs of the spread decide what is chosen and not what it is worth.
    """
    total, part = np.zeros(len(PLACES)), size - size // FOLDS
    labels, weight = np.repeat([1, 0], [part, part]), None
    for _ in range(datasets):
        scores = rng.normal(size=2 * part) + distance * labels
        if spread is not None:
            weight = cost_weights(np.exp(spread * rng.normal(size=2 * part)), labels)
        points = from_scores(scores=scores, labels=labels, weights=weight)
        cost = np.outer(1 - PLACES, points.fp) + np.outer(PLACES, points.fn)
        chosen = points.threshold[np.argmin(cost, axis=1)]
        total += PLACES * ndtr(chosen - distance) + (1 - PLACES) * ndtr(-chosen)
    return total / datasets
