"""What the data could decide about pairs of models: ranges of the table of verdicts."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from costcurves.pairs.comparisons import ALL_PAIRS, REFERENCE
from costcurves.tables.keys import IN_SAMPLE

CHEAPER: Final = "cheaper"
EQUIVALENT: Final = "equivalent"
PAIR: Final = itemgetter("family", "model_a", "model_b")

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
class Finding:
    """A range on which two models differ, or are equivalent.

    The difference, where it is largest, and its band are positive where `ahead` costs less.
    """

    kind: str
    ahead: str
    behind: str
    range: Range
    difference: float
    low: float
    high: float
    adjusted: float  # p-value, by Holm's steps


def range_of(first: Row, last: Row) -> Range:
    """Return the range from where a row begins to where another ends."""
    return Range(first["pc_from"], last["pc_to"], first["ratio_from"], last["ratio_to"])


def tested(rows: Iterable[Row]) -> list[Row]:
    """Return the verdicts on pairs that were tested."""
    return [row for row in rows if row["reason"] != IN_SAMPLE]


def leading(rows: Iterable[Row]) -> list[Row]:
    """Return the family of verdicts to lead with: those on the reference, if there is one."""
    known = tested(rows)
    families = [row["family"] for row in known]
    first = REFERENCE if REFERENCE in families else ALL_PAIRS
    return [row for row in known if row["family"] == first]


def findings(rows: Iterable[Row]) -> Iterator[Finding]:
    """List what verdicts show, pair by pair; neighbouring ranges with one finding become one."""
    for (_, a, b), pair in groupby(rows, PAIR):
        for finding, group in groupby(pair, itemgetter("finding")):
            spans = list(group)
            most = max(spans, key=lambda row: abs(row["largest_difference"]))
            ahead, behind, low, high = a, b, -most["high"], -most["low"]
            if most["largest_difference"] > 0:
                ahead, behind, low, high = b, a, most["low"], most["high"]
            if finding != "undecided":
                yield Finding(
                    EQUIVALENT if finding == EQUIVALENT else CHEAPER,
                    ahead,
                    behind,
                    range_of(spans[0], spans[-1]),
                    difference=abs(most["largest_difference"]),
                    low=low,
                    high=high,
                    adjusted=most["adjusted"],
                )
