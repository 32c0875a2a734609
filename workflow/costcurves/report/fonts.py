"""The font of the page's figures: only the letters that they use, as part of the page.

Figures measure their words with DejaVu Sans, so a page that draws them with another font would put
words on lines. A reader's own font of that name may be another version: the page's has a name of
its own.
"""

import re
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterable, Sequence
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Final

import matplotlib

from costcurves.report.lean import NOT_XML

FAMILY: Final = "Figure"
FOLDER: Final = Path(matplotlib.get_data_path(), "fonts", "ttf")
FILES: Final = {"400": "DejaVuSans", "700": "DejaVuSans-Bold"}  # by weight

WORDS: Final = re.compile(r"<text([^>]*)>([^<]*)</text>")
WEIGHT: Final = re.compile(r"font-weight: ([0-9]+)")

Letters = Sequence[tuple[str, str]]  # each weight, and the letters of it that are used, in order


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


def faces(letters: Letters) -> list[str]:
    """Write the rules of a style by which a page has the font: a rule a weight."""
    return [
        f"@font-face {{ font-family: {FAMILY}; font-weight: {weight}; "
        f'src: url("data:font/woff2;base64,{b64encode(_subset(weight, used)).decode()}") }}'
        for weight, used in letters
        if used
    ]


def _subset(weight: str, used: str) -> bytes:
    """Make a WOFF2 file of some letters; the same letters give the same bytes.

    What joins and moves letters (ligatures, kerning, the forms of Arabic) stays. Letters that the
    font lacks are left to the reader's fonts.
    """
    from fontTools import subset  # takes a fifth of a second
    from fontTools.ttLib import TTFont

    font = TTFont(FOLDER / f"{FILES[weight]}.ttf", recalcTimestamp=False)
    options = subset.Options(hinting=False, name_IDs=[], notdef_outline=True)
    options.drop_tables += ["FFTM"]  # when the font was made
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=used)
    subsetter.subset(font)
    font.flavor = "woff2"
    file = BytesIO()
    font.save(file)
    return file.getvalue()
