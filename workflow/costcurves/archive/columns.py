"""Figures drawn again as wide as a journal's columns, with letters of a stated size."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.font_manager import get_font_names

from costcurves.figures import style
from costcurves.figures.saving import PDF, Draw, Drawn, Figures, drawn, separate
from costcurves.report.again import draw_again

WIDTHS: Final = (89, 183)  # mm: one column, and two
HIGHEST: Final = 170  # mm
SMALLEST, LARGEST = 5.0, 7.0  # points of letters
LEAST: Final = style.SMALL / style.BODY  # size of the smallest letters against the largest
INCH, POINTS = 25.4, 72  # mm and points in an inch
SIZES: Final = (SMALLEST / LEAST, LARGEST)  # points of the largest letters of a figure
DOTS: Final = 600  # an inch, of a PNG
SIZE: Final = re.compile(r'width="[^"]*" height="[^"]*"|height="[^"]*" width="[^"]*"')


Manifest = Mapping[str, Any]
Misfits = dict[str, str]  # why figures do not fit, by their places in the folder


def is_font(name: str) -> bool:
    """Say whether matplotlib finds a font."""
    return name in get_font_names()


def draw(report: Path, manifest: Manifest, folder: Path, family: str, size: float) -> list[str]:
    """Draw a report's figures into folders named by widths; say which are in none, and why.

    `size` is that of the largest letters, in points. A figure that does not fit has smaller ones.
    If that does not help, it is on wider sheets only.
    """
    each = [_Column(folder / f"{width}mm", width, family, size, {}) for width in WIDTHS]
    for one in each:
        draw_again(report, manifest, one.folder, one.save)
    nowhere = [name for name in each[0].misfits if all(name in one.misfits for one in each)]
    said = each[-1].misfits
    return [f"{name}: {said[name]}; report/figures has it as a page does" for name in nowhere]


@dataclass(frozen=True)
class _Column:
    """Figures for one width."""

    folder: Path
    width: int  # mm
    family: str
    size: float  # points of the largest letters
    misfits: Misfits

    def save(self, figures: Figures) -> None:
        """Write figures as PDF, SVG and PNG in the size of print; keep why some do not fit."""
        paper, written = BytesIO(), []
        with style.house_style(), style.any_glyph(), PdfPages(paper, metadata=PDF) as pages:
            mpl.rcParams["font.family"] = self.family
            for draw, stem in figures:
                figure, drawing, scale, wrong = self._fitted(draw)
                if wrong:
                    self.misfits[stem.relative_to(self.folder).as_posix()] = wrong
                    continue
                width, height = INCH * scale * figure.get_size_inches()
                size = f'width="{width:.2f}mm" height="{height:.2f}mm"'
                svg = SIZE.sub(size, drawing.outlines, count=1)
                stem.with_suffix(".svg").write_text(svg, encoding="utf-8")
                figure.savefig(pages, format="pdf")
                dots = {"dpi": (DOTS, DOTS)}  # of the pixels in print, which the file is to say
                figure.savefig(stem.with_suffix(".png"), dpi=DOTS * scale, pil_kwargs=dots)
                written.append((stem, scale))
        for (stem, scale), pdf in zip(written, separate(paper), strict=True):
            stem.with_suffix(".pdf").write_bytes(_scaled(pdf, scale))

    def _fitted(self, draw: Draw) -> tuple[Figure, Drawn, float, str]:
        """Draw a figure; give its size in print against that drawn, and why it does not fit."""
        for size in (self.size, SIZES[0]):
            scale = size / style.BODY
            paper = style.Paper(self.width / INCH / scale, self.family, headed=False)
            figure = style.on(paper, draw)
            figure.dpi = POINTS
            scale = min(scale, HIGHEST / INCH / float(figure.get_figheight()))
            drawing = drawn(figure)
            if not (wrong := drawing.misfit(SMALLEST, scale)):
                break
        return figure, drawing, scale, wrong


def _scaled(pdf: bytes, scale: float) -> bytes:
    from pikepdf import Pdf

    with Pdf.open(BytesIO(pdf)) as made:
        page = made.pages[0]
        page.MediaBox = [scale * float(place) for place in page.MediaBox]
        page.contents_add(f"q {scale:.6f} 0 0 {scale:.6f} 0 0 cm".encode(), prepend=True)
        page.contents_add(b"Q")
        file = BytesIO()
        made.save(file, deterministic_id=True)
    return file.getvalue()
