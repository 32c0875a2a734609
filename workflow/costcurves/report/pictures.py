"""Pictures in a page, and the letters in them.

Figures measure their words with DejaVu Sans, so the page has of it the letters that they use, under
a name of its own: a reader's own font of that name may be another version.
"""

import re
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Final
from urllib.parse import quote
from xml.etree.ElementTree import Element, fromstring, tostring

import matplotlib

from costcurves.figures.style import colour, dash
from costcurves.report.document import Drawing, Picture, Values

# What a data address in double quotes may hold as it is; the rest is percent-encoded.
LITERAL: Final = " '!$()*+,-./:;=?@[]^_`{|}~"
TAGS: Final = ("pc", "ratio", "share")  # of `figures.sheet`
REFERENCE: Final = re.compile(r"(?<=#)[a-z][0-9a-f]{10}\b")  # to an id of matplotlib's
PLACES: Final = ("d", "x", "y", "transform")
NUMBER: Final = re.compile(r"-?[0-9]+\.[0-9]+")
COMMAND: Final = re.compile(r"\s*([A-Za-z])\s*")  # of a path
STROKE: Final = 2.0  # width of the line in a swatch, in CSS pixels
ALONG, ACROSS = 200, 12  # size of a strip, which pages stretch
GROUND: Final = "#d4d4d4"
FAMILY: Final = "Figure"
FOLDER: Final = Path(matplotlib.get_data_path(), "fonts", "ttf")
FILES: Final = {"400": "DejaVuSans", "700": "DejaVuSans-Bold"}  # by weight
WORDS: Final = re.compile(r"<text([^>]*)>([^<]*)</text>")
WEIGHT: Final = re.compile(r"font-weight: ([0-9]+)")


FULL, LIGHT, LINE = "full", "light", "line"  # how a part of a strip is drawn


class FigureElements:
    """Figures as elements of one page: ids begin with a figure's number, classes say all looks.

    The page's policy allows no style attributes.
    """

    def __init__(self) -> None:
        self._count = 0
        self._classes: dict[str, str] = {}

    def inline(self, figure: Picture) -> str:
        """Write a figure as an element, rounded, and without groups that say nothing."""
        self._count += 1
        root = fromstring(figure.drawing.text)  # noqa: S314 - matplotlib wrote it
        for one in reversed([*root.iter()]):  # after what is in it
            one.tag, one.attrib, one.tail = _local(one.tag), dict(self._attributes(one)), None
            one.text = one.text if one.tag == "text" else None
            one[:] = [it for inner in one for it in _seen(inner)]
        size = {"width": str(figure.width), "height": str(figure.height)}
        root.attrib.update(size, role="img", **{"aria-label": figure.drawing.alt})
        return tostring(root, encoding="unicode").replace(" />", "/>")

    def style(self) -> str:
        """Write the rules of all classes, in the order in which they were met."""
        return "\n".join(f".{name}{{{look}}}" for look, name in self._classes.items())

    def _attributes(self, element: Element) -> Iterator[tuple[str, str]]:
        own = f"f{self._count}-"
        for full, given in element.attrib.items():
            name, value = _local(full), REFERENCE.sub(rf"{own}\g<0>", given)
            if name == "style":
                yield "class", self._classes.setdefault(value, f"l{len(self._classes)}")
            elif name in ("id", "class") and _local(element.tag) == "g":
                yield from _tags(value)
            elif name == "id":
                yield name, own + value
            elif name not in PLACES:
                yield name, value
            elif not value.startswith("rotate(-0 "):
                yield name, COMMAND.sub(r"\1", NUMBER.sub(_rounded, value)).strip()


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _seen(element: Element) -> list[Element]:
    """Leave out what draws nothing; a group that says nothing leaves what it holds."""
    if element.tag in ("metadata", "style"):
        return []
    return [*element] if element.tag == "g" and not element.attrib else [element]


def _tags(words: str) -> Iterator[tuple[str, str]]:
    """Write what figures tag as attributes of data.

    >>> dict(_tags("line2d_1 model-0 pc-2 pc-3 share:"))
    {'data-pc': '2 3', 'data-share': ''}
    """
    for kind in TAGS:
        if found := re.findall(rf"(?<!\S){kind}[-:](\S*)", words):
            yield f"data-{kind}", " ".join(found)


def _rounded(number: "re.Match[str]") -> str:
    """Round to tenths of a point, a 7.5th of a CSS pixel; what is small, as markers, to hundredths.

    >>> NUMBER.sub(_rounded, "M 471.648 -9.995 L 10.04 0.126")
    'M 471.6 -9.99 L 10 0.13'
    """
    value = float(number[0])
    return f"{round(value, 1 if abs(value) >= 10 else 2):g}"


def picture(drawing: Drawing) -> Picture:
    """Take a figure as a picture of the size that its SVG gives itself: a `viewBox` in points."""
    found = re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', drawing.text)
    if found is None:
        raise ValueError("expected an SVG with a viewBox, found none")
    width, height = (round(float(size) * 4 / 3) for size in found.groups())
    return Picture(drawing, width, height)


def paper_uri(figure: Picture) -> str:
    """Write a figure as a data address for the PDF."""
    # A text may begin with the space after another one.
    return data_uri(figure.drawing.paper.replace("<svg ", '<svg xml:space="preserve" ', 1))


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
        found[weight[1] if weight else "400"].update(unescape(words))
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
