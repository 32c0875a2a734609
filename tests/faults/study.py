"""A study on which faults are tried, its whole reports, and the command that builds it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import yaml

from costcurves.command.workflow import JOB
from tests.small_study import ROOT, contents, folds_of, scored

REPORT = Path("reports", "small")
PART = "a part"
NAMES = ("one", "two")  # of data sets, and of their files
TRACEBACK = "Traceback (most recent call last):"
COMMAND = (sys.executable, "-m", "costcurves", "report", "study.yaml")
AGAIN = (*COMMAND, "--unlock")  # as the message says where a run was killed
BOOKKEEPING = Path(".snakemake")  # of the workflow's engine

Files = dict[str, bytes]
Prepare = Callable[[], None]


@dataclass(frozen=True)
class Ended:
    """How a run ended: its status, and what it said."""

    status: int
    said: tuple[str, ...]

    @property
    def message(self) -> str:
        """What it said beside the jobs that were done; of a traceback its last line."""
        lines = [line.rstrip() for line in self.said]
        if TRACEBACK in lines:
            return f"{TRACEBACK} {lines[-1]}"
        return " / ".join(line.strip() for line in lines if line and not JOB.match(line))


@dataclass(frozen=True)
class Reference:
    """A folder in which the study was built with the first seed, and the reports of both seeds."""

    folder: Path
    first: Files
    second: Files

    def begin(self, folder: Path, built: bool) -> Path:
        """Make a folder where the second report is to be built; `built`: the first is there."""
        if built:
            shutil.copytree(self.folder, folder)
        write_study(folder, seed=2)
        return folder

    def left(self, folder: Path) -> str:
        """Say which report is there: none, the first, the second, or a part of one."""
        found = report_of(folder)
        whole = {"none": {}, "as before": self.first, "the new one": self.second}
        return next((name for name, files in whole.items() if files == found), PART)


def write_study(folder: Path, seed: int) -> None:
    """Write a configuration, and the predictions that are not there or not as they should be."""
    folder.mkdir(parents=True, exist_ok=True)
    study = {
        "study": "small",
        "seed": seed,
        "detail": "essential",  # fewer jobs, the same ways to fail
        "inference": {"resamples": 50},
        "datasets": [{"name": name, "predictions": [f"{name}.csv"]} for name in NAMES],
    }
    (folder / "study.yaml").write_text(yaml.safe_dump(study))
    for place, name in enumerate(NAMES):
        rows = folds_of(24, 1, 2, seed=place)
        models = (
            scored(rows, model, skill, skill) for model, skill in (("Bayes", 2), ("Trees", 1))
        )
        table, text = folder / f"{name}.csv", pd.concat(list(models)).to_csv(index=False)
        if not table.exists() or table.read_text() != text:
            table.write_text(text)


def reference(folder: Path) -> Reference:
    """Build the study with both seeds, nothing going wrong."""
    reports = []
    for seed in (1, 2):
        own = folder / f"seed{seed}"
        write_study(own, seed)
        ended = finish(begin(own))
        if ended.status:
            raise SystemExit("\n".join(ended.said))
        reports.append(report_of(own))
    return Reference(folder / "seed1", *reports)


def report_of(folder: Path) -> Files:
    """Give the files of the report; none if there is no page, as nobody opens a folder."""
    files = contents(folder / REPORT)
    return files if {"report.html", "report.pdf"} & set(files) else {}


def begin(
    folder: Path, *command: str, prepare: Prepare | None = None, root: Path = ROOT
) -> "subprocess.Popen[str]":
    """Start to build in a folder, in a process group of its own; `prepare` runs in it first."""
    return subprocess.Popen(
        command or COMMAND,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(root / "workflow"), "PYTHONHASHSEED": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=prepare,
    )


def finish(run: "subprocess.Popen[str]") -> Ended:
    """Wait for a run, and hear what it said."""
    said, _ = run.communicate()
    return Ended(run.returncode, tuple(said.splitlines()))
