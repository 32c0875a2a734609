"""Pictures in a page, and the letters in them.

Figures measure their words with DejaVu Sans, so the page has of it the letters that they use, under
a name of its own: a reader's own font of that name may be another version.
"""

import re
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterable, Sequence
from html import escape, unescape
from io import BytesIO
from pathlib import Path
from typing import Final
from urllib.parse import quote

import matplotlib

from costcurves.figures.style import VARIABLES, colour, dash

# What a data address in double quotes may hold as it is; the rest is percent-encoded.
LITERAL: Final = " '!$()*+,-./:;=?@[]^_`{|}~"
VIEW: Final = re.compile(r'viewBox="\S+ \S+ (\S+) (\S+)"')
TAG: Final = re.compile("<[^>]+>")
LOOK: Final = re.compile(r'style="([^"]*)"')
SIZE: Final = re.compile(r' (?:width|height)="[^"]*"| xmlns:xlink="[^"]*"| version="[^"]*"')
STYLE_ELEMENT: Final = re.compile(r"<style.*?</style>", re.DOTALL)
REFERENCE: Final = re.compile(r'( id="|url\(#| href="#)')
COLOUR: Final = re.compile("#[0-9a-f]{6}(?![0-9a-f])")
STROKE: Final = 2.0  # width of the line in a swatch, in CSS pixels
FAMILY: Final = "Figure"
FOLDER: Final = Path(matplotlib.get_data_path(), "fonts", "ttf")
FILES: Final = {"400": "DejaVuSans", "700": "DejaVuSans-Bold"}  # by weight
WORDS: Final = re.compile(r"<text([^>]*)>([^<]*)</text>")
WEIGHT: Final = re.compile(r"font-weight: ([0-9]+)")


class FigureElements:
    """Figures as elements of one page: ids begin with a panel's number, classes say all looks.

    Their rules follow those of the page, and are complete once every figure is written. The page's
    policy allows no style attributes; colours are variables, which a dark page changes.
    """

    def __init__(self, rules: Sequence[str] = ()) -> None:
        self._rules = rules
        self._count = 0
        self._classes: dict[str, str] = {}

    def inline(self, svg: str, alt: str) -> str:
        """Write a panel as an element with an alternative text."""
        self._count += 1
        lean = SIZE.sub("", STYLE_ELEMENT.sub("", svg), count=1)
        named = TAG.sub(self._tag, lean)
        return named.replace("<svg ", f'<svg role="img" aria-label="{escape(alt)}" ', 1)

    def _tag(self, tag: re.Match[str]) -> str:
        words = tag[0].replace("xlink:href", "href")
        words = LOOK.sub(lambda look: f'class="{self._class(look[1])}"', words)
        return REFERENCE.sub(rf"\1f{self._count}-", words)

    def _class(self, look: str) -> str:
        return self._classes.setdefault(look, f"l{len(self._classes)}")

    def style(self) -> str:
        """Write the page's rules, then those of all classes, in the order of their figures."""
        rules = "\n".join(f".{name}{{{look}}}" for look, name in self._classes.items())
        return "\n".join([*self._rules, COLOUR.sub(_variable, rules)])


def _variable(colour: re.Match[str]) -> str:
    name = VARIABLES.get(colour[0])
    return f"var(--figure-{name})" if name else colour[0]


def size_of(svg: str) -> tuple[str, str]:
    """Read the width and the height of a panel, in points."""
    width, height = VIEW.findall(svg)[0]
    return width, height


def paper_uri(svg: str) -> str:
    """Write a panel as a data address for the PDF; a text may begin with a space."""
    return data_uri(svg.replace("<svg ", '<svg xml:space="preserve" ', 1))


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
    size = 'width="28" height="8" viewBox="0 0 28 8"'
    return data_uri(f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{line}</svg>')


def letters(svgs: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Collect by weight the letters of SVGs by matplotlib whose words are text.

    >>> letters(['<text style="font-weight: 700">bab</text><text>c &lt;</text>'])
    (('400', ' <c'), ('700', 'ab'))
    """
    used: dict[str, set[str]] = defaultdict(set)
    for svg in svgs:
        for attributes, words in WORDS.findall(svg):
            weight = WEIGHT.search(attributes)
            used[weight[1] if weight else "400"].update(unescape(words))
    return tuple((weight, "".join(sorted(used[weight]))) for weight in sorted(used))


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
