"""The answer in the terminal, as the report has it."""

import json
import sys
from pathlib import Path
from typing import Any

from costcurves.printing import say
from costcurves.tables.record.places import ANSWER_FILE, WHAT_TO_USE_FILE


def answers_of(report: Path) -> list[dict[str, Any]]:
    """Read what to use on each dataset at each condition; nothing where there is no such file."""
    file = report / WHAT_TO_USE_FILE
    return json.loads(file.read_text("utf-8")) if file.is_file() else []


def print_answer(study: str, *, fresh: bool = True) -> None:
    """Print where a study's report is, and its answer."""
    report = Path("reports", study)
    pages = sorted(report.glob("*.[hp]*"))
    links = [page.resolve().as_uri() if sys.stdout.isatty() else str(page) for page in pages]
    ready = "The report is ready" if fresh else "Nothing has changed; the report is up to date"
    say(f"{ready}:", *(f"  {link}" for link in links))
    file = report / ANSWER_FILE
    if file.is_file():
        say(*file.read_text("utf-8").splitlines(), head=True)
