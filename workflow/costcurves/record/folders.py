"""Folders that are whole or as they were: a run may be killed at any moment."""

import ctypes
import glob
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

HERE: Final = -100  # AT_FDCWD: a path begins in the current folder
EXCHANGE: Final = 2  # RENAME_EXCHANGE


@contextmanager
def replaced(folder: Path, check: Callable[[Path], None] | None = None) -> Iterator[Path]:
    """Fill a folder anew, so that it is either as it was or whole.

    The empty folder that is given takes the place of `folder` when the block
    ends, where the system can do it in one step, and is removed when the block raises. `check`
    raises if what is there by then must not be replaced.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    mark = f".{folder.name}~"  # in no name of a study
    for left in folder.parent.glob(f"{glob.escape(mark)}*"):  # by a run that was killed
        _cleared(left, folder)
    work = Path(tempfile.mkdtemp(prefix=mark, dir=folder.parent))
    try:
        fresh = work / "new"
        fresh.mkdir()
        yield fresh
        if check is not None:
            check(folder)
        _on_disk(fresh)
        _put(fresh, folder)
    finally:
        _cleared(work, folder)


def _cleared(work: Path, folder: Path) -> None:
    """Remove what a run has left, but bring back what it had put aside for nothing else."""
    old = work / "old"
    if old.exists() and not folder.exists():
        old.rename(folder)
    shutil.rmtree(work, ignore_errors=True)


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


def _exchanged(first: Path, second: Path) -> bool:
    """Exchange two folders in one step, where the system and the disk's format can."""
    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    return bool(
        rename and rename(HERE, os.fsencode(first), HERE, os.fsencode(second), EXCHANGE) == 0
    )
