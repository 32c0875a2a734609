"""From tables to the report: every value that the pages show, as plain values.

Parts of the report are made in the order in which they are read, because figures and tables take
their numbers in that order. The first figure of the first dataset is shown on the first page,
unless there are many datasets and a map of them: then the map comes first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

import pandas as pd

from costcurves.figures.style import colour
from costcurves.formats import counted
from costcurves.report.claims import claims
from costcurves.report.document import Drawing, Numbering, Report, Section, Values
from costcurves.report.fonts import letters
from costcurves.report.front import front
from costcurves.report.mapped import Mapped, datasets_together, has_map
from costcurves.report.material import Material, facts_of
from costcurves.report.methods import methods, provenance
from costcurves.report.pictures import swatch
from costcurves.report.sections import annex, dataset
from costcurves.report.text import Name, Text, phrase
from costcurves.tables.keys import IN_SAMPLE

if TYPE_CHECKING:
    from costcurves.tables.configuration.dataset import Dataset
    from costcurves.tables.configuration.study import Study

Tables = Mapping[str, Mapping[str, pd.DataFrame]]
Figures = Mapping[str, Mapping[str, Drawing]]


def summarise(
    study: "Study",
    tables: Tables,
    figures: Figures,
    record: Mapping[str, Any],
    mapped: Mapped | None = None,
    claimed: pd.DataFrame | None = None,
) -> Report:
    """Make the report of a study, as plain values for templates.

    `record` is the manifest of everything but the report's own pages, as `manifest.with_files`
    makes it.
    """
    numbers = Numbering()
    materials = _materials(study, tables, figures, numbers)
    facts = [it.facts for it in materials]
    opening = front(materials, numbers, has_map=has_map(mapped))
    slugs = {one.name: one.slug for one in study.datasets}
    decided = claims(claimed, facts, numbers, slugs)
    opening.claims = decided.content.summary if decided else ()
    opening.detail = study.detail
    together = datasets_together(mapped, materials[0].roster, numbers)
    datasets = [dataset(material) for material in materials]
    more = [annex(materials)] if study.detail == "full" else []
    made = provenance(record)
    inferred = [row for it in materials for row in (*it.rows("intervals"), *it.rows("verdicts"))]
    # In-sample are the pairs that were not tested.
    chance = sorted({row["method"] for row in inferred} - {IN_SAMPLE})
    sections = (
        Section("verdict", ("Verdict",), "verdict", opening),
        *([decided] if decided else []),
        *together,
        *grouped(datasets, study.datasets),
        methods(study, facts, chance),
        Section("references", ("References",), "references", None),
        made,
        *more,
    )
    places = range(len(materials[0].roster))
    swatches, colours = tuple(map(swatch, places)), tuple(map(colour, places))
    pictures = (*figures.values(), mapped.figures if mapped else {})
    used = letters(one.text for drawn in pictures for one in drawn.values())
    lead = _lead(materials, made.content)
    return Report(study.title, lead, sections, swatches, colours, used)


def grouped(sections: Sequence[Section], datasets: Sequence["Dataset"]) -> tuple[Section, ...]:
    """Put the sections (one a dataset, in order) of the classes of the same dataset into one."""
    pairs = zip(sections, datasets, strict=True)
    found: list[Section] = []
    for whole, group in groupby(pairs, key=lambda pair: pair[1].of):
        inner, of = zip(*group, strict=True)
        found += inner if whole is None else [_whole(inner, of)]
    return tuple(found)


def _whole(sections: tuple[Section, ...], datasets: Sequence["Dataset"]) -> Section:
    first = datasets[0]
    content = Values(
        names=tuple(str(one.positive) for one in datasets),
        anchors=tuple(section.anchor for section in sections),
    )
    title = Name(first.title.removesuffix(f": {first.positive}"))
    anchor = f"classes/{first.slug.rpartition('--')[0]}"
    return Section(anchor, (title,), "classes", content, sections)


def _materials(
    study: "Study", tables: Tables, figures: Figures, numbers: Numbering
) -> list[Material]:
    facts = [facts_of(it, tables[it.slug]["measures"], study.level) for it in study.views]
    roster = tuple(dict.fromkeys(model for one in facts for model in one.models))
    made = {
        one.slug: Material(one, tables[one.slug], figures[one.slug], roster, numbers)
        for one in facts
    }
    return [
        replace(
            made[it.slug],
            by_cost=made.get(it.by_cost.slug),
            unit=it.costs.unit if it.costs else "",
        )
        for it in study.datasets
    ]


def _lead(materials: Sequence[Material], made: Values) -> Text:
    """Say in one line what was compared and what it was built from."""
    return phrase(
        "{}, {}, {}. Built by code {} from predictions {}. "
        "Numbers in sentences link to their tables, and each table names the files of its numbers.",
        counted(len(materials), "dataset"),
        counted(len(materials[0].roster), "model"),
        counted(sum(it.facts.instances for it in materials), "instance"),
        made.code[:8],
        made.predictions[:8],
    )
