"""A figure's files show the same picture, and the PDF carries what it needs of its fonts."""

import re
from collections.abc import Iterator
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pikepdf
import pytest
from fontTools.ttLib import TTFont
from matplotlib.figure import Figure

from costcurves.figures import style, together
from costcurves.figures.embedding import NEEDED

WORDS = "Äé ffi (x) \N{MINUS SIGN}1"
WHOLE = Path(mpl.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf")


def made(words: str = WORDS) -> together.Written:
    with style.house_style():
        figure = Figure(figsize=(3, 2))
        figure.text(0.5, 0.5, words, ha="center")
        return together.written(figure)


@pytest.fixture(scope="module")
def carried() -> list[TTFont]:
    """The fonts in a PDF."""
    with pikepdf.open(BytesIO(made().pdf)) as pdf:
        return [TTFont(BytesIO(file)) for file in font_files(pdf)]


def font_files(pdf: Any) -> Iterator[bytes]:
    for one in pdf.objects:
        if isinstance(one, pikepdf.Dictionary) and "/FontFile2" in one:
            yield one["/FontFile2"].read_bytes()


def outlines(font: Any, glyph: int) -> list[tuple[int, int]]:
    places, _, _ = font["glyf"][font.getGlyphName(glyph)].getCoordinates(font["glyf"])
    return [(x, y) for x, y in places]


def test_a_pdf_has_the_outlines_and_widths_of_its_letters_and_of_no_others(
    carried: list[Any],
) -> None:
    whole: Any = TTFont(WHOLE)
    letters = {whole.getGlyphID(whole.getBestCmap()[ord(one)]) for one in WORDS.replace("ffi", "")}
    drawn = {glyph for font in carried for glyph in range(1, 6000) if outlines(font, glyph)}
    assert {one for one in letters if outlines(whole, one)} <= drawn
    assert len(drawn) < 25, "the letters, what they are put together from, and a ligature"
    for font in carried:
        assert {*font.keys()} - {"GlyphOrder"} == {*NEEDED}
        for glyph in drawn:
            if outlines(font, glyph):
                name, same = font.getGlyphName(glyph), whole.getGlyphName(glyph)
                assert outlines(font, glyph) == outlines(whole, glyph)
                assert font["hmtx"][name] == whole["hmtx"][same]


def test_a_pdf_and_an_svg_have_words_at_the_same_place() -> None:
    with pikepdf.open(BytesIO(made("words").pdf)) as pdf:
        steps = pikepdf.parse_content_stream(pdf.pages[0])
    moved = [[float(it) for it in one.operands] for one in steps if str(one.operator) == "cm"]
    svg = made("words").outlines
    x, y = (float(it) for it in svg.split("translate(")[1].split(")")[0].split())
    assert np.allclose(moved[-1][4:], [x, 144 - y], atol=1e-3)


def test_every_line_of_words_has_its_outlines_whatever_it_looks_like() -> None:
    lines = ("<text x='1'>a</text>", "", "/>", "end")
    words, outlined, _ = made("\n".join(lines))
    assert words.count("<text ") == len(lines)
    assert re.findall("<!-- (.*?) -->", outlined) == [escape(one, quote=False) for one in lines]
    assert "<text" not in outlined
    ElementTree.fromstring(outlined)
