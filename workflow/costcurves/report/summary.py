"""From tables to the report: every value that the pages show, as plain values.

Parts of the report are made in the order in which they are read, because figures and tables take
their numbers in that order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

import pandas as pd

from costcurves.additions import chapters
from costcurves.figures.style import colour
from costcurves.formats import counted
from costcurves.report.claims import claims
from costcurves.report.document import Drawing, Numbering, Report, Section, Values
from costcurves.report.front import front
from costcurves.report.mapped import choosing_together, datasets_together
from costcurves.report.material import Material, datasets_in_words, facts_of
from costcurves.report.methods import methods, provenance
from costcurves.report.pictures import letters, swatch
from costcurves.report.sections import datasets
from costcurves.report.text import Name, Text, phrase
from costcurves.tables.claims import CLAIMS
from costcurves.tables.contract import in_parquet
from costcurves.tables.inference.map import MAP

if TYPE_CHECKING:
    from costcurves.tables.configuration.dataset import Dataset
    from costcurves.tables.configuration.study import Study

Tables = Mapping[str, Mapping[str, pd.DataFrame]]
Figures = Mapping[str, Mapping[str, Drawing]]


def summarise(
    study: "Study", tables: Tables, figures: Figures, record: Mapping[str, Any]
) -> Report:
    """Make the report of a study; `record` is what `manifest.with_files` makes."""
    whole = {MAP.name: MAP.empty(), CLAIMS.name: CLAIMS.empty()} | {**tables.get("", {})}
    counts, maps = whole[MAP.name], figures.get("", {})
    numbers = Numbering()
    materials = _materials(study, tables, figures, numbers)
    facts = [it.facts for it in materials]
    opening = front(materials, numbers, counts)
    views = {
        (dataset.name, by_cost): own.facts
        for dataset, material in zip(study.datasets, materials, strict=True)
        for by_cost, own in ((False, material), (True, material.by_cost))
        if own is not None
    }
    decided = claims(whole[CLAIMS.name], views, numbers)
    opening.claims = decided.content.summary if decided else ()
    opening.detail = study.detail
    classes = any(one.of for one in study.datasets)
    together = datasets_together(counts, maps, materials[0].roster, numbers, classes=classes)
    each = datasets(materials, opening)
    chosen = choosing_together(maps, materials, numbers)
    more = [made(materials) for made in chapters()] if study.detail == "full" else []
    made = provenance(record)
    chance = sorted({method for it in materials for method in it.chance})
    defined = methods(study, facts, chance, [one.estimate for one in views.values()])
    sections = (
        Section("verdict", ("Verdict",), "verdict", opening),
        *([decided] if decided else []),
        *together,
        *grouped(each, study.datasets),
        *chosen,
        defined,
        Section("references", ("References",), "references", defined.content, folded=True),
        made,
        *more,
    )
    places = range(len(materials[0].roster))
    return Report(
        study.title,
        _lead(materials, made.content),
        sections,
        swatches=tuple(map(swatch, places)),
        colours=tuple(map(colour, places)),
        letters=letters(one.text for drawn in figures.values() for one in drawn.values()),
    )


def grouped(sections: Sequence[Section], datasets: Sequence["Dataset"]) -> tuple[Section, ...]:
    """Put the sections (one a dataset, in order) of the classes of the same dataset into one."""
    pairs = zip(sections, datasets, strict=True)
    found: list[Section] = []
    for whole, group in groupby(pairs, key=lambda pair: pair[1].of):
        inner, of = zip(*group, strict=True)
        if whole is None:
            found += inner
            continue
        title = Name(of[0].title.removesuffix(f": {of[0].positive}"))
        anchor = f"classes/{of[0].slug.rpartition('--')[0]}"
        content = Values(
            names=tuple(str(one.positive) for one in of),
            anchors=tuple(section.anchor for section in inner),
        )
        found.append(Section(anchor, (title,), "classes", content, inner))
    return tuple(found)


def _materials(
    study: "Study", tables: Tables, figures: Figures, numbers: Numbering
) -> list[Material]:
    large = in_parquet(tables.values())
    facts = [facts_of(it, tables[it.slug], study.level, large) for it in study.views]
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
    """Say in one line what was compared, and the fingerprint of what it was built from."""
    instances = {one.facts.of: one.facts.instances for one in materials}  # its classes share them
    return phrase(
        "{}, {}, {}. Fingerprint {}. "
        f"{''.join(f'{remark} ' for remark in made.remarks)}"
        "Numbers in sentences link to their tables, and each table names the files of its numbers.",
        datasets_in_words(materials),
        counted(len(materials[0].roster), "model"),
        counted(sum(instances.values()), "instance"),
        made.fingerprint[:12],
    )
