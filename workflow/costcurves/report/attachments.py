"""What the PDF lacks when laid out: attached data, scopes of headers; objects are pydyf's."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from costcurves.report import patterns
from costcurves.report.document import Figure, Report, Section, Table, Values
from costcurves.text import phrase, plain

NO_TIME: Final = datetime(1980, 1, 1)
CONFIGURATION: Final = "configuration.yaml"
MOST: Final = 10_000_000  # bytes of all files together; packed they take a fifth or less


@dataclass(frozen=True)
class Attachment:
    """A file: its name in the PDF, its address beside the report, what it is, and its bytes."""

    name: str
    href: str
    description: str
    content: bytes


def attachments(report: Report, folder: Path, most: int = MOST) -> tuple[Attachment, ...]:
    """Take the CSVs behind a report, by name, the largest left out beyond `most` bytes."""
    shown = described(report)
    sizes = sorted(((folder / href).stat().st_size, href) for href in shown)
    ends = accumulate(size for size, _ in sizes)
    small = [href for (_, href), end in zip(sizes, ends, strict=True) if end <= most]
    taken = [
        Attachment(attached_name(href), href, shown[href], (folder / href).read_bytes())
        for href in small
    ]
    taken += [
        Attachment(CONFIGURATION, CONFIGURATION, patterns.CONFIGURATION, written.encode())
        for one in report.sections
        if (written := getattr(one.content, "configuration", ""))
    ]
    return tuple(sorted(taken, key=lambda one: one.name))


def described(report: Report) -> dict[str, str]:
    """Say of each CSV behind tables and figures, by its relative address, what shows it."""
    found: dict[str, list[str]] = defaultdict(list)
    for one in _numbered(report.sections):
        if isinstance(one, Figure):
            words = phrase(patterns.FIGURE_DATA, number=f"{one.number}", dataset=one.facts.title)
            found[one.facts.drawing(one.name, "csv")].append(plain(words))
        elif one.href.endswith(".csv"):
            words = phrase(patterns.TABLE_DATA, number=f"{one.number}", title=one.title)
            found[one.href].append(plain(words))
    return {href: "; ".join(dict.fromkeys(words)) for href, words in found.items()}


def attached_name(href: str) -> str:
    """Name a file as in the PDF, without folders; names of stages and figures have no hyphen.

    >>> attached_name("tables/verdicts/sonar.csv"), attached_name("figures/sonar/hybrids.csv")
    ('table-verdicts-sonar.csv', 'figure-hybrids-sonar.csv')
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


def embedded(attachments: Sequence[Attachment]) -> list[Any]:
    """Make the files that WeasyPrint is to attach."""
    import weasyprint

    library: Any = weasyprint
    return [
        library.Attachment(
            file_obj=BytesIO(one.content),
            name=one.name,
            description=one.description,
            created=NO_TIME,
            modified=NO_TIME,
        )
        for one in attachments
    ]


def finish(_: object, pdf: Any) -> None:
    """Give a PDF what accessible tables and attached files need, when it is laid out.

    ISO 32000-1:2008, tables 44 to 46 (files), 349 (scopes); ISO 32000-2:2020, 14.13 (associated
    files); ISO 14289-1:2014, 7.5 (tables).
    """
    for header in _typed(pdf, "S", "/TH"):
        # In place of names, which a header that is repeated would repeat.
        group = _object(pdf, _object(pdf, header["P"])["P"])
        header["A"]["Scope"] = "/Column" if group["S"] == "/THead" else "/Row"
        header.pop("ID", None)
    for cell in _typed(pdf, "S", "/TD"):
        cell["A"].pop("Headers", None)
    files = list(_typed(pdf, "Type", "/Filespec"))
    for one in files:
        one["AFRelationship"] = "/Data"
        stream = _object(pdf, one["EF"]["F"])
        for date in ("CreationDate", "ModDate"):  # the same file has the same bytes at any time
            del stream.extra["Params"][date]
        if one["UF"].string == CONFIGURATION:  # systems and Pythons differ in what they call YAML
            stream.extra["Subtype"] = "/application#2fyaml"
    if files:
        pdf.catalog["AF"] = b"[" + b" ".join(one.reference for one in files) + b"]"


def _typed(pdf: Any, key: str, value: str) -> Iterator[Any]:
    return (one for one in pdf.objects if isinstance(one, dict) and one.get(key) == value)


def _object(pdf: Any, reference: bytes) -> Any:
    return pdf.objects[int(reference.split()[0])]
