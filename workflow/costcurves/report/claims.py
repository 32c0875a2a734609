"""What the study claims, and how each claim came out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import pandas as pd

from costcurves.figures.style import INK
from costcurves.formats import cost, level, stated
from costcurves.maths.chance.claims import CONTRADICTED, SUPPORTED, UNDECIDED
from costcurves.report import patterns
from costcurves.report.document import WHOLE, Facts, Numbering, Section, Table, Values
from costcurves.report.pictures import FULL, LIGHT, LINE, strip
from costcurves.settings import judged
from costcurves.tables.record.audit import numbers
from costcurves.text import phrase, plain

SYMBOLS: Final = {SUPPORTED: "\u2713", CONTRADICTED: "\u2717", UNDECIDED: "?"}  # in this order


def claims(table: pd.DataFrame, facts: Mapping[str, Facts], numbers: Numbering) -> Section | None:
    """Make the section of claims, with `facts` by names of datasets; None: there are none."""
    if table.empty:
        return None
    rows = tuple(_row(rows.to_dict("records"), facts) for _, rows in table.groupby("number"))
    title = ("Claims, and whether they hold",)
    shown = Table(numbers.table(), title, WHOLE.table("claims"), rows)
    least = level(min(row.level for row in rows))
    values = Values(table=shown, summary=in_short(rows), level=least)
    return Section("claims", ("Claims",), "claims", values)


def in_short(rows: Sequence[Values]) -> Values:
    """Count how claims came out: that none is contradicted is worth saying."""
    counts = Counter(row.verdict for row in rows)
    return Values(
        claims=len(rows),
        found=tuple(
            (one.lower(), counts[one]) for one in SYMBOLS if counts[one] or one == CONTRADICTED
        ),
        partly=sum(bool(row.kept) for row in rows if row.verdict == UNDECIDED),
    )


def _row(rows: Sequence[Mapping[Any, Any]], facts: Mapping[str, Facts]) -> Values:
    """Show a claim by the dataset that decides it."""
    row = next(row for row in rows if row["decides"])
    own = facts[judged(row)]
    shown = {
        "sentence": row["claim"],
        "symbol": SYMBOLS[row["verdict"]],
        "bound": stated(row["limit"], cost(row["limit"])),
        "titles": tuple(facts[judged(one)].title for one in rows),
        "apart": len({one["pc_from"] for one in rows}) > 1,
        "facts": own,
        "strip": None if row["mean"] else _strip(row, own),
    }
    return Values(**{**row, **shown, **numbers(row)})


def _strip(row: Mapping[Any, Any], facts: Facts) -> Values:
    """Draw where a claim is made, and where it is supported: dark."""
    low, high = row["pc_from"], row["pc_to"]
    start, end = row["kept_from"], row["kept_to"]
    if row["verdict"] == SUPPORTED:
        start, end = low, high
    elif not row["kept_share"] > 0:
        start, end = high, high
    ranges = pairwise((0, low, start, end, high, 1))
    parts = [
        (facts.along(one), facts.along(other), shade, False)
        for shade, (one, other) in zip((LINE, LIGHT, FULL, LIGHT, LINE), ranges, strict=True)
        if one < other
    ]
    return strip(parts, INK, plain(phrase(patterns.CLAIMED, axis=facts.axis)))
