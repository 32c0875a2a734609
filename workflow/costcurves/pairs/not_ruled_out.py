"""Which decisions are not ruled out as the cheapest at each PC(+): comparisons with the best.

The decisions are the models and the two constant ones, whose cost is known exactly. At a PC(+) a
model is ruled out where a verdict says that another one is cheaper, and nowhere else because of a
model: so the two never say different things. It is also ruled out where its band lies above a
constant decision's cost, and that one is where the band lies below it. The critical value of
these bands is that of all of them and of all differences together: the quantile of the largest of
all their standardized deviations, over all of PC(+).

What holds. Verdicts keep their error over all pairs, so that with the chosen confidence none rules
out a model that is truly the cheapest somewhere. Comparisons with one fixed control would not do:
the cheapest decision is unknown and changes along PC(+) ([1]_; [2]_ drops models one by one for the
same end). The cheapest by estimate is above none, so some decision is not ruled out
anywhere. As for verdicts, no decision is ruled out because of a sliver (`slivers`). The chance that
any is wrongly, by a verdict or by a constant decision, is measured: `running` in
tests/simulations/results/verdicts.json.

References
----------
.. [1] J. C. Hsu, "Constrained simultaneous confidence intervals for multiple comparisons with the
   best", Annals of Statistics 12, 1136-1144, 1984. https://doi.org/10.1214/aos/1176346732
.. [2] P. R. Hansen, A. Lunde and J. M. Nason, "The model confidence set", Econometrica 79, 453-497,
   2011. https://doi.org/10.3982/ECTA5771
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

import numpy as np
import pandas as pd

from costcurves.chance.largest import Largest
from costcurves.chance.resampled_bands import Resampled, student_quantile
from costcurves.chance.resamples import Resamples
from costcurves.choosing.headline import estimates_of, headline_of
from costcurves.counts.elementwise import FloatArray, IntArray
from costcurves.curves.bands import around, through
from costcurves.curves.curves import Curve, Interval, better_than, line
from costcurves.curves.slivers import EXACT
from costcurves.pairs.comparisons import ALL_PAIRS, Pair
from costcurves.pairs.verdicts import Verdict, divided, ratios
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import ALWAYS, CONFIDENCE, DATASET, IN_SAMPLE, METHOD, RATIOS, STRETCH

NOT_RULED_OUT: Final = Contract(
    "not_ruled_out",
    DATASET,
    Column("decision", "str", "", "a model, always negative or always positive"),
    Column("standing", "str", "", "cheapest (by estimate), not ruled out, or ruled out"),
    *STRETCH,
    *RATIOS,
    CONFIDENCE,
    METHOD,
)

CHEAPEST: Final = "cheapest"
OUT: Final = "ruled out"
Standing = Literal["cheapest", "not ruled out", "ruled out"]
STANDINGS: Final[tuple[Standing, ...]] = (CHEAPEST, "not ruled out", OUT)
SIGNS: Final = {"A cheaper": -1, "B cheaper": 1}  # of cost(A) - cost(B)

Parts = dict[tuple[int, int], list[Interval]]  # of differences of two decisions, by their places


class Stretch(NamedTuple):
    """How a decision stands from PC(+) = `low` to `high`: cheapest is meant by estimate."""

    low: float
    high: float
    standing: Standing


def standings(
    models: Sequence[Curve],
    resampled: Mapping[int, Resampled],
    differences: Sequence[Resampled],
    verdicts: Mapping[tuple[int, int], Sequence[Verdict]],
    level: float = 0.9,
) -> list[list[Stretch]]:
    """Return where each decision is the cheapest by estimate, not ruled out, or ruled out.

    `resampled` are the curves of some models, which are compared with the constant decisions,
    `differences` those of pairs, which share their critical value, and `verdicts` those on pairs
    (a, b) with cost(A) - cost(B): what one calls more expensive is ruled out there.
    For each model, then for always negative and always positive, a partition of [0, 1]; neighbours
    differ. Several decisions are the cheapest where they cost the same.
    """
    constants = line(0, 1), line(1, 0)  # always negative, always positive
    curves, first = [*models, *constants], len(models)
    parts: Parts = {
        (a, b): better_than(curves[a], curves[b]) for b in range(len(curves)) for a in range(b)
    }
    decided = dict(verdicts)
    if resampled:
        limit = critical([*resampled.values(), *differences], level)
        for model, curve in resampled.items():
            width = through(curve.grid, limit * curve.wide)
            for place, constant in enumerate(constants, start=first):
                difference = curve.estimate - constant
                band = around(difference, width, level, simultaneous=True, method=curve.method)
                decided[model, place] = divided(band)
    beyond: Parts = {
        pair: [Interval(*part[:2], SIGNS[part.finding]) for part in parted if part.finding in SIGNS]
        for pair, parted in decided.items()
    }
    beyond[first, first + 1] = parts[first, first + 1]
    ends = [part[:2] for of_pair in (*parts.values(), *beyond.values()) for part in of_pair]
    breaks = np.unique(ends)
    breaks = breaks[np.append(np.diff(breaks) > EXACT, True)]
    breaks[0] = 0.0
    standing = _above(beyond, len(curves), breaks) + 1
    standing[_above(parts, len(curves), breaks) == 0] = 0
    stretches = []
    for codes in standing:
        starts = np.flatnonzero(np.append(True, np.diff(codes) != 0))
        lows, names = breaks[starts].tolist(), [STANDINGS[code] for code in codes[starts]]
        stretches.append(list(map(Stretch, lows, [*lows[1:], 1.0], names)))
    return stretches


def critical(compared: Sequence[Resampled], level: float) -> float:
    """Return what the standardized deviations of several curves or differences exceed together.

    Errors as `Resampled.critical`.
    """
    together = np.maximum.reduce([curve.deviations for curve in compared])
    least = max(student_quantile(level, curve.dof) for curve in compared)
    return max(Largest.simulated(together).critical(level), least)


def _above(parts: Parts, count: int, breaks: FloatArray) -> IntArray:
    """(decisions, pieces) 1 where some other decision is cheaper by these signs of differences."""
    above = np.zeros((count, len(breaks) - 1), dtype=np.int64)
    for pair, intervals in parts.items():
        for low, high, sign in intervals:
            if sign:
                start, end = np.searchsorted(breaks, [low - EXACT, high - EXACT])
                above[pair[0 if sign > 0 else 1], start:end] = 1
    return above


def not_ruled_out(
    headline: pd.DataFrame,
    measures: pd.DataFrame,
    resamples: Resamples,
    pairs: Sequence[Pair],
    verdicts: pd.DataFrame,
    confidence: float,
) -> pd.DataFrame:
    """Divide PC(+) for each decision by whether the data exclude that it is the cheapest.

    Because of another model one is ruled out exactly where a verdict calls it more expensive.
    Beside the constant decisions one critical value serves all models. A curve that was chosen on
    the data that judge it is not compared with anything.
    """
    curves, estimates = headline_of(headline), estimates_of(headline)
    place = {model: number for number, model in enumerate(curves)}
    resampled = {
        place[model]: resamples.of(model, curve, estimates[model]).settled()
        for model, curve in curves.items()
        if estimates[model] != IN_SAMPLE
    }
    differences = [
        pair.resampled for pair in pairs if pair.family == ALL_PAIRS and not pair.why_none
    ]
    decided: dict[tuple[int, int], list[Verdict]] = {}
    names = ["model_a", "model_b", "pc_from", "pc_to", "finding"]
    for a, b, low, high, finding in verdicts[names].itertuples(index=False):
        decided.setdefault((place[a], place[b]), []).append(Verdict(low, high, finding))
    facts = measures.iloc[0]
    decisions = standings([*curves.values()], resampled, differences, decided, confidence)
    rows = [
        {"decision": decision, "standing": standing, "pc_from": low, "pc_to": high}
        for decision, stretches in zip([*curves, *ALWAYS], decisions, strict=True)
        for low, high, standing in stretches
    ]
    return NOT_RULED_OUT.rows(
        rows,
        **ratios(rows, float(facts["prior"])),
        dataset=str(facts["dataset"]),
        confidence=confidence,
        method=next(iter(resampled.values())).method if resampled else IN_SAMPLE,
    )
