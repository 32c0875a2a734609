"""`costcurves verify --rebuild`: whether a report's configuration and sources give the report."""

import shutil
import tempfile
from pathlib import Path
from typing import Any, Final

import pandas as pd
from pandas.testing import assert_frame_equal

from costcurves.command.ending import UNVERIFIED, CommandError
from costcurves.command.verify import manifest_of
from costcurves.command.workflow import HERE, build
from costcurves.errors import refuse, under
from costcurves.names import some
from costcurves.printing import say
from costcurves.record.manifest import MANIFEST, SIGNATURE, names_of_files, read_manifest, sha256
from costcurves.record.named import Named
from costcurves.study.reading import parse_study
from costcurves.study.strict_yaml import as_yaml

CLOSE: Final = 1e-12  # what processors and versions of libraries may make of the same numbers


def rebuild(report: Path, sources: Named) -> bool:
    """Build a report again in a temporary folder, print what differs, and return whether it fits.

    Tables decide. Pages and figures may differ where versions do.
    """
    with tempfile.TemporaryDirectory(prefix="costcurves-") as work:
        return compared(report, built_again(report, sources, Path(work).resolve()))


def built_again(report: Path, sources: Named, work: Path) -> Path:
    """Build a report of copies of its sources in an empty folder, and return where it is."""
    given = manifest_of(report)["given"]
    refuse([*sources.wrong, *sources.missing])
    study = parse_study(given, source=MANIFEST, files=False)
    names = {name for dataset in study.datasets for name in dataset.predictions}
    if more := sorted(names - sources.files.keys()):
        why = f"{MANIFEST}: its configuration names {some(more)}, its sources do not"
        raise CommandError(UNVERIFIED, why)
    # As the report shows the paths of its sources, these lead to the copies.
    above = max(Path(name).parts.count("..") for name in sources.files)
    folder = work.joinpath("work", *["below"] * above)
    for name, file in sources.files.items():
        if not Path(name).is_absolute():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, folder / name)
    config = work / "config.yaml"
    config.write_text(as_yaml(given), encoding="utf-8")
    build(config, study.name, [*HERE, "--cores", "all"], {}, folder=folder)
    return folder / "reports" / study.name


def compared(report: Path, again: Path) -> bool:
    """Print how a report differs from the one that was built again, and return whether it fits."""
    before, after = read_manifest(report), read_manifest(again)
    wrong = [
        f"{MANIFEST}: {key} is not what the report is built from"
        for key in ("configuration", "seed", "sources")
        if before.get(key) != after[key]
    ]
    others = []
    for name in sorted({*names_of_files(report), *names_of_files(again)} - {SIGNATURE}):
        difference = differing(report / name, again / name)
        if difference and name.startswith("tables/"):
            wrong.append(f"{name}: {difference}")
        elif difference:
            others.append(name)
    same = "all tables and claims are equal" if others else "it is the same"
    verdict = "its tables differ" if wrong else same
    say(*under(f"{report}: built again, {verdict}", wrong))
    mine, theirs = versions_of(before), versions_of(after)
    versions = [
        f"{name}: {mine.get(name)} in the report, {theirs.get(name)} in the rebuild"
        for name in mine | theirs
        if mine.get(name) != theirs.get(name)
    ]
    if others:
        headline = f"{report}: pages, figures or records differ: {some(others)}"
        say(*under(headline, versions or ["all versions are the same"]))
    return not wrong and bool(versions or not others)


def differing(before: Path, after: Path) -> str:
    """Describe how two files differ, tables by more than rounding; nothing where they do not."""
    if not before.is_file() or not after.is_file():
        return f"is only in the {'report' if before.is_file() else 'rebuild'}"
    if sha256(before) == sha256(after):
        return ""
    if before.suffix not in (".csv", ".parquet"):
        return "differs"
    read = pd.read_csv if before.suffix == ".csv" else pd.read_parquet
    try:
        assert_frame_equal(read(before), read(after), check_dtype=False, rtol=CLOSE, atol=CLOSE)
    except (AssertionError, OSError, ValueError) as error:
        return " ".join(str(error).split())
    return ""


def versions_of(manifest: dict[str, Any]) -> dict[str, str]:
    """Return the versions that a report was made with, the hash of costcurves' code among them."""
    code = {"code of costcurves": manifest["code"]}
    return {**manifest["versions"], **manifest["libraries"], **code}
