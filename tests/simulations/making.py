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
RESULTS = "tests/simulations/results"
Cell = Callable[[], Row | list[Row]]


def _rows(cell: Cell) -> list[Row]:
    """Compute the rows of a cell."""
    rows = cell()
    return rows if isinstance(rows, list) else [rows]


def _git(*words: str) -> str:
    """Return what a command of git prints."""
    printed = subprocess.run(["git", *words], check=True, capture_output=True, text=True)
    return printed.stdout.strip()


def made_on() -> dict[str, str]:
    """Return today's commit and date; a commit with changes but results that it lacks is -dirty."""
    changes = _git("status", "--porcelain", "--", ":/", f":(exclude,top){RESULTS}")
    commit = _git("rev-parse", "--short=8", "HEAD") + ("-dirty" if changes else "")
    return {"commit": commit, "date": datetime.now(UTC).date().isoformat()}


def make(file: Path, tables: Mapping[str, Iterable[Cell]]) -> None:
    """Compute, print and write tables, beside others of the file; all cells side by side."""
    content: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    made = made_on()
    with ProcessPoolExecutor() as processes:
        results = {name: processes.map(_rows, cells) for name, cells in tables.items()}
        for name, rows in results.items():
            content[name] = list(chain.from_iterable(rows))
            print(name, *content[name], sep="\n  ", flush=True)
    content["made"] = content.get("made", {}) | dict.fromkeys(tables, made)
    file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
