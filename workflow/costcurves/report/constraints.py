"""Choosing under a limit: what it allows each model, and what held-out folds made of it."""

from itertools import groupby
from operator import itemgetter
from typing import Final

from costcurves.formats import cases, cost
from costcurves.report.document import Values
from costcurves.report.material import Material
from costcurves.report.text import Name, Number, Text, phrase
from costcurves.tables.selection.limited import limits

ROUNDING: Final = 1e-9  # a limit that is met exactly is not exceeded


def constraints(material: Material) -> list[Values]:
    """Collect the models under each limit; its point in cost space is the same for all."""
    shared = itemgetter("criterion", "limit", "dual_pc", "dual_nec")
    rows = sorted(material.rows("constructions"), key=itemgetter("criterion"))
    return [
        Values(
            criterion=criterion,
            limit=limit,
            dual_pc=pc,
            dual_nec=nec,
            in_cases=kind.in_cases,
            heading=f"{kind.title}: {kind.allows.format(cases(limit))}",
            rows=tuple(map(material.row, own)),
        )
        for (criterion, limit, pc, nec), own in groupby(rows, shared)
        for kind in [limits()[criterion]]
    ]


def kept(limit: Values, href: str) -> Text:
    """Say what a limit that was kept on the other folds came to on the held-out ones."""
    kind = limits()[limit.criterion]
    words = kind.sentence.format(cases(limit.limit))
    rows = sorted((one for one in limit.rows if one.folds), key=lambda one: float(one.held_out))
    if not rows:
        return phrase(
            "{}: there are no other folds to choose on, so whether new data keep it is not known.",
            words,
        )
    written = cases if kind.in_cases else cost
    ends = [
        phrase("{} ({})", Number(written(one.held_out), href), Name(one.model.name))
        for one in (rows[0], rows[-1])
    ]
    return phrase(
        "{}, kept on the folds that choose, came to {} on the folds held out: {}.",
        words,
        ends[0] if len(rows) == 1 else phrase("{} to {}", *ends),
        _above(sum(one.held_out > limit.limit + ROUNDING for one in rows), len(rows)),
    )


def _above(above: int, models: int) -> str:
    """Say how many models exceed the limit in the mean."""
    if models == 1:
        return "above the limit on average" if above else "within the limit on average"
    if not above:
        return f"on average none of the {models} models exceeds the limit"
    if above == models:
        return f"on average all {above} models exceed it"
    return f"on average {above} of {models} models {'exceeds' if above == 1 else 'exceed'} it"
