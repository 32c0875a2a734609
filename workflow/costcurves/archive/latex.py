"""Tables, figures and references of a page for LaTeX."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final
from unicodedata import normalize
from xml.etree.ElementTree import Element

from costcurves.archive.markup import LATEX, tex
from costcurves.archive.page import PageFigure, PageTable, text_of
from costcurves.archive.records import TEMPLATES

Citations = Callable[[str], str]

ACROSS: Final = 100  # letters of a table's size on a line
NARROWEST: Final = 12  # letters of a column that is broken into lines
STRIP: Final = 26  # letters as wide as a strip
LONGEST: Final = 40  # rows of a table that is not broken into pages
AUTHORS: Final = re.compile(r"(.+) \(([0-9]{4})\)\. *(.*)")
BETWEEN: Final = re.compile(r"(?<=\.)(?:, | and )(?=\w)")
PLACE: Final = re.compile(r"(?:([0-9]+))?, ([0-9]+)\N{EN DASH}([0-9]+)\.")


def booktabs(one: PageTable, cited: Citations) -> str:
    """Write a table with its heading and note, numbered as in the report.

    Text too long for a line is broken, and numbers with it where that is not enough.
    """
    head, *_ = one.table.iterfind("thead/tr")
    rows = [row for body in one.table.iterfind("tbody") for row in body.iterfind("tr")]
    whole = [row for row in [head, *rows] if len(row) == len(head)]
    widths = [max(map(_length, column)) for column in zip(*whole, strict=True)]
    kinds = "".join(_kinds(head, widths))
    written = [r"\toprule", _row(head, r"\textbf{%s}"), r"\midrule"]
    for row in rows:
        if row[0].get("scope") == "rowgroup":
            written.append(r"\addlinespace")
        written.append(_row(row))
    inside = cited("\n".join([*written, r"\bottomrule"]))
    return TEMPLATES.get_template("table.tex.j2").render(
        number=one.number,
        heading=cited(LATEX.written(_without_number(one.table.find("caption")))),
        note="" if one.note is None else cited(LATEX.written(one.note)),
        kinds=kinds,
        inside=inside,
        long=len(rows) > LONGEST,
        wide=sum(widths) > ACROSS and "p{" not in kinds,
    )


def _kinds(columns: Iterable[Element], widths: Sequence[int]) -> Iterator[str]:
    """Choose how columns stand: numbers to the right, in lines where all is too wide."""
    right = ["n" in column.get("class", "").split() for column in columns]
    for kinds in (False,), (False, True):  # what is broken
        broken = [
            width * (width > NARROWEST and number in kinds)
            for width, number in zip(widths, right, strict=True)
        ]
        room = ACROSS - sum(widths) + sum(broken)
        if breaks := sum(widths) > ACROSS and room > NARROWEST * sum(map(bool, broken)):
            break
    for width, number in zip(broken, right, strict=True):
        if breaks and width:
            share = 0.9 * room / ACROSS * width / sum(broken)
            ragged = r"\raggedleft" if number else r"\raggedright"
            yield rf">{{{ragged}\arraybackslash}}p{{{share:.3f}\linewidth}}"
        else:
            yield "r" if number else "l"


def _length(cell: Element) -> int:
    """Count the letters of a cell; a strip is as wide as some."""
    return len(text_of(cell)) + STRIP * sum(1 for _ in cell.iterfind(".//img[@class='strip']"))


def _row(row: Element, look: str = "%s") -> str:
    cells = []
    for cell in row:
        said, span = look % LATEX.written(cell), cell.get("colspan")
        cells.append(said if span is None else rf"\multicolumn{{{span}}}{{l}}{{{said}}}")
    return " & ".join(cells) + r" \\"


def _without_number(caption: Element | None) -> Element:
    """Leave out what LaTeX counts itself: the first part, in bold."""
    told = Element("caption")
    if caption is not None:
        told.text = caption[0].tail
        told.extend(caption[1:])
    return told


def figure(one: PageFigure, width: int, cited: Citations) -> str:
    """Write a figure, so many mm wide, with its caption and alternative text."""
    caption = cited(LATEX.written(_without_number(one.caption)))
    told = {"one": one, "alt": tex(one.alt), "caption": caption, "width": width}
    return TEMPLATES.get_template("figure.tex.j2").render(told)


def bibliography(references: Iterable[Element]) -> tuple[str, Citations]:
    """Write the references as BibTeX, and give what makes names and years in LaTeX cite them."""
    entries = [_entry(one) for one in references]
    many = Counter(key for key, _, _ in entries)
    used: Counter[str] = Counter()
    written, said = [], {}
    for key, kind, fields in entries:
        used[key] += 1
        letter = chr(ord("a") + used[key] - 1) if many[key] > 1 else ""
        told = "".join(f"  {name} = {{{text}}},\n" for name, text in fields.items() if text)
        written.append(f"@{kind}{{{key}{letter},\n{told}}}\n")
        *first, last = [it.split(",")[0] for it in fields["author"].split(" and ")]
        names = " and ".join([", ".join(first), last] if first else [last])
        said[f"{names} {fields['year']}"] = rf"\citealp{{{key}{letter}}}"
        said[f"{names} ({fields['year']})"] = rf"\citet{{{key}{letter}}}"
        possessive = f"{names}\N{RIGHT SINGLE QUOTATION MARK}s ({fields['year']})"
        said[possessive] = rf"\citeauthor{{{key}{letter}}}'s (\citeyear{{{key}{letter}}})"
    longest = sorted(map(re.escape, said), key=len, reverse=True)  # "A and B 2000" before "B 2000"
    found = re.compile(rf"\b(?:{'|'.join(longest)})")
    return "\n".join(written), lambda text: found.sub(lambda it: said[it[0]], text)


def _entry(one: Element) -> tuple[str, str, dict[str, str]]:
    """Read a reference: authors (year). Title. Journal volume, pages. Where it is found."""
    begin = AUTHORS.match(" ".join((one.text or "").split()))
    if begin is None:
        raise ValueError(f"expected authors and a year, found {text_of(one)!r}")
    names, year, title = begin.groups()
    source = one.find("i")
    place = "" if source is None else " ".join((source.tail or "").split())
    link = one.find("a")
    found = text_of(link) if link is not None else ""
    fields = {
        "author": tex(BETWEEN.sub(" and ", names)),
        "year": year,
        "title": f"{{{tex(title.rstrip('.'))}}}",
        "doi": found.removeprefix("doi:") if found.startswith("doi:") else "",
        "note": tex(found) if found.startswith("arXiv:") else "",
    }
    key = re.sub("[^a-z]", "", normalize("NFKD", names.split(",")[0].lower())) + year
    if source is None:
        return key, "misc", fields
    if not title:
        return key, "book", {**fields, "title": tex(text_of(source)), "publisher": tex(place[2:-1])}
    where = PLACE.match(place)
    volume, first, last = where.groups() if where else ("", "", "")
    held = "booktitle" if text_of(source).startswith("Proceedings") else "journal"
    fields |= {held: tex(text_of(source)), "volume": volume or ""}
    fields["pages"] = f"{first}--{last}" if first else ""
    return key, "inproceedings" if held == "booktitle" else "article", fields
