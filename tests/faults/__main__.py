"""Make things go wrong while a report is built, and see what is left: `make faults`.

Of each fault is noted how the run ended and what it said last; whether the report was then as
before, or the new one, whole; and whether the same command, run again, gave the bytes of a clean
build. Half of the runs begin with a report of other numbers, half with nothing; after half of the
kills the bookkeeping of the workflow's engine is lost as well. The moments are drawn with a fixed
seed, what happens at a moment depends on the machine.
"""

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tests.faults import cases
from tests.faults.study import (
    BOOKKEEPING,
    PART,
    Ended,
    Reference,
    begin,
    finish,
    reference,
    report_of,
    write_study,
)
from tests.small_study import ROOT

OUT = Path(__file__).with_name("faults.json")
KILLS = 20


@dataclass(frozen=True)
class Fault:
    """What goes wrong, in which folder: with a report or not, the bookkeeping kept or lost."""

    name: str
    happen: Callable[[Path], Ended]
    built: bool = True
    kept: bool = True


def main() -> None:
    """Try every fault, write the table, and fail if any left harm."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--only", default="", help="faults whose name begins so")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        begun = time.perf_counter()
        clean = reference(Path(place))
        seconds = (time.perf_counter() - begun) / 2
        rows = [
            tried(clean, Path(place, "case"), fault)
            for fault in (*kills(seconds, arguments.kills), *others(seconds))
            if fault.name.startswith(arguments.only)
        ]
    arguments.out.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
    harm = sum(map(harmed, rows))
    print(f"{len(rows)} faults, {harm} left harm")
    sys.exit(harm > 0)


def kills(seconds: float, count: int) -> Iterator[Fault]:
    """Kill everything at random moments of a build that takes so many seconds."""
    moments = np.random.default_rng(20061).uniform(0, seconds, count).round(2).tolist()
    for place, moment in enumerate(moments):
        kill = partial(cases.killed, seconds=moment)
        yield Fault(f"kill at {moment} s", kill, bool(place % 2), place % 4 < 2)


def others(seconds: float) -> Iterator[Fault]:
    """List what else can go wrong."""
    for moment in np.random.default_rng(7).uniform(2, seconds, 2).round(2).tolist():
        yield Fault(f"Ctrl-C at {moment} s", partial(cases.interrupted, seconds=moment))
        yield Fault(f"end of time at {moment} s", partial(cases.terminated, seconds=moment))
    for job, script in (("resampling", "stage"), ("figures", "figures"), ("report", "report")):
        yield Fault(f"job {job} killed", partial(cases.job_killed, script=f"{script}.py"))
    for size in (200, 500, 900):
        limited = partial(cases.out_of_memory, megabytes=size)
        yield Fault(f"memory of {size} MB a process", limited)
    for size, built in ((0, True), (100, True), (100, False), (1000, False), (2000, False)):
        full = partial(cases.disk_full, kilobytes=size)
        yield Fault(f"disk full after {size} kB", full, built)
    yield Fault("nothing may be written", cases.read_only)
    yield Fault("second run at the same time", lambda folder: cases.two_at_once(folder)[0])
    yield Fault("source edited while it runs", cases.source_edited)
    yield Fault("data of no use, others kept going", cases.kept_going)


def tried(clean: Reference, folder: Path, fault: Fault) -> dict[str, Any]:
    """Try one fault; then mend what was wrong, and give the same command again."""
    clean.begin(folder, fault.built)
    ended = fault.happen(folder)
    left = clean.left(folder)
    if not fault.kept:
        shutil.rmtree(folder / BOOKKEEPING, ignore_errors=True)
    write_study(folder, seed=2)
    again = finish(begin(folder))
    row = {
        "fault": fault.name,
        "before": "a report" if fault.built else "nothing",
        "bookkeeping": "kept" if fault.kept else "lost",
        "status": ended.status,
        "said": ended.message.replace(str(folder), "FOLDER").replace(str(ROOT), "ROOT"),
        "report then": left,
        "same bytes again": again.status == 0 and report_of(folder) == clean.second,
    }
    print(json.dumps(row, ensure_ascii=False), flush=True)
    if harmed(row):
        print("\n".join(again.said[-15:]), flush=True)
    shutil.rmtree(folder)
    return row


def harmed(row: dict[str, Any]) -> bool:
    """Say whether a fault left a part of a report, or something that spoils the next run."""
    return row["report then"] == PART or not row["same bytes again"]


if __name__ == "__main__":
    main()
