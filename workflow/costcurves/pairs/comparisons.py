"""Who is really cheaper, and where: verdicts on a paired difference, over all PC(+) at once.

A verdict is read off a simultaneous band of cost(A) - cost(B): the chance that it calls one of two
equal classifiers cheaper ANYWHERE on PC(+) is at most 1 - level. Its ends are roots of the band's
edges, not grid points. Crisp classifiers have the band of `paired.sign_flips`, curves that of
`resampled_bands.difference`, averages over folds also that of `fold_bands`. With several pairs,
Holm's steps ([H79]_) keep the chance of any false verdict on any pair.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Literal, NamedTuple, Protocol

import numpy as np

from costcurves.chance.largest import EQUAL
from costcurves.chance.resampling import error_share
from costcurves.curves.bands import Band, in_common
from costcurves.curves.curves import Curve, line
from costcurves.curves.slivers import is_sliver

Finding = Literal["A cheaper", "B cheaper", "equivalent", "undecided"]


class Verdict(NamedTuple):
    """What the data say about a stretch of PC(+), 0 <= low < high <= 1.

    The finding is "A cheaper", "B cheaper", "equivalent" (within delta), or "undecided"; `sliver`
    says that it is undecided only because it is a sliver (`slivers`).
    """

    low: float
    high: float
    finding: Finding
    sliver: bool = False


class Comparison(Protocol):
    """A paired difference, cost(A) - cost(B), with its p-value and simultaneous band."""

    @property
    def estimate(self) -> Curve:
        """The difference itself."""

    @property
    def found(self) -> float:
        """Its largest absolute standardized height where a verdict may be."""

    def critical(self, level: float) -> float:
        """Give what that must exceed to be significant."""

    @property
    def p_value(self) -> float:
        """Chance of at least as much: 1 - the highest level at which any verdict is found."""

    def simultaneous(self, level: float = 0.9) -> Band:
        """Band of the difference over all PC(+)."""


def verdicts(band: Band, delta: float | None = None) -> list[Verdict]:
    """Say where A is cheaper, where B is, where they are equivalent, and where it is undecided.

    Parameters
    ----------
    band
        Simultaneous band of cost(A) - cost(B).
    delta
        Differences up to this count as none: "equivalent" is where the whole band lies within
        [-delta, delta], whether or not it excludes zero. None: never. Below 0: a ValueError.

    Returns
    -------
    list of Verdict
        A partition of [0, 1] in increasing order; neighbours differ, but that slivers of a
        difference that jumps are undecided, and say so: claims are only ever withdrawn.

    Examples
    --------
    >>> from costcurves.curves.bands import around
    >>> band = around(line(-0.2, 0.3), line(0.1, 0.1), 0.9, simultaneous=True, method="any")
    >>> [(round(low, 2), round(high, 2), finding) for low, high, finding, _ in verdicts(band)]
    [(0.0, 0.2, 'A cheaper'), (0.2, 0.6, 'undecided'), (0.6, 1.0, 'B cheaper')]
    """
    if delta is not None and not delta >= 0:
        raise ValueError(f"delta must be at least 0, found {delta}")
    signs: dict[int, Finding] = {-1: "A cheaper", 0: "undecided", 1: "B cheaper"}
    parts = [Verdict(low, high, signs[sign]) for low, high, sign in band.against(line(0, 0))]
    found = [_used(one, band.estimate) for one in parts]
    if delta is None:
        return found
    parts = _with_equivalence(found, _equivalent(band, delta))
    return [_used(one, band.estimate) if one.finding == "equivalent" else one for one in parts]


def holm(p_values: Sequence[float], level: float = 0.9) -> list[float]:
    """Give each pair the level of its band, so that no verdict on any pair is false ([H79]_).

    `level` is for all pairs together. The j-th smallest p-value (`Comparison.p_value`) of P is held
    against (1 - level) / (P - j + 1), and that is its pair's error, until one is larger: it and all
    after it have the error at which it stopped, and no verdicts. Read at these levels, bands and
    steps agree. A p-value outside [0, 1] and a level not between 0 and 1 are a ValueError.

    >>> holm([0.5, 0.001, 0.04], level=0.9)
    [0.9, 0.9666666666666667, 0.95]
    >>> holm([0.5, 0.3], level=0.9), holm([], level=0.9)
    ([0.95, 0.95], [])
    """
    for wrong in [p for p in p_values if not 0 <= p <= 1][:1]:
        raise ValueError(f"a p-value must be in [0, 1], found {wrong}")
    share = error_share(level)
    levels, stopped = [0.0] * len(p_values), Fraction(0)
    for step, pair in enumerate(np.argsort(p_values, kind="stable").tolist()):
        error = stopped or share / (len(p_values) - step)
        if p_values[pair] > error + EQUAL:
            stopped = error
        levels[pair] = float(1 - error)
    return levels


def adjusted(p_values: Sequence[float]) -> list[float]:
    """Give Holm's adjusted p-values, which compare with 1 minus the level of all pairs together.

    >>> adjusted([0.5, 0.001, 0.04])
    [0.5, 0.003, 0.08]
    """
    order = np.argsort(p_values, kind="stable")
    factors = np.arange(len(p_values), 0, -1)
    stepped = np.maximum.accumulate(np.asarray(p_values)[order] * factors)
    found = np.empty(len(p_values))
    found[order] = np.minimum(stepped, 1)
    return [float(one) for one in found]


def projected_instances(
    comparison: Comparison, instances: int, level: float = 0.9, pc: float | None = None
) -> float:
    """Project how many instances would decide a pair: a projection, not a promise.

    So many that a difference as large as the observed one, with the same spread from instance to
    instance and the same class proportion, would just leave the band: its width goes with the root
    of their number. Errors are those of `Comparison.simultaneous`.

    Parameters
    ----------
    comparison, instances
        The difference of the pair, and how many instances there are.
    level
        Of the band, after Holm.
    pc
        Where it is to be decided; None: wherever that takes fewest.

    Returns
    -------
    float
        A whole number; at most `instances` where it is decided already, infinite if there is no
        difference.

    Examples
    --------
    >>> from costcurves.pairs.paired import Tables, sign_flips
    >>> tables = Tables(np.array([90, 6, 4, 0]), np.array([80, 12, 8, 0]))
    >>> found = sign_flips(*tables.differences(), 2000, np.random.default_rng(0))
    >>> projected_instances(found, 200), projected_instances(found, 200, pc=0)
    (616.0, 1905.0)
    """
    if pc is None:
        ratio = comparison.critical(level) / comparison.found if comparison.found else np.inf
    else:
        band, height = comparison.simultaneous(level), abs(comparison.estimate(pc))
        ratio = (band.upper(pc) - comparison.estimate(pc)) / height if height else np.inf
    return float(math.ceil(instances * ratio**2)) if ratio < np.inf else np.inf


def _used(one: Verdict, difference: Curve) -> Verdict:
    """Withdraw a claim about a sliver."""
    if one.finding == "undecided" or not is_sliver(difference, one.low, one.high):
        return one
    return one._replace(finding="undecided", sliver=True)


def _equivalent(band: Band, delta: float) -> list[tuple[float, float]]:
    """Stretches on which the whole band lies within [-delta, delta]."""
    above = [(i.low, i.high) for i in band.upper.against(line(delta, delta)) if i.sign <= 0]
    below = [(i.low, i.high) for i in band.lower.against(line(-delta, -delta)) if i.sign >= 0]
    return in_common([above, below])


def _with_equivalence(found: list[Verdict], equivalent: list[tuple[float, float]]) -> list[Verdict]:
    """Let equivalence prevail."""
    ends = {end for stretch in equivalent for end in stretch}
    places = sorted({0.0, *(verdict.high for verdict in found), *ends})
    parts = []
    for low, high in pairwise(places):
        middle = (low + high) / 2
        part = next(verdict for verdict in found if middle <= verdict.high)
        if any(start <= middle <= end for start, end in equivalent):
            part = Verdict(low, high, "equivalent")
        parts.append(part._replace(low=low, high=high))
    return _joined(parts)


def _joined(parts: list[Verdict]) -> list[Verdict]:
    """Merge neighbours of one finding."""
    groups = [list(group) for _, group in groupby(parts, key=lambda part: part[2:])]
    return [group[0]._replace(high=group[-1].high) for group in groups]
