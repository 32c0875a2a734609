"""How a figure becomes a file: SVG whose words are text."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from io import StringIO
from pathlib import Path
from typing import Final

import matplotlib as mpl
from matplotlib.figure import Figure

from costcurves.atomic import atomic
from costcurves.figures import sheet, style

POINTS: Final = 72  # of an inch
NOT_XML: Final = re.compile("[\ufffe\uffff]")
TAGGED: Final = re.compile(r'<g id="((?:model-|name-|pc:|ratio:|share:)[^"]*)">')
SVG: Final = {"Creator": "costcurves", "Date": None}

Figures = Iterable[tuple[Callable[[], Figure], Path]]  # with the path of each, without an ending


def save(figures: Figures) -> None:
    """Write each figure to `path_stem`.svg.

    Readers and the PDF place letters one by one. Where words need more, `path_stem`.outlines.svg
    has their outlines.
    """
    with style.house_style(), style.any_glyph():
        for draw, path_stem in figures:
            figure = draw()
            measured(figure)
            svg = drawn(figure, "none")
            if not one_by_one(svg):
                _write(f"{path_stem}.outlines.svg", drawn(figure, "path"))
            _write(f"{path_stem}.svg", svg)


def drawn(figure: Figure, words: str) -> str:
    """Draw a figure as SVG, its words as text ("none") or outlines ("path").

    Tags are ids of groups to matplotlib; in the file they are classes, as an id stands once.
    """
    file = StringIO()
    with mpl.rc_context({"svg.fonttype": words}):
        figure.savefig(file, format="svg", metadata=SVG)
    return TAGGED.sub(r'<g class="\1">', NOT_XML.sub("\ufffd", file.getvalue()))


def one_by_one(words: str) -> bool:
    """Return whether letters stand side by side from left to right, each by itself.

    >>> one_by_one("Naïve Bayes"), one_by_one("\u05d0"), one_by_one("e\u0301")
    (True, False, False)
    """
    later = {letter for letter in words if letter > "\u02ff"}
    return not any(
        unicodedata.bidirectional(letter) in ("R", "AL", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI")
        or unicodedata.combining(letter)
        or unicodedata.category(letter) in ("Mn", "Mc", "Me")
        for letter in later
    )


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


def _write(file: str, svg: str) -> None:
    with atomic(file) as path:
        path.write_bytes(svg.encode())
