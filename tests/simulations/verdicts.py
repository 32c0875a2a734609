"""How often cross-fitted verdicts are false, on designs that played no part in choosing the way.

Everything is at a nominal level of 90 %, with 500 resamples, by the way that the report takes
(`resampled_curves.cross_fitted_at`). Written to tests/simulations/results/verdicts.json:

- `equal`: chance that any verdict calls one of several equally good models cheaper (`any`, with the
  standard error of the simulation), by design; of more than two models by Holm's steps. The error
  that they share is that of all pairs; `mean`: that any mean cost over all PC(+) is called another;
  `auc`: any AUC, by DeLong's test.
- `power`: the same where the models differ: A has d' = 1, B as said.
- `dealt`: one test set, dealt into folds five times. B has few levels, A the same plus jitter that
  says nothing, so that their best costs are the same; and how far the area under A's curve scatters
  from draw to draw of one dealing, and of five, by the same data.
- `running`: chance that a decision that is truly the cheapest somewhere is put out there, and how
  many decisions are in the running on average over PC(+), of those that there are.

Run: ``python -m tests.simulations verdicts`` (forty minutes on two cores).
"""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from costcurves.chance import resampled_curves as rc
from costcurves.chance.resampled_bands import Resampled, difference, student_p_value
from costcurves.chance.resampled_curves import cross_fitted_at
from costcurves.chance.resamples import joined
from costcurves.chance.resampling import Weights, weights
from costcurves.curves.bands import Band, through
from costcurves.curves.curves import Curve
from costcurves.pairs.comparisons import adjusted, holm
from costcurves.pairs.not_ruled_out import standings
from costcurves.pairs.verdicts import divided
from costcurves.ranking import delong
from costcurves.ranking.delong import components
from costcurves.tables.keys import CROSS_FITTED
from tests.simulations.datasets import stratified_folds
from tests.simulations.inference import LEVEL, PLACES, SEED, shares, true_cost, width
from tests.simulations.making import Cell, Row
from tests.unit_costs import unit_costs

RESULTS = Path(__file__).parent / "results" / "verdicts.json"
RESAMPLES = 500
DEALINGS = 5

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Data(NamedTuple):
    """Labels of the instances, and (models, instances) scores."""

    labels: IntArray
    scores: FloatArray


@dataclass(frozen=True)
class Design:
    """Normal scores, each model's apart by its d', correlated; drawn in another shape if asked."""

    name: str
    positives: int
    negatives: int
    distances: tuple[float, ...] = (1.0, 1.0)
    folds: int = 10
    repeats: int = 1
    shared: int = 1  # of how many repeats each resample chooses again in one: random splits
    correlation: float = 0.5
    shape: Callable[[FloatArray], FloatArray] = np.asarray  # of the noise
    datasets: int = 2000

    def start(self) -> Row:
        """Begin a row of a table."""
        return {"design": self.name, "positives": self.positives, "negatives": self.negatives}

    def draw(self, rng: np.random.Generator) -> Data:
        """Draw a data set."""
        labels = np.repeat([1, 0], [self.positives, self.negatives])
        common = np.sqrt(self.correlation) * rng.normal(size=len(labels))
        of_model = rng.normal(size=(len(self.distances), len(labels)))
        noise = self.shape(common + np.sqrt(1 - self.correlation) * of_model)
        return Data(labels, noise + np.outer(self.distances, labels))


def logistic(noise: FloatArray) -> FloatArray:
    """Give normal noise the logistic distribution."""
    scores: FloatArray = np.log(ndtr(noise) / ndtr(-noise))
    return scores


def heavy(noise: FloatArray) -> FloatArray:
    """Give normal noise heavy tails: Tukey's h distribution."""
    scores: FloatArray = noise * np.exp(0.1 * noise**2)
    return scores


def skewed(noise: FloatArray) -> FloatArray:
    """Give normal noise a long upper tail: exponential."""
    scores: FloatArray = -np.log(ndtr(-noise))
    return scores


EQUAL = (
    Design("logistic", 100, 100, (1.8, 1.8), shape=logistic),
    Design("five folds", 35, 70, (1.5, 1.5), folds=5),
    Design("skewed, few negatives", 200, 40, (1.2, 1.2), shape=skewed),
    Design("heavy tails, few positives", 30, 300, (1.3, 1.3), shape=heavy),
    Design("four folds", 15, 60, folds=4),
    Design("two folds", 60, 60, folds=2),
    Design("hardly better than chance", 400, 400, (0.5, 0.5)),
    Design("chance", 50, 50, (0.0, 0.0)),
    Design("nearly faultless", 50, 50, (3.0, 3.0)),
    Design("not correlated", 80, 80, correlation=0.0),
    Design("highly correlated", 80, 80, correlation=0.9),
    Design("1 : 100", 25, 2500),
    Design("five repeats of five folds", 40, 40, folds=5, repeats=5),
    Design("three models", 70, 70, (1.0, 1.0, 1.0)),
    Design("five models", 60, 60, (1.2,) * 5),
)
DEALT: Row = {"repeats": DEALINGS, "shared": DEALINGS, "datasets": 600}
POWER = (
    Design("50 + 50", 50, 50, (1.0, 1.4), datasets=600),
    Design("200 + 200", 200, 200, (1.0, 1.4), datasets=600),
    Design("40 + 80, dealt", 40, 80, (1.0, 1.5), **DEALT),
    Design("150 + 100, dealt", 150, 100, (1.0, 1.4), **DEALT),
)
RUNNING = (
    Design("three equal", 60, 60, (1.2, 1.2, 1.2)),
    Design("one of three better", 60, 60, (1.0, 1.0, 1.6)),
    Design("five, two of them best", 150, 150, (0.5, 1.0, 1.5, 2.0, 2.0)),
)


def verdict_row(place: int, design: Design) -> Row:
    """Any verdict on one design."""
    rng = np.random.default_rng([SEED, 20, place])
    rows = []
    for _ in range(design.datasets):
        data = design.draw(rng)
        models = resampled(rng, data, design.folds, design.repeats, design.shared)
        pairs = [difference(a, b) for a, b in combinations(models, 2)]
        bands = decided(pairs)
        findings = {part.finding for band in bands for part in divided(band)}
        widths = [width(band) for band in bands]
        tests = {"mean": mean_differs(pairs), "auc": auc_differs(data)}
        rows.append({**called_cheaper(findings), **tests, "width": float(np.mean(widths))})
    return counted(design.start(), rows)


def dealt_row(size: int, levels: int, datasets: int) -> Row:
    """Any verdict between few levels and the same with jitter, one test set dealt into folds."""
    rng = np.random.default_rng([SEED, 21, size])
    labels, edges = np.repeat([1, 0], size), np.linspace(-1.5, 2.5, levels - 1)
    rows, areas = [], []
    for _ in range(datasets):
        coarse = np.searchsorted(edges, rng.normal(size=2 * size) + labels).astype(float)
        data = Data(labels, np.stack([coarse + rng.uniform(-0.3, 0.3, 2 * size), coarse]))
        band = difference(*resampled(rng, data, 10, DEALINGS, DEALINGS)).simultaneous(LEVEL)
        findings = {part.finding for part in divided(band)}
        rows.append({**called_cheaper(findings), "width": width(band)})
        areas.append([area(rng, data, 10, count) for count in (1, 1, DEALINGS, DEALINGS)])
    start: Row = {"positives": size, "negatives": size, "levels": levels}
    single, _, several = (np.diff(areas, axis=1) / np.sqrt(2)).T  # of two draws by the same data
    scatter = {"scatter of one dealing": single, "scatter of five": several}
    return counted(start, rows) | {
        name: round(float(values.std()), 4) for name, values in scatter.items()
    }


def running_row(place: int, design: Design) -> Row:
    """Who is put out of the running, and who may not be."""
    rng, of_truth = (np.random.default_rng([SEED, seed, place]) for seed in (22, 23))
    costs = {d: true_cost(of_truth, 1000, design.positives, d) for d in set(design.distances)}
    truth = np.stack([*(costs[d] for d in design.distances), PLACES, 1 - PLACES])
    best = truth <= truth.min(axis=0)
    rows = []
    for _ in range(design.datasets):
        models = resampled(rng, design.draw(rng), design.folds, design.repeats)
        by_number = dict(enumerate(models))
        pairs = {
            (a, b): difference(by_number[a], by_number[b]) for a, b in combinations(by_number, 2)
        }
        bands = decided([*pairs.values()])
        named = dict(zip(pairs, map(divided, bands), strict=True))
        curves = [model.estimate for model in models]
        stretches = standings(curves, by_number, [*pairs.values()], named, LEVEL)
        out = np.array([_out(stretch) for stretch in stretches])
        wide = float(np.mean([model.wide.mean() for model in models]))
        rows.append({"any": (out & best).any(), "in": (~out).sum(axis=0).mean(), "width": wide})
    return counted(design.start() | {"of": len(truth)}, rows)


def decided(pairs: Sequence[Resampled]) -> list[Band]:
    """Give the band of each pair from which verdicts are read, by Holm's steps."""
    levels = holm([pair.p_value for pair in pairs], LEVEL)
    return [pair.simultaneous(level) for pair, level in zip(pairs, levels, strict=True)]


def mean_differs(pairs: Sequence[Resampled]) -> bool:
    """Say whether the mean costs over all PC(+) of any two are called different."""
    spreads = [pair.spread_of(Curve.area) for pair in pairs]
    heights = [abs(pair.estimate.area()) / by for pair, by in zip(pairs, spreads, strict=True)]
    each = zip(heights, pairs, strict=True)
    return (
        min(adjusted([student_p_value(statistic, pair.dof) for statistic, pair in each]))
        <= 1 - LEVEL
    )


def auc_differs(data: Data) -> bool:
    """Say whether the AUCs of any two are called different by DeLong's test."""
    each = [components(scores=scores, labels=data.labels) for scores in data.scores]
    p_values = [delong.difference(a, b).p_value for a, b in combinations(each, 2)]
    return min(adjusted(p_values)) <= 1 - LEVEL


def _out(stretches: Any) -> NDArray[np.bool_]:
    """(places,) whether a decision is out of the running."""
    ends = np.array([part.high for part in stretches[:-1]])
    out = np.array([part.standing == "ruled out" for part in stretches])
    result: NDArray[np.bool_] = out[np.searchsorted(ends, PLACES, side="right")]
    return result


class Folded(NamedTuple):
    """Rows of each model in the same folds, resamples of the instances, and each fold's repeat."""

    models: list[rc.Predicted]
    draws: Weights
    of_fold: IntArray


def folded(rng: np.random.Generator, data: Data, folds: int, repeats: int) -> Folded:
    """Draw folds and resamples."""
    draws = weights(data.labels, RESAMPLES, rng)
    parts = [stratified_folds(rng, data.labels, folds) + folds * at for at in range(repeats)]
    fold = np.concatenate(parts)
    rows = np.tile(np.arange(len(data.labels)), repeats)
    models = [rc.Predicted(rows, data.labels[rows], scores[rows], fold) for scores in data.scores]
    return Folded(models, draws, np.repeat(np.arange(repeats), folds))


def curve_of(rows: rc.Predicted, of_fold: IntArray, draws: Weights) -> Curve:
    """Give the cross-fitted curve, on the grid."""
    return through(PLACES, unit_costs(rows, of_fold, draws, PLACES).sum(axis=0))


def area(rng: np.random.Generator, data: Data, folds: int, repeats: int) -> float:
    """Give the area under the cross-fitted curve of the first model, folds drawn anew."""
    drawn = folded(rng, data, folds, repeats)
    return curve_of(drawn.models[0], drawn.of_fold, drawn.draws).area()


def resampled(
    rng: np.random.Generator, data: Data, folds: int, repeats: int, shared: int = 1
) -> list[Resampled]:
    """Resample the cross-fitted curve of each model, all of them with the same draws and folds."""
    models, draws, of_fold = folded(rng, data, folds, repeats)
    return [
        joined(
            curve_of(rows, of_fold, draws),
            CROSS_FITTED,
            PLACES,
            cross_fitted_at(rows, of_fold, draws, PLACES, shared),
            draws,
            repeats,
        )
        for rows in models
    ]


def called_cheaper(findings: Set[str]) -> Row:
    """Say whether any model is called cheaper, and whether the first one is."""
    return {"any": bool(findings & {"A cheaper", "B cheaper"}), "first": "A cheaper" in findings}


def counted(start: Row, rows: list[Row]) -> Row:
    """Average what was found, with the standard error of the simulation."""
    row = start | {"datasets": len(rows)} | shares(rows)
    error = float(np.sqrt(row["any"] * (1 - row["any"]) / len(rows)))
    return row | {"error of any": round(error, 4)}


TABLES: dict[str, list[Cell]] = {
    "equal": [partial(verdict_row, place, design) for place, design in enumerate(EQUAL)],
    "power": [partial(verdict_row, 100 + place, design) for place, design in enumerate(POWER)],
    "dealt": [partial(dealt_row, *cell, 2000) for cell in ((50, 4), (200, 2))],
    "running": [partial(running_row, 200 + place, design) for place, design in enumerate(RUNNING)],
}
