"""Stamps say what a result is made of: code, parameters and other results. Dates say nothing.

A job's stamp is known before any job runs, as it follows from what sources hold. Its tables carry
it, and a file beside them that is written last: results with another stamp, or with none, are made
again. Like `code`, this is imported before any job runs, so it needs neither pandas nor pyarrow.
"""

import hashlib
import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from costcurves.errors import InputError

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

    findings = []
    for file, stamp in stamps.items():
        if file.endswith(".parquet"):
            try:
                metadata = read_metadata(file).metadata or {}
            except ArrowInvalid:
                metadata = {}
            if metadata.get(KEY) != stamp.encode():
                findings.append(
                    f"{file}: this table was not made by this run's code and configuration; remove "
                    "it, then run the same again"
                )
    if findings:
        raise InputError(findings)


def remember(file: str | Path, values: Mapping[str, Any]) -> None:
    """Tell the next run plain values by name, only to be faster; the file's folder is made."""
    path = Path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}")
    fresh.write_text(json.dumps(values, sort_keys=True), encoding="utf-8")
    fresh.replace(path)


def remembered(file: str | Path) -> dict[str, dict[str, Any]]:
    """Read groups of values by name; of a file that can't be read, or says something else, none.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "results", "hashed.json")
    >>> remembered(file)
    {}
    >>> remember(file, {"a.csv": {"sha256": "0"}, "b": None})
    >>> remembered(file)
    {'a.csv': {'sha256': '0'}}
    """
    try:
        found = json.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    groups = found.items() if isinstance(found, dict) else ()
    return {name: values for name, values in groups if isinstance(values, dict)}
