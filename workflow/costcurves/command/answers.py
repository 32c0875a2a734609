"""The answer in the terminal: what to use on each dataset, where a reader begins."""

import json
import sys
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from costcurves import formats
from costcurves.printing import say
from costcurves.tables.record.places import WHAT_TO_USE_FILE

MOST: Final = 6  # datasets
NAMED: Final = 4  # decisions
ANSWER: Final = (
    "{title}, {condition}: {cheapest} costs least by estimate{how}, {cost}{less}{threshold}."
)
HINDSIGHT: Final = " in hindsight (too low, not compared)"
LESS: Final = ", {saved} less than always negative or positive"
OF_CASES: Final = "{} per 1000 cases"
INTERVAL: Final = "{value} ({level}{low} to {high})"
LEVEL: Final = "{} interval "
MEMBER: Final = "; use {}"
THRESHOLD: Final = "; {member}threshold {score} (top {flagged})"
OTHERS: Final = "  Could be cheapest, too: {names}{more}."
MORE_NAMES: Final = " and {} more"
MORE: Final = "{}: {}"

Row = dict[str, Any]


def answers_of(report: Path) -> list[Row]:
    """Read what to use on each dataset at each condition; nothing where there is no such file."""
    file = report / WHAT_TO_USE_FILE
    return json.loads(file.read_text("utf-8")) if file.is_file() else []


def print_answer(study: str, *, fresh: bool = True) -> None:
    """Print where a study's report is, and what to use."""
    report = Path("reports", study)
    pages = sorted(report.glob("*.[hp]*"))
    links = [page.resolve().as_uri() if sys.stdout.isatty() else str(page) for page in pages]
    ready = "The report is ready" if fresh else "Nothing has changed; the report is up to date"
    say(f"{ready}:", *(f"  {link}" for link in links))
    say(*in_words(report), head=True)


def in_words(report: Path) -> Iterator[str]:
    """Say it of the first few datasets, in two lines each."""
    each = [next(rows) for _, rows in groupby(answers_of(report), key=itemgetter("dataset"))]
    for row in each[:MOST]:
        yield from _lines(row)
    if len(each) > MOST:
        more = formats.counted(len(each) - MOST, "more dataset")
        yield MORE.format(more, report / WHAT_TO_USE_FILE)


def _lines(row: Row) -> Iterator[str]:
    less = LESS.format(saved=estimate(row, "saved", "saved_amount")) if row["saved"] else ""
    level = LEVEL.format(formats.level(row["confidence"]))
    said = {
        "how": HINDSIGHT if row["could_be_cheapest"] is None else "",
        "cost": estimate(row, "cost", "amount", OF_CASES, level),
        "less": less,
        "threshold": threshold(row),
    }
    yield ANSWER.format(**row | said)
    names = row["could_be_cheapest"] or []
    if names:
        more = MORE_NAMES.format(len(names) - NAMED) if len(names) > NAMED else ""
        yield OTHERS.format(names=", ".join(names[:NAMED]), more=more)


def estimate(row: Row, cost: str, amount: str, of: str = "{}", level: str = "") -> str:
    """Write a cost with its interval; as an amount, where there is one."""
    key, write = (cost, formats.cost) if row[amount] is None else (amount, formats.amount)
    value, low, high = (row[it] for it in (key, f"{key}_low", f"{key}_high"))
    said = write(value)
    if key == amount:
        said = of.format(f"{said} {row['unit']}".rstrip())
    ends = {"low": write(low), "high": write(high)} if low is not None else {}
    return INTERVAL.format(value=said, level=level, **ends) if ends else said


def threshold(row: Row) -> str:
    """Say which member or threshold to use, after a semicolon."""
    if row["threshold"] is None:
        return MEMBER.format(row["member"]) if row["member"] else ""
    member = f"{row['member']} " if row["member"] else ""
    score, flagged = formats.threshold(row["threshold"], 3), formats.share(row["flagged"])
    return THRESHOLD.format(member=member, score=score, flagged=flagged)
