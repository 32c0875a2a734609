"""Tables, figures and references of a page for LaTeX."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final
from unicodedata import normalize
from xml.etree.ElementTree import Element

from costcurves.archive.markup import LATEX, tex
from costcurves.archive.page import PageFigure, PageTable, text_of

ACROSS: Final = 100  # letters of a table's size on a line
NARROWEST: Final = 12  # letters of a column that is broken into lines
LONGEST: Final = 40  # rows of a table that is not broken into pages
AUTHORS: Final = re.compile(r"(.+) \(([0-9]{4})\)\. *(.*)")
BETWEEN: Final = re.compile(r"(?<=\.)(?:, | and )(?=\w)")
PLACE: Final = re.compile(r"(?:([0-9]+))?, ([0-9]+)\N{EN DASH}([0-9]+)\.")


def booktabs(one: PageTable) -> str:
    """Write a table with its heading and note, numbered as in the report.

    Columns that hold nothing but pictures are left out; text too long for a line is broken.
    """
    head, *_ = one.table.iterfind("thead/tr")
    titles = list(head)
    rows = [row for body in one.table.iterfind("tbody") for row in body.iterfind("tr")]
    whole = [row for row in rows if len(row) == len(titles)]
    shown = [any(text_of(row[place]) for row in whole) for place in range(len(titles))]
    kept = [place for place, told in enumerate(shown) if told]
    widths = [max(_length(row[place]) for row in [head, *whole]) for place in kept]
    kinds = "".join(_kinds([titles[place] for place in kept], widths))
    written = [r"\toprule", _row(head, shown, r"\textbf{%s}"), r"\midrule"]
    for row in rows:
        if row[0].get("scope") == "rowgroup":
            written.append(r"\addlinespace")
        written.append(_row(row, shown))
    written.append(r"\bottomrule")
    heading = LATEX.written(_without_number(one.table.find("caption")))
    note = [] if one.note is None else [LATEX.written(one.note)]
    named = rf"\caption{{{heading}}}\label{{tab:{one.number}}}"
    inside = "\n".join(written)
    size = [r"\footnotesize", r"\setlength{\tabcolsep}{3pt}"]
    if len(rows) > LONGEST:
        opened = ["{", *size, rf"\begin{{longtable}}{{{kinds}}}", rf"{named}\\"]
        return "\n".join([*opened, inside, r"\end{longtable}", *note, "}", ""])
    table = [rf"\begin{{tabular}}{{{kinds}}}", inside, r"\end{tabular}"]
    if sum(widths) > ACROSS and "p{" not in kinds:
        table = [r"\resizebox{\linewidth}{!}{%", *table, "}"]
    around = [r"\begin{table}[htbp]", r"\centering", named, *size]
    return "\n".join(
        [*around, *table, *([r"\par\smallskip"] * len(note)), *note, r"\end{table}", ""]
    )


def _kinds(columns: Sequence[Element], widths: Sequence[float]) -> Iterator[str]:
    """Choose how columns stand: numbers to the right, text in lines where all is too wide."""
    right = ["n" in column.get("class", "").split() for column in columns]
    long = [width for width, n in zip(widths, right, strict=True) if not n and width > NARROWEST]
    room = ACROSS - (sum(widths) - sum(long))
    breaks = sum(widths) > ACROSS and room > NARROWEST * len(long)
    for width, number in zip(widths, right, strict=True):
        if breaks and not number and width > NARROWEST:
            share = 0.9 * room / ACROSS * width / sum(long)
            yield rf">{{\raggedright\arraybackslash}}p{{{share:.3f}\linewidth}}"
        else:
            yield "r" if number else "l"


def _length(cell: Element) -> float:
    """Count the letters of a cell; small ones are narrower."""
    small = sum(len(text_of(part)) for part in cell.iterfind("span[@class='at']"))
    return len(text_of(cell)) - 0.25 * small


def _row(row: Element, shown: Sequence[bool], look: str = "%s") -> str:
    spans = [int(cell.get("colspan", "1")) for cell in row]
    ends = list(accumulate(spans))
    cells = []
    for cell, span, end in zip(row, spans, ends, strict=True):
        if kept := sum(shown[end - span : end]):
            said = look % LATEX.written(cell)
            cells.append(said if span == 1 else rf"\multicolumn{{{kept}}}{{l}}{{{said}}}")
    return " & ".join(cells) + r" \\"


def _without_number(caption: Element | None) -> Element:
    """Leave out what LaTeX counts itself: the first part, in bold."""
    told = Element("caption")
    if caption is not None:
        told.text = caption[0].tail
        told.extend(caption[1:])
    return told


def figure(one: PageFigure, file: str) -> str:
    """Write a figure of a file with its caption and alternative text."""
    caption = LATEX.written(_without_number(one.caption))
    return "\n".join(
        [
            r"\begin{figure}[htbp]",
            r"\centering",
            rf"\includegraphics[alt={{{tex(one.alt)}}}]{{{file}}}",
            rf"\caption{{{caption}}}\label{{fig:{one.number}}}",
            r"\end{figure}",
            "",
        ]
    )


def bibliography(references: Iterable[Element]) -> str:
    """Write the references as BibTeX."""
    entries = [_entry(one) for one in references]
    many = Counter(key for key, _, _ in entries)
    used: Counter[str] = Counter()
    written = []
    for key, kind, fields in entries:
        used[key] += 1
        letter = chr(ord("a") + used[key] - 1) if many[key] > 1 else ""
        told = "".join(f"  {name} = {{{text}}},\n" for name, text in fields.items() if text)
        written.append(f"@{kind}{{{key}{letter},\n{told}}}\n")
    return "\n".join(written)


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
