"""A figure drawn once and written in every format: laying it out costs more than writing it.

What a figure's artists draw goes to a writer of SVG and to one of PDF, both matplotlib's own.
"""

import re
from io import BytesIO, StringIO
from typing import Any, Final, NamedTuple

from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.backends.backend_pdf import PdfFile, RendererPdf
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text

POINTS: Final = 72  # of an inch; both formats count in them
TEXT: Final = re.compile(r"<text [^>]*?(?:/>|>[^<]*</text>)\n")
SVG: Final[dict[str, str | None]] = {"Creator": "costcurves", "Date": None}
PDF: Final[dict[str, str | None]] = {
    "Creator": "costcurves",
    "Producer": "matplotlib",
    "CreationDate": None,
}


class Written(NamedTuple):
    """A figure as SVG with its words as text, as SVG with their outlines, and as PDF."""

    words: str
    outlines: str
    pdf: bytes


def written(figure: Figure) -> Written:
    """Write a figure in every format; the same figure gives the same bytes."""
    figure.dpi = POINTS
    width, height = map(float, figure.get_size_inches())
    paper, file = BytesIO(), StringIO()
    pdf = PdfFile(paper, metadata=PDF)
    pdf.newPage(width, height)
    on_paper = RendererPdf(pdf, POINTS, height, width)
    svg = RendererSVG(POINTS * width, POINTS * height, file, metadata=SVG)
    together = _Together(svg, on_paper)
    figure.draw(together)
    svg.finalize()
    on_paper.finalize()
    pdf.finalize()
    pdf.close()
    words, outlines = file.getvalue(), iter(together.outlines)
    return Written(words, TEXT.sub(lambda _: next(outlines), words), paper.getvalue())


class _Together(RendererBase):
    """Passes on what is drawn: to an SVG, which measures from the top, and to a PDF.

    Paths, markers, collections of paths and words, which is all that figures here are made of:
    anything else, such as an image, is refused by the base class.
    """

    def __init__(self, svg: Any, pdf: Any) -> None:
        super().__init__()
        self._svg, self._pdf = svg, pdf
        self.outlines: list[str] = []  # of each text of the SVG, in order

    def new_gc(self) -> Any:
        return self._pdf.new_gc()  # what an SVG takes too

    def get_canvas_width_height(self) -> Any:
        return self._svg.get_canvas_width_height()

    def get_text_width_height_descent(self, *text: Any) -> Any:
        return self._svg.get_text_width_height_descent(*text)

    def open_group(self, s: str, gid: str | None = None) -> None:
        self._svg.open_group(s, gid)

    def close_group(self, s: str) -> None:
        self._svg.close_group(s)

    def draw_path(self, *path: Any) -> None:
        self._svg.draw_path(*path)
        self._pdf.draw_path(*path)

    def draw_markers(self, *markers: Any) -> None:
        self._svg.draw_markers(*markers)
        self._pdf.draw_markers(*markers)

    def draw_path_collection(self, *paths: Any, **more: Any) -> None:
        self._svg.draw_path_collection(*paths, **more)
        self._pdf.draw_path_collection(*paths, **more)

    def draw_text(
        self,
        gc: GraphicsContextBase,
        x: float,
        y: float,
        s: str,
        prop: FontProperties,
        angle: float,
        ismath: Any = False,
        mtext: Text | None = None,
    ) -> None:
        text = s, prop, angle, ismath, mtext
        self._svg.draw_text(gc, x, y, *text)
        self.outlines.append(self._outlined(gc, x, y, *text))
        self._pdf.draw_text(gc, x, self._svg.height - y, *text)

    def _outlined(self, *text: Any) -> str:
        whole, part = self._svg.writer, StringIO()
        self._svg.writer = type(whole)(part)
        self._svg._draw_text_as_path(*text)
        self._svg.writer = whole
        return part.getvalue()
