"""How a figure becomes files: SVG and PDF."""

import re
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, Final, cast

import matplotlib as mpl
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.figure import Figure
from pikepdf import ObjectStreamMode, Pdf

from costcurves.atomic import atomic
from costcurves.figures import sheet, style

POINTS: Final = 72  # of an inch; both formats count in them
NOT_XML: Final = re.compile("[\ufffe\uffff]")
MARK: Final = r"^ *<!-- \n -->\n"
TWICE: Final = re.compile(f"{MARK}(.*?){MARK}(.*?){MARK}", re.DOTALL | re.MULTILINE)
TAGGED: Final = re.compile(r'<g id="((?:model-|name-|pc:|ratio:|share:)[^"]*)">')
SVG: Final = {"Creator": "costcurves", "Date": None}
PDF: Final = {"Creator": "costcurves", "Producer": "matplotlib", "CreationDate": None}


Figures = Iterable[tuple[Figure, Path]]  # with the path of each, without an ending
Saving = Callable[[Figures], None]


def save(figures: Figures) -> None:
    """Write each figure to `path_stem`.svg, .pdf, and .text.svg, of which pages are made.

    In the SVG for readers text is outlines, as their computers may lack the font.
    """
    paper, stems = BytesIO(), []
    with style.house_style(), style.any_glyph():
        with PdfPages(paper, metadata=PDF) as pages:
            for figure, path_stem in figures:
                measured(figure)
                figure.savefig(pages, format="pdf")
                words, outlines = svgs(figure)
                _write(f"{path_stem}.svg", outlines.encode())
                _write(f"{path_stem}.text.svg", words.encode())
                stems.append(path_stem)
        for path_stem, pdf in zip(stems, separate(paper), strict=True):
            _write(f"{path_stem}.pdf", pdf)


def svgs(figure: Figure) -> tuple[str, str]:
    """Draw a figure as SVG, once with its text as words, and once as outlines.

    Tags are ids, but classes beside outlines, which are for readers: an id stands once in a file.
    """
    file, dpi, twice = StringIO(), figure.dpi, cast("Any", _Twice)
    with mpl.rc_context():
        figure.dpi = POINTS
        drawing = twice(*POINTS * figure.get_size_inches(), file, metadata=SVG)
        figure.draw(drawing)
        drawing.finalize()
        figure.dpi = dpi
    drawn = NOT_XML.sub("\ufffd", file.getvalue())
    words, outlines = (TWICE.sub(part, drawn) for part in (r"\1", r"\2"))
    return words, TAGGED.sub(r'<g class="\1">', outlines)


class _Twice(RendererSVG):
    """Writes text twice, as words and as outlines: all else is drawn once for both."""

    def draw_text(self, *where: Any, **how: Any) -> None:
        writer, draw_text = cast("tuple[Any, Any]", (self.writer, super().draw_text))
        for form in ("none", "path"):
            writer.comment("\n")  # no line of text has a break
            mpl.rcParams["svg.fonttype"] = form
            draw_text(*where, **how)
        writer.comment("\n")


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
