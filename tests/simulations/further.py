"""What intervals cover of what comes after the costs: calibration, a matrix of costs.

Everything is at a nominal level of 90 %, on designs that played no part in how the intervals came
about. Written to tests/simulations/results/further.json:

- `calibration`: shares of data sets in which intervals held the Brier score, miscalibration and
  discrimination, and the difference of two models' miscalibration; in which the test of calibration
  spoke against it (`rejected`), and the mean share of scores whose rate lay in its band.
- `matrix`: shares in which the interval of each mean cost (the least over decisions, and over those
  by recalibrated probabilities), and those of all differences at once, held the true ones.

Run: ``python -m tests.simulations further`` (ten minutes on two cores).
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression
from scipy.special import expit, ndtr

from costcurves.chance.means import Mean, mean_of
from costcurves.costs.decision_costs import CHEAPEST, RECALIBRATED, By, Judged, recalibrated
from costcurves.ranking.reliability import Forecasts
from tests.simulations.making import Cell, Row

RESULTS = Path(__file__).parent / "results" / "further.json"
SEED, LEVEL = 20127, 0.9
DATASETS = 400
DRAWS = 100
TRUTH = 400_000  # cases by which the truth of a design is known

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], tuple[Floats, list[Floats]]]


class Design(NamedTuple):
    """True probabilities of cases, and the scores that models make of them."""

    name: str
    cases: int
    draw: Draw  # true probabilities, and scores of both models
    per_cluster: int = 1
    repeats: int = 1
    calibrated: bool = False


def beta(
    a: float, b: float, powers: tuple[float, float], rng: np.random.Generator, count: int
) -> tuple[Floats, list[Floats]]:
    """Beta probabilities, and powers of them as scores."""
    true = rng.beta(a, b, count)
    return true, [true**power for power in powers]


def levels(rng: np.random.Generator, count: int) -> tuple[Floats, list[Floats]]:
    """Scores of six levels, and of eleven."""
    true = rng.beta(1.4, 1.9, count)
    return true, [np.round(5 * true**1.5) / 5, np.round(10 * true) / 10]


def noisy(rng: np.random.Generator, count: int) -> tuple[Floats, list[Floats]]:
    """Scores that know a part of what decides, too sure and not sure enough."""
    known, rest = 1.3 * rng.normal(size=(2, count))
    return expit(known + rest - 1.2), [expit(1.7 * known - 1), expit(0.4 * known - 0.5)]


CALIBRATION = (
    Design("skewed, calibrated", 250, partial(beta, 0.8, 2.4, (1.0, 1.6)), calibrated=True),
    Design("skewed, too low", 120, partial(beta, 0.8, 2.4, (1.6, 0.6))),
    Design("skewed, too high", 600, partial(beta, 0.8, 2.4, (0.6, 1.0))),
    Design("rare", 2000, partial(beta, 0.3, 7.0, (0.8, 1.0))),
    Design("levels", 300, levels),
    Design("noisy", 400, noisy),
    Design("clusters", 320, noisy, per_cluster=4),
    Design("repeats", 200, noisy, repeats=3),
)


def brier_parts(q: Floats, score: Floats) -> tuple[float, float, float]:
    """The true Brier score, miscalibration and discrimination, by the rates behind scores."""
    miscalibration, discrimination = float(np.mean((score - q) ** 2)), float(np.var(q))
    uncertainty = float(q.mean() * (1 - q.mean()))
    return miscalibration - discrimination + uncertainty, miscalibration, discrimination


def truth(design: Design) -> list[tuple[Floats, Floats, tuple[float, float, float]]]:
    """Of each model some scores, their true rates, and the parts of its Brier score."""
    true, models = design.draw(np.random.default_rng([SEED, 1]), TRUTH)
    known = []
    for score in models:
        order = np.argsort(score, kind="stable")
        places, first = np.unique(score[order], return_index=True)
        sizes = np.diff(first, append=TRUTH)
        sums = np.add.reduceat(true[order], first)
        rate = isotonic_regression(sums / sizes, weights=sizes).x
        known.append((places, rate, brier_parts(np.repeat(rate, sizes), score[order])))
    return known


def calibration_row(place: int, design: Design) -> Row:
    """Measure data sets of one design."""
    rng, known = np.random.default_rng([SEED, 2, place]), truth(design)
    rates: dict[str, list[float]] = {}
    for _ in range(DATASETS):
        for name, inside in calibration_inside(rng, design, known).items():
            rates.setdefault(name, []).append(inside)
    row = {"design": design.name, "cases": design.cases, "datasets": DATASETS}
    return row | {name: round(float(np.mean(inside)), 4) for name, inside in rates.items()}


def calibration_inside(rng: np.random.Generator, design: Design, known: Any) -> dict[str, float]:
    """Say what intervals of one data set held."""
    true, models = design.draw(rng, design.cases)
    label, unit = drawn(rng, true, design.per_cluster)
    case = np.arange(design.cases)
    forecasts, gains = [], []
    for score in models:
        # Repeats agree on what is known of a case, as the same learner's refits nearly do.
        score, again = np.tile(score, design.repeats), np.tile(case, design.repeats)
        weight = np.full(len(score), 1 / design.repeats)
        forecasts.append(Forecasts(score, label[again], weight, again))
        gains.append(forecasts[-1].redrawn(LEVEL, rng, DRAWS))
    inside = {}
    parts = [forecast.parts() for forecast in forecasts]
    units = [unit[forecast.case] for forecast in forecasts]
    for part, at in (("brier", 0), ("miscalibration", 1), ("discrimination", 2)):
        mean = mean_of(parts[0][at], units[0], forecasts[0].weight)
        low, high = without(mean, gains[0].gain if at else 0.0).interval(LEVEL)
        inside[part] = float(max(low, 0) <= known[0][2][at] <= max(high, 0))
    apart = mean_of(parts[0][1] - parts[1][1], units[0], forecasts[0].weight)
    low, high = without(apart, gains[0].gain - gains[1].gain).interval(LEVEL)
    inside["difference"] = float(low <= known[0][2][1] - known[1][2][1] <= high)
    if design.per_cluster == 1:
        inside["rejected"] = float(gains[0].p_value <= 1 - LEVEL)
    if design.calibrated:
        fitted = np.interp(gains[0].score, *reliability_curve(forecasts[0]))
        in_band = (gains[0].low <= fitted + 1e-12) & (fitted - 1e-12 <= gains[0].high)
        inside["consistency band"] = float(in_band.mean())
    return inside


def drawn(rng: np.random.Generator, true: Floats, per_cluster: int) -> tuple[Floats, Any]:
    """Draw labels, those of a cluster alike beyond what probabilities say."""
    count = len(true) // per_cluster
    common, of_case = rng.normal(size=count).repeat(per_cluster), rng.normal(size=len(true))
    share = 0.5 if per_cluster > 1 else 0.0
    uniform = ndtr(np.sqrt(share) * common + np.sqrt(1 - share) * of_case)
    return (uniform < true).astype(float), np.arange(count).repeat(per_cluster)


def without(mean: Mean, gain: float) -> Mean:
    """Take away what fits gain by chance."""
    return mean._replace(value=mean.value - gain)


def reliability_curve(forecasts: Forecasts) -> tuple[Floats, Floats]:
    """The reliability curve as a line."""
    blocks = forecasts.blocks()
    return np.column_stack([blocks.low, blocks.high]).ravel(), np.repeat(blocks.rate, 2)


class Deciding(NamedTuple):
    """Cases, how many are of a cluster, what decisions cost, and how rare each class is."""

    cases: int
    per_cluster: int = 1
    cost: tuple[tuple[float, ...], ...] = ((0, 1, 4), (2, 0, 1.5), (9, 3, 0.5))
    shift: tuple[float, ...] = (0.4, 0.0, -0.8)
    spread: float = 0.0  # of the logarithm of weights
    follow: float = 0.0  # by how much it is higher for the last class


DEAR = (0, 4, 30), (2, 0, 5), (3, 1, 0)
DEARER = (0, 1, 1), (1, 0, 1), (60, 60, 0)
DECISIONS = (
    Deciding(120),
    Deciding(600),
    Deciding(400, 4),
    Deciding(420, cost=DEAR, shift=(-2.0, 0.0, 1.0)),  # dear mistakes are of a rare class
    Deciding(300, cost=DEARER, shift=(1.0, 0.5, -3.0)),  # of about ten cases
    Deciding(200, spread=1.0),
    Deciding(400, cost=DEAR, shift=(-2.0, 0.0, 1.0), spread=1.0, follow=0.5),
    Deciding(150, cost=DEAR, shift=(0.0, 0.0, 0.0), spread=1.0),
    Deciding(300, cost=DEARER, shift=(1.0, 0.5, -3.0), spread=1.0),
)
PARTS = 5  # folds of the recalibration


def matrix_row(place: int, design: Deciding) -> Row:
    """Measure data sets of one design; what recalibrated decisions truly cost is their mean."""
    rng = np.random.default_rng([SEED, 4, place])
    big = judged(np.random.default_rng([SEED, 5, place]), design._replace(cases=TRUTH))
    each = [judged(rng, design) for _ in range(DATASETS)]
    costs, apart = [result.costs() for result in each], [result.differences for result in each]
    rules = [row["rule"] for row in costs[0]]
    pairs = [{row["rule_a"], row["rule_b"]} for row in apart[0]]
    inside = _inside(costs, big.costs(), [rule == RECALIBRATED for rule in rules])
    together = _inside(apart, big.differences, [RECALIBRATED in pair for pair in pairs])
    shares = inside.mean(axis=0)
    known = np.array(rules) == RECALIBRATED
    row: Row = {"cases": design.cases, "per cluster": design.per_cluster, "datasets": DATASETS}
    row["spread"] = design.spread
    row |= {"dearest": max(map(max, design.cost)), "cost": round(float(shares[~known].min()), 4)}
    row |= {"recalibrated": round(float(shares[known].min()), 4)}
    return row | {"differences": round(float(together.all(axis=1).mean()), 4)}


def _inside(intervals: list[list[Row]], true: list[Row], by_mean: list[bool]) -> NDArray[np.bool_]:
    """(data sets, rows) which intervals held what is true."""
    low, value, high = (
        np.array([[row[column] for row in rows] for rows in intervals])
        for column in ("low", "cost", "high")
    )
    known = np.where(by_mean, value.mean(axis=0), [row["cost"] for row in true])
    return (low <= known) & (known <= high)


def judged(rng: np.random.Generator, design: Deciding) -> Judged:
    """Draw a data set, and let a matrix decide; of the large one nothing is recalibrated."""
    truth, models = several(rng, design.cases, design.per_cluster, design.shift)
    unit, weight = np.arange(design.cases) // design.per_cluster, np.ones(design.cases)
    if design.spread:
        weight = np.exp(design.spread * rng.normal(size=len(unit)) + design.follow * (truth == 2))
    fold = rng.permutation(unit[-1] + 1)[unit] % PARTS
    trusted = {By(name, CHEAPEST): p for name, p in models.items()} | {
        By(name, RECALIBRATED): p if design.cases == TRUTH else recalibrated(p, truth, weight, fold)
        for name, p in models.items()
    }
    cost = np.array(design.cost, dtype=np.float64)
    return Judged(trusted, truth, unit, weight, cost, list(range(len(cost))), LEVEL)


def several(
    rng: np.random.Generator, cases: int, per_cluster: int, shift: tuple[float, ...]
) -> tuple[Any, dict[str, Any]]:
    """Three classes, of which clusters have more of one; two models' probabilities."""
    favour = np.repeat(rng.normal(size=(cases // per_cluster, 3)), per_cluster, axis=0)
    favour *= 1.0 if per_cluster > 1 else 0.0
    evidence = rng.normal(size=(cases, 3)) * 1.5 + np.array(shift)
    rest = rng.gumbel(size=(cases, 3))
    truth = np.argmax(evidence + favour + rest, axis=1)
    sharp = np.exp(evidence)
    blunt = np.exp(0.5 * evidence + 0.4 * rng.normal(size=(cases, 3)))
    models = {"sharp": sharp, "blunt": blunt}
    return truth, {name: odds / odds.sum(axis=1, keepdims=True) for name, odds in models.items()}


TABLES: dict[str, list[Cell]] = {
    "calibration": [partial(calibration_row, *cell) for cell in enumerate(CALIBRATION)],
    "matrix": [partial(matrix_row, *cell) for cell in enumerate(DECISIONS)],
}
