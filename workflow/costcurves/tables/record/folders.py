"""Folders that are whole or as they were: a run may be killed at any moment."""

import ctypes
import glob
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

from costcurves.locks import lock

HERE: Final = -100  # AT_FDCWD: a path begins in the current folder
EXCHANGE: Final = 2  # RENAME_EXCHANGE


@contextmanager
def replaced(folder: Path, check: Callable[[Path], None] | None = None) -> Iterator[Path]:
    """Fill a folder anew, so that it is either as it was or whole.

    The empty folder that is given is no other run's. It takes the place of `folder` when the block
    ends, where the system can do it in one step, and is removed when the block raises. `check`
    raises if what is there by then must not be replaced.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    mark = f".{folder.name}~"  # in no name of a study or of a batch
    for left in folder.parent.glob(f"{glob.escape(mark)}*"):
        with suppress(OSError), _held(left):  # it is another's, who is at work
            _cleared(left, folder)
    with _made(folder.parent, mark) as own:
        try:
            fresh = own / "new"
            fresh.mkdir()
            yield fresh
            if check is not None:
                check(folder)
            _on_disk(fresh)
            _put(fresh, folder)
        finally:
            _cleared(own, folder)


@contextmanager
def _made(parent: Path, mark: str) -> Iterator[Path]:
    """Make a run's folder, again if another run swept it away before it was held."""
    with ExitStack() as stack:
        while True:
            own = Path(tempfile.mkdtemp(prefix=mark, dir=parent))
            with suppress(FileNotFoundError, BlockingIOError):
                stack.enter_context(_held(own))
                if own.exists():
                    break
        yield own


@contextmanager
def _held(own: Path) -> Iterator[None]:
    """Hold a run's folder; the kernel lets it go with the process, however that ends."""
    with (own / "lock").open("a") as file:
        lock(file)
        yield


def _cleared(own: Path, folder: Path) -> None:
    """Remove what a run has left, but bring back what it had put aside for nothing else."""
    old = own / "old"
    if old.exists() and not folder.exists():
        old.rename(folder)
    shutil.rmtree(own, ignore_errors=True)


def _on_disk(folder: Path) -> None:
    """Wait until the disk holds all of a folder: after a power cut its name stands for it all."""
    if os.name == "posix":
        for path in (*folder.rglob("*"), folder):
            opened = os.open(path, os.O_RDONLY)
            os.fsync(opened)
            os.close(opened)


def _put(fresh: Path, folder: Path) -> None:
    if folder.exists():
        if _exchanged(fresh, folder):
            return
        folder.rename(fresh.with_name("old"))
    fresh.rename(folder)


def _exchanged(one: Path, two: Path) -> bool:
    """Exchange two folders in one step, where the system and the disk's format can."""
    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    return bool(rename and rename(HERE, os.fsencode(one), HERE, os.fsencode(two), EXCHANGE) == 0)
