"""`costcurves verify`: whether a report is what its manifest says, and comes out again."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import yaml

from costcurves.code import REPORT, all_files
from costcurves.command.ending import FINE, UNVERIFIED, USAGE, CommandError
from costcurves.command.workflow import Progress, build
from costcurves.errors import InputError, refuse, refused, under
from costcurves.printing import say
from costcurves.report.again import publish_again
from costcurves.report.libraries import libraries
from costcurves.report.publication import RECOMPUTE
from costcurves.tables.configuration.names import some
from costcurves.tables.configuration.study import parse_study
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
    unfit,
    verify,
    versions,
)
from costcurves.tables.record.named import Named, made_of, named

DESCRIPTION: Final = """\
Check every file of a report against its manifest, and name each that is changed, missing or extra,
and each source that has other bytes now; one that is not found is named, and no difference. Then
publish the report again from its own tables, which takes seconds: no word, figure or number of a
page may differ. With --rebuild compute the tables again, too, and compare byte for byte: they are
the same, or equal but for rounding with the likely cause, or different in a row that is named.
With --recompute compute numbers again with one file that shares no code with the package.
Whoever knows the fingerprint of the report finds any change.

No code of the report is run, and nothing is opened but regular files in its folder, in the folders
of --sources, and below the current folder.
"""
EXAMPLES: Final = """\
examples:
  costcurves verify reports/default
  costcurves verify reports/default --recompute
  costcurves verify reports/screening --rebuild --sources ~/predictions
  costcurves verify supplement --expect 043e8416729213f0b1ee0a4258102a...
"""
OPTIONS: Final = {
    "report": {"metavar": "REPORT", "help": "the folder of a report"},
    "--rebuild": {"action": "store_true", "help": "build it again and compare byte for byte"},
    "--recompute": {
        "action": "store_true",
        "help": "compute its numbers again from the predictions, without this package's code",
    },
    "--sources": {
        "metavar": "FOLDER",
        "action": "append",
        "help": "where the paths of sources begin; default is the current folder; may be repeated",
    },
    "--expect": {
        "metavar": "FINGERPRINT",
        "help": "what a paper or a printed copy says is its fingerprint, 64 digits",
    },
}
UNRECORDED: Final = (
    "none that a manifest records: the processor, or a font or library of the system"
)
FINGERPRINT: Final = re.compile("[0-9a-f]{64}")


def run(told: Namespace) -> int:
    """Verify the report, and say what was found."""
    report, folders = Path(told.report), list(map(Path, told.sources or ["."]))
    if not report.is_dir():
        why = "there is no such folder, expected one such as reports/default"
        raise CommandError(USAGE, f"{report}: {why}")
    findings, fit, sources = verify(report), False, Named()
    with suppress(InputError):  # else there may be what must not be opened
        fit = not unfit(report, read_manifest(report)["files"])
    if fit:
        with suppress(CommandError):  # where the manifest names no sources
            sources = named(_manifest(report), folders)
            findings += sources.wrong
    strange = _unexpected(report, told.expect) if told.expect is not None else []
    if strange:
        say(*under(f"{report}: is not the report that it should be", strange))
    if findings:
        count = f"{len(findings)} difference{'' if len(findings) == 1 else 's'}"
        say(*under(f"{report}: {count} from its manifest", findings))
    else:
        manifest = read_manifest(report)
        files, mark = len(manifest["files"]), manifest["fingerprint"]
        say(f"{report}: all {files} files are as the manifest says; its fingerprint is {mark}")
    findings += strange
    again = told.rebuild or told.recompute
    if sources.missing and not again:  # which say the same
        headline = f"{report}: not all of its sources could be compared with its manifest"
        say(*under(headline, sources.missing))
    same = not findings
    try:
        same = same and follows(report, sources)
        if fit and told.recompute:
            same &= recomputed(report, sources, folders)
        if fit and told.rebuild:
            same &= _comes_out_again(report, sources)
    except (InputError, CommandError) as error:
        if not same:  # what was found prevails over why it can't be built again
            raise CommandError(UNVERIFIED, *error.lines) from error
        raise
    return FINE if same else UNVERIFIED


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


def follows(report: Path, sources: Named) -> bool:
    """Say whether all that a report shows follows from its tables."""
    contradicted, unknown = held_to_tables(report, sources)
    if contradicted:
        say(*under(f"{report}: its pages are not what its tables give", contradicted))
    elif unknown:
        say(*under(f"{report}: not all of it could be verified", unknown))
    else:
        same = "its tables give the same pages and figures, byte for byte"
        say(f"{report}: {same}; that sources give the tables, --rebuild shows")
    return not contradicted and not unknown


def held_to_tables(report: Path, sources: Named) -> tuple[list[str], list[str]]:
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
            own = [one["path"] for one in manifest["report_sources"]]
            if away := [path for path in own if path not in sources.files]:
                why = "its texts; name their folder with --sources"
                return [], [f"its pages: {some(away)} not found, {why}"]
            _check_listed(manifest)
            publish_again(report, manifest, _laid_out(own, sources, work), again)
            return _differences(report, again, manifest["results"], other)
        except Exception as error:  # a stranger's tables may break anything
            if refused(error):
                raise
            headline = "nothing can be published from its tables"
            said = f"{type(error).__name__}: {error}"
            lines = error.findings if isinstance(error, InputError) else (said,)
            return [f"{headline}: {line}" for line in lines], []


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


def _check_listed(manifest: Mapping[str, Any]) -> None:
    """Make sure that the configuration names no files but those that were compared."""
    study = parse_study(manifest["given"], source=MANIFEST, files=False)
    wanted = {file for one in study.datasets for file in one.predictions}
    wanted |= {
        file for one in study.report.texts for file in (one.before_file, one.after_file) if file
    }
    if more := sorted(wanted - {one["path"] for one in made_of(manifest)}):
        raise InputError([f"{MANIFEST}: its configuration names {some(more)}, its sources do not"])


def recomputed(report: Path, sources: Named, folders: Sequence[Path]) -> bool:
    """Run our own copy of the file that recomputes numbers, never the report's."""
    refuse([*sources.wrong, *sources.missing])
    told = [str(report), *(word for folder in folders for word in ("--sources", str(folder)))]
    made = subprocess.run(  # noqa: S603 - our own interpreter and file, no shell
        [sys.executable, "-P", str(REPORT / RECOMPUTE), *told],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="backslashreplace",
        env={**os.environ, "PYTHONUTF8": "1"},
        check=False,
    )
    say(f"{report}: recomputed from its predictions")
    say(*(f"  {line}" for line in made.stdout.splitlines()))
    return made.returncode == 0


def _comes_out_again(report: Path, sources: Named) -> bool:
    with tempfile.TemporaryDirectory(prefix="costcurves-") as folder:
        again = rebuilt(report, sources, Path(folder).resolve(), Progress())
        findings, equal = compared(report, again)
    headline, *rest = findings or [f"{report}: built again, it is the same byte for byte"]
    say(*under(headline, rest))
    return equal


def rebuilt(report: Path, sources: Named, work: Path, progress: Progress) -> Path:
    """Build a report again in an empty folder, of sources that are here."""
    manifest = _manifest(report)
    refuse([*sources.wrong, *sources.missing])
    _check_listed(manifest)
    folder = _laid_out([source["path"] for source in made_of(manifest)], sources, work)
    config = work / "config.yaml"
    text = yaml.safe_dump(manifest["given"], sort_keys=False, allow_unicode=True)
    config.write_text(text, encoding="utf-8")
    build(config, folder, progress)
    return folder / "reports" / str(manifest["given"]["study"])


def _manifest(report: Path) -> dict[str, Any]:
    """Read what a report can be built again from; one that was tampered with may lack it."""
    try:
        manifest = read_manifest(report)
        told = [source[key] for source in made_of(manifest) for key in ("path", "sha256")]
        told += [manifest["given"]["study"], *manifest["results"]]
        whole = bool(manifest["sources"]) and all(isinstance(text, str) for text in told)
    except InputError as error:
        raise CommandError(UNVERIFIED, *error.lines) from error
    except (LookupError, TypeError):
        whole = False
    if not whole:
        why = "it does not say its sources, their hashes and its study"
        raise CommandError(UNVERIFIED, f"{report / MANIFEST}: nothing can be built from it: {why}")
    return manifest


def _laid_out(names: Iterable[str], sources: Named, work: Path) -> Path:
    """Copy the sources so that their paths, which the report shows, lead to them again."""
    paths = {name: Path(name) for name in names}
    deepest = max((path.parts.count("..") for path in paths.values()), default=0)
    folder = work.joinpath("work", *["below"] * deepest)
    folder.mkdir(parents=True)
    for name, path in paths.items():
        if not path.is_absolute():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(sources.files[name], folder / path)
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
