"""Snakemake as a process whose imports are made once: they take longer than most of its runs."""

import multiprocessing
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryDirectory
from typing import Final

FORKING: Final = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload([__name__, "snakemake.cli"])


def forked(
    folder: Path, words: Sequence[str], environment: Mapping[str, str]
) -> CompletedProcess[str]:
    """Run the engine in a folder, and give what it said."""
    with TemporaryDirectory() as place:
        outputs = [Path(place, name) for name in ("out", "err")]
        process = FORKING.Process(target=_run, args=(folder, words, environment, outputs))
        process.start()
        process.join()
        out, err = (file.read_text("utf-8") for file in outputs)
    return CompletedProcess(["snakemake", *words], process.exitcode or 0, out, err)


def _run(
    folder: Path, words: Sequence[str], environment: Mapping[str, str], outputs: Sequence[Path]
) -> None:
    for number, file in enumerate(outputs, start=1):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT), number)
    os.environ.clear()
    os.environ |= environment
    os.chdir(folder)
    sys.path[:0] = environment["PYTHONPATH"].split(os.pathsep)
    sys.argv = ["snakemake", *words]
    from snakemake.cli import main

    main()
