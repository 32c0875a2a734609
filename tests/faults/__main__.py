"""Make things go wrong while a report is built, and see what is left: `make faults`.

Of each fault is noted what is promised, how the run ended and what it said; whether the report was
then as before, or the new one, whole; and whether the same command, run again, gave the bytes of a
clean build. Whatever goes wrong, the status is one that is promised, there is a message and no
traceback, the report is whole, and where the status is 0 it is the new one.

Half of the kills begin with a report of other numbers, half with nothing; after half of them the
bookkeeping of the workflow's engine is lost as well. The moments are drawn with a fixed seed, what
happens at a moment depends on the machine.
"""

import argparse
import json
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from tests.faults import cases
from tests.faults.study import (
    AGAIN,
    BOOKKEEPING,
    PART,
    TRACEBACK,
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
KEPT = "as promised"


@dataclass(frozen=True)
class Fault:
    """What goes wrong, in which folder: with a report or not, the bookkeeping kept or lost."""

    name: str
    happen: Callable[[Path], Ended]
    promised: str  # and the statuses with which it may end
    statuses: tuple[int, ...]
    built: bool = True
    kept: bool = True


def main() -> None:
    """Try every fault, write the table, and fail if any broke a promise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--only", nargs="+", default=[""], help="how names of faults begin")
    arguments = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which is ignored behind a shell's &
    with tempfile.TemporaryDirectory() as place:
        begun = time.perf_counter()
        clean = reference(Path(place))
        seconds = (time.perf_counter() - begun) / 2
        faults = [*kills(seconds), *others(seconds)]
        rows = [
            tried(clean, Path(place, "case"), fault)
            for fault in faults
            if fault.name.startswith(tuple(arguments.only))
        ]
    write(arguments.out, rows, [kind(fault.name) for fault in faults])
    harm = sum(row["verdict"] != KEPT for row in rows)
    print(f"{len(rows)} faults, {harm} broke a promise")
    sys.exit(harm > 0)


def write(out: Path, rows: list[dict[str, Any]], kinds: list[str]) -> None:
    """Write the table, a line a fault; of kinds that were not tried now, what it said before."""
    now = {kind(row["fault"]) for row in rows}
    before = json.loads(out.read_text()) if out.exists() else []
    kept = [row for row in before if kind(row["fault"]) in set(kinds) - now]
    table = sorted(rows + kept, key=lambda row: kinds.index(kind(row["fault"])))
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in table)
    out.write_text(f"[\n{lines}\n]\n")


def kind(fault: str) -> str:
    """Give a fault without its moment, which depends on how long a build takes."""
    return fault.split(" at ")[0]


def kills(seconds: float) -> Iterator[Fault]:
    """Kill everything at random moments of a build that takes so many seconds."""
    moments = np.random.default_rng(20061).uniform(0, seconds, KILLS).round(2).tolist()
    for place, moment in enumerate(moments):
        kill = partial(cases.killed, seconds=moment)
        told, statuses = "no part of a report", (-9, 0)
        yield Fault(f"kill at {moment} s", kill, told, statuses, bool(place % 2), place % 4 < 2)


def others(seconds: float) -> Iterator[Fault]:
    """List what else can go wrong."""
    told = "stops, and says that reports are as they were"
    moments = np.random.default_rng(7).uniform(2, seconds / 2, 2).round(2).tolist()
    stops = (("Ctrl-C", cases.interrupted, 130), ("end of time", cases.terminated, 143))
    for (name, case, status), moment in product(stops, moments):
        yield Fault(f"{name} at {moment} s", partial(case, seconds=moment), told, (status,))
    told = "says what was killed, and what to do"
    for job in ("resampling", "figures", "report"):
        kill = partial(cases.job_killed, stage=job)
        yield Fault(f"job {job} killed", kill, told, (5,))
    yield Fault("engine killed", cases.engine_killed, told, (5,))
    told = "says that memory is out, or has enough"
    for size in (200, 500, 900):
        limited = partial(cases.out_of_memory, megabytes=size)
        yield Fault(f"memory of {size} MB a process", limited, told, (5, 0))
    told = "says that the disk is full, or has room"
    for size, built in ((0, True), (100, True), (100, False), (1000, False), (2000, False)):
        full = partial(cases.disk_full, kilobytes=size)
        yield Fault(f"disk full after {size} kB", full, told, (5, 0), built)
    yield Fault("nothing may be written", cases.read_only, "says where", (5,))
    told = "says that another is at work"
    yield Fault("second run at once", lambda folder: cases.two_at_once(folder)[0], told, (2,))
    yield Fault("source edited while it runs", cases.source_edited, "no report of mixed data", (3,))
    told = "a report of what is there now"
    for name, date in (("an older file", 10**9), ("one of the future", 4 * 10**9)):
        replaced = partial(cases.source_replaced, seconds=date)
        yield Fault(f"source replaced by {name}", replaced, told, (0,))
    for name, copy in (("with its dates", shutil.copy2), ("without dates", shutil.copyfile)):
        copied = partial(cases.folder_copied, copy=copy)
        yield Fault(f"folder copied while it runs, {name}", copied, told, (0,))
    told = "no report of mixed code"
    for name, statuses in (("", (3,)), (" and back", (3, 0))):
        switched = partial(cases.branch_switched, back=bool(name))
        yield Fault(f"branch switched{name} while it runs", switched, told, statuses)
    told = "no report without it"
    yield Fault("data of no use, others kept going", cases.kept_going, told, (1,))


def tried(clean: Reference, folder: Path, fault: Fault) -> dict[str, Any]:
    """Try one fault; then mend what was wrong, and give the same command again."""
    clean.begin(folder, fault.built)
    ended = fault.happen(folder)
    left = clean.left(folder)
    if not fault.kept:
        shutil.rmtree(folder / BOOKKEEPING, ignore_errors=True)
    write_study(folder, seed=2)
    again = finish(begin(folder, *AGAIN))
    row = {
        "fault": fault.name,
        "before": "a report" if fault.built else "nothing",
        "bookkeeping": "kept" if fault.kept else "lost",
        "promised": fault.promised,
        "status": ended.status,
        "said": ended.message.replace(str(folder), "FOLDER").replace(str(ROOT), "ROOT"),
        "report then": left,
        "same bytes again": again.status == 0 and report_of(folder) == clean.second,
    }
    row["verdict"] = verdict(row, fault.statuses)
    print(json.dumps(row, ensure_ascii=False), flush=True)
    if row["verdict"] != KEPT:
        print("\n".join([*ended.said[-40:], "again:", *again.said[-15:]]), flush=True)
    shutil.rmtree(folder)
    return row


def verdict(row: dict[str, Any], statuses: tuple[int, ...]) -> str:
    """Say what of the promise was broken, if anything."""
    broken = {
        "status": row["status"] not in statuses,
        "no message": not row["said"] and row["status"] != -9,
        "traceback": TRACEBACK in row["said"],
        "report": row["report then"] == PART
        or (row["status"] == 0 and row["report then"] != "the new one"),
        "next run": not row["same bytes again"],
    }
    return ", ".join(name for name, found in broken.items() if found) or KEPT


if __name__ == "__main__":
    main()
