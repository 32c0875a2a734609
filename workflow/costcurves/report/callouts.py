"""What is said of a dataset in call-outs: what was decided, and (in grey) what was not.

Here are the values; the sentences are macros of `templates/sentences.html.j2`.
"""

import math
from collections.abc import Sequence
from math import comb
from typing import Any, Final

from costcurves.figures.outcomes import (
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
from costcurves.formats import share
from costcurves.maths.geometry.cost_space import ratio_from_pc
from costcurves.report import patterns
from costcurves.report.document import Estimate, Values
from costcurves.report.material import Material
from costcurves.tables.inference.verdicts import CHEAPEST
from costcurves.tables.keys import IN_SAMPLE
from costcurves.text import Number, Text, names, phrase

ANSWERED: Final = 6  # datasets that page 1 answers one by one
SMALLEST: Final = 0.001  # less of the cost left out is not worth a sentence


def callouts(material: Material, most: int) -> Values:
    """Give what the data decide about a dataset's models, in `most` verdicts at most."""
    models, found = len(material.facts.models), leading(material.outcomes)
    decided = wins(found)
    pairs = [(one, spans) for one in found if (spans := one.found(EQUIVALENT))]
    return Values(
        facts=material.facts,
        href=material.facts.table("verdicts"),
        alone=_alone(material) if models == 1 else None,
        found=found,
        wins=tuple(_win(material, win) for win in decided[:most]),
        hidden=len(decided[most:]),
        equivalent=tuple(Values(models=(one.a, one.b), **_taken(spans)) for one, spans in pairs),
        undecided=_undecided(found),
        untested=material.untested,
        of=comb(models, 2) if found else len(material.untested),
    )


def _win(material: Material, win: Win) -> Values:
    """Give a verdict with the band of the difference where it is largest."""
    most = largest(win.spans)
    sign = -1 if most.difference < 0 else 1
    low, high = sorted((sign * most.band_low, sign * most.band_high))
    return Values(
        winner=material.model(win.winner),
        loser=win.loser,
        most=Estimate(abs(most.difference), low, high),
        at=most.at_pc,
        **_taken(win.spans),
    )


def _taken(spans: Sequence[Span]) -> dict[str, Any]:
    """Take intervals together: from where to where, how many, and how much they cover."""
    first, last = min(spans, key=lambda one: one.low), max(spans, key=lambda one: one.high)
    width = sum(span.width for span in spans)
    return {"whole": around((first, last)), "spans": len(spans), "width": width}


def _undecided(found: Sequence[Outcome]) -> Values | None:
    """Give the pairs of which nothing was found, those undecided elsewhere, and what may decide."""
    silent = [one for one in found if one.silent]
    open_ = [one for one in found if one.found("undecided") and not one.silent]
    if not silent and not open_:
        return None
    known = [span for span in open_[0].spans if span.finding != "undecided"] if open_ else []
    return Values(
        silent=tuple((one.a, one.b) for one in silent),
        of=len(found),
        only=(found[0].a, found[0].b),
        elsewhere=len(open_),
        ranges=len(known),
        nearest=min(silent, key=lambda one: one.projected, default=None),
    )


def _alone(material: Material) -> Values:
    """Compare a single model with the trivial classifiers; say between what its range may end."""
    facts, (row,) = material.facts, material.headline
    where, low, high = None, row["range_from"], row["range_to"]
    if not math.isnan(low):
        where = Range(low, high, *(ratio_from_pc(pc, facts.prior) for pc in (low, high)))
    best = [
        one
        for one in material.rows("in_the_running")
        if one["decision"] == row["model"] and one["standing"] == CHEAPEST
    ]
    return material.row(
        row,
        where=where,
        parts=len(best) > 1,
        ends=tuple(
            material.estimates[row["model"], end, ""] for end in ("range start", "range end")
        ),
        confidence=material.confidence,
    )


def caution(materials: Sequence[Material]) -> Text:
    """Name the datasets whose thresholds are judged on the data that chose them."""
    return names([one.facts.title for one in materials if one.facts.estimate == IN_SAMPLE])


def optimism(materials: Sequence[Material]) -> Text:
    """Say how much less cost judging thresholds on the data that chose them would promise."""
    promises = []
    for material in materials:
        for row in material.rows("criteria"):
            delivered = row["area"] - row["regret"]  # by cross-fitted choice; NaN: there is none
            if row["criterion"] == "cost-minimizing" and -row["regret"] >= SMALLEST * delivered:
                promises.append((-row["regret"] / delivered, material.facts.table("criteria")))
    if not promises:
        return ()
    low, high = (Number(share(left), href) for left, href in (min(promises), max(promises)))
    return (low,) if low.text == high.text else phrase(patterns.FROM_TO, low=low, high=high)
