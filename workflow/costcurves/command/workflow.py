"""The workflow, started as a process of its own, and what it shows: its engine is not imported."""

import argparse
import errno
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Final, TextIO

from costcurves.code import PROFILES, SNAKEFILE
from costcurves.command.ending import DATA, INTERNAL, USAGE, CommandError, Terminated
from costcurves.errors import MENDED_BY, NO_MEMORY
from costcurves.jobs import FAILED, STOP, UNUSABLE
from costcurves.locks import is_alive, lock
from costcurves.printing import say, visible
from costcurves.tables.configuration.names import quoted, some
from costcurves.tables.configuration.places import is_published
from costcurves.tables.configuration.strict_yaml import read_document

# What the engine says of itself; the jobs and every error say what matters.
NOISE: Final = re.compile(
    r"Using |Assuming |Building DAG|Provided cores|Rules claiming|Select jobs|Execute \d|"
    r"Nothing to be done|RuleException|CalledProcessError|Shutting down|Exiting because|"
    r"Complete log|Elapsed time|WorkflowError|At least one job|Job stats:|job +count$|-+ +-+$|"
    r"\w+ +\d+$|\[\w{3} \w{3} |Finished job|Built reports/|  File .*, in (__rule_\w+|work)$|"
    r"Error recording metadata|Ignore corrupted or currently written|"
    r"Removing output files of failed|results/[^:]+$|<jemalloc>|Process \w+-\d+:$|$"
)
OWN_EXECUTORS: Final = ("local", "dryrun", "touch")  # which need no plugin
STEP: Final = re.compile(r"(\d+) of (\d+) steps")
STATUS: Final = re.compile(r"Command .*?(\w+)\.py' returned non-zero exit status (\d+)")
KILLED: Final = re.compile(r"Command .*?(\w+)\.py' died with <Signals\.(\w+): \d+>")
MUTE: Final = "{}: the job ended (status {}) before it could say why, as it does"
FREED: Final = "free some, or use fewer cores (--cores 1), then run the same again"
OUT_OF_MEMORY: Final = f" where memory is out; {FREED}"
NO_ROOM: Final = re.compile(rf"\[Errno (?:{errno.ENOSPC}|{errno.EDQUOT})\] ([\w ]+)")
TRACEBACK: Final = "Traceback (most recent call last):"
UNLOGGED: Final = "--- Logging error ---"  # begins what Python says where it can't write a log
HOLDERS: Final = re.compile(r"(\d+) (\d+) (.*)")  # of a lock: command, workflow, computer
JOB: Final = re.compile(r".+ \(\d+\.\d s\)")
CLEARED: Final = "\r\x1b[K"


def _cores(text: str) -> str:
    if text != "all" and not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r}, expected a whole number from 1 on, or 'all'")
    return text


OPTIONS: Final = {  # of commands that build
    "--cores": {
        "type": _cores,
        "metavar": "N",
        "help": "how many jobs may run at a time (default: as many as the machine has cores)",
    },
    "--profile": {
        "default": "default",
        "metavar": "PROFILE",
        "help": "where jobs run: slurm, or the folder of a profile of Snakemake's (default: here)",
    },
}


@dataclass
class Progress:
    """The display; if not told, it finds out whether one line can be written over."""

    stream: TextIO = field(default_factory=lambda: sys.stderr)
    live: bool | None = None
    steps: int = 0
    _total: int = 0
    _job: str = ""

    def __post_init__(self) -> None:
        """Find out what the stream is."""
        if self.live is None:
            self.live = self.stream.isatty() and os.environ.get("TERM") != "dumb"

    def step(self, done: int, total: int) -> None:
        """Show how many steps are done."""
        self.steps, self._total = done, total
        self._refresh()

    def say(self, line: str) -> None:
        """Show what a job says: that it is done, or a message, which stays."""
        if self.live and JOB.fullmatch(line):
            self._job = line
            self._refresh()
        else:
            self._write(CLEARED if self.live else "")
            say(*line.split("\n"), to=self.stream)
            self.stream.flush()

    def end(self) -> None:
        """Clear the line that changes."""
        if self.live:
            self._write(CLEARED)

    def _refresh(self) -> None:
        if self.live:
            width = shutil.get_terminal_size().columns - 1
            count = f"[{self.steps}/{self._total}] " if self._total else ""
            self._write(f"{CLEARED}{visible(f'{count}{self._job}')[:width]}")

    def _write(self, text: str) -> None:
        self.stream.write(text)
        self.stream.flush()


def where(cores: str | None = None, profile: str = "default") -> list[str]:
    """Write for the engine where jobs run: as one of our profiles says, or one in a folder."""
    own = PROFILES / profile
    found = own if own.is_dir() else Path(profile).resolve()
    if not (found / "config.yaml").is_file():
        known = some(sorted(one.name for one in PROFILES.iterdir()))
        expected = f"{known}, or a folder with a config.yaml"
        raise CommandError(USAGE, f"--profile is {quoted(profile)}, expected {expected}")
    executor = str(read_document(found / "config.yaml").content.get("executor", "local"))
    plugin = f"snakemake-executor-plugin-{executor}"
    if executor not in OWN_EXECUTORS and find_spec(plugin.replace("-", "_")) is None:
        why = f"it needs {plugin}, which is not installed: pip install {plugin}"
        raise CommandError(USAGE, f"--profile is {quoted(profile)}: {why}")
    return ["--workflow-profile", str(found), *(["--cores", cores] if cores else [])]


def build(
    config: Path, folder: Path, progress: Progress, engine: Sequence[str] | None = None
) -> bool:
    """Build a study's report in a folder, and say whether there was anything to do."""
    command = [
        *(sys.executable, "-m", "costcurves.jobs", "--snakefile", str(SNAKEFILE)),
        *("--directory", str(folder), "--nolock"),
        *("--quiet", "host", "rules", "--configfile", str(config.resolve())),
        *(where() if engine is None else engine),
    ]
    name = read_document(config).content["study"]
    with (
        _alone(folder) as held,
        subprocess.Popen(  # noqa: S603 - our own interpreter and workflow, no shell
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=_environment(),
            pass_fds=[held],
        ) as process,
        _stopped_together(process),
    ):
        _say_who(held, process.pid)
        statuses = set(_watched(process.stdout or (), progress))
    progress.end()
    if process.returncode < 0:
        progress.say(_ended("the workflow", signal.Signals(-process.returncode).name))
    if process.returncode:
        status = DATA if process.returncode == UNUSABLE or statuses == {UNUSABLE} else INTERNAL
        raise CommandError(status, "No report was written; what there was is as it was")
    if not is_published(name, folder):
        raise CommandError(INTERNAL, f"The workflow ended, and reports/{name} is not its report")
    return progress.steps > 0


def _environment() -> dict[str, str]:
    # Code beside the data is none of ours: nothing is imported from the folder of the run.
    return {"OPENBLAS_NUM_THREADS": "1", **os.environ, "PYTHONSAFEPATH": "1"}


@contextmanager
def _stopped_together(process: "subprocess.Popen[str]") -> Iterator[None]:
    """Where this command is told to stop, wait until the workflow and its jobs have ended.

    Ctrl-C reaches the workflow from the terminal, and twice would break off how it ends. Told by
    SIGTERM it may wait for ever for a job that has ended.
    """

    def terminated(*_: object) -> None:
        raise Terminated

    before = signal.signal(signal.SIGTERM, terminated)
    try:
        yield
    except KeyboardInterrupt as stop:
        if isinstance(stop, Terminated):
            process.send_signal(STOP)
        process.communicate()
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _alone(folder: Path) -> Iterator[int]:
    """Hold the folder's lock, which the workflow of a killed command keeps; give its descriptor."""
    file = folder / ".snakemake" / "run.lock"
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a+") as held:  # what it says stays until the lock is had
        try:
            lock(held, wait=False)
        except BlockingIOError as error:
            held.seek(0)
            raise CommandError(USAGE, _other(folder, held.read())) from error
        yield held.fileno()


def _say_who(held: int, workflow: int) -> None:
    """Write into the lock which processes hold it: this command, and its workflow."""
    os.truncate(held, 0)
    os.write(held, f"{os.getpid()} {workflow} {platform.node()}".encode())


def _other(folder: Path, said: str) -> str:
    """Say which run holds the lock, which `_say_who` wrote there, and what to do."""
    known = HOLDERS.fullmatch(said)
    command, workflow = map(int, known.groups()[:2]) if known else (0, 0)
    away = known is not None and known[3] != platform.node()
    if known is None or away or is_alive(command):
        where = f" on {quoted(known[3])}" if known and away else ""
        which = f" (process {command}{where})" if known else ""  # else it begins at this moment
        return f"Another run is building in {folder}{which}: wait until it has ended"
    if is_alive(workflow):
        stop = f"wait until it has ended, or stop it (kill -INT {workflow})"
        return f"A run is still building in {folder}, though its command was killed: {stop}"
    left = "its last jobs end by themselves: wait some seconds, then run the same again"
    return f"A run was building in {folder} and was killed; {left}"


def _watched(lines: Iterable[str], progress: Progress) -> Iterator[int]:
    """Show what the workflow says; give the statuses of jobs that failed.

    Once memory or the disk's room is out, any of its processes, the engine among them, may say so
    in any way: one message stands for all.
    """
    trace: list[str] = []
    exhausted = False
    for line in map(str.rstrip, lines):
        logging = trace[:1] == [UNLOGGED] and not line.startswith("Arguments: ")
        if line in (TRACEBACK, UNLOGGED) or logging or (trace and line[:1] in ("", " ")):
            trace.append(line)
            continue
        text = "\n".join((*trace, line))
        said = ""
        if step := STEP.match(line):
            progress.step(int(step[1]), int(step[2]))
        elif failed := STATUS.match(line):
            yield (status := int(failed[2]))
            if status not in (UNUSABLE, FAILED):
                said = MUTE.format(*failed.groups()) + OUT_OF_MEMORY
        elif killed := KILLED.match(line):
            said = _ended(f"{killed[1]}: the job", killed[2])
        elif NO_MEMORY.search(text):
            said = f"There is not enough memory; {FREED}"
        elif room := NO_ROOM.search(text):
            said = f"{room[1]}; {MENDED_BY[errno.ENOSPC]}, then run the same again"
        elif not NOISE.match(line):
            said = text
        if said and not exhausted:
            progress.say(said)
        exhausted |= any(it.search(text) for it in (NO_MEMORY, NO_ROOM))
        trace = []


def _ended(what: str, by: str) -> str:
    why = f", as the system does{OUT_OF_MEMORY}" if by == "SIGKILL" else ""
    return f"{what} was ended from outside ({by}){why}"
