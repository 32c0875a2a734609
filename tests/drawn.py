"""Figures read back from their SVGs alone: axes by their ticks and labels, lines, strips, words."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from xml.etree.ElementTree import Element, parse

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray

from costcurves.figures.context import Context
from costcurves.figures.kind import FigureKind, Shown
from costcurves.figures.map_figures import Survey

Floats = NDArray[np.float64]
BLACK = "#000000"  # where matplotlib names no colour


def as_drawn(figure: Figure) -> Callable[[], Figure]:
    """Say how to draw a figure that there is already."""
    return lambda: figure


def painted(
    kind: FigureKind[Context], tables: Mapping[str, pd.DataFrame], context: Context
) -> Figure:
    """Draw a figure of a dataset's tables."""
    return kind.drawn(kind.data(tables, context), context)


def drawn_of(
    kinds: Iterable[FigureKind[Survey]], tables: Mapping[str, pd.DataFrame], survey: Survey
) -> dict[str, tuple[Figure, pd.DataFrame]]:
    """Draw what there is of figures of all datasets together, with its data."""
    shown = [Shown(kind, tables, survey) for kind in kinds if kind.applies(tables)]
    return {one.kind.name: (one.kind.drawn(one.data, survey), one.data) for one in shown}


@dataclass(frozen=True)
class Words:
    """A text: where its anchor is, which end of it that is, its colour and tags."""

    text: str
    x: float
    y: float
    anchor: str
    colour: str
    tags: tuple[str, ...]


@dataclass(frozen=True)
class Shape:
    """A line or an area in points, one array of vertices for each part of its path."""

    parts: tuple[Floats, ...]
    style: dict[str, str]
    tags: tuple[str, ...]

    @property
    def width(self) -> float:
        """Of its line; 0 of an area without one."""
        return float(self.style.get("stroke-width", "stroke" in self.style))

    @property
    def fill(self) -> str:
        return self.style.get("fill", BLACK)

    @property
    def model(self) -> int | None:
        """The place of the model whose it is."""
        return number(self.tags, "model-")


@dataclass(frozen=True)
class Axis:
    """The ticks of an axis, (x, y, words), and its name."""

    ticks: list[tuple[float, float, str]]
    name: str


class Panel:
    """Axes, with what is in them and the other scales beneath them."""

    def __init__(self, element: Element) -> None:
        own = [*groups(element)]
        self.shapes = [shape for one in own for shape in _shapes(one)]
        self.words = [words for one in own for words in _words(one)]
        self.scales = [Panel(one) for one in own if one.get("id", "").startswith("axes_")]
        found = [_axis(one) for one in own if "matplotlib.axis" in one.get("id", "")]
        self.x, self.y = found if len(found) == 2 else (Axis([], ""), Axis([], ""))

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """Left, right, top and bottom: the ground that is drawn first."""
        x, y = self.shapes[0].parts[0].T
        return float(x.min()), float(x.max()), float(y.min()), float(y.max())

    def pc(self, x: "Floats | float") -> Floats:
        """Shares of the way from left to right: PC(+), where that runs from 0 to 1."""
        left, right, _, _ = self.box
        return (np.asarray(x) - left) / (right - left)

    def across(self, x: "Floats | float") -> Floats:
        """What the x axis reads there, by its first and last tick."""
        return _read([(place, words) for place, _, words in self.x.ticks], x)

    def up(self, y: "Floats | float") -> Floats:
        """What the y axis reads there, by its first and last tick."""
        return _read([(place, words) for _, place, words in self.y.ticks], y)

    def lines(self, *, least: float = 0.0, most: float = np.inf) -> list[Shape]:
        """The lines of models whose width lies between two."""
        return [
            one
            for one in self.shapes
            if one.model is not None and one.fill == "none" and least <= one.width <= most
        ]


class Drawn:
    """A figure."""

    def __init__(self, path: Path) -> None:
        root = parse(path).getroot()
        (figure,) = groups(root)
        self.all = [words for one in root.iter() if _tag(one) == "g" for words in _words(one)]
        self.words = [words for one in groups(figure) for words in _words(one)]
        inner = [one for one in groups(figure) if [*groups(one)]]
        self.keys = [shape for one in groups(figure) for shape in _shapes(one)]
        self.panels = [Panel(one) for one in inner]

    def name(self, model: int | None) -> str:
        """The words that name a model: in its own colour, or beside its number or its line."""
        own = [one for one in self.all if number(one.tags, "name-") == model]
        texts = [one.text for one in own if not re.match(r" |\d+$", one.text)]
        names = {re.sub(r"^\d+  ", "", text) for text in texts}
        if not names:
            keys = [(one.x, one.y) for one in own if one.anchor == "end"]
            keys += [tuple(it.parts[0][-1]) for it in self.keys if it.model == model]
            names = {self._beside(*key) for key in keys}
        (name,) = names
        return name

    def _beside(self, x: float, y: float) -> str:
        """The words to the right of a place, in its line."""
        right = [one for one in self.words if one.x > x and abs(one.y - y) < 5]
        return min(right, key=lambda one: one.x).text


def number(tags: tuple[str, ...], kind: str) -> int | None:
    """The number in the first tag of a kind."""
    return next((int(one.removeprefix(kind)) for one in tags if one.startswith(kind)), None)


def value(words: str) -> float:
    """A number as ticks write it."""
    return float(words.replace("\N{MINUS SIGN}", "-"))


def groups(element: Element) -> Iterator[Element]:
    return (one for one in element if _tag(one) == "g")


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _style(element: Element) -> dict[str, str]:
    parts = [one.split(": ") for one in element.get("style", "").split("; ") if one]
    return dict(parts)


def _shapes(group: Element) -> Iterator[Shape]:
    for path in group:
        if _tag(path) == "path":
            parts = [one for one in path.get("d", "").split("M") if one.strip()]
            numbers = [np.array(re.findall(r"-?\d+\.?\d*", one), float) for one in parts]
            tags = tuple(group.get("class", "").split())
            yield Shape(tuple(one.reshape(-1, 2) for one in numbers), _style(path), tags)


def _words(group: Element) -> Iterator[Words]:
    for text in group:
        if _tag(text) == "text":
            yield _said(text, group)


def _said(text: Element, group: Element) -> Words:
    style = _style(text)
    found = re.search(r"translate\(([^ ]+) ([^)]+)\)", text.get("transform", ""))
    x, y = found.groups() if found else (text.get("x", "nan"), text.get("y", "nan"))
    anchor, colour = style.get("text-anchor", "start"), style.get("fill", BLACK)
    tags = tuple(group.get("class", "").split())
    return Words("".join(text.itertext()), float(x), float(y), anchor, colour, tags)


def _axis(group: Element) -> Axis:
    ticks, name = [], ""
    for one in groups(group):
        if "tick" in one.get("id", ""):
            (use,) = [it for it in one.iter() if _tag(it) == "use"][:1]
            said = [words.text for it in groups(one) for words in _words(it)]
            ticks.append((float(use.get("x", "")), float(use.get("y", "")), "".join(said)))
        else:
            name = "".join(words.text for words in _words(one))
    return Axis(ticks, name)


def _read(ticks: list[tuple[float, str]], place: "Floats | float") -> Floats:
    read = [(it, value(words)) for it, words in ticks if words]
    (first, low), (last, high) = read[0], read[-1]
    return low + (np.asarray(place) - first) * (high - low) / (last - first)
