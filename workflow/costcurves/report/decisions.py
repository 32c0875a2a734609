"""Decisions among several classes by a matrix of costs: what they cost, and err."""

from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from costcurves.costs.decisions import ALWAYS, RECALIBRATED
from costcurves.report.document import Estimate, Model, Table
from costcurves.report.material import Material
from costcurves.text import Name


@dataclass(frozen=True)
class Decider:
    """What decides by the matrix, and its cost."""

    name: str
    rule: str
    model: Model | None  # None: a constant decision
    cost: Estimate
    possible: int  # 1: not ruled out, 0: ruled out, -1: not compared

    @property
    def label(self) -> str:
        """Its name with its rule, where models have several."""
        return f"{self.name} ({self.rule})" if self.rule == RECALIBRATED else self.name


@dataclass(frozen=True)
class Confused:
    """How cases of a class are decided."""

    true: str
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Decided:
    """What costs least by the matrix, which the first of the classes has."""

    title: str
    rows: tuple[Decider, ...]  # that were compared, the lowest cost first; then the others
    confidence: float

    @property
    def best(self) -> Decider:
        """The lowest estimate."""
        return self.rows[0]

    @property
    def others(self) -> tuple[Decider, ...]:
        """The others that are not ruled out."""
        return tuple(row for row in self.rows[1:] if row.possible == 1)

    @property
    def by_model(self) -> Decider:
        """The lowest estimate of the models."""
        return next(row for row in self.rows if row.rule != ALWAYS)

    @property
    def constant(self) -> Decider:
        """The lowest estimate of the constant decisions."""
        return next(row for row in self.rows if row.rule == ALWAYS)


@dataclass(frozen=True)
class MatrixTables:
    """The same with its tables."""

    decided: Decided
    costs: Table
    confused: Table


def decided(material: Material) -> Decided | None:
    """Read what costs least by the matrix; None: there is none."""
    rows = material.rows("decisions")
    each = [
        Decider(
            row["name"],
            row["rule"],
            None if row["rule"] == ALWAYS else material.model(row["name"]),
            Estimate(row["cost"], row["low"], row["high"]),
            row["possible"],
        )
        for row in sorted(rows, key=itemgetter("cost"))
    ]
    if all(row.possible < 0 for row in each):
        return None
    title = material.facts.title.removesuffix(f": {material.facts.positive}")
    ordered = sorted(each, key=lambda row: row.possible < 0)
    return Decided(title, tuple(ordered), float(rows[0]["confidence"]))


def decisions(material: Material) -> MatrixTables | None:
    """Return the same with its tables: costs, and how cases are decided."""
    result = decided(material)
    if result is None:
        return None
    best = result.by_model
    rows = [
        row
        for row in material.rows("confusions")
        if (row["name"], row["rule"]) == (best.name, best.rule)
    ]
    confused = tuple(
        Confused(true, tuple(round(row["cases"]) for row in counts))
        for true, counts in groupby(rows, itemgetter("true"))
    )
    tables = [
        Table(
            material.numbers.table(),
            (Name(result.title), ": ", words),
            material.facts.table(stage),
            shown,
        )
        for stage, words, shown in (
            ("decisions", "what a case costs by the matrix of costs", result.rows),
            ("confusions", "how 1000 cases of each class are decided", confused),
        )
    ]
    return MatrixTables(result, *tables)
