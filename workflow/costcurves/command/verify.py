"""`costcurves verify`: whether a report is what its manifest says, and comes out again."""

import shutil
import sys
import tempfile
from argparse import Namespace
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import yaml

from costcurves.command.ending import FINE, UNVERIFIED, USAGE, CommandError
from costcurves.command.workflow import Progress, build, fetch
from costcurves.errors import SHOWN, InputError
from costcurves.tables.input.remote import copy_of, is_remote
from costcurves.tables.record.differences import (
    causes,
    differing_files,
    first_difference,
    first_stage,
    fonts,
)
from costcurves.tables.record.manifest import MANIFEST, read_manifest, sha256, verify

DESCRIPTION: Final = """\
Hold every file of a report to its manifest, and name each that is changed, missing or extra, and
each source that has other bytes now; one that is not found is named, and not held against it. With
--rebuild build it again in a temporary folder and compare byte for byte: that also finds changes
that were made to the manifest and the pages alike.
"""
EXAMPLES: Final = """\
examples:
  costcurves verify reports/default
  costcurves verify reports/default --rebuild
  costcurves verify reports/screening --rebuild --sources ~/predictions
"""
OPTIONS: Final = {
    "report": {"metavar": "REPORT", "help": "the folder of a report"},
    "--rebuild": {"action": "store_true", "help": "build it again and compare byte for byte"},
    "--sources": {
        "metavar": "FOLDER",
        "default": ".",
        "help": "where the paths of sources begin; default is the current folder",
    },
}
UNRECORDED: Final = (
    "none that a manifest records: the processor, or a font or library of the system"
)


def run(told: Namespace) -> int:
    """Verify the report, and say what was found."""
    report = Path(told.report)
    if not report.is_dir():
        why = "there is no such folder, expected one such as reports/default"
        raise CommandError(USAGE, f"{report}: {why}")
    missing: list[str] = []
    findings = verify(report)
    with suppress(CommandError):  # where the manifest names no sources
        missing, changed = compared_sources(report, Path(told.sources))
        findings += changed
    if findings:
        count = f"{len(findings)} difference{'' if len(findings) == 1 else 's'}"
        _say(f"{report}: {count} from its manifest", *findings)
    else:
        manifest = read_manifest(report)
        files, mark = len(manifest["files"]), manifest["fingerprint"]
        _say(f"{report}: all {files} files are as the manifest says; its fingerprint is {mark}")
    if missing and not told.rebuild:  # which says the same
        _say(f"{report}: not all of its sources could be compared with its manifest", *missing)
    try:
        same = _comes_out_again(report, Path(told.sources)) if told.rebuild else True
    except (InputError, CommandError) as error:
        if findings:  # what was found prevails over why it can't be built again
            raise CommandError(UNVERIFIED, str(error)) from error
        raise
    return FINE if same and not findings else UNVERIFIED


def _comes_out_again(report: Path, sources: Path) -> bool:
    with tempfile.TemporaryDirectory(prefix="costcurves-") as folder:
        again = rebuilt(report, sources, Path(folder).resolve(), Progress())
        findings = compared(report, again)
    _say(*(findings or [f"{report}: built again, it is the same byte for byte"]))
    return not findings


def _say(headline: str, *findings: str) -> None:
    hidden = [f"... and {len(findings) - SHOWN} more"] if len(findings) > SHOWN else []
    sys.stdout.write("\n  ".join([headline, *findings[:SHOWN], *hidden]) + "\n")


def rebuilt(report: Path, sources: Path, work: Path, progress: Progress) -> Path:
    """Build a report again in an empty folder, of sources whose paths begin in another."""
    manifest = _manifest(report)
    missing, changed = compared_sources(report, sources)
    if missing or changed:
        raise InputError([*changed, *missing])
    folder = _laid_out(manifest, sources, work)
    config = work / "config.yaml"
    text = yaml.safe_dump(manifest["given"], sort_keys=False, allow_unicode=True)
    config.write_text(text, encoding="utf-8")
    build(config, folder, progress)
    return folder / "reports" / str(manifest["given"]["study"])


def _manifest(report: Path) -> dict[str, Any]:
    """Read what a report can be built again from; one that was tampered with may lack it."""
    try:
        manifest = read_manifest(report)
        told = [source[key] for source in _sources(manifest) for key in ("path", "sha256")]
        told += [manifest["given"]["study"], *manifest["results"]]
        whole = bool(manifest["sources"]) and all(isinstance(text, str) for text in told)
    except InputError as error:
        raise CommandError(UNVERIFIED, str(error)) from error
    except (LookupError, TypeError):
        whole = False
    if not whole:
        why = "it does not say its sources, their hashes and its study"
        raise CommandError(UNVERIFIED, f"{report / MANIFEST}: nothing can be built from it: {why}")
    return manifest


def compared_sources(report: Path, sources: Path) -> tuple[list[str], list[str]]:
    """List the sources of a report that are not there, and those that have other bytes."""
    missing, changed = [], []
    mend = "name the folder of the sources with --sources"
    known = _sources(_manifest(report))
    with tempfile.TemporaryDirectory(prefix="costcurves-") as folder:
        wrong = fetch([source["path"] for source in known], Path(folder))
        for name, digest in ((source["path"], source["sha256"]) for source in known):
            path = Path(folder, copy_of(name)) if is_remote(name) else sources / name
            said = name if is_remote(name) else path
            if name in wrong:
                missing.append(f"{name}: {wrong[name]}")
            elif not path.is_file():
                missing.append(f"{path}: is not there; {mend}")
            elif sha256(path) != digest:
                changed.append(f"{said}: is not the file that the report was made of (its sha256)")
    return missing, changed


def _sources(manifest: Mapping[str, Any]) -> list[Mapping[str, str]]:
    """List what was read: predictions, and what the study adds to its report."""
    return [*manifest["sources"], *manifest["report_sources"]]


def _laid_out(manifest: Mapping[str, Any], sources: Path, work: Path) -> Path:
    """Copy the sources so that their paths, which the report shows, lead to them again."""
    known = [source["path"] for source in _sources(manifest)]
    paths = [Path(name) for name in known if not is_remote(name)]  # a run fetches those itself
    deepest = max((path.parts.count("..") for path in paths), default=0)
    folder = work.joinpath("work", *["below"] * deepest)
    folder.mkdir(parents=True)
    for path in paths:
        if not path.is_absolute():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(sources / path, folder / path)
    return folder


def compared(report: Path, again: Path) -> list[str]:
    """Say how a report differs from what was built again, and why that may be."""
    before, after = read_manifest(report), read_manifest(again)
    files = differing_files(report, again, before["results"])
    if not files:
        return []
    first = files[0]
    stage = first_stage(before["results"], after["results"])
    likely = causes(before, after)
    if first in before["files"] and before["files"][first] == after["files"].get(first):
        likely = [f"the file {first} was changed after it was built", *likely]
    likely = likely or _fonts(report, again) or [UNRECORDED]
    return [
        f"{report}: built again, {len(files)} of {len(before['files']) + 1} files differ",
        f"first file: {first}, {first_difference(report / first, again / first)}",
        f"first stage whose results differ: {stage or 'none'}",
        *(f"likely cause: {cause}" for cause in likely),
    ]


def _fonts(report: Path, again: Path) -> list[str]:
    pages = [folder / "report.pdf" for folder in (report, again)]
    if not all(page.is_file() for page in pages):
        return []
    one, two = (fonts(page.read_bytes()) for page in pages)
    only = {"report": sorted(one - two), "rebuild": sorted(two - one)}
    return [f"font: {name} is in the {of}'s PDF only" for of in only for name in only[of]]
