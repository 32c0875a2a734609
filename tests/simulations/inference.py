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
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from costcurves.chance import resampled_curves as rc
from costcurves.chance.resampled_bands import Resampled, difference, resampled
from costcurves.chance.resampled_curves import cross_fitted_at
from costcurves.chance.resamples import joined
from costcurves.chance.resampling import weights
from costcurves.counts.cost_weights import cost_weights
from costcurves.counts.operating_points import from_scores
from costcurves.curves.bands import through
from costcurves.curves.curves import Curve, mean
from costcurves.curves.envelopes import lower_envelopes
from costcurves.pairs import paired, verdicts
from costcurves.pairs.comparisons import Comparison
from costcurves.tables.keys import CROSS_FITTED
from tests.choosing.fitted import envelope_heights
from tests.simulations import lines as exact
from tests.simulations.datasets import (
    FOLDS,
    Dataset,
    best_cost,
    binormal,
    cross_validated,
    stratified_folds,
)
from tests.simulations.making import Cell, Row
from tests.unit_costs import unit_costs

RESULTS = Path(__file__).parent / "results" / "coverage.json"
SEED = 20061
LEVEL = exact.LEVEL
PLACES = np.linspace(0, 1, 129)
INNER = (PLACES >= 0.05) & (PLACES <= 0.95)

WAYS: dict[str, Callable[..., NDArray[np.float64]]] = {
    "kept": partial(cross_fitted_at, made_again=0),
    "made again": partial(cross_fitted_at, made_again=1),
    "between": cross_fitted_at,
}

FloatArray = NDArray[np.float64]


def lines() -> list[Cell]:
    """Bands of one line."""
    cells = ((*sizes, fn, fp) for sizes in exact.SIZES for fn in exact.RATES for fp in exact.RATES)
    return [partial(line_row, *cell) for cell in cells]


def line_row(*cell: Any) -> Row:
    """Bands of one line with these sizes and rates."""
    return exact.coverage(*cell)._asdict()


def equal_crisp() -> list[Cell]:
    """Sign flips between equal classifiers."""
    sizes, shares = exact.DISCORDANT_SIZES, exact.DISCORDANCES
    return [partial(equal_row, *size, share) for size in sizes for share in shares]


def equal_row(m: int, n: int, q: float) -> Row:
    """Sign flips between two classifiers that differ on a share of the instances."""
    row = {"positives": m, "negatives": n, "discordance": q}
    return row | {"any": exact.familywise_error(m, n, q)}


def curves(datasets: int = 1000, resamples: int = 500) -> list[Cell]:
    """Bands of one envelope."""
    sizes = [(20, 10, datasets), (50, 50, datasets), (200, 200, datasets // 2)]
    return [partial(curve_row, *size, resamples) for size in sizes]


def curve_row(positives: int, negatives: int, datasets: int, resamples: int) -> Row:
    """Bands of the envelope of one test set, held against its expectation over data sets."""
    rng, of_truth = (np.random.default_rng([SEED, positives, seed]) for seed in (1, 11))
    expected = expectation(of_truth, 20 * datasets, positives, negatives)
    rows, best = [], best_cost(PLACES[INNER])
    for _ in range(datasets):
        a, _ = both_envelopes(rng, binormal(rng, positives, negatives), resamples)
        point, whole = a.pointwise(LEVEL), a.simultaneous(LEVEL)
        rows.append(
            {
                "each": contains(point, expected)[INNER],
                "whole": contains(whole, expected).all(),
                "width of each": width(point),
                "width": width(whole),
                "best thresholds, each": contains(point, best, PLACES[INNER]),
                "best thresholds, whole": contains(whole, best, PLACES[INNER]).all(),
            }
        )
    start = {"positives": positives, "negatives": negatives, "datasets": datasets}
    return start | {"resamples": resamples} | shares(rows)


def repeats(datasets: int = 1500, resamples: int = 500) -> list[Cell]:
    """Ten times ten folds, two exchangeable learners: any verdict."""
    return [
        partial(repeat_row, 3, instance_verdicts, datasets, resamples),
        partial(repeat_row, 5, cross_fitted_verdicts, datasets // 5, resamples),
    ]


def repeat_row(seed: int, verdicts: Callable[..., Row], datasets: int, resamples: int) -> Row:
    """Any verdict on 30 + 30 instances, by one way."""
    rng = np.random.default_rng([SEED, seed])
    rows = [verdicts(rng, resamples) for _ in range(datasets)]
    start = {"positives": 30, "negatives": 30, "datasets": datasets, "resamples": resamples}
    return start | shares(rows)


def instance_verdicts(rng: np.random.Generator, resamples: int) -> Row:
    """Any verdict on one data set, instances being the unit."""
    data = cross_validated(rng, 30, 30)
    flips = crisp_repeats(rng, data, resamples)
    both = difference(*both_envelopes(rng, data, resamples))
    return judged("sign flips", flips) | judged("envelopes", both)


def cross_fitted_verdicts(rng: np.random.Generator, resamples: int) -> Row:
    """Any verdict on one data set from cross-fitted curves, by all ways of resampling."""
    both = both_cross_fitted(rng, cross_validated(rng, 30, 30), resamples)
    rows = [judged(f"cross-fitted, {way}", apart) for way, (apart, _) in both.items()]
    return {name: value for row in rows for name, value in row.items()}


def folds_of(rng: np.random.Generator, labels: NDArray[Any], repeats: int = 10) -> NDArray[Any]:
    """(rows,) fold of each row of some repeats."""
    folds = [FOLDS * repeat + stratified_folds(rng, labels) for repeat in range(repeats)]
    return np.concatenate(folds)


def cross_fits(datasets: int = 400, resamples: int = 500) -> list[Cell]:
    """Cross-fitted curves of one repeat of ten folds, by all ways of resampling."""
    cells = (50, 1.0, 1), (50, 1.4, 2), (200, 1.0, 2), (200, 1.4, 2)
    return [
        partial(cross_fit_rows, size, distance_b, datasets // part, resamples)
        for size, distance_b, part in cells
    ]


def cross_fit_rows(size: int, distance_b: float, datasets: int, resamples: int) -> list[Row]:
    """Bands of A (d' = 1) and of its difference to B, held against the true cost of the choices."""
    rng, of_truth = (np.random.default_rng([SEED, size, seed]) for seed in (6, 16))
    of_a, of_b = (true_cost(of_truth, 1000, size, distance) for distance in (1.0, distance_b))
    truth = of_a - of_b if distance_b != 1 else np.zeros(len(PLACES))
    rows: dict[str, list[Row]] = {way: [] for way in WAYS}
    for _ in range(datasets):
        both = both_cross_fitted(rng, binormal(rng, size, size, distance_b), resamples)
        for way, (difference_of_both, a) in both.items():
            rows[way].append(cross_fit_cell(difference_of_both, truth, a, of_a))
    start = {"positives": size, "negatives": size, "distance of B": distance_b}
    common = start | {"datasets": datasets, "resamples": resamples}
    return [common | {"choices": way} | shares(cells) for way, cells in rows.items()]


def cross_fit_cell(both: Resampled, truth: FloatArray, a: Resampled, of_a: FloatArray) -> Row:
    """What was found in one data set."""
    whole = both.simultaneous(LEVEL)
    return {
        "any": any_verdict(both),
        "wrong side": wrong_side(whole, truth),
        "simultaneous at .5": excludes_zero(whole, 0.5),
        "difference, whole": contains(whole, truth).all(),
        "difference, width": width(whole),
        "curve, each": contains(a.pointwise(LEVEL), of_a)[INNER],
        "curve, whole": contains(a.simultaneous(LEVEL), of_a).all(),
        "curve, width": width(a.simultaneous(LEVEL)),
    }


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


def crisp_repeats(rng: np.random.Generator, data: Dataset, resamples: int) -> paired.SignFlips:
    """Compare the decisions of all repeats, losses averaged over them."""

    def of_class(value: int) -> paired.Differences:
        of = data.labels == value
        size = int(np.count_nonzero(of))
        wrong_a, wrong_b = (((scores[:, of] > 0.5) != value).ravel() for scores in (data.a, data.b))
        instances, sizes = np.tile(np.arange(size), 10), np.full(10 * size, 10 * size)
        return paired.differences(paired.shares(instances, wrong_a, wrong_b, sizes, size))

    return paired.sign_flips(of_class(0), of_class(1), resamples, rng)


def both_envelopes(
    rng: np.random.Generator, data: Dataset, resamples: int
) -> tuple[Resampled, Resampled]:
    """Resample the mean envelopes of the repeats of both learners with the same draws."""
    draws = weights(data.labels, resamples, rng)
    models = [rows_of(data.labels, scores) for scores in (data.a, data.b)]
    estimates = [envelope(rows) for rows in models]
    grid = rc.evaluation_grid(estimates)
    a, b = (
        resampled(estimate, grid, rc.envelopes_at(model, draws, grid), draws)
        for estimate, model in zip(estimates, models, strict=True)
    )
    return a, b


def both_cross_fitted(
    rng: np.random.Generator, data: Dataset, resamples: int
) -> dict[str, tuple[Resampled, Resampled]]:
    """Resample cross-fitted curves in all ways: their difference, and that of A."""
    draws = weights(data.labels, resamples, rng)
    folds = folds_of(rng, data.labels, len(data.a))
    repeat = np.repeat(np.arange(len(data.a)), FOLDS)
    grid = rc.evaluation_grid([])
    models: dict[str, list[Resampled]] = {way: [] for way in WAYS}
    for scores in (data.a, data.b):
        rows = rows_of(data.labels, scores, folds)
        estimate = through(grid, unit_costs(rows, repeat, draws, grid).sum(axis=0))
        for way, values_at in WAYS.items():
            values = values_at(rows, repeat, draws, grid)
            models[way].append(joined(estimate, CROSS_FITTED, grid, values, draws, len(data.a)))
    return {way: (difference(a, b), a) for way, (a, b) in models.items()}


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


def rows_of(labels: NDArray[Any], scores: FloatArray, curve: Any = None) -> rc.Predicted:
    """Lay (repeats, instances) scores out as rows."""
    repeats, count = scores.shape
    if curve is None:
        curve = np.repeat(np.arange(repeats), count)
    instances = np.tile(np.arange(count), repeats)
    return rc.Predicted(instances, np.tile(labels, repeats), scores.ravel(), curve)


def envelope(rows: rc.Predicted) -> Curve:
    """Give the mean of the lower envelopes of rows."""
    points = from_scores(scores=rows.score, labels=rows.label, groups=rows.curve)
    return mean([each.curve for each in lower_envelopes(points)])


def any_verdict(comparison: Comparison) -> bool:
    """Whether A or B is called cheaper anywhere."""
    parts = verdicts.divided(comparison.simultaneous(LEVEL))
    return any(part.finding in ("A cheaper", "B cheaper") for part in parts)


def judged(name: str, comparison: Comparison) -> Row:
    """Whether there is any verdict, and how wide its band is."""
    return {
        f"{name}, any": any_verdict(comparison),
        f"{name}, width": width(comparison.simultaneous(LEVEL)),
    }


def width(band: Any) -> float:
    """Half of a band's width, on average over PC(+)."""
    return float((band.upper(PLACES) - band.lower(PLACES)).mean() / 2)


def contains(band: Any, truth: FloatArray, places: FloatArray = PLACES) -> NDArray[np.bool_]:
    """(places,) whether the band contains the truth."""
    inside: NDArray[np.bool_] = (band.lower(places) <= truth + 1e-12) & (
        truth - 1e-12 <= band.upper(places)
    )
    return inside


def excludes_zero(band: Any, pc: float) -> bool:
    """Whether the band at a PC(+) lies on one side of zero."""
    return bool(band.lower(pc) > 0 or band.upper(pc) < 0)


def wrong_side(band: Any, truth: FloatArray) -> bool:
    """Whether a verdict has the wrong side anywhere (zero has no right side)."""
    above, below = band.lower(PLACES) > 0, band.upper(PLACES) < 0
    return bool((above & (truth <= 0)).any() or (below & (truth >= 0)).any())


def shares(rows: list[Row]) -> Row:
    """Average what was found in each data set; of arrays the mean and the least place."""
    row: Row = {}
    for name in rows[0]:
        values = np.array([each[name] for each in rows], dtype=float)
        if values.ndim == 1:
            row[name] = round(float(values.mean()), 4)
        else:
            row[f"{name}, mean"] = round(float(values.mean()), 4)
            row[f"{name}, least"] = round(float(values.mean(axis=0).min()), 4)
    return row


TABLES: dict[str, list[Cell]] = {
    "lines": lines(),
    "equal_crisp": equal_crisp(),
    "curves": curves(),
    "repeats": repeats(),
    "cross_fits": cross_fits(),
}
