"""The workflow, run as a process: its engine is not imported."""

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from costcurves.code import PROFILES, SNAKEFILE
from costcurves.command.ending import DATA, INTERNAL, USAGE, CommandError, Terminated
from costcurves.names import quoted, some
from costcurves.study.strict_yaml import read_document
from costcurves.tables.record.places import published
from costcurves.workflow import failures

OWN_EXECUTORS: Final = ("local", "dryrun", "touch")  # which need no plugin
PIPE: Final = "COSTCURVES_PIPE"  # names the end of a pipe that the engine reads
LOCKS: Final = Path(".snakemake", "locks")
NOTHING_WRITTEN: Final = "No report was written; what there was is as it was"
TO_END: Final = 20  # seconds that the workflow may take after Ctrl-C


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


def where(cores: str | None = None, profile: str = "default") -> list[str]:
    """Write for the engine where jobs run: as one of our profiles says, or one in a folder."""
    own = PROFILES / profile
    found = own if own.is_dir() else Path(profile).resolve()
    if not (found / "config.yaml").is_file():
        known = some(sorted(one.name for one in PROFILES.iterdir()))
        expected = f"{known}, or a folder with a config.yaml"
        raise CommandError(USAGE, f"--profile is {quoted(profile)}, expected {expected}")
    content = read_document(found / "config.yaml").content
    executor = str(content.get("executor", "local"))
    plugin = f"snakemake-executor-plugin-{executor}"
    if executor not in OWN_EXECUTORS and find_spec(plugin.replace("-", "_")) is None:
        why = f"it needs {plugin}, which is not installed: pip install {plugin}"
        raise CommandError(USAGE, f"--profile is {quoted(profile)}: {why}")
    how = ["--workflow-profile", str(found)]
    if profile == "default":  # as options, since the engine announces a profile
        how = ["--workflow-profile", "none"]
        for option, value in content.items():
            how += [f"--{option}"] if value is True else [f"--{option}", str(value)]
    return [*how, *(["--cores", cores] if cores else [])]


def build(config: Path, options: Sequence[str], folder: Path = Path(), quiet: bool = False) -> None:
    """Build a study's report in a folder; CommandError where that fails."""
    name = str(read_document(config).content["study"])
    said = ["--logger", "costcurves", *(["--quiet", "progress"] if quiet else [])]
    ended = snakemake(config, [*said, *options], folder)
    if ended == 0 and published(name, folder):
        return
    found = failures(name, folder)
    lines = [line for failure in found for line in failure["message"].split("\n")]
    if ended == 0:
        lines = [f"The workflow ended, and reports/{name} is not its report"]
    elif ended < 0:
        lines += [f"The workflow was ended from outside ({signal.Signals(-ended).name})"]
    status = INTERNAL
    if found and all(failure["status"] == DATA for failure in found):
        status = DATA
    elif not found and any((folder / LOCKS).glob("*")):  # of another run: ours are removed
        status = USAGE
    raise CommandError(status, *dict.fromkeys(lines), NOTHING_WRITTEN)


def snakemake(config: Path, options: Sequence[str], folder: Path = Path()) -> int:
    """Run the engine, which ends when this command is interrupted or killed; return its status."""
    command = [
        *(sys.executable, "-P", "-m", "snakemake", "--snakefile", str(SNAKEFILE)),
        *("--directory", str(folder), "--configfile", str(config.resolve()), *options),
    ]
    reads, _ = os.pipe()  # it closes with this process, however that ends: see our logger plugin

    def terminated(*_: object) -> None:
        raise Terminated

    before = signal.signal(signal.SIGTERM, terminated)
    # The engine is interrupted by us, also where a shell's & lets this command ignore Ctrl-C.
    ctrl_c = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and workflow, no shell
        command,
        stdout=2,
        pass_fds=(reads,),
        env={"OPENBLAS_NUM_THREADS": "1", **os.environ, PIPE: str(reads)},
        start_new_session=True,  # one signal reaches the engine and all of its jobs
    )
    signal.signal(signal.SIGINT, ctrl_c)
    try:
        return process.wait()
    except KeyboardInterrupt:
        with suppress(ProcessLookupError):  # it has ended by itself
            os.killpg(process.pid, signal.SIGINT)
        try:
            process.wait(TO_END)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
        raise
    finally:
        signal.signal(signal.SIGTERM, before)
