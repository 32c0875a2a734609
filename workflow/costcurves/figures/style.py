"""How every panel looks: one width, one size of words, one colour and one dash for each model.

Text is drawn as it is: names come from users, so nothing is read as mathematics or dropped.
"""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final

from matplotlib.font_manager import FontProperties
from matplotlib.style import context
from matplotlib.textpath import text_to_path

WIDTH: Final = 89 / 25.4 * 72  # points: a column of a journal
POINTS: Final = 7.5  # size of every word
FAMILY: Final = "DejaVu Sans"
LONG: Final = 24  # letters; longer names stand in a key and are shortened

INK: Final = "#1a1a1a"
NOTE: Final = "#565656"  # words that explain
QUIET: Final = "#8c8c8c"  # lines of reference
ROOF: Final = "#efefef"  # where a no-model baseline is cheaper
LIGHT: Final = "#cfcfcf"  # bars where a difference may be chance, and bands
DARK: Final = "#333333"  # bars where it is shown
GREYED: Final = "#ababab"  # models that stand back

STAND_BACK: Final[dict[str, Any]] = {"color": GREYED, "linewidth": 0.6}
DOT: Final[dict[str, Any]] = {"marker": "o", "markersize": 4, "zorder": 4}

# As Okabe and Ito's, but each contrasts 4.5:1 with white and with the grey roof.
COLOURS: Final = ("#0069a8", "#b84a00", "#007556", "#a0407a", "#6a51a3", "#855b00", "#000000")
Dash = tuple[float, tuple[float, ...]]
# Six dashes against seven colours: 42 models differ in the pair, and neighbours in both.
DASHES: Final[tuple[Dash, ...]] = (
    (0, ()),
    (0, (3.6, 1.4)),
    (0, (1.1, 1.0)),
    (0, (5.5, 1.3, 1.1, 1.3)),
    (0, (5.5, 1.3, 1.1, 1.3, 1.1, 1.3)),
    (0, (9, 1.8)),
)
# What pages call the colours, which are others where the ground is dark.
VARIABLES: Final = {
    INK: "ink",
    NOTE: "note",
    QUIET: "quiet",
    ROOF: "roof",
    "#ffffff": "paper",
    LIGHT: "light",
    DARK: "dark",
    GREYED: "greyed",
    **{value: f"m{place}" for place, value in enumerate(COLOURS)},
}


@contextmanager
def house_style() -> Iterator[None]:
    """Draw and save in the report's style; letters that the font lacks are boxes, not warnings."""
    with context("costcurves.figures.report", after_reset=True), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def colour(index: int) -> str:
    """Return the colour of the study's model number `index` (from 0; repeats after seven)."""
    return COLOURS[index % len(COLOURS)]


def dash(index: int) -> Dash:
    """Return the dash of the study's model number `index`; pairs with colours repeat after 42."""
    return DASHES[index % len(DASHES)]


@lru_cache(maxsize=4096)
def text_width(text: str, weight: str = "normal") -> float:
    """Compute the width of a line of text in points, without drawing it."""
    font = FontProperties(family=FAMILY, size=POINTS, weight=weight)
    return float(text_to_path.get_text_width_height_descent(text, font, ismath=False)[0])


def fitted(text: str, room: float, weight: str = "normal") -> str:
    """Return a text that is no wider than `room` points, an ellipsis in place of its middle.

    >>> fitted("C4.5 after undersampling to p(+) = 0.35", room=72)
    'C4.5 aft…) = 0.35'
    """
    letters = len(text)
    while letters > 4 and text_width(shortened(text, letters), weight) > room:
        letters -= 1
    return shortened(text, letters)


def shortened(text: str, letters: int = LONG) -> str:
    """Return a text of at most so many letters, an ellipsis in place of its middle."""
    if len(text) <= letters:
        return text
    head = letters // 2
    tail = letters - head - 1
    return f"{text[:head].rstrip()}…{text[len(text) - tail :].lstrip()}"


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Shorten long names; all stay different.

    >>> list(short_names(["Boosted trees with constraints, variant 1",
    ...                   "Boosted trees with constraints, variant 2"]).values())
    ['Boosted tree…, variant 1', 'Boosted tree…, variant 2']
    """
    short: dict[str, str] = {}
    for place, name in enumerate(names, start=1):
        shown = shortened(name)
        if shown in short.values():
            shown = f"{shortened(name, LONG - 5)} ({place})"
        short[name] = shown
    return short
