"""The first page: what was decided on each dataset, every model in numbers, the decided pairs."""

from collections.abc import Sequence
from typing import Final

from costcurves.formats import counted
from costcurves.report import alternatives
from costcurves.report.callouts import Callout, callouts, design, family, optimism, without
from costcurves.report.document import Numbering, Table, Values
from costcurves.report.findings import cheaper_together, equivalent, undecided_in_short
from costcurves.report.material import Material
from costcurves.report.outcomes import (
    EQUIVALENT,
    Outcome,
    Win,
    leading,
    most_decided,
    together,
    wins,
)
from costcurves.report.pictures import strip
from costcurves.report.sections import judged
from costcurves.report.text import Text, phrase
from costcurves.tables.configuration.stages import MANY

MARKED: Final = 2  # operating conditions in the table of models
TOLD: Final = 2  # groups of verdicts that a dataset's answer goes through
DATASETS: Final = 6  # that are answered one by one
PAIRS: Final = 10  # of a dataset, the widest ranges first
BESIDE: Final = (20, 24)  # rows, and letters of a name, of a table that stands beside a figure


def front(materials: Sequence[Material], numbers: Numbering, *, has_map: bool = False) -> Values:
    """Sum up a study: what the data decide, every model in numbers, the decided pairs.

    Its figure is the first dataset's cost curves, whose section names the same figure. It takes
    `numbers` before all others. Where there are too many datasets to answer for each, `overall`
    sums them up; of many with a map there are neither tables nor a figure: the map comes next.
    """
    families = [family(found) for it in materials if (found := leading(it.outcomes))]
    tabled = len(materials) <= MANY or not has_map
    figure = materials[0].figure("cost_curves", alternatives.cost_curves) if tabled else None
    table = None
    if tabled:
        groups = tuple(Values(facts=it.facts, rows=judged(it)) for it in materials)
        table = Table(numbers.table(), ("Every model in numbers",), "", groups)
    return Values(
        compared=tuple(it.facts for it in materials),
        answers=tuple(map(_answer, materials[:DATASETS])),
        overall=_overall(materials) if len(materials) > DATASETS else None,
        all=optimism(materials),
        figure=figure,
        table=table,
        beside=_beside(table),
        pairs=_pairs(materials, numbers) if tabled else None,
        conditions=materials[0].conditions[:MARKED],
        confidence=materials[0].confidence,
        familywise=families[0] if families else "",
    )


def _answer(material: Material) -> Values:
    """Say what the data decide on one dataset, sentence by sentence, and on what that rests."""
    found = leading(material.outcomes)
    told = [*_decided(material, found), *without(material)] if found else callouts(material, 0)
    return Values(facts=material.facts, sentences=tuple(told), design=design(material.facts))


def _decided(material: Material, found: Sequence[Outcome]) -> list[Callout]:
    """Say what was decided in few sentences, and in one what was not."""
    href = material.facts.table("verdicts")
    groups = together(wins(found))
    told = [_coloured(material, group) for group in groups[:TOLD]]
    hidden = sum(map(len, groups[TOLD:]))
    if hidden:
        more = phrase("{} more, in narrower ranges of PC(+).", counted(hidden, "verdict"))
        told.append(Callout(more))
    same, open_ = equivalent(found, href), undecided_in_short(found, href)
    told += [Callout(same)] if same else []
    return [*told, Callout(*open_)] if open_ else told


def _coloured(material: Material, group: Sequence[Win]) -> Callout:
    """Give a sentence the colour of its one winner; several winners have none in common."""
    text = cheaper_together(group, material.facts.table("verdicts"))
    winners = {win.winner for win in group}
    one = material.model(*winners) if len(winners) == 1 else None
    return Callout(text, winner=one, decided=True)


def _overall(materials: Sequence[Material]) -> Text:
    """Say on how many datasets anything was decided, and where the other answers are."""
    decided = sum(any(one.decided for one in leading(it.outcomes)) for it in materials)
    pattern = (
        "On {} of {} the data decide at least one pair of models somewhere on PC(+). Here are the "
        "answers for the first {}; the sections of the others begin with theirs."
    )
    return phrase(pattern, f"{decided}", counted(len(materials), "dataset"), f"{DATASETS}")


def _beside(table: Table | None) -> bool:
    """Say whether the table of models is short and narrow enough to stand beside the figure."""
    names = [row.model.name for group in table.rows for row in group.rows] if table else []
    rows, letters = BESIDE
    return 0 < len(names) <= rows and max(map(len, names)) <= letters


def _pairs(materials: Sequence[Material], numbers: Numbering) -> Table | None:
    groups = tuple(_strips(it) for it in materials if it.outcomes)
    return Table(numbers.table(), ("Pairs of models along PC(+)",), "", groups) if groups else None


def _strips(material: Material) -> Values:
    """Draw the pairs of which most was decided, and count the others."""
    found = most_decided(leading(material.outcomes))
    rows = tuple(_strip(material, one) for one in found[:PAIRS])
    return Values(facts=material.facts, rows=rows, hidden=len(found) - len(rows))


def _strip(material: Material, one: Outcome) -> Values:
    """Draw a pair of models along PC(+), and say between which ends each is cheaper."""
    each = wins([one])
    parts = [
        (span.low, span.high, material.index(win.winner), win.winner == one.b)
        for win in each
        for span in win.spans
    ]
    return Values(
        a=material.model(one.a),
        b=material.model(one.b),
        strip=strip(parts, "decided along PC(+)" if each else "undecided along PC(+)"),
        cheaper=each,
        equivalent=bool(one.found(EQUIVALENT)),
    )
