"""Coverage of bands and intervals where instances count by their costs.

Binormal scores (d' = 1), log-normal costs with the given spread of their logarithm, independent of
the scores, one repeat of ten folds: cross-fitted curves, held against what the choices really cost,
on average over data sets; and the expected cost per instance in the costs' own unit.

Pairs of crisp classifiers are compared by sign flips where instances are unweighted; where they
count by their costs, by resampling. `crisp_costs` says how often two that are equal are told apart.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costcurves.chance import resampled_curves as rc
from costcurves.chance.resampled_bands import Resampled, difference
from costcurves.chance.resampled_curves import cross_fitted_at
from costcurves.chance.resamples import joined
from costcurves.chance.resampling import Weights, weights
from costcurves.costs.instance_costs import interval, resampled_costs, stake
from costcurves.counts.cost_weights import cost_weights, effective_size
from costcurves.counts.operating_points import from_decisions
from costcurves.curves.bands import through
from costcurves.curves.curves import line
from costcurves.tables.keys import CROSS_FITTED
from tests.simulations import inference as shared
from tests.simulations.datasets import FOLDS, Dataset, binormal, stratified_folds
from tests.simulations.making import Cell, Row
from tests.unit_costs import unit_costs

RESULTS = shared.RESULTS

FloatArray = NDArray[np.float64]


def instance_costs(datasets: int = 150, resamples: int = 500) -> list[Cell]:
    """Cross-fitted curves with log-normal costs, from equal ones to heavy tails."""
    cells = [(200, 0.0), (200, 1.0), (200, 1.5), (200, 2.0)]
    return [partial(cell, size, spread, datasets, resamples) for size, spread in cells]


def cell(size: int, spread: float, datasets: int, resamples: int) -> Row:
    """Measure data sets of one size and one spread of costs."""
    rng = np.random.default_rng([shared.SEED, size, round(10 * spread), 7])
    truth = shared.true_cost(rng, 500, size, spread=spread)
    mean_cost = float(np.exp(spread**2 / 2))
    rows = []
    for _ in range(datasets):
        data, costs = binormal(rng, size, size), np.exp(spread * rng.normal(size=2 * size))
        rows.append(measured(rng, data, costs, truth, mean_cost, resamples))
    effective = round(float(np.mean([row.pop("effective size") for row in rows])), 1)
    start = {"positives": size, "negatives": size, "spread of log costs": spread}
    common = {"effective size": effective, "datasets": datasets, "resamples": resamples}
    return start | common | shared.shares(rows)


def measured(
    rng: np.random.Generator,
    data: Dataset,
    costs: FloatArray,
    truth: FloatArray,
    mean_cost: float,
    resamples: int,
) -> Row:
    """Say what was found in one data set."""
    weight = cost_weights(costs, data.labels)
    draws = weights(data.labels, resamples, rng, costs=weight)
    folds = stratified_folds(rng, data.labels)
    a, b = (of_model(data, scores, folds, draws) for scores in (data.a, data.b))
    paid = stake(costs, data.labels, 0.5)
    estimate = paid.whole * float(a.estimate(paid.pc))
    values = resampled_costs(paid, draws.share, a.grid, a.values)
    low, _, high = interval(estimate, values, a.dof, shared.LEVEL)
    expected = mean_cost * float(np.interp(0.5, shared.PLACES, truth))
    return {
        "effective size": effective_size(weight[data.labels == 1]),
        "curve, each": shared.contains(a.pointwise(shared.LEVEL), truth)[shared.INNER],
        "curve, whole": shared.contains(a.simultaneous(shared.LEVEL), truth).all(),
        "curve, width": shared.width(a.simultaneous(shared.LEVEL)),
        "width of cost per instance": (high - low) / 2,
        "equal models, any": shared.any_verdict(difference(a, b)),
        "cost per instance": low <= expected <= high,
    }


def of_model(data: Dataset, scores: FloatArray, folds: NDArray[Any], draws: Weights) -> Resampled:
    """Resample the cross-fitted curve of one learner."""
    grid, repeat = rc.evaluation_grid([]), np.zeros(FOLDS, dtype=np.int64)
    rows = shared.rows_of(data.labels, scores, folds)
    estimate = through(grid, unit_costs(rows, repeat, draws, grid).sum(axis=0))
    values = cross_fitted_at(rows, repeat, draws, grid)
    return joined(estimate, CROSS_FITTED, grid, values, draws, 1)


def crisp_costs(datasets: int = 3000, resamples: int = 500) -> list[Cell]:
    """Any verdict between two equal crisp classifiers, by log-normal costs."""
    return [partial(crisp_cell, 200, spread, datasets, resamples) for spread in (1.0, 1.5, 2.0)]


def crisp_cell(size: int, spread: float, datasets: int, resamples: int) -> Row:
    """Measure data sets of one size and one spread of costs.

    Each classifier errs on a fifth of either class, on half of these instances both do, and costs
    are independent of errors: both have the same expected cost at every PC(+).
    """
    rng = np.random.default_rng([shared.SEED, size, round(10 * spread), 8])
    rows = []
    for _ in range(datasets):
        labels = np.repeat([1, 0], size)
        wrong = rng.choice(4, size=2 * size, p=[0.7, 0.1, 0.1, 0.1])  # none, A, B, both
        costs = np.exp(spread * rng.normal(size=2 * size))
        errors = np.isin(wrong, [1, 3]), np.isin(wrong, [2, 3])
        rows.append(crisp_verdict(rng, labels, errors, costs, resamples))
    effective = round(float(np.mean([each.pop("effective size") for each in rows])), 1)
    start = {"positives": size, "negatives": size, "spread of log costs": spread}
    common = {"effective size": effective, "datasets": datasets, "resamples": resamples}
    row = start | common | shared.shares(rows)
    return row | {
        "error of any": round(float(np.sqrt(row["any"] * (1 - row["any"]) / datasets)), 4)
    }


def crisp_verdict(
    rng: np.random.Generator,
    labels: NDArray[Any],
    errors: Sequence[NDArray[np.bool_]],
    costs: FloatArray,
    resamples: int,
) -> Row:
    """Compare two classifiers with these errors as a study does."""
    weight = cost_weights(costs, labels)
    draws = weights(labels, resamples, rng, costs=weight)
    cases, curves, grid = (
        np.arange(len(labels)),
        np.zeros(len(labels), dtype=np.int64),
        rc.evaluation_grid([]),
    )
    models = []
    for wrong in errors:
        decision = np.where(wrong, 1 - labels, labels)
        values = rc.lines_at(rc.Predicted(cases, labels, decision, curves), [0], draws, grid)
        point = from_decisions(decisions=decision, labels=labels, weights=weight)
        estimate = line(float(point.fp[0]), float(point.fn[0]))
        models.append(joined(estimate, CROSS_FITTED, grid, values, draws, 1))
    both = difference(*models)
    return {
        "effective size": effective_size(weight[labels == 1]),
        "any": shared.any_verdict(both),
        "at .5": shared.excludes_zero(both.pointwise(shared.LEVEL), 0.5),
        "width": shared.width(both.simultaneous(shared.LEVEL)),
    }


TABLES: dict[str, list[Cell]] = {"instance_costs": instance_costs(), "crisp_costs": crisp_costs()}
