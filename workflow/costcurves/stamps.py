"""Stamps say what a result is made of: code, parameters and other results. Dates say nothing.

Tables carry the stamp of their job, and so does a file beside them that is written last. Like
`code`, this is imported before any job runs, so it needs neither pandas nor pyarrow.
"""

import hashlib
import json
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from costcurves.errors import refuse

KEY: Final = b"stamp"  # in a table's metadata


def stamp_of(code: str, parameters: Mapping[str, Any], stamps: Iterable[str]) -> str:
    """Give the stamp of a job: of its code's hash, its parameters and its inputs' stamps."""
    text = json.dumps([code, parameters, list(stamps)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def is_current(file: str | Path, stamp: str) -> bool:
    """Say whether a file holds a stamp."""
    try:
        return Path(file).read_text(encoding="utf-8") == stamp
    except (OSError, UnicodeDecodeError):
        return False


def discard(results: Iterable[str | Path]) -> None:
    """Remove results, files and folders, that are to be made again."""
    for path in map(Path, results):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def check_inputs(stamps: Mapping[str, str]) -> None:
    """Check that the tables that a job is about to read carry their stamps."""
    from pyarrow import ArrowInvalid
    from pyarrow.parquet import read_metadata

    def carried(file: str) -> bytes | None:
        with suppress(ArrowInvalid):
            return (read_metadata(file).metadata or {}).get(KEY)
        return None

    why = "this table was not made by this run's code and configuration"
    tables = {file: stamp for file, stamp in stamps.items() if file.endswith(".parquet")}
    refuse(
        f"{file}: {why}; remove it, then run the same again"
        for file, stamp in tables.items()
        if carried(file) != stamp.encode()
    )


def remember(file: str | Path, values: Mapping[str, Any]) -> None:
    """Tell the next run plain values by name, only to be faster; the file's folder is made."""
    path = Path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}")
    fresh.write_text(json.dumps(values, sort_keys=True), encoding="utf-8")
    fresh.replace(path)


def remembered(file: str | Path) -> dict[str, dict[str, Any]]:
    """Read groups of values by name; of a file that can't be read, or says something else, none."""
    try:
        found = json.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    groups = found.items() if isinstance(found, dict) else ()
    return {name: values for name, values in groups if isinstance(values, dict)}
