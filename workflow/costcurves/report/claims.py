"""What the study claims, and how each claim came out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd

from costcurves.formats import level
from costcurves.many.audit import numbers
from costcurves.many.claims import CONTRADICTED, SUPPORTED, UNDECIDED
from costcurves.report.document import Numbering, Section, Table, address
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
class Claims:
    """All claims."""

    table: Table
    verdicts: tuple[tuple[str, int], ...]  # how many claims have each
    partly: int  # undecided, but supported on a part of the range
    level: str


def claims(table: pd.DataFrame, titles: Mapping[str, str], numbers: Numbering) -> Section | None:
    """Make the section of claims, with `titles` by names of datasets; None: there are none."""
    if table.empty:
        return None
    rows = tuple(_row(rows.to_dict("records"), titles) for _, rows in table.groupby("number"))
    shown = Table(next(numbers.tables), ("Claims, and whether they hold",), address("claims"), rows)
    verdicts = [claim.row["verdict"] for claim in rows]
    # That none is contradicted is worth saying.
    listed = [word for word in SYMBOLS if word in verdicts or word == CONTRADICTED]
    content = Claims(
        shown,
        verdicts=tuple((word.lower(), verdicts.count(word)) for word in listed),
        partly=sum(row.row["verdict"] == UNDECIDED and bool(row.numbers["kept"]) for row in rows),
        level=level(min(claim.row["level"] for claim in rows)),
    )
    return Section("claims", ("Claims",), "claims", content)


def _row(rows: Sequence[dict[Any, Any]], titles: Mapping[str, str]) -> ClaimShown:
    """Show a claim by the dataset that decides it."""
    row = next(row for row in rows if row["decides"])
    return ClaimShown(
        row,
        numbers(row),
        symbol=SYMBOLS[row["verdict"]],
        titles=tuple(titles[judged(each)] for each in rows),
        apart=len({each["pc_from"] for each in rows}) > 1,
    )
