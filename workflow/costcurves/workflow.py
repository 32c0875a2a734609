"""What the Snakefile needs: the checked study, and what each result is made of."""

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

from costcurves.atomic import atomic
from costcurves.code import all_files
from costcurves.detail import TABLES
from costcurves.errors import InputError
from costcurves.printing import say
from costcurves.record.manifest import code_hash, sha256
from costcurves.record.places import (
    FAILED,
    STUDY_FILE,
    UNUSABLE,
    check_places,
    published,
    receipt_of,
)
from costcurves.report.libraries import pdf_missing
from costcurves.settings import Cases, Dataset, Study
from costcurves.study.reading import parse_study
from costcurves.study.strict_yaml import read_document


def open_study(config: Mapping[str, Any], files: Sequence[Path]) -> Study:
    """Check a configuration, and write what the stages read of it; end where it can't be used."""
    try:
        documents = [read_document(file) for file in files]  # strict, as the engine's reader is not
        lines = documents[0].lines if len(documents) == 1 else None
        source = " + ".join(map(str, files))
        study = parse_study(config, source=source, lines=lines)
        check_places(study, files)
    except InputError as error:
        say("", *str(error).split("\n"), to=sys.stderr)
        sys.exit(UNUSABLE)
    _end_future(Path("results", study.name))
    _write(study, study_file(study), _content(study, config))
    return study


def dated(dataset: Dataset) -> list[str]:
    """List the sources that the engine can date; the hash of each, in made_of.json, decides.

    The engine takes braces for wildcards, and ends where an output is older than an input.
    """
    names = [name for name in dataset.predictions if not {"{", "}"} & {*name}]
    return [name for name in names if _end_future_of(Path(name))]


def _end_future_of(source: Path) -> bool:
    """Let a source not be of the future; return whether it is not."""
    try:
        if source.is_file() and source.stat().st_mtime > time.time():
            os.utime(source)
    except PermissionError:
        return False
    return True


def begin(study: Study, config: Mapping[str, Any]) -> None:
    """Begin to run jobs, with the engine's lock: forget failures; end where another run began."""
    for file in Path("logs", study.name).rglob("*.failed.json"):
        file.unlink(missing_ok=True)
    if study_file(study).read_text(encoding="utf-8") != _content(study, config):
        say("another run has begun with another configuration; run the same again", to=sys.stderr)
        sys.exit(FAILED)


def _content(study: Study, config: Mapping[str, Any]) -> str:
    return _json({"study": study, "given": dict(config)})


def _json(content: object) -> str:
    """Write JSON in order, as that of classes matters; settings as plain keys."""
    return json.dumps(content, indent=1, default=asdict)


def study_file(study: Study) -> Path:
    """Name the file that says what a study is: it marks the folder of results as ours."""
    return Path("results", study.name, STUDY_FILE)


def _end_future(results: Path) -> None:
    """Let no result be of the future, as where a clock was set back; the order of dates stays."""
    now = time.time_ns()
    dates = {}
    for file in results.rglob("*"):
        with suppress(FileNotFoundError):  # another run removes what it has not finished
            dates[file] = file.stat().st_mtime_ns
    future = sorted((file for file in dates if dates[file] > now), key=dates.__getitem__)
    for place, file in enumerate(future):
        date = now - len(future) + place
        os.utime(file, ns=(date, date))


def made_of(study: Study, stage: str, dataset: Dataset | None = None) -> str:
    """Name the file that says what the results of a stage are made of beside its inputs.

    It is written only where its content changes. So its date follows its content, and the engine's
    first rule, dates, is right for code, parameters and sources, with or without `.snakemake`.
    """
    folder = Path("results", study.name, dataset.slug if dataset else "", stage)
    content: dict[str, Any] = {"code": _package_hash()}
    if dataset:
        content |= {"tables": tables(study, stage)} | parameters(study, stage, dataset)
    else:
        content |= parameters_of_all(study, stage)
    _write(study, folder / "made_of.json", _json(content))
    return str(folder / "made_of.json")


def parameters(study: Study, stage: str, dataset: Dataset) -> dict[str, Any]:
    """Return all parameters that matter to a stage of one dataset: what it uses of the study."""
    if stage == "predictions":
        return {"reading": dataset.as_read, "sources": sources(dataset)}
    conditions = study.operating_conditions
    if stage == "figures":
        return {
            "dataset": replace(dataset, about=Cases()),  # figures say nothing of it
            "first": dataset == study.datasets[0],  # of which there are more figures
            "at": conditions,
            "how": [study.level, study.appendix, len(study.counted), study.reference],
            "limits": study.selection,
        }
    choice = chosen_by(study)
    if stage == "cost_lines":
        return choice
    return choice | {
        "inference": [study.inference, study.of_ranges],
        "reference": study.reference,
        "at": [conditions, dataset.prior],
    }


def chosen_by(study: Study) -> dict[str, Any]:
    """Return the parameters by which thresholds are chosen."""
    return {
        "seed": study.seed,
        "level": study.level,
        "selection": study.selection,
        "prior": study.prior,
    }


def parameters_of_all(study: Study, stage: str) -> dict[str, Any]:
    """Return all parameters that matter to a stage of the whole study."""
    if stage == "map":
        names = [[dataset.name, dataset.title, dataset.in_files] for dataset in study.counted]
        how = {"seed": study.seed, "inference": study.inference}
        return how | {"reference": study.reference, "datasets": names, "title": study.title}
    if stage == "claims":
        return chosen_by(study) | {"at": study.operating_conditions, "claims": study.claims}
    content = json.loads(study_file(study).read_text(encoding="utf-8"))
    return {"study": content, "without_pdf": pdf_missing()}


def _write(study: Study, file: Path, text: str) -> None:
    """Write a file unless it says the same, or another run of the study, at work, rests on it."""
    if file.is_file() and file.read_text(encoding="utf-8") == text:
        return
    locks = [lock.read_text(encoding="utf-8") for lock in Path(".snakemake", "locks").glob("*")]
    if not file.exists() or not any(f"results/{study.name}/" in lock for lock in locks):
        with atomic(file) as fresh:
            fresh.write_text(text, encoding="utf-8")


@cache
def _package_hash() -> str:
    """Hash the package, and the templates, styles and scripts of its report."""
    return code_hash(all_files())


def tables(study: Study, stage: str) -> list[str]:
    """List the tables that a study has of a stage."""
    return [table for table in TABLES[stage] if table not in study.left_out]


def sources(dataset: Dataset) -> dict[str, str | None]:
    """Hash the prediction files of a dataset; None: it can't be read, as its stage then says."""
    hashes: dict[str, str | None] = dict.fromkeys(dataset.predictions)
    for name in hashes:
        with suppress(OSError):
            if Path(name).is_file():  # to read a pipe would wait for ever
                hashes[name] = sha256(Path(name))
    return hashes


def receipt(study: Study) -> str:
    """Name the receipt of the report, which goes where another report, or none, is in its place.

    The report itself is no output of a rule: the engine deletes outputs before it runs a job.
    """
    file = receipt_of(study.name)
    if not published(study.name):
        file.unlink(missing_ok=True)
    return str(file)
