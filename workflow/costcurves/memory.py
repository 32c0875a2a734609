"""Values that a later run may reuse, only to be faster."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from costcurves.atomic import atomic


def remember(file: str | Path, values: Mapping[str, Any]) -> None:
    """Write plain values by name; where that can't be done, the next run takes a little longer."""
    with suppress(OSError), atomic(file) as fresh:
        fresh.write_text(json.dumps(values, sort_keys=True), encoding="utf-8")


def remembered(file: str | Path) -> dict[str, dict[str, Any]]:
    """Read groups of values by name; of a file that can't be read, or says something else, none."""
    try:
        # To read a pipe would wait for ever.
        found = json.loads(Path(file).read_text("utf-8") if Path(file).is_file() else "")
        return {name: values for name, values in found.items() if isinstance(values, dict)}
    except (OSError, ValueError, AttributeError, RecursionError):
        return {}
