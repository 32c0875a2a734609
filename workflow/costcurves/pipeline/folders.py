"""Folders of results: whole or not there; each lists its files, so that a reader can tell."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from costcurves.errors import InputError
from costcurves.tables.record.places import LISTED


@contextmanager
def whole(folder: Path) -> Iterator[Path]:
    """Fill a folder under another name, which is changed once when the block did not raise."""
    fresh = folder.with_name(f".{folder.name}.{os.getpid()}")
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        fresh.mkdir(parents=True)
        yield fresh
        text = json.dumps(_sizes(fresh), indent=2)
        (fresh / LISTED).write_text(f"{text}\n", encoding="utf-8")
        try:
            fresh.rename(folder)
        except OSError:  # another run was first: its key is the same, so is what it holds
            check_whole(folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def check_whole(folder: Path) -> None:
    """Refuse a folder that lacks files that it lists, or has them with other sizes."""
    try:
        listed = json.loads((folder / LISTED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        listed = None
    sizes = _sizes(folder)
    if listed is None or any(sizes.get(name) != size for name, size in listed.items()):
        raise InputError([f"{folder}: is not whole; remove it, then run the same again"])


def _sizes(folder: Path) -> dict[str, int]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {it.relative_to(folder).as_posix(): it.stat().st_size for it in files}
