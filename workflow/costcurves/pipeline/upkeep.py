"""Results that no run needs any more are removed, when a run succeeds and no other is active."""

import json
import os
import platform
import re
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final

from costcurves.atomic import atomic
from costcurves.locks import is_alive
from costcurves.pipeline.plan import STAGES, Plan

KEPT: Final = "_kept.json"  # the results of the last run that succeeded, by detail
RUNS: Final = "_runs"  # a file for each run that is active
KEYED: Final = re.compile(rf"({'|'.join(STAGES)})-[0-9a-f]{{12}}.*")


def begin(plan: Plan) -> None:
    """Say that a run is active."""
    file = _own(plan)
    with suppress(OSError):  # a run that can't say so builds its report all the same
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()


def end(plan: Plan, *, succeeded: bool) -> None:
    """Say that the run has ended; if it succeeded, remove what no kind of run had last."""
    with suppress(OSError):  # what stays takes room and does no harm
        _own(plan).unlink(missing_ok=True)
        if succeeded:
            kept = _keep(plan)
            if not active(plan):
                _remove(plan, kept)


def _keep(plan: Plan) -> set[str]:
    """Note what this run had, and give what the last run of each kind had."""
    file = Path(plan.results, KEPT)
    try:
        kept = dict(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        kept = {}
    names = (Path(folder).relative_to(plan.results) for folder in plan.folders())
    kept[plan.study.detail] = sorted(map(str, names))
    with atomic(file) as fresh:
        fresh.write_text(json.dumps(kept, indent=2), encoding="utf-8")
    return {name for names in kept.values() for name in names}


def active(plan: Plan) -> list[str]:
    """List the runs of this study that are active, also on other computers."""
    found = []
    for file in Path(plan.results, RUNS).glob("*@*"):
        pid, _, computer = file.name.partition("@")
        if not pid.isdecimal():  # no run has put it there
            continue
        if computer != platform.node() or is_alive(int(pid)):
            found.append(file.name)
        else:
            file.unlink(missing_ok=True)
    return found


def _own(plan: Plan) -> Path:
    return Path(plan.results, RUNS, f"{os.getpid()}@{platform.node()}")


def _remove(plan: Plan, kept: set[str]) -> None:
    for root, ending in ((Path(plan.results), ""), (Path("logs", plan.study.name), ".log")):
        for path in [*root.glob("*-*"), *root.glob("*/*-*"), *root.glob("*/.*-*")]:
            name = str(path.relative_to(root)).removesuffix(ending)
            batch = path.parent == root and name in plan.batches
            if batch or name in kept or not KEYED.fullmatch(path.name.lstrip(".")):
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
    for one in Path(plan.file).parent.glob("plan-*"):
        if one != Path(plan.file):
            one.unlink(missing_ok=True)
