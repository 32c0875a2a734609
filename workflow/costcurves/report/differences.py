"""The section of differences: which model is shown to cost less than which."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import comb
from typing import Final

from costcurves.pairs.differences import ALL_PAIRS
from costcurves.report.document import Content, Figure, Model, Section, Table
from costcurves.report.material import Material
from costcurves.report.outcomes import (
    EQUIVALENT,
    Outcome,
    Range,
    Span,
    Win,
    around,
    largest,
    leading,
    wins,
)

LISTED: Final = 3  # intervals of a finding that a table lists; more are summed up in a row
PAIRS: Final = 15  # that a table goes through; of more those first that differ most


@dataclass(frozen=True)
class Finding:
    """What is shown of a pair: differences are positive where `ahead` costs less, as observed."""

    kind: str
    ahead: Model
    behind: Model
    whole: Range
    spans: int
    difference: float
    low: float
    high: float
    adjusted: float  # p-value, by Holm's steps
    confidence: float


@dataclass(frozen=True)
class Family:
    """Pairs that share one familywise error."""

    familywise: float
    reference: bool
    table: Table | None  # None: nothing is shown of any pair
    listed: int  # rows, those of the pairs that differ most


@dataclass(frozen=True)
class Differences(Content):
    """Who is shown to cost less than whom, and where."""

    figure: Figure | None
    families: tuple[Family, ...]
    widest: Win | None
    settled: int  # pairs of which something is shown
    pairs: int
    untested: tuple[tuple[str, str], ...]


def differences(material: Material) -> Section | None:
    """Show who costs less than whom, and where; nothing for a single model."""
    models = len(material.facts.models)
    if models == 1:
        return None
    # Of two models the one pair is all pairs, and the only one with a reference.
    outcomes = leading(material.outcomes) if models == 2 else material.outcomes
    first = leading(material.outcomes)
    content = Differences(
        material.facts,
        figure=material.figure("differences"),
        families=tuple(
            _family(material, name, list(group))
            for name, group in groupby(outcomes, key=lambda outcome: outcome.family)
        ),
        widest=next(iter(wins(first)), None),
        settled=sum(not outcome.silent for outcome in first),
        pairs=len(first) or comb(models, 2),
        untested=material.untested,
    )
    return material.section("differences", "Differences", content)


def _family(material: Material, name: str, outcomes: Sequence[Outcome]) -> Family:
    """Show pairs that share one familywise error, those first that differ on most of PC(+)."""
    title = "verdicts" if name == ALL_PAIRS else "verdicts against the reference"
    known = [outcome for outcome in outcomes if not outcome.silent]
    known.sort(key=lambda outcome: -round(sum(win.width for win in wins([outcome])), 9))
    groups = [list(_findings(material, outcome)) for outcome in known]
    rows = [row for group in groups for row in group]
    table = material.table("verdicts", title, rows) if rows else None
    listed = sum(map(len, groups[:PAIRS]))
    return Family(outcomes[0].familywise, name != ALL_PAIRS, table, listed)


def _findings(material: Material, outcome: Outcome) -> Iterator[Finding]:
    """List what is shown of a pair, and sum up many ranges."""
    found = [("cheaper", win.spans) for win in wins([outcome])]
    for kind, spans in [*found, (EQUIVALENT, outcome.found(EQUIVALENT))]:
        parts = [(span,) for span in spans] if len(spans) <= LISTED else [spans]
        for part in parts:
            yield _finding(material, outcome, kind, part)


def _finding(material: Material, outcome: Outcome, kind: str, spans: tuple[Span, ...]) -> Finding:
    most = largest(spans)
    ahead, behind, low, high = outcome.a, outcome.b, -most.band_high, -most.band_low
    if most.difference > 0:
        ahead, behind, low, high = outcome.b, outcome.a, most.band_low, most.band_high
    return Finding(
        kind,
        material.model(ahead),
        material.model(behind),
        whole=around(spans),
        spans=len(spans),
        difference=abs(most.difference),
        low=low,
        high=high,
        adjusted=outcome.adjusted,
        confidence=outcome.confidence,
    )
