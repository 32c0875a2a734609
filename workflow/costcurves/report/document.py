"""What templates may see: plain values, no tables of the workflow and no functions.

A report is a list of sections. A section names the template part that shows it and holds the
content, a dataclass, which that part needs; sections may hold sections. To add one, write a
function that makes its content and a part `templates/parts/<part>.html.j2`, and list the function
in `sections.py` or `appendix.py`, or call it in `summary.py`.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, count
from operator import itemgetter
from typing import Any, Final

from costcurves.settings import Dataset
from costcurves.text import Text

NUMERIC: Final = {"nan": math.isnan, "infinite": math.isinf}  # tests of templates


@dataclass(frozen=True)
class Drawing:
    """A figure: its words, and its panels as SVG."""

    title: str
    caption: str
    alt: str
    panels: tuple[str, ...]


@dataclass(frozen=True)
class Estimate:
    """A number between the ends of its interval; NaN where there is none."""

    value: float
    low: float = math.nan
    high: float = math.nan

    def times(self, factor: float) -> "Estimate":
        """Return so many times the number."""
        return Estimate(factor * self.value, factor * self.low, factor * self.high)


VALUE: Final = itemgetter("value", "low", "high")  # of a row, for an estimate


def address(stage: str, slug: str = "", large: Collection[str] = ()) -> str:
    """Return the relative address of a table, of a dataset or of all of them together."""
    kind = "parquet" if stage in large else "csv"
    return f"tables/{stage}/{slug}.{kind}" if slug else f"tables/{stage}.csv"


@dataclass(frozen=True)
class Facts:
    """What a dataset is, and what its headline curves rest on."""

    slug: str
    title: str
    dataset: Dataset  # as configured
    instances: int
    positives: int
    negatives: int
    clusters: int  # to which instances belong; 0: no clusters
    effective: float  # instances of equal weight that say as much
    repeats: int
    folds: int  # of a repeat, the most of any
    all_folds: int  # of all repeats
    prior: float
    level: str  # the study's: that of in-sample averages
    estimate: str  # of the headline curves of models that have anything to choose from
    models: tuple[str, ...]
    fixed: tuple[str, ...]  # models that have nothing to choose from
    same_counts: bool  # every model was judged on the same number of instances
    confidence: float  # of each interval by itself

    @property
    def is_weighted(self) -> bool:
        """Whether instances count by weights of their own."""
        return self.effective < self.instances * (1 - 1e-9)

    @property
    def anchor(self) -> str:
        """Where its section begins; a slug holds no slash, so no other anchor is the same."""
        return f"data/{self.slug}"


@dataclass(frozen=True)
class Figure:
    """A numbered figure."""

    number: int
    drawing: Drawing


@dataclass(frozen=True)
class Table:
    """A numbered table: its title, the address of what it shows ("": several), and its rows."""

    number: int
    title: Text
    href: str
    rows: tuple[Any, ...]

    @property
    def anchor(self) -> str:
        """Where references to the table lead."""
        return f"table-{self.number}"


@dataclass(frozen=True, kw_only=True)
class Content:
    """What a part of the report shows of a dataset."""

    figure: Figure | None = None
    table: Table | None = None


def sizes(rows: Sequence[Any]) -> list[int]:
    """Count the rows of each of a table's groups; what is no group is a row itself."""
    return [len(getattr(row, "rows", [row])) for row in rows]


def capped(rows: Sequence[Any], limit: int) -> list[Any]:
    """Take the first rows, or groups of rows, of a table up to `limit`; the first one always."""
    fit = sum(end <= limit for end in accumulate(sizes(rows)))
    return list(rows[: max(1, fit)])


@dataclass(frozen=True)
class Section:
    """A part of the report with a heading."""

    anchor: str
    title: Text
    part: str
    content: Any
    sections: tuple["Section", ...] = ()
    first: bool = True  # of its kind: its notes say how tables are read
    facts: Facts | None = None  # of the dataset that it is about


@dataclass(frozen=True)
class Report:
    """The whole report."""

    title: str
    models: tuple[str, ...]  # their places are colours and dashes
    sections: tuple[Section, ...]
    swatches: tuple[str, ...]  # the models' lines as data addresses, in order
    letters: tuple[tuple[str, str], ...]  # weights of the figures' font, what is written with each
    description: tuple[str, ...] = ()  # the study's own paragraphs


@dataclass(frozen=True)
class Numbering:
    """Numbers of figures and of tables, in the order in which sections take them."""

    figures: "count[int]" = field(default_factory=lambda: count(1))
    tables: "count[int]" = field(default_factory=lambda: count(1))
