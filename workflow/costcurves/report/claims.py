"""What the study claims, and how each claim came out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd

from costcurves.formats import level
from costcurves.maths.chance.claims import CONTRADICTED, SUPPORTED, UNDECIDED
from costcurves.report.document import WHOLE, Facts, Numbering, Section, Table, Values
from costcurves.settings import judged
from costcurves.tables.record.audit import numbers

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
            (verdict.lower(), counts[verdict])
            for verdict in SYMBOLS
            if counts[verdict] or verdict == CONTRADICTED
        ),
        partly=sum(bool(row.kept) for row in rows if row.verdict == UNDECIDED),
    )


def _row(rows: Sequence[Mapping[Any, Any]], facts: Mapping[str, Facts]) -> Values:
    """Show a claim by the dataset that decides it."""
    row = next(row for row in rows if row["decides"])
    shown = {
        "sentence": row["claim"],
        "symbol": SYMBOLS[row["verdict"]],
        "titles": tuple(facts[judged(other)].title for other in rows),
        "apart": len({other["pc_from"] for other in rows}) > 1,
        "facts": facts[judged(row)],
    }
    return Values(**{**row, **shown, **numbers(row)})
