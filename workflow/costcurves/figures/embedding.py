"""The fonts that a figure's PDF carries: outlines of its letters, and nothing to lay them out by.

matplotlib takes from a font everything that the letters used might need, tables included that say
how letters are joined and moved. A PDF has its letters in their places already, and reading those
tables takes longer than drawing the figure.
"""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from io import BytesIO
from typing import Any, Final

import numpy as np
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables.DefaultTable import DefaultTable
from matplotlib.backends import _backend_pdf_ps
from matplotlib.backends._backend_pdf_ps import SubsetResults
from matplotlib.font_manager import FontPath
from numpy.typing import NDArray

# What a PDF needs of a font (ISO 32000-1:2008, 9.9).
NEEDED: Final = ("cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "prep")


@contextmanager
def outlines_only() -> Iterator[None]:
    """Make matplotlib put the outlines of letters alone into a PDF that is finished meanwhile."""
    library: Any = _backend_pdf_ps
    theirs = library.get_glyphs_subset
    library.get_glyphs_subset = _subset
    try:
        yield
    finally:
        library.get_glyphs_subset = theirs


def _subset(file: FontPath, glyphs: Iterable[int]) -> AbstractContextManager[SubsetResults]:
    """Empty all glyphs of a font but some, which keep their numbers: its tables stay as they are.

    Parameters
    ----------
    file
        The font.
    glyphs
        The numbers of the glyphs to keep.
    """
    font = TTFont(BytesIO(_needed(file)), recalcBBoxes=False, recalcTimestamp=False)
    kept = np.zeros(font["maxp"].numGlyphs, bool)
    kept[list(_with_parts(file, {0, *glyphs}))] = True
    _keep_outlines(font, kept)
    _keep_widths(font, kept)
    numbers = np.flatnonzero(kept).tolist()
    return SubsetResults(font, dict(zip(numbers, numbers, strict=True)))._as_cm()


def _keep_outlines(font: TTFont, kept: NDArray[np.bool_]) -> None:
    """Leave out the outlines of other glyphs."""
    outlines, places = font.getTableData("glyf"), np.array(font["loca"].locations)
    ends = zip(places[:-1][kept], places[1:][kept], strict=True)
    _set(font, "glyf", b"".join(outlines[start:end] for start, end in ends))
    sizes = np.where(kept, np.diff(places), 0)
    font["loca"].set(np.cumsum([0, *sizes]).tolist())


def _keep_widths(font: TTFont, kept: NDArray[np.bool_]) -> None:
    """Make other widths 0, which packs well; that of the last stands for the glyphs behind it."""
    count = font["hhea"].numberOfHMetrics
    widths = np.frombuffer(font.getTableData("hmtx"), ">u2").copy()
    widths[: 2 * count - 2] *= np.repeat(kept[: count - 1], 2)
    _set(font, "hmtx", widths.tobytes())


def _set(font: TTFont, name: str, data: bytes) -> None:
    font[name] = DefaultTable(name)
    font[name].data = data


@cache
def _needed(file: FontPath) -> bytes:
    """Read a font without the tables that a PDF does not need."""
    font = TTFont(file, fontNumber=file.face_index, recalcBBoxes=False, recalcTimestamp=False)
    for table in {*font.keys()} - {*NEEDED, "GlyphOrder"}:
        del font[table]
    saved = BytesIO()
    font.save(saved, reorderTables=False)
    return saved.getvalue()


def _with_parts(file: FontPath, glyphs: Iterable[int]) -> set[int]:
    """Add to glyphs those that they are put together from."""
    font, found, waiting = _whole(file), set[int](), [*glyphs]
    while waiting:
        glyph = waiting.pop()
        found.add(glyph)
        parts = font["glyf"][font.getGlyphName(glyph)].getComponentNames(font["glyf"])
        waiting += {*map(font.getGlyphID, parts)} - found
    return found


@cache
def _whole(file: FontPath) -> TTFont:
    return TTFont(file, fontNumber=file.face_index)
