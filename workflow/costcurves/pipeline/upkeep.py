"""Results that no run needs any more are removed, when a run succeeds and no other is active."""

import json
import os
import platform
import re
import shutil
from pathlib import Path
from typing import Final

from costcurves.atomic import atomic
from costcurves.locks import is_alive
from costcurves.pipeline.plan import OF_BATCHES, Plan

KEPT: Final = "kept.json"  # the results of the last run that succeeded, by detail
RUNS: Final = "runs"  # a file for each run that is active
KEYED: Final = re.compile(rf"({'|'.join(OF_BATCHES)}|map|claims|report)-[0-9a-f]{{12}}.*")


def begin(plan: Plan) -> None:
    """Say that a run is active."""
    file = _own(plan)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()


def end(plan: Plan, *, succeeded: bool) -> None:
    """Say that the run has ended; if it succeeded, remove what no kind of run had last."""
    _own(plan).unlink(missing_ok=True)
    if not succeeded:
        return
    file = Path(plan.results, KEPT)
    try:
        kept = dict(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        kept = {}
    kept[plan.study.detail] = sorted(_names(plan))
    with atomic(file) as fresh:
        fresh.write_text(json.dumps(kept, indent=2), encoding="utf-8")
    if not active(plan):
        _remove(plan, {name for names in kept.values() for name in names})
        for one in Path(plan.file).parent.glob("plan-*"):
            if one != Path(plan.file):
                one.unlink(missing_ok=True)


def active(plan: Plan) -> list[str]:
    """List the runs of this study that are active, also on other computers."""
    found = []
    for file in Path(plan.results, RUNS).glob("*@*"):
        pid, _, computer = file.name.partition("@")
        if computer != platform.node() or is_alive(int(pid)):
            found.append(file.name)
        else:
            file.unlink(missing_ok=True)
    return found


def _own(plan: Plan) -> Path:
    return Path(plan.results, RUNS, f"{os.getpid()}@{platform.node()}")


def _names(plan: Plan) -> set[str]:
    each = {plan.folder(stage, batch) for stage in OF_BATCHES for batch in plan.batches}
    whole = {plan.folder(stage) for stage in ("map", "claims", "report")}
    return {str(Path(it).relative_to(plan.results)) for it in (*each, *whole)}


def _remove(plan: Plan, kept: set[str]) -> None:
    for root, ending in ((Path(plan.results), ""), (Path("logs", plan.study.name), ".log")):
        for path in [*root.glob("*-*"), *root.glob("*/*-*"), *root.glob("*/.*-*")]:
            name = str(path.relative_to(root)).removesuffix(ending)
            if not KEYED.fullmatch(path.name.lstrip(".")) or name in kept:
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
