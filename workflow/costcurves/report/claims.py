"""What the study claims, and how each claim came out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd

from costcurves.formats import level
from costcurves.many.audit import numbers
from costcurves.many.statements import CONTRADICTED, SUPPORTED, UNDECIDED
from costcurves.report.document import WHOLE, Facts, Numbering, Section, Table
from costcurves.settings import judged

SYMBOLS: Final = {SUPPORTED: "\u2713", CONTRADICTED: "\u2717", UNDECIDED: "?"}  # in this order


@dataclass(frozen=True)
class ClaimShown:
    """A claim by the dataset that decides it."""

    row: Mapping[str, Any]  # of the table
    numbers: Mapping[str, str]  # as they are printed
    symbol: str
    titles: tuple[str, ...]
    apart: bool  # its datasets are judged at different PC(+)


@dataclass(frozen=True)
class ClaimCounts:
    """How many claims came out in which way."""

    claims: int
    found: tuple[tuple[str, int], ...]
    partly: int  # undecided, but supported on a part of the range


@dataclass(frozen=True)
class Claims:
    """All claims."""

    table: Table
    summary: ClaimCounts
    level: str


def claims(table: pd.DataFrame, facts: Mapping[str, Facts], numbers: Numbering) -> Section | None:
    """Make the section of claims, with `facts` by names of datasets; None: there are none."""
    if table.empty:
        return None
    rows = tuple(_row(rows.to_dict("records"), facts) for _, rows in table.groupby("number"))
    shown = Table(numbers.table(), ("Claims, and whether they hold",), WHOLE.table("claims"), rows)
    least = level(min(claim.row["level"] for claim in rows))
    return Section("claims", ("Claims",), "claims", Claims(shown, in_short(rows), least))


def in_short(rows: Sequence[ClaimShown]) -> ClaimCounts:
    """Count how claims came out: that none is contradicted is worth saying."""
    counts = Counter(claim.row["verdict"] for claim in rows)
    partly = [
        claim for claim in rows if claim.row["verdict"] == UNDECIDED and claim.numbers["kept"]
    ]
    found = [(one.lower(), counts[one]) for one in SYMBOLS if counts[one] or one == CONTRADICTED]
    return ClaimCounts(len(rows), tuple(found), len(partly))


def _row(rows: Sequence[dict[Any, Any]], facts: Mapping[str, Facts]) -> ClaimShown:
    """Show a claim by the dataset that decides it."""
    row = next(row for row in rows if row["decides"])
    return ClaimShown(
        row,
        numbers(row),
        symbol=SYMBOLS[row["verdict"]],
        titles=tuple(facts[judged(each)].title for each in rows),
        apart=len({each["pc_from"] for each in rows}) > 1,
    )
