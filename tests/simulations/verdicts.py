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

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtr

from costcurves.chance.resampled_bands import Resampled, difference, student_p_value
from costcurves.curves.bands import Band
from costcurves.curves.curves import Curve
from costcurves.pairs.comparisons import adjusted, holm
from costcurves.pairs.not_ruled_out import standings
from costcurves.pairs.verdicts import divided
from costcurves.ranking import delong
from tests.simulations.counting import LEVEL, PLACES, SEED, called_cheaper, counted, width
from tests.simulations.cross_fits import curve_of, folded, resampled, true_cost
from tests.simulations.datasets import Dataset
from tests.simulations.making import Cell, Row

RESULTS = Path(__file__).parent / "results" / "verdicts.json"
DEALINGS = 5


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
    shape: Callable[[Any], Any] = np.asarray  # of the noise
    datasets: int = 2000

    def start(self) -> Row:
        """Begin a row of a table."""
        return {"design": self.name, "positives": self.positives, "negatives": self.negatives}

    def draw(self, rng: np.random.Generator) -> Dataset:
        """Draw a data set."""
        labels = np.repeat([1, 0], [self.positives, self.negatives])
        common = np.sqrt(self.correlation) * rng.normal(size=len(labels))
        of_model = rng.normal(size=(len(self.distances), len(labels)))
        noise = self.shape(common + np.sqrt(1 - self.correlation) * of_model)
        return Dataset(labels, (noise + np.outer(self.distances, labels))[:, np.newaxis])


def logistic(noise: Any) -> Any:
    """Give normal noise the logistic distribution."""
    return np.log(ndtr(noise) / ndtr(-noise))


def heavy(noise: Any) -> Any:
    """Give normal noise heavy tails: Tukey's h distribution."""
    return noise * np.exp(0.1 * noise**2)


def skewed(noise: Any) -> Any:
    """Give normal noise a long upper tail: exponential."""
    return -np.log(ndtr(-noise))


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


def drawn(
    rng: np.random.Generator, design: Design, data: Dataset
) -> tuple[list[Resampled], list[Resampled]]:
    """Resample the models of a data set, and the difference of each two."""
    models = resampled(folded(rng, data, design.folds, design.repeats), shared=design.shared)
    return models, [difference(a, b) for a, b in combinations(models, 2)]


def verdict_row(place: int, design: Design) -> Row:
    """Count any verdict on one design."""
    rng = np.random.default_rng([SEED, 20, place])
    rows = []
    for _ in range(design.datasets):
        data = design.draw(rng)
        _, pairs = drawn(rng, design, data)
        bands = decided(pairs)
        row = called_cheaper(*bands) | {"mean": mean_differs(pairs), "auc": auc_differs(data)}
        rows.append(row | {"width": float(np.mean([width(band) for band in bands]))})
    return counted(design.start(), rows)


def dealt_row(size: int, levels: int, datasets: int) -> Row:
    """Count verdicts between few levels and the same with jitter, one test set split into folds."""
    rng = np.random.default_rng([SEED, 21, size])
    labels, edges = np.repeat([1, 0], size), np.linspace(-1.5, 2.5, levels - 1)
    rows, areas = [], []
    for _ in range(datasets):
        coarse = np.searchsorted(edges, rng.normal(size=2 * size) + labels).astype(float)
        scores = np.stack([coarse + rng.uniform(-0.3, 0.3, 2 * size), coarse])
        data = Dataset(labels, scores[:, np.newaxis])
        models = resampled(folded(rng, data, repeats=DEALINGS), shared=DEALINGS)
        band = difference(*models).simultaneous(LEVEL)
        rows.append(called_cheaper(band) | {"width": width(band)})
        areas.append([area(rng, data, count) for count in (1, 1, DEALINGS, DEALINGS)])
    start: Row = {"positives": size, "negatives": size, "levels": levels}
    once, _, several = (np.diff(areas, axis=1) / np.sqrt(2)).T  # of two draws by the same data
    scatter = {"scatter of one dealing": once.std(), "scatter of five": several.std()}
    return counted(start, rows) | {name: round(float(by), 4) for name, by in scatter.items()}


def running_row(place: int, design: Design) -> Row:
    """Count which decisions are ruled out, and which of them are the cheapest."""
    rng, of_truth = (np.random.default_rng([SEED, seed, place]) for seed in (22, 23))
    costs = {d: true_cost(of_truth, 1000, design.positives, d) for d in set(design.distances)}
    truth = np.stack([*(costs[d] for d in design.distances), PLACES, 1 - PLACES])
    best = truth <= truth.min(axis=0)
    rows = []
    for _ in range(design.datasets):
        models, pairs = drawn(rng, design, design.draw(rng))
        names = combinations(range(len(models)), 2)
        verdicts = dict(zip(names, map(divided, decided(pairs)), strict=True))
        curves = [model.estimate for model in models]
        stretches = standings(curves, dict(enumerate(models)), pairs, verdicts, LEVEL)
        out = np.array([_out(stretch) for stretch in stretches])
        wide = float(np.mean([model.wide.mean() for model in models]))
        rows.append({"any": (out & best).any(), "in": (~out).sum(axis=0).mean(), "width": wide})
    return counted(design.start() | {"of": len(truth)}, rows)


def decided(pairs: Sequence[Resampled]) -> list[Band]:
    """Return the band of each pair from which verdicts are read, by Holm's steps."""
    levels = holm([pair.p_value for pair in pairs], LEVEL)
    return [pair.simultaneous(level) for pair, level in zip(pairs, levels, strict=True)]


def mean_differs(pairs: Sequence[Resampled]) -> bool:
    """Return whether the mean costs over all PC(+) of any two are called different."""
    p_values = [
        student_p_value(abs(pair.estimate.area()) / pair.spread_of(Curve.area), pair.dof)
        for pair in pairs
    ]
    return min(adjusted(p_values)) <= 1 - LEVEL


def auc_differs(data: Dataset) -> bool:
    """Return whether the AUCs of any two are called different by DeLong's test."""
    each = [delong.components(scores=scores[0], labels=data.labels) for scores in data.scores]
    p_values = [delong.difference(a, b).p_value for a, b in combinations(each, 2)]
    return min(adjusted(p_values)) <= 1 - LEVEL


def _out(stretches: Any) -> Any:
    """(places,) whether a decision is ruled out."""
    ends = np.array([part.high for part in stretches[:-1]])
    out = np.array([part.standing == "ruled out" for part in stretches])
    return out[np.searchsorted(ends, PLACES, side="right")]


def area(rng: np.random.Generator, data: Dataset, repeats: int) -> float:
    """Return the area under the cross-fitted curve of the first model, folds drawn anew."""
    folds = folded(rng, data, repeats=repeats)
    return curve_of(folds.models[0], folds, PLACES).area()


TABLES: dict[str, list[Cell]] = {
    "equal": [partial(verdict_row, place, design) for place, design in enumerate(EQUAL)],
    "power": [partial(verdict_row, 100 + place, design) for place, design in enumerate(POWER)],
    "dealt": [partial(dealt_row, *cell, 2000) for cell in ((50, 4), (200, 2))],
    "running": [partial(running_row, 200 + place, design) for place, design in enumerate(RUNNING)],
}
