"""What the data could decide about each pair of models: the table of verdicts, pair by pair."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final

from costcurves.report.cheapest_ranges import Range
from costcurves.tables.inference.comparisons import ALL_PAIRS, BASELINE
from costcurves.tables.inference.verdicts import NARROW
from costcurves.tables.keys import IN_SAMPLE

A_CHEAPER: Final = "A cheaper"
B_CHEAPER: Final = "B cheaper"
EQUIVALENT: Final = "equivalent"
ENDS: Final = ("low", "high", "ratio_low", "ratio_high")
FAMILIES: Final = (BASELINE, ALL_PAIRS)  # the first that a dataset has is the one to lead with

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Span:
    """An interval of PC(+), what was found in it, and the difference where it is largest."""

    finding: str
    low: float
    high: float
    ratio_low: float
    ratio_high: float
    difference: float
    at_pc: float
    band_low: float
    band_high: float


@dataclass(frozen=True)
class Outcome:
    """A pair of models and what was found along PC(+); differences are cost(A) - cost(B).

    `narrow` are the slivers on which a model would be cheaper; they are undecided in `spans`.
    """

    family: str
    a: str
    b: str
    spans: tuple[Span, ...]
    narrow: tuple[Span, ...]
    p_value: float
    familywise: float
    confidence: float
    equivalence: float
    projected: float

    @property
    def pair(self) -> tuple[str, str]:
        """The names of both models."""
        return self.a, self.b

    @property
    def decided(self) -> bool:
        """Whether one of the two is cheaper somewhere."""
        return any(span.finding in (A_CHEAPER, B_CHEAPER) for span in self.spans)

    @property
    def width(self) -> float:
        """The share of PC(+) on which one of the two is cheaper, in steps that hide rounding."""
        ends = ((one.low, one.high) for one in self.spans if one.finding in (A_CHEAPER, B_CHEAPER))
        return round(sum(high - low for low, high in ends), 9)

    @property
    def silent(self) -> bool:
        """Whether nothing at all was found: neither cheaper nor equivalent anywhere."""
        return not self.decided and not self.found(EQUIVALENT)

    def found(self, finding: str) -> tuple[Span, ...]:
        """List the intervals of one finding."""
        return tuple(span for span in self.spans if span.finding == finding)


@dataclass(frozen=True)
class Win:
    """A model that is cheaper than another one, and where: at least one interval."""

    winner: str
    loser: str
    spans: tuple[Span, ...]

    @property
    def width(self) -> float:
        """The share of PC(+) on which it is."""
        return sum(span.high - span.low for span in self.spans)

    @property
    def whole(self) -> Range:
        """From the first of its intervals to the last."""
        return around(self.spans, self.winner)

    @property
    def everywhere(self) -> bool:
        """Whether it is cheaper at every PC(+)."""
        return (len(self.spans), self.whole.low, self.whole.high) == (1, 0, 1)


def around(spans: Sequence[Span], *models: str) -> Range:
    """Take intervals together, from the first to the last."""
    first, last = spans[0], spans[-1]
    return Range(first.low, last.high, first.ratio_low, last.ratio_high, models)


def largest(spans: Iterable[Span]) -> Span:
    """Take the interval in which the difference is largest."""
    return max(spans, key=lambda span: abs(span.difference))


def outcomes(rows: Iterable[Row]) -> tuple[Outcome, ...]:
    """Read verdicts pair by pair, in the table's order, without pairs that were not tested."""
    tested = (row for row in rows if row["reason"] != IN_SAMPLE)
    pairs = groupby(tested, key=lambda row: (row["family"], row["model_a"], row["model_b"]))
    return tuple(_outcome(key, list(found)) for key, found in pairs)


def untested(rows: Iterable[Row]) -> tuple[tuple[str, str], ...]:
    """List the pairs without a verdict, as a curve of theirs is in-sample."""
    found = ((row["model_a"], row["model_b"]) for row in rows if row["reason"] == IN_SAMPLE)
    return tuple(dict.fromkeys(found))


def leading(found: Sequence[Outcome]) -> tuple[Outcome, ...]:
    """Take the family of comparisons to lead with: those with the baseline if there is one."""
    families = {one.family for one in found}
    first = next((family for family in FAMILIES if family in families), None)
    return tuple(one for one in found if one.family == first)


def drawn(found: Sequence[Outcome]) -> tuple[Outcome, ...]:
    """Take the family of comparisons that figures draw: all pairs, also beside a baseline."""
    return tuple(one for one in found if one.family == ALL_PAIRS)


def most_decided(found: Sequence[Outcome]) -> list[Outcome]:
    """Put those first that are decided on most of PC(+)."""
    return sorted(found, key=lambda one: -one.width)


def wins(found: Iterable[Outcome]) -> tuple[Win, ...]:
    """List who is cheaper than whom, the widest ranges of PC(+) first."""
    each = (
        Win(winner, loser, spans)
        for one in found
        for winner, loser, finding in ((one.a, one.b, A_CHEAPER), (one.b, one.a, B_CHEAPER))
        if (spans := one.found(finding))
    )
    return tuple(sorted(each, key=lambda win: -round(win.width, 9)))


def together(each: Sequence[Win]) -> list[list[Win]]:
    """Group verdicts by a common winner or loser, so that few sentences say them all.

    The model that has the widest ranges of PC(+) in all its wins, or in all its defeats, makes the
    first group; what is left is grouped in the same way.

    >>> span = Span("A cheaper", 0.1, 0.5, 0.2, 1.8, -0.08, 0.25, -0.15, -0.01)
    >>> each = [Win(*pair, (span,)) for pair in ("AD", "BD", "BC", "CD")]
    >>> [[win.winner + win.loser for win in group] for group in together(each)]
    [['AD', 'BD', 'CD'], ['BC']]
    """
    groups: list[list[Win]] = []
    left = list(each)
    while left:
        shared = [[win for win in left if win.winner == one.winner] for one in left]
        shared += [[win for win in left if win.loser == one.loser] for one in left]
        widest = max(shared, key=lambda wins: round(sum(win.width for win in wins), 9))
        groups.append(widest)
        left = [win for win in left if win not in widest]
    return groups


def _outcome(key: tuple[str, str, str], rows: list[Row]) -> Outcome:
    names = ("p_value", "familywise", "confidence", "equivalence", "projected")
    narrow = tuple(_span(row) for row in rows if row["reason"] == NARROW)
    spans = groupby(map(_span, rows), key=lambda span: span.finding)
    whole = tuple(_joined(list(same)) for _, same in spans)
    return Outcome(*key, whole, narrow, **{name: rows[0][name] for name in names})


def _joined(spans: Sequence[Span]) -> Span:
    """Join neighbours of one finding; the difference is that where it is largest."""
    whole = around(spans)
    return replace(largest(spans), **{name: getattr(whole, name) for name in ENDS})


def _span(row: Row) -> Span:
    return Span(
        finding=row["finding"],
        low=row["pc_from"],
        high=row["pc_to"],
        ratio_low=row["ratio_from"],
        ratio_high=row["ratio_to"],
        difference=row["largest_difference"],
        at_pc=row["at_pc"],
        band_low=row["low"],
        band_high=row["high"],
    )
