"""The font of the page's figures: only the letters that they use, as part of the page.

Figures measure their words with DejaVu Sans, so a page that draws them with another font would put
words on lines. A reader's own font of that name may be another version: the page's has a name of
its own.
"""

from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element

import matplotlib

from costcurves.report.lean import lean

FAMILY: Final = "Figure"
FOLDER: Final = Path(matplotlib.get_data_path(), "fonts", "ttf")
FILES: Final = {"400": "DejaVuSans", "700": "DejaVuSans-Bold"}  # by weight

Letters = Sequence[tuple[str, str]]  # each weight, and the letters of it that are used, in order


def letters(svgs: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Collect the letters of figures by their weight.

    Parameters
    ----------
    svgs
        Figures whose words are text.

    Examples
    --------
    >>> letters(['<svg><g font-weight="700"><text>bab</text></g><text>c</text></svg>'])
    (('400', 'c'), ('700', 'ab'))
    """
    found: dict[str, set[str]] = defaultdict(set)
    for svg in svgs:
        _collect(lean(svg), "400", found)
    return tuple((weight, "".join(sorted(found[weight]))) for weight in sorted(found))


def _collect(element: Element, weight: str, found: dict[str, set[str]]) -> None:
    weight = element.get("font-weight", weight)
    found[weight].update(element.text or "")
    for inner in element:
        _collect(inner, weight, found)


def faces(letters: Letters) -> list[str]:
    """Write the rules of a style by which a page has the font: a rule a weight.

    Parameters
    ----------
    letters
        What is drawn with it.
    """
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
