"""Figures in a page: elements of it on a screen, addresses of data on paper; nothing is asked for.

Both begin with the SVG that has its words as text (`figures.saving.save`), and both are `lean`.
"""

import re
import unicodedata
from typing import Final
from urllib.parse import quote

from markupsafe import Markup

from costcurves.report.document import Drawing, Picture
from costcurves.report.figure_styles import FigureStyles
from costcurves.report.lean import lean, written

# What a data address in double quotes may hold as it is; the rest is percent-encoded.
LITERAL: Final = " '!$()*+,-./:;=?@[]^_`{|}~"
NAMESPACE: Final = "http://www.w3.org/2000/svg"


def picture(drawing: Drawing, alt: str) -> Picture:
    """Take a figure as a picture of the size that its SVG gives itself: a `viewBox` in points."""
    found = re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', drawing.text)
    if found is None:
        raise ValueError("expected an SVG with a viewBox, found none")
    width, height = (round(float(size) * 4 / 3) for size in found.groups())
    return Picture(drawing, width, height, alt)


def inline(figure: Picture, place: str, styles: FigureStyles | None = None) -> Markup:
    """Write a figure as an element of a page, with its words as text.

    Its ids begin with `place`, unlike any other's. `styles` is where its page collects what the
    elements of figures look like; None: they say it.
    """
    root = lean(figure.drawing.text, f"{place}/")
    del root.attrib["font-family"]  # the page's style has it
    if styles is not None:
        styles.share(root)
    size = {"width": str(figure.width), "height": str(figure.height)}
    root.attrib.update(size, role="img", **{"aria-label": figure.alt})
    return Markup(written(root))  # noqa: S704 - an XML writer escaped it


def paper_uri(figure: Picture) -> str:
    """Write a figure as a data address for the PDF.

    WeasyPrint places the letters of a text one by one, from left to right. So a figure with words
    of another direction, or with letters that are put together, keeps its outlines.
    """
    drawing = figure.drawing
    root = lean(drawing.text if _one_by_one(drawing.text) else drawing.outlines)
    root.set("xmlns", NAMESPACE)
    root.set("xml:space", "preserve")  # a text may begin with the space after another one
    return data_uri(written(root))


def _one_by_one(words: str) -> bool:
    """Say whether letters stand side by side from left to right, each by itself.

    >>> _one_by_one("Naïve Bayes"), _one_by_one("\u05d0"), _one_by_one("e\u0301")
    (True, False, False)
    """
    later = {letter for letter in words if letter > "\u02ff"}
    return not any(
        unicodedata.bidirectional(letter) in ("R", "AL", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI")
        or unicodedata.combining(letter)
        or unicodedata.category(letter) in ("Mn", "Mc", "Me")
        for letter in later
    )


def data_uri(svg: str) -> str:
    """Write an SVG as a data address that may stand in double quotes.

    >>> data_uri('<svg fill="#fff"/>')
    "data:image/svg+xml,%3Csvg fill='%23fff'/%3E"
    """
    shorter = svg if "'" in svg else svg.replace('"', "'")
    return f"data:image/svg+xml,{quote(shorter, safe=LITERAL)}"
