"""A process from which stages are forked: to import what they need takes longer than most stages.

The command starts it beside the engine and names its socket in the environment; it ends with the
command. Where there is none, as on a cluster or under a plain `snakemake`, a stage imports itself.
"""

import json
import os
import socket
import sys
import threading
import traceback
from argparse import Namespace
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

ADDRESS: Final = "COSTCURVES_SERVER"
KILLED: Final = 128 + 9  # the status of a stage that ended before it could tell its own


def serve(address: str) -> None:
    """Fork a process for each stage that is asked for, until the command ends."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"{address}~")
        listening.listen(128)  # stages wait here while this imports what they need
        Path(f"{address}~").rename(address)  # who sees it can connect
        threading.Thread(target=_end_with, args=(sys.stdin,), daemon=True).start()
        from costcurves.pipeline import preloaded, stages  # noqa: F401

        while True:
            asking, _ = listening.accept()
            with asking:
                if os.fork() == 0:
                    _answer(asking, stages.work)
                    os._exit(0)
            with suppress(ChildProcessError):  # there is none yet
                while os.waitpid(-1, os.WNOHANG) != (0, 0):
                    pass


def _answer(asking: socket.socket, work: Callable[[Namespace], int]) -> None:
    words, files, _, _ = socket.recv_fds(asking, 2**20, 2)
    for number, file in enumerate(files, start=1):
        os.dup2(file, number)
    options = json.loads(words)
    os.chdir(options.pop("folder"))
    threading.Thread(target=_end_with, args=(asking.makefile("r"),), daemon=True).start()
    status = 1
    try:
        status = work(Namespace(**options))
    except SystemExit as end:
        status = int(end.code or 0)
    except BaseException:
        traceback.print_exc()
    sys.stderr.flush()
    asking.send(bytes([status]))


def _end_with(other: IO[str]) -> None:
    """End as soon as who asked has ended."""
    other.read()
    os._exit(KILLED)


def forked(options: Namespace) -> int | None:
    """Let the server run a stage, and give its status; None: there is no server."""
    try:
        with socket.socket(socket.AF_UNIX) as asked:
            asked.connect(os.environ[ADDRESS])
            words = json.dumps({**vars(options), "folder": os.getcwd()})  # noqa: PTH109 - plain text
            socket.send_fds(asked, [words.encode()], [1, 2])
            return int.from_bytes(asked.recv(1) or bytes([KILLED]))
    except (KeyError, AttributeError, OSError):
        return None


if __name__ == "__main__":
    serve(sys.argv[1])
