"""Jobs of the workflow: each a process of its own, with a log, plain errors and a stamp.

As a program this is the engine: what jobs need is imported meanwhile, in the process that they are
forked from.
"""

import atexit
import gc
import multiprocessing
import os
import runpy
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from functools import cache
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext
from pathlib import Path
from subprocess import CalledProcessError
from threading import Lock
from types import SimpleNamespace
from typing import Any, Final, TextIO, TypeVar

from costcurves.code import WORKFLOW, bytes_of
from costcurves.errors import InputError, refused
from costcurves.locks import lock
from costcurves.printing import say, visible
from costcurves.stamps import check_inputs

One = TypeVar("One")
Made = TypeVar("Made")

# Statuses of a job, the same as those of the command.
UNUSABLE = 3
FAILED = 5
# Stops the engine as Ctrl-C does: behind a shell's & it ignores SIGINT.
STOP: Final = signal.SIGINT if sys.platform == "win32" else signal.SIGUSR1

PRELOADED: Final = (
    "__main__",
    "snakemake.io",  # what a job is told is made of its classes
    "costcurves.jobs",
    "costcurves.tables.contracts",
    "costcurves.tables.results",
    "costcurves.tables.input.predictions",
    "costcurves.figures.catalogue",
    "costcurves.report.publication",
    # What these import when they need it.
    "costcurves.tables.input.readers",
    *("pyarrow.pandas_compat", "scipy.special", "fontTools.subset", "pikepdf", "brotli"),
    *("costcurves.figures.drawing", "matplotlib.backends.backend_pdf"),
    "matplotlib.backends.backend_svg",
)
STATUS: Final = Lock()  # a start asks for the status of all others, and it can be read only once
THREADS: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
# To glibc: what is freed stays with the process, all of whose threads share it. For the system to
# clear the pages of each new array took a third of the time of a report of 10^7 rows.
KEEPING: Final = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": str(sys.maxsize),
}

atexit.register(gc.freeze)  # what processes hold as they end is not looked through for garbage

told: Any = None  # in the process of a job: what the engine says of it


class _Tee:
    """Text goes to the log and to the terminal, line by line as it can be shown."""

    def __init__(self, *streams: TextIO) -> None:
        self._streams = streams

    def write(self, text: str) -> int:
        shown = "\n".join(map(visible, text.split("\n")))
        for stream in self._streams:
            stream.write(shown)
        return len(text)

    def flush(self) -> None:
        for stream in self._streams:
            stream.flush()


@contextmanager
def job(log: str | Path, title: str, rule: Any = None) -> Iterator[str]:
    """Run a job: what it prints goes to its log and to the terminal, with one line for the reader.

    It yields the stamp that tables are to carry, if the engine told it a `rule`. It exits with
    status 3 after an `InputError`, without a traceback, and with 5 after any other error.
    """
    try:
        yield from _logged(Path(log), visible(title), rule)
    except OSError as error:  # of the log itself
        say("", f"{title}: {refused(error) or error}", to=sys.stderr)
        raise SystemExit(FAILED) from None


def _logged(log: Path, title: str, rule: Any) -> Iterator[str]:
    log.parent.mkdir(parents=True, exist_ok=True)
    terminal = sys.stderr
    started = time.perf_counter()
    with log.open("a", encoding="utf-8", errors="backslashreplace") as file:
        # The same job of a killed run may still be at work: what this one makes comes last.
        lock(file, wait=True)
        file.truncate(0)
        tee = _Tee(file, terminal)
        with redirect_stdout(tee), redirect_stderr(tee):
            try:
                yield from _stamped(rule) if rule is not None else [""]
            except InputError as error:
                tee.write(f"\n{title}: {error}\n\n")
                raise SystemExit(UNUSABLE) from None
            except Exception as error:
                traceback.print_exc(file=file)
                said = refused(error) or f"{type(error).__name__}: {error}"
                say("", f"{title}: {said} (see {log})", to=terminal)
                raise SystemExit(FAILED) from error
            tee.write(f"{title} ({time.perf_counter() - started:.1f} s)\n")


def _stamped(rule: Any) -> Iterator[str]:
    """Say what the results were made of, if it was the code that the run began with."""
    stamp = rule.params.stamp
    _check_code(stamp)
    check_inputs(stamp["inputs"])
    yield stamp["stamp"]
    _check_code(stamp)
    Path(rule.output.stamp).write_text(stamp["stamp"], encoding="utf-8")


def _check_code(stamp: Mapping[str, Any]) -> None:
    """Hold the code to that with which the run began; another branch may be there for a while."""
    if bytes_of(stamp["layer"]) != stamp["bytes"]:
        raise InputError(["the code has changed since the run began; run the same again"])


def work(
    script: str,
    input: Any,  # noqa: A002
    output: Any,
    params: Any,
    wildcards: Any,
    log: Any,
    threads: int = 1,
) -> None:
    """Run a script in a process of its own; `CalledProcessError` if its status is not 0."""
    said = SimpleNamespace(**locals())
    file = WORKFLOW / "scripts" / f"{script}.py"
    process = _context().Process(target=_run, args=(file, said))  # type: ignore[attr-defined]
    with STATUS:
        process.start()
    wait([process.sentinel])
    with STATUS:
        process.join()
    if process.exitcode:
        raise CalledProcessError(process.exitcode, file.name)


def prepare() -> None:
    """Begin the process from which jobs are forked: it imports what they need meanwhile."""
    if _context().get_start_method() == "forkserver":
        from multiprocessing import forkserver

        forkserver.ensure_running()


def on_threads(make: Callable[[One], Made], each: Iterable[One]) -> list[Made]:
    """Make something of each, as many at a time as the job has cores."""
    with ThreadPoolExecutor(told.threads if told else 1) as pool:
        return list(pool.map(make, each))


@cache
def _context() -> BaseContext:
    # The engine runs as many jobs as there are cores.
    os.environ |= dict.fromkeys(THREADS, "1") | KEEPING
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(PRELOADED))
    return context


def _run(script: Path, said: SimpleNamespace) -> None:
    global told
    told = said
    gc.freeze()  # nothing that was imported before is garbage
    with suppress(OSError):  # Linux: who looks at processes sees which one this is
        Path("/proc/self/comm").write_text(script.name, encoding="ascii")
    runpy.run_path(str(script), run_name="__main__")


if __name__ == "__main__":
    signal.signal(STOP, signal.default_int_handler)
    prepare()
    runpy.run_module("snakemake", run_name="__main__", alter_sys=True)
