"""How often any of four or six claims is called wrongly: the familywise error of `maths.claims`.

Two equally good learners, so that each claim lies on its limit, where it is called wrongly most
often; at a nominal level of 90 %, so that at most 10 % of the data sets may have a wrong call.
Of the six, A and B each being first:

- "costs less than the other from PC(+) = .3 to .7" is false, at each of them: wrong if supported,
  be it on a part of the range only;
- "does not cost more than the other there" is true: wrong if contradicted;
- "costs less at PC(+) = .5 than it does on average over data sets": wrong if supported (A), and
  "at most as much", wrong if contradicted (B); only for curves.

In the cell of criteria the first four are about both learners' scores being trusted (score-driven);
the last two say that of what trusting them costs more than cross-fitted choice.

Written to tests/golden/simulated/claims.json. Run: ``python -m tests.coverage.claims``.
"""

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from costcurves.maths.bands import in_common
from costcurves.maths.claims import CONTRADICTED, SUPPORTED, Held, called
from costcurves.maths.curves import Curve, line
from costcurves.maths.evidence import Evidence, flips_on_range, on_range
from costcurves.maths.resampled_bands import Resampled, difference
from costcurves.maths.resampled_criteria import regret
from tests.coverage import choices
from tests.coverage.datasets import binormal, crisp_tables
from tests.coverage.inference import LEVEL, PLACES, SEED, both_envelopes, expectation, shares
from tests.coverage.making import Row, made, maths

GOLDEN = Path(__file__).parents[1] / "golden" / "simulated" / "claims.json"
LOW, HIGH = 0.3, 0.7
CRITERIA = "score-driven", "cross-fitted"

Pair = tuple[Resampled, Resampled]
Found = tuple[list[str], float]  # the wrong calls, and half the width of a band at PC(+) = .5


def curves(rng: np.random.Generator, size: int, average: float, resamples: int) -> Found:
    """Call six claims on one data set with two lower envelopes; give the wrong calls."""
    a, b = both_envelopes(rng, binormal(rng, size, size), resamples)
    return _called(size, (a, b), (a, b), average)


def criteria(rng: np.random.Generator, size: int, average: float, resamples: int) -> Found:
    """Call six claims about criteria on one data set; give the wrong calls."""
    both = choices.both(rng, (size, size), resamples, CRITERIA)
    a, b = (one["score-driven"].cost for one in both)
    more = [regret(one["score-driven"].cost, one["cross-fitted"].cost) for one in both]
    return _called(size, (a, b), (more[0], more[1]), average)


def _called(size: int, models: Pair, singles: Pair, average: float) -> Found:
    """Compare two models both ways round, and each single curve with an average at PC(+) = .5."""
    least = 1 / size, 1 / size
    ways = models, models[::-1]
    pairs = [on_range(difference(*way), LOW, HIGH, least) for way in ways]
    held = [_held(one, one.estimate) for one in pairs]
    limit = line(average, average)
    at_half = [on_range(one, 0.5, 0.5) for one in singles]
    more = [_held(one, one.estimate - limit) for one in at_half]
    return _wrong([*held, *held, *more], pairs)


def decisions(rng: np.random.Generator, size: int, discordance: float) -> Found:
    """Call the first four claims on one data set with two decisions; give the wrong calls."""
    negatives, positives = crisp_tables(rng, size, discordance, 0, 0).differences()
    swapped = (one._replace(higher=one.lower, lower=one.higher) for one in (negatives, positives))
    both = (negatives, positives), tuple(swapped)
    pairs = [flips_on_range((one[0], one[1]), LOW, HIGH, 500, rng) for one in both]
    held = [_held(one, one.estimate) for one in pairs]
    return _wrong([*held, *held], pairs)


def _held(evidence: Evidence, above: Curve) -> Held:
    height = evidence.highest(above).nec
    return Held(height, evidence.chance.p_value(height))


def _wrong(held: list[Held], pairs: Sequence[Evidence]) -> Found:
    names = ["cheaper"] * 2 + ["not dearer"] * 2 + ["cost below", "cost at most"]
    wrong = [SUPPORTED] * 2 + [CONTRADICTED] * 2 + [SUPPORTED, CONTRADICTED]
    found = called([[one] for one in held], [LEVEL] * len(held))
    each = zip(names, wrong, found, strict=False)
    calls = [name for name, mistake, one in each if one.verdict == mistake]
    parts = [_part(way, one.partly) for way, one in zip(pairs, found, strict=False)]
    band = pairs[0].band(LEVEL)
    width = float(band.upper(0.5) - band.lower(0.5)) / 2
    return calls + ["cheaper on a part"] * any(parts), width


def _part(evidence: Evidence, level: float) -> bool:
    """Say whether a difference is called negative anywhere on the range, however narrow."""
    found = evidence.band(level).upper.against(line(0, 0))
    return bool(in_common([[(LOW, HIGH)], [part[:2] for part in found if part.sign < 0]]))


def row(kind: str, size: int, datasets: int, resamples: int = 500) -> Row:
    """Simulate one cell."""
    rng, of_truth = (np.random.default_rng([SEED, size, len(kind), seed]) for seed in (1, 2))
    if kind == "decisions":
        found = [decisions(rng, size, 0.2) for _ in range(datasets)]
    else:
        average = float(np.interp(0.5, PLACES, EXPECTED[kind](of_truth, size, datasets)))
        found = [CALLED[kind](rng, size, average, resamples) for _ in range(datasets)]
    calls, widths = zip(*found, strict=True)
    names = sorted({name for one in calls for name in one})
    each = {name: float(np.mean([name in one for one in calls])) for name in names}
    wrong = float(np.mean([bool(one) for one in calls]))
    chance = round((wrong * (1 - wrong) / datasets) ** 0.5, 4)
    start: Row = {"kind": kind, "positives": size, "negatives": size, "datasets": datasets}
    width = shares([{"width at .5": one} for one in widths])
    return start | {"any": wrong, "standard error": chance} | width | each


def _envelope(rng: np.random.Generator, size: int, datasets: int) -> NDArray[np.float64]:
    return expectation(rng, 20 * datasets, size, size)


def _regret(rng: np.random.Generator, size: int, datasets: int) -> NDArray[np.float64]:
    trusted, chosen = choices.expectations(rng, (size, size), 4 * datasets, CRITERIA).values()
    return trusted - chosen


EXPECTED = {"curves": _envelope, "criteria": _regret}
CALLED = {"curves": curves, "criteria": criteria}


def main() -> None:
    """Write the table."""
    cells = [("curves", 30, 1000), ("curves", 100, 1000), ("decisions", 50, 1000)]
    cells.append(("criteria", 30, 1000))
    (rows,) = made(partial(row, *cell) for cell in cells)
    content = {"maths": maths("tests.coverage.claims"), "level": LEVEL, "rows": rows}
    GOLDEN.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
