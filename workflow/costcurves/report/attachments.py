"""The files that the PDF carries: the data behind each of its tables and figures, as CSV."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Final

from costcurves.report.document import Figure, Report, Section, Table, Values
from costcurves.report.text import plain

MOST: Final = 10_000_000  # bytes of all files together; packed they take a fifth or less


@dataclass(frozen=True)
class Attachment:
    """A file: its name in the PDF, its address beside the report, what it is, and its bytes."""

    name: str
    href: str
    description: str
    content: bytes


def attachments(report: Report, folder: Path, most: int = MOST) -> tuple[Attachment, ...]:
    """Take the CSVs behind the tables and figures of a report, in order of their names.

    Where they have more than `most` bytes, unpacked, the largest are left out, of equally large
    ones the last by name, so that the PDF stays a file that one sends; they are beside it.
    """
    shown = described(report)
    sizes = sorted(((folder / href).stat().st_size, href) for href in shown)
    ends = accumulate(size for size, _ in sizes)
    small = [href for (_, href), end in zip(sizes, ends, strict=True) if end <= most]
    taken = [
        Attachment(attached_name(href), href, shown[href], (folder / href).read_bytes())
        for href in small
    ]
    return tuple(sorted(taken, key=lambda one: one.name))


def described(report: Report) -> dict[str, str]:
    """Say of each CSV behind tables and figures, by its relative address, what shows it."""
    found: dict[str, list[str]] = defaultdict(list)
    for one in _numbered(report.sections):
        if isinstance(one, Figure):
            words = f"Figure {one.number}, {one.facts.title}: the data drawn"
            found[one.facts.drawing(one.name, "csv")].append(words)
        elif one.href:
            found[one.href].append(f"Table {one.number}, {plain(one.title)}")
    return {href: "; ".join(dict.fromkeys(words)) for href, words in found.items()}


def attached_name(href: str) -> str:
    """Name a file as it is called in the PDF, where there are no folders.

    Stages and figures have no hyphen in their names, so no two files get the same one.

    >>> attached_name("tables/verdicts/sonar.csv"), attached_name("figures/sonar/hybrids.csv")
    ('table-verdicts-sonar.csv', 'figure-hybrids-sonar.csv')
    >>> attached_name("tables/map.csv")
    'table-map.csv'
    """
    kind, *folders = href.removesuffix(".csv").split("/")
    named = folders if kind == "tables" else reversed(folders)
    return "-".join([kind.removesuffix("s"), *named]) + ".csv"


def _numbered(value: object) -> Iterator[Figure | Table]:
    """Find the figures and tables in the values of a report, in order."""
    if isinstance(value, Figure | Table):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from _numbered(one)
    elif isinstance(value, Section | Values):
        for one in vars(value).values():
            yield from _numbered(one)
