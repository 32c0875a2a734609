"""The sheet that a figure is drawn on: its head, lists of names, panels in rows.

Places are inches from its upper left corner. Each name is a text of its own: marks of writing
direction end with it. Tags are group ids of artists, of which `report.pictures` makes attributes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from costcurves.figures import style
from costcurves.figures.context import Context

LEFT: Final = style.LEFT  # to the left of the axes: tick labels and a label
RIGHT: Final = 0.15
FIRST: Final = 0.24  # where the first line stands
TOP: Final = style.HEAD + 0.3  # the names of operating conditions
LINE: Final = 0.165  # from one line of text to the next
KEYED: Final = 0.66  # a number and a line before a name in a list
PC_TAG: Final = "pc"  # of axes along which PC(+) runs; `saving` adds where
SHARE_TAG: Final = "share:"  # of words that end with the share of positives


def room() -> float:
    """How wide axes may be."""
    return style.WIDTH - LEFT - RIGHT


def margins() -> tuple[float, float]:
    """Where words above and beneath axes may begin and end."""
    return LEFT, style.WIDTH - RIGHT


def sheet(height: float, of: str, statement: str, *notes: str) -> Figure:
    """Make a sheet with its head: the data set, what the figure shows, and notes beneath."""
    figure, rest = Figure(figsize=(style.WIDTH, height)), f": {statement}"
    size = style.TITLE * room() / style.text_width(of + rest, style.TITLE, "bold")
    look: dict[str, Any] = {"size": min(style.TITLE, max(size, style.BODY)), "weight": "bold"}
    shown = style.shorten(of, room() - style.text_width(rest, **look), **look)
    write(figure, LEFT, FIRST, shown, **look)
    write(figure, LEFT + style.text_width(shown, **look), FIRST, rest, **look)
    for number, words in enumerate(notes):
        small = style.SMALL * (room() / max(room(), style.text_width(words, style.SMALL)))
        note(figure, LEFT, FIRST + LINE * (number + 1.1), words, size=small)
    return figure


def lines(text: str) -> list[str]:
    """Break words that stand beside no axes into lines."""
    left, right = margins()
    return style.wrapped(text, right - left, style.SMALL, "normal")


def paragraph(figure: Figure, last: float, lines: Sequence[str]) -> None:
    """Write lines above each other, the last one at `last`."""
    for place, line in enumerate(lines[::-1]):
        note(figure, LEFT, last - place * LINE, line)


def tag(artist: Artist, *tags: str) -> None:
    """Add tags to those that an artist has."""
    artist.set_gid(" ".join([*(artist.get_gid() or "").split(), *tags]))


def panel(figure: Figure, left: float, top: float, width: float, height: float) -> Axes:
    """Add axes to a sheet; `left` and `top` are where their upper left corner is."""
    across, down = figure.get_size_inches()
    bottom = down - top - height
    return figure.add_axes((left / across, bottom / down, width / across, height / down))


def inches(axes: Axes) -> tuple[float, float]:
    """Width and height of axes."""
    figure = axes.get_figure(root=True)
    assert figure  # noqa: S101 - axes of this package are always on one
    across, down = figure.get_size_inches()
    place = axes.get_position()
    return float(place.width * across), float(place.height * down)


def write(figure: Figure, left: float, top: float, text: str, **look: Any) -> None:
    """Write a line of text; `top` is where its baseline stands."""
    across, down = figure.get_size_inches()
    figure.text(left / across, 1 - top / down, text, **look)


def note(figure: Figure, left: float, top: float, text: str, **look: Any) -> None:
    """Write a small line that explains."""
    write(figure, left, top, text, **{"size": style.SMALL, "color": style.NOTE, **look})


def fitting(*parts: str) -> str:
    """Join the first parts of a note that fit a line; what is left out, captions say, too."""
    lines = ["; ".join(filter(None, parts[:count])) for count in range(1, len(parts) + 1)]
    fit = (line for line in lines if style.text_width(line, style.SMALL) <= room())
    return max(fit, key=len, default=lines[0])


def heading(figure: Figure, left: float, top: float, text: str) -> None:
    """Write what axes show, above them."""
    write(figure, left, top, text, size=style.BODY, weight="bold")


def name(figure: Figure, left: float, top: float, text: str, room: float, **look: Any) -> None:
    """Write a small bold name, shortened to its room; `look` has its colour."""
    shown = style.shorten(text, room, style.SMALL, "bold")
    write(figure, left, top, shown, **{"size": style.SMALL, "weight": "bold", **look})


def remark(figure: Figure, top: float, subject: str, said: str) -> None:
    """Write what a row is about, and beside it what is said of it."""
    look: dict[str, Any] = {"size": style.SMALL, "weight": "bold"}
    write(figure, LEFT, top, subject, **look)
    note(figure, LEFT + style.text_width(subject, **look) + 0.12, top, said)


def key(figure: Figure, left: float, top: float, width: float, **look: Any) -> None:
    """Draw a short line as it is in the axes; `top` is the baseline of the words beside it."""
    across, down = figure.get_size_inches()
    y = 1 - (top - 0.035) / down
    figure.add_artist(Line2D([left / across, (left + width) / across], [y, y], **look))


def series_list(
    figure: Figure, top: float, series: Sequence[tuple[str, dict[str, Any]]], wide: float = 0.34
) -> None:
    """Say what each kind of line, or of marker if not `wide`, is: words and look of each."""
    places = series_places([words for words, _ in series])
    for (words, look), (row, left) in zip(series, places, strict=True):
        key(figure, LEFT + left + (0 if wide else 0.06), top + row * LINE, wide, **look)
        note(figure, LEFT + left + (0.4 if wide else 0.18), top + row * LINE, words)


def series_places(entries: Sequence[str]) -> list[tuple[int, float]]:
    """Choose for each entry of a list of series its line of text, and where it begins in it."""
    places, row, left = [], 0, 0.0
    for words in entries:
        width = 0.4 + style.text_width(words, style.SMALL)
        if left and left + width > room():
            row, left = row + 1, 0.0
        places.append((row, left))
        left += width + 0.22
    return places


def name_list(
    figure: Figure, top: float, entries: Sequence[tuple[str, str]], context: Context
) -> None:
    """Write an ordered list of models in columns: a number, the line as it is drawn, the name."""
    columns, size = _list_layout([model for _, model in entries])
    rows = -(-len(entries) // columns)
    for place, (number, model) in enumerate(entries):
        column, row = divmod(place, rows)
        left, y = LEFT + column * room() / columns, top + row * LINE
        words = context.words(model)
        write(figure, left + 0.16, y, number, size=style.SMALL, ha="right", **words)
        key(figure, left + 0.22, y, 0.36, linewidth=1.6, **context.line(model))
        write(figure, left + KEYED, y, model, size=size)


def list_height(models: Sequence[str]) -> float:
    """Height of the list that `name_list` writes."""
    columns, _ = _list_layout(models)
    return -(-len(models) // columns) * LINE


def _list_layout(models: Sequence[str]) -> tuple[int, float]:
    """Choose columns and size of font; a name too long for the sheet is smaller, never cut."""
    widest = max(style.text_width(model, style.SMALL) for model in models)
    columns = max(1, min(4, len(models), int(room() / (widest + KEYED + 0.1))))
    return columns, style.SMALL * min(1.0, (room() / columns - KEYED) / widest)


@dataclass(frozen=True)
class Panels:
    """Panels of equal size in rows, one for each model, with shared axes."""

    count: int  # at least 1
    top: float  # where the first row begins
    notes: int = 0  # lines between a model's name and its panel
    across: int | None = None  # how many stand side by side; None: as many as look well
    lines: int = 1  # of a model's name
    foot: float = 0.12  # beneath a row

    GAP = 0.18  # between panels side by side
    KEY = 0.36  # for a model's line before its name

    @classmethod
    def of(cls, models: Sequence[str], top: float, **more: Any) -> Self:
        """Lay out panels of models, with names in full."""
        layout = cls(len(models), top, **more)
        room = layout.size[0] - cls.KEY + cls.GAP / 3
        lines = max(len(style.wrapped(it, room, style.SMALL, "bold")) for it in models)
        return replace(layout, lines=lines)

    @property
    def head(self) -> float:
        """Height of what stands above a panel."""
        return 0.2 + (self.notes + self.lines - 1) * LINE

    @property
    def columns(self) -> int:
        """How many panels stand side by side."""
        well = {1: 1, 2: 2, 4: 2}.get(self.count, 3 if self.count <= 9 else 4)
        return min(self.across or well, int(room() / 1.25))

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of a panel."""
        width = (room() - self.GAP * (self.columns - 1)) / self.columns
        return width, min(2.9, 0.72 * width)

    @property
    def bottom(self) -> float:
        """Where the last row of panels ends."""
        rows = -(-self.count // self.columns)
        return self.top + rows * (self.head + self.size[1] + self.foot) - self.foot

    def panel(self, figure: Figure, place: int, model: str, context: Context) -> Axes:
        """Add the axes at a place (in reading order), headed by the model's line and name."""
        width, height = self.size
        left, top = self.corner(place)
        look = {"size": style.SMALL, **context.words(model)}
        room = width - self.KEY + self.GAP / 3
        names = style.wrapped(model, room, style.SMALL, "bold", self.lines)
        first = top + 0.13 + (self.lines - len(names)) * LINE
        key(figure, left, first, 0.3, linewidth=1.8, **context.line(model))
        for line, words in enumerate(names):
            write(figure, left + self.KEY, first + line * LINE, words, **look)
        axes = panel(figure, left, top + self.head, width, height)
        tag(axes, context.tag(model))
        lowest = place + self.columns >= self.count
        axes.tick_params(labelleft=place % self.columns == 0, labelbottom=lowest)
        return axes

    def annotate(self, figure: Figure, place: int, words: str) -> None:
        """Write the line between a model's name and its panel; there has to be room for notes."""
        left, top = self.corner(place)
        shown = style.shorten(words, self.size[0], style.SMALL)
        note(figure, left, top + 0.13 + self.lines * LINE, shown)

    def corner(self, place: int) -> tuple[float, float]:
        """Give the upper left corner of what belongs to a place."""
        row, column = divmod(place, self.columns)
        width, height = self.size
        top = self.top + row * (self.head + height + self.foot)
        return LEFT + column * (width + self.GAP), top

    def label_outside(self, figure: Figure, x: str = "", y: str = "") -> None:
        """Write the axes' labels once for all panels: beneath them and to their left."""
        look = {"size": style.BODY, "ha": "center"}
        if x:
            write(figure, LEFT + room() / 2, self.bottom + 0.4, x, **look)
        if y:
            middle = (self.top + self.head + self.bottom) / 2
            write(figure, 0.2, middle, y, rotation=90, va="center", **look)
