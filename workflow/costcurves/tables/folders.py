"""Folders that are whole or as they were: a run may be killed at any moment."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replaced(folder: Path) -> Iterator[Path]:
    """Fill a folder anew, so that it is either as it was or whole.

    Parameters
    ----------
    folder
        The folder to replace; it need not exist.

    Yields
    ------
    pathlib.Path
        An empty folder beside it. It takes the place of `folder` when the block ends, and is
        removed when the block raises.
    """
    fresh, old = (folder.with_name(f".{folder.name}.{state}") for state in ("new", "old"))
    _bring_back(old, folder)  # a run that was killed between two renames put it aside
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    try:
        yield fresh
        shutil.rmtree(old, ignore_errors=True)
        if folder.exists():
            folder.rename(old)
        fresh.rename(folder)
    finally:
        _bring_back(old, folder)
        shutil.rmtree(fresh, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)


def _bring_back(old: Path, folder: Path) -> None:
    if old.exists() and not folder.exists():
        old.rename(folder)
