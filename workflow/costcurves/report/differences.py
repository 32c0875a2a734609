"""The section of differences: which model is cheaper than which, decided and as observed."""

from itertools import groupby
from typing import Any, Final

from costcurves.report import alternatives
from costcurves.report.callouts import without
from costcurves.report.document import Section, Values
from costcurves.report.findings import withdrawn
from costcurves.report.material import Material
from costcurves.report.outcomes import (
    EQUIVALENT,
    Outcome,
    Span,
    around,
    largest,
    most_decided,
    wins,
)
from costcurves.report.sentences import answer
from costcurves.report.text import Name, phrase
from costcurves.tables.inference.pairs import ALL_PAIRS

LISTED: Final = 3  # intervals of a finding that a table lists; more are summed up in a row
PAIRS: Final = 15  # that a table goes through; of more those first that differ most
SHORT: Final = 0.05  # shorter stretches are counted, unless a pair has no longer one


def differences(material: Material) -> Section | None:
    """Show who is cheaper than whom, and where; nothing for a single model."""
    if len(material.facts.models) == 1:
        return None
    return material.section(
        "differences",
        "Differences",
        most=PAIRS,
        families=tuple(
            _family(material, name, list(found))
            for name, found in groupby(material.outcomes, key=lambda one: one.family)
        ),
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
        observed=answer(facts.models, material.cheapest_ranges, facts.table("crossovers")),
        crossovers=material.figure("crossovers", alternatives.crossovers),
        table=material.table("crossovers", words, _pairs(material)),
    )


def _family(material: Material, name: str, found: list[Outcome]) -> Values:
    """Show pairs that share one familywise error; their slivers are named pair by pair."""
    what = "all pairs" if name == ALL_PAIRS else "against the baseline"
    listed = found if len(found) <= PAIRS else most_decided(found)
    slivers = [(one, said) for one in listed[:PAIRS] if (said := withdrawn(one))]
    return Values(
        familywise=found[0].familywise,
        table=material.table(
            "verdicts", f"verdicts, {what}", [_compared(material, one) for one in listed]
        ),
        withdrawn=tuple(
            phrase("{} against {}: {}", Name(one.a), Name(one.b), said) for one, said in slivers
        ),
    )


def _compared(material: Material, one: Outcome) -> Values:
    """Show a pair and what was found; many intervals of a finding are summed up."""
    return Values(
        a=material.model(one.a),
        b=material.model(one.b),
        outcome=one,
        rows=tuple(
            _finding(material, one, kind, part)
            for kind, spans in _kinds(one)
            for part in ([(span,) for span in spans] if len(spans) <= LISTED else [spans])
        ),
    )


def _kinds(one: Outcome) -> list[tuple[str, tuple[Span, ...]]]:
    """List what was found; what is undecided only where nothing else was found."""
    if one.silent:
        return [("undecided", one.spans)]
    found = [("cheaper", win.spans) for win in wins([one])]
    equivalent = one.found(EQUIVALENT)
    return [*found, ("equivalent", equivalent)] if equivalent else found


def _finding(material: Material, one: Outcome, kind: str, spans: tuple[Span, ...]) -> Values:
    """Show a finding; differences are positive where `ahead` costs less, as observed."""
    most = largest(spans)
    sign = 1 if most.difference > 0 else -1
    ahead = one.b if most.difference > 0 else one.a
    low, high = sorted((sign * most.band_low, sign * most.band_high))
    return Values(
        kind=kind,
        ahead=material.model(ahead) if most.difference else None,
        whole=around(spans),
        difference=abs(most.difference),
        low=low,
        high=high,
        at_pc=most.at_pc,
        spans=len(spans),
        width=sum(span.high - span.low for span in spans),
    )


def _pairs(material: Material) -> list[Values]:
    """Show where one of each pair costs less as observed; of many those first that differ most."""
    rows = groupby(material.rows("crossovers"), key=lambda row: (row["model_a"], row["model_b"]))
    pairs = [_pair(material, a, b, list(found)) for (a, b), found in rows]
    return pairs if len(pairs) <= PAIRS else sorted(pairs, key=_apart, reverse=True)


def _apart(pair: Values) -> float:
    """Measure how far apart the costs of a pair are at most, in steps that hide rounding."""
    return max(round(abs(float(stretch.difference)), 9) for stretch in pair.rows)


def _pair(material: Material, a: str, b: str, rows: list[dict[str, Any]]) -> Values:
    unequal = [row for row in rows if row["largest_difference"]] or rows
    long = [row for row in unequal if row["pc_to"] - row["pc_from"] >= SHORT]
    listed = long or [max(unequal, key=lambda row: row["pc_to"] - row["pc_from"])]
    return Values(
        a=material.model(a),
        b=material.model(b),
        rows=tuple(_stretch(material, row) for row in listed),
        short=len(unequal) - len(listed),
    )


def _stretch(material: Material, row: dict[str, Any]) -> Values:
    difference = row["largest_difference"]
    cheaper = row["model_a"] if difference < 0 else row["model_b"]
    model = material.model(cheaper) if difference else None
    return Values(**{**row, "cheaper": model, "difference": difference})
