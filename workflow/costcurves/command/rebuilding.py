"""`costcurves verify --rebuild`: whether a report's configuration and sources give the report."""

import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.command.ending import UNVERIFIED, CommandError
from costcurves.command.verify import manifest_of
from costcurves.command.workflow import build, engine_options
from costcurves.errors import refuse, under
from costcurves.names import some
from costcurves.printing import say
from costcurves.study.reading import parse_study
from costcurves.study.strict_yaml import as_yaml
from costcurves.tables.record.manifest import (
    MANIFEST,
    SIGNATURE,
    names_of_files,
    read_manifest,
    sha256,
)
from costcurves.tables.record.named import Named, made_of

CLOSE: Final = 1e-12  # what processors and versions of libraries may make of the same numbers
MADE_FROM: Final = ("configuration", "seed", "sources")  # keys of a manifest


def rebuild(report: Path, sources: Named) -> bool:
    """Build a report again in a temporary folder, print what differs, and return whether it fits.

    Tables decide. Pages and figures may differ where versions do.
    """
    with tempfile.TemporaryDirectory(prefix="costcurves-") as work:
        return compared(report, built_again(report, sources, Path(work).resolve()))


def built_again(report: Path, sources: Named, work: Path) -> Path:
    """Build a report in an empty folder, and return where it is."""
    manifest = manifest_of(report)
    refuse([*sources.wrong, *sources.missing])
    check_listed(manifest)
    folder = laid_out([source["path"] for source in made_of(manifest)], sources, work)
    config = work / "config.yaml"
    text = as_yaml(manifest["given"])
    config.write_text(text, encoding="utf-8")
    name = str(manifest["given"]["study"])
    build(config, name, engine_options(), {}, folder=folder)
    return folder / "reports" / name


def compared(report: Path, again: Path) -> bool:
    """Print how a report differs from the one that was built again, and return whether it fits."""
    before, after = read_manifest(report), read_manifest(again)
    wrong = [
        f"{MANIFEST}: {key} is not what the report is built from"
        for key in MADE_FROM
        if before.get(key) != after.get(key)
    ]
    others = []
    for name in sorted({*names_of_files(report), *names_of_files(again)} - {SIGNATURE}):
        if _hash(report / name) == _hash(again / name):
            continue
        if not name.startswith("tables/"):
            others.append(name)
        elif difference := differing_row(report / name, again / name):
            wrong.append(f"{name}{difference}")
    versions = different_versions(before, after)
    if wrong:
        say(*under(f"{report}: built again, its tables differ", wrong))
    elif others:
        say(f"{report}: built again, all tables and claims are equal")
    else:
        say(f"{report}: built again, it is the same")
    if others:
        headline = f"{report}: pages, figures or records differ: {some(others)}"
        say(*under(headline, versions or ["all versions are the same"]))
    return not wrong and bool(versions or not others)


def _hash(file: Path) -> str:
    return sha256(file) if file.is_file() else ""


def differing_row(before: Path, after: Path) -> str | None:
    """Describe the first row in which two tables differ by more than rounding, if there is one."""
    if not before.is_file() or not after.is_file():
        return f": is only in the {'report' if before.is_file() else 'rebuild'}"
    read = pd.read_parquet if before.suffix == ".parquet" else pd.read_csv
    try:
        one, two = read(before), read(after)
    except (OSError, ValueError) as error:
        return f": can't be read ({error})"
    if [*one.columns] != [*two.columns]:
        return f": has the columns {some([*one.columns])}, expected {some([*two.columns])}"
    rows = min(len(one), len(two))
    differs = pd.DataFrame({name: _apart(one[name][:rows], two[name][:rows]) for name in one})
    for row in np.flatnonzero(differs.any(axis=1)):
        name = differs.columns[differs.iloc[row]][0]
        cells = f"{one[name][row]} in the report, {two[name][row]} in the rebuild"
        return f", row {row + 1}: {name} is {cells}"
    return None if len(one) == len(two) else f": has {len(one)} rows, expected {len(two)}"


def _apart(one: "pd.Series[Any]", two: "pd.Series[Any]") -> Any:
    """Return for each row whether two columns differ there by more than rounding."""
    if one.dtype.kind in "fiu" and two.dtype.kind in "fiu":
        return ~np.isclose(one, two, rtol=CLOSE, atol=CLOSE, equal_nan=True)
    return (one.astype(str) != two.astype(str)).to_numpy()


def different_versions(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """List what was made with other versions of libraries or of this package."""
    sides = []
    for manifest in (before, after):
        versions = {**manifest.get("versions", {}), **manifest.get("libraries", {})}
        sides.append(versions | {"code of costcurves": str(manifest.get("code"))[:12]})
    one, two = sides
    return [
        f"{name}: {one.get(name, 'none')} in the report, {two.get(name, 'none')} in the rebuild"
        for name in dict.fromkeys([*one, *two])
        if one.get(name) != two.get(name)
    ]


def check_listed(manifest: Mapping[str, Any]) -> None:
    """Make sure that the configuration names no files but those that were compared."""
    study = parse_study(manifest["given"], source=MANIFEST, files=False)
    wanted = {file for one in study.datasets for file in one.predictions}
    if more := sorted(wanted - {one["path"] for one in made_of(manifest)}):
        why = f"its configuration names {some(more)}, its sources do not"
        raise CommandError(UNVERIFIED, f"{MANIFEST}: {why}")


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
