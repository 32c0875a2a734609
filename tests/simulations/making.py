"""Run simulations in several processes, and write what they gave with its commit and date.

A cell of a table has random numbers of its own, so the same numbers come out in any order and in
any number of processes.
"""

import json
import subprocess
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

Row = dict[str, Any]
Cell = Callable[[], Row | list[Row]]


def made(*tables: Iterable[Cell]) -> Iterator[list[Row]]:
    """Compute the rows of tables, in order; the cells of all of them side by side."""
    with ProcessPoolExecutor() as processes:
        for results in [processes.map(_rows, cells) for cells in tables]:
            yield list(chain.from_iterable(results))


def _rows(cell: Cell) -> list[Row]:
    """Compute the rows of a cell."""
    rows = cell()
    return rows if isinstance(rows, list) else [rows]


def made_on() -> dict[str, str]:
    """Return today's commit and date; a commit with changes that it lacks ends in -dirty."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=8", "--exclude=*"]
    commit = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    return {"commit": commit, "date": datetime.now(UTC).date().isoformat()}


def write(file: Path, content: dict[str, Any]) -> None:
    """Write results, with the commit and the date that they were made on."""
    text = json.dumps(made_on() | content, indent=1)
    file.write_text(text + "\n", encoding="utf-8")
