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
from costcurves.report.callouts import Callouts, callouts
from costcurves.report.claims import ClaimCounts, claims
from costcurves.report.control import Control, control
from costcurves.report.document import (
    WHOLE,
    Drawing,
    Facts,
    Figure,
    Lead,
    Numbering,
    Report,
    Section,
)
from costcurves.report.mapped import datasets_together
from costcurves.report.material import Material, facts_of, figure_of, material_of
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
    callouts: tuple[Callouts, ...]
    claims: ClaimCounts | None
    detail: str


@dataclass(frozen=True)
class Classes:
    """The classes of a dataset."""

    names: tuple[str, ...]
    anchors: tuple[str, ...]


def summarise(
    study: Study,
    materials: Sequence[Material],
    tables: Tables,
    figures: Figures,
    record: Mapping[str, Any],
    answer: Answer,
) -> Report:
    """Make the report of a study; `record` is what `manifest.with_files` makes."""
    whole = {MAP.name: MAP.empty(), CLAIMS.name: CLAIMS.empty()} | {**tables.get("", {})}
    counts, maps = whole[MAP.name], figures.get("", {})
    known, numbers = facts_by_name(study, tables), materials[0].numbers
    classes = any(one.of for one in study.counted)
    front = None if answer.listed else figure_of("map", maps, WHOLE, numbers)
    maps = maps if answer.listed else {}  # page 1 has it
    together = datasets_together(counts, maps, materials[0].roster, numbers, classes=classes)
    each = datasets(materials, answer.datasets)
    decided = claims(whole[CLAIMS.name], known, numbers)
    opening = Opening(
        answer=answer,
        map=front,
        control=control(materials, answer.listed) if answer.listed else None,
        callouts=tuple(map(callouts, materials if answer.listed else ())),
        claims=decided.content.summary if decided else None,
        detail=study.detail,
    )
    more = [appendix(materials)] if study.appendix else []
    made = provenance(record)
    defined = methods(study, materials, [one.estimate for one in known.values()])
    sections = (
        Section("verdict", ("Answer",), "verdict", opening),
        *together,
        *grouped(each, study.counted),
        *([decided] if decided else []),
        defined,
        Section("references", ("References",), "references", defined.content),
        made,
        *more,
    )
    places = range(len(materials[0].roster))
    return Report(
        study.title,
        _lead(materials),
        materials[0].roster,
        sections,
        swatches=tuple(map(swatch, places)),
        description=_paragraphs(study.description),
        letters=letters(
            panel for own in figures.values() for one in own.values() for panel in one.panels
        ),
    )


def _paragraphs(description: str | None) -> tuple[str, ...]:
    """Split a description at its blank lines."""
    parts = re.split(r"\n\s*\n", description or "")
    return tuple(part.strip() for part in parts if part.strip())


def facts_by_name(study: Study, tables: Tables) -> dict[str, Facts]:
    """Give what each dataset is."""
    large = in_parquet(tables.values())
    return {it.name: facts_of(it, tables[it.slug], study.level, large) for it in study.datasets}


def grouped(sections: Sequence[Section], datasets: Sequence[Dataset]) -> tuple[Section, ...]:
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
        content = Classes(
            names=tuple(str(one.positive) for one in of),
            anchors=tuple(section.anchor for section in inner),
        )
        found.append(Section(anchor, (title,), "classes", content, inner))
    return tuple(found)


def materials_of(study: Study, tables: Tables, figures: Figures) -> list[Material]:
    """Give what is known of each dataset that is counted, with what is of its sibling."""
    facts, numbers = facts_by_name(study, tables), Numbering()
    roster = tuple(dict.fromkeys(model for one in facts.values() for model in one.models))

    def made(dataset: Dataset, weighted: Material | None = None) -> Material:
        own, drawn = tables[dataset.slug], {**figures.get(dataset.slug, {})}
        front = drawn.get("cost_curves") if weighted is None else None
        if front is not None and len(study.counted) <= LISTED:
            del drawn["cost_curves"]
            if rest := front.panels[1:]:  # with bands
                drawn["cost_curves"] = replace(front, panels=rest)
        else:
            front = None
        return material_of(
            study, dataset, facts[dataset.name], own, drawn, roster, numbers, weighted, front
        )

    weighted = {it.original: made(it) for it in study.datasets if it.weighted}
    return [made(it, weighted.get(it.name)) for it in study.counted]


def _lead(materials: Sequence[Material]) -> Lead:
    """Count what was compared."""
    instances = {one.facts.of: one.facts.instances for one in materials}  # its classes share them
    return Lead(
        datasets=len(instances),
        parts=len(materials),
        models=len(materials[0].roster),
        instances=sum(instances.values()),
    )
