"""From tables to the report: every value that the pages show, as plain values.

Parts of the report are made in the order in which they are read, because figures and tables take
their numbers in that order.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import pandas as pd

from costcurves.many.claims import CLAIMS
from costcurves.many.map import MAP
from costcurves.report.answer import LISTED, Answer
from costcurves.report.appendix import appendix
from costcurves.report.claims import Claims, claims
from costcurves.report.control import Control, control
from costcurves.report.document import Drawing, Figure, Numbering, Report, Section
from costcurves.report.mapped import datasets_together
from costcurves.report.material import Material, figure_of
from costcurves.report.methods import methods, provenance
from costcurves.report.pictures import letters, swatch
from costcurves.report.sections import datasets
from costcurves.settings import Dataset, Study
from costcurves.tables.contract import in_parquet
from costcurves.text import Name

Tables = Mapping[str, Mapping[str, pd.DataFrame]]
Figures = Mapping[str, Mapping[str, Drawing]]


@dataclass(frozen=True)
class Opening:
    """What page 1 shows."""

    answer: Answer
    map: Figure | None
    control: Control | None
    claims: Claims | None
    detail: str


def summarise(
    study: Study,
    materials: Sequence[Material],
    tables: Tables,
    figures: Figures,
    record: Mapping[str, Any],
    answer: Answer,
) -> Report:
    """Make the report of a study; `record` is what `manifest.with_files` makes."""
    counts, maps = tables[""][MAP.name], figures.get("", {})
    numbers = materials[0].numbers
    classes = any(dataset.of for dataset in study.counted)
    front = None if answer.listed else figure_of("map", maps, numbers)
    maps = maps if answer.listed else {}  # page 1 has it
    together = datasets_together(counts, maps, numbers, classes=classes)
    each = datasets(materials, answer.datasets)
    titles = {dataset.name: dataset.title for dataset in study.datasets}
    decided = claims(tables[""][CLAIMS.name], titles, numbers)
    opening = Opening(
        answer=answer,
        map=front,
        control=control(materials, answer.listed) if answer.listed else None,
        claims=decided.content if decided else None,
        detail=study.detail,
    )
    defined = methods(study, materials)
    paragraphs = re.split(r"\n\s*\n", study.description or "")
    sections = (
        Section("verdict", ("Answer",), "verdict", opening),
        together,
        *grouped(each),
        decided,
        defined,
        Section("references", ("References",), "references", defined.content),
        provenance(record),
        appendix(materials) if study.appendix else None,
    )
    places = range(len(materials[0].roster))
    return Report(
        study.title,
        materials[0].roster,
        tuple(filter(None, sections)),
        swatches=tuple(map(swatch, places)),
        description=tuple(part.strip() for part in paragraphs if part.strip()),
        letters=letters(
            panel
            for drawings in figures.values()
            for drawing in drawings.values()
            for panel in drawing.panels
        ),
    )


def grouped(sections: Sequence[Section]) -> list[Section]:
    """Put the sections of the classes of the same dataset into one."""
    groups: list[Section] = []
    for whole, group in groupby(sections, key=lambda each: each.content.facts.dataset.of):
        inner = tuple(group)
        if whole is None:
            groups += inner
            continue
        first = inner[0].content.facts.dataset
        title = Name(first.title.removesuffix(f": {first.positive}"))
        anchor = f"classes/{first.slug.rpartition('--')[0]}"
        groups.append(Section(anchor, (title,), "classes", None, inner))
    return groups


def materials_of(study: Study, tables: Tables, figures: Figures) -> list[Material]:
    """Return what is known of each dataset that is counted, with what is of its sibling."""
    measures = (tables[dataset.slug]["measures"] for dataset in study.datasets)
    roster = tuple(dict.fromkeys(model for table in measures for model in table["model"]))
    numbers, large = Numbering(), in_parquet(tables.values())

    def made(dataset: Dataset, weighted: Material | None = None) -> Material:
        drawn, front = {**figures.get(dataset.slug, {})}, None
        if weighted is None and "cost_curves" in drawn and len(study.counted) <= LISTED:
            front = drawn.pop("cost_curves")
            if rest := front.panels[1:]:  # with bands
                drawn["cost_curves"] = replace(front, panels=rest)
        of = tables[dataset.slug]
        return Material(study, dataset, of, drawn, roster, numbers, weighted, front, large)

    weighted = {each.original: made(each) for each in study.datasets if each.weighted}
    return [made(each, weighted.get(each.name)) for each in study.counted]
