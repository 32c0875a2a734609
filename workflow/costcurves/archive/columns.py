"""Figures drawn again as wide as a journal's columns, with letters of a stated size."""

import re
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from io import BytesIO
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.font_manager import get_font_names

from costcurves.figures import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from costcurves.figures.saving import Figures

WIDTHS: Final = (89, 183)  # mm: one column, and two
HIGHEST: Final = 170  # mm
SMALLEST, LARGEST = 5.0, 7.0  # points of letters
LEAST: Final = style.SMALL / style.BODY  # size of the smallest letters against the largest
INCH, POINTS = 25.4, 72  # mm and points in an inch
SIZES: Final = (SMALLEST / LEAST, LARGEST)  # points of the largest letters of a figure
SLACK: Final = 0.5  # points by which words may overlap, or leave a sheet
DOTS: Final = 600  # an inch, of a PNG
SIZE: Final = re.compile(r'width="[^"]*" height="[^"]*"|height="[^"]*" width="[^"]*"')


Misfits = dict[str, str]  # why figures do not fit, by their places in the folder


@dataclass(frozen=True)
class Sheet:
    """How wide figures are, of which font, and how large its largest letters."""

    width: int  # mm
    family: str
    size: float  # points
    only: frozenset[str] | None = None  # which figures, by their places in the folder; None: all

    @property
    def scale(self) -> float:
        """Size in print against that on the sheet that is drawn on."""
        return self.size / style.BODY


def is_font(name: str) -> bool:
    """Say whether matplotlib finds a font."""
    return name in get_font_names()


def draw(report: Path, manifest: Mapping[str, Any], folder: Path, *sheets: Sheet) -> list[str]:
    """Draw a report's figures into folders named by widths; say which are in none, and why.

    A figure that does not fit has smaller letters. If that does not help, it is on wider sheets
    only.
    """
    with ProcessPoolExecutor(mp_context=get_context("spawn"), max_tasks_per_child=1) as processes:

        def drawn(*sheets: Sheet) -> dict[int, Misfits]:
            # Each has a process of its own: places on a sheet are reckoned as modules are imported.
            works = [processes.submit(_drawn, report, manifest, folder, one) for one in sheets]
            return {one.width: work.result() for one, work in zip(sheets, works, strict=True)}

        found = drawn(*sheets)
        found |= drawn(
            *(
                replace(one, size=SIZES[0], only=frozenset(found[one.width]))
                for one in sheets
                if found[one.width] and one.size > SIZES[0]
            )
        )
    each = list(found.values())
    nowhere = [name for name in each[0] if all(name in one for one in each)]
    return [f"{name}: {each[-1][name]}; report/figures has it as a page does" for name in nowhere]


def _drawn(report: Path, manifest: Mapping[str, Any], folder: Path, sheet: Sheet) -> Misfits:
    wide = sheet.width / INCH / sheet.scale
    vars(style).update(WIDTH=wide, HEAD=0.0, FAMILY=sheet.family, TITLE=style.BODY)
    from costcurves.report.again import draw_again  # imports what reckons with these

    misfits: Misfits = {}
    own = folder / f"{sheet.width}mm"

    def save(figures: "Figures") -> None:
        misfits.update(_saved(figures, sheet, own))

    draw_again(report, manifest, own, save)
    return misfits


def _saved(figures: "Figures", sheet: Sheet, folder: Path) -> Misfits:
    """Write figures as PDF, SVG and PNG in the size of print; say which did not fit."""
    from costcurves.figures.saving import PDF, separate, svgs

    misfits: Misfits = {}
    paper, written = BytesIO(), []
    with style.house_style(), style.any_glyph(), PdfPages(paper, metadata=PDF) as pages:
        for figure, stem in figures:
            name = stem.relative_to(folder).as_posix()
            if sheet.only is not None and name not in sheet.only:
                continue
            figure.dpi = POINTS
            width, height = INCH * figure.get_size_inches()
            scale = float(min(sheet.scale, HIGHEST / height))
            if wrong := _misfit(figure, scale):
                misfits[name] = wrong
                continue
            size = f'width="{width * scale:.2f}mm" height="{height * scale:.2f}mm"'
            drawing = SIZE.sub(size, svgs(figure)[1], count=1)
            stem.with_suffix(".svg").write_text(drawing, encoding="utf-8")
            figure.savefig(pages, format="pdf")
            resolution = {"dpi": (DOTS, DOTS)}  # of the pixels in print, which the file is to say
            figure.savefig(stem.with_suffix(".png"), dpi=DOTS * scale, pil_kwargs=resolution)
            written.append((stem, scale))
    for (stem, scale), pdf in zip(written, separate(paper), strict=True):
        stem.with_suffix(".pdf").write_bytes(_scaled(pdf, scale))
    return misfits


def _misfit(figure: "Figure", scale: float) -> str:
    """Say what does not fit: words or panels that leave the sheet or overlap, small letters."""
    words = _Words(figure)
    figure.draw(words)
    if (least := scale * min(words.sizes)) < SMALLEST:
        return f"its smallest letters would have {least:.1f} points"
    panels = [(*one.bbox.min, *one.bbox.max) for one in figure.axes]
    for kind, found in (("words", words.boxes), ("panels", panels)):
        low, high = np.split(np.reshape(found, (-1, 4)), 2, axis=1)
        if (low < -SLACK).any() or (high > np.add(figure.bbox.max, SLACK)).any():
            return f"its {kind} would leave the sheet"
        common = np.minimum(high[:, None], high) - np.maximum(low[:, None], low)
        if np.count_nonzero((common > SLACK).all(axis=2)) > len(found):  # each with itself
            return f"its {kind} would overlap"
    return ""


class _Words(RendererBase):
    """Draws nothing, and keeps how large words would be and where level ones stand, in points."""

    def __init__(self, figure: "Figure") -> None:
        super().__init__()
        self._size = figure.bbox.width, figure.bbox.height
        self.boxes: list[tuple[float, ...]] = []  # left, bottom, right, top
        self.sizes: list[float] = []

    def get_canvas_width_height(self) -> tuple[float, float]:
        return self._size

    def draw_path(self, *_: Any, **__: Any) -> None:
        """Draw nothing."""

    def draw_text(
        self,
        gc: Any,  # noqa: ARG002 - the base class names these
        x: float,
        y: float,
        s: str,
        prop: Any,
        angle: float,
        ismath: Any = False,  # noqa: ARG002
        mtext: Any = None,  # noqa: ARG002
    ) -> None:
        self.sizes.append(prop.get_size_in_points())
        if not angle:
            width, height, below = self.get_text_width_height_descent(s, prop, ismath=False)
            base = self._size[1] - y - below
            self.boxes.append((x, base, x + width, base + height))


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
