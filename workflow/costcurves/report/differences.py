"""The section of differences: which model is cheaper than which, decided and as observed."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from costcurves.figures.outcomes import (
    EQUIVALENT,
    Outcome,
    Span,
    around,
    largest,
    leading,
    most_decided,
    wins,
)
from costcurves.report.callouts import without
from costcurves.report.document import Section, Values
from costcurves.report.material import Material
from costcurves.report.sentences import settled_by, withdrawn
from costcurves.tables.inference.comparisons import ALL_PAIRS
from costcurves.text import Name, listed_at_most, phrase

LISTED: Final = 3  # intervals of a finding that a table lists; more are summed up in a row
PAIRS: Final = 15  # that a table goes through; of more those first that differ most


def differences(material: Material) -> Section | None:
    """Show who is cheaper than whom, and where; nothing for a single model."""
    models = len(material.facts.models)
    if models == 1:
        return None
    # Of two models the one pair is all pairs, and the only one with a baseline.
    outcomes = leading(material.outcomes) if models == 2 else material.outcomes
    return material.section(
        "differences",
        "Differences",
        most=PAIRS,
        families=tuple(
            _family(material, name, list(found))
            for name, found in groupby(outcomes, key=lambda one: one.family)
        ),
        measured=tuple(one for one in material.measured if one.of_verdicts),
        untested=next((one.text for one in without(material)), None),
    )


def _family(material: Material, name: str, found: list[Outcome]) -> Values:
    """Show pairs that share one familywise error: what was found, what would settle the others.

    Slivers are named pair by pair.
    """
    what = "all pairs" if name == ALL_PAIRS else "against the baseline"
    listed = found if len(found) <= PAIRS else most_decided(found)
    slivers = [(one, said) for one in listed[:PAIRS] if (said := withdrawn(one))]
    rows = [
        Values(rows=tuple(_finding(material, one, *finding) for finding in _findings(one)))
        for one in listed
        if not one.silent
    ]
    table = material.table("verdicts", f"verdicts, {what}", rows) if rows else None
    return Values(
        familywise=found[0].familywise,
        table=table,
        undecided=listed_at_most(PAIRS, [settled_by(one) for one in found if one.silent], "more"),
        withdrawn=tuple(
            phrase("{} against {}: {}", Name(one.a), Name(one.b), said) for one, said in slivers
        ),
    )


def _findings(one: Outcome) -> Iterator[tuple[str, tuple[Span, ...]]]:
    """List what was found, sum up many."""
    found = [("cheaper", win.spans) for win in wins([one])]
    for kind, spans in [*found, ("equivalent", one.found(EQUIVALENT))]:
        parts = [(span,) for span in spans] if len(spans) <= LISTED else [spans]
        yield from ((kind, part) for part in parts)


def _finding(material: Material, one: Outcome, kind: str, spans: tuple[Span, ...]) -> Values:
    """Show a finding; differences are positive where `ahead` costs less, as observed."""
    most = largest(spans)
    sign = 1 if most.difference > 0 else -1
    ahead, behind = (one.b, one.a) if most.difference > 0 else (one.a, one.b)
    low, high = sorted((sign * most.band_low, sign * most.band_high))
    return Values(
        kind=kind,
        ahead=material.model(ahead),
        behind=material.model(behind),
        outcome=one,
        whole=around(spans),
        difference=abs(most.difference),
        low=low,
        high=high,
        at_pc=most.at_pc,
        spans=len(spans),
        width=sum(span.width for span in spans),
    )
