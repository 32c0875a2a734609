"""A figure's files show the same picture."""

import re
from html import escape
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pikepdf
from matplotlib.figure import Figure

from costcurves.figures import saving, style


def made(*words: str) -> tuple[list[tuple[str, str]], list[bytes]]:
    """Figures of 3, 4 and so on by 2 inches with some words, as SVG and as PDF."""
    with style.house_style():
        writer, written = saving.Writer(), []
        for width, text in enumerate(words, start=3):
            figure = Figure(figsize=(width, 2))
            figure.text(0.5, 0.5, text, ha="center", weight="bold" if width > 3 else "normal")
            written.append(writer.written(figure))
        return written, list(writer.pages())


def test_a_pdf_and_an_svg_have_words_at_the_same_place() -> None:
    ((_, outlines),), (pdf,) = made("words")
    with pikepdf.open(BytesIO(pdf)) as file:
        steps = pikepdf.parse_content_stream(file.pages[0])
    moved = [[float(it) for it in one.operands] for one in steps if str(one.operator) == "cm"]
    x, y = (float(it) for it in outlines.split("translate(")[1].split(")")[0].split())
    assert np.allclose(moved[-1][4:], [x, 144 - y], atol=1e-3)


def test_each_figure_has_a_pdf_of_its_own_with_the_fonts_that_it_names() -> None:
    sizes, fonts = [], []
    for pdf in made("plain", "bold", "bolder")[1]:
        with pikepdf.open(BytesIO(pdf)) as file:
            (page,) = file.pages
            sizes.append([float(it) for it in page.mediabox][2:])
            fonts.append([str(one.BaseFont)[8:] for one in page.resources.Font.values()])
            assert str(file.docinfo.Creator) == "costcurves"
    assert sizes == [[216, 144], [288, 144], [360, 144]]
    assert fonts == [["DejaVuSans"], ["DejaVuSans-Bold"], ["DejaVuSans-Bold"]]


def test_every_line_of_words_has_its_outlines_whatever_it_looks_like() -> None:
    lines = ("<text x='1'>a</text>", "", "/>", "end")
    ((words, outlined),) = made("\n".join(lines))[0]
    assert words.count("<text ") == len(lines)
    assert re.findall("<!-- (.*?) -->", outlined) == [escape(one, quote=False) for one in lines]
    assert "<text" not in outlined
    ElementTree.fromstring(outlined)
