"""Figures drawn again as wide as a journal's columns, with letters of a stated size."""

import re
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from io import BytesIO
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from matplotlib.backend_bases import RendererBase

from costcurves.figures import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from costcurves.figures.saving import Figures

WIDTHS: Final = (89, 183)  # mm: one column, and two
HIGHEST: Final = 170  # mm
SMALLEST, LARGEST = 5.0, 7.0  # points
INCH: Final = 25.4  # mm
SLACK: Final = 0.5  # points by which words may overlap, or leave a sheet
DOTS: Final = 600  # an inch, of a PNG
SIZE: Final = re.compile(r'width="[^"]*" height="[^"]*"|height="[^"]*" width="[^"]*"')


@dataclass(frozen=True)
class Sheet:
    """How wide figures are, in mm; of which font; and how large its largest letters, in points."""

    width: int
    family: str
    size: float

    @property
    def scale(self) -> float:
        """Size in print against that on the sheet that is drawn on."""
        return self.size / style.BODY


def draw(report: Path, manifest: Mapping[str, Any], folder: Path, *sheets: Sheet) -> list[str]:
    """Draw a report's figures into folders named by widths; say which were left out, and why.

    Each width has a process of its own: places on a sheet are reckoned as modules are imported.
    """
    with ProcessPoolExecutor(mp_context=get_context("spawn"), max_tasks_per_child=1) as processes:
        works = [processes.submit(_drawn, report, manifest, folder, sheet) for sheet in sheets]
        return [said for work in works for said in work.result()]


def _drawn(report: Path, manifest: Mapping[str, Any], folder: Path, sheet: Sheet) -> list[str]:
    wide = sheet.width / INCH / sheet.scale
    vars(style).update(WIDTH=wide, HEAD=0.0, FAMILY=sheet.family, TITLE=style.BODY)
    from costcurves.report.again import draw_again  # imports what reckons with these

    said: list[str] = []

    def save(figures: "Figures") -> None:
        said.extend(_saved(figures, sheet))

    draw_again(report, manifest, folder / f"{sheet.width}mm", save)
    return said


def _saved(figures: "Figures", sheet: Sheet) -> list[str]:
    """Write figures as PDF, SVG and PNG in the size of print; say which did not fit."""
    from costcurves.figures.saving import Writer, compact

    said, writer, written = [], Writer(), []
    with style.house_style(), style.any_glyph():
        for figure, stem in figures:
            figure.dpi = 72
            width, height = INCH * figure.get_size_inches()
            shrunk = min(1.0, HIGHEST / (height * sheet.scale))
            name = f"{stem.parent.name}/{stem.name}"
            if crowded := _crowded(figure):
                said.append(f"{name} at {sheet.width} mm: {crowded}")
                continue
            if shrunk * sheet.size < SMALLEST:
                tall = f"{height * sheet.scale:.0f} mm high, more than {HIGHEST}"
                said.append(f"{name} at {sheet.width} mm: {tall}")
                continue
            scale = float(sheet.scale * shrunk)
            words = f'width="{width * scale:.2f}mm" height="{height * scale:.2f}mm"'
            svg = SIZE.sub(words, compact(writer.written(figure)[1]), count=1)
            stem.with_suffix(".svg").write_text(svg, encoding="utf-8")
            figure.savefig(stem.with_suffix(".png"), dpi=DOTS * scale)
            written.append((stem, scale))
        for (stem, scale), pdf in zip(written, writer.pages(), strict=True):
            stem.with_suffix(".pdf").write_bytes(_scaled(pdf, scale))
    return said


def _crowded(figure: "Figure") -> str:
    """Say what does not fit: words or panels that leave the sheet or run into one another."""
    words = _Words(figure)
    figure.draw(words)
    panels = [(*one.bbox.min, *one.bbox.max) for one in figure.axes]
    for kind, found in (("words", words.boxes), ("panels", panels)):
        low, high = np.split(np.reshape(found, (-1, 4)), 2, axis=1)
        if (low < -SLACK).any() or (high > figure.bbox.max + SLACK).any():
            return f"{kind} leave the sheet"
        common = np.minimum(high[:, None], high) - np.maximum(low[:, None], low)
        if np.count_nonzero((common > SLACK).all(axis=2)) > len(found):  # each with itself
            return f"{kind} overlap"
    return ""


class _Words(RendererBase):
    """Draws nothing, and keeps where level words would stand, in points."""

    def __init__(self, figure: "Figure") -> None:
        super().__init__()
        self._size = figure.bbox.width, figure.bbox.height
        self.boxes: list[tuple[float, ...]] = []  # left, bottom, right, top

    def get_canvas_width_height(self) -> tuple[float, float]:
        return self._size

    def draw_path(self, *_: Any, **__: Any) -> None:
        """Draw nothing."""

    def draw_text(
        self, gc: Any, x: float, y: float, s: str, prop: Any, angle: float, *_: Any, **__: Any
    ) -> None:
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
