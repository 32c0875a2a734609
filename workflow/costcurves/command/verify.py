"""`costcurves verify`: whether a report is what its manifest says, and follows from its tables."""

import re
import shutil
import tempfile
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from costcurves.code import all_files
from costcurves.command.ending import FINE, UNVERIFIED, USAGE, CommandError
from costcurves.errors import InputError, of_stranger, under
from costcurves.printing import say
from costcurves.report.again import publish_again
from costcurves.report.libraries import libraries
from costcurves.tables.configuration.names import some
from costcurves.tables.configuration.study import parse_study
from costcurves.tables.record.differences import (
    causes,
    differing_files,
    first_difference,
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
page may differ. With the fingerprint of the report (--expect) any change is found.

No code of the report is run, and nothing is opened but regular files in its folder, in the folders
of --sources, and below the current folder.
"""
EXAMPLES: Final = """\
examples:
  costcurves verify reports/default
  costcurves verify reports/screening --sources ~/predictions
  costcurves verify supplement --expect 043e8416729213f0b1ee0a4258102a...
"""
OPTIONS: Final = {
    "report": {"metavar": "REPORT", "help": "the folder of a report"},
    "--recompute": {
        "action": "store_true",
        "help": "compute its numbers again from the predictions, without this package's code",
    },
    "--rebuild": {
        "action": "store_true",
        "help": "build it again and compare byte for byte: it is the same, equal but for "
        "rounding with the likely cause, or different in a row that is named",
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
FINGERPRINT: Final = re.compile("[0-9a-f]{64}")


def run(options: Namespace) -> int:
    """Verify the report, and say what was found."""
    from costcurves.archive.rebuilding import comes_out_again, recomputed

    report, folders = Path(options.report), list(map(Path, options.sources or ["."]))
    if not report.is_dir():
        why = "there is no such folder, expected one such as reports/default"
        raise CommandError(USAGE, f"{report}: {why}")
    findings, fit, sources = verify(report), False, Named()
    with suppress(InputError):  # else there may be what must not be opened
        fit = not unfit(report, read_manifest(report)["files"])
    if fit:
        with suppress(CommandError):  # where the manifest names no sources
            sources = named(manifest_of(report), folders)
            findings += sources.wrong
    strange = _unexpected(report, options.expect) if options.expect is not None else []
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
    if sources.missing and not (options.recompute or options.rebuild):  # which say the same
        headline = f"{report}: not all of its sources could be compared with its manifest"
        say(*under(headline, sources.missing))
    same = not findings
    try:
        same = same and follows(report, sources)
        if fit and options.recompute:
            same &= recomputed(report, sources, folders)
        if fit and options.rebuild:
            same &= comes_out_again(report, sources)
    except Exception as error:
        if same:  # else what was found prevails over why it can't be built again
            raise
        raise CommandError(UNVERIFIED, *getattr(error, "lines", of_stranger(error))) from error
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
        same += "; that sources give the tables, --rebuild shows"
        say(f"{report}: {same}")
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
    with tempfile.TemporaryDirectory(prefix="costcurves-") as folder:
        work = Path(folder).resolve()
        again = work / "report"
        try:
            other = [cause for cause in causes(manifest, facts) if cause.startswith("version: ")]
            own = [one["path"] for one in manifest["report_sources"]]
            if away := [path for path in own if path not in sources.files]:
                why = "its texts; name their folder with --sources"
                return [], [f"its pages: {some(away)} not found, {why}"]
            check_listed(manifest)
            publish_again(report, manifest, laid_out(own, sources, work), again)
            return _differences(report, again, manifest["results"], other)
        except Exception as error:
            headline = "nothing can be published from its tables"
            return [f"{headline}: {line}" for line in of_stranger(error)], []


def _differences(
    report: Path, again: Path, stages: Mapping[str, Any], other: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Tell what differs for no reason from what other versions may draw in another way."""
    contradicted, unknown = [], []
    for name in differing_files(report, again, stages):
        file, drawn = report / name, again / name
        if name in RECORD:  # of which only other differences count
            continue
        if other and file.is_file() and may_differ(file, drawn):
            unknown.append(name)
        else:
            contradicted.append(f"{name}: {first_difference(file, drawn)}")
    if unknown:
        unknown = [f"{some(unknown)}: drawn by other versions of what is used here", *other]
    return contradicted, unknown


def check_listed(manifest: Mapping[str, Any]) -> None:
    """Make sure that the configuration names no files but those that were compared."""
    study = parse_study(manifest["given"], source=MANIFEST, files=False)
    wanted = {file for one in study.datasets for file in one.predictions}
    wanted |= {
        file for one in study.report.texts for file in (one.before_file, one.after_file) if file
    }
    if more := sorted(wanted - {one["path"] for one in made_of(manifest)}):
        raise InputError([f"{MANIFEST}: its configuration names {some(more)}, its sources do not"])


def manifest_of(report: Path) -> dict[str, Any]:
    """Read what a report can be built again from; one that was tampered with may lack it."""
    try:
        manifest = read_manifest(report)
        texts = [source[key] for source in made_of(manifest) for key in ("path", "sha256")]
        texts += [manifest["given"]["study"], *manifest["results"]]
        whole = bool(manifest["sources"]) and all(isinstance(text, str) for text in texts)
    except InputError as error:
        raise CommandError(UNVERIFIED, *error.lines) from error
    except (LookupError, TypeError):
        whole = False
    if not whole:
        why = "it does not say its sources, their hashes and its study"
        raise CommandError(UNVERIFIED, f"{report / MANIFEST}: nothing can be built from it: {why}")
    return manifest


def laid_out(names: Iterable[str], sources: Named, work: Path) -> Path:
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
