"""What bands and verdicts really cover, and what they find: the tables behind the defaults.

Everything is at a nominal level of 90 %. Written to tests/simulations/results/coverage.json:

- `lines`: bands of one cost line, exact: `wilson` for each PC(+) (`mean`, `least` over PC(+) in
  [.05, .95]), `simultaneous` for the whole line (`whole`).
- `equal_crisp`: chance of any verdict of `paired.sign_flips` between equal classifiers, exact.
- `curves`: lower envelopes of binormal scores (d' = 1): how often bands contain the expectation of
  such an envelope, and how often the cost of the best thresholds, which they do not claim.
- `repeats`: ten times ten folds, 30 + 30 instances, two exchangeable learners: any verdict, by
  every route.
- `cross_fits`: cross-fitted curves of one repeat of ten folds, binormal scores, by all ways of
  `resampled_curves`: as `curves`, and differences, but held against what the choices really cost,
  on average over data sets.

- `instance_costs`: the same with instances that count by log-normal costs (`costs`), at the chosen
  way; and the expected cost per instance.
- `crisp_costs`: equal crisp classifiers with such costs, which are compared by resampling: any
  verdict, with the error of its simulation; and the band at PC(+) = .5 by itself.

Run: ``python -m tests.simulations inference`` (a quarter of an hour on two cores).
"""

from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from costcurves.chance import resampled_curves as rc
from costcurves.chance.resampled_bands import Resampled, difference
from costcurves.chance.resampled_bands import resampled as joined
from costcurves.chance.resampling import weights
from costcurves.counts.operating_points import from_scores
from costcurves.curves.curves import Curve, mean
from costcurves.curves.envelopes import lower_envelopes
from costcurves.pairs import paired
from costcurves.pairs.comparisons import Comparison
from tests.choosing.fitted import envelope_heights
from tests.simulations import counting
from tests.simulations import lines as exact
from tests.simulations.counting import INNER, LEVEL, PLACES, RESAMPLES, SEED, FloatArray
from tests.simulations.cross_fits import curve_of, folded, predicted, resampled, true_cost
from tests.simulations.datasets import Dataset, best_cost, binormal, cross_validated
from tests.simulations.making import Cell, Row

RESULTS = Path(__file__).parent / "results" / "coverage.json"
WAYS: dict[str, dict[str, float]] = {
    "kept": {"made_again": 0},
    "made again": {"made_again": 1},
    "between": {},
}


def curve_row(positives: int, negatives: int, datasets: int) -> Row:
    """Compare bands of the envelope of one test set with its expectation over data sets."""
    rng, of_truth = (np.random.default_rng([SEED, positives, seed]) for seed in (1, 11))
    expected = expectation(of_truth, 20 * datasets, positives, negatives)
    rows, best = [], best_cost(PLACES[INNER])
    for _ in range(datasets):
        a, _ = both_envelopes(rng, binormal(rng, positives, negatives))
        point, whole = a.pointwise(LEVEL), a.simultaneous(LEVEL)
        row = {
            "each": counting.contains(point, expected)[INNER],
            "whole": counting.contains(whole, expected).all(),
            "width of each": counting.width(point),
            "width": counting.width(whole),
            "best thresholds, each": counting.contains(point, best, PLACES[INNER]),
            "best thresholds, whole": counting.contains(whole, best, PLACES[INNER]).all(),
        }
        rows.append(row)
    start = {"positives": positives, "negatives": negatives, "datasets": datasets}
    return start | {"resamples": RESAMPLES} | counting.shares(rows)


def repeat_row(seed: int, verdicts: Callable[..., Row], datasets: int) -> Row:
    """Count any verdict on ten times ten folds of 30 + 30 instances, by one way."""
    rng = np.random.default_rng([SEED, seed])
    rows = [verdicts(rng, cross_validated(rng, 30, 30)) for _ in range(datasets)]
    start = {"positives": 30, "negatives": 30, "datasets": datasets, "resamples": RESAMPLES}
    return start | counting.shares(rows)


def instance_verdicts(rng: np.random.Generator, data: Dataset) -> Row:
    """Return any verdict on one data set, instances being the unit."""
    flips = crisp_repeats(rng, data)
    return judged("sign flips", flips) | judged("envelopes", difference(*both_envelopes(rng, data)))


def cross_fitted_verdicts(rng: np.random.Generator, data: Dataset) -> Row:
    """Return any verdict on one data set from cross-fitted curves, by all ways of resampling."""
    row: Row = {}
    for way, both in both_cross_fitted(rng, data, repeats=10).items():
        row |= judged(f"cross-fitted, {way}", difference(*both))
    return row


def cross_fit_rows(size: int, distance_b: float, datasets: int) -> list[Row]:
    """Compare bands of A (d' = 1) and of its difference to B with the true cost of the choices."""
    rng, of_truth = (np.random.default_rng([SEED, size, seed]) for seed in (6, 16))
    of_a, of_b = (true_cost(of_truth, 1000, size, distance) for distance in (1.0, distance_b))
    truth = of_a - of_b if distance_b != 1 else np.zeros(len(PLACES))
    rows: dict[str, list[Row]] = {way: [] for way in WAYS}
    for _ in range(datasets):
        for way, (a, b) in both_cross_fitted(rng, binormal(rng, size, size, distance_b)).items():
            rows[way].append(cross_fit_cell(difference(a, b), truth, a, of_a))
    start = {"positives": size, "negatives": size, "distance of B": distance_b}
    common = start | {"datasets": datasets, "resamples": RESAMPLES}
    return [common | {"choices": way} | counting.shares(of_way) for way, of_way in rows.items()]


def cross_fit_cell(apart: Resampled, truth: FloatArray, a: Resampled, of_a: FloatArray) -> Row:
    """Return which bands of one data set contain the truth."""
    band, band_of_a = apart.simultaneous(LEVEL), a.simultaneous(LEVEL)
    return {
        "any": counting.any_verdict(band),
        "wrong side": wrong_side(band, truth),
        "simultaneous at .5": counting.excludes_zero(band, 0.5),
        "difference, whole": counting.contains(band, truth).all(),
        "difference, width": counting.width(band),
        "curve, each": counting.contains(a.pointwise(LEVEL), of_a)[INNER],
        "curve, whole": counting.contains(band_of_a, of_a).all(),
        "curve, width": counting.width(band_of_a),
    }


def crisp_repeats(rng: np.random.Generator, data: Dataset) -> paired.SignFlips:
    """Compare the decisions of all repeats, losses averaged over them."""

    def of_class(value: int) -> paired.Differences:
        scores = data.scores[:, :, data.labels == value]
        repeats, size = scores.shape[1:]
        wrong_a, wrong_b = (((each > 0.5) != value).ravel() for each in scores)
        instances, sizes = (
            np.tile(np.arange(size), repeats),
            np.full(repeats * size, repeats * size),
        )
        return paired.differences(paired.shares(instances, wrong_a, wrong_b, sizes, size))

    return paired.sign_flips(of_class(0), of_class(1), RESAMPLES, rng)


def both_envelopes(rng: np.random.Generator, data: Dataset) -> list[Resampled]:
    """Resample the mean envelopes of the repeats of both learners with the same draws."""
    draws = weights(data.labels, RESAMPLES, rng)
    repeats, count = data.scores.shape[1:]
    models = predicted(data, np.repeat(np.arange(repeats), count))
    estimates = [envelope(rows) for rows in models]
    grid = rc.evaluation_grid(estimates)
    return [
        joined(estimate, grid, rc.envelopes_at(model, draws, grid), draws)
        for estimate, model in zip(estimates, models, strict=True)
    ]


def both_cross_fitted(
    rng: np.random.Generator, data: Dataset, repeats: int = 1
) -> dict[str, list[Resampled]]:
    """Resample the cross-fitted curves of both learners in all ways."""
    folds, grid = folded(rng, data, repeats=repeats), rc.evaluation_grid([])
    curves = [curve_of(rows, folds, grid) for rows in folds.models]
    return {way: resampled(folds, grid, curves, **options) for way, options in WAYS.items()}


def expectation(
    rng: np.random.Generator, datasets: int, positives: int, negatives: int
) -> FloatArray:
    """(places,) mean height of envelopes of many data sets."""
    labels = np.repeat([1, 0], [positives, negatives])
    scores = rng.normal(size=(datasets, len(labels))) + labels
    order = np.argsort(-scores, axis=1)
    is_positive = np.pad(labels[order], ((0, 0), (1, 0)))
    fp = np.cumsum(np.pad(1 - labels[order], ((0, 0), (1, 0))), axis=1)
    heights: FloatArray = envelope_heights(fp, np.cumsum(is_positive, axis=1), PLACES).mean(axis=0)
    return heights


def envelope(rows: rc.Predicted) -> Curve:
    """Return the mean of the lower envelopes of rows."""
    points = from_scores(scores=rows.score, labels=rows.label, groups=rows.curve)
    return mean([each.curve for each in lower_envelopes(points)])


def judged(name: str, comparison: Comparison) -> Row:
    """Return whether there is any verdict, and how wide its band is."""
    band = comparison.simultaneous(LEVEL)
    return {f"{name}, any": counting.any_verdict(band), f"{name}, width": counting.width(band)}


def wrong_side(band: Any, truth: FloatArray) -> bool:
    """Return whether a verdict has the wrong side anywhere (zero has no right side)."""
    above, below = band.lower(PLACES) > 0, band.upper(PLACES) < 0
    return bool((above & (truth <= 0)).any() or (below & (truth >= 0)).any())


TABLES: dict[str, list[Cell]] = {
    "lines": [
        partial(exact.coverage, *sizes, fn, fp)
        for sizes, fn, fp in product(exact.SIZES, exact.RATES, exact.RATES)
    ],
    "equal_crisp": [
        partial(exact.familywise_error, *sizes, share)
        for sizes, share in product(exact.DISCORDANT_SIZES, exact.DISCORDANCES)
    ],
    "curves": [partial(curve_row, *c) for c in ((20, 10, 1000), (50, 50, 1000), (200, 200, 500))],
    "repeats": [
        partial(repeat_row, 3, instance_verdicts, 1500),
        partial(repeat_row, 5, cross_fitted_verdicts, 300),
    ],
    "cross_fits": [
        partial(cross_fit_rows, 50, 1.0, 400),
        *(partial(cross_fit_rows, *c, 200) for c in ((50, 1.4), (200, 1.0), (200, 1.4))),
    ],
}
