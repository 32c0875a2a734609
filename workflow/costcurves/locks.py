"""Locks on files: the kernel lets one go with the process that holds it, however that ends."""

import os
import sys
from typing import IO

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


def lock(file: IO[str]) -> None:
    """Hold an open file alone until it is closed; BlockingIOError if it is held already."""
    if sys.platform == "win32":
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(*error.args) from error
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_alive(pid: int) -> bool:
    """Say whether a process of this computer has not ended, as far as that can be known."""
    if sys.platform == "win32":  # where asking would end it
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
