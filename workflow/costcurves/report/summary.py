"""From tables to the report: every value that the pages show, as plain values.

Parts of the report are made in the order in which they are read, because figures and tables take
their numbers in that order; only the first page is made last and put first, as it sums up the rest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from costcurves.report import alternatives
from costcurves.report.document import Facts, Figure, Image, Numbering, Report, Section, Table
from costcurves.report.formats import counted
from costcurves.report.marks import strip, swatch
from costcurves.report.material import Material, facts_of
from costcurves.report.methods import methods, provenance, read_provenance, references
from costcurves.report.sections import Judged, dataset, judged
from costcurves.report.text import Text, phrase, plain

if TYPE_CHECKING:
    from costcurves.tables.study import Study

Tables = Mapping[str, Mapping[str, pd.DataFrame]]
Figures = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class Answer:
    """A dataset's answer in a sentence, and who is cheapest along PC(+) as a strip."""

    facts: Facts
    text: Text
    strip: Image


@dataclass(frozen=True)
class Group:
    """The models of one dataset in the table of the first page."""

    facts: Facts
    models: tuple[Judged, ...]


@dataclass(frozen=True)
class Verdict:
    """The first page."""

    answers: tuple[Answer, ...]
    figure: Figure
    table: Table


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
    verdict = _verdict(materials, datasets[0], first_table)
    closing = (methods(study, facts), references(), provenance(record))
    swatches = tuple(swatch(place) for place in range(len(materials[0].roster)))
    sections = (verdict, *datasets, *closing)
    return Report(study.title, _lead(materials, record), sections, swatches)


def _materials(
    study: "Study", tables: Tables, figures: Figures, numbers: Numbering
) -> list[Material]:
    facts = [facts_of(it, tables[it.slug]["measures"], study.level) for it in study.datasets]
    roster = tuple(dict.fromkeys(model for one in facts for model in one.models))
    return [Material(one, tables[one.slug], figures[one.slug], roster, numbers) for one in facts]


def _verdict(materials: Sequence[Material], first: Section, number: int) -> Section:
    """Sum up: an answer for each dataset, the first figure of the first, and one table of all."""
    groups = tuple(Group(it.facts, tuple(judged(it))) for it in materials)
    title = ("Every model in numbers",)
    table = Table(number, title, "", groups)
    answers = tuple(map(_answer, materials))
    figure = first.sections[0].content.figure
    return Section("verdict", ("Verdict",), "verdict", Verdict(answers, figure, table))


def _answer(material: Material) -> Answer:
    text = alternatives.verdict(material)
    words = phrase("Cheapest along PC(+): {}", text)
    return Answer(material.facts, text, strip(material.leads, material.index, plain(words)))


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
