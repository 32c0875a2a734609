"""Designs that nothing was tuned on, as plain functions: each draws data sets and counts.

What they measure failed on such designs before. Written to tests/simulations/results/fresh.json:

- `ratios`: three unlike models, 500 cases of which 30 % are positive on average, no prior given:
  how often the interval of the cost at a cost ratio held the cost at this PC(+) (`at pc`: the
  share of positives taken as known), and the population's cost at that ratio, with the error of
  the share (`with`) or without (`without`), so the amount of 1000 cases (`amount`) and what is
  saved against the cheaper constant decision (`saved`); how often one of two models was supported
  as not worse by a margin that is what it is worse by (`gate`, at a nominal .05).
- `ties`: as `by_design`, of two equal models one of whose scores has two thirds of the negatives.
- `in_use`: a fixed threshold: how often the interval held its cost.

Run: ``python -m tests.simulations fresh``, or ``fresh.ratios`` (a minute or two each).
"""

from functools import partial
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from costcurves.chance import resampled_curves as rc
from costcurves.chance.intervals import height_at, in_use
from costcurves.chance.resampled_bands import Resampled, difference
from costcurves.chance.resamples import joined
from costcurves.chance.resampling import weights
from costcurves.counts.operating_points import from_scores
from costcurves.curves.cost_space import pc_from_ratio
from costcurves.curves.curves import Curve, trivial
from costcurves.many.evidence import on_range
from costcurves.tables.keys import CROSS_FITTED
from tests.choosing.fitted import cross_fitted
from tests.simulations import by_design
from tests.simulations.counting import LEVEL
from tests.simulations.datasets import FOLDS, stratified_folds
from tests.simulations.making import Cell, Row

RESULTS = Path(__file__).parent / "results" / "fresh.json"
SEED = 65_165
PLACES = np.linspace(0, 1, 2001)
SHARE, CASES, RATIOS = 0.3, 500, (0.2, 1.0, 5.0)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def unlike(rng: np.random.Generator, label: Integers) -> list[Floats]:
    """Draw scores of three models: normal, of five levels, and of heavy tails and many ties."""
    common = rng.normal(size=len(label))
    smooth = 0.6 * common + 0.8 * rng.normal(size=len(label)) + 1.5 * label
    levels = 0.6 * common + 0.8 * rng.normal(size=len(label)) + 1.1 * label
    heavy = 0.5 * common + 0.7 * rng.standard_t(3, size=len(label)) + 0.9 * label
    return [smooth, np.digitize(levels, [-0.5, 0.5, 1.2, 2.0]).astype(float), heavy.round(1)]


class Drawn(NamedTuple):
    """Labels, scores of three models, folds, and cross-fitted curves."""

    label: Integers
    scores: list[Floats]
    fold: Integers
    curves: list[Curve]


def drawn(rng: np.random.Generator) -> Drawn:
    """Draw a data set of three models."""
    label = (rng.random(CASES) < SHARE).astype(np.int64)
    scores, fold = unlike(rng, label), stratified_folds(rng, label)
    points = [from_scores(scores=score, labels=label, groups=fold) for score in scores]
    return Drawn(label, scores, fold, [cross_fitted(each).curve for each in points])


def resampled(rng: np.random.Generator, data: Drawn) -> tuple[float, list[Resampled]]:
    """Resample the three: the error of log odds, and the curves."""
    draws = weights(data.label, 500, rng)
    grid = rc.evaluation_grid(data.curves, pc_from_ratio(RATIOS, data.label.mean()))
    models = []
    for curve, scores in zip(data.curves, data.scores, strict=True):
        rows = rc.Predicted(np.arange(CASES), data.label, scores, data.fold)
        values = rc.cross_fitted_at(rows, np.zeros(FOLDS, np.int64), draws, grid)
        models.append(joined(curve, CROSS_FITTED, grid, values, draws, 1))
    return draws.odds, models


def ratios(datasets: int = 200) -> list[Row]:
    """Measure intervals at cost ratios, where the prior is the share of positives."""
    rng, of_truth = np.random.default_rng([SEED, 1]), np.random.default_rng([SEED, 2])
    sums = np.zeros((3, len(PLACES)))
    for _ in range(4 * datasets):
        sums += [curve(PLACES) for curve in drawn(of_truth).curves]
    mean = sums / (4 * datasets)
    intervals: dict[float, dict[str, list[bool]]] = {ratio: {} for ratio in RATIOS}
    for _ in range(datasets):
        data = drawn(rng)
        odds, models = resampled(rng, data)
        for ratio, of_ratio in intervals.items():
            truth = [np.interp(pc_from_ratio(ratio, SHARE), PLACES, curve) for curve in mean]
            for model, true, known in zip(models, truth, mean, strict=True):
                for name, value in _at_ratio(model, ratio, data.label, odds, true, known).items():
                    of_ratio.setdefault(name, []).append(value)
            for a, b in permutations(range(3), 2):
                margin = truth[a] - truth[b]
                wrong = supported(difference(models[a], models[b]), ratio, data.label, margin)
                of_ratio.setdefault("gate", []).append(wrong)
    return [
        {"ratio": ratio, "datasets": datasets}
        | {name: round(float(np.mean(values)), 4) for name, values in of_ratio.items()}
        for ratio, of_ratio in intervals.items()
    ]


def _at_ratio(
    model: Resampled,
    ratio: float,
    label: Integers,
    odds: float,
    true: float,
    known: Floats,
) -> dict[str, bool]:
    """Say which intervals of a model held what is true."""
    priors = label.mean(), SHARE
    pc, true_pc = (float(pc_from_ratio(ratio, prior)) for prior in priors)
    most, true_most = (ratio * prior + 1 - prior for prior in priors)
    band = model.pointwise(LEVEL)
    low, _, high = height_at(band, pc)
    wide_low, _, wide_high = height_at(band, pc, odds)
    saved, base = trivial()(true_pc) - true, trivial()(pc)
    return {
        "at pc": bool(low <= np.interp(pc, PLACES, known) <= high),
        "without": low <= true <= high,
        "with": wide_low <= true <= wide_high,
        "amount": most * wide_low <= true_most * true <= most * wide_high,
        "saved": base - wide_high <= saved <= base - wide_low,
    }


def supported(apart: Resampled, ratio: float, label: Integers, margin: float) -> bool:
    """Say whether a model is supported as not worse by a margin, which is its true difference."""
    pc, ones = float(pc_from_ratio(ratio, label.mean())), label.sum()
    evidence = on_range(apart, pc, pc, (1 / (len(label) - ones), 1 / ones))
    return bool(evidence.band(LEVEL).upper(pc) < margin)


class Tied(by_design.Design):
    """Two thirds of the negatives and a fifth of the positives have the lowest score."""

    def draw(self, rng: np.random.Generator) -> tuple[Integers, Integers, Floats]:
        """Draw as other designs do, and tie."""
        cluster, label, scores = super().draw(rng)
        tied = rng.random(scores.shape) < np.where(label == 1, 1 / 5, 2 / 3)
        return cluster, label, np.where(tied, -9.0, scores)


def ties() -> list[Row]:
    """Measure bands and verdicts of models with ties on one side."""
    split = by_design.SPLIT | {"jumps": True, "datasets": 150}
    return [by_design.row(SEED, Tied("150 + 150, ties on one side", 150, 150, **split))]


def of_threshold(place: int, ratio: float, datasets: int = 1000) -> Row:
    """Measure the interval of the cost of a fixed threshold."""
    rng, pc = np.random.default_rng([SEED, 4, place]), float(pc_from_ratio(ratio, SHARE))
    true = pc * ndtr(1.0 - 1.5) + (1 - pc) * ndtr(-1.0)
    inside = []
    for _ in range(datasets):
        label = (rng.random(200) < SHARE).astype(np.int64)
        band = in_use(rng.normal(size=200) + 1.5 * label, label, threshold=1.0)
        odds = float(np.hypot(label.sum() ** -0.5, (200 - label.sum()) ** -0.5))
        low, _, high = height_at(band, float(pc_from_ratio(ratio, label.mean())), odds)
        inside.append(low <= true <= high)
    return {"ratio": ratio, "datasets": datasets, "cost": round(float(np.mean(inside)), 4)}


TABLES: dict[str, list[Cell]] = {
    "ratios": [ratios],
    "ties": [ties],
    "in_use": [partial(of_threshold, *cell) for cell in enumerate(RATIOS)],
}
