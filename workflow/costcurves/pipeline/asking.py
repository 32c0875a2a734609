"""Ask the server (`server.py`) for a stage; where there is none, become the stage.

Each job of the workflow is a process that runs this file: it imports little, and nothing of ours.
"""

import os
import signal
import socket
import sys

ADDRESS = "COSTCURVES_SERVER"  # names the server's socket in the environment
COMMAND = [sys.executable, "-IS", __file__]  # without what Python imports by itself
KILLED = 128 + 9  # the status of a stage that ended before it could say one


def forked(words: list[str]) -> int | None:
    """Let the server run a stage, given as to `costcurves stage`; None: there is no server.

    Where who has started it ends meanwhile, so does the stage: `KILLED`.
    """
    try:
        with socket.socket(socket.AF_UNIX) as asked:
            asked.connect(os.environ[ADDRESS])
            socket.send_fds(asked, [b" "], [1, 2])  # 36 kB at most come along with files
            # As bytes: the server may read names otherwise (PYTHONUTF8).
            asked.sendall(f"{[os.getcwdb(), *map(os.fsencode, words)]}\n".encode())  # noqa: PTH109
            return int.from_bytes(asked.recv(1) or bytes([KILLED]))
    except (KeyError, AttributeError, OSError):
        # Its folder is there as long as who has started it, without whom no stage is to begin.
        folder = os.environ.get(ADDRESS, "").rpartition("/")[0] or "."
        return None if os.path.isdir(folder) else KILLED  # noqa: PTH112


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C leaves no traceback
    if (status := forked(sys.argv[1:])) is None:
        os.execv(sys.executable, [sys.executable, "-P", "-m", "costcurves", "stage", *sys.argv[1:]])  # noqa: S606 - our own
    sys.exit(status)
