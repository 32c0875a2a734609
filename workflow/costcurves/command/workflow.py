"""The workflow, run as a process: its engine is not imported."""

import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from costcurves.code import PROFILES, SNAKEFILE
from costcurves.command.ending import INTERNAL, USAGE, CommandError
from costcurves.names import quoted, some
from costcurves.record.places import published, receipt_of
from costcurves.study.strict_yaml import read_document
from costcurves.workflow import failures

EXECUTORS: Final = ("local", "dryrun", "touch")  # which need no plugin
LOCKS: Final = Path(".snakemake", "locks")
HERE: Final = ("--workflow-profile", "none", "--rerun-incomplete", "--scheduler", "greedy")


def flag(words: str) -> dict[str, str]:
    """Describe an option that has no value."""
    return {"action": "store_true", "help": words}


OPTIONS: Final = {  # of commands that build
    "--cores": {
        "type": int,
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


def engine_options(cores: int | None = None, profile: str = "default") -> list[str]:
    """Return the engine's options for where jobs run: here, or as a profile has it."""
    if profile == "default":
        return [*HERE, "--cores", str(cores or "all")]
    packaged = PROFILES / profile
    folder = packaged if packaged.is_dir() else Path(profile).resolve()
    if not (folder / "config.yaml").is_file():
        known = some(sorted(file.name for file in PROFILES.iterdir()))
        expected = f"{known}, or a folder with a config.yaml"
        raise CommandError(USAGE, f"--profile is {quoted(profile)}, expected {expected}")
    executor = str(read_document(folder / "config.yaml").content.get("executor", "local"))
    plugin = f"snakemake-executor-plugin-{executor}"
    if executor not in EXECUTORS and find_spec(plugin.replace("-", "_")) is None:
        why = f"it needs {plugin}, which is not installed: pip install {plugin}"
        raise CommandError(USAGE, f"--profile is {quoted(profile)}: {why}")
    return ["--workflow-profile", str(folder), *(["--cores", str(cores)] if cores else [])]


def build(
    config: Path,
    name: str,
    engine: Sequence[str],
    changes: Mapping[str, Any],
    *,
    folder: Path = Path(),
    quiet: bool = False,
) -> bool:
    """Build a study's report in a folder, with changes of its keys; return whether it is new."""
    receipt = receipt_of(name, folder)
    before = receipt.stat().st_mtime_ns if receipt.is_file() else 0
    log = ["--logger", "costcurves", *(["--quiet", "progress"] if quiet else [])]
    ended = snakemake(config, [*log, *engine, *config_values(changes)], folder)
    if ended == 0 and published(name, folder):
        return receipt.stat().st_mtime_ns != before
    failed = failures(name, folder)
    lines = [line for failure in failed for line in failure["message"].split("\n")]
    if ended == 0:
        lines = [f"The workflow ended, and reports/{name} is not its report"]
    elif ended < 0:
        lines.append(f"The workflow was ended from outside ({signal.Signals(-ended).name})")
    if failed:
        status = max(failure["status"] for failure in failed)
    else:  # a lock is that of another run, as ours is removed
        status = USAGE if any((folder / LOCKS).glob("*")) else INTERNAL
    nothing = "No report was written; what there was is as it was"
    raise CommandError(status, *dict.fromkeys(lines), nothing)


def config_values(changes: Mapping[str, Any]) -> list[str]:
    """Return the engine's options for changes of keys; the command itself prints the answer."""
    return ["--config", "print_answer=False", *(f"{key}={value}" for key, value in changes.items())]


def snakemake(config: Path, options: Sequence[str], folder: Path = Path()) -> int:
    """Run the engine, which ends when this command is interrupted; return its status."""
    command = [
        *(sys.executable, "-P", "-m", "snakemake", "--snakefile", str(SNAKEFILE)),
        *("--directory", str(folder), "--configfile", str(config.resolve()), *options),
    ]
    process = subprocess.Popen(command, stdout=2)  # noqa: S603 - our own workflow, no shell
    try:
        return process.wait()
    except KeyboardInterrupt:
        process.terminate()  # a second Ctrl-C would keep it from removing its lock
        process.wait()
        raise
