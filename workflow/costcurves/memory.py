"""What one run tells the next in a file, only to be faster: a spoilt file counts as none."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def remember(file: str | Path, values: Mapping[str, Any]) -> None:
    """Write plain values by name, whole or not at all; the file's folder is made."""
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
