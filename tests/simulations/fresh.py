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

from collections import defaultdict
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtr

from costcurves.chance import resampled_curves as rc
from costcurves.chance.intervals import height_at, in_use
from costcurves.chance.resampled_bands import Resampled, difference
from costcurves.chance.resampling import weights
from costcurves.curves.cost_space import pc_from_ratio
from costcurves.curves.curves import Curve, trivial
from costcurves.many.evidence import on_range
from tests.simulations import by_design
from tests.simulations.counting import LEVEL, FloatArray, rounded
from tests.simulations.cross_fits import Folded, exact_curve, predicted, resampled
from tests.simulations.datasets import FOLDS, Dataset, IntArray, stratified_folds
from tests.simulations.making import Cell, Row

RESULTS = Path(__file__).parent / "results" / "fresh.json"
SEED = 65_165
PLACES = np.linspace(0, 1, 2001)
SHARE, CASES, RATIOS = 0.3, 500, (0.2, 1.0, 5.0)


def unlike(rng: np.random.Generator, label: IntArray) -> list[FloatArray]:
    """Draw scores of three models: normal, of five levels, and of heavy tails and many ties."""
    common = rng.normal(size=len(label))
    smooth = 0.6 * common + 0.8 * rng.normal(size=len(label)) + 1.5 * label
    levels = 0.6 * common + 0.8 * rng.normal(size=len(label)) + 1.1 * label
    heavy = 0.5 * common + 0.7 * rng.standard_t(3, size=len(label)) + 0.9 * label
    return [smooth, np.digitize(levels, [-0.5, 0.5, 1.2, 2.0]).astype(float), heavy.round(1)]


def drawn(rng: np.random.Generator) -> tuple[list[rc.Predicted], list[Curve]]:
    """Draw a data set of three models: rows, and cross-fitted curves."""
    label = (rng.random(CASES) < SHARE).astype(np.int64)
    scores, fold = np.array(unlike(rng, label)), stratified_folds(rng, label)
    models = predicted(Dataset(label, scores[:, np.newaxis]), fold)
    return models, [exact_curve(rows) for rows in models]


def ratios(datasets: int = 200) -> list[Row]:
    """Measure intervals at cost ratios, where the prior is the share of positives."""
    rng, of_truth = np.random.default_rng([SEED, 1]), np.random.default_rng([SEED, 2])
    sums = np.zeros((3, len(PLACES)))
    for _ in range(4 * datasets):
        sums += [curve(PLACES) for curve in drawn(of_truth)[1]]
    mean = sums / (4 * datasets)
    inside: dict[float, dict[str, list[bool]]] = {ratio: defaultdict(list) for ratio in RATIOS}
    for _ in range(datasets):
        rows, curves = drawn(rng)
        label = rows[0].label
        draws = weights(label, 500, rng)
        grid = rc.evaluation_grid(curves, pc_from_ratio(RATIOS, label.mean()))
        models = resampled(Folded(rows, draws, np.zeros(FOLDS, np.int64)), grid, curves)
        for ratio, of_ratio in inside.items():
            truth = [np.interp(pc_from_ratio(ratio, SHARE), PLACES, curve) for curve in mean]
            for model, true, known in zip(models, truth, mean, strict=True):
                for name, value in _at_ratio(model, ratio, label, draws.odds, true, known).items():
                    of_ratio[name].append(value)
            for a, b in permutations(range(3), 2):
                apart = difference(models[a], models[b])
                of_ratio["gate"].append(supported(apart, ratio, label, truth[a] - truth[b]))
    return [
        {"ratio": ratio, "datasets": datasets}
        | {name: rounded(values) for name, values in of_ratio.items()}
        for ratio, of_ratio in inside.items()
    ]


def _at_ratio(
    model: Resampled,
    ratio: float,
    label: Any,
    odds: float,
    true: float,
    known: FloatArray,
) -> dict[str, bool]:
    """Return which intervals of a model contain what is true."""
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


def supported(apart: Resampled, ratio: float, label: Any, margin: float) -> bool:
    """Return whether a model is supported as not worse by a margin, its true difference."""
    pc, ones = float(pc_from_ratio(ratio, label.mean())), label.sum()
    evidence = on_range(apart, pc, pc, (1 / (len(label) - ones), 1 / ones))
    return bool(evidence.band(LEVEL).upper(pc) < margin)


class Tied(by_design.Design):
    """Two thirds of the negatives and a fifth of the positives have the lowest score."""

    def draw(self, rng: np.random.Generator) -> tuple[IntArray, IntArray, FloatArray]:
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
    return {"ratio": ratio, "datasets": datasets, "cost": rounded(inside)}


TABLES: dict[str, list[Cell]] = {
    "ratios": [ratios],
    "ties": [ties],
    "in_use": [partial(of_threshold, *cell) for cell in enumerate(RATIOS)],
}
