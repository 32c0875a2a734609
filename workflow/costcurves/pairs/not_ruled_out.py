"""Which decisions may still be the cheapest at each PC(+): multiple comparisons with the best.

The decisions are the models and the two constant ones, whose cost is known exactly. At a PC(+) a
model is out of the running where a verdict says that another one is cheaper, and nowhere else
because of a model: so the two never say different things. It is also out where its band lies above
a constant decision's cost, and that one is out where the band lies below it. The critical value of
these bands is that of all of them and of all differences together: the quantile of the largest of
all their standardized deviations, over all of PC(+).

What holds. Verdicts keep their error over all pairs, so that with the chosen confidence none puts
out a model that is truly the cheapest somewhere. Comparisons with one fixed control would not do:
the cheapest decision is unknown and changes along PC(+) ([1]_; [2]_ drops models one by one for the
same end). The cheapest by estimate is above none, so some decision is in the running everywhere. As
for verdicts, no decision is out because of a sliver (`slivers`). The chance that any of them is put
out wrongly, by a verdict or by a constant decision, is measured: `running` in
tests/simulations/results/verdicts.json.

References
----------
.. [1] J. C. Hsu, "Constrained simultaneous confidence intervals for multiple comparisons with the
   best", Annals of Statistics 12, 1136-1144, 1984. https://doi.org/10.1214/aos/1176346732
.. [2] P. R. Hansen, A. Lunde and J. M. Nason, "The model confidence set", Econometrica 79, 453-497,
   2011. https://doi.org/10.3982/ECTA5771
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from costcurves.chance.largest import Largest
from costcurves.chance.resampled_bands import Resampled, student_quantile
from costcurves.curves.bands import Edge, through
from costcurves.curves.curves import Curve, Interval, better_than, line
from costcurves.curves.slivers import EXACT, is_sliver
from costcurves.pairs.comparisons import Verdict

Standing = Literal["cheapest", "not ruled out", "ruled out"]

SIGNS: Final = {"A cheaper": -1, "B cheaper": 1}  # of cost(A) - cost(B)
STANDINGS: Final[tuple[Standing, ...]] = ("cheapest", "not ruled out", "ruled out")


class Stretch(NamedTuple):
    """How a decision stands from PC(+) = `low` to `high`: cheapest is meant by estimate."""

    low: float
    high: float
    standing: Standing


def not_ruled_out(
    models: Sequence[Curve],
    own: Mapping[int, Resampled],
    differences: Sequence[Resampled],
    verdicts: Mapping[tuple[int, int], Sequence[Verdict]],
    level: float = 0.9,
) -> list[list[Stretch]]:
    """Say where each decision is the cheapest by estimate, in the running, or out of it.

    `own` are the resampled curves of some models, which are compared with the constant decisions,
    `differences` those of pairs, which share their critical value, and `verdicts` those on pairs
    (a, b) with cost(A) - cost(B): what one calls more expensive is out there.
    For each model, then for always negative and always positive, a partition of [0, 1]; neighbours
    differ. Several decisions are the cheapest where they cost the same.
    """
    constants = line(0, 1), line(1, 0)  # always negative, always positive
    curves, first = [*models, *constants], len(models)
    compared: dict[tuple[int, int], Resampled] = {}
    for number, one in own.items():
        for place, constant in enumerate(constants, start=first):
            compared[number, place] = replace(one, estimate=one.estimate - constant)
    parts = {
        (a, b): better_than(curves[a], curves[b]) for b in range(len(curves)) for a in range(b)
    }
    beyond = {(first, first + 1): parts[first, first + 1]}
    if compared:
        limit = critical([*own.values(), *differences], level)
        beyond |= {pair: _beyond(one, limit) for pair, one in compared.items()}
    for pair, named in verdicts.items():
        decided = [
            Interval(one.low, one.high, SIGNS[one.finding]) for one in named if one.finding in SIGNS
        ]
        beyond[pair] = [*beyond.get(pair, []), *decided]
    found = [part for one in (*parts.values(), *beyond.values()) for part in one]
    breaks = np.unique([end for part in found for end in (part.low, part.high)])
    breaks = breaks[np.append(np.diff(breaks) > EXACT, True)]
    breaks[0] = 0.0
    standing = _above(beyond, len(curves), breaks) + 1
    standing[~_above(parts, len(curves), breaks)] = 0
    return [_stretches(breaks, row) for row in standing]


def critical(compared: Sequence[Resampled], level: float) -> float:
    """Give what the standardized deviations of several curves or differences exceed together.

    Errors as `Resampled.critical`.
    """
    together = np.maximum.reduce([found.deviations for found in compared])
    least = max(student_quantile(level, found.dof) for found in compared)
    return max(Largest.simulated(together).critical(level), least)


def _beyond(found: Resampled, limit: float) -> list[Interval]:
    """List where the band of a difference is above or below zero, slivers left out."""
    width = through(found.grid, limit * found.wide)
    zero, edges = line(0, 0), (Edge(found.estimate - width, -1), Edge(found.estimate + width, 1))
    return [
        part
        for sign, edge in zip((1, -1), edges, strict=True)
        for part in edge.against(zero)
        if part.sign == sign and not is_sliver(found.estimate, part.low, part.high)
    ]


def _above(
    parts: Mapping[tuple[int, int], Sequence[Interval]], count: int, breaks: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """(decisions, pieces) whether some other decision is cheaper by these signs of differences."""
    found = np.zeros((count, len(breaks) - 1), dtype=bool)
    for pair, intervals in parts.items():
        for low, high, sign in intervals:
            if sign:
                first, last = np.searchsorted(breaks, [low - EXACT, high - EXACT])
                found[pair[0 if sign > 0 else 1], first:last] = True
    return found


def _stretches(breaks: NDArray[np.float64], standing: NDArray[np.int64]) -> list[Stretch]:
    first = np.flatnonzero(np.append(True, np.diff(standing) != 0))
    low = breaks[first].tolist()
    found = zip(low, [*low[1:], 1.0], standing[first].tolist(), strict=True)
    return [Stretch(start, end, STANDINGS[code]) for start, end, code in found]
