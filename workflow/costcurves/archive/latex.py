"""Tables, figures and references of a page for LaTeX."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final
from unicodedata import normalize
from xml.etree.ElementTree import Element

from costcurves.archive.markup import LATEX, tex
from costcurves.archive.page import PageFigure, PageTable, text_of

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
    heading = cited(LATEX.written(_without_number(one.table.find("caption"))))
    said = "" if one.note is None else cited(LATEX.written(one.note))
    note = [rf"\par\smallskip\raggedright {said}\par"] if said else []
    named = rf"\caption{{{heading}}}\label{{tab:{one.number}}}"
    size = [r"\footnotesize\setlength{\tabcolsep}{3pt}\renewcommand{\arraystretch}{1.2}"]
    if len(rows) > LONGEST:
        opened = ["{", *size, rf"\begin{{longtable}}{{{kinds}}}", rf"{named}\\"]
        return "\n".join([*opened, inside, r"\end{longtable}", *note, "}", ""])
    table = [rf"\begin{{tabular}}{{{kinds}}}", inside, r"\end{tabular}"]
    if sum(widths) > ACROSS and "p{" not in kinds:
        table = [r"\resizebox{\linewidth}{!}{%", *table, "}"]
    around = [r"\begin{table}[htbp]", r"\centering", named, *size]
    return "\n".join([*around, *table, *note, r"\end{table}", ""])


def _kinds(columns: Iterable[Element], widths: Sequence[int]) -> Iterator[str]:
    """Choose how columns stand: numbers to the right, in lines where all is too wide."""
    right = ["n" in column.get("class", "").split() for column in columns]
    wide = [width > NARROWEST for width in widths]
    for broken in ([it and not n for it, n in zip(wide, right, strict=True)], wide):
        long = sum(width for width, lines in zip(widths, broken, strict=True) if lines)
        room = ACROSS - (sum(widths) - long)
        if breaks := sum(widths) > ACROSS and room > NARROWEST * sum(broken):
            break
    for width, number, lines in zip(widths, right, broken, strict=True):
        if breaks and lines:
            share = 0.9 * room / ACROSS * width / long
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


def figure(one: PageFigure, file: str, cited: Citations) -> str:
    """Write a figure of a file with its caption and alternative text."""
    caption = cited(LATEX.written(_without_number(one.caption)))
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
