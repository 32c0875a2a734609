"""The section of differences: which model is shown to cost less than which."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import comb
from operator import itemgetter
from typing import Final

from costcurves.pairs.comparisons import ALL_PAIRS
from costcurves.report.document import Content, Section, Table
from costcurves.report.material import Material
from costcurves.report.outcomes import CHEAPER, PAIR, Finding, Row, findings, leading, tested

PAIRS: Final = 15  # that a table lists; of more those that differ most


@dataclass(frozen=True)
class Family:
    """Pairs that share one familywise error."""

    familywise: float
    reference: bool
    table: Table | None  # None: nothing is shown of any pair
    listed: int  # rows, those of the pairs that differ most


@dataclass(frozen=True, kw_only=True)
class Differences(Content):
    """Who is shown to cost less than whom, and where."""

    families: tuple[Family, ...]
    widest: Finding | None
    settled: int  # pairs of which something is shown
    pairs: int
    untested: tuple[tuple[str, str], ...]


def differences(material: Material) -> Section | None:
    """Show who costs less than whom, and where; nothing for a single model."""
    models = len(material.facts.models)
    if models == 1:
        return None
    verdicts = material.verdicts
    first = leading(verdicts)
    # Of two models the one pair is all pairs, and the only one with a reference.
    shown = first if models == 2 else tested(verdicts)
    cheaper = [each for each in findings(first) if each.kind == CHEAPER]
    content = Differences(
        figure=material.figure("differences"),
        families=tuple(
            _family(material, name, list(group))
            for name, group in groupby(shown, itemgetter("family"))
        ),
        widest=max(cheaper, key=lambda each: round(each.range.width, 9), default=None),
        settled=len(by_width(first)),
        pairs=len(set(map(PAIR, first))) or comb(models, 2),
        untested=material.untested,
    )
    return material.section("differences", "Differences", content)


def by_width(rows: Iterable[Row]) -> list[list[Finding]]:
    """Group what verdicts show by pairs: those first that differ on most of PC(+)."""

    def width(pair: list[Finding]) -> float:
        return round(sum(each.range.width for each in pair if each.kind == CHEAPER), 9)

    pairs = (list(findings(group)) for _, group in groupby(rows, PAIR))
    return sorted(filter(None, pairs), key=width, reverse=True)


def _family(material: Material, name: str, rows: Sequence[Row]) -> Family:
    """Show pairs that share one familywise error."""
    title = "verdicts" if name == ALL_PAIRS else "verdicts against the reference"
    pairs = by_width(rows)
    shown = [each for pair in pairs for each in pair]
    table = material.table("verdicts", title, shown) if shown else None
    listed = sum(map(len, pairs[:PAIRS]))
    return Family(rows[0]["familywise"], name != ALL_PAIRS, table, listed)
