"""Where a study's results and its report go: folders that must hold nothing of anybody else's."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from costcurves.errors import InputError, refuse
from costcurves.names import some
from costcurves.record.manifest import (
    MANIFEST,
    RECORD,
    SUMS,
    UNREADABLE,
    irregular,
    names_of_files,
    read_manifest,
    sha256,
)
from costcurves.settings import Study

STUDY_FILE: Final = "study.json"  # the checked study, in a folder of results: it is ours
ANSWER_FILE: Final = "answer.txt"  # in a report: what the terminal prints
WHAT_TO_USE_FILE: Final = "what_to_use.json"  # in a report: the same for programs
UNUSABLE: Final = 3  # the status of a stage, or of the engine, whose input can't be used
FAILED: Final = 5  # and of a stage that failed otherwise
LITTER: Final = (".DS_Store", "Thumbs.db")  # left by looking into a folder: nobody's work
# What a report that is not there raises, or a damaged record; not what the machine refuses.
ABSENT: Final = (FileNotFoundError, NotADirectoryError, *UNREADABLE[1:])
ELSEWHERE: Final = "move it elsewhere, or give the study another name"


def check_places(study: Study, configs: Sequence[str | Path]) -> None:
    """Make sure that a study, built in the current folder, takes nothing from anybody."""
    results, report = Path("results", study.name), Path("reports", study.name)
    predictions = (file for dataset in study.datasets for file in dataset.predictions)
    findings = [
        f"{file}: lies in {folder}, which is filled by building the study; {ELSEWHERE}"
        for file in dict.fromkeys(map(str, (*configs, *predictions)))
        for folder in (results, report)
        if Path(file).resolve().is_relative_to(folder.resolve())
    ]
    names = sorted(file.name for file in results.iterdir()) if results.is_dir() else []
    if not findings and names and STUDY_FILE not in names:
        why = "and nothing says that a build put it there"
        findings = [f"{results}: holds {some(names)}, {why}; {ELSEWHERE}"]
    refuse(findings)
    check_report(report, study.name)


def check_report(folder: Path, name: str) -> None:
    """Make sure that a new report replaces nothing but an older one of the same study."""
    refuse(_not_ours(folder, name))


def _not_ours(folder: Path, study: str) -> Iterator[str]:
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        yield f"{folder}: is a link or file, expected a folder or nothing there; {ELSEWHERE}"
        return
    names = [name for name in names_of_files(folder) if Path(name).name not in LITTER]
    if not names:
        return
    lost = f"{folder}: a new report would replace"
    try:
        manifest = read_manifest(folder)
    except InputError:
        yield f"{lost} {some(names)}, which no manifest of a report names; {ELSEWHERE}"
        return
    known, given = manifest["files"], manifest.get("given")
    if not isinstance(given, dict) or given.get("study") != study:
        yield f"{lost} that of another study; {ELSEWHERE}"
    if extra := [name for name in names if name not in {*known, *RECORD}]:
        yield f"{lost} {some(extra)}, which its manifest does not know; move it elsewhere"
    edited = [
        name
        for name in names
        if name in known and (irregular(folder / name) or sha256(folder / name) != known[name])
    ]
    if edited:
        mend = "move the folder elsewhere to keep that, or remove it"
        yield f"{lost} {some(edited)}, changed after it was built; {mend}"


def receipt_of(name: str, root: Path = Path()) -> Path:
    """Name the receipt of a study's report: a file of results, with the sha256 of its manifest."""
    return root / "results" / name / "report" / "published.txt"


def published(name: str, root: Path = Path()) -> bool:
    """Return whether the report that was built last is in its place, with all of its files."""
    folder, receipt = root / "reports" / name, receipt_of(name, root)
    try:
        if not receipt.is_file() or receipt.read_text("utf-8") != sha256(folder / MANIFEST):
            return False
        files = (SUMS, *read_manifest(folder)["files"])
    except ABSENT:
        return False
    return all((folder / file).is_file() for file in files)


def failure_file(study: str, stage: str, dataset: str) -> Path:
    """Name the file in which a stage that fails leaves its status and its message."""
    return Path("logs", study, dataset, f"{stage}.failed.json")


def failures(name: str, folder: Path = Path()) -> list[dict[str, Any]]:
    """Read what stages that failed have left, in the folder where the study is built."""
    files = sorted((folder / "logs" / name).rglob("*.failed.json"))
    return [json.loads(file.read_text("utf-8")) for file in files]
