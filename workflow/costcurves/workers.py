"""A process for each job, forked from one that has imported what jobs need.

To import pandas and its like takes longer than most jobs. Where the system can't fork, each job
begins with a fresh interpreter, as any script does.
"""

import multiprocessing
import os
import runpy
from contextlib import suppress
from functools import cache
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext
from pathlib import Path
from subprocess import CalledProcessError
from threading import Lock
from types import SimpleNamespace
from typing import Any, Final

from costcurves.home import WORKFLOW

PRELOADED: Final = (
    "__main__",
    "snakemake.io",  # what a job is told is made of its classes
    "costcurves.jobs",
    "costcurves.tables.results",
    "costcurves.figures.catalogue",
)
STATUS: Final = Lock()  # a start asks for the status of all others, and it can be read only once
THREADS: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


told: Any = None  # in the process of a job: what the engine says of it


def work(script: str, input: Any, output: Any, params: Any, wildcards: Any, log: Any) -> None:  # noqa: A002
    """Run a script in a process of its own; `CalledProcessError` if its status is not 0."""
    said = SimpleNamespace(input=input, output=output, params=params, wildcards=wildcards, log=log)
    file = WORKFLOW / "scripts" / f"{script}.py"
    process = _context().Process(target=_run, args=(file, said))  # type: ignore[attr-defined]
    with STATUS:
        process.start()
    wait([process.sentinel])
    with STATUS:
        process.join()
    if process.exitcode:
        raise CalledProcessError(process.exitcode, file.name)


@cache
def _context() -> BaseContext:
    os.environ |= dict.fromkeys(THREADS, "1")  # the engine runs as many jobs as there are cores
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(PRELOADED))
    return context


def _run(script: Path, said: SimpleNamespace) -> None:
    global told
    told = said
    with suppress(OSError):  # Linux: who looks at processes sees which one this is
        Path("/proc/self/comm").write_text(script.name, encoding="ascii")
    runpy.run_path(str(script), run_name="__main__")
