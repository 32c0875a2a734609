"""What the study claims, and how each claim came out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd

from costcurves.figures.style import INK
from costcurves.formats import cost, counted, level, stated, stated_range
from costcurves.maths.chance.claims import CONTRADICTED, SUPPORTED, UNDECIDED
from costcurves.report.document import WHOLE, Facts, Numbering, Section, Table, Values
from costcurves.report.pictures import FULL, LIGHT, LINE, strip
from costcurves.tables.configuration.claim_keys import (
    CHEAPER,
    EQUIVALENT,
    EXPECTED_COST,
    NOT_WORSE,
    OPERATING_RANGE,
    WORSE_THAN_TRIVIAL,
    judged,
)
from costcurves.tables.record.audit import numbers
from costcurves.text import Name, Part, Text, listed, phrase

SYMBOLS: Final = {SUPPORTED: "\u2713", CONTRADICTED: "\u2717", UNDECIDED: "?"}
MEANS: Final = {
    "area": "The area under the cost curve of {} is at most {}",
    "tec": "The total expected cost of {} is at most {}",
}
IN_SAMPLE: Final = " (in-sample: judged on the data that chose, so too low to decide anything)"
ASSERTIONS: Final = {  # with what stands in it
    CHEAPER: ("{} costs less than {}", ("a", "b")),
    NOT_WORSE: ("{} costs at most {} more than {}", ("a", "limit", "b")),
    EQUIVALENT: ("{} and {} differ by less than {}", ("a", "b", "limit")),
    OPERATING_RANGE: ("{} costs less than both trivial classifiers", ("a",)),
    WORSE_THAN_TRIVIAL: ("{} costs more than the cheaper trivial classifier", ("a",)),
    EXPECTED_COST: ("{} costs at most {}", ("a", "limit")),
}


def claims(table: pd.DataFrame, facts: Mapping[str, Facts], numbers: Numbering) -> Section | None:
    """Make the section of claims, with `facts` by names of datasets; None: there are none."""
    if table.empty:
        return None
    rows = tuple(_row(rows.to_dict("records"), facts) for _, rows in table.groupby("number"))
    title = ("What is claimed, and what the data say",)
    shown = Table(numbers.table(), title, WHOLE.table("claims"), rows)
    least = level(min(row.level for row in rows))
    values = Values(table=shown, summary=in_short(rows), level=least)
    return Section("claims", ("Claims",), "claims", values)


def in_short(rows: Sequence[Values]) -> Text:
    """Say how many claims came out in which way, and that none is contradicted where none is."""
    found = Counter(row.verdict for row in rows)
    partly = sum(bool(row.kept) for row in rows if row.verdict == UNDECIDED)
    said = [
        _are(found[verdict], verdict.lower())
        for verdict in (SUPPORTED, CONTRADICTED, UNDECIDED)
        if found[verdict] or verdict == CONTRADICTED
    ]
    in_part = f" ({_are(partly, 'supported on a part of the range')})" if partly else ""
    ways = listed([(one,) for one in said])
    return phrase("Of {}, {}{}", counted(len(rows), "claim"), ways, in_part)


def _are(count: int, what: str) -> str:
    """Say of how many claims something is true."""
    return f"{count or 'none'} {'are' if count > 1 else 'is'} {what}"


def _row(rows: Sequence[Mapping[Any, Any]], facts: Mapping[str, Facts]) -> Values:
    """Show a claim by the dataset that decides it."""
    row = next(row for row in rows if row["decides"])
    own = facts[judged(row)]
    shown = {
        "sentence": row["claim"],
        "symbol": SYMBOLS[row["verdict"]],
        "asserted": _asserted(rows, [facts[judged(one)].title for one in rows]),
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
    shades = zip(
        (LINE, LIGHT, FULL, LIGHT, LINE),
        (0, low, start, end, high),
        (low, start, end, high, 1),
        strict=True,
    )
    parts = [
        (facts.along(one), facts.along(other), shade, False)
        for shade, one, other in shades
        if one < other
    ]
    alt = f"where it is claimed along {facts.axis}, dark where it is supported"
    return strip(parts, INK, alt)


def _asserted(rows: Sequence[Mapping[Any, Any]], titles: Sequence[str]) -> Text:
    """Say what was tested, in our words; `rows` and `titles` are of its datasets."""
    row = rows[0]
    parts: dict[str, Part | Text] = {"limit": stated(row["limit"], cost(row["limit"]))}
    for one in ("a", "b"):
        name, criterion = Name(row[f"model_{one}"]), row[f"criterion_{one}"]
        parts[one] = phrase("{} ({})", name, criterion) if criterion else name
    pattern, needed = ASSERTIONS[row["kind"]]
    said = phrase(MEANS.get(row["mean"], pattern), *(parts[name] for name in needed))
    on = listed([Name(title) for title in titles])
    low, high = row["pc_from"], row["pc_to"]
    where = f" {'at' if low == high else 'for'} {stated_range(low, high)}"
    if len({one["pc_from"] for one in rows}) > 1:
        where = " at the PC(+) of the mean costs of each"
    range_ = "" if row["mean"] else where
    warning = IN_SAMPLE if row["in_sample"] else ""
    return phrase("{}{}, on {}{}", said, range_, on, warning)
