"""The first page: what to use on each dataset, every model in numbers, who is in the running."""

from collections.abc import Sequence
from typing import Final

from costcurves.formats import counted
from costcurves.report import alternatives
from costcurves.report.callouts import Callout, callouts, design, family, optimism, without
from costcurves.report.document import Numbering, Table, Values
from costcurves.report.findings import cheaper_together, equivalent, undecided_in_short
from costcurves.report.material import Material
from costcurves.report.outcomes import Outcome, Win, leading, together, wins
from costcurves.report.running import strips, to_use
from costcurves.report.sections import judged
from costcurves.report.text import Text, phrase
from costcurves.tables.configuration.stages import MANY
from costcurves.tables.keys import IN_SAMPLE

MARKED: Final = 2  # operating conditions in the table of models
TOLD: Final = 2  # groups of verdicts that a dataset's answer goes through
DATASETS: Final = 6  # that are answered one by one
BESIDE: Final = (20, 24)  # rows, and letters of a name, of a table that stands beside a figure


def front(materials: Sequence[Material], numbers: Numbering, *, has_map: bool = False) -> Values:
    """Sum up a study: what to use, what the data decide, every model in numbers.

    Its figure is the first dataset's cost curves, whose section names the same figure. It takes
    `numbers` before all others. Where there are too many datasets to answer for each, `overall`
    sums them up; of many with a map there are neither tables nor a figure: the map comes next.
    """
    families = [family(found) for it in materials if (found := leading(it.outcomes))]
    tabled = len(materials) <= MANY or not has_map
    running = _running(materials, numbers) if tabled else None
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
        running=running,
        conditions=materials[0].conditions[:MARKED],
        confidence=materials[0].confidence,
        familywise=families[0] if families else "",
    )


def _answer(material: Material) -> Values:
    """Say what to use on one dataset, what the data decide, and on what that rests."""
    found = leading(material.outcomes)
    told = [*_decided(material, found), *without(material)] if found else callouts(material, 0)
    sentences = (*to_use(material), *told)
    return Values(facts=material.facts, sentences=sentences, design=design(material.facts))


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


def _running(materials: Sequence[Material], numbers: Numbering) -> Table | None:
    groups = tuple(strips(it) for it in materials if it.facts.estimate != IN_SAMPLE)
    title = ("Who is in the running along PC(+)",)
    return Table(numbers.table(), title, "", groups) if groups else None
