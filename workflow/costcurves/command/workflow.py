"""The workflow, started as a process of its own: nothing here imports its engine."""

import argparse
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from costcurves.command.ending import DATA, INTERNAL, USAGE, CommandError, Terminated
from costcurves.command.progress import Progress
from costcurves.errors import NO_MEMORY
from costcurves.home import PROFILES, SNAKEFILE
from costcurves.jobs import FAILED, UNUSABLE
from costcurves.locks import lock
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
TRACEBACK: Final = "Traceback (most recent call last):"


def add_options(parser: "argparse.ArgumentParser") -> None:
    """Add the options of commands that build."""
    parser.add_argument(
        "--cores",
        type=_cores,
        metavar="N",
        help="how many jobs may run at a time (default: as many as the machine has cores)",
    )
    parser.add_argument(
        "--profile",
        default="default",
        metavar="PROFILE",
        help="where jobs run: slurm, or the folder of a profile of Snakemake's (default: here)",
    )


def _cores(text: str) -> str:
    if text != "all" and not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r}, expected a whole number from 1 on, or 'all'")
    return text


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
        *(sys.executable, "-m", "snakemake", "--snakefile", str(SNAKEFILE)),
        *("--directory", str(folder), "--nolock"),
        *("--quiet", "host", "rules", "--configfile", str(config.resolve())),
        *(where() if engine is None else engine),
    ]
    name = read_document(config).content["study"]
    # Code beside the data is none of ours: nothing is imported from the folder of the run.
    environment = {**os.environ, "PYTHONSAFEPATH": "1"}
    with (
        _alone(folder) as held,
        subprocess.Popen(  # noqa: S603 - our own interpreter and workflow, no shell
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
            pass_fds=[held],
        ) as process,
        _stopped_together(process),
    ):
        statuses = set(_watched(process.stdout or (), progress))
    progress.end()
    if process.returncode < 0:
        progress.say(_ended("the workflow", signal.Signals(-process.returncode).name))
    if process.returncode:
        status = DATA if statuses == {UNUSABLE} else INTERNAL
        raise CommandError(status, "No report was written; what there was is as it was")
    if not is_published(name, folder):
        raise CommandError(INTERNAL, f"The workflow ended, and reports/{name} is not its report")
    return progress.steps > 0


@contextmanager
def _stopped_together(process: "subprocess.Popen[str]") -> Iterator[None]:
    """Where this command is told to stop, wait until the workflow and its jobs have ended.

    Whoever gives the same command again then finds the folder free. Ctrl-C reaches the workflow
    from the terminal, and twice would break off how it ends. Told by SIGTERM it may wait for ever
    for a job that has ended.
    """
    before = signal.signal(signal.SIGTERM, _terminated)
    try:
        yield
    except KeyboardInterrupt as stop:
        if isinstance(stop, Terminated):
            process.send_signal(signal.SIGINT)
        process.communicate()
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


def _terminated(*_: object) -> None:
    raise Terminated


@contextmanager
def _alone(folder: Path) -> Iterator[int]:
    """Hold the folder's lock; give its descriptor.

    The kernel lets it go with the last process that holds it, however that ends: after a kill there
    is nothing to clear away, and as long as the workflow of a killed command goes on no other run
    begins.
    """
    file = folder / ".snakemake" / "run.lock"
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w") as held:
        try:
            lock(held, wait=False)
        except BlockingIOError as error:
            message = f"Another run is building in {folder}: wait until it has ended"
            raise CommandError(USAGE, message) from error
        yield held.fileno()


def _watched(lines: Iterable[str], progress: Progress) -> Iterator[int]:
    """Show what the workflow says; give the statuses of jobs that failed.

    Once memory is out, any of its processes may say so in any way: one message stands for all.
    """
    trace: list[str] = []
    exhausted = False
    for line in map(str.rstrip, lines):
        if line == TRACEBACK or (trace and line[:1] in ("", " ")):
            trace.append(line)
            continue
        said = ""
        if step := STEP.match(line):
            progress.step(int(step[1]), int(step[2]))
        elif failed := STATUS.match(line):
            yield (status := int(failed[2]))
            if status not in (UNUSABLE, FAILED):
                said = MUTE.format(*failed.groups()) + OUT_OF_MEMORY
        elif killed := KILLED.match(line):
            said = _ended(f"{killed[1]}: the job", killed[2])
        elif NO_MEMORY.search(line):
            said = f"There is not enough memory; {FREED}"
        elif not NOISE.match(line):
            said = "\n".join((*trace, line))
        if said and not exhausted:
            progress.say(said)
        exhausted |= NO_MEMORY.search(line) is not None
        trace = []


def _ended(what: str, by: str) -> str:
    why = f", as the system does{OUT_OF_MEMORY}" if by == "SIGKILL" else ""
    return f"{what} was ended from outside ({by}){why}"
