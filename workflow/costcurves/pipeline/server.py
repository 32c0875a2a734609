"""A process from which stages are forked: to import what they need takes longer than most stages.

Its socket is named in the environment of the engine that stages are jobs of. The command starts it
beside the engine, so that both import at the same time. An engine that was started otherwise, by a
plain `snakemake`, for another workflow or by a cluster, has one of its own, which imports nothing
before a stage asks. Where there is none a stage imports itself.
"""

import gc
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import traceback
from ast import literal_eval
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final

from costcurves.pipeline.asking import ADDRESS, KILLED

AT_ONCE: Final = "at-once"


def started(*, at_once: bool) -> ExitStack:
    """Start it for all that this process starts; it ends with the context, or with this process.

    `at_once`: it imports what stages need before one asks.
    """
    begun = ExitStack()
    if not hasattr(os, "fork"):
        return begun
    place = TemporaryDirectory(prefix="costcurves-", ignore_cleanup_errors=True)
    address = str(Path(begun.enter_context(place), str(os.getpid())))
    begun.callback(os.environ.update, {ADDRESS: os.environ.get(ADDRESS, "")})
    os.environ[ADDRESS] = address
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and module, no shell
        [sys.executable, "-P", "-m", __name__, address, *[AT_ONCE] * at_once],
        stdin=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
    )
    begun.enter_context(process)
    return begun


def is_of_parent() -> bool:
    """Say whether the process that started this one has started a server."""
    return os.environ.get(ADDRESS, "").endswith(f"/{os.getppid()}")


def environment() -> dict[str, str]:
    """Give the environment of our own processes."""
    # Code beside the data is none of ours: nothing is imported from the folder of the run.
    own = {"PYTHONSAFEPATH": "1", "PYTHONIOENCODING": "utf-8"}  # in which their lines are read
    return {"OPENBLAS_NUM_THREADS": "1", **os.environ, **own}


def serve(address: str, *, at_once: bool) -> None:
    """Fork a process for each stage that is asked for, until who has started this ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who has started it
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"{address}~")
        listening.listen(128)  # stages wait here while this imports what they need
        Path(f"{address}~").rename(address)  # who sees it can connect
        threading.Thread(target=_end_with, args=(sys.stdin, address), daemon=True).start()
        if not at_once:
            select.select([listening], [], [])  # until a stage asks
        from matplotlib import font_manager  # noqa: F401 - lists the user's fonts by a program

        # Stages run no programs: to find Pango's libraries Python would run a compiler for each.
        os.environ["PATH"] = os.devnull
        gc.disable()  # what is imported stays: to look through it takes a third of the time
        from costcurves.pipeline import preloaded, stages  # noqa: F401

        gc.freeze()  # nor do stages look through it, and so they share its memory
        gc.enable()
        while True:
            asking, _ = listening.accept()
            with asking:
                if os.fork() == 0:
                    _answer(asking, stages.work)
                    os._exit(0)
            with suppress(ChildProcessError):  # there is none yet
                while os.waitpid(-1, os.WNOHANG) != (0, 0):
                    pass


def _answer(asking: socket.socket, work: Callable[..., int]) -> None:
    for number, file in enumerate(socket.recv_fds(asking, 1, 2)[1], start=1):
        os.dup2(file, number)
    said = asking.makefile("r")
    folder, *words = map(os.fsdecode, literal_eval(said.readline()))
    os.chdir(folder)
    for other in (said, os.fdopen(0)):  # the server's own, which ends with who has started it
        threading.Thread(target=_end_with, args=(other,), daemon=True).start()
    status = 1
    try:
        status = work(*words)
    except SystemExit as end:
        status = int(end.code or 0)
    except BaseException:
        traceback.print_exc()
    sys.stderr.flush()
    asking.send(bytes([status]))


def _end_with(other: IO[str], address: str = "") -> None:
    """End as soon as who asked, or who has started the server, has ended."""
    other.read()
    if address:
        with suppress(OSError):
            Path(address).unlink()
            Path(address).parent.rmdir()
    os._exit(KILLED)


if __name__ == "__main__":
    serve(sys.argv[1], at_once=AT_ONCE in sys.argv)
