"""What intervals and bands of selection criteria, and of their regrets, really cover.

Two exchangeable learners on the same instances, binormal scores (d' = 1), one repeat of ten folds;
in the last design positives are fewer, and played no part when what is done in small folds was
chosen.
Scores are read as probabilities that claim too much (twice the true log odds), so that trusting
them has a regret. Everything is at a nominal level of 90 %, held against the mean over data sets.
Written to tests/simulations/results/choices.json, for each criterion:

- `area`, `cost at .5`, `whole`: of its cost, the intervals and the band of the whole curve;
- `regret`, `regret, whole`: of what it costs more than cross-fitted choice;
- `any`: bands of the difference of both learners under that criterion that exclude zero anywhere.

Run: ``python -m tests.simulations choices`` (three minutes on two cores).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from costcurves.chance.intervals import height_at
from costcurves.chance.resampled_bands import Resampled, difference
from costcurves.chance.resampled_counts import Predicted
from costcurves.chance.resampled_curves import chosen_again_at, cross_fitted_at, kept_at
from costcurves.chance.resampled_rules import OfFolds, on_small_folds, regret, stretched
from costcurves.chance.resamples import joined
from costcurves.chance.resampling import Weights, weights
from costcurves.choosing.rules import RULES, Setting
from costcurves.curves.bands import through
from costcurves.curves.curves import Curve
from costcurves.settings import Selection
from costcurves.tables.keys import CROSS_FITTED, FIXED
from tests.simulations.counting import LEVEL, PLACES, SEED, FloatArray, contains, shares, width
from tests.simulations.cross_fits import predicted
from tests.simulations.datasets import FOLDS, Dataset, binormal, stratified_folds
from tests.simulations.making import Cell, Row

RESULTS = Path(__file__).parent / "results" / "choices.json"
CLAIM = 2.0  # times the log odds
DESIGNS = ((20, 20), (50, 50), (25, 75))
REPEATS = np.zeros(FOLDS, dtype=np.int64)

Heights = Callable[[Predicted, NDArray[np.int64], Weights], FloatArray]
Sizes = tuple[int, int]  # positives, negatives

SETTING = Setting(Selection(score_threshold=0.5, rate=0.5))
RANKED = "rate-driven", "rate-fixed"


def resampled_by(name: str) -> Heights:
    """Return what resamples the curve of a rule."""
    rule = RULES[name]
    if rule.again:
        heights = partial(rule.heights, setting=SETTING)
        return lambda rows, of_fold, draws: chosen_again_at(
            [heights], rows, of_fold, draws, PLACES
        )[0]
    return partial(kept_at, partial(rule.choose, setting=SETTING), grid=PLACES)


CRITERIA: dict[str, Heights] = {
    "cross-fitted": partial(cross_fitted_at, grid=PLACES),
    **{name: resampled_by(name) for name in ("score-driven", "score-fixed", *RANKED)},
}
ALL = tuple(CRITERIA)


@dataclass(frozen=True)
class Known:
    """What a criterion costs one learner: with resamples, and on each fold where it is ranked."""

    cost: Resampled
    of_folds: OfFolds | None


def simulate(sizes: Sizes, datasets: int, resamples: int) -> list[Row]:
    """Measure coverage with so many positives and negatives, a row a criterion."""
    expected = expectations(np.random.default_rng([SEED, *sizes, 1]), sizes, 2 * datasets)
    rng = np.random.default_rng([SEED, *sizes, 2])
    rows: dict[str, list[Row]] = {name: [] for name in CRITERIA}
    for _ in range(datasets):
        a, b = both(rng, sizes, resamples)
        for name, of_criterion in rows.items():
            of_criterion.append(cell(name, a, b, expected))
    start = {"positives": sizes[0], "negatives": sizes[1]}
    start |= {"datasets": datasets, "resamples": resamples}
    return [start | {"criterion": name} | shares(cells) for name, cells in rows.items()]


def learners(rng: np.random.Generator, sizes: Sizes) -> list[Predicted]:
    """Draw what both learners predict of the same instances."""
    data = binormal(rng, *sizes)
    fold = stratified_folds(rng, data.labels)
    scores = 1 / (1 + np.exp(-CLAIM * (data.scores - 0.5)))
    return predicted(Dataset(data.labels, scores), fold)


def expectations(
    rng: np.random.Generator, sizes: Sizes, datasets: int, names: Sequence[str] = ALL
) -> dict[str, FloatArray]:
    """Return the mean curve of each criterion over data sets."""
    total = dict.fromkeys(names, np.zeros(len(PLACES)))
    for _ in range(datasets):
        for rows in learners(rng, sizes):
            for name, estimate in estimates(rows, names).items():
                total[name] = total[name] + estimate / (2 * datasets)
    return total


def estimates(rows: Predicted, names: Sequence[str] = ALL) -> dict[str, FloatArray]:
    """Heights of each criterion's own curve: those of a resample that has everything once."""
    once = weights(rows.label, 1, np.random.default_rng(0))
    once.drawn[:], once.scale[:] = 1, 1
    return {name: CRITERIA[name](rows, REPEATS, once)[0] for name in names}


def both(
    rng: np.random.Generator, sizes: Sizes, resamples: int, names: Sequence[str] = ALL
) -> list[dict[str, Known]]:
    """Resample each criterion of both learners, with the same draws."""
    models = learners(rng, sizes)
    draws = weights(models[0].label, resamples, rng)
    return [
        {
            name: judged(name, rows, through(PLACES, height), draws)
            for name, height in estimates(rows, names).items()
        }
        for rows in models
    ]


def judged(name: str, rows: Predicted, curve: Curve, draws: Weights) -> Known:
    """Join a curve and its resamples, as the table of choices does."""
    estimate = CROSS_FITTED if name == "cross-fitted" else FIXED
    cost = joined(curve, estimate, PLACES, CRITERIA[name](rows, REPEATS, draws), draws, 1)
    of_folds = None
    if name in RANKED:
        heights = partial(RULES[name].heights, setting=SETTING)
        of_folds = on_small_folds(heights, rows, REPEATS, draws, PLACES)
    return Known(stretched(cost, of_folds), of_folds)


def compared(a: Known, b: Known) -> Resampled:
    """Subtract what both learners cost under one criterion."""
    apart = difference(a.cost, b.cost)
    if a.of_folds is None or b.of_folds is None:
        return apart
    heights = a.of_folds.heights - b.of_folds.heights
    return stretched(apart, a.of_folds._replace(heights=heights))


def cell(
    name: str, a: dict[str, Known], b: dict[str, Known], expected: dict[str, FloatArray]
) -> Row:
    """Return which intervals and bands of one data set contain the truth."""
    row = covered(a[name].cost, expected[name])
    paid = regret(a[name].cost, a["cross-fitted"].cost)
    more = covered(paid, expected[name] - expected["cross-fitted"])
    band = compared(a[name], b[name]).simultaneous(LEVEL)
    anywhere = bool((~contains(band, np.zeros(len(PLACES)))).any())
    of_regret = {"regret": more["area"], "regret, whole": more["whole"]}
    return row | of_regret | {"regret, width": more["width"], "any": anywhere}


def covered(cost: Resampled, truth: FloatArray) -> Row:
    """Return whether intervals and the band contain the truth."""
    curve = through(PLACES, truth)
    low, _, high = cost.scalar(Curve.area, LEVEL)
    middle = height_at(cost.pointwise(LEVEL), 0.5)
    band = cost.simultaneous(LEVEL)
    whole = contains(band, truth)
    return {
        "area": low - 1e-12 <= curve.area() <= high + 1e-12,
        "cost at .5": middle.low - 1e-12 <= curve(0.5) <= middle.high + 1e-12,
        "whole": bool(whole[1:-1].all()),  # at the ends there may be nothing to be uncertain of
        "width of area": (high - low) / 2,
        "width": width(band),
    }


TABLES: dict[str, list[Cell]] = {"rows": [partial(simulate, sizes, 250, 400) for sizes in DESIGNS]}
