"""How often verdicts are false, and bands hold, where cases belong to clusters.

Two models that are equally good, at a nominal level of 90 %, with 500 resamples, by the way that
the report takes: clusters are drawn whole, and are whole in a fold. None of the designs played a
part in choosing how. Written to tests/golden/simulated/clusters.json, `clusters`:

- `any`: chance that a verdict calls one of the two cheaper, with its standard error;
- `band`: how often a model's simultaneous band has the mean of such curves in it, everywhere;
- `cost`: how often the interval of a cost at PC(+) = .2, .5 and .8 has it.

Run: ``python -m tests.coverage.clusters`` (fifteen minutes on two cores).
"""

import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from costcurves.maths.chance import resampled_curves as rc
from costcurves.maths.chance.comparisons import verdicts
from costcurves.maths.chance.resampled_bands import Resampled, difference
from costcurves.maths.chance.resampled_choices import cross_fitted_at
from costcurves.maths.chance.resampling import weights
from costcurves.tables.inference.resampling import joined
from costcurves.tables.keys import CROSS_FITTED
from tests.coverage.inference import LEVEL, PLACES, SEED
from tests.coverage.making import Cell, Row, made, maths
from tests.coverage.verdicts import curve_of

GOLDEN = Path(__file__).parents[1] / "golden" / "simulated" / "clusters.json"
RESAMPLES = 500
AT = (0.2, 0.5, 0.8)

IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class Design:
    """Clusters of one class, and of both; each of `least` to `most` cases, unless that is equal."""

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
    datasets: int = 300

    def draw(self, rng: np.random.Generator) -> tuple[IntArray, IntArray, NDArray[np.float64]]:
        """Draw the cluster and the label of each case, and (2, cases) scores."""
        kinds = np.repeat([1.0, 0.0, 0.5], [self.positive, self.negative, self.both])
        # A skewed distribution: most clusters are small, few are large.
        share = rng.uniform(size=len(kinds)) ** 3
        sizes = np.floor(self.least + share * (self.most + 1 - self.least)).astype(np.int64)
        cluster = np.repeat(np.arange(len(kinds)), sizes)
        label = (rng.uniform(size=len(cluster)) < kinds[cluster]).astype(np.int64)
        of_cluster = self._noise(rng, len(kinds))[:, cluster]
        own = self._noise(rng, len(cluster))
        noise = np.sqrt(self.within) * of_cluster + np.sqrt(1 - self.within) * own
        return cluster, label, noise + self.distance * label

    def _noise(self, rng: np.random.Generator, count: int) -> NDArray[np.float64]:
        common, own = rng.normal(size=count), rng.normal(size=(2, count))
        found: NDArray[np.float64] = (
            np.sqrt(self.between) * common + np.sqrt(1 - self.between) * own
        )
        return found

    def fold_of(self, rng: np.random.Generator, cluster: IntArray, label: IntArray) -> IntArray:
        """Put clusters into folds: those with positives in turn, then the others."""
        ones = np.bincount(cluster, label)
        order = np.lexsort((rng.uniform(size=len(ones)), ones == np.bincount(cluster), ones > 0))
        fold = np.empty(len(ones), dtype=np.int64)
        fold[order] = np.arange(len(ones)) % self.folds
        return fold[cluster]


DESIGNS = (
    Design("40 + 40", 40, 40),
    Design("40 + 40, one test set", 40, 40, repeats=5, shared=5),
    Design("40 + 40, 1 to 15 cases", 40, 40, least=1, most=15),
    Design("20 + 20", 20, 20),
    Design("60 with both classes", 0, 0, both=60, least=6, most=6, within=0.4),
    Design("25 + 40, 30 with both", 25, 40, both=30, least=1, most=9, folds=5),
    Design("100 + 100, not correlated", 100, 100, least=2, most=2, within=0.0),
)


def clusters() -> list[Cell]:
    """Equal models, by design."""
    return [partial(row, place, one) for place, one in enumerate(DESIGNS)]


def row(place: int, design: Design) -> Row:
    """Draw data sets of a design, and count."""
    rng = np.random.default_rng([SEED, 40, place])
    found, curves, edges, ends = [], [], [], []
    for _ in range(design.datasets):
        a, b = resampled(rng, design)
        parts = verdicts(difference(a, b).simultaneous(LEVEL))
        found.append(bool({part.finding for part in parts} & {"A cheaper", "B cheaper"}))
        band = a.simultaneous(LEVEL)
        curves.append(a.estimate(PLACES))
        edges.append([band.lower(PLACES), band.upper(PLACES)])
        ends.append([a.at(pc, LEVEL) for pc in AT])
    mean = np.mean(curves, axis=0)
    low, high = np.swapaxes(edges, 0, 1)
    whole = ((low <= mean + 1e-9) & (mean <= high + 1e-9)).all(axis=1)
    truth = np.interp(AT, PLACES, mean)
    each = np.array(ends)
    held = (each[:, :, 0] <= truth) & (truth <= each[:, :, 2])
    share = float(np.mean(found))
    return {
        "design": design.name,
        "datasets": design.datasets,
        "any": round(share, 4),
        "error of any": round(float(np.sqrt(share * (1 - share) / design.datasets)), 4),
        "band": round(float(whole.mean()), 4),
        "cost": held.mean(axis=0).round(4).tolist(),
    }


def resampled(rng: np.random.Generator, design: Design) -> list[Resampled]:
    """Draw a data set, and resample the curve of each model in the same draws and folds."""
    cluster, label, scores = design.draw(rng)
    draws = weights(label, RESAMPLES, rng, clusters=cluster)
    parts = [design.fold_of(rng, cluster, label) for _ in range(design.repeats)]
    fold = np.concatenate([part + design.folds * place for place, part in enumerate(parts)])
    of_fold = np.repeat(np.arange(design.repeats), design.folds)
    rows = np.tile(np.arange(len(label)), design.repeats)
    found = []
    for own in scores:
        one = rc.Predicted(rows, label[rows], own[rows], fold)
        values = cross_fitted_at(one, of_fold, draws, PLACES, design.shared)
        curve = curve_of(one, of_fold, draws)
        found.append(joined(curve, CROSS_FITTED, PLACES, values, draws, design.repeats))
    return found


def main() -> None:
    """Make the table, print and write it."""
    (found,) = made(clusters())
    print(*found, sep="\n", flush=True)
    text = json.dumps({"maths": maths("tests.coverage.clusters"), "clusters": found}, indent=1)
    GOLDEN.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
