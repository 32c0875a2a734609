"""From tables to the report: every value that the pages show, as plain values.

Parts of the report are made in the order in which they are read, because figures and tables take
their numbers in that order; only the first page is made last and put first, as it sums up the rest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from costcurves.figures.style import colour
from costcurves.report.callouts import Callout, callouts, optimism
from costcurves.report.differences import Differences
from costcurves.report.document import Facts, Figure, Numbering, Report, Section, Table
from costcurves.report.formats import counted
from costcurves.report.marks import swatch
from costcurves.report.material import Material, facts_of
from costcurves.report.methods import methods, provenance, read_provenance, references
from costcurves.report.papers import papers
from costcurves.report.sections import Judged, dataset, judged
from costcurves.report.text import Text, phrase

if TYPE_CHECKING:
    from costcurves.tables.study import Study

Tables = Mapping[str, Mapping[str, pd.DataFrame]]
Figures = Mapping[str, Mapping[str, str]]

MARKED = 2  # operating conditions in its table
MOST = 3  # decided pairs of a dataset that the first page goes through one by one


@dataclass(frozen=True)
class Group:
    """The models of one dataset in the table of the first page."""

    facts: Facts
    models: tuple[Judged, ...]


@dataclass(frozen=True)
class Verdict:
    """The first page; `all` is what holds for every dataset, a sentence and small print."""

    callouts: tuple[Callout, ...]
    all: tuple[Text, Text] | None
    figure: Figure | None
    matrices: tuple[Figure, ...]
    table: Table
    conditions: tuple[str, ...]
    confidence: float


def summarise(
    study: "Study", tables: Tables, figures: Figures, record: Mapping[str, Any]
) -> Report:
    """Make the report of a study.

    Parameters
    ----------
    study
        The study.
    tables
        Every table by dataset (slug) and stage.
    figures
        Every figure's SVG by dataset (slug) and name.
    record
        The provenance: `sources` (`path`, `sha256`, `rows` each), `versions`, `configuration`,
        `seed` and `code`.

    Returns
    -------
    Report
        Plain values for templates.
    """
    numbers = Numbering()
    first_table = numbers.table()
    materials = _materials(study, tables, figures, numbers)
    datasets = [dataset(material) for material in materials]
    facts = [material.facts for material in materials]
    verdict = _verdict(materials, datasets, first_table)
    redrawn = [section for section in (papers(materials),) if section is not None]
    explained = methods(study, facts, _chance(materials))
    closing = (*redrawn, explained, references(), provenance(record))
    places = range(len(materials[0].roster))
    swatches, colours = tuple(map(swatch, places)), tuple(map(colour, places))
    sections = (verdict, *datasets, *closing)
    return Report(study.title, _lead(materials, record), sections, swatches, colours)


def _materials(
    study: "Study", tables: Tables, figures: Figures, numbers: Numbering
) -> list[Material]:
    facts = [facts_of(it, tables[it.slug]["measures"], study.level) for it in study.datasets]
    roster = tuple(dict.fromkeys(model for one in facts for model in one.models))
    return [Material(one, tables[one.slug], figures[one.slug], roster, numbers) for one in facts]


def _verdict(materials: Sequence[Material], datasets: Sequence[Section], number: int) -> Section:
    """Sum up: what the data decide, the first figure of the first dataset, one table of all."""
    groups = tuple(Group(it.facts, tuple(judged(it))) for it in materials)
    title = ("Every model in numbers",)
    table = Table(number, title, "", groups)
    values = Verdict(
        callouts=tuple(one for it in materials for one in callouts(it, MOST)),
        all=optimism(materials),
        figure=datasets[0].sections[0].content.figure,
        matrices=_matrices(datasets),
        table=table,
        conditions=materials[0].conditions[:MARKED],
        confidence=materials[0].confidence,
    )
    return Section("verdict", ("Verdict",), "verdict", values)


def _matrices(datasets: Sequence[Section]) -> tuple[Figure, ...]:
    """Collect the pictures of all pairs of each dataset."""
    inner = (one.content for section in datasets for one in section.sections)
    found = (one.matrix for one in inner if isinstance(one, Differences))
    return tuple(figure for figure in found if figure is not None)


def _chance(materials: Sequence[Material]) -> list[str]:
    """Collect how chance was measured, as the tables call it."""
    stages = ("intervals", "verdicts")
    named = (row["method"] for it in materials for stage in stages for row in it.rows(stage))
    return sorted(set(named))


def _lead(materials: Sequence[Material], record: Mapping[str, Any]) -> Text:
    """Say in one line what was compared and what it was built from."""
    made = read_provenance(record)
    models = len(materials[0].roster)
    pattern = "{}, {}, {}. Built by code {} from predictions {}. Every number links to its table."
    return phrase(
        pattern,
        counted(len(materials), "dataset"),
        counted(models, "model"),
        counted(sum(it.facts.instances for it in materials), "instance"),
        made.code[:8],
        made.predictions[:8],
    )
