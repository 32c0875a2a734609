"""The workflow, started as a process of its own, and what it shows: its engine is not imported."""

import argparse
import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TextIO

from costcurves.code import PROFILES, SNAKEFILE
from costcurves.command.ending import DATA, INTERNAL, USAGE, CommandError, Terminated
from costcurves.errors import MENDED_BY, NO_MEMORY
from costcurves.pipeline.asking import KILLED as STATUS_KILLED
from costcurves.pipeline.server import environment, started
from costcurves.printing import say, visible
from costcurves.tables.configuration.names import quoted, some
from costcurves.tables.configuration.strict_yaml import read_document
from costcurves.tables.record.places import published

OWN_EXECUTORS: Final = ("local", "dryrun", "touch")  # which need no plugin
EVENT: Final = "\x1e"  # begins a line of the engine, in JSON: snakemake_logger_plugin_costcurves
ENDED: Final = re.compile(r"non-zero exit status (\d+)|died with (?:<Signals\.)?([\w ]+)")
NOISE: Final = re.compile(r"Using workflow|Built reports/|<jemalloc>|Process \w+-\d+:$|--- Log|$")
LOCKED: Final = "Another run is building here, or one was killed: if it was, add --unlock"
NOTHING_WRITTEN: Final = "No report was written; what there was is as it was"
MUTE: Final = "{}: the job ended (status {}) before it could say why, as it does"
FREED: Final = "free some, or use fewer cores (--cores 1), then run the same again"
OUT_OF_MEMORY: Final = f" where memory is out; {FREED}"
NO_ROOM: Final = re.compile(rf"\[Errno (?:{errno.ENOSPC}|{errno.EDQUOT})\] ([\w ]+)")
TRACEBACK: Final = "Traceback (most recent call last):"
UNLOGGED: Final = "--- Logging error ---"  # begins what Python says where it can't write a log
JOB: Final = re.compile(r".+ \(\d+\.\d s\)")
CLEARED: Final = "\r\x1b[K"
TO_END: Final = 10  # seconds that the workflow may take after Ctrl-C


def _cores(text: str) -> str:
    if text != "all" and not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r}, expected a whole number from 1 on, or 'all'")
    return text


def flag(words: str) -> dict[str, str]:
    """Describe an option that has no value."""
    return {"action": "store_true", "help": words}


OPTIONS: Final = {  # of commands that build
    "--cores": {
        "type": _cores,
        "metavar": "N",
        "help": "how many jobs may run at a time (default: as many as the machine has cores)",
    },
    "--unlock": flag("remove the lock that a run which was killed has left"),
    "--profile": {
        "default": "default",
        "metavar": "PROFILE",
        "help": "where jobs run: slurm, or the folder of a profile of Snakemake's (default: here)",
    },
}


@dataclass
class Progress:
    """The display: on a terminal one line that changes, or a line a job; else messages alone.

    By default it finds out whether one line can be written over.
    """

    stream: TextIO = field(default_factory=lambda: sys.stderr)
    live: bool | None = None
    steps: int = 0
    _total: int = 0
    _running: dict[int, str] = field(default_factory=dict)
    _began: float = field(default_factory=time.monotonic)
    _closed: threading.Event = field(default_factory=threading.Event)
    _lock: Any = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Find out what the stream is."""
        if self.live is None:
            self.live = self.stream.isatty() and os.environ.get("TERM") != "dumb"

    def step(self, done: int, total: int) -> None:
        """Show how many steps are done."""
        self.steps, self._total = done, total
        self._refresh()

    def job(self, number: int, what: str) -> None:
        """Show what a job that begins does; nothing: it has ended."""
        self._running = {**self._running, number: what}  # a thread reads it
        self._refresh()

    def say(self, line: str) -> None:
        """Show a message, which stays; that a job is done only where no line changes."""
        if JOB.fullmatch(line) and (self.live or not self.stream.isatty()):
            return
        with self._lock:
            self.stream.write(CLEARED if self.live else "")
            say(*line.split("\n"), to=self.stream)
            self.stream.flush()

    def tick(self) -> None:
        """Write the line again each second, until it is closed."""
        while self.live and not self._closed.wait(1):
            self._refresh()

    def close(self) -> None:
        """Clear the line that changes."""
        self._closed.set()
        self._refresh()

    def _refresh(self) -> None:
        if self.live:
            width = shutil.get_terminal_size().columns - 1
            count = f"[{self.steps}/{self._total}]" if self._total else ""
            seconds = f"{time.monotonic() - self._began:.0f} s"
            does = "; ".join(filter(None, self._running.values()))
            line = visible(f"{count} {seconds} {does}".strip())[:width]
            with self._lock:
                self.stream.write(CLEARED if self._closed.is_set() else f"{CLEARED}{line}")
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
    name = read_document(config).content["study"]
    before = published(name, folder)
    with closing(progress), _running(_command(config, folder, engine)) as process:
        threading.Thread(target=progress.tick, daemon=True).start()
        statuses = set(_watched(process.stdout or (), progress))
    if process.returncode < 0:
        progress.say(_ended("the workflow", signal.Signals(-process.returncode).name))
    if process.returncode:
        unusable = process.returncode == DATA or statuses == {DATA}
        status = USAGE if USAGE in statuses else DATA if unusable else INTERNAL
        # A job may outlive the engine, and put the report in its place.
        said = NOTHING_WRITTEN if published(name, folder) == before else "The report was written"
        raise CommandError(status, said)
    if published(name, folder) is None:
        raise CommandError(INTERNAL, f"The workflow ended, and reports/{name} is not its report")
    return progress.steps > 0


def _command(config: Path, folder: Path, engine: Sequence[str] | None) -> list[str]:
    return [
        *(sys.executable, "-m", "snakemake", "--snakefile", str(SNAKEFILE)),
        *("--directory", str(folder), "--logger", "costcurves"),
        *("--configfile", str(config.resolve()), *(where() if engine is None else engine)),
    ]


def unlock(config: Path, engine: Sequence[str]) -> None:
    """Remove the engine's lock, which a run that was killed has left."""
    with _running([*_command(config, Path.cwd(), engine), "--unlock"]) as process:
        process.communicate()


@contextmanager
def _running(command: Sequence[str]) -> Iterator["subprocess.Popen[str]"]:
    """Start the engine, which Ctrl-C stops also where a shell's & lets this command ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with (
        started(at_once=True) as server,
        subprocess.Popen(  # noqa: S603 - our own interpreter and workflow, no shell
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            env=environment(),
        ) as process,
        _stopped_together(process, server),
    ):
        yield process


@contextmanager
def _stopped_together(process: "subprocess.Popen[str]", server: ExitStack) -> Iterator[None]:
    """Where this command is to stop, end its jobs, and wait until the workflow has ended.

    Ctrl-C reaches the workflow from the terminal, and twice would break off how it ends: only if it
    does not end, it was this command alone that was interrupted. After a SIGTERM the workflow may
    wait for ever for a job that has ended.
    """

    def terminated(*_: object) -> None:
        raise Terminated

    before = signal.signal(signal.SIGTERM, terminated)
    try:
        yield
    except KeyboardInterrupt as stop:
        server.close()
        seconds = 0 if isinstance(stop, Terminated) else TO_END
        later = threading.Timer(seconds, process.send_signal, [signal.SIGINT])
        later.daemon = True  # by then the workflow may have ended
        later.start()
        process.communicate()
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


def _watched(lines: Iterable[str], progress: Progress) -> Iterator[int]:
    """Show what the workflow says; give the statuses of jobs that failed, or that of a lock.

    Once memory or the disk's room is out, any of its processes, the engine among them, may say so
    in any way: one message stands for all.
    """
    trace: list[str] = []
    shown: set[str] = set()  # a job that is tried again says the same again
    ended: re.Match[str] | None = None  # how the job did that the engine names next
    failed = exhausted = again = False
    for line in map(str.rstrip, lines):
        logging = trace[:1] == [UNLOGGED] and not line.startswith("Arguments: ")
        text = said = ""
        out = False  # of memory, of room, or locked out
        if line.startswith(EVENT):
            match _event(line):
                case {"done": int(done), "total": int(total)}:
                    progress.step(done, total)
                case {"job": int(number), "does": str(what)}:
                    progress.job(number, what)
                case {"rule": str(rule), "logs": [*logs]}:
                    status, said = _failed(rule, ended, logs)
                    ended, failed = None, True
                    yield status
                case {"exception": "LockException"}:
                    said, out = LOCKED, True
                    yield USAGE
                case {"message": str(text)}:
                    ended = ENDED.search(text)
                    said = "" if ended or failed else text
        elif line in (TRACEBACK, UNLOGGED) or logging or (trace and line[:1] in ("", " ")):
            trace.append(line)
        else:
            text = "\n".join((*trace, line))
            said = "" if NOISE.match(text) else text
            trace = []
        if NO_MEMORY.search(text):
            said, out = f"There is not enough memory; {FREED}", True
        elif room := NO_ROOM.search(text):
            said, out = f"{room[1]}; {MENDED_BY[errno.ENOSPC]}, then run the same again", True
        again = again if said.startswith(" ") else said in shown  # with the lines that belong to it
        if said and not again and not exhausted:
            progress.say(said)
            shown.add(said)
        exhausted |= out


def _event(line: str) -> Any:
    """Read an event of the engine; of a line that was cut there is none."""
    try:
        return json.loads(line.removeprefix(EVENT))
    except ValueError:
        return {}


def _failed(rule: str, ended: "re.Match[str] | None", logs: Sequence[str]) -> tuple[int, str]:
    """Give the status of a job that failed, and what is to be said beside what it said itself."""
    if ended is None:  # on another computer
        return INTERNAL, f"{rule}: the job failed; see {' '.join(logs)}"
    if ended[2] or ended[1] == str(STATUS_KILLED):
        return INTERNAL, _ended(f"{rule}: the job", ended[2] or "SIGKILL")
    status = int(ended[1])
    if status in (DATA, INTERNAL):
        return status, ""
    return INTERNAL, MUTE.format(rule, status) + OUT_OF_MEMORY


def _ended(what: str, by: str) -> str:
    why = f", as the system does{OUT_OF_MEMORY}" if by == "SIGKILL" else ""
    return f"{what} was ended from outside ({by}){why}"
