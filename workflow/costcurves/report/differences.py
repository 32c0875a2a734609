"""The section of differences: which model is cheaper than which, decided and as observed."""

from collections.abc import Iterator
from itertools import groupby
from math import comb
from operator import itemgetter
from typing import Final

from costcurves.report import patterns
from costcurves.report.document import Section, Values
from costcurves.report.material import Material
from costcurves.report.outcomes import (
    EQUIVALENT,
    Outcome,
    Span,
    around,
    largest,
    leading,
    most_decided,
    wins,
)
from costcurves.tables.inference.comparisons import ALL_PAIRS

LISTED: Final = 3  # intervals of a finding that a table lists; more are summed up in a row
PAIRS: Final = 15  # that a table goes through; of more those first that differ most


def differences(material: Material) -> Section | None:
    """Show who is cheaper than whom, and where; nothing for a single model."""
    models = len(material.facts.models)
    if models == 1:
        return None
    # Of two models the one pair is all pairs, and the only one with a reference.
    outcomes = leading(material.outcomes) if models == 2 else material.outcomes
    return material.section(
        "differences",
        "Differences",
        figure=material.figure("differences"),
        most=PAIRS,
        families=tuple(
            _family(material, name, list(found))
            for name, found in groupby(outcomes, key=lambda one: one.family)
        ),
        measured=tuple(one for one in material.measured if one.of_verdicts),
        untested=material.untested,
        of=comb(models, 2),
    )


def _family(material: Material, name: str, found: list[Outcome]) -> Values:
    """Show pairs that share one familywise error: what was found, and which means differ."""
    title = patterns.VERDICTS if name == ALL_PAIRS else patterns.VERDICTS_OF_REFERENCE
    listed = found if len(found) <= PAIRS else most_decided(found)
    rows = [
        Values(rows=tuple(_finding(material, one, *finding) for finding in _findings(one)))
        for one in listed
        if not one.silent
    ]
    table = material.table("verdicts", title, rows) if rows else None
    return Values(
        familywise=found[0].familywise,
        reference=name != ALL_PAIRS,
        table=table,
        means=tuple(_means(material, found)),
    )


def _means(material: Material, found: list[Outcome]) -> Iterator[Values]:
    """List pairs that no range decides, but their mean costs over all PC(+); the surest first."""
    silent = {(one.family, one.a, one.b) for one in found if one.silent}
    areas = [
        row
        for row in material.rows("pair_intervals")
        if (row["family"], row["model_a"], row["model_b"]) in silent
        if row["quantity"] == "area" and row["low"] * row["high"] > 0
    ]
    for row in sorted(areas, key=itemgetter("p_value")):
        ends = sorted(map(abs, (row["low"], row["high"])))
        ahead, behind = (row["model_a"], row["model_b"])[:: -1 if row["value"] > 0 else 1]
        yield Values(ahead=ahead, behind=behind, by=abs(row["value"]), low=ends[0], high=ends[1])


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
