"""The first page: an answer in a sentence, what to use on each dataset, what could be cheapest."""

from collections.abc import Sequence
from typing import Final

import pandas as pd

from costcurves.figures.style import colour
from costcurves.report import patterns
from costcurves.report.callouts import ANSWERED, callouts
from costcurves.report.decisions import decided
from costcurves.report.document import Numbering, Table, Values, capped
from costcurves.report.mapped import answer
from costcurves.report.material import Material, datasets_in_words
from costcurves.report.outcomes import leading
from costcurves.report.pictures import FULL, LIGHT, LINE, strip
from costcurves.report.to_use import matrix, to_use
from costcurves.tables.detail import MANY
from costcurves.tables.inference.verdicts import CHEAPEST, OUT, RUNNING
from costcurves.tables.keys import ALWAYS, IN_SAMPLE
from costcurves.text import Name, phrase, plain

SHADES: Final = {CHEAPEST: FULL, RUNNING: LIGHT, OUT: LINE}
ROWS: Final = 10  # of a dataset, its models with the least areas
LINES: Final = 48  # of all datasets


def front(
    materials: Sequence[Material], numbers: Numbering, counts: pd.DataFrame | None = None
) -> Values:
    """Sum up a study; of many datasets with a map (`counts`) without strips: it comes next."""
    several = len(materials) > ANSWERED
    first = (matrix if several else to_use)(materials, numbers)
    outcomes = [one for it in materials for one in leading(it.outcomes)]
    by_matrix = {it.facts.of: found for it in materials if (found := decided(it)) is not None}
    led = [it for it in materials if it.facts.of not in by_matrix]
    datasets, roster = datasets_in_words(materials), materials[0].roster
    voted = None if counts is None else answer(counts, datasets, roster)
    tabled = len(materials) <= MANY or voted is None
    strips = tuple(_strips(it, ROWS) for it in materials if tabled and _has_strips(it))
    running = Table(numbers.table(), (patterns.RUNNING,), "", strips) if strips else None
    return Values(
        datasets=len(materials),
        use=None if several else first,
        matrix=first if several else None,
        together=voted if several else None,
        lead=() if several else tuple(_lead(it, first) for it in led),
        decided=tuple(by_matrix.values()),
        answers=tuple(map(callouts, materials[:ANSWERED])),
        running=running,
        shown=tuple(capped(strips, LINES)),
        confidence=materials[0].confidence,
        standing=materials[0].standing,
        familywise=outcomes[0] if outcomes else None,
        false=max(
            (one for it in materials for one in it.measured if one.of_verdicts),
            key=lambda one: one.share,
            default=None,
        ),
    )


def _lead(material: Material, use: Table | None) -> Values:
    """Say what is the cheapest by estimate on most of either side of equal costs, or in a unit.

    `elsewhere`: somewhere others are; `settled`: where it is, the data rule out all others.
    """
    facts = material.facts
    rows = [row for group in use.rows if group.facts == facts for row in group.rows] if use else []
    sides = ((0.0, facts.prior), ALWAYS[0]), ((facts.prior, 1.0), ALWAYS[1])
    best = [_widest(material, *side) or otherwise for side, otherwise in sides]
    rivals = {
        other
        for (side, _), name in zip(sides, best, strict=True)
        if name in facts.models
        for stretch in _standing(material, name, {CHEAPEST}, *side)
        for other in facts.models
        if other != name and _standing(material, other, {CHEAPEST, RUNNING}, *stretch)
    }
    return Values(
        facts=facts,
        best=tuple(best),
        own=next((row for row in rows if row.amount is not None), None),
        elsewhere=any(
            name != of and _standing(material, name, {CHEAPEST}, *side)
            for (side, _), of in zip(sides, best, strict=True)
            for name in facts.models
        ),
        settled=not rivals,
        in_sample=facts.estimate == IN_SAMPLE,
    )


def _widest(material: Material, low: float, high: float) -> str | None:
    """Name the model that is the cheapest on most of a range; None: none is anywhere on it."""
    own = {it: _standing(material, it, {CHEAPEST}, low, high) for it in material.facts.models}
    widths = {name: sum(end - start for start, end in parts) for name, parts in own.items()}
    return max(widths, key=widths.__getitem__) if any(widths.values()) else None


def _standing(
    material: Material, name: str, standings: set[str], low: float, high: float
) -> list[tuple[float, float]]:
    """List where on a range a model stands in one of these ways, and costs less than a baseline."""
    parts = (it for it in material.stretches[name] if it.standing in standings and not it.narrow)
    ends = [(max(it.low, low), min(it.high, high)) for it in parts]
    return [(first, last) for first, last in ends if first < last]


def running_on(material: Material, page1: Values) -> Table | None:
    """List of one dataset all models in the running, if page 1 leaves some to its section."""
    whole = {group.facts.slug for group in page1.shown if not group.hidden}
    if page1.running is None or material.facts.slug in whole or not _has_strips(material):
        return None
    title = phrase(patterns.RUNNING_ON, dataset=Name(material.facts.title))
    strips = _strips(material, len(material.facts.models))
    return Table(material.numbers.table(), title, "", (strips,))


def _has_strips(material: Material) -> bool:
    return material.facts.estimate != IN_SAMPLE


def _strips(material: Material, most: int) -> Values:
    """Draw where along its scale each model is the cheapest, in the running, or out."""
    areas = {row["model"]: row["area"] for row in material.headline}
    order, along = sorted(areas, key=areas.__getitem__), material.facts.along
    found = tuple(
        Values(
            model=material.model(name),
            strip=strip(
                [(along(it.low), along(it.high), SHADES[it.standing], it.narrow) for it in parts],
                colour(material.model(name).index),
                plain(phrase(patterns.STANDING, axis=material.facts.axis)),
            ),
        )
        for name in order[:most]
        for parts in [material.stretches[name]]
    )
    files = (material.facts.table("in_the_running"),)
    hidden = len(order) - len(found)
    return Values(facts=material.facts, rows=found, hidden=hidden, files=files)
