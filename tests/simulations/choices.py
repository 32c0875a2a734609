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
from tests.simulations.counting import LEVEL, PLACES, SEED, contains, shares, width
from tests.simulations.datasets import FOLDS, binormal, stratified_folds
from tests.simulations.making import Cell, Row

RESULTS = Path(__file__).parent / "results" / "choices.json"
CLAIM = 2.0  # times the log odds
DESIGNS = ((20, 20), (50, 50), (25, 75))
REPEATS = np.zeros(FOLDS, dtype=np.int64)

FloatArray = NDArray[np.float64]
Heights = Callable[[Predicted, NDArray[np.int64], Weights], FloatArray]
Sizes = tuple[int, int]  # positives, negatives

SETTING = Setting(Selection(score_threshold=0.5, rate=0.5))


def resampled_by(name: str) -> Heights:
    """Return what resamples the curve of a rule."""
    rule = RULES[name]
    if rule.again:
        heights = partial(rule.heights, setting=SETTING)
        return lambda predicted, repeats, draws: chosen_again_at(
            [heights], predicted, repeats, draws, PLACES
        )[0]
    return partial(kept_at, partial(rule.choose, setting=SETTING), grid=PLACES)


CRITERIA: dict[str, Heights] = {
    "cross-fitted": lambda predicted, repeats, draws: cross_fitted_at(
        predicted, repeats, draws, PLACES
    ),
    **{
        name: resampled_by(name)
        for name in ("score-driven", "score-fixed", "rate-driven", "rate-fixed")
    },
}
ALL = tuple(CRITERIA)
RANKED = "rate-driven", "rate-fixed"


@dataclass(frozen=True)
class Known:
    """What a criterion costs one learner: with resamples, and on each fold where it is ranked."""

    cost: Resampled
    of_folds: OfFolds | None


def simulate(seed: int, sizes: Sizes, datasets: int, resamples: int) -> list[Row]:
    """Measure coverage with so many positives and negatives, a row a criterion."""
    expected = expectations(np.random.default_rng([seed, *sizes, 1]), sizes, 2 * datasets)
    rng = np.random.default_rng([seed, *sizes, 2])
    rows: dict[str, list[Row]] = {name: [] for name in CRITERIA}
    for _ in range(datasets):
        a, b = both(rng, sizes, resamples)
        for name in CRITERIA:
            rows[name].append(cell(name, a, b, expected))
    start = dict(zip(("positives", "negatives"), sizes, strict=True))
    start |= {"datasets": datasets, "resamples": resamples}
    return [
        start | {"criterion": name} | shares(of_criterion) for name, of_criterion in rows.items()
    ]


def learners(rng: np.random.Generator, sizes: Sizes) -> tuple[NDArray[np.int64], list[Predicted]]:
    """Labels, and what both learners say of the instances."""
    data = binormal(rng, *sizes)
    fold = stratified_folds(rng, data.labels)
    odds = [CLAIM * (scores[0] - 0.5) for scores in data.scores]
    rows = np.arange(sum(sizes))
    return data.labels, [Predicted(rows, data.labels, 1 / (1 + np.exp(-x)), fold) for x in odds]


def expectations(
    rng: np.random.Generator, sizes: Sizes, datasets: int, names: Sequence[str] = ALL
) -> dict[str, FloatArray]:
    """Mean curve of each criterion over data sets."""
    total = dict.fromkeys(names, np.zeros(len(PLACES)))
    for _ in range(datasets):
        labels, each = learners(rng, sizes)
        for predicted in each:
            for name, estimate in estimates(predicted, labels, names).items():
                total[name] = total[name] + estimate / (2 * datasets)
    return total


def estimates(
    predicted: Predicted, labels: NDArray[np.int64], names: Sequence[str] = ALL
) -> dict[str, FloatArray]:
    """Heights of each criterion's own curve: those of a resample that has everything once."""
    once = weights(labels, 1, np.random.default_rng(0))
    once.drawn[:], once.scale[:] = 1, 1
    return {name: CRITERIA[name](predicted, REPEATS, once)[0] for name in names}


def both(
    rng: np.random.Generator, sizes: Sizes, resamples: int, names: Sequence[str] = ALL
) -> list[dict[str, Known]]:
    """Resample each criterion of both learners, with the same draws."""
    labels, each = learners(rng, sizes)
    draws = weights(labels, resamples, rng)
    return [
        {
            name: judged(name, predicted, through(PLACES, height), draws)
            for name, height in estimates(predicted, labels, names).items()
        }
        for predicted in each
    ]


def judged(name: str, predicted: Predicted, curve: Curve, draws: Weights) -> Known:
    """Join a curve and its resamples, as the table of choices does."""
    rule, estimate = CRITERIA[name], CROSS_FITTED if name == "cross-fitted" else FIXED
    cost = joined(curve, estimate, PLACES, rule(predicted, REPEATS, draws), draws, 1)
    of_folds = None
    if name in RANKED:
        heights = partial(RULES[name].heights, setting=SETTING)
        of_folds = on_small_folds(heights, predicted, REPEATS, draws, PLACES)
    return Known(stretched(cost, of_folds), of_folds)


def compared(a: Known, b: Known) -> Resampled:
    """Subtract what both learners cost under one criterion."""
    apart = difference(a.cost, b.cost)
    if a.of_folds is None or b.of_folds is None:
        return apart
    heights = a.of_folds.heights - b.of_folds.heights
    return stretched(apart, a.of_folds._replace(heights=heights))


def cell(
    name: str,
    a: dict[str, Known],
    b: dict[str, Known],
    expected: dict[str, FloatArray],
) -> Row:
    """What was found in one data set."""
    row = covered(a[name].cost, expected[name])
    paid = regret(a[name].cost, a["cross-fitted"].cost)
    more = covered(paid, expected[name] - expected["cross-fitted"])
    same = compared(a[name], b[name]).simultaneous(LEVEL)
    anywhere = bool((~contains(same, np.zeros(len(PLACES)))).any())
    of_regret = {"regret": more["area"], "regret, whole": more["whole"]}
    return row | of_regret | {"regret, width": more["width"], "any": anywhere}


def covered(cost: Resampled, truth: FloatArray) -> Row:
    """Whether intervals and the band contain the truth."""
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


TABLES: dict[str, list[Cell]] = {
    "rows": [partial(simulate, SEED, sizes, 250, 400) for sizes in DESIGNS]
}
