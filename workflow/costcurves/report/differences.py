"""The section of differences: which model is cheaper than which, decided and as observed."""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from costcurves.report import alternatives
from costcurves.report.callouts import without
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
from costcurves.report.sentences import listed_at_most, settled_by, withdrawn
from costcurves.report.text import Name, phrase
from costcurves.tables.inference.comparisons import ALL_PAIRS

LISTED: Final = 3  # intervals of a finding that a table lists; more are summed up in a row
PAIRS: Final = 15  # that a table goes through; of more those first that differ most
SHORT: Final = 0.05  # shorter stretches are counted, unless a pair has no longer one


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


def pairs(material: Material) -> Section | None:
    """Draw the difference of every two models, and show where one costs less as observed."""
    facts = material.facts
    if len(facts.models) == 1:
        return None
    words = "who costs less as observed, pair by pair"
    return material.section(
        "pairs",
        "Pair by pair",
        most=PAIRS,
        figure=material.figure("differences", alternatives.differences),
        matrix=material.figure("verdicts", alternatives.verdicts),
        crossovers=material.figure("crossovers", alternatives.crossovers),
        table=material.table("crossovers", words, _pairs(material)),
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


def _pairs(material: Material) -> list[Values]:
    """Show where one of each pair costs less as observed; of many those first that differ most."""
    rows = groupby(material.rows("crossovers"), key=itemgetter("model_a", "model_b"))
    pairs = [_pair(material, a, b, list(found)) for (a, b), found in rows]
    if len(pairs) <= PAIRS:
        return pairs

    def apart(pair: Values) -> float:
        return max(round(abs(float(row.difference)), 9) for row in pair.rows)  # hides rounding

    return sorted(pairs, key=apart, reverse=True)


def _pair(material: Material, a: str, b: str, rows: list[dict[str, Any]]) -> Values:
    """Show the stretches on which one of a pair costs less, and count the short ones."""
    unequal = [row for row in rows if row["largest_difference"]] or rows
    long = [row for row in unequal if row["pc_to"] - row["pc_from"] >= SHORT]
    listed = long or [max(unequal, key=lambda row: row["pc_to"] - row["pc_from"])]
    shown = []
    for row in listed:
        difference = row["largest_difference"]
        cheaper = row["model_a"] if difference < 0 else row["model_b"]
        model = material.model(cheaper) if difference else None
        shown.append(Values(**{**row, "cheaper": model, "difference": difference}))
    return Values(
        a=material.model(a),
        b=material.model(b),
        rows=tuple(shown),
        short=len(unequal) - len(listed),
    )
