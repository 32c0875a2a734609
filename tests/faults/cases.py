"""What can go wrong while a report is built, each as a function that makes it go wrong."""

import contextlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.faults.study import BOOKKEEPING, Ended, begin, finish
from tests.small_study import ROOT

STAGED: Final = Path("results", "small", "predictions", "one.parquet")
SOON = 0.05  # seconds between two looks


def signalled(folder: Path, number: int, seconds: float) -> Ended:
    """Send a signal to everything that works on the report, after a while."""
    run = begin(folder)
    with contextlib.suppress(subprocess.TimeoutExpired):
        run.wait(seconds)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(run.pid, number)
    return finish(run)


def killed(folder: Path, seconds: float) -> Ended:
    """As a power cut, or `kill -9`."""
    return signalled(folder, signal.SIGKILL, seconds)


def interrupted(folder: Path, seconds: float) -> Ended:
    """As Ctrl-C in a terminal."""
    return signalled(folder, signal.SIGINT, seconds)


def terminated(folder: Path, seconds: float) -> Ended:
    """As a batch system at the end of its time."""
    return signalled(folder, signal.SIGTERM, seconds)


def job_killed(folder: Path, script: str) -> Ended:
    """Kill the process of one job, as the kernel does where memory is out."""
    run = begin(folder)
    found: list[int] = []
    while not found and run.poll() is None:
        found = _working_on(script, run.pid)
        time.sleep(SOON)
    for process in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    return finish(run)


def _working_on(script: str, group: int) -> list[int]:
    """List the processes of a group that run a script of the workflow."""
    listed = subprocess.run(
        ["ps", "-o", "pid=,comm=", "-g", str(group)], capture_output=True, text=True, check=False
    )
    lines = (line.split(maxsplit=1) for line in listed.stdout.splitlines())
    return [int(pid) for pid, name in lines if name == script]


def out_of_memory(folder: Path, megabytes: int) -> Ended:
    """Let every process have so much address space."""
    most = megabytes * 2**20
    return finish(
        begin(folder, prepare=lambda: resource.setrlimit(resource.RLIMIT_AS, (most,) * 2))
    )


def disk_full(folder: Path, kilobytes: int) -> Ended:
    """Build on a disk that has room for so much more."""
    taken = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) // 1024
    with _on_disk_of_its_own(folder, taken + 4 * len(list(folder.rglob("*"))) + kilobytes) as place:
        return finish(begin(place))


def read_only(folder: Path) -> Ended:
    """Build on a disk that may only be read."""
    with _on_disk_of_its_own(folder, 100_000) as place:
        subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
        return finish(begin(place))


@contextlib.contextmanager
def _on_disk_of_its_own(folder: Path, kilobytes: int) -> Iterator[Path]:
    """Give the same folder on a disk of that size; what is there in the end is copied back.

    Only root may mount one.
    """
    place = folder.with_name(f"{folder.name}-disk")
    place.mkdir()
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(place)], check=True
    )
    try:
        shutil.copytree(folder, place, dirs_exist_ok=True, symlinks=True)
        yield place
        shutil.rmtree(folder)
        shutil.copytree(place, folder, symlinks=True)
    finally:
        subprocess.run(["umount", str(place)], check=True)
        place.rmdir()


def two_at_once(folder: Path) -> tuple[Ended, Ended]:
    """Start a second run while the first is at work; give how the second ended, and the first."""
    first = begin(folder)
    while not (folder / BOOKKEEPING / "run.lock").exists() and first.poll() is None:
        time.sleep(SOON)
    time.sleep(1)
    return finish(begin(folder)), finish(first)


def source_edited(folder: Path) -> Ended:
    """Edit a file of predictions once it has been staged."""
    (folder / STAGED).unlink(missing_ok=True)  # so that it is staged again
    run = begin(folder)
    while not (folder / STAGED).exists() and run.poll() is None:
        time.sleep(SOON)
    source = folder / "one.csv"
    source.write_text(source.read_text().replace(",0.9", ",0.8"))
    return finish(run)


def kept_going(folder: Path) -> Ended:
    """Let a data set be of no use, and the engine go on with what does not depend on it."""
    source = folder / "two.csv"
    source.write_text(source.read_text().replace(",0.9\n", ",nan\n"))
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    options = ["--cores", "2", "--keep-going", "--nolock", "--quiet", "host", "rules"]
    return finish(begin(folder, *command, *options, "--configfile", "study.yaml"))
