"""Text of the study's own, put around the sections of its report."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING

from costcurves.errors import InputError
from costcurves.report.document import Report, Section
from costcurves.tables.configuration.names import some
from costcurves.tables.configuration.wording import Words

if TYPE_CHECKING:
    from costcurves.tables.configuration.dataset import Dataset

Slugs = Set[str]


def with_own_text(report: Report, texts: Sequence[Words], datasets: Sequence["Dataset"]) -> Report:
    """Put a study's texts around the sections of its report; several of one follow each other.

    A text about a dataset with several classes is about each of them, and about the section that
    holds them.
    """
    slugs = _slugs(datasets)
    places = [place for section in report.sections for place in _places(section, set())]
    homeless = [
        _homeless(one, places)
        for one in texts
        if not any(_meant(one, *place, slugs) for place in places)
    ]
    if homeless:
        raise InputError(homeless)
    sections = tuple(_around(section, set(), texts, slugs) for section in report.sections)
    return replace(report, sections=sections)


def _slugs(datasets: Sequence["Dataset"]) -> dict[str, set[str]]:
    """Say what the files of each dataset are called, by its name; of several classes, of each."""
    found: dict[str, set[str]] = {}
    for one in datasets:
        for name in {one.name, one.in_files}:
            found.setdefault(name, set()).add(one.slug)
    return found


def _places(section: Section, around: Slugs) -> list[tuple[str, Slugs]]:
    """List a section and those in it: the part of each, and its datasets."""
    own = _datasets(section, around)
    inner = [place for one in section.sections for place in _places(one, own)]
    return [(section.part, own), *inner]


def _datasets(section: Section, around: Slugs) -> Slugs:
    """Give the slugs of the datasets that a section is about; `around` are those it stands in."""
    if section.part == "classes":
        return {slug for one in section.sections for slug in _datasets(one, around)}
    return {str(section.content.facts.slug)} if section.part == "dataset" else around


def _homeless(text: Words, places: Sequence[tuple[str, Slugs]]) -> str:
    of = f" of the dataset {text.dataset!r}" if text.dataset is not None else ""
    known = some(list(dict.fromkeys(part for part, _ in places)), 99)
    return (
        f"report: there is a text for {text.section!r}{of}, a section that this report has not; "
        f"its sections are {known}"
    )


def _around(
    section: Section, around: Slugs, texts: Sequence[Words], slugs: Mapping[str, Slugs]
) -> Section:
    """Put texts around a section, and around those in it; `around` are the datasets it is in."""
    datasets = _datasets(section, around)
    own = [one for one in texts if _meant(one, section.part, datasets, slugs)]
    return replace(
        section,
        before=_joined([one.before for one in own]),
        after=_joined([one.after for one in own]),
        sections=tuple(_around(inner, datasets, texts, slugs) for inner in section.sections),
    )


def _meant(text: Words, part: str, datasets: Slugs, slugs: Mapping[str, Slugs]) -> bool:
    """Say whether a text belongs to a section of this part about these datasets."""
    of = text.dataset
    return text.section == part and (of is None or (bool(datasets) and datasets <= slugs[of]))


def _joined(texts: Sequence[str | None]) -> str:
    return "\n\n".join(text for text in texts if text)
