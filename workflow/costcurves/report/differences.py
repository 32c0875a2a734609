"""The section of differences: which model is cheaper than which, decided and as observed."""

from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from costcurves.report import alternatives
from costcurves.report.callouts import without
from costcurves.report.document import Facts, Figure, Model, Section, Table
from costcurves.report.findings import withdrawn
from costcurves.report.material import Material
from costcurves.report.outcomes import (
    EQUIVALENT,
    Outcome,
    Span,
    Win,
    around,
    most_decided,
    wins,
)
from costcurves.report.sentences import answer
from costcurves.report.text import Name, Text, phrase

LISTED: Final = 3  # intervals of a finding that a table lists; more are summed up in a row
PAIRS: Final = 15  # that a table goes through; of more those first that differ most
SHORT: Final = 0.05  # shorter stretches are counted, unless a pair has no longer one


@dataclass(frozen=True)
class Finding:
    """A finding about a pair; differences are positive where `ahead` costs less."""

    kind: str  # "cheaper", "equivalent" or "undecided"
    ahead: Model | None  # costs less where the difference is largest, as observed; None: neither
    pc_from: float
    pc_to: float
    ratio_from: float
    ratio_to: float
    difference: float
    low: float
    high: float
    at_pc: float
    spans: int  # intervals that it sums up
    width: float  # of PC(+), covered by them together


@dataclass(frozen=True)
class Compared:
    """A pair and what was found; `projected` is infinite where no number of instances decides."""

    a: Model
    b: Model
    p_value: float
    confidence: float
    projected: float
    silent: bool
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Family:
    """Pairs that share one familywise error; `withdrawn` names slivers, pair by pair."""

    name: str
    familywise: float
    table: Table
    withdrawn: tuple[Text, ...]


@dataclass(frozen=True)
class Stretch:
    """A range of PC(+) in which one of a pair costs less as observed (None: both the same).

    `to_low` and `to_high` say between what the crossing at its end may lie; NaN: there is none.
    """

    pc_from: float
    pc_to: float
    ratio_from: float
    ratio_to: float
    cheaper: Model | None
    difference: float
    at_pc: float
    to_low: float
    to_high: float


@dataclass(frozen=True)
class Pair:
    """Two models, the stretches that are listed, and how many short ones are not."""

    a: Model
    b: Model
    stretches: tuple[Stretch, ...]
    short: int


@dataclass(frozen=True)
class Differences:
    """What the section shows; its tables list `most` pairs.

    Where only what is essential is shown there are neither `figure`, `crossovers` nor `table`.
    """

    facts: Facts
    most: int
    figure: Figure | None
    families: tuple[Family, ...]
    untested: Text | None
    matrix: Figure | None
    observed: Text
    crossovers: Figure | None
    table: Table | None


def differences(material: Material) -> Section | None:
    """Show who is cheaper than whom, and where; nothing for a single model."""
    facts = material.facts
    if len(facts.models) == 1:
        return None
    title = phrase("{}: who costs less as observed, pair by pair", Name(facts.title))
    values = Differences(
        facts=facts,
        most=PAIRS,
        figure=material.figure("differences", alternatives.differences),
        families=_families(material),
        untested=next((one.text for one in without(material)), None),
        matrix=material.figure("verdicts", alternatives.verdicts),
        observed=answer(facts.models, material.cheapest_ranges, facts.table("crossovers")),
        crossovers=material.figure("crossovers", alternatives.crossovers),
        table=material.table("crossovers", title, _pairs(material)) if material.full else None,
    )
    return Section(f"{facts.anchor}/differences", ("Differences",), "differences", values)


def _families(material: Material) -> tuple[Family, ...]:
    families = groupby(material.outcomes, key=lambda one: one.family)
    return tuple(_family(material, name, list(found)) for name, found in families)


def _family(material: Material, name: str, found: list[Outcome]) -> Family:
    what = "all pairs" if name == "all pairs" else "against the baseline"
    title = phrase("{}: verdicts, {}", Name(material.facts.title), what)
    listed = found if len(found) <= PAIRS else most_decided(found)
    pairs = [_compared(material, one) for one in listed]
    slivers = [(one, said) for one in listed[:PAIRS] if (said := withdrawn(one))]
    named = [phrase("{} against {}: {}", Name(one.a), Name(one.b), said) for one, said in slivers]
    table = material.table("verdicts", title, pairs)
    return Family(name, found[0].familywise, table, tuple(named))


def _compared(material: Material, one: Outcome) -> Compared:
    return Compared(
        a=material.model(one.a),
        b=material.model(one.b),
        p_value=one.p_value,
        confidence=one.confidence,
        projected=one.projected,
        silent=one.silent,
        findings=tuple(
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


def _finding(material: Material, one: Outcome, kind: str, spans: tuple[Span, ...]) -> Finding:
    whole, most = around(spans), Win("", "", spans).largest
    sign = 1 if most.difference > 0 else -1
    ahead = one.b if most.difference > 0 else one.a
    low, high = sorted((sign * most.band_low, sign * most.band_high))
    return Finding(
        kind=kind,
        ahead=material.model(ahead) if most.difference else None,
        pc_from=whole.low,
        pc_to=whole.high,
        ratio_from=whole.ratio_low,
        ratio_to=whole.ratio_high,
        difference=abs(most.difference),
        low=low,
        high=high,
        at_pc=most.at_pc,
        spans=len(spans),
        width=sum(span.high - span.low for span in spans),
    )


def _pairs(material: Material) -> list[Pair]:
    rows = groupby(material.rows("crossovers"), key=lambda row: (row["model_a"], row["model_b"]))
    pairs = [_pair(material, a, b, list(found)) for (a, b), found in rows]
    return pairs if len(pairs) <= PAIRS else sorted(pairs, key=_apart, reverse=True)


def _apart(pair: Pair) -> float:
    """Measure how far apart the costs of a pair are at most, in steps that hide rounding."""
    return round(max(abs(stretch.difference) for stretch in pair.stretches), 9)


def _pair(material: Material, a: str, b: str, rows: list[dict[str, Any]]) -> Pair:
    unequal = [row for row in rows if row["largest_difference"]] or rows
    long = [row for row in unequal if row["pc_to"] - row["pc_from"] >= SHORT]
    listed = long or [max(unequal, key=lambda row: row["pc_to"] - row["pc_from"])]
    stretches = tuple(_stretch(material, row) for row in listed)
    return Pair(material.model(a), material.model(b), stretches, len(unequal) - len(listed))


def _stretch(material: Material, row: dict[str, Any]) -> Stretch:
    difference = row["largest_difference"]
    cheaper = row["model_a"] if difference < 0 else row["model_b"]
    names = ("pc_from", "pc_to", "ratio_from", "ratio_to", "at_pc", "to_low", "to_high")
    return Stretch(
        **{name: row[name] for name in names},
        cheaper=material.model(cheaper) if difference else None,
        difference=difference,
    )
