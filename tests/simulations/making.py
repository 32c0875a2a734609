"""Run simulations in several processes, and write what they gave with its commit and date.

A cell of a table has random numbers of its own, so the same numbers come out in any order and in
any number of processes.
"""

import json
import subprocess
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

Row = dict[str, Any]
Cell = Callable[[], Row | list[Row]]


def _rows(cell: Cell) -> list[Row]:
    """Compute the rows of a cell."""
    rows = cell()
    return rows if isinstance(rows, list) else [rows]


def made_on() -> dict[str, str]:
    """Return today's commit and date; a commit with changes that it lacks ends in -dirty."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=8", "--exclude=*"]
    commit = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    return {"commit": commit, "date": datetime.now(UTC).date().isoformat()}


def make(file: Path, tables: Mapping[str, Iterable[Cell]]) -> None:
    """Compute, print and write tables, beside others of the file; all cells side by side."""
    content: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    with ProcessPoolExecutor() as processes:
        results = {name: processes.map(_rows, cells) for name, cells in tables.items()}
        for name, found in results.items():
            content[name] = list(chain.from_iterable(found))
            print(name, *content[name], sep="\n  ", flush=True)
    content["made"] = content.get("made", {}) | dict.fromkeys(tables, made_on())
    file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
