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

from costcurves.chance.resampled_bands import Resampled, difference
from costcurves.chance.resampled_rules import regret
from costcurves.curves.bands import in_common
from costcurves.curves.curves import Curve, line
from costcurves.many.claims import CONTRADICTED, SUPPORTED, UNDECIDED, called
from costcurves.many.evidence import Evidence, Outcome, flips_on_range, on_range
from tests.simulations import choices
from tests.simulations.counting import LEVEL, PLACES, RESAMPLES, SEED, error_of, rounded
from tests.simulations.datasets import crisp_differences
from tests.simulations.making import Cell, Row

RESULTS = Path(__file__).parent / "results" / "claims.json"
LOW, HIGH = 0.3, 0.7
CROSS = "cross-fitted"
CRITERIA = "score-driven", CROSS

# The wrong calls, whether one claim alone is called, and half the width of a band at PC(+) = .5.
Calls = tuple[list[str], bool, float]


def of_curves(rng: np.random.Generator, size: int, average: float) -> Calls:
    """Call six claims on one data set with two cross-fitted curves."""
    both = choices.both(rng, (size, size), RESAMPLES, (CROSS,))
    models = [model[CROSS].cost for model in both]
    return _called(size, models, models, average)


def of_criteria(rng: np.random.Generator, size: int, average: float) -> Calls:
    """Call six claims about criteria on one data set."""
    both = choices.both(rng, (size, size), RESAMPLES, CRITERIA)
    models = [model["score-driven"].cost for model in both]
    more = [regret(model["score-driven"].cost, model[CROSS].cost) for model in both]
    return _called(size, models, more, average)


def _called(size: int, models: list[Resampled], singles: list[Resampled], average: float) -> Calls:
    """Compare two models both ways round, and each single curve with an average at PC(+) = .5."""
    least = 1 / size, 1 / size
    pairs = [on_range(difference(*way), LOW, HIGH, least) for way in (models, models[::-1])]
    outcomes = [_outcome(evidence, evidence.estimate) for evidence in pairs]
    at_half = [on_range(single, 0.5, 0.5) for single in singles]
    more = [_outcome(each, each.estimate - line(average, average)) for each in at_half]
    alone = on_range(difference(*models), 0.5, 0.5, least)
    return _wrong([*outcomes, *outcomes, *more], pairs, alone)


def of_decisions(rng: np.random.Generator, size: int, _: float) -> Calls:
    """Call the first four claims on one data set with two decisions."""
    both = crisp_differences(rng, size, 0.2, 0, 0)
    negatives, positives = (each._replace(higher=each.lower, lower=each.higher) for each in both)
    pairs = [flips_on_range(pair, LOW, HIGH, 500, rng) for pair in (both, (negatives, positives))]
    outcomes = [_outcome(evidence, evidence.estimate) for evidence in pairs]
    return _wrong([*outcomes, *outcomes], pairs, flips_on_range(both, 0.5, 0.5, 500, rng))


def _outcome(evidence: Evidence, above: Curve) -> Outcome:
    height = evidence.highest(above).height
    return Outcome(height, evidence.p_value(height))


def _wrong(outcomes: list[Outcome], pairs: Sequence[Evidence], alone: Evidence) -> Calls:
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
    """Return whether a difference is called negative anywhere on the range, however narrow."""
    parts = evidence.band(level).upper.against(line(0, 0))
    return bool(in_common([[(LOW, HIGH)], [part[:2] for part in parts if part.sign < 0]]))


def row(kind: str, size: int, datasets: int) -> Row:
    """Count the wrong calls of one kind of models."""
    rng, of_truth = (np.random.default_rng([SEED, size, len(kind), seed]) for seed in (1, 2))
    average = 0.0
    if kind != "decisions":
        rules = CRITERIA if kind == "criteria" else (CROSS,)
        *trusted, chosen = choices.expectations(
            of_truth, (size, size), 4 * datasets, rules
        ).values()
        expected = trusted[0] - chosen if trusted else chosen
        average = float(np.interp(0.5, PLACES, expected))
    results = [CALLED[kind](rng, size, average) for _ in range(datasets)]
    calls, alone, widths = zip(*results, strict=True)
    wrong = float(np.mean([bool(names) for names in calls]))
    start: Row = {"kind": kind, "positives": size, "negatives": size, "datasets": datasets}
    start |= {"any": wrong, "standard error": round(error_of(wrong, datasets), 4)}
    start |= {"alone": float(np.mean(alone)) / 2, "width at .5": rounded(widths)}
    names = sorted({name for names in calls for name in names})
    return start | {name: float(np.mean([name in names for names in calls])) for name in names}


CALLED = {"curves": of_curves, "criteria": of_criteria, "decisions": of_decisions}
CELLS = (("curves", 100, 400), ("curves", 30, 500), ("criteria", 30, 500), ("decisions", 50, 1000))
TABLES: dict[str, list[Cell]] = {"rows": [partial(row, *cell) for cell in CELLS]}
