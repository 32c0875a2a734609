"""What the data could decide about each pair of models: the table of verdicts, pair by pair."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from costcurves.pairs.differences import ALL_PAIRS, REFERENCE
from costcurves.tables.keys import IN_SAMPLE

A_CHEAPER: Final = "A cheaper"
B_CHEAPER: Final = "B cheaper"
EQUIVALENT: Final = "equivalent"
ENDS: Final = ("pc_from", "pc_to", "ratio_from", "ratio_to")
SPAN: Final = itemgetter(*ENDS, "finding", "largest_difference", "at_pc", "low", "high")  # of a row
FAMILIES: Final = (REFERENCE, ALL_PAIRS)  # the first that a dataset has is the one to lead with

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Range:
    """A range of PC(+), and the same as cost ratios."""

    low: float
    high: float
    ratio_low: float
    ratio_high: float

    @property
    def width(self) -> float:
        """The share of PC(+) that it covers."""
        return self.high - self.low


@dataclass(frozen=True)
class Span(Range):
    """A range, what was found in it, and the difference cost(A) - cost(B) where it is largest."""

    finding: str
    difference: float
    at_pc: float
    band_low: float
    band_high: float


@dataclass(frozen=True)
class Outcome:
    """A pair of models and what was found along PC(+)."""

    family: str
    a: str
    b: str
    spans: tuple[Span, ...]
    adjusted: float  # p-value, by Holm's steps
    familywise: float
    confidence: float

    @property
    def silent(self) -> bool:
        """Whether nothing at all was found: neither cheaper nor equivalent anywhere."""
        return not self.found(A_CHEAPER, B_CHEAPER, EQUIVALENT)

    def found(self, *findings: str) -> tuple[Span, ...]:
        """List the intervals of some findings."""
        return tuple(span for span in self.spans if span.finding in findings)


@dataclass(frozen=True)
class Win:
    """A model that is cheaper than another one, and where: at least one interval."""

    winner: str
    loser: str
    spans: tuple[Span, ...]

    @property
    def width(self) -> float:
        """The share of PC(+) on which it is."""
        return sum(span.width for span in self.spans)


def around(spans: Sequence[Span]) -> Range:
    """Take intervals together, from the first to the last."""
    first, last = spans[0], spans[-1]
    return Range(first.low, last.high, first.ratio_low, last.ratio_high)


def largest(spans: Iterable[Span]) -> Span:
    """Take the interval in which the difference is largest."""
    return max(spans, key=lambda span: abs(span.difference))


def outcomes(rows: Iterable[Row]) -> tuple[Outcome, ...]:
    """Read verdicts pair by pair, in the table's order, without pairs that were not tested."""
    tested = (row for row in rows if row["reason"] != IN_SAMPLE)
    pairs = groupby(tested, key=lambda row: (row["family"], row["model_a"], row["model_b"]))
    return tuple(_outcome(key, list(found)) for key, found in pairs)


def leading(found: Sequence[Outcome]) -> tuple[Outcome, ...]:
    """Take the family of comparisons to lead with: those with the reference if there is one."""
    families = {one.family for one in found}
    first = next((family for family in FAMILIES if family in families), None)
    return tuple(one for one in found if one.family == first)


def wins(found: Iterable[Outcome]) -> tuple[Win, ...]:
    """List who is cheaper than whom, the widest ranges of PC(+) first."""
    each = (
        Win(winner, loser, spans)
        for one in found
        for winner, loser, finding in ((one.a, one.b, A_CHEAPER), (one.b, one.a, B_CHEAPER))
        if (spans := one.found(finding))
    )
    return tuple(sorted(each, key=lambda win: -round(win.width, 9)))


def _outcome(key: tuple[str, str, str], rows: list[Row]) -> Outcome:
    """Make an outcome of a pair's rows; neighbours of one finding become one interval."""
    names = ("adjusted", "familywise", "confidence")
    spans = (Span(*SPAN(row)) for row in rows)
    alike = (tuple(same) for _, same in groupby(spans, key=lambda span: span.finding))
    whole = tuple(replace(largest(spans), **asdict(around(spans))) for spans in alike)
    return Outcome(*key, whole, **{name: rows[0][name] for name in names})
