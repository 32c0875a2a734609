"""What a bundle takes from a report's page: its words are said there, and only there."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final
from xml.etree.ElementTree import Element

import tinyhtml5

TABLE: Final = re.compile(r"Table ([0-9]+)\.")


@dataclass(frozen=True)
class PageTable:
    """A table with its heading, and the note beneath it."""

    number: int
    table: Element
    note: Element | None


@dataclass(frozen=True)
class PageFigure:
    """A figure: its caption, its words for whoever can't see it, and where its files are."""

    number: int
    caption: Element
    alt: str
    stem: str  # in the folder of figures, without an ending


@dataclass(frozen=True)
class Page:
    """The parts of a page that are told again elsewhere."""

    title: str
    datasets: tuple[tuple[str, str], ...]  # title, and what is said of its size
    methods: Element
    tables: tuple[PageTable, ...]
    figures: tuple[PageFigure, ...]
    references: tuple[Element, ...]


def read_page(html: str) -> Page:
    """Read a report's page."""
    root = tinyhtml5.parse(html, namespace_html_elements=False)
    places = {f"#{one.get('id')}": one for one in root.iter() if one.get("id")}
    for link in root.iterfind(".//a[@class='like']"):  # the number of the table that it is read as
        first = next(places[link.get("href", "")].iter("table"), None)
        if first is None:
            link.set("class", "elsewhere")
        else:
            link.set("href", str(first.get("id")).removeprefix("table-"))
    return Page(
        title=text_of(_first(root, ".//h1")),
        datasets=tuple(
            (
                text_of(places[f"#{one.get('id')}/title"]),
                text_of(_first(one, "p[@class='note sizes']")),
            )
            for one in root.iterfind(".//section[@class='dataset']")
        ),
        methods=_first(root, ".//section[@id='methods']"),
        tables=tuple(sorted(_tables(root), key=lambda one: one.number)),
        figures=tuple(map(_figure, root.iterfind(".//figure[@id]"))),
        references=tuple(root.iterfind(".//ul[@class='papers']/li")),
    )


def text_of(element: Element) -> str:
    """Give the words of an element, without pictures."""
    return " ".join("".join(element.itertext()).split())


def _first(root: Element, path: str) -> Element:
    found = root.find(path)
    if found is None:
        raise ValueError(f"expected {path} in the page, found none")
    return found


def _tables(root: Element) -> Iterator[PageTable]:
    """Find tables with a number; a note stands right behind what scrolls."""
    for parent in root.iter():
        for one, after in pairwise([*parent, Element("end")]):
            table = one.find("table") if one.get("class") == "scroll" else None
            heading = table.find("caption") if table is not None else None
            if table is None or heading is None:
                continue
            if number := TABLE.match(text_of(heading)):
                noted = after.tag == "p" and after.get("class") == "note"
                yield PageTable(int(number[1]), table, after if noted else None)


def _figure(figure: Element) -> PageFigure:
    data = _first(figure, ".//p[@class='files']/a").get("href", "")
    return PageFigure(
        number=int(str(figure.get("id")).removeprefix("figure-")),
        caption=_first(figure, "figcaption/p"),
        alt=_first(figure, ".//*[@aria-label]").get("aria-label", ""),
        stem=data.removeprefix("figures/").rsplit(".", 1)[0],
    )
