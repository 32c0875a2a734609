"""How every figure looks: one font, one grey scale, one colour and one dash for each model.

Text is drawn as it is: names come from users, so nothing is read as mathematics or dropped.
"""

import math
import warnings
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

import matplotlib as mpl
from matplotlib.colors import to_hex, to_rgb
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

_STYLE: Final = Path(__file__).with_name("report.mplstyle")
_RC: Final = mpl.rc_params_from_file(_STYLE, use_default_template=False)

HEAD: Final = 0.52  # inches of a title and two notes
TITLE, BODY, SMALL = 11.0, float(_RC["font.size"]), float(_RC["xtick.labelsize"])  # points

INK: Final = str(_RC["text.color"])
NOTE: Final = "#595959"  # words that explain; 7:1 on white
QUIET: Final = "#8c8c8c"  # lines of reference
SHADE: Final = "#f0f0f0"  # where a trivial classifier is cheaper
EQUAL: Final = "#dcdcdc"  # where two models cost the same
GREYED: Final = "#b5b5b5"  # models that stand back

Dash = tuple[float, tuple[float, ...] | None]


WIDTH: Final = 6.7  # inches of a figure: the text width of an A4 page with 20 mm margins
LEFT: Final = 0.62  # inches from the edge to words and axes
FAMILY: Final = "DejaVu Sans"


# Those of Okabe and Ito without the yellow, which vanishes on white; the strongest come first.
COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
# Six dashes against seven colours: 42 models differ in the pair, and neighbours in both.
DASHES: Final[tuple[Dash, ...]] = (
    (0, None),
    (0, (3.6, 1.4)),
    (0, (1.1, 1.0)),
    (0, (5.5, 1.3, 1.1, 1.3)),
    (0, (5.5, 1.3, 1.1, 1.3, 1.1, 1.3)),
    (0, (9, 1.8)),
)


@contextmanager
def house_style() -> Iterator[None]:
    """Draw and save in the report's style; matplotlib's own settings come back afterwards."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update({"font.sans-serif": FAMILY, **_RC})
        yield


@contextmanager
def any_glyph() -> Iterator[None]:
    """Let letters that the font lacks become boxes, and say nothing."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def colour(index: int) -> str:
    """Colour of the lines of the study's model number `index` (from 0; repeats after seven)."""
    return COLOURS[index % len(COLOURS)]


def dash(index: int) -> Dash:
    """Dash of the lines of the study's model number `index`; pairs with colours repeat after 42."""
    return DASHES[index % len(DASHES)]


@lru_cache
def ink(index: int) -> str:
    """Colour of the words of a model: its `colour`, dark enough to contrast 4.5:1 with white."""
    rgb = to_rgb(colour(index))
    while 1.05 / (_luminance(rgb) + 0.05) < 4.5:
        rgb = (rgb[0] * 0.98, rgb[1] * 0.98, rgb[2] * 0.98)
    return to_hex(rgb)


def ink_on(fill: str) -> str:
    """Colour of words on a filled area: white or the dark ink, whichever contrasts more."""
    light = _luminance(to_rgb(fill))
    on_dark, on_light = 1.05 / (light + 0.05), (light + 0.05) / (_luminance(to_rgb(INK)) + 0.05)
    return "#ffffff" if on_dark > on_light else INK


def _luminance(rgb: Sequence[float]) -> float:
    """Relative luminance of an sRGB colour (WCAG 2.2)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def text_width(text: str, size: float = BODY, weight: str = "normal") -> float:
    """Width of a line of text in inches, without drawing it; `size` is in points."""
    return _width(text, size, weight) if text else 0.0


@lru_cache(maxsize=4096)
def _width(text: str, size: float, weight: str) -> float:
    font = FontProperties(family=FAMILY, size=size, weight=weight)
    with any_glyph():
        return text_to_path.get_text_width_height_descent(text, font, ismath=False)[0] / 72


def shorten(text: str, room: float, size: float = BODY, weight: str = "normal") -> str:
    """Put an ellipsis for the middle of a text, so that it fits `room` inches if it can.

    >>> shorten("C4.5 after undersampling to p(+) = 0.35", room=1.0)
    'C4.5 aft…= 0.35'
    """
    if text_width(text, size, weight) <= room:
        return text
    shorter, more = partial(_without_middle, text), range(2, len(text))
    fits = bisect_right(more, room, key=lambda kept: text_width(shorter(kept), size, weight))
    return shorter(1 + fits)


def wrapped(text: str, room: float, size: float, weight: str, most: int = 9) -> list[str]:
    """Break a text into at most so many lines, at blanks if it can; the last one is shortened.

    >>> wrapped("C4.5 after undersampling to p(+) = 0.35", 1.0, BODY, "normal")
    ['C4.5 after', 'undersampling', 'to p(+) = 0.35']
    """
    lines: list[str] = []
    while len(lines) < most - 1 and text_width(text, size, weight) > room:
        longer = range(2, len(text))
        end = 1 + bisect_right(longer, room, key=lambda n: text_width(text[:n], size, weight))
        blank = text.rfind(" ", 1, end + 1)
        end = blank if blank > 0 else end
        lines.append(text[:end])
        text = text[end:].lstrip()
    return [*lines, shorten(text, room, size, weight)]


def _without_middle(text: str, kept: int) -> str:
    head = (kept + 1) // 2
    return f"{text[:head].rstrip()}…{text[len(text) - (kept - head) :].lstrip()}"


def round_top(highest: float, least: float = 0.05) -> tuple[float, float]:
    """Choose where a y axis from 0 ends, and the step of its ticks: some air, at most six steps.

    Up to 0.5, above which a trivial classifier is always cheaper, the axis ends at 0.5 at most.

    >>> round_top(0.2), round_top(0.5), round_top(0.62), round_top(0)
    ((0.25, 0.05), (0.5, 0.1), (0.8, 0.2), (0.05, 0.01))
    """
    limit = 0.5 if highest <= 0.5 else math.inf
    wanted = min(limit, max(least, 1.2 * highest))
    power = 10.0 ** math.floor(math.log10(wanted))
    for step in (power / 5, power / 2, power, 2 * power):
        count = math.ceil(round(wanted / step, 9))
        if count <= 6:
            break
    return round(min(limit, count * step), 9), step
