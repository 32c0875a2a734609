"""How a figure becomes files: SVG and PDF."""

import math
import re
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, Final, cast

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.figure import Figure
from pikepdf import ObjectStreamMode, Pdf

from costcurves.atomic import atomic
from costcurves.figures import sheet, style

SLACK: Final = 0.5  # points by which words may overlap, or leave a sheet
POINTS: Final = 72  # of an inch; both formats count in them
NOT_XML: Final = re.compile("[\ufffe\uffff]")
MARK: Final = r"^ *<!-- \n -->\n"
TWICE: Final = re.compile(f"{MARK}(.*?){MARK}(.*?){MARK}", re.DOTALL | re.MULTILINE)
TAGGED: Final = re.compile(r'<g id="((?:model-|name-|pc:|ratio:|share:)[^"]*)">')
SVG: Final = {"Creator": "costcurves", "Date": None}
PDF: Final = {"Creator": "costcurves", "Producer": "matplotlib", "CreationDate": None}


Draw = Callable[[], Figure]
Figures = Iterable[tuple[Draw, Path]]  # with the path of each, without an ending


def save(figures: Figures) -> None:
    """Write each figure to `path_stem`.svg, .pdf, and .text.svg, of which pages are made.

    In the SVG for readers text is outlines, as their computers may lack the font. Pages have
    .phone.text.svg, too, which is empty if the figure does not fit a phone.
    """
    paper, stems = BytesIO(), []
    with style.house_style(), style.any_glyph():
        with PdfPages(paper, metadata=PDF) as pages:
            for draw, path_stem in figures:
                figure = draw()
                figure.savefig(pages, format="pdf")
                drawing = drawn(figure)
                _write(f"{path_stem}.svg", drawing.outlines.encode())
                _write(f"{path_stem}.text.svg", drawing.words.encode())
                phone = drawn(style.on(style.PHONE, draw))
                words = "" if phone.misfit(style.SMALL) else phone.words
                _write(f"{path_stem}.phone.text.svg", words.encode())
                stems.append(path_stem)
        for path_stem, pdf in zip(stems, separate(paper), strict=True):
            _write(f"{path_stem}.pdf", pdf)


def drawn(figure: Figure) -> "Drawn":
    """Draw a figure as SVG.

    Tags are ids, but classes beside outlines, which are for readers: an id stands once in a file.
    """
    measured(figure)
    file, dpi = StringIO(), figure.dpi
    with mpl.rc_context():
        figure.dpi = POINTS
        drawing = cast("Any", Drawn)(*POINTS * figure.get_size_inches(), file, metadata=SVG)
        drawing.level, drawing.panels = [], [[*it.bbox.min, *it.bbox.max] for it in figure.axes]
        figure.draw(drawing)
        drawing.finalize()
        figure.dpi = dpi
    svg = NOT_XML.sub("\ufffd", file.getvalue())
    drawing.words, outlines = (TWICE.sub(part, svg) for part in (r"\1", r"\2"))
    drawing.outlines = TAGGED.sub(r'<g class="\1">', outlines)
    return cast("Drawn", drawing)


class Drawn(RendererSVG):
    """A figure as SVG, its text as words and as outlines: all else is drawn once for both."""

    words: str
    outlines: str
    letters = math.inf  # the size of the smallest, in points as all else
    level: list[list[float]]  # two corners of each line of text that is level
    panels: list[list[float]]

    def get_text_width_height_descent(self, s: str, prop: Any, ismath: Any) -> Any:
        """Measure a text once for all figures."""
        return style.extent(s, prop, ismath)

    def draw_text(self, *where: Any, **how: Any) -> None:
        """Draw it in both forms."""
        _, x, y, text, font, angle = where
        writer, drawing = cast("tuple[Any, Any]", (self.writer, super()))
        width, height, below = style.extent(text, font)
        self.letters = min(self.letters, font.get_size_in_points())
        self.level += [] if angle else [[x, y + below - height, x + width, y + below]]
        for form in ("none", "path"):
            writer.comment("\n")  # no line of text has a break
            mpl.rcParams["svg.fonttype"] = form
            drawing.draw_text(*where, **how)
        writer.comment("\n")

    def misfit(self, smallest: float, scale: float = 1.0) -> str:
        """Say what does not fit: words or panels that leave the sheet or overlap, small letters."""
        if scale * self.letters < smallest:
            return f"its smallest letters would have {scale * self.letters:.1f} points"
        for kind, found in (("words", self.level), ("panels", self.panels)):
            low, high = np.split(np.reshape(found, (-1, 4)), 2, axis=1)
            if (low < -SLACK).any() or (high > np.add((self.width, self.height), SLACK)).any():
                return f"its {kind} would leave the sheet"
            common = np.minimum(high[:, None], high) - np.maximum(low[:, None], low)
            if np.count_nonzero((common > SLACK).all(axis=2)) > len(found):  # each with itself
                return f"its {kind} would overlap"
        return ""


def separate(paper: BytesIO) -> Iterator[bytes]:
    """Give each page of a PDF as a PDF of its own.

    Figures are pages of one PDF at first because embedding a font takes longer than drawing them.
    """
    if not paper.getvalue():
        return
    with Pdf.open(paper) as whole:
        for page in whole.pages:
            file, alone = BytesIO(), Pdf.new()
            alone.pages.append(page)
            alone.remove_unreferenced_resources()
            for key, value in whole.docinfo.items():
                alone.docinfo[key] = value
            alone.save(file, deterministic_id=True, object_stream_mode=ObjectStreamMode.disable)
            yield file.getvalue()


def measured(figure: Figure) -> None:
    """Write into tags where PC(+) is 0 and 1, and the axes' upper and lower end, in points."""
    across, down = POINTS * figure.get_size_inches()
    for axes in figure.axes:
        tags = (axes.get_gid() or "").split()
        if sheet.PC_TAG not in tags:
            continue
        box, (low, high) = axes.get_position(), axes.get_xlim()
        ends = [across * (box.x0 + box.width * (pc - low) / (high - low)) for pc in (0, 1)]
        places = [*ends, down * (1 - box.y1), down * (1 - box.y0)]
        where = ":".join([sheet.PC_TAG, ",".join(f"{place:.2f}" for place in places)])
        axes.set_gid(" ".join(where if it == sheet.PC_TAG else it for it in tags))


def _write(file: str, content: bytes) -> None:
    with atomic(file) as path:
        path.write_bytes(content)
