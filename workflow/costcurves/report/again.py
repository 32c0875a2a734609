"""A report once more, from the tables that it holds: nothing is estimated, no prediction read."""

from collections.abc import Mapping
from contextlib import chdir
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from costcurves.errors import InputError
from costcurves.figures.drawing import draw_datasets, draw_together
from costcurves.figures.saving import Saving, save
from costcurves.figures.view_figures import BESIDE
from costcurves.report.libraries import ABSENT, LOADED
from costcurves.report.publication import publish
from costcurves.tables.checks.check_results import CHECK_RESULTS
from costcurves.tables.claims import CLAIMS
from costcurves.tables.configuration.dataset import Dataset
from costcurves.tables.configuration.stages import batches
from costcurves.tables.configuration.study import Study, parse_study
from costcurves.tables.contract import Contract, stacked
from costcurves.tables.contracts import CONTRACTS
from costcurves.tables.files import read, read_csv
from costcurves.tables.inference.map import MAP

Tables = dict[str, dict[str, pd.DataFrame]]  # by slugs, "" is all together; then by stage


def publish_again(report: Path, manifest: Mapping[str, Any], home: Path, folder: Path) -> None:
    """Publish what a report's tables and manifest give into a folder.

    The study's own texts have paths that begin in `home`.
    """
    report, folder = report.resolve(), folder.resolve()
    study, tables = _read(report, manifest)
    facts = {key: value for key, value in manifest.items() if key not in ("fingerprint", "files")}
    with TemporaryDirectory(prefix="costcurves-") as drawn, chdir(home):
        each, together = Path(drawn, "each"), Path(drawn, "together")
        _draw(study, tables, each, together)
        drawn_in = {"": together} | {one.slug: each / one.slug for one in study.datasets}
        publish(folder, study, tables, drawn_in, facts)


def draw_again(report: Path, manifest: Mapping[str, Any], folder: Path, save: Saving) -> None:
    """Draw the figures of a report's tables into a folder, named as in the report."""
    _draw(*_read(report, manifest), folder, folder, save)


def _read(report: Path, manifest: Mapping[str, Any]) -> tuple[Study, Tables]:
    study = _study(manifest)
    tables = {one.slug: _tables(report, study, one) for one in study.datasets}
    whole = {one.name: _published(report, one.name, one) for one in (MAP, CLAIMS)}
    return study, {"": whole, **tables}


def _study(manifest: Mapping[str, Any]) -> Study:
    """Read the configuration; the report has no PDF where it says that Pango was not there."""
    study = parse_study(manifest["given"], source="manifest.json", files=False)
    if study.configuration != manifest["configuration"]:
        why = "the configuration as given is not the one that it says was used"
        raise InputError([f"manifest.json: contradicts itself, {why}"])
    without = any(manifest["libraries"].get(name) == ABSENT for name in LOADED)
    return replace(study, pdf=study.pdf and not without)


def _tables(report: Path, study: Study, dataset: Dataset) -> dict[str, pd.DataFrame]:
    kept = {*study.stages, CHECK_RESULTS.name}
    found = {
        stage: _published(report, f"{stage}/{dataset.slug}", contract)
        if stage in kept
        else contract.empty()
        for stage, contract in CONTRACTS.items()
    }
    for stage, table in found.items():
        if foreign := sorted({*table["dataset"]} - {dataset.name}):
            why = f"has rows of the dataset {foreign[0]!r}, expected {dataset.name!r}"
            raise InputError([f"tables/{stage}/{dataset.slug}: {why}"])
    return found


def _published(report: Path, name: str, contract: Contract) -> pd.DataFrame:
    """Read a table as it is published: one of very many rows as Parquet, one without any not."""
    for kind, reading in ((".csv", read_csv), (".parquet", read)):
        file = report / "tables" / f"{name}{kind}"
        if file.is_file():
            return reading(file, contract)
    return contract.empty()


def _draw(study: Study, tables: Tables, each: Path, together: Path, save: Saving = save) -> None:
    own = [tables[one.slug] for one in study.counted]
    originals = {stage: stacked([one[stage] for one in own]) for stage in BESIDE}
    roster = [tables[one.slug]["measures"] for one in study.datasets]
    for batch in batches(study.datasets).values():  # whose figures share their fonts
        drawn = [(one, tables[one.slug]) for one in batch]
        draw_datasets(each, drawn, originals, roster, study, save)
    whole = {
        stage: stacked([one[stage] for one in own])
        for stage in ("measures", "verdicts", "hybrids", "intervals")
    }
    together.mkdir(exist_ok=True)
    draw_together(together, whole | tables[""], study, save)
