"""What a figure is: the data that it shows, how they are drawn, and its words."""

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from inspect import getfile, getmembers, isfunction
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import pandas as pd
from matplotlib.figure import Figure

from costcurves import formats
from costcurves.figures import style
from costcurves.figures.context import Row, Tables, headline_rows, rows_of
from costcurves.figures.lowest import lowest
from costcurves.maths.costs.net_benefit import pc_at
from costcurves.maths.geometry.cost_space import ratio_from_pc
from costcurves.text import Name, plain

C = TypeVar("C")  # what it knows besides tables: a Context, or of all datasets together a Survey

SAID: Final = 8  # rows that an alternative text goes through one by one
PACKAGE: Final = Path(__file__).parents[1]
HEAD: Final = re.compile(r"^\{# .* #\}$", re.MULTILINE)
BREAK: Final = re.compile(r"\s*\n\s*")
FORMS: Final = {name: one for name, one in getmembers(formats, isfunction) if name[0] != "_"}


@dataclass(frozen=True)
class Words:
    """What a kind of figure says: templates."""

    title: str  # above it, behind the name of what it shows
    caption: str  # beneath it on pages, whose macros it knows
    alternative: str  # for those who do not see it; `each` goes through rows, and counts later ones
    each: str = ""  # how it says one of them

    @classmethod
    def read(cls, file: Path) -> "Words":
        """Read a file that has these one after the other, each behind its name."""
        parts = HEAD.split(file.read_text("utf-8"))
        return cls(*map(one_line, parts[1:]))


@dataclass(frozen=True)
class FigureKind(Generic[C]):
    """A kind of figure, drawn from one frame: the data published beside it is what it shows."""

    name: str  # in file names
    data: Callable[[Tables, C], pd.DataFrame]  # makes the frame of exactly what is drawn
    paint: Callable[[pd.DataFrame, C], Figure]
    words: Words
    rows: Callable[["Shown[C]"], Iterable[Row]]  # that its alternative text goes through
    sources: tuple[str, ...]  # the stages whose tables it needs
    tells: Callable[[Tables], bool] = lambda _: True  # where to have rows is not enough
    once: bool = False  # of the first dataset of a study only
    always: bool = False  # without an annex, too

    def applies(self, tables: Tables) -> bool:
        """Say whether there is anything to draw: its sources have rows that it tells of."""
        return all(len(tables[source]) > 0 for source in self.sources) and self.tells(tables)

    def drawn(self, data: pd.DataFrame, context: C) -> Figure:
        """Draw its data, as `data` gives them, in the report's style."""
        with style.house_style():
            return self.paint(data, context)


def figure_kind(
    data: Callable[[Tables, C], pd.DataFrame],
    rows: Callable[["Shown[C]"], Iterable[Row]],
    sources: tuple[str, ...],
    **more: Any,
) -> Callable[[Callable[[pd.DataFrame, C], Figure]], FigureKind[C]]:
    """Make a kind of figure of the function that draws it, and of the words beside its module.

    It is called as the function is; its words are `words/<name>.txt.j2`.
    """

    def kind(paint: Callable[[pd.DataFrame, C], Figure]) -> FigureKind[C]:
        name, folder = paint.__name__, Path(getfile(paint)).with_name("words")
        words = Words.read(folder / f"{name}.txt.j2")
        return FigureKind(name, data, paint, words, rows, sources, **more)

    return kind


@dataclass(frozen=True)
class Shown(Generic[C]):
    """What a figure shows: the data that are drawn, and the tables they come from."""

    kind: FigureKind[C]
    tables: Tables
    context: C

    @cached_property
    def data(self) -> pd.DataFrame:
        """The frame that is drawn."""
        return self.kind.data(self.tables, self.context)

    def drawn(self) -> Figure:
        """Draw it."""
        return self.kind.drawn(self.data, self.context)

    @property
    def alternative(self) -> str:
        """What it shows, for those who do not see it."""
        words, rows = self.kind.words, [*self.kind.rows(self)]
        each = [written(words.each, context=self.context, **row) for row in rows[:SAID]]
        if hidden := len(rows) - len(each):
            each.append(written("and {{ hidden }} more", hidden=hidden))
        known = {"rows": rows, "tables": self.tables, "context": self.context}
        return written(words.alternative, each="; ".join(each), **known)

    def rows(self, stage: str) -> list[Row]:
        """Give a stage's table row by row."""
        return rows_of(self.tables[stage])

    @property
    def headline(self) -> list[Row]:
        """The measures that models are judged by, a row a model."""
        return rows_of(headline_rows(self.tables["measures"]))


def grouped(rows: Iterable[Row], *names: str) -> list[Row]:
    """Give rows that stand together and agree in some columns as `rows` of one row."""
    groups = groupby(rows, lambda row: {name: row[name] for name in names})
    return [{**shared, "rows": list(own)} for shared, own in groups]


def one_line(template: str) -> str:
    """Join the lines of a template."""
    return BREAK.sub(" ", template.strip())


def written(template: str, **values: Any) -> str:
    """Fill a template of plain words."""
    return str(_template(template).render(values))


@cache
def _template(words: str) -> Any:
    from jinja2 import Environment, FunctionLoader, StrictUndefined  # not where words are not read

    environment = Environment(
        loader=FunctionLoader(lambda part: one_line((PACKAGE / part).read_text("utf-8"))),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - plain texts: what shows them escapes them
    )
    environment.tests["nan"] = math.isnan
    own = (name, then, plain, lowest, ratio_from_pc, pc_at)
    environment.filters.update(FORMS | {one.__name__: one for one in own})
    return environment.from_string(words)


def name(words: str) -> str:
    """Write a name that a user chose."""
    return plain(Name(words))


def then(loop: Any) -> str:
    """Write what stands behind an item of a list in a sentence."""
    return "" if loop.last else " and " if loop.revindex == 2 else ", "
