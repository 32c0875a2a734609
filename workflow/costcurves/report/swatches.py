"""Swatches beside words: a model's line as its figures draw it, a strip of a pair's verdicts.

Each is a data address, so that a page shows it without asking for anything.
"""

from collections.abc import Iterable

from costcurves.figures.style import colour, dash
from costcurves.report.document import Image
from costcurves.report.pictures import data_uri

LINE = 2.0  # width of the line in a swatch, in CSS pixels
ALONG, ACROSS = 200, 12  # size of a strip, which pages stretch
GROUND = "#d4d4d4"


def swatch(index: int) -> str:
    """Draw a piece of a model's line as figures draw it: a data address."""
    offset, pattern = dash(index)
    dashes = " ".join(f"{LINE * length:g}" for length in pattern or ())
    dashed = f' stroke-dasharray="{dashes}" stroke-dashoffset="{LINE * offset:g}"' if dashes else ""
    line = f'<path d="M1 4h26" stroke="{colour(index)}" stroke-width="{LINE:g}"{dashed}/>'
    return data_uri(_svg(28, 8, line))


def strip(parts: Iterable[tuple[float, float, int, bool]], alt: str) -> Image:
    """Draw what was decided about a pair of models along PC(+), on grey.

    `parts` are where somebody is cheaper: from, to, the model's place in the study, and whether it
    is the second of the pair, which is drawn in the lower half.
    """
    ground = f'<path fill="{GROUND}" d="M0 0h{ALONG}v{ACROSS}H0z"/>'
    half = ACROSS / 2
    drawn = [
        f'<path fill="{colour(index)}" d="M{ALONG * low:.2f} {half * second:g}'
        f'h{max(ALONG * (high - low), 1):.2f}v{half:g}h{-max(ALONG * (high - low), 1):.2f}z"/>'
        for low, high, index, second in parts
    ]
    stretched = ' preserveAspectRatio="none"'
    svg = _svg(ALONG, ACROSS, "".join([ground, *drawn]), stretched)
    return Image(data_uri(svg), ALONG, ACROSS, alt)


def _svg(width: int, height: int, inside: str, attributes: str = "") -> str:
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}{attributes}>{inside}</svg>'
