"""Locks on files: the kernel lets one go with the process that holds it, however that ends."""

import sys
from typing import IO

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


def lock(file: IO[str], *, wait: bool) -> None:
    """Hold an open file alone.

    Parameters
    ----------
    file
        The file; it is let go when it is closed.
    wait
        Whether to wait until nobody else holds it.

    Raises
    ------
    BlockingIOError
        If another process holds it, and there is no waiting.
    """
    if sys.platform == "win32":
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(*error.args) from error
    else:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
