"""The workflow, run as a process: its engine is not imported."""

import subprocess
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from costcurves.code import PROFILES, SNAKEFILE
from costcurves.command.ending import INTERNAL, USAGE, CommandError
from costcurves.names import quoted, some
from costcurves.printing import say
from costcurves.record.places import ANSWER_FILE, failures, published, receipt_of

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


def engine_options(options: Namespace) -> list[str]:
    """Return the engine's options for where jobs run: here, or as a profile has it."""
    if options.profile == "default":
        return [*HERE, "--cores", str(options.cores or "all")]
    packaged = PROFILES / options.profile
    folder = packaged if packaged.is_dir() else Path(options.profile).resolve()
    if not (folder / "config.yaml").is_file():
        known = some(sorted(file.name for file in PROFILES.iterdir()))
        expected = f"{known}, or a folder with a config.yaml"
        raise CommandError(USAGE, f"--profile is {quoted(options.profile)}, expected {expected}")
    cores = ["--cores", str(options.cores)] if options.cores else []
    return ["--workflow-profile", str(folder), *cores]


def build(
    config: Path, name: str, engine: Sequence[str], changes: Mapping[str, Any], folder: Path
) -> bool:
    """Build a study's report in a folder, with changes of its keys; return whether it is new."""
    receipt = receipt_of(name, folder)
    before = receipt.stat().st_mtime_ns if receipt.is_file() else 0
    earlier = failures(name, folder)
    ended = snakemake(config, ["--logger", "costcurves", *engine], changes, folder)
    if ended == 0 and published(name, folder):
        return receipt.stat().st_mtime_ns != before
    failed = failures(name, folder)
    locked = any(folder.glob(".snakemake/locks/*"))  # by another run, as our lock is removed
    if locked and failed == earlier:  # what failed is forgotten by a run that has the lock
        failed = []
    lines = [line for failure in failed for line in failure["message"].split("\n")]
    statuses = [failure["status"] for failure in failed] or [USAGE if locked else INTERNAL]
    nothing = "No report was written; what there was is as it was"
    raise CommandError(max(statuses), *dict.fromkeys(lines), nothing)


def snakemake(
    config: Path, options: Sequence[str], changes: Mapping[str, Any], folder: Path = Path()
) -> int:
    """Run the engine, which ends when this command is interrupted; return its status."""
    keys = {"print_answer": False, **changes}  # the command itself prints it
    command = [
        *(sys.executable, "-P", "-m", "snakemake", "--snakefile", str(SNAKEFILE)),
        *("--directory", str(folder), "--configfile", str(config.resolve())),
        *("--config", *(f"{key}={value}" for key, value in keys.items()), *options),
    ]
    process = subprocess.Popen(command, stdout=2)  # noqa: S603 - our own workflow, no shell
    try:
        return process.wait()
    except KeyboardInterrupt:
        process.terminate()  # a second Ctrl-C would keep it from removing its lock
        process.wait()
        raise


def print_answer(study: str, *, fresh: bool = True) -> None:
    """Print where a study's report is, and its answer."""
    report = Path("reports", study)
    pages = sorted(report.glob("*.[hp]*"))
    links = [page.resolve().as_uri() if sys.stdout.isatty() else page for page in pages]
    ready = "The report is ready" if fresh else "Nothing has changed; the report is up to date"
    answer = (report / ANSWER_FILE).read_text("utf-8")
    say(f"{ready}:", *(f"  {link}" for link in links), *answer.splitlines())
