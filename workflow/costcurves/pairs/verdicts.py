"""Who is really cheaper, and where: verdicts on a paired difference, over all PC(+) at once.

A verdict is read off a simultaneous band of cost(A) - cost(B): the chance that it calls one of two
equal classifiers cheaper ANYWHERE on PC(+) is at most 1 - level. Its ends are roots of the band's
edges, not grid points.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, groupby, pairwise
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import pandas as pd

from costcurves.choosing.headline import estimates_of, headline_of
from costcurves.counts.elementwise import Values
from costcurves.curves.bands import Band, in_common
from costcurves.curves.cost_space import ratio_from_pc
from costcurves.curves.curves import Curve, better_than, line
from costcurves.curves.slivers import is_sliver
from costcurves.curves.stretches import furthest
from costcurves.pairs.comparisons import Comparison, Pair
from costcurves.settings import Inference
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import (
    CONFIDENCE,
    DATASET,
    ESTIMATE,
    IN_SAMPLE,
    LARGEST,
    METHOD,
    OF_PAIR,
    RATIOS,
    STRETCH,
)

VERDICTS: Final = Contract(
    "verdicts",
    DATASET,
    *OF_PAIR,
    Column("finding", "str", "", "A cheaper, B cheaper, equivalent, or undecided"),
    Column("reason", "str", "", "undecided as in-sample selection, or narrow; else empty"),
    *STRETCH,
    *RATIOS,
    *LARGEST,
    Column("low", "float64", "nec", "lower edge of the simultaneous band there"),
    Column("high", "float64", "nec", "upper edge of the simultaneous band there"),
    Column("p_value", "float64", "probability", "so large a difference anywhere; NaN: no test"),
    Column("adjusted", "float64", "probability", "by Holm's steps: against 1 - familywise"),
    Column("familywise", "float64", "probability", "level of all verdicts of the family"),
    CONFIDENCE,
    METHOD,
    Column("equivalence", "float64", "nec", "differences up to here count as none; NaN: none do"),
    Column("projected", "float64", "instances", "would settle it; inf: within a standard error"),
    Column("instances", "int64", "instances", "distinct instances judged"),
    Column("repeats", "int64", "repeats", "repeats of cross-validation"),
    Column("folds", "int64", "folds", "folds of a repeat, the most of any"),
)
CROSSOVERS: Final = Contract(
    "crossovers",
    DATASET,
    *OF_PAIR[1:],
    ESTIMATE,
    *STRETCH,
    Column("cheaper", "str", "", "the model that costs less there, or: equal"),
    *RATIOS,
    *LARGEST,
    Column("to_low", "float64", "PC(+)", "pc_to may be as low as that; NaN: no crossing there"),
    Column("to_high", "float64", "PC(+)", "pc_to may be as high as that; NaN: no crossing"),
)
NARROW: Final = "narrow"

Finding = Literal["A cheaper", "B cheaper", "equivalent", "undecided"]
Row = dict[str, Any]


class Verdict(NamedTuple):
    """What the data say about a stretch of PC(+), 0 <= low < high <= 1.

    The finding is "A cheaper", "B cheaper", "equivalent" (within delta), or "undecided"; `sliver`
    says that it is undecided only because it is a sliver (`slivers`).
    """

    low: float
    high: float
    finding: Finding
    sliver: bool = False


def divided(band: Band, delta: float | None = None) -> list[Verdict]:
    """Return where A is cheaper, where B is, where they are equivalent, and where it is undecided.

    Parameters
    ----------
    band
        Simultaneous band of cost(A) - cost(B).
    delta
        Differences up to this count as none: "equivalent" is where the whole band lies within
        [-delta, delta], whether or not it excludes zero. None: never.

    Returns
    -------
    list of Verdict
        A partition of [0, 1] in increasing order; neighbours differ, but that slivers of a
        difference that jumps are undecided, and say so: claims are only ever withdrawn.

    Examples
    --------
    >>> from costcurves.curves.bands import around
    >>> band = around(line(-0.2, 0.3), line(0.1, 0.1), 0.9, simultaneous=True, method="any")
    >>> [(round(low, 2), round(high, 2), finding) for low, high, finding, _ in divided(band)]
    [(0.0, 0.2, 'A cheaper'), (0.2, 0.6, 'undecided'), (0.6, 1.0, 'B cheaper')]
    """
    signs: dict[int, Finding] = {-1: "A cheaper", 0: "undecided", 1: "B cheaper"}
    parts = [Verdict(low, high, signs[sign]) for low, high, sign in band.against(line(0, 0))]
    parts = [_used(part, band.estimate) for part in parts]
    if delta is None:
        return parts
    parts = _with_equivalence(parts, _equivalent(band, delta))
    return [_used(part, band.estimate) if part.finding == "equivalent" else part for part in parts]


def _used(verdict: Verdict, difference: Curve) -> Verdict:
    """Withdraw a claim about a sliver."""
    if verdict.finding == "undecided" or not is_sliver(difference, verdict.low, verdict.high):
        return verdict
    return verdict._replace(finding="undecided", sliver=True)


def _equivalent(band: Band, delta: float) -> list[tuple[float, float]]:
    """List the stretches on which the whole band lies within [-delta, delta]."""
    above = [part[:2] for part in band.upper.against(line(delta, delta)) if part.sign <= 0]
    below = [part[:2] for part in band.lower.against(line(-delta, -delta)) if part.sign >= 0]
    return in_common([above, below])


def _with_equivalence(
    verdicts: list[Verdict], equivalent: list[tuple[float, float]]
) -> list[Verdict]:
    """Let equivalence prevail, and merge neighbours of one finding."""
    ends = {end for stretch in equivalent for end in stretch}
    parts = []
    for low, high in pairwise(sorted({0.0, *(verdict.high for verdict in verdicts), *ends})):
        middle = (low + high) / 2
        part = next(verdict for verdict in verdicts if middle <= verdict.high)
        if any(start <= middle <= end for start, end in equivalent):
            part = Verdict(low, high, "equivalent")
        parts.append(part._replace(low=low, high=high))
    groups = [list(group) for _, group in groupby(parts, key=lambda part: part[2:])]
    return [group[0]._replace(high=group[-1].high) for group in groups]


def projected_instances(comparison: Comparison, instances: int, level: float = 0.9) -> float:
    """Project how many instances would decide a pair somewhere: a projection, not a promise.

    So many that a difference as large as the observed one, with the same spread from instance to
    instance and the same class proportion, would just leave the band of this level, after Holm: its
    width goes with the root of their number. At most `instances` where it is decided already,
    infinite if there is no difference.

    >>> from costcurves.pairs.paired import differences, sign_flips
    >>> n, p = (differences(np.repeat([-1, 1, 0], k) / 100) for k in ([6, 4, 90], [12, 8, 80]))
    >>> flips = sign_flips(n, p, 2000, np.random.default_rng(0))
    >>> projected_instances(flips, 200)
    616.0
    """
    if not comparison.height:
        return math.inf
    return float(math.ceil(instances * (comparison.critical(level) / comparison.height) ** 2))


def verdicts(measures: pd.DataFrame, pairs: Sequence[Pair], inference: Inference) -> pd.DataFrame:
    """Divide PC(+) for each pair by what the data can decide, familywise over all PC(+).

    Ends are exact roots of the band's edges. Slivers (`curves.slivers`) are left undecided,
    and so is all of PC(+) for a pair that was not tested.
    """
    facts, delta = measures.iloc[0], inference.equivalence
    instances = int(facts["instances"])
    rows = [row for pair in pairs for row in _stretches(pair, instances, delta)]
    return VERDICTS.rows(
        rows,
        **ratios(rows, float(facts["prior"])),
        **facts[["dataset", "instances", "repeats", "folds"]],
        familywise=inference.confidence,
        equivalence=math.nan if delta is None else delta,
    )


def _stretches(pair: Pair, instances: int, delta: float | None) -> Iterator[Row]:
    """Return the stretches of a pair, with the band where the difference is largest on each.

    All of PC(+) is one, without a band, if it was not tested.
    """
    comparison, level = pair.comparison, pair.confidence
    band, estimate = comparison.simultaneous(level), comparison.estimate
    of_pair = {"family": pair.family, "model_a": pair.a, "model_b": pair.b, "confidence": level}
    of_pair |= {"adjusted": pair.adjusted, "projected": math.inf}
    parts = [Verdict(0.0, 1.0, "undecided")]
    if not pair.why_none:
        parts, of_pair["p_value"] = divided(band, delta), comparison.p_value
        if comparison.height >= 1:  # standard error; a smaller difference is hardly one
            of_pair["projected"] = projected_instances(comparison, instances, level)
    at, extreme = furthest(estimate, [0.0, *(part.high for part in parts)])
    left = estimate(at, side="left") == extreme
    edges = [np.where(left, edge(at, side="left"), edge(at)) for edge in (band.lower, band.upper)]
    for part, pc, height, low, high in zip(parts, at, extreme, *edges, strict=True):
        row: Row = {"pc_from": part.low, "pc_to": part.high, "finding": part.finding}
        row |= {"at_pc": pc, "largest_difference": height}
        if pair.why_none:
            row |= {"reason": pair.why_none, "method": pair.why_none}
        else:
            row |= {"reason": NARROW if part.sliver else "", "method": band.method}
            row |= {"low": low, "high": high}
        yield of_pair | row


def ratios(rows: Sequence[Row], prior: float) -> dict[str, Values]:
    """Return the cost ratios at the ends of all stretches."""
    return {
        f"ratio_{end}": ratio_from_pc([row[f"pc_{end}"] for row in rows], prior)
        for end in ("from", "to")
    }


def crossovers(
    headline: pd.DataFrame, measures: pd.DataFrame, pairs: Sequence[Pair], confidence: float
) -> pd.DataFrame:
    """Divide PC(+) for each two models by which costs less; a difference is cost(A) - cost(B).

    `pairs` (none where models are not paired) say how far a crossing may move: as far as their
    simultaneous bands of level `confidence` hold zero. The difference of two estimates is in-sample
    if one of them is.
    """
    curves, estimates = headline_of(headline), estimates_of(headline)
    bands = {
        (pair.a, pair.b): pair.comparison.simultaneous(confidence)
        for pair in pairs
        if not pair.why_none
    }
    rows = []
    for a, b in combinations(curves, 2):
        estimate = IN_SAMPLE if IN_SAMPLE in (estimates[a], estimates[b]) else estimates[a]
        parts, band = better_than(curves[a], curves[b]), bands.get((a, b))
        zero = [part[:2] for part in band.against(line(0, 0)) if part.sign == 0] if band else None
        at, extreme = furthest(curves[a] - curves[b], [0.0, *(part.high for part in parts)])
        for (low, high, sign), pc, nec in zip(parts, at, extreme, strict=True):
            names = {"model_a": a, "model_b": b, "cheaper": {-1: a, 0: "equal", 1: b}[sign]}
            row = {"pc_from": low, "pc_to": high, "at_pc": pc, "estimate": estimate}
            rows.append({**names, **row, "largest_difference": nec if sign else 0.0})
            rows[-1] |= _crossing(zero, high)
    facts = measures.iloc[0]
    at_ends = ratios(rows, float(facts["prior"]))
    return CROSSOVERS.rows(rows, dataset=str(facts["dataset"]), **at_ends)


def _crossing(parts: Sequence[tuple[float, float]] | None, pc: float) -> Row:
    """Return between what the crossing at a stretch's end may lie: where the band holds zero."""
    if parts is None or pc == 1:
        return {}
    around = [ends for ends in parts if ends[0] <= pc <= ends[1]]
    around = around or [(pc, pc)]  # it jumps across the band
    return {"to_low": around[0][0], "to_high": around[-1][1]}
