"""What intervals and bands of selection criteria, and of their regrets, really cover.

Two exchangeable learners on the same instances, binormal scores (d' = 1), one repeat of ten folds.
Scores are read as probabilities that claim too much (twice the true log odds), so that trusting
them has a regret. Everything is at a nominal level of 90 %, held against the mean over data sets.
Written to tests/golden/simulated/choices.json, for each criterion:

- `area`, `cost at .5`, `whole`: of its cost, the intervals and the band of the whole curve;
- `regret`, `regret, whole`: of what it costs more than cross-fitted choice;
- `any`: bands of the difference of both learners under that criterion that exclude zero anywhere.

Run: ``python -m tests.coverage.choices`` (three minutes on two cores).
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from costcurves.maths import resampled_rules as rules
from costcurves.maths.bands import through
from costcurves.maths.curves import Curve, line
from costcurves.maths.resampled_bands import Resampled, difference, resampled
from costcurves.maths.resampled_counts import Predicted
from costcurves.maths.resampled_curves import cross_fitted_at
from costcurves.maths.resampling import Weights, weights
from tests.coverage.datasets import FOLDS, binormal, stratified_folds
from tests.coverage.inference import LEVEL, PLACES, SEED, contains, shares, width
from tests.coverage.making import Row, made, maths

GOLDEN = Path(__file__).parents[1] / "golden" / "simulated" / "choices.json"
CLAIM = 2.0  # times the log odds
REPEATS = np.zeros(FOLDS, dtype=np.int64)

FloatArray = NDArray[np.float64]

CRITERIA: dict[str, Callable[[Predicted, Weights], FloatArray]] = {
    "cross-fitted": lambda one, draws: cross_fitted_at(one, REPEATS, draws, PLACES),
    "score-driven": lambda one, draws: rules.score_driven_at(one, REPEATS, draws, PLACES),
    "score-fixed": lambda one, draws: rules.score_fixed_at(one, 0.5, REPEATS, draws, PLACES),
    "rate-driven": lambda one, draws: rules.rate_driven_at(one, REPEATS, draws, PLACES),
    "rate-fixed": lambda one, draws: rules.rate_fixed_at(one, 0.5, REPEATS, draws, PLACES),
}
ALL = tuple(CRITERIA)


def simulate(seed: int, size: int, datasets: int, resamples: int) -> list[Row]:
    """Measure coverage with `size` positives and `size` negatives, a row a criterion."""
    expected = expectations(np.random.default_rng([seed, size, 1]), size, 2 * datasets)
    rng = np.random.default_rng([seed, size, 2])
    found: dict[str, list[Row]] = {name: [] for name in CRITERIA}
    for _ in range(datasets):
        a, b = both(rng, size, resamples)
        for name in CRITERIA:
            found[name].append(cell(name, a, b, expected))
    start = {"positives": size, "negatives": size, "datasets": datasets, "resamples": resamples}
    return [start | {"criterion": name} | shares(cells) for name, cells in found.items()]


def learners(rng: np.random.Generator, size: int) -> tuple[NDArray[np.int64], list[Predicted]]:
    """Labels, and what both learners say of the instances."""
    data = binormal(rng, size, size)
    fold = stratified_folds(rng, data.labels)
    odds = [CLAIM * (scores[0] - 0.5) for scores in (data.a, data.b)]
    rows = np.arange(2 * size)
    return data.labels, [Predicted(rows, data.labels, 1 / (1 + np.exp(-x)), fold) for x in odds]


def expectations(
    rng: np.random.Generator, size: int, datasets: int, names: Sequence[str] = ALL
) -> dict[str, FloatArray]:
    """Mean curve of each criterion over data sets."""
    total = dict.fromkeys(names, np.zeros(len(PLACES)))
    for _ in range(datasets):
        labels, each = learners(rng, size)
        for one in each:
            for name, estimate in estimates(one, labels, names).items():
                total[name] = total[name] + estimate / (2 * datasets)
    return total


def estimates(
    one: Predicted, labels: NDArray[np.int64], names: Sequence[str] = ALL
) -> dict[str, FloatArray]:
    """Heights of each criterion's own curve: those of a resample that has everything once."""
    once = weights(labels, 1, np.random.default_rng(0))
    once.drawn[:] = 1
    return {name: CRITERIA[name](one, once)[0] for name in names}


def both(
    rng: np.random.Generator, size: int, resamples: int, names: Sequence[str] = ALL
) -> list[dict[str, Resampled]]:
    """Resample each criterion of both learners, with the same draws."""
    labels, each = learners(rng, size)
    draws = weights(labels, resamples, rng)
    return [
        {
            name: judged(name, through(PLACES, height), CRITERIA[name](one, draws), draws)
            for name, height in estimates(one, labels, names).items()
        }
        for one in each
    ]


def judged(name: str, curve: Curve, heights: FloatArray, draws: Weights) -> Resampled:
    """Join a curve and its resamples, as the table of choices does."""
    found = resampled(curve, PLACES, heights, draws, with_trivial=name == "cross-fitted")
    return replace(found, bounds=(line(0, 0), line(1, 1)))


def cell(
    name: str,
    a: dict[str, Resampled],
    b: dict[str, Resampled],
    expected: dict[str, FloatArray],
) -> Row:
    """What was found in one data set."""
    row = covered(a[name], expected[name])
    regret = difference(a[name], a["cross-fitted"])
    more = covered(regret, expected[name] - expected["cross-fitted"])
    same = difference(a[name], b[name]).simultaneous(LEVEL)
    anywhere = bool((~contains(same, np.zeros(len(PLACES)))).any())
    of_regret = {"regret": more["area"], "regret, whole": more["whole"]}
    return row | of_regret | {"regret, width": more["width"], "any": anywhere}


def covered(own: Resampled, truth: FloatArray) -> Row:
    """Whether intervals and the band contain the truth."""
    curve = through(PLACES, truth)
    low, _, high = own.scalar(Curve.area, LEVEL)
    middle = own.at(0.5, LEVEL)
    band = own.simultaneous(LEVEL)
    whole = contains(band, truth)
    return {
        "area": low - 1e-12 <= curve.area() <= high + 1e-12,
        "cost at .5": middle.low - 1e-12 <= curve(0.5) <= middle.high + 1e-12,
        "whole": bool(whole[1:-1].all()),  # at the ends there may be nothing to be uncertain of
        "width of area": (high - low) / 2,
        "width": width(band),
    }


def main() -> None:
    """Simulate, print and write the table."""
    (rows,) = made(partial(simulate, SEED, size, 250, 400) for size in (20, 50))
    print(*rows, sep="\n")
    of = {"distance": 1.0, "claim": CLAIM, "seed": SEED, "level": LEVEL}
    content = {"maths": maths("tests.coverage.choices"), **of, "rows": rows}
    GOLDEN.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
