"""Text of the study's own, put around the sections of its report."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from costcurves.errors import InputError
from costcurves.report.document import Report, Section
from costcurves.tables.names import some
from costcurves.tables.wording import Words


def worded(report: Report, texts: Sequence[Words], slugs: Mapping[str, str]) -> Report:
    """Put a study's texts around the sections of its report.

    Parameters
    ----------
    report
        The report.
    texts
        The texts, read. Several of one section follow each other.
    slugs
        What the files of each dataset are called, by its name.

    Raises
    ------
    InputError
        If the report has no such section.
    """
    places = [place for section in report.sections for place in _places(section, "")]
    homeless = [
        _homeless(one, places)
        for one in texts
        if not any(_meant(one, *place, slugs) for place in places)
    ]
    if homeless:
        raise InputError(homeless)
    sections = tuple(_around(section, "", texts, slugs) for section in report.sections)
    return replace(report, sections=sections)


def _places(section: Section, slug: str) -> list[tuple[str, str]]:
    """List a section and those in it: the part of each, and its dataset."""
    slug = _dataset(section, slug)
    inner = [place for one in section.sections for place in _places(one, slug)]
    return [(section.part, slug), *inner]


def _dataset(section: Section, around: str) -> str:
    return str(section.content.facts.slug) if section.part == "dataset" else around


def _homeless(text: Words, places: Sequence[tuple[str, str]]) -> str:
    of = f" of the dataset {text.dataset!r}" if text.dataset is not None else ""
    known = some(list(dict.fromkeys(part for part, _ in places)), 99)
    return (
        f"report: there is a text for {text.section!r}{of}, a section that this report has not; "
        f"its sections are {known}"
    )


def _around(
    section: Section, slug: str, texts: Sequence[Words], slugs: Mapping[str, str]
) -> Section:
    """Put texts around a section, and around those in it; `slug` is that of its dataset."""
    slug = _dataset(section, slug)
    own = [one for one in texts if _meant(one, section.part, slug, slugs)]
    return replace(
        section,
        before=_joined([one.before for one in own]),
        after=_joined([one.after for one in own]),
        sections=tuple(_around(inner, slug, texts, slugs) for inner in section.sections),
    )


def _meant(text: Words, part: str, slug: str, slugs: Mapping[str, str]) -> bool:
    return text.section == part and (text.dataset is None or slugs[text.dataset] == slug)


def _joined(texts: Sequence[str | None]) -> str:
    return "\n\n".join(text for text in texts if text)
