"""`costcurves bundle`: a report as a journal, a conference or an archive takes it."""

import math
import os
import re
import tempfile
import zipfile
from argparse import Namespace
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from costcurves.archive.columns import LEAST, SIZES, draw, is_font
from costcurves.archive.contents import KINDS, MEGABYTE, Material, collect
from costcurves.archive.records import About
from costcurves.atomic import atomic
from costcurves.code import all_files
from costcurves.command.ending import FINE, UNVERIFIED, USAGE, CommandError, not_new
from costcurves.command.verify import manifest_of
from costcurves.errors import InputError, of_stranger, under
from costcurves.printing import say
from costcurves.tables.configuration.names import quoted, unusable
from costcurves.tables.record.manifest import code_hash, verify
from costcurves.tables.record.named import named

DESCRIPTION: Final = """\
Write a report as a zip file that a journal, a conference or an archive takes: figures for one and
two columns with letters of 5 to 7 points, tables and methods for LaTeX, captions with alternative
texts, the data behind each figure, the report itself, and what machines read of it (RO-Crate,
CycloneDX). All of it says what the report says; no number is computed anew. What is more than the
largest size is left out, the least important first, and named.
"""
EXAMPLES: Final = """\
examples:
  costcurves bundle reports/default --for journal --author "Holte, Robert" --license CC-BY-4.0
  costcurves bundle reports/default --for conference --letters 6 --font "DejaVu Serif"
  costcurves bundle reports/default --for archive --author "Holte, Robert" --sources .
"""
OPTIONS: Final = {
    "report": {"metavar": "REPORT", "help": "the folder of a report"},
    "--for": {
        "choices": tuple(KINDS),
        "required": True,
        "dest": "kind",
        "help": "who takes it: a conference less than a journal; an archive also the sources of "
        "the report and the workflow, so it needs --author, --license and --sources",
    },
    "--output": {
        "metavar": "FILE",
        "help": "the file to write; default is <report>-<for>.zip here",
    },
    "--author": {
        "metavar": "NAME",
        "action": "append",
        "default": [],
        "help": "family name, comma, given names; once for each author",
    },
    "--license": {"metavar": "NAME", "help": "of the bundle, as SPDX names it: CC-BY-4.0"},
    "--font": {
        "metavar": "NAME",
        "default": "DejaVu Sans",
        "help": "of the letters in figures; default is DejaVu Sans",
    },
    "--letters": {
        "metavar": "POINTS",
        "type": float,
        "default": 7.0,
        "help": "size of the largest letters in figures, 5.7 to 7; default is 7, or less to fit",
    },
    "--sources": {
        "metavar": "FOLDER",
        "default": ".",
        "help": "where the paths of sources begin; default is the current folder",
    },
    "--most": {
        "metavar": "MB",
        "type": float,
        "default": 50.0,
        "help": "the largest size of the file; default is 50 MB",
    },
}
NAME: Final = re.compile(r"[^,]*\w[^,]*,[^,]*\w[^,]*")
AUTHOR: Final = '--author "Holte, Robert" for each author'
LICENSE: Final = "--license with an SPDX name such as CC-BY-4.0"
SPDX: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]*")


def run(told: Namespace) -> int:
    """Write the bundle, and say what is in it and what was left out."""
    report = Path(told.report)
    path = Path(told.output or f"{report.resolve().name}-{told.kind}.zip")
    _check(told, path)
    if findings := verify(report):
        headline = f"{report}: is not what its manifest says, so it was not bundled"
        raise CommandError(UNVERIFIED, *under(headline, findings))
    manifest = manifest_of(report)
    try:
        if manifest["configuration"]["detail"] == "quick":
            why = "is a first look, with few resamples, so it is no supplement; build it without"
            raise CommandError(UNVERIFIED, f"{report}: {why} --quick, then bundle it")
        if (here := code_hash(all_files())) != (made := manifest["code"]):
            why = f"made by other code ({made[:12]}) than draws its figures here ({here[:12]})"
            raise CommandError(UNVERIFIED, f"{report}: was {why}; build it again, then bundle it")
        about = _about(told, manifest)
        with tempfile.TemporaryDirectory(prefix="costcurves-") as folder:
            left_out = draw(report.resolve(), manifest, Path(folder), told.font, told.letters)
            sources = named(manifest, [Path(told.sources)])
            material = Material(report, manifest, Path(folder), sources, about)
            files = collect(told.kind, material, int(told.most * MEGABYTE), left_out)
    except (CommandError, InputError):
        raise
    except Exception as error:
        headline = f"{report}: can't be bundled (see 'costcurves verify')"
        raise CommandError(UNVERIFIED, *under(headline, of_stranger(error))) from error
    with atomic(path) as file, zipfile.ZipFile(file, "w") as packed:
        for name, content in files.items():
            packed.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    held = f"{len(files)} files, {path.stat().st_size / MEGABYTE:.1f} MB, for {KINDS[told.kind][0]}"
    say(f"{path}: {held}", *(f"  left out: {one}" for one in left_out))
    return FINE


def _check(told: Namespace, path: Path) -> None:
    """Refuse what can't be done, before anything is."""
    findings = [why for why in (not_new(path, ".zip"),) if why]
    least, largest = SIZES
    if not least <= told.letters <= largest:
        why = f"expected {math.ceil(10 * least) / 10:g} to {largest:g} points"
        findings.append(
            f"--letters is {told.letters:g}, {why}, as the smallest have {LEAST:.2f} times that"
        )
    if not told.most > 0:
        findings.append(f"--most is {told.most:g}, expected a size in MB above 0")
    if not is_font(told.font):
        findings.append(f"--font is {told.font!r}, which is not among the fonts of this computer")
    for name in told.author:
        if not NAME.fullmatch(name):
            expected = 'expected family name, comma, given names, such as "Holte, Robert"'
            findings.append(f"--author is {quoted(name)}, {expected}")
        elif reason := unusable(name):
            findings.append(f"--author is {quoted(name)}, which {reason}")
    if told.license and not SPDX.fullmatch(told.license):
        findings.append(f"--license is {told.license!r}, expected a name of SPDX such as CC-BY-4.0")
    if findings:
        raise CommandError(USAGE, *findings)


def _about(told: Namespace, manifest: Mapping[str, Any]) -> About:
    """Say who made it: whom the user names, and nobody where the report is anonymous."""
    anonymous = bool(manifest["configuration"]["anonymous"])
    if anonymous and told.author:
        why = "the report is anonymous (its configuration says so), and so is what is made of it"
        raise CommandError(USAGE, f"--author names {told.author[0]!r}: {why}")
    given = {AUTHOR: anonymous or told.author, LICENSE: told.license}
    if told.kind == "archive" and (lacking := [option for option in given if not given[option]]):
        raise CommandError(USAGE, f"--for archive needs {' and '.join(lacking)}")
    clock = os.environ.get("SOURCE_DATE_EPOCH")  # of builds that are to come out the same
    day = datetime.fromtimestamp(int(clock), UTC) if clock else datetime.now(UTC)
    title = str(manifest["configuration"]["title"])
    return About(title, tuple(told.author), anonymous, f"{day:%Y-%m-%d}", told.license)
