"""How often verdicts are false, and bands hold, by the kind of design.

Two models that are equally good, at a nominal level of 90 %, with 500 resamples, by the way that
the report takes. Kinds are folds, one test set that is split at random for the choice of
thresholds, cases that weigh 1, 2 or 6, and clusters of cases, which are drawn whole and are whole
in a fold. Curves are on a grid, or with their jumps where a design says so. None of these data sets
played a part in choosing how; of the designs 150 + 150 and the single test sets did, with others.
Written to tests/simulations/results/by_design.json, `designs`, sizes of weighted cases as so many
of equal weight:

- `any`: chance that a verdict calls one of the two cheaper, with its standard error;
- `mean`: that their mean costs over all PC(+) are called different;
- `named`: that their costs are at any of three named conditions, PC(+) = 3/16, 1/2 and 13/16, at
  half of the error;
- `statement`: any of these, verdicts at half the error, too: what a report may print wrongly;
- `one side`: how often a single claim about each of these PC(+) is called wrongly, on one side;
- `band`: how often a model's simultaneous band has the mean of such curves in it, everywhere;
- `each`, `least`: how often the band for each PC(+) has it, on average and at the worst one;
- `cost`, `area`: how often the interval of a cost at each of these PC(+), and of the area, has it.

Run: ``python -m tests.simulations by_design`` (forty minutes on two cores).
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from costcurves.chance import resampled_curves as rc
from costcurves.chance.intervals import height_at
from costcurves.chance.largest import Largest
from costcurves.chance.resampled_bands import Resampled, difference, student_quantile
from costcurves.chance.resampling import weights
from costcurves.counts.cost_weights import effective_size
from costcurves.curves.curves import Curve
from costcurves.many.claims import UNDECIDED, called
from costcurves.many.evidence import Outcome, on_range
from costcurves.report.measured import CLUSTERS, FOLDS, ONE_TEST_SET, WEIGHTS
from tests.simulations import counting, cross_fits
from tests.simulations.counting import INNER, LEVEL, PLACES, RESAMPLES, SEED, FloatArray
from tests.simulations.datasets import Dataset, IntArray
from tests.simulations.making import Cell, Row
from tests.simulations.verdicts import mean_differs

RESULTS = Path(__file__).parent / "results" / "by_design.json"
AT = (3 / 16, 0.5, 13 / 16)  # of the evaluation grid


@dataclass(frozen=True)
class Design:
    """Clusters of one class, and of both; each of `least` to `most` cases, or of one."""

    name: str
    positive: int
    negative: int
    both: int = 0
    least: int = 5
    most: int = 5
    within: float = 0.6  # correlation of two cases of a cluster
    between: float = 0.5  # of two models
    distance: float = 1.2
    folds: int = 10
    repeats: int = 1
    shared: int = 1  # of how many repeats each resample chooses again in one: random splits
    levels: int = 0  # of scores; 0: all differ
    jumps: bool = False  # curves as the report draws them, not on a grid
    weighs: tuple[int, ...] = (1,)  # what cases may weigh
    datasets: int = 2000

    @property
    def kind(self) -> str:
        """Name the kind of design, as `measured.kind_of` names that of a dataset."""
        if self.most > 1:
            return CLUSTERS
        if len(self.weighs) > 1:
            return WEIGHTS
        return ONE_TEST_SET if self.shared > 1 else FOLDS

    def size(self, cases: int) -> int:
        """Give how many of equal weight say as much."""
        return round(cases * effective_size(self.weighs) / len(self.weighs))

    def draw(self, rng: np.random.Generator) -> tuple[IntArray, IntArray, FloatArray]:
        """Draw the cluster and the label of each case, and (2, cases) scores."""
        kinds = np.repeat([1.0, 0.0, 0.5], [self.positive, self.negative, self.both])
        # A skewed distribution: most clusters are small, few are large.
        share = rng.uniform(size=len(kinds)) ** 3
        sizes = np.floor(self.least + share * (self.most + 1 - self.least)).astype(np.int64)
        cluster = np.repeat(np.arange(len(kinds)), sizes)
        label = (rng.uniform(size=len(cluster)) < kinds[cluster]).astype(np.int64)
        of_cluster = self._noise(rng, len(kinds))[:, cluster]
        of_case = self._noise(rng, len(cluster))
        noise = np.sqrt(self.within) * of_cluster + np.sqrt(1 - self.within) * of_case
        scores = noise + self.distance * label
        if self.levels:
            scores = np.digitize(scores, np.linspace(-1, 2, self.levels - 1)).astype(float)
        return cluster, label, scores

    def _noise(self, rng: np.random.Generator, count: int) -> Any:
        common, of_model = rng.normal(size=count), rng.normal(size=(2, count))
        return np.sqrt(self.between) * common + np.sqrt(1 - self.between) * of_model

    def fold_of(self, rng: np.random.Generator, cluster: IntArray, label: IntArray) -> IntArray:
        """Put clusters into folds: those with positives in turn, then the others."""
        ones = np.bincount(cluster, label)
        order = np.lexsort((rng.uniform(size=len(ones)), ones == np.bincount(cluster), ones > 0))
        fold = np.empty(len(ones), dtype=np.int64)
        fold[order] = np.arange(len(ones)) % self.folds
        return fold[cluster]


ALONE: dict[str, Any] = {"least": 1, "most": 1, "within": 0.0}
WEIGHS = 1, 2, 6
SPLIT = ALONE | {"repeats": 5, "shared": 5}
DESIGNS = (
    Design("40 + 40", 40, 40),
    Design("40 + 40, one test set", 40, 40, repeats=5, shared=5),
    Design("40 + 40, 1 to 15 cases", 40, 40, least=1, most=15),
    Design("20 + 20", 20, 20),
    Design("60 with both classes", 0, 0, both=60, least=6, most=6, within=0.4),
    Design("25 + 40, 30 with both", 25, 40, both=30, least=1, most=9, folds=5),
    Design("100 + 100, not correlated", 100, 100, least=2, most=2, within=0.0),
    Design("150 + 150", 150, 150, **ALONE),
    Design("40 + 60", 40, 60, **ALONE),
    Design("30 + 1,500", 30, 1500, **ALONE),
    Design("75 + 75, five levels", 75, 75, levels=5, **ALONE),
    Design("150 + 150, one test set", 150, 150, **SPLIT),
    Design("40 + 60, one test set", 40, 60, **SPLIT),
    Design("55 + 55, one test set, five levels", 55, 55, levels=5, **SPLIT),
    Design("40 + 60, with jumps", 40, 60, jumps=True, **ALONE),
    Design("150 + 150, one test set, with jumps", 150, 150, jumps=True, **SPLIT),
    Design("90 + 140, weighted", 90, 140, weighs=WEIGHS, **ALONE),
    Design("120 + 75, one test set, weighted", 120, 75, weighs=WEIGHS, **SPLIT),
)


def random_numbers(place: int) -> np.random.Generator:
    """Return the generator of a design's random numbers."""
    return np.random.default_rng([SEED, 40, place])


def row(place: int, design: Design) -> Row:
    """Draw data sets of a design, and count."""
    rng = random_numbers(place)
    rows, curves, ends, areas, sides, edges = [], [], [], [], [], []
    for _ in range(design.datasets):
        a, b = resampled(rng, design)
        apart = difference(a, b)
        rows.append(statements(apart))
        sides.append([called_alone(apart, pc) for pc in AT])
        bands = a.simultaneous(LEVEL), a.pointwise(LEVEL)
        curves.append(a.estimate(PLACES))
        edges.append([[band.lower(PLACES), band.upper(PLACES)] for band in bands])
        ends.append([height_at(bands[1], pc) for pc in AT])
        areas.append(a.scalar(Curve.area, LEVEL))
    mean = np.mean(curves, axis=0)
    low, high = np.moveaxis(np.array(edges), 2, 0)  # of (data sets, bands, places)
    whole, each = ((low <= mean + 1e-9) & (mean <= high + 1e-9)).swapaxes(0, 1)
    costs, truth = np.array(ends), np.interp(AT, PLACES, mean)
    inside = (costs[:, :, 0] <= truth) & (truth <= costs[:, :, 2])
    (lower, _, upper), area = np.array(areas).T, np.mean(areas, axis=0)[1]
    start = {
        "design": design.name,
        "kind": design.kind,
        "positives": design.size(design.positive + design.both),
        "negatives": design.size(design.negative + design.both),
        "folds": design.folds,
    }
    return counting.counted(start, rows) | {
        "one side": (np.mean(sides, axis=0) / 2).round(4).tolist(),
        "band": counting.rounded(whole.all(axis=1)),
        "each": counting.rounded(each[:, INNER]),
        "least": round(float(each[:, INNER].mean(axis=0).min()), 4),
        "area": counting.rounded((lower <= area) & (area <= upper)),
        "cost": inside.mean(axis=0).round(4).tolist(),
    }


def statements(apart: Resampled) -> Row:
    """Return which statements are made of two equal models: all of them are false."""
    band, half = apart.simultaneous(LEVEL), (1 + LEVEL) / 2
    named, mean = named_differ(apart, half), mean_differs([apart])
    any_of_all = counting.any_verdict(apart.simultaneous(half)) or named or mean
    row = {"any": counting.any_verdict(band), "mean": mean, "named": named}
    return row | {"statement": any_of_all, "width": counting.width(band)}


def named_differ(apart: Resampled, level: float) -> bool:
    """Return whether costs are called different at any of the named conditions."""
    critical = Largest.simulated(apart.deviations_at(AT)).critical(level)
    spreads = np.interp(AT, apart.grid, apart.narrow)
    limit = max(critical, student_quantile(level, apart.dof))
    return bool((np.abs(apart.estimate(np.array(AT))) > limit * spreads).any())


def called_alone(apart: Resampled, pc: float) -> bool:
    """Return whether a single claim about one PC(+) is called, either way."""
    evidence = on_range(apart, pc, pc, (1 / apart.sizes.negatives, 1 / apart.sizes.positives))
    height = evidence.highest(evidence.estimate).height
    (result,) = called([[Outcome(height, evidence.p_value(height))]], [LEVEL])
    return result.verdict != UNDECIDED


def resampled(rng: np.random.Generator, design: Design) -> list[Resampled]:
    """Draw a data set, and resample the curve of each model in the same draws and folds."""
    cluster, label, scores = design.draw(rng)
    weight = rng.choice(design.weighs, len(label))
    clusters = cluster if design.most > 1 else None
    draws = weights(label, RESAMPLES, rng, costs=weight, clusters=clusters, cases=weight)
    parts = [design.fold_of(rng, cluster, label) for _ in range(design.repeats)]
    fold = np.concatenate([part + design.folds * place for place, part in enumerate(parts)])
    of_fold = np.repeat(np.arange(design.repeats), design.folds)
    models = cross_fits.predicted(Dataset(label, scores[:, np.newaxis]), fold)
    curves, grid = None, PLACES
    if design.jumps:
        curves = [cross_fits.exact_curve(rows, of_fold) for rows in models]
        grid = rc.evaluation_grid(curves, AT)
    folds = cross_fits.Folded(models, draws, of_fold)
    return cross_fits.resampled(folds, grid, curves, shared=design.shared)


TABLES: dict[str, list[Cell]] = {"designs": [partial(row, *cell) for cell in enumerate(DESIGNS)]}
