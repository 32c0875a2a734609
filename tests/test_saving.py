"""A figure's files show the same picture."""

import re
from html import escape
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pikepdf
from matplotlib.figure import Figure

from costcurves.figures import style, together

WORDS = "Äé ffi (x) \N{MINUS SIGN}1"


def made(words: str = WORDS) -> together.Written:
    with style.house_style():
        figure = Figure(figsize=(3, 2))
        figure.text(0.5, 0.5, words, ha="center")
        return together.written(figure)


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
