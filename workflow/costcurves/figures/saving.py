"""How a figure becomes files, SVG and PDF: laid out only once, as that takes longest."""

import re
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, Final

import numpy as np
from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.backends.backend_pdf import PdfFile, RendererPdf
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text
from pikepdf import ObjectStreamMode, Pdf

from costcurves.atomic import atomic
from costcurves.figures import sheet, style

POINTS: Final = 72  # of an inch; both formats count in them
TEXT: Final = re.compile(r"<text [^>]*?(?:/>|>[^<]*</text>)\n")
SVG: Final[dict[str, str | None]] = {"Creator": "costcurves", "Date": None}
PDF: Final = {"Creator": "costcurves", "Producer": "matplotlib", "CreationDate": None}


Figures = Iterable[tuple[Figure, Path]]  # with the path of each, without an ending
Saving = Callable[[Figures], None]


def save(figures: Figures) -> None:
    """Write each figure to `path_stem`.svg, .pdf, and .text.svg, of which pages are made.

    In the SVG for readers text is outlines, as programs ignore fonts embedded in it.
    """
    with style.house_style(), style.any_glyph():
        writer, stems = Writer(), []
        for figure, path_stem in figures:
            measured(figure)
            words, outlines = writer.written(figure)
            _write(f"{path_stem}.svg", compact(outlines).encode())
            _write(f"{path_stem}.text.svg", words.encode())
            stems.append(path_stem)
        for path_stem, pdf in zip(stems, writer.pages(), strict=True):
            _write(f"{path_stem}.pdf", pdf)


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


class Writer:
    """Writes figures in every format; their PDFs share the fonts, which take long to embed."""

    def __init__(self) -> None:
        self._paper = BytesIO()
        self._pdf = PdfFile(self._paper, metadata=PDF)

    def written(self, figure: Figure) -> tuple[str, str]:
        """Give an SVG with words as text and one with their outlines; add a page to the PDF."""
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
        return words, TEXT.sub(lambda _: next(outlines), words)

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


def _passed(name: str, *writers: str) -> Callable[..., Any]:
    """Make a method that calls those of this name of some writers, and gives the first's answer."""

    def method(self: "_Together", *what: Any, **more: Any) -> Any:
        answers = [getattr(getattr(self, one), name)(*what, **more) for one in writers]
        return answers[0]

    return method


class _Together(RendererBase):
    """Passes on what is drawn: to an SVG, which measures from the top, and to a PDF.

    Anything but paths, markers, their collections and words is refused by the base class.
    """

    new_gc = _passed("new_gc", "pdf")  # what an SVG takes too
    get_canvas_width_height = _passed("get_canvas_width_height", "svg")
    get_text_width_height_descent = _passed("get_text_width_height_descent", "svg")
    open_group = _passed("open_group", "svg")
    close_group = _passed("close_group", "svg")
    draw_path = _passed("draw_path", "svg", "pdf")
    draw_markers = _passed("draw_markers", "svg", "pdf")
    draw_path_collection = _passed("draw_path_collection", "svg", "pdf")

    def __init__(self, svg: Any, pdf: Any) -> None:
        super().__init__()
        self.svg, self.pdf = svg, pdf
        self.outlines: list[str] = []  # of each text of the SVG, in order

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
        self.svg.draw_text(gc, x, y, *text)
        self.outlines.append(self._outlined(gc, x, y, *text))
        self.pdf.draw_text(gc, x, self.svg.height - y, *text)

    def _outlined(self, *text: Any) -> str:
        whole, part = self.svg.writer, StringIO()
        self.svg.writer = type(whole)(part)
        self.svg._draw_text_as_path(*text)
        self.svg.writer = whole
        return part.getvalue()


_LINES: Final = re.compile(r"M[ML0-9.\sz-]*")
_ZERO: Final = re.compile(r"(?<![0-9])0(?=\.)")
_PATH: Final = re.compile(r'(<path (?:id="[^"]*" )?d=")([^"]*)"')
_NUMBER: Final = re.compile(r"-?[0-9]+\.[0-9]+")
_SHORT: Final = (
    (re.compile(r'(?<=id=")DejaVuSans(-Bold)?-(?=[0-9a-f]+")'), r"g\1"),
    (re.compile(r'(?<=xlink:href="#)DejaVuSans(-Bold)?-(?=[0-9a-f]+")'), r"g\1"),
    (re.compile(r'(#g[^" ]*") transform="translate\(([0-9]+)(?:\.[0-9]*)? 0\)"/>'), r'\1 x="\2"/>'),
    (re.compile(r'<g id="(model-[0-9]+|name-[0-9]+)[^"]*">'), r'<g class="\1">'),
    (re.compile(r'<g id="pc:[^"]*">'), "<g>"),
    (re.compile(r"\n +<"), "\n<"),
)


def compact(svg: str) -> str:
    """Write an SVG shorter: paths in hundredths of a point, letters by short names, no indents."""
    svg = _PATH.sub(_shorter, svg)
    for long, short in _SHORT:
        svg = long.sub(short, svg)
    return svg


def _shorter(path: "re.Match[str]") -> str:
    """Write lines as steps from vertex to vertex in hundredths of a point; round other paths.

    >>> _PATH.sub(_shorter, '<path d="M 10.123456 1.5 L 10.62 3.999 L 4 5 z "')
    '<path d="M10.12 1.5l.5 2.5-6.62 1z"'
    >>> _PATH.sub(_shorter, '<path id="a" d="M 0.126 1 Q 1 2.0 3 4"')
    '<path id="a" d="M 0.13 1 Q 1 2 3 4"'
    """
    if _LINES.fullmatch(path[2]):
        return path[1] + "".join(_steps(part) for part in path[2].split("M")[1:]) + '"'
    return path[1] + _NUMBER.sub(lambda number: _number(float(number[0])), path[2]) + '"'


def _steps(part: str) -> str:
    places = np.array(part.replace("L", " ").replace("z", " ").split(), float).reshape(-1, 2)
    hundredths = np.rint(100 * places).astype(np.int64)
    start, *steps = np.diff(hundredths, axis=0, prepend=0) / 100
    joined = [" ".join(_number(one) for one in np.ravel(some)) for some in (start, steps)]
    short = _ZERO.sub("", f"M{joined[0]}l{joined[1]}" if steps else f"M{joined[0]}")
    return short.replace(" -", "-") + "z" * part.rstrip().endswith("z")


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
