"""`costcurves verify`: whether a report is what its manifest says, or its sources give."""

import re
from argparse import Namespace
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from costcurves.command.ending import FINE, UNVERIFIED, USAGE, CommandError
from costcurves.errors import InputError, of_stranger, under
from costcurves.formats import counted
from costcurves.printing import say
from costcurves.record.manifest import MANIFEST, read_manifest, unfit, verify
from costcurves.record.named import Named, named

DESCRIPTION: Final = """\
Check every file of a report against its manifest, and name each that is changed, missing or extra,
and each source that has other bytes now; one that is not found is named, and no difference. A
manifest can be changed along with files. To find that, build the report again (--rebuild), compare
with a known fingerprint (--expect), or check a signature of SHA256SUMS.

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
    "--rebuild": {
        "action": "store_true",
        "help": "build it again from its configuration and sources, and compare: tables must be "
        "equal, pages and figures where versions of libraries are",
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


def run(options: Namespace) -> int:
    """Verify the report, and say what was found."""
    report, folders = Path(options.report), list(map(Path, options.sources or ["."]))
    if not report.is_dir():
        why = "there is no such folder, expected one such as reports/default"
        raise CommandError(USAGE, f"{report}: {why}")
    findings, fit, sources = verify(report), False, Named()
    with suppress(InputError, CommandError):  # no manifest, or one that names no sources
        fit = not unfit(report, read_manifest(report)["files"])  # else nothing is opened
        if fit:
            sources = named(manifest_of(report), folders)
            findings += sources.wrong
    strange = [] if options.expect is None else _unexpected(report, options.expect)
    if strange:
        say(*under(f"{report}: is not the report that it should be", strange))
    if findings:
        count = counted(len(findings), "difference")
        say(*under(f"{report}: {count} from its manifest", findings))
    else:
        manifest = read_manifest(report)
        files, mark = len(manifest["files"]), manifest["fingerprint"]
        say(f"{report}: all {files} files are as the manifest says; its fingerprint is {mark}")
    if sources.missing and not options.rebuild:  # which says the same
        headline = f"{report}: not all of its sources could be compared with its manifest"
        say(*under(headline, sources.missing))
    same = not (findings or strange)
    if options.rebuild and fit:
        from costcurves.command.rebuilding import rebuild

        try:
            same &= rebuild(report, sources)
        except Exception as error:
            if same and isinstance(error, InputError | CommandError):
                raise  # else the differences prevail over why it can't be built again
            lines = getattr(error, "lines", of_stranger(error))
            raise CommandError(UNVERIFIED, *lines) from error
    return FINE if same else UNVERIFIED


def _unexpected(report: Path, expected: str) -> list[str]:
    wanted = "".join(expected.lower().split())
    if not re.fullmatch("[0-9a-f]{64}", wanted):
        why = "expected the 64 hexadecimal digits that a report shows as its fingerprint"
        raise CommandError(USAGE, f"--expect is {expected!r}, {why}")
    with suppress(InputError):  # no manifest, which is found already
        mark = read_manifest(report)["fingerprint"]
        if mark != wanted:
            return [f"{MANIFEST}: is another report's, its fingerprint is {mark}"]
    return []


def manifest_of(report: Path) -> dict[str, Any]:
    """Read what a report can be built again from; one that was tampered with may lack it."""
    try:
        manifest = read_manifest(report)
    except InputError as error:
        raise CommandError(UNVERIFIED, *error.lines) from error
    try:
        texts = [source[key] for source in manifest["sources"] for key in ("path", "sha256")]
        whole = texts != [] and all(
            isinstance(text, str) for text in (*texts, manifest["given"]["study"])
        )
    except (LookupError, TypeError):
        whole = False
    if not whole:
        why = "it does not say its sources, their hashes and its study"
        raise CommandError(UNVERIFIED, f"{report / MANIFEST}: nothing can be built from it: {why}")
    return manifest
