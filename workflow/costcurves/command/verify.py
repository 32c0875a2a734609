"""`costcurves verify`: whether a report is what its manifest says, and comes out again."""

import re
import shutil
import sys
import tempfile
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import yaml

from costcurves.code import all_files
from costcurves.command.ending import FINE, UNVERIFIED, USAGE, CommandError
from costcurves.command.sign import not_signed
from costcurves.command.workflow import Progress, build, fetch
from costcurves.errors import SHOWN, InputError, refused
from costcurves.report.again import publish_again
from costcurves.report.libraries import libraries
from costcurves.tables.configuration.names import some
from costcurves.tables.input.remote import copy_of, is_remote
from costcurves.tables.record.differences import (
    CLOSE,
    causes,
    differing_files,
    differing_rows,
    first_difference,
    first_stage,
    fonts,
    may_differ,
)
from costcurves.tables.record.manifest import (
    MANIFEST,
    RECORD,
    code_hash,
    read_manifest,
    released,
    sha256,
    verify,
    versions,
)

DESCRIPTION: Final = """\
Hold every file of a report to its manifest, and name each that is changed, missing or extra, and
each source that has other bytes now; one that is not found is named, and not held against it. Then
publish the report again from its own tables, which takes seconds: no word, figure or number of a
page may differ. With --rebuild compute the tables again, too, and compare byte for byte: they are
the same, or equal but for rounding with the likely cause, or different in a row that is named.
Who knows the fingerprint of the report, or the public key of who has signed it, finds any change.
"""
EXAMPLES: Final = """\
examples:
  costcurves verify reports/default
  costcurves verify reports/default --rebuild
  costcurves verify reports/screening --rebuild --sources ~/predictions
  costcurves verify supplement --expect 043e8416729213f0b1ee0a4258102a... --signed-by author.pub
"""
OPTIONS: Final = {
    "report": {"metavar": "REPORT", "help": "the folder of a report"},
    "--rebuild": {"action": "store_true", "help": "build it again and compare byte for byte"},
    "--sources": {
        "metavar": "FOLDER",
        "default": ".",
        "help": "where the paths of sources begin; default is the current folder",
    },
    "--expect": {
        "metavar": "FINGERPRINT",
        "help": "what a paper or a printed copy says is its fingerprint, 64 digits",
    },
    "--signed-by": {"metavar": "KEY", "help": "the public key of whom it should be signed by"},
}
UNRECORDED: Final = (
    "none that a manifest records: the processor, or a font or library of the system"
)
FINGERPRINT: Final = re.compile("[0-9a-f]{64}")


def run(told: Namespace) -> int:
    """Verify the report, and say what was found."""
    report, sources = Path(told.report), Path(told.sources)
    if not report.is_dir():
        why = "there is no such folder, expected one such as reports/default"
        raise CommandError(USAGE, f"{report}: {why}")
    missing: list[str] = []
    findings = verify(report)
    with suppress(CommandError):  # where the manifest names no sources
        missing, changed = compared_sources(report, sources)
        findings += changed
    strange = _unexpected(report, told.expect) if told.expect is not None else []
    if told.signed_by is not None:
        strange += not_signed(report, Path(told.signed_by))
    if strange:
        _say(f"{report}: is not the report that it should be", *strange)
    if findings:
        count = f"{len(findings)} difference{'' if len(findings) == 1 else 's'}"
        _say(f"{report}: {count} from its manifest", *findings)
    else:
        manifest = read_manifest(report)
        files, mark = len(manifest["files"]), manifest["fingerprint"]
        _say(f"{report}: all {files} files are as the manifest says; its fingerprint is {mark}")
    findings += strange
    if signed := told.signed_by is not None and not findings:
        _say(f"{report}: signed by {told.signed_by}")
    if missing and not told.rebuild:  # which says the same
        _say(f"{report}: not all of its sources could be compared with its manifest", *missing)
    try:
        whole = not findings and follows(report, sources, signed=signed)
        same = _comes_out_again(report, sources) if told.rebuild else True
    except (InputError, CommandError) as error:
        if findings:  # what was found prevails over why it can't be built again
            raise CommandError(UNVERIFIED, str(error)) from error
        raise
    return FINE if same and whole else UNVERIFIED


def _unexpected(report: Path, expected: str) -> list[str]:
    wanted = "".join(expected.lower().split())
    if not FINGERPRINT.fullmatch(wanted):
        why = "expected the 64 hexadecimal digits that a report shows as its fingerprint"
        raise CommandError(USAGE, f"--expect is {expected!r}, {why}")
    with suppress(InputError):  # no manifest, which is found already
        found = read_manifest(report)["fingerprint"]
        if found != wanted:
            return [f"{MANIFEST}: is another report's, its fingerprint is {found}"]
    return []


def follows(report: Path, sources: Path, *, signed: bool) -> bool:
    """Say whether all that a report shows follows from its tables; who signs answers for it."""
    contradicted, unknown = held_to_tables(report, sources)
    if contradicted:
        _say(f"{report}: its pages are not what its tables give", *contradicted)
    elif unknown:
        _say(f"{report}: not all of it could be verified", *unknown)
    else:
        own = read_manifest(report)["given"].get("report", {}).get("templates")
        words = [f"its pages are by templates of its own ({own}): words are its author's"]
        same = "its tables give the same pages and figures, byte for byte"
        _say(
            f"{report}: {same}; that sources give the tables, --rebuild shows", *words[: bool(own)]
        )
    return not contradicted and (signed or not unknown)


def held_to_tables(report: Path, sources: Path) -> tuple[list[str], list[str]]:
    """List what of a report contradicts its tables, and what of it can't be held to them."""
    manifest = read_manifest(report)
    if (made_by := manifest.get("code")) != (here := code_hash(all_files())):
        why = f"the report names {str(made_by)[:12]}, this version of costcurves is {here[:12]}"
        known = released(str(made_by))
        code = f"the code of version {known}" if known else "unknown code"
        return [], [f"its pages: made by {code}; {why}, and writes other words"]
    if manifest.get("released") and not released(here):
        return [f"{MANIFEST}: says that the code {here[:12]} is a release, which it is not"], []
    facts = {**manifest, "versions": versions(), "libraries": libraries()}
    other = [cause for cause in causes(manifest, facts) if cause.startswith("version: ")]
    with tempfile.TemporaryDirectory(prefix="costcurves-") as folder:
        work = Path(folder).resolve()
        again = work / "report"
        try:
            own = manifest["report_sources"]
            if away := [it["path"] for it in own if not (sources / it["path"]).is_file()]:
                why = "its texts or templates; name their folder with --sources"
                return [], [f"its pages: {some(away)} not found, {why}"]
            home = _laid_out(own, sources, work)
            publish_again(report, manifest, home, again)
            return _differences(report, again, manifest["results"], other)
        except Exception as error:  # a stranger's tables may break anything
            if refused(error):
                raise
            said = (
                str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
            )
            return [f"nothing can be published from its tables: {said}"], []


def _differences(
    report: Path, again: Path, stages: Mapping[str, Any], other: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Tell what differs for no reason from what other versions may draw in another way."""
    contradicted, unknown = [], []
    for name in differing_files(report, again, stages):
        file, drawn = report / name, again / name
        if name in RECORD:  # of which only what else differs is told
            continue
        if other and file.is_file() and may_differ(file, drawn):
            unknown.append(name)
        else:
            contradicted.append(f"{name}: {first_difference(file, drawn)}")
    if unknown:
        unknown = [f"{some(unknown)}: drawn by other versions of what is used here", *other]
    return contradicted, unknown


def _comes_out_again(report: Path, sources: Path) -> bool:
    with tempfile.TemporaryDirectory(prefix="costcurves-") as folder:
        again = rebuilt(report, sources, Path(folder).resolve(), Progress())
        findings, equal = compared(report, again)
    _say(*(findings or [f"{report}: built again, it is the same byte for byte"]))
    return equal


def _say(headline: str, *findings: str) -> None:
    hidden = [f"... and {len(findings) - SHOWN} more"] if len(findings) > SHOWN else []
    sys.stdout.write("\n  ".join([headline, *findings[:SHOWN], *hidden]) + "\n")


def rebuilt(report: Path, sources: Path, work: Path, progress: Progress) -> Path:
    """Build a report again in an empty folder, of sources whose paths begin in another."""
    manifest = _manifest(report)
    missing, changed = compared_sources(report, sources)
    if missing or changed:
        raise InputError([*changed, *missing])
    folder = _laid_out(_sources(manifest), sources, work)
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


def _laid_out(known: Iterable[Mapping[str, str]], sources: Path, work: Path) -> Path:
    """Copy the sources so that their paths, which the report shows, lead to them again."""
    names = [source["path"] for source in known]
    paths = [Path(name) for name in names if not is_remote(name)]  # a run fetches those itself
    deepest = max((path.parts.count("..") for path in paths), default=0)
    folder = work.joinpath("work", *["below"] * deepest)
    folder.mkdir(parents=True)
    for path in paths:
        if not path.is_absolute():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(sources / path, folder / path)
    return folder


def compared(report: Path, again: Path) -> tuple[list[str], bool]:
    """Say how a report differs from what was built again, why that may be, and if it is the same.

    It is where tables are equal but for rounding, and nothing but versions or the processor makes
    the rest differ; its pages are held to its own tables (`held_to_tables`).
    """
    before, after = read_manifest(report), read_manifest(again)
    files = differing_files(report, again, before["results"])
    if not files:
        return [], True
    first = files[0]
    tables = list(differing_rows(report, again))
    wrong = next((f"{name}, {where}" for name, most, where in tables if most > CLOSE), None)
    likely = causes(before, after)
    by_version = all(cause.startswith("version: ") for cause in likely)
    equal = wrong is None and by_version and bool(tables or likely)
    if first in before["files"] and before["files"][first] == after["files"].get(first):
        likely = [f"the file {first} was changed after it was built", *likely]
        equal = False
    likely = likely or _fonts(report, again) or [UNRECORDED]
    stage = first_stage(before["results"], after["results"])
    exactly = f"but for rounding (below {CLOSE:g}, in {len(tables)})" if tables else "to the byte"
    return [
        f"{report}: built again, {len(files)} of {len(before['files']) + 2} files differ",
        f"first table and row: {wrong}" if wrong else f"all tables are equal {exactly}",
        f"first file: {first}, {first_difference(report / first, again / first)}",
        f"first stage whose results differ: {stage or 'none'}",
        *(f"likely cause: {cause}" for cause in likely),
    ], equal


def _fonts(report: Path, again: Path) -> list[str]:
    pages = [folder / "report.pdf" for folder in (report, again)]
    if not all(page.is_file() for page in pages):
        return []
    one, two = (fonts(page.read_bytes()) for page in pages)
    only = {"report": sorted(one - two), "rebuild": sorted(two - one)}
    return [f"font: {name} is in the {of}'s PDF only" for of in only for name in only[of]]
