"""Which decision is cheapest where, by estimate."""

from bisect import bisect_left
from itertools import pairwise
from typing import Final

import pandas as pd

from costcurves.figures import patterns
from costcurves.figures.context import Tables, headline_rows, rows_of
from costcurves.formats import pc_range
from costcurves.tables.inference.verdicts import CHEAPEST
from costcurves.tables.keys import ALWAYS
from costcurves.text import Text, counting, listed, names, phrase, plain

RANGES: Final = 4  # of PC(+) that alternative texts give for one thing
SLIVER: Final = 1e-9  # narrower than any reader or figure resolves: roots that differ by rounding


def lowest(tables: Tables) -> str:
    """Say what is lowest where, the widest ranges in order; nothing where there is one model."""
    if len(headline_rows(tables["measures"])) == 1:
        return ""
    known = cheapest(tables["in_the_running"])
    widest = sorted(known, key=lambda one: -round(one[1] - one[0], 9))[:RANGES]
    ranges = [
        phrase(patterns.FOR_RANGES, what=who, ranges=pc_range(*ends))
        for *ends, who in sorted(widest)
    ]
    hidden = len(known) - len(ranges)
    others = counting(patterns.OTHERS, hidden) if hidden else ()
    return plain(phrase(patterns.LOWEST, ranges=listed(ranges), others=others))


def cheapest(running: pd.DataFrame) -> list[tuple[float, float, Text]]:
    """Divide PC(+) by what is cheapest by estimate: models (equal ones), or a no-model baseline."""
    rows = rows_of(running[running["standing"] == CHEAPEST])
    ends = sorted({row[end] for row in rows for end in ("pc_from", "pc_to")})
    leading: list[list[str]] = [[] for _ in ends[1:]]
    for row in rows:
        for one in leading[bisect_left(ends, row["pc_from"]) : bisect_left(ends, row["pc_to"])]:
            one.append(row["decision"])
    found: list[tuple[float, float, Text]] = []
    for (low, high), decisions in zip(pairwise(ends), leading, strict=True):
        constant = [one for one in decisions if one in ALWAYS]
        who = names(decisions)
        if constant:
            who = (constant[0],)
        elif len(decisions) > 1:
            who = phrase(patterns.EQUAL, models=who)
        if found and (who == found[-1][2] or high - low < SLIVER):
            low, _, who = found.pop()
        found.append((low, high, who))
    return found
