"""One dataset as its sections see it: its tables, its figures, and the facts behind both."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from costcurves.figures.catalogue import FIGURES
from costcurves.report.document import Facts, Figure, Model, Numbering, Table
from costcurves.report.leads import Lead, leads
from costcurves.report.marks import picture
from costcurves.report.sentences import Useful
from costcurves.report.text import Text

if TYPE_CHECKING:
    from costcurves.tables.study import Dataset

SOURCES: Final = {kind.name: kind.sources for kind in FIGURES}


@dataclass(frozen=True)
class Material:
    """What the sections of one dataset are made from.

    Parameters
    ----------
    facts
        What the dataset is.
    tables
        Its tables by stage.
    figures
        Its figures' SVG texts by name.
    roster
        All models of the study in order; a model's place is its colour and dash in every figure.
    numbers
        Where figures and tables take their numbers.
    """

    facts: Facts
    tables: Mapping[str, pd.DataFrame]
    figures: Mapping[str, str]
    roster: Sequence[str]
    numbers: Numbering

    @cached_property
    def headline(self) -> list[dict[str, Any]]:
        """The measures that models are judged by, a row a model."""
        return [row for row in self.rows("measures") if row["headline"]]

    @cached_property
    def leads(self) -> tuple[Lead, ...]:
        """Who is cheapest where."""
        return leads(self.tables["crossovers"], self.facts.models)

    @cached_property
    def useful(self) -> tuple[Useful, ...]:
        """Every model against the trivial classifiers."""
        names = [one.name for one in fields(Useful)]
        return tuple(Useful(**{name: row[name] for name in names}) for row in self.headline)

    @cached_property
    def areas(self) -> dict[tuple[str, str], float]:
        """The area under each model's average by method, at the headline's level if it is there."""
        areas: dict[tuple[str, str, str], float] = defaultdict(float)
        for row in self.rows("averages"):
            height = (row["nec_from"] + row["nec_to"]) / 2
            areas[row["model"], row["method"], row["level"]] += height * (
                row["pc_to"] - row["pc_from"]
            )
        found = {(model, method): area for (model, method, _), area in areas.items()}
        at_level = {key[:2]: area for key, area in areas.items() if key[2] == self.facts.level}
        return found | at_level

    def rows(self, stage: str) -> list[dict[str, Any]]:
        """Give a stage's table row by row."""
        table = self.tables[stage]
        rows = table.itertuples(index=False, name=None)
        return [dict(zip(table.columns, row, strict=True)) for row in rows]

    def index(self, model: str) -> int:
        """Give the model's place in the study."""
        return self.roster.index(model)

    def model(self, name: str) -> Model:
        """Give a model with its place in the study."""
        return Model(name, self.index(name))

    def figure(self, name: str, alt: str) -> Figure:
        """Take one of the catalogue's figures, with what it shows in words."""
        image = picture(self.figures[name], alt)
        return Figure(self.numbers.figure(), name, image, self.facts, SOURCES[name])

    def table(self, stage: str, title: Text, rows: Sequence[Any]) -> Table:
        """Take the next number for a table of rows that come from a stage."""
        return Table(self.numbers.table(), title, self.facts.table(stage), tuple(rows))


def facts_of(dataset: "Dataset", measures: pd.DataFrame) -> Facts:
    """Read from its measures what a dataset is: the counts are those of its largest model.

    Parameters
    ----------
    dataset
        The dataset, as the study names it.
    measures
        Its measures.
    """
    headline = measures[measures["headline"]]
    largest = headline.iloc[int(headline["instances"].argmax())]
    counts = headline[["instances", "positives", "repeats", "folds"]]
    return Facts(
        slug=dataset.slug,
        title=dataset.title,
        positive=dataset.positive,
        **{
            name: int(largest[name])
            for name in ("instances", "positives", "negatives", "repeats", "folds", "curves")
        },
        prior=float(largest["prior"]),
        level=str(largest["level"]),
        estimate=str(largest["estimate"]),
        models=tuple(map(str, headline["model"])),
        alike=len(counts.drop_duplicates()) == 1,
    )
