"""Whether a report comes out again: built from its sources, or its numbers by another program."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import yaml

from costcurves.archive import RECOMPUTE
from costcurves.command.verify import check_listed, laid_out, manifest_of
from costcurves.command.workflow import Progress, build
from costcurves.errors import refuse, under
from costcurves.printing import say
from costcurves.tables.record.differences import (
    CLOSE,
    causes,
    differing_files,
    differing_rows,
    first_difference,
    first_stage,
    fonts,
)
from costcurves.tables.record.manifest import read_manifest
from costcurves.tables.record.named import Named, made_of

UNRECORDED: Final = (
    "none that a manifest records: the processor, or a font or library of the system"
)


def recomputed(report: Path, sources: Named, folders: Sequence[Path]) -> bool:
    """Run our own copy of the file that recomputes numbers, never the report's."""
    refuse([*sources.wrong, *sources.missing])
    arguments = [str(report), *(word for folder in folders for word in ("--sources", str(folder)))]
    made = subprocess.run(  # noqa: S603 - our own interpreter and file, no shell
        [sys.executable, "-P", str(RECOMPUTE), *arguments],
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


def comes_out_again(report: Path, sources: Named) -> bool:
    """Say whether a report that is built again is the same."""
    with tempfile.TemporaryDirectory(prefix="costcurves-") as folder:
        again = rebuilt(report, sources, Path(folder).resolve(), Progress())
        findings, equal = compared(report, again)
    headline, *rest = findings or [f"{report}: built again, it is the same byte for byte"]
    say(*under(headline, rest))
    return equal


def rebuilt(report: Path, sources: Named, work: Path, progress: Progress) -> Path:
    """Build a report again in an empty folder, of sources that are here."""
    manifest = manifest_of(report)
    refuse([*sources.wrong, *sources.missing])
    check_listed(manifest)
    folder = laid_out([source["path"] for source in made_of(manifest)], sources, work)
    config = work / "config.yaml"
    text = yaml.safe_dump(manifest["given"], sort_keys=False, allow_unicode=True)
    config.write_text(text, encoding="utf-8")
    build(config, folder, progress)
    return folder / "reports" / str(manifest["given"]["study"])


def compared(report: Path, again: Path) -> tuple[list[str], bool]:
    """Say how a report differs from what was built again, why that may be, and if it is the same.

    It is where tables are equal but for rounding, and nothing but versions or the processor makes
    the rest differ; its pages are checked against its own tables (`held_to_tables`).
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
