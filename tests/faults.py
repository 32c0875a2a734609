"""Kill, stop and starve builds of a report, and check what is left: `make faults`, some minutes.

After each fault there is a message without a traceback and a whole report: none, the one before,
or the new one. The same command, run again, gives the bytes of an undisturbed build.
"""

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import yaml

from tests.small_study import ROOT, contents, folds_of, scored

COMMAND = [sys.executable, "-m", "costcurves", "report", "study.yaml", "--unlock"]
Files = dict[str, bytes]
Fault = Callable[[Path], tuple[int, str]]


def write_study(folder: Path, seed: int) -> None:
    """Write a small study of two datasets."""
    folder.mkdir(exist_ok=True)
    names = "one", "two"
    for place, name in enumerate(names):
        rows = scored(folds_of(24, 1, 2, seed=place), "A", 2, 1)
        rows.to_csv(folder / f"{name}.csv", index=False)
    datasets = [{"name": name, "predictions": [f"{name}.csv"]} for name in names]
    study = {"study": "small", "seed": seed, "datasets": datasets}
    (folder / "study.yaml").write_text(yaml.safe_dump(study))


def build(
    folder: Path, number: int = 0, seconds: float | None = None, memory: int = 0
) -> tuple[int, str]:
    """Build, send a signal after some seconds, and return the status and what was printed."""
    limit = partial(resource.setrlimit, resource.RLIMIT_AS, (memory, memory)) if memory else None
    run = subprocess.Popen(
        COMMAND,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "workflow")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=limit,
    )
    try:
        printed, _ = run.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, number)
        printed, _ = run.communicate()
    return run.returncode, printed


def on_full_disk(folder: Path, kilobytes: int) -> tuple[int, str]:
    """Build on a disk that has room for so much more; only root may mount one."""
    disk = folder.with_name("disk")
    disk.mkdir()
    taken = sum(max(file.stat().st_size, 4096) for file in folder.rglob("*")) // 1024
    size = f"size={2 * taken + kilobytes}k"
    subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(disk)], check=True)
    try:
        shutil.copytree(folder, disk, dirs_exist_ok=True)
        ended = build(disk)
        shutil.rmtree(folder)
        shutil.copytree(disk, folder)
    finally:
        subprocess.run(["umount", str(disk)], check=True)
        disk.rmdir()
    return ended


def broken(fault: Fault, folder: Path, before: Files, after: Files) -> list[str]:
    """Let a fault happen, build again, and list what was broken."""
    status, printed = fault(folder)
    left = contents(folder / "reports" / "small")
    again, _ = build(folder)
    promises = {
        "a report in part": left in ({}, before, after),
        "a traceback": "Traceback (most recent call last)" not in printed,
        "no message": bool(printed.strip()) or status == -signal.SIGKILL,
        "status 0 without the new report": status != 0 or left == after,
        "other bytes again": again == 0 and contents(folder / "reports" / "small") == after,
    }
    return [name for name, kept in promises.items() if not kept]


def main() -> None:
    """Try all faults, with a report of another seed there and without."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's & ignores
    moments = np.random.default_rng(20061).uniform(0.5, 8, 8).round(2).tolist()
    faults: dict[str, Fault] = {
        f"kill -9 after {at} s": partial(build, number=signal.SIGKILL, seconds=at) for at in moments
    }
    faults["Ctrl-C"] = partial(build, number=signal.SIGINT, seconds=4)
    faults["SIGTERM"] = partial(build, number=signal.SIGTERM, seconds=4)
    faults["900 MB of memory a process"] = partial(build, memory=900 * 2**20)
    if os.getuid() == 0:
        faults |= {f"a disk with {kb} kB": partial(on_full_disk, kilobytes=kb) for kb in (0, 1000)}
    harm = 0
    with tempfile.TemporaryDirectory() as place:
        reports = []
        for seed in (1, 2):
            write_study(Path(place, str(seed)), seed)
            assert build(Path(place, str(seed)))[0] == 0
            reports.append(contents(Path(place, str(seed), "reports", "small")))
        for turn, (name, fault) in enumerate(faults.items()):
            folder, built = Path(place, "case"), turn % 2 == 0
            if built:
                shutil.copytree(Path(place, "1"), folder)
            write_study(folder, 2)
            harms = broken(fault, folder, reports[0] if built else {}, reports[1])
            print(f"{name}: {', '.join(harms) or 'as promised'}", flush=True)
            harm += bool(harms)
            shutil.rmtree(folder)
    sys.exit(harm > 0)


if __name__ == "__main__":
    main()
