"""How often any of six claims is called wrongly: the familywise error of `maths.claims`.

Two equally good learners, so that each claim lies on its limit, where it is called wrongly most
often; at a nominal level of 90 %, so that at most 10 % of the data sets may have a wrong call.
Of the six, A and B each being first:

- "costs less than the other from PC(+) = .3 to .7" is false: wrong if supported;
- "does not cost more than the other there" is true: wrong if contradicted;
- "costs less at PC(+) = .5 than it does on average over data sets": wrong if supported (A), and
  "at most as much", wrong if contradicted (B); only for curves.

Written to tests/golden/simulated/claims.json. Run: ``python -m tests.coverage.claims``.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from costcurves.maths.claims import Evidence, Held, called, flips_on_range, on_range
from costcurves.maths.curves import Curve, line
from costcurves.maths.resampled_bands import difference
from tests.coverage.datasets import binormal, crisp_tables
from tests.coverage.inference import LEVEL, PLACES, SEED, both_envelopes, expectation

GOLDEN = Path(__file__).parents[1] / "golden" / "simulated" / "claims.json"
LOW, HIGH = 0.3, 0.7
SUPPORTED, CONTRADICTED = "SUPPORTED", "CONTRADICTED"

Row = dict[str, Any]


def curves(rng: np.random.Generator, size: int, average: float, resamples: int) -> list[str]:
    """Call six claims on one data set with two lower envelopes; give the wrong calls."""
    a, b = both_envelopes(rng, binormal(rng, size, size), resamples)
    least = 1 / size, 1 / size
    pairs = [on_range(difference(*both), LOW, HIGH, least) for both in ((a, b), (b, a))]
    limit = line(average, average)
    singles = [on_range(one, 0.5, 0.5) for one in (a, b)]
    held = [_held(one, one.estimate) for one in pairs]
    return _wrong([*held, *held, *(_held(one, one.estimate - limit) for one in singles)])


def decisions(rng: np.random.Generator, size: int, discordance: float) -> list[str]:
    """Call the first four claims on one data set with two decisions; give the wrong calls."""
    negatives, positives = crisp_tables(rng, size, discordance, 0, 0).differences()
    swapped = (one._replace(higher=one.lower, lower=one.higher) for one in (negatives, positives))
    both = (negatives, positives), tuple(swapped)
    pairs = [flips_on_range((one[0], one[1]), LOW, HIGH, 500, rng) for one in both]
    held = [_held(one, one.estimate) for one in pairs]
    return _wrong([*held, *held])


def _held(evidence: Evidence, above: Curve) -> Held:
    height = evidence.highest(above).nec
    return Held(height, evidence.chance.p_value(height))


def _wrong(held: list[Held]) -> list[str]:
    names = ["cheaper"] * 2 + ["not dearer"] * 2 + ["cost below", "cost at most"]
    wrong = [SUPPORTED] * 2 + [CONTRADICTED] * 2 + [SUPPORTED, CONTRADICTED]
    found = called([[one] for one in held], [LEVEL] * len(held))
    each = zip(names, wrong, found, strict=False)
    return [name for name, mistake, one in each if one.verdict == mistake]


def row(kind: str, size: int, datasets: int, resamples: int = 500) -> Row:
    """Simulate one cell."""
    rng = np.random.default_rng([SEED, size, len(kind)])
    if kind == "curves":
        expected = expectation(rng, 20 * datasets, size, size)
        average = float(np.interp(0.5, PLACES, expected))
        found = [curves(rng, size, average, resamples) for _ in range(datasets)]
    else:
        found = [decisions(rng, size, 0.2) for _ in range(datasets)]
    names = sorted({name for one in found for name in one})
    each = {name: float(np.mean([name in one for one in found])) for name in names}
    wrong = float(np.mean([bool(one) for one in found]))
    start: Row = {"kind": kind, "positives": size, "negatives": size, "datasets": datasets}
    return start | {"any": wrong} | each


def main() -> None:
    """Write the table."""
    cells = [("curves", 30, 1000), ("curves", 100, 1000), ("decisions", 50, 1000)]
    rows = [row(*cell) for cell in cells]
    GOLDEN.write_text(json.dumps({"level": LEVEL, "rows": rows}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
