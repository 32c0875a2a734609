"""`costcurves verify`: whether a report is what its manifest says, and comes out again."""

import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from costcurves.command.ending import FINE, UNVERIFIED, USAGE, CommandError
from costcurves.command.progress import Progress
from costcurves.command.rebuild import compared, compared_sources, rebuilt
from costcurves.errors import SHOWN, InputError
from costcurves.tables.record.manifest import read_manifest, verify

if TYPE_CHECKING:
    import argparse

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


def add_options(parser: "argparse.ArgumentParser") -> None:
    """Add this command's options."""
    parser.add_argument("report", metavar="REPORT", help="the folder of a report")
    parser.add_argument(
        "--rebuild", action="store_true", help="build it again and compare byte for byte"
    )
    parser.add_argument(
        "--sources",
        metavar="FOLDER",
        default=".",
        help="where the paths of sources begin; default is the current folder",
    )


def run(told: "argparse.Namespace") -> int:
    """Verify the report, and say what was found."""
    report = Path(told.report)
    if not report.is_dir():
        raise CommandError(
            USAGE, f"{report}: there is no such folder, expected one such as reports/default"
        )
    missing: list[str] = []
    findings = verify(report)
    with suppress(CommandError):  # where the manifest names no sources
        missing, changed = compared_sources(report, Path(told.sources))
        findings += changed
    if findings:
        count = f"{len(findings)} difference{'' if len(findings) == 1 else 's'}"
        _say(f"{report}: {count} from its manifest", findings)
    else:
        manifest = read_manifest(report)
        files, mark = len(manifest["files"]), manifest["fingerprint"]
        _say(f"{report}: all {files} files are as the manifest says; its fingerprint is {mark}")
    if missing and not told.rebuild:  # which says the same
        _say(f"{report}: not all of its sources could be compared with its manifest", missing)
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
    if findings:
        _say(findings[0], findings[1:])
    else:
        _say(f"{report}: built again, it is the same byte for byte")
    return not findings


def _say(headline: str, findings: list[str] | None = None) -> None:
    listed = findings or []
    hidden = [f"... and {len(listed) - SHOWN} more"] if len(listed) > SHOWN else []
    lines = [headline, *(f"  {line}" for line in (*listed[:SHOWN], *hidden))]
    sys.stdout.write("".join(f"{line}\n" for line in lines))
