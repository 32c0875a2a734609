"""What files hold, read again only where it may have changed; dates alone do not tell.

A file that takes the place of another keeps its own, which may be older, or lie in the future.
"""

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from costcurves.stamps import remembered
from costcurves.tables.input.remote import copy_of
from costcurves.tables.record.manifest import sha256

SETTLED: Final = 2  # seconds in which two changes of a file may get the same date


def hashed(files: Iterable[str], memory: Path) -> dict[str, dict[str, Any]]:
    """Hash files, or take from the file `memory` what is known of those that are untouched.

    `sha256` is None where a file can't be read. `untouched` (size, dates of change of content and
    of metadata in nanoseconds, inode) is None while another change might get the same dates.
    """
    known = remembered(memory)
    return {file: _hashed(copy_of(file), known.get(file)) for file in files}


def _hashed(file: Path, known: dict[str, Any] | None) -> dict[str, Any]:
    now = time.time()
    try:
        found = file.stat()
        untouched = [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]
        if known and known.get("untouched") == untouched and "sha256" in known:
            return known
        digest = sha256(file) if file.is_file() else None  # reading a pipe would wait for ever
    except OSError:
        return {"sha256": None, "untouched": None}
    settled = found.st_ctime < now - SETTLED
    return {"sha256": digest, "untouched": untouched if settled else None}
