"""What a study adds to its report: text around sections."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePath
from typing import Any, Final

from costcurves.code import REPORT
from costcurves.tables.configuration.dataset import parts
from costcurves.tables.configuration.declared import Name, Plain
from costcurves.tables.configuration.names import DECEIVING, nearest, quoted, some
from costcurves.tables.configuration.schema import Findings
from costcurves.tables.configuration.stages import MANY, SECTIONS_LEFT_OUT, resolved

SIDES: Final = ("before", "after")
ANNEXED: Final = (
    *("annex", "annexed", "averaging", "calibration", "choosing", "conditions", "optimism"),
    *("pairs", "ranking", "ranking_by_cost"),
)
LARGEST_TEXT: Final = 100_000  # bytes


@dataclass(frozen=True)
class Words(Plain):
    """Text of the study's own around a section."""

    section: Name
    """Which section: `verdict` (the first page), `methods`, `references`, `provenance`; where there
    is one, `claims`, `map` (of all datasets), `choices` (what choosing a threshold costs); of a
    dataset `dataset` (all of it), `reading` (of the first one), `cost_curves`, `differences`,
    `thresholds`, `segments` (with `segments`), `duality`, `instance_costs` (with `costs`); around a
    dataset's classes `classes`; with `detail: full` `annex`, and in it of a dataset `annexed` (all
    of it), `ranking`, `calibration`, `pairs`, `choosing`, `optimism`, `conditions`,
    `ranking_by_cost` (with `costs`), `averaging`. With `detail: essential`, the default with more
    than 24 datasets, there is no `reading`, `thresholds`, `segments` or `duality`. Texts of
    sections that there are not are refused."""

    dataset: Name | None = None
    """The name of the dataset whose section is meant; one with several classes stands for each of
    them, and `iris: setosa` for one. Default: all."""

    before: Name | None = None
    """The text before the section's content."""

    after: Name | None = None
    """The text after it."""

    before_file: Name | None = None
    """A file that holds the text before it instead; it lies below the folder of the
    configuration."""

    after_file: Name | None = None
    """A file that holds the text after it instead, likewise."""

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

    def files(self) -> list[str]:
        """List the files that the report is made of besides ours, each once."""
        files = (file for one in self.texts for file in (one.before_file, one.after_file))
        return list(dict.fromkeys(file for file in files if file))


@cache
def known_sections() -> tuple[str, ...]:
    """List the sections by the words of their template parts."""
    return tuple(_parts(REPORT))


def annexed() -> tuple[str, ...]:
    """List those that only a report with an annex has."""
    return ANNEXED


def _parts(folder: Path) -> list[str]:
    parts = (folder / "templates" / "parts").glob("*.html.j2")
    return sorted(part.name.removesuffix(".html.j2") for part in parts)


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
            if (file := one.get(f"{side}_file")) and _leads_away(file):
                expected = "expected a path below the folder of the configuration, without '..'"
                yield (*place, f"{side}_file"), f"is {quoted(file)}, {expected}"


def _not_there(section: str, detail: str) -> str | None:
    """Say why a report of this detail has no such section, or give None."""
    if section not in known_sections():
        return f"is {section!r}, expected one of {some(known_sections(), 99)}"
    if detail == "essential" and section in (*SECTIONS_LEFT_OUT, *annexed()):
        why = f"'detail: essential' (the default with more than {MANY} datasets) leaves out"
    elif detail == "standard" and section in annexed():
        why = "only a report with an annex has"
    else:
        return None
    return f"is {section!r}, which {why}: give 'detail: full', or remove this text"


def missing_wording(content: Mapping[str, Any], home: Path) -> Findings:
    """Find files of texts that can't be used: their configuration lies in the folder `home`."""
    for index, one in enumerate(content["report"]["texts"]):
        for side in SIDES:
            file = one.get(f"{side}_file")
            if file and not _leads_away(file) and (why := _unreadable(file, home)):
                yield ("report", "texts", index, f"{side}_file"), why


def _leads_away(file: str) -> bool:
    """Say whether a path may leave the folder that it begins in, whatever lies there."""
    path = PurePath(file)
    return path.is_absolute() or ".." in path.parts


def _unreadable(file: str, home: Path) -> str | None:
    """Say why a file of text can't be used, or give None."""
    if not os.path.isfile(file):  # noqa: PTH113 - false where there can't be such a name
        return f"is {file!r}, which is no file in the folder where the command runs"
    # A configuration may be a stranger's: a report must not publish any file that its reader has.
    if not Path(file).resolve().is_relative_to(home.resolve()):
        where = f"which is not below the folder of the configuration, {str(home)!r}"
        return f"is {file!r}, {where}: put the text there, or give it as 'before' or 'after'"
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
