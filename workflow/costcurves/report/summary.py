"""From tables to the report: every value that the pages show, as plain values.

Parts of the report are made in the order in which they are read, because figures and tables take
their numbers in that order. The first figure of the first dataset is shown on the first page,
unless there are many datasets and a map of them: then the map comes first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from costcurves.figures.style import colour
from costcurves.formats import counted
from costcurves.report.claims import claims
from costcurves.report.document import Drawing, Numbering, Report, Section
from costcurves.report.fonts import letters
from costcurves.report.front import Verdict, front
from costcurves.report.grouped import grouped
from costcurves.report.mapped import Mapped, datasets_together, has_map
from costcurves.report.material import Material, facts_of
from costcurves.report.methods import methods, provenance, read_provenance, references
from costcurves.report.sections import dataset
from costcurves.report.swatches import swatch
from costcurves.report.text import Text, phrase
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
    opening = front(materials, numbers, has_map=has_map(mapped))
    slugs = {one.name: one.slug for one in study.datasets}
    decided = claims(claimed, [it.facts for it in materials], numbers, slugs)
    together = datasets_together(mapped, materials[0].roster, numbers)
    datasets = [dataset(material) for material in materials]
    sections = (
        _first(opening, decided, study.detail),
        *([decided] if decided else []),
        *together,
        *grouped(datasets, study.datasets),
        *_last(study, materials, record),
    )
    places = range(len(materials[0].roster))
    swatches, colours = tuple(map(swatch, places)), tuple(map(colour, places))
    pictures = (*figures.values(), mapped.figures if mapped else {})
    used = letters(one.text for drawn in pictures for one in drawn.values())
    return Report(study.title, _lead(materials, record), sections, swatches, colours, used)


def _first(opening: Verdict, decided: Section | None, detail: str) -> Section:
    """Complete the first page by what the sections after it hold."""
    said = decided.content.summary if decided else ()
    verdict = replace(opening, claims=said, detail=detail)
    return Section("verdict", ("Verdict",), "verdict", verdict)


def _last(
    study: "Study", materials: Sequence[Material], record: Mapping[str, Any]
) -> tuple[Section, ...]:
    """Make the sections about all datasets that come after them."""
    explained = methods(study, [it.facts for it in materials], _chance(materials))
    return explained, references(), provenance(record)


def _materials(
    study: "Study", tables: Tables, figures: Figures, numbers: Numbering
) -> list[Material]:
    facts = [facts_of(it, tables[it.slug]["measures"], study.level) for it in study.views]
    roster = tuple(dict.fromkeys(model for one in facts for model in one.models))
    made = {
        one.slug: Material(
            one, tables[one.slug], figures[one.slug], roster, numbers, full=study.detail == "full"
        )
        for one in facts
    }
    return [_with_costs(made, it) for it in study.datasets]


def _with_costs(made: Mapping[str, Material], dataset: "Dataset") -> Material:
    """Give a dataset's material, and behind it that of its view by cost."""
    unit = "" if dataset.costs is None else dataset.costs.unit
    return replace(made[dataset.slug], by_cost=made.get(dataset.by_cost.slug), unit=unit)


def _chance(materials: Sequence[Material]) -> list[str]:
    """Collect how chance was measured, as the tables call it."""
    stages = ("intervals", "verdicts")
    named = {row["method"] for it in materials for stage in stages for row in it.rows(stage)}
    return sorted(named - {IN_SAMPLE})  # of pairs that were not tested


def _lead(materials: Sequence[Material], record: Mapping[str, Any]) -> Text:
    """Say in one line what was compared and what it was built from."""
    made = read_provenance(record)
    models = len(materials[0].roster)
    pattern = (
        "{}, {}, {}. Built by code {} from predictions {}. "
        "Numbers in sentences link to their tables, and each table names the files of its numbers."
    )
    return phrase(
        pattern,
        counted(len(materials), "dataset"),
        counted(models, "model"),
        counted(sum(it.facts.instances for it in materials), "instance"),
        made.code[:8],
        made.predictions[:8],
    )
