"""What can go wrong while a report is built, each as a function that makes it go wrong."""

import contextlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from tests.faults.study import AGAIN, BOOKKEEPING, Ended, begin, finish
from tests.small_study import ROOT, copied_root

STAGED: Final = "results/small/one/predictions-*"
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


SERVER = "costcurves.pipeline.server"


def job_killed(folder: Path, stage: str) -> Ended:
    """Kill the process of one job, as the kernel does where memory is out."""
    run = begin(folder)
    while not _children(run.pid, f"asking.py {stage} ", deep=True) and run.poll() is None:
        time.sleep(SOON)
    jobs: list[int] = []
    while not jobs and run.poll() is None:  # until it is forked from the server
        time.sleep(SOON)
        for server in _children(run.pid, SERVER):
            jobs += _children(server, SERVER)
    for job in jobs:
        with contextlib.suppress(ProcessLookupError):
            os.kill(job, signal.SIGKILL)
    return finish(run)


def _children(parent: int, words: str = "", *, deep: bool = False) -> list[int]:
    """List the processes that one started, or with all that these did, by what they were given."""
    chosen = "-g" if deep else "--ppid"
    listed = subprocess.run(
        ["ps", "-ww", "-o", "pid=,args=", chosen, str(parent)],
        capture_output=True,
        text=True,
        check=False,
    )
    lines = (line.split(maxsplit=1) for line in listed.stdout.splitlines())
    return [int(pid) for pid, given in lines if words in given]


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
    while not [*(folder / BOOKKEEPING / "locks").glob("*")] and first.poll() is None:
        time.sleep(SOON)
    time.sleep(1)
    return finish(begin(folder)), finish(first)


def source_edited(folder: Path) -> Ended:
    """Edit a file of predictions once it has been staged."""
    run = _staged(folder)
    _edit(folder / "one.csv")
    return finish(run)


def _staged(folder: Path, root: Path = ROOT) -> "subprocess.Popen[str]":
    """Start to build; return once predictions are staged, which are staged again if they were."""
    for one in folder.glob(STAGED):
        shutil.rmtree(one)
    run = begin(folder, root=root)
    while not [*folder.glob(STAGED)] and run.poll() is None:
        time.sleep(SOON)
    return run


def _edit(source: Path) -> bytes:
    """Let other scores, of as many bytes, take the place of some; give what was there."""
    before = source.read_bytes()
    source.write_bytes(before.replace(b",0.9", b",0.8"))
    return before


def source_replaced(folder: Path, seconds: int) -> Ended:
    """Put another file in the place of a source that the report is made of, dated as told."""
    source, fresh = folder / "one.csv", folder / "fresh.csv"
    fresh.write_bytes(_edit(source))
    if finish(begin(folder)).status:
        raise SystemExit("the study with other scores could not be built")
    os.utime(fresh, (seconds, seconds))
    fresh.replace(source)
    return finish(begin(folder))


def folder_copied(folder: Path, copy: Callable[[str, str], object]) -> Ended:
    """Copy the folder while a run is at work there, and go on in the copy."""
    run, place = _staged(folder), folder.with_name("copy")
    time.sleep(1)
    with contextlib.suppress(shutil.Error):  # files come and go
        shutil.copytree(folder, place, copy_function=copy)
    os.killpg(run.pid, signal.SIGKILL)
    finish(run)
    shutil.rmtree(folder)
    place.rename(folder)
    return finish(begin(folder, *AGAIN))


def branch_switched(folder: Path, back: bool) -> Ended:
    """Let code that draws other resamples take the place of ours, for good or for a while."""
    root = copied_root(folder / "root")
    file = root / "workflow" / "costcurves" / "maths" / "resampling.py"
    ours = file.read_text()
    run = _staged(folder, root)
    file.write_text(ours.replace("SeedSequence(seed,", "SeedSequence(seed + 1,"))
    if back:
        time.sleep(1)
        file.write_text(ours)
    return finish(run)


def engine_killed(folder: Path) -> Ended:
    """Kill the workflow's engine alone."""
    run = _staged(folder)
    (engine,) = _children(run.pid, "-m snakemake")
    os.kill(engine, signal.SIGKILL)
    return finish(run)


def kept_going(folder: Path) -> Ended:
    """Let a data set be of no use, and the engine go on with what does not depend on it."""
    source = folder / "two.csv"
    source.write_text(source.read_text().replace(",0.9\n", ",nan\n"))
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    options = ["--cores", "2", "--keep-going", "--quiet", "host", "rules"]
    return finish(begin(folder, *command, *options, "--configfile", "study.yaml"))
