"""Coverage of bands and intervals where instances count by their costs.

Binormal scores (d' = 1), log-normal costs with the given spread of their logarithm, independent of
the scores, one repeat of ten folds: cross-fitted curves, held against what the choices really cost,
on average over data sets; and the expected cost per instance in the costs' own unit.

Pairs of crisp classifiers are compared by sign flips where instances are unweighted; where they
count by their costs, by resampling. `crisp_costs` says how often two that are equal are told apart.
"""

from functools import partial

import numpy as np

from costcurves.chance import resampled_curves as rc
from costcurves.chance.resampled_bands import difference
from costcurves.chance.resamples import joined
from costcurves.chance.resampling import weights
from costcurves.costs.instance_costs import interval, resampled_costs, stake
from costcurves.counts.cost_weights import cost_weights, effective_size
from costcurves.counts.operating_points import from_decisions
from costcurves.curves.curves import line
from costcurves.tables.keys import CROSS_FITTED
from tests.simulations import counting
from tests.simulations.counting import INNER, LEVEL, PLACES, RESAMPLES, SEED, FloatArray
from tests.simulations.cross_fits import folded, resampled, true_cost
from tests.simulations.datasets import binormal
from tests.simulations.inference import RESULTS as RESULTS
from tests.simulations.making import Cell, Row

SIZE = 200  # positives, and negatives


def start(spread: float, rows: list[Row]) -> Row:
    """Begin the row of a spread of costs."""
    effective = round(float(np.mean([row.pop("effective size") for row in rows])), 1)
    row = {"positives": SIZE, "negatives": SIZE, "spread of log costs": spread}
    return row | {"effective size": effective, "datasets": len(rows), "resamples": RESAMPLES}


def instance_row(spread: float, datasets: int) -> Row:
    """Measure cross-fitted curves with log-normal costs, from equal ones to heavy tails."""
    rng = np.random.default_rng([SEED, SIZE, round(10 * spread), 7])
    truth = true_cost(rng, 500, SIZE, spread=spread)
    rows = [measured(rng, spread, truth) for _ in range(datasets)]
    return start(spread, rows) | counting.shares(rows)


def measured(rng: np.random.Generator, spread: float, truth: FloatArray) -> Row:
    """Return which bands and intervals of one data set contain the truth."""
    data, costs = binormal(rng, SIZE, SIZE), np.exp(spread * rng.normal(size=2 * SIZE))
    weight = cost_weights(costs, data.labels)
    folds = folded(rng, data, costs=weight)
    a, b = resampled(folds, rc.evaluation_grid([]))
    paid = stake(costs, data.labels, 0.5)
    estimate = paid.whole * float(a.estimate(paid.pc))
    values = resampled_costs(paid, folds.draws.share, a.grid, a.values)
    low, _, high = interval(estimate, values, a.dof, LEVEL)
    expected = float(np.exp(spread**2 / 2)) * float(np.interp(0.5, PLACES, truth))
    band = a.simultaneous(LEVEL)
    return {
        "effective size": effective_size(weight[data.labels == 1]),
        "curve, each": counting.contains(a.pointwise(LEVEL), truth)[INNER],
        "curve, whole": counting.contains(band, truth).all(),
        "curve, width": counting.width(band),
        "width of cost per instance": (high - low) / 2,
        "equal models, any": counting.any_verdict(difference(a, b).simultaneous(LEVEL)),
        "cost per instance": low <= expected <= high,
    }


def crisp_row(spread: float, datasets: int) -> Row:
    """Count any verdict between two equal crisp classifiers, by log-normal costs."""
    rng = np.random.default_rng([SEED, SIZE, round(10 * spread), 8])
    rows = [crisp_verdict(rng, spread) for _ in range(datasets)]
    return counting.counted(start(spread, rows), rows)


def crisp_verdict(rng: np.random.Generator, spread: float) -> Row:
    """Compare two classifiers on one data set as a study does.

    Each errs on a fifth of either class, on half of these instances both do, and costs are
    independent of errors: both have the same expected cost at every PC(+).
    """
    labels = np.repeat([1, 0], SIZE)
    wrong = rng.choice(4, size=2 * SIZE, p=[0.7, 0.1, 0.1, 0.1])  # none, A, B, both
    weight = cost_weights(np.exp(spread * rng.normal(size=2 * SIZE)), labels)
    draws = weights(labels, RESAMPLES, rng, costs=weight)
    cases, curves = np.arange(2 * SIZE), np.zeros(2 * SIZE, dtype=np.int64)
    grid, models = rc.evaluation_grid([]), []
    for errors in (np.isin(wrong, [1, 3]), np.isin(wrong, [2, 3])):
        decision = np.where(errors, 1 - labels, labels)
        values = rc.lines_at(rc.Predicted(cases, labels, decision, curves), [0], draws, grid)
        point = from_decisions(decisions=decision, labels=labels, weights=weight)
        estimate = line(float(point.fp[0]), float(point.fn[0]))
        models.append(joined(estimate, CROSS_FITTED, grid, values, draws, 1))
    apart = difference(*models)
    band = apart.simultaneous(LEVEL)
    return {
        "effective size": effective_size(weight[labels == 1]),
        "any": counting.any_verdict(band),
        "at .5": counting.excludes_zero(apart.pointwise(LEVEL), 0.5),
        "width": counting.width(band),
    }


TABLES: dict[str, list[Cell]] = {
    "instance_costs": [partial(instance_row, spread, 150) for spread in (0.0, 1.0, 1.5, 2.0)],
    "crisp_costs": [partial(crisp_row, spread, 3000) for spread in (1.0, 1.5, 2.0)],
}
