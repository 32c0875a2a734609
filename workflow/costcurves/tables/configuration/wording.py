"""What a study adds to its report: text around sections, and templates that replace ours."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from costcurves.code import REPORT
from costcurves.tables.configuration.dataset import parts
from costcurves.tables.configuration.declared import Name, Plain
from costcurves.tables.configuration.names import DECEIVING, closest, nearest, some
from costcurves.tables.configuration.stages import ANNEXED, MANY, SECTIONS_LEFT_OUT, resolved
from costcurves.tables.configuration.strict_yaml import Findings

REPLACEABLE: Final = ("templates/", "captions/", "styles/")
SIDES: Final = ("before", "after")
LARGEST_TEXT: Final = 100_000  # bytes


@dataclass(frozen=True)
class Words(Plain):
    """Text of the study's own around a section."""

    section: Name
    """Which section: `verdict` (the first page), `methods`, `references`, `provenance`; where there
    is one, `claims`, `map` (of all datasets), `choices` (what choosing a threshold costs); of a
    dataset `dataset` (all of it), `reading` (of the first one), `cost_curves`, `differences`,
    `thresholds`, `duality`, `instance_costs` (with `costs`); around a dataset's classes
    `classes`; with `detail: full` `annex`, and in it of a dataset `annexed` (all of it),
    `ranking`, `pairs`, `choosing`, `optimism`, `conditions`, `ranking_by_cost` (with `costs`),
    `averaging`. With `detail: essential`, the default with more than 24 datasets, there is no
    `reading`, `thresholds` or `duality`. Texts of sections that there are not are refused."""

    dataset: Name | None = None
    """The name of the dataset whose section is meant; one with several classes stands for each of
    them, and `iris: setosa` for one. Default: all."""

    before: Name | None = None
    """The text before the section's content."""

    after: Name | None = None
    """The text after it."""

    before_file: Name | None = None
    """A file that holds the text before it instead."""

    after_file: Name | None = None
    """A file that holds the text after it instead."""

    def read(self) -> "Words":
        """Take what files hold as the text itself."""
        files = {side: getattr(self, f"{side}_file") for side in SIDES}
        texts = {side: Path(file).read_text("utf-8-sig") for side, file in files.items() if file}
        return replace(self, **texts)


@dataclass(frozen=True)
class Wording(Plain):
    """What a study adds to its report."""

    texts: tuple[Words, ...] = ()
    """Text around sections, a list; see below."""

    templates: Name | None = None
    """A folder whose files take the place of the standard templates, captions and styles; see
    below."""

    def files(self) -> list[str]:
        """List the files that the report is made of besides ours, each once."""
        texts = [file for one in self.texts for file in (one.before_file, one.after_file) if file]
        folder = Path(self.templates) if self.templates else None
        own = [str(folder / name) for name in own_files(folder)] if folder else []
        return list(dict.fromkeys([*texts, *own]))


@cache
def known_sections() -> tuple[str, ...]:
    """List the sections by the words of their template parts."""
    parts = (REPORT / "templates" / "parts").glob("*.html.j2")
    return tuple(sorted(part.name.removesuffix(".html.j2") for part in parts))


@cache
def replaceable_files() -> tuple[str, ...]:
    """List the files that a study may replace, relative to the folder of templates."""
    return tuple(name for name in own_files(REPORT) if name.startswith(REPLACEABLE))


def own_files(folder: Path) -> list[str]:
    """List the files of a folder, relative to it; hidden ones are passed over."""
    names = (file.relative_to(folder) for file in folder.rglob("*") if file.is_file())
    return sorted(one.as_posix() for one in names if "/." not in f"/{one.as_posix()}")


def broken_wording(content: Mapping[str, Any]) -> Findings:
    """Find texts of sections that there are not, without words, or with deceiving ones."""
    shown = [part for dataset in content["datasets"] for part in parts(dataset)]
    datasets = list(dict.fromkeys([*shown, *(one["name"] for one in content["datasets"])]))
    detail = resolved(content["detail"], len(shown))
    for index, one in enumerate(content["report"]["texts"]):
        place = ("report", "texts", index)
        dataset = one.get("dataset")
        if why := _not_there(one["section"], detail):
            yield (*place, "section"), why
        if dataset is not None and dataset not in datasets:
            hint = nearest(dataset, datasets)
            yield (*place, "dataset"), f"is {dataset!r}, which the study has not; {hint}"
        given = [key for side in SIDES for key in (side, f"{side}_file") if one.get(key)]
        if not given:
            yield place, "has no text: give before, after, before_file or after_file"
        for side in SIDES:
            if {side, f"{side}_file"} <= set(given):
                yield place, f"has both {side} and {side}_file, expected one of them"
            if why := _refused(one.get(side) or ""):
                yield (*place, side), why


def _not_there(section: str, detail: str) -> str | None:
    """Say why a report of this detail has no such section, or give None."""
    if section not in known_sections():
        return f"is {section!r}, expected one of {some(known_sections(), 99)}"
    if detail == "essential" and section in SECTIONS_LEFT_OUT:
        why = f"'detail: essential' (the default with more than {MANY} datasets) leaves out"
    elif detail == "standard" and section in ANNEXED:
        why = "only a report with an annex has"
    else:
        return None
    return f"is {section!r}, which {why}: give 'detail: full', or remove this text"


def missing_wording(content: Mapping[str, Any]) -> Findings:
    """Find files of texts, and folders of templates, that can't be used."""
    added = content["report"]
    for index, one in enumerate(added["texts"]):
        for side in SIDES:
            if (file := one.get(f"{side}_file")) and (why := _unreadable(file)):
                yield ("report", "texts", index, f"{side}_file"), why
    if folder := added["templates"]:
        for why in _unfit(folder):
            yield ("report", "templates"), why


def _unreadable(file: str) -> str | None:
    """Say why a file of text can't be used, or give None."""
    if not os.path.isfile(file):  # noqa: PTH113 - false where there can't be such a name
        return f"is {file!r}, which is no file in the folder where the command runs"
    if Path(file).stat().st_size > LARGEST_TEXT:
        return f"is {file!r}, which is larger than {LARGEST_TEXT} bytes: not a text for a report"
    try:
        text = Path(file).read_text("utf-8-sig")
    except UnicodeDecodeError:
        return f"is {file!r}, which is not UTF-8; save the file as UTF-8"
    why = _refused(text)
    return f"is {file!r}, which {why}" if why else None


def _refused(text: str) -> str | None:
    found = re.search(f"(?![\t\r\n]){DECEIVING}", text)
    return found and f"has the control or text-reordering character {found.group()!r}"


def _unfit(folder: str) -> Iterator[str]:
    """Say why a folder of templates can't be used."""
    if not os.path.isdir(folder):  # noqa: PTH112 - false where there can't be such a name
        yield f"is {folder!r}, which is no folder in the folder where the command runs"
        return
    names = own_files(Path(folder))
    if not names:
        yield f"is {folder!r}, which holds no files"
    for name in names:
        if name not in replaceable_files():
            close = closest(name, replaceable_files())
            hint = f"did you mean {close!r}?" if close else "config/README.md says which can be"
            yield f"holds {name!r}, which replaces no file of ours; {hint}"
        elif why := _broken(Path(folder, name)):
            yield f"holds {name!r} {why}"


def _broken(file: Path) -> str | None:
    """Say why a file can't take the place of ours, or give None."""
    try:
        text = file.read_text("utf-8")
    except UnicodeDecodeError:
        return "in another encoding than UTF-8; save it as UTF-8"
    style = file.suffix == ".css" and "<" in text
    return "with the character '<', which no style needs" if style else None
