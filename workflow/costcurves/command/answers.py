"""The answer in the terminal, as the report has it."""

import sys
from pathlib import Path

from costcurves.printing import say
from costcurves.record.places import ANSWER_FILE


def print_answer(study: str, *, fresh: bool = True) -> None:
    """Print where a study's report is, and its answer."""
    report = Path("reports", study)
    pages = sorted(report.glob("*.[hp]*"))
    links = [page.resolve().as_uri() if sys.stdout.isatty() else str(page) for page in pages]
    ready = "The report is ready" if fresh else "Nothing has changed; the report is up to date"
    say(f"{ready}:", *(f"  {link}" for link in links))
    file = report / ANSWER_FILE
    if file.is_file():
        say(*file.read_text("utf-8").splitlines())
