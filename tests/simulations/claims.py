"""How often any of four or six claims is called wrongly: the familywise error of claims.

Two equally good learners, so that each claim lies on its limit, where it is called wrongly most
often; at a nominal level of 90 %, so that at most 10 % of the data sets may have a wrong call.
Curves are what a report judges: cross-fitted, in ten folds.
Of the six, A and B each being first:

- "costs less than the other from PC(+) = .3 to .7" is false, at each of them: wrong if supported,
  be it on a part of the range only;
- "does not cost more than the other there" is true: wrong if contradicted;
- "costs less at PC(+) = .5 than it does on average over data sets": wrong if supported (A), and
  "at most as much", wrong if contradicted (B); only for curves.

`alone` is the share in which such a claim about PC(+) = .5 is called wrongly if it is the only one:
half of those in which it is called either way, as at its limit either call may be the wrong one.

In the cells of criteria the first four are about both learners' scores being trusted
(score-driven); the last two say that of what trusting them costs more than cross-fitted choice.

Written to tests/simulations/results/claims.json. Run: ``python -m tests.simulations claims`` (three
minutes on two cores).
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from costcurves.chance.resampled_bands import Resampled, difference
from costcurves.chance.resampled_rules import regret
from costcurves.curves.bands import in_common
from costcurves.curves.curves import Curve, line
from costcurves.many.claims import CONTRADICTED, SUPPORTED, UNDECIDED, called
from costcurves.many.evidence import Evidence, Outcome, flips_on_range, on_range
from tests.simulations import choices
from tests.simulations.counting import LEVEL, PLACES, SEED, shares
from tests.simulations.datasets import crisp_differences
from tests.simulations.making import Cell, Row

RESULTS = Path(__file__).parent / "results" / "claims.json"
LOW, HIGH = 0.3, 0.7
CROSS = "cross-fitted"
CRITERIA = "score-driven", CROSS

Pair = tuple[Resampled, Resampled]
# The wrong calls, whether one claim alone is called, and half the width of a band at PC(+) = .5.
Found = tuple[list[str], bool, float]


def curves(rng: np.random.Generator, size: int, average: float, resamples: int) -> Found:
    """Call six claims on one data set with two cross-fitted curves; give the wrong calls."""
    a, b = (model[CROSS].cost for model in choices.both(rng, (size, size), resamples, (CROSS,)))
    return _called(size, (a, b), (a, b), average)


def criteria(rng: np.random.Generator, size: int, average: float, resamples: int) -> Found:
    """Call six claims about criteria on one data set; give the wrong calls."""
    both = choices.both(rng, (size, size), resamples, CRITERIA)
    a, b = (model["score-driven"].cost for model in both)
    more = [regret(model["score-driven"].cost, model[CROSS].cost) for model in both]
    return _called(size, (a, b), (more[0], more[1]), average)


def _called(size: int, models: Pair, singles: Pair, average: float) -> Found:
    """Compare two models both ways round, and each single curve with an average at PC(+) = .5."""
    least = 1 / size, 1 / size
    ways = models, models[::-1]
    pairs = [on_range(difference(*way), LOW, HIGH, least) for way in ways]
    outcomes = [_outcome(evidence, evidence.estimate) for evidence in pairs]
    limit = line(average, average)
    at_half = [on_range(evidence, 0.5, 0.5) for evidence in singles]
    more = [_outcome(evidence, evidence.estimate - limit) for evidence in at_half]
    alone = on_range(difference(*models), 0.5, 0.5, least)
    return _wrong([*outcomes, *outcomes, *more], pairs, alone)


def decisions(rng: np.random.Generator, size: int, discordance: float) -> Found:
    """Call the first four claims on one data set with two decisions; give the wrong calls."""
    negatives, positives = crisp_differences(rng, size, discordance, 0, 0)
    swapped = (
        of_class._replace(higher=of_class.lower, lower=of_class.higher)
        for of_class in (negatives, positives)
    )
    other_way = next(swapped), next(swapped)
    both = (negatives, positives), other_way
    pairs = [flips_on_range(pair, LOW, HIGH, 500, rng) for pair in both]
    outcomes = [_outcome(evidence, evidence.estimate) for evidence in pairs]
    return _wrong([*outcomes, *outcomes], pairs, flips_on_range(both[0], 0.5, 0.5, 500, rng))


def _outcome(evidence: Evidence, above: Curve) -> Outcome:
    height = evidence.highest(above).height
    return Outcome(height, evidence.p_value(height))


def _wrong(outcomes: list[Outcome], pairs: Sequence[Evidence], alone: Evidence) -> Found:
    names = ["cheaper"] * 2 + ["not dearer"] * 2 + ["cost below", "cost at most"]
    wrong = [SUPPORTED] * 2 + [CONTRADICTED] * 2 + [SUPPORTED, CONTRADICTED]
    results = called([[outcome] for outcome in outcomes], [LEVEL] * len(outcomes))
    each = zip(names, wrong, results, strict=False)
    calls = [name for name, mistake, result in each if result.verdict == mistake]
    parts = [_part(way, result.partly) for way, result in zip(pairs, results, strict=False)]
    band = pairs[0].band(LEVEL)
    width = float(band.upper(0.5) - band.lower(0.5)) / 2
    (single,) = called([[_outcome(alone, alone.estimate)]], [LEVEL])
    return calls + ["cheaper on a part"] * any(parts), single.verdict != UNDECIDED, width


def _part(evidence: Evidence, level: float) -> bool:
    """Say whether a difference is called negative anywhere on the range, however narrow."""
    parts = evidence.band(level).upper.against(line(0, 0))
    return bool(in_common([[(LOW, HIGH)], [part[:2] for part in parts if part.sign < 0]]))


def row(kind: str, size: int, datasets: int, resamples: int = 500) -> Row:
    """Simulate one cell."""
    rng, of_truth = (np.random.default_rng([SEED, size, len(kind), seed]) for seed in (1, 2))
    if kind == "decisions":
        simulated = [decisions(rng, size, 0.2) for _ in range(datasets)]
    else:
        average = float(np.interp(0.5, PLACES, EXPECTED[kind](of_truth, size, datasets)))
        simulated = [CALLED[kind](rng, size, average, resamples) for _ in range(datasets)]
    calls, alone, widths = zip(*simulated, strict=True)
    names = sorted({name for wrong_calls in calls for name in wrong_calls})
    each = {name: float(np.mean([name in wrong_calls for wrong_calls in calls])) for name in names}
    wrong = float(np.mean([bool(wrong_calls) for wrong_calls in calls]))
    chance = round((wrong * (1 - wrong) / datasets) ** 0.5, 4)
    start: Row = {"kind": kind, "positives": size, "negatives": size, "datasets": datasets}
    width = shares([{"width at .5": half} for half in widths])
    start |= {"any": wrong, "standard error": chance, "alone": float(np.mean(alone)) / 2}
    return start | width | each


def _chosen(rng: np.random.Generator, size: int, datasets: int) -> NDArray[np.float64]:
    return choices.expectations(rng, (size, size), 4 * datasets, (CROSS,))[CROSS]


def _regret(rng: np.random.Generator, size: int, datasets: int) -> NDArray[np.float64]:
    trusted, chosen = choices.expectations(rng, (size, size), 4 * datasets, CRITERIA).values()
    return trusted - chosen


EXPECTED = {"curves": _chosen, "criteria": _regret}
CALLED = {"curves": curves, "criteria": criteria}


CELLS = (("curves", 100, 400), ("curves", 30, 500), ("criteria", 30, 500), ("decisions", 50, 1000))
TABLES: dict[str, list[Cell]] = {"rows": [partial(row, *cell) for cell in CELLS]}
