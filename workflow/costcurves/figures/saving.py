"""How a figure becomes files: for readers and for pages, the same bytes each time."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import numpy as np
from matplotlib.figure import Figure

from costcurves.figures import style, tags
from costcurves.figures.together import Writer
from costcurves.tables.contract import atomic


def save(figures: Iterable[tuple[Figure, str | Path]]) -> None:
    """Write figures as SVG and PDF, and for the pages; the same figures give the same bytes.

    Text is outlines in the SVG for readers, as programs that draw with SVGs ignore fonts embedded
    in them. Pages are made from `path_stem`.text.svg, whose text is text.
    """
    with style.house_style(), style.any_glyph():
        writer, stems = Writer(), []
        for figure, path_stem in figures:
            tags.measured(figure)
            words, outlines = writer.written(figure)
            _write(f"{path_stem}.svg", _compact(outlines).encode())
            _write(f"{path_stem}.text.svg", words.encode())
            stems.append(path_stem)
        for path_stem, pdf in zip(stems, writer.pages(), strict=True):
            _write(f"{path_stem}.pdf", pdf)


def _write(file: str, content: bytes) -> None:
    with atomic(file) as path:
        path.write_bytes(content)


def _compact(svg: str) -> str:
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


_LINES: Final = re.compile(r"M[ML0-9.\sz-]*")
_ZERO: Final = re.compile(r"(?<![0-9])0(?=\.)")
_PATH: Final = re.compile(r'(<path (?:id="[^"]*" )?d=")([^"]*)"')
_SHORT: Final = (
    (re.compile(r'(?<=id=")DejaVuSans(-Bold)?-(?=[0-9a-f]+")'), r"g\1"),
    (re.compile(r'(?<=xlink:href="#)DejaVuSans(-Bold)?-(?=[0-9a-f]+")'), r"g\1"),
    (re.compile(r'(#g[^" ]*") transform="translate\(([0-9]+)(?:\.[0-9]*)? 0\)"/>'), r'\1 x="\2"/>'),
    (re.compile(r'<g id="(model-[0-9]+|name-[0-9]+)[^"]*">'), r'<g class="\1">'),
    (re.compile(r'<g id="pc:[^"]*">'), "<g>"),
    (re.compile(r"\n +<"), "\n<"),
)
_NUMBER: Final = re.compile(r"-?[0-9]+\.[0-9]+")
