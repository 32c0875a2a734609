"""Pictures in a page, and the letters in them.

Figures measure their words with DejaVu Sans, so the page has of it the letters that they use, under
a name of its own: a reader's own font of that name may be another version.
"""

import re
import unicodedata
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterable, Sequence
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Final
from urllib.parse import quote
from xml.etree.ElementTree import Element

import matplotlib
from markupsafe import Markup

from costcurves.figures.style import colour, dash
from costcurves.report.document import Drawing, Picture, Values
from costcurves.report.lean import LOOK, NOT_XML, lean, written

# What a data address in double quotes may hold as it is; the rest is percent-encoded.
LITERAL: Final = " '!$()*+,-./:;=?@[]^_`{|}~"
NAMESPACE: Final = "http://www.w3.org/2000/svg"
LEAST: Final = 16  # characters of attributes from which on a class is shorter
UNITS: Final = {"font-size": "px"}  # that a style needs, and an attribute does not
STROKE: Final = 2.0  # width of the line in a swatch, in CSS pixels
ALONG, ACROSS = 200, 12  # size of a strip, which pages stretch
GROUND: Final = "#d4d4d4"
FAMILY: Final = "Figure"
FOLDER: Final = Path(matplotlib.get_data_path(), "fonts", "ttf")
FILES: Final = {"400": "DejaVuSans", "700": "DejaVuSans-Bold"}  # by weight
WORDS: Final = re.compile(r"<text([^>]*)>([^<]*)</text>")
WEIGHT: Final = re.compile(r"font-weight: ([0-9]+)")


FULL, LIGHT, LINE = "full", "light", "line"  # how a part of a strip is drawn


class FigureStyles:
    """The styles that a page's figures share: classes, numbered as they are met."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def share(self, root: Element) -> None:
        """Replace the styles of all that is in a drawing by classes where that is shorter."""
        for one in root.iterfind(".//*"):
            # A reference is its figure's own.
            own = [name for name in LOOK if "url(" not in one.get(name, "url(")]
            look = {name: one.attrib[name] for name in own}
            if sum(len(name) + len(value) + 4 for name, value in look.items()) >= LEAST:
                for name in look:
                    del one.attrib[name]
                units = {name: f"{value}{UNITS.get(name, '')}" for name, value in look.items()}
                rule = ";".join(f"{name}:{value}" for name, value in units.items())
                one.set("class", self._names.setdefault(rule, f"l{len(self._names)}"))

    def style(self) -> str:
        """Write the rules of all classes, in the order in which they were met."""
        return "\n".join(f".{name}{{{rule}}}" for rule, name in self._names.items())


def picture(drawing: Drawing, alt: str) -> Picture:
    """Take a figure as a picture of the size that its SVG gives itself: a `viewBox` in points."""
    found = re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', drawing.text)
    if found is None:
        raise ValueError("expected an SVG with a viewBox, found none")
    width, height = (round(float(size) * 4 / 3) for size in found.groups())
    return Picture(drawing, width, height, alt)


def inline(figure: Picture, place: str, styles: FigureStyles | None = None) -> Markup:
    """Write a figure as an element of a page, ids from `place` on; `styles` collects its looks."""
    root = lean(figure.drawing.text, f"{place}/")
    del root.attrib["font-family"]  # the page's style has it
    if styles is not None:
        styles.share(root)
    size = {"width": str(figure.width), "height": str(figure.height)}
    root.attrib.update(size, role="img", **{"aria-label": figure.alt})
    return Markup(written(root))  # noqa: S704 - an XML writer escaped it


def paper_uri(figure: Picture) -> str:
    """Write a figure as a data address for the PDF.

    WeasyPrint places letters one by one, from left to right; where words need more, outlines stay.
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
    """Write an SVG as a data address that may stand in double quotes."""
    shorter = svg if "'" in svg else svg.replace('"', "'")
    return f"data:image/svg+xml,{quote(shorter, safe=LITERAL)}"


def swatch(index: int) -> str:
    """Draw a piece of a model's line as figures draw it: a data address."""
    offset, pattern = dash(index)
    dashes = " ".join(f"{STROKE * length:g}" for length in pattern or ())
    dashed = (
        f' stroke-dasharray="{dashes}" stroke-dashoffset="{STROKE * offset:g}"' if dashes else ""
    )
    line = f'<path d="M1 4h26" stroke="{colour(index)}" stroke-width="{STROKE:g}"{dashed}/>'
    return data_uri(_svg(28, 8, line))


def strip(parts: Iterable[tuple[float, float, str, bool]], colour: str, alt: str) -> Values:
    """Draw parts of PC(+) (from, to, how, and whether narrow) as a strip in a colour."""
    drawn = []
    for low, high, shade, narrow in parts:
        tall = 1.0 if shade == LINE else ACROSS / 2 if narrow else ACROSS
        light = ' fill-opacity=".35"' if shade == LIGHT else ""
        left, wide, top = ALONG * low, ALONG * (high - low), (ACROSS - tall) / 2
        drawn.append(
            f'<path fill="{GROUND if shade == LINE else colour}"{light} '
            f'd="M{left:.2f} {top:g}h{wide:.2f}v{tall:g}h{-wide:.2f}z"/>'
        )
    svg = _svg(
        ALONG, ACROSS, "".join(drawn), ' preserveAspectRatio="none" shape-rendering="crispEdges"'
    )
    return Values(uri=data_uri(svg), width=ALONG, height=ACROSS, alt=alt)


def _svg(width: int, height: int, inside: str, attributes: str = "") -> str:
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}{attributes}>{inside}</svg>'


def letters(svgs: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Collect by weight the letters of SVGs by matplotlib whose words are text.

    >>> letters(['<text style="font-weight: 700">bab</text><text>c &lt;</text>'])
    (('400', ' <c'), ('700', 'ab'))
    """
    found: dict[str, set[str]] = defaultdict(set)
    for attributes, words in (one for svg in svgs for one in WORDS.findall(svg)):
        weight = WEIGHT.search(attributes)
        found[weight[1] if weight else "400"].update(unescape(NOT_XML.sub("\ufffd", words)))
    return tuple((weight, "".join(sorted(found[weight]))) for weight in sorted(found))


def faces(letters: Sequence[tuple[str, str]]) -> list[str]:
    """Write the rules of a style by which a page has the font: a rule a weight."""
    return [
        f"@font-face {{ font-family: {FAMILY}; font-weight: {weight}; "
        f'src: url("data:font/woff2;base64,{b64encode(_subset(weight, used)).decode()}") }}'
        for weight, used in letters
        if used
    ]


def _subset(weight: str, used: str) -> bytes:
    """Make a WOFF2 file of some letters, with all that joins and moves them."""
    from fontTools import subset  # takes a fifth of a second
    from fontTools.ttLib import TTFont

    options = subset.Options(hinting=False, name_IDs=[], notdef_outline=True)
    options.drop_tables += ["FFTM"]  # when the font was made
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=used)
    file = BytesIO()
    with TTFont(FOLDER / f"{FILES[weight]}.ttf", recalcTimestamp=False, lazy=True) as font:
        subsetter.subset(font)
        font.flavor = "woff2"
        font.save(file)
    return file.getvalue()
