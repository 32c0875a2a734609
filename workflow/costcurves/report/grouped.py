"""The sections of a dataset with several classes, put together under its name."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from costcurves.report.document import Section
from costcurves.report.text import Name

if TYPE_CHECKING:
    from costcurves.tables.configuration.dataset import Dataset


@dataclass(frozen=True)
class Classes:
    """The classes of a dataset, each against all others, and where their sections are."""

    names: tuple[str, ...]
    anchors: tuple[str, ...]


def grouped(sections: Sequence[Section], datasets: Sequence["Dataset"]) -> tuple[Section, ...]:
    """Put the sections (one a dataset, in order) of the classes of the same dataset into one."""
    pairs = zip(sections, datasets, strict=True)
    found: list[Section] = []
    for whole, group in groupby(pairs, key=lambda pair: pair[1].of):
        each = list(group)
        found += [section for section, _ in each] if whole is None else [_whole(each)]
    return tuple(found)


def _whole(each: Sequence[tuple[Section, "Dataset"]]) -> Section:
    sections, first = tuple(section for section, _ in each), each[0][1]
    names = tuple(str(dataset.positive) for _, dataset in each)
    title = first.title.removesuffix(f": {first.positive}")
    content = Classes(names, tuple(section.anchor for section in sections))
    anchor = f"classes/{first.slug.rpartition('--')[0]}"
    return Section(anchor, (Name(title),), "classes", content, sections)
