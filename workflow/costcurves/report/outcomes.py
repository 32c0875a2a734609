"""What the data could decide about each pair of models: the table of verdicts, pair by pair."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from costcurves.report.leads import Lead

A_CHEAPER: Final = "A cheaper"
B_CHEAPER: Final = "B cheaper"
EQUIVALENT: Final = "equivalent"
FAMILIES: Final = ("baseline", "all pairs")  # the first that a dataset has is the one to lead with

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
    """A pair of models and what was found along PC(+); differences are cost(A) - cost(B)."""

    family: str
    a: str
    b: str
    spans: tuple[Span, ...]
    p_value: float
    familywise: float
    confidence: float
    method: str
    equivalence: float
    projected: float

    @property
    def decided(self) -> bool:
        """Whether one of the two is cheaper somewhere."""
        return any(span.finding in (A_CHEAPER, B_CHEAPER) for span in self.spans)

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
    def whole(self) -> Lead:
        """From the first of its intervals to the last."""
        return around(self.spans, self.winner)

    @property
    def largest(self) -> Span:
        """The interval in which the difference is largest."""
        return max(self.spans, key=lambda span: abs(span.difference))


def around(spans: Sequence[Span], *models: str) -> Lead:
    """Take intervals together, from the first to the last."""
    first, last = spans[0], spans[-1]
    return Lead(first.low, last.high, first.ratio_low, last.ratio_high, models)


def outcomes(rows: Iterable[Row]) -> tuple[Outcome, ...]:
    """Read verdicts pair by pair.

    Parameters
    ----------
    rows
        Of the table of verdicts, as it is ordered.

    Examples
    --------
    >>> outcomes([])
    ()
    """
    pairs = groupby(rows, key=lambda row: (row["family"], row["model_a"], row["model_b"]))
    return tuple(_outcome(key, list(found)) for key, found in pairs)


def leading(found: Sequence[Outcome]) -> tuple[Outcome, ...]:
    """Take the family of comparisons to lead with: those with the baseline if there is one."""
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
    names = ("p_value", "familywise", "confidence", "method", "equivalence", "projected")
    return Outcome(*key, tuple(map(_span, rows)), **{name: rows[0][name] for name in names})


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
