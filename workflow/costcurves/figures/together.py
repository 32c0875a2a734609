"""A figure drawn once and written in every format: laying it out costs more than writing it.

What a figure's artists draw goes to a writer of SVG and to one of PDF, both matplotlib's own.
"""

import re
from collections.abc import Iterator
from io import BytesIO, StringIO
from typing import Any, Final, NamedTuple

from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.backends.backend_pdf import PdfFile, RendererPdf
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text
from pikepdf import ObjectStreamMode, Pdf

POINTS: Final = 72  # of an inch; both formats count in them
TEXT: Final = re.compile(r"<text [^>]*?(?:/>|>[^<]*</text>)\n")
SVG: Final[dict[str, str | None]] = {"Creator": "costcurves", "Date": None}
PDF: Final[dict[str, str | None]] = {
    "Creator": "costcurves",
    "Producer": "matplotlib",
    "CreationDate": None,
}


class Written(NamedTuple):
    """A figure as SVG with its words as text, and with their outlines."""

    words: str
    outlines: str


class Writer:
    """Writes figures in every format; the same figures give the same bytes.

    Their PDFs share the fonts, as it takes longer to embed one than to draw a figure.
    """

    def __init__(self) -> None:
        self._paper = BytesIO()
        self._pdf = PdfFile(self._paper, metadata=PDF)

    def written(self, figure: Figure) -> Written:
        """Write a figure as SVG, and on the next page of the PDF."""
        figure.dpi = POINTS
        width, height = map(float, figure.get_size_inches())
        self._pdf.newPage(width, height)
        on_paper, file = RendererPdf(self._pdf, POINTS, height, width), StringIO()
        svg = RendererSVG(POINTS * width, POINTS * height, file, metadata=SVG)
        together = _Together(svg, on_paper)
        figure.draw(together)
        svg.finalize()
        on_paper.finalize()
        words, outlines = file.getvalue(), iter(together.outlines)
        return Written(words, TEXT.sub(lambda _: next(outlines), words))

    def pages(self) -> Iterator[bytes]:
        """Give a PDF for each of the figures written; none can be written afterwards."""
        self._pdf.finalize()
        self._pdf.close()
        with Pdf.open(self._paper) as whole:
            for page in whole.pages:
                file, alone = BytesIO(), Pdf.new()
                alone.pages.append(page)
                alone.remove_unreferenced_resources()
                for key, value in whole.docinfo.items():
                    alone.docinfo[key] = value
                alone.save(file, deterministic_id=True, object_stream_mode=ObjectStreamMode.disable)
                yield file.getvalue()


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
