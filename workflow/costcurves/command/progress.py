"""What is done while a report is built: a line that changes on a terminal, else plain lines."""

import os
import re
import shutil
import sys
from dataclasses import dataclass, field
from typing import Final, TextIO

JOB: Final = re.compile(r".+ \(\d+\.\d s\)")
CLEARED: Final = "\r\x1b[K"


@dataclass
class Progress:
    """The display; if not told, it finds out whether one line can be written over."""

    stream: TextIO = field(default_factory=lambda: sys.stderr)
    live: bool | None = None
    steps: int = 0
    _total: int = 0
    _job: str = ""

    def __post_init__(self) -> None:
        """Find out what the stream is."""
        if self.live is None:
            self.live = self.stream.isatty() and os.environ.get("TERM") != "dumb"

    def step(self, done: int, total: int) -> None:
        """Show how many steps are done."""
        self.steps, self._total = done, total
        self._refresh()

    def say(self, line: str) -> None:
        """Show what a job says: that it is done, or a message, which stays."""
        if self.live and JOB.fullmatch(line):
            self._job = line
            self._refresh()
        else:
            self._write(f"{CLEARED if self.live else ''}{line}\n")

    def end(self) -> None:
        """Clear the line that changes."""
        if self.live:
            self._write(CLEARED)

    def _refresh(self) -> None:
        if self.live:
            width = shutil.get_terminal_size().columns - 1
            count = f"[{self.steps}/{self._total}] " if self._total else ""
            self._write(f"{CLEARED}{f'{count}{self._job}'[:width]}")

    def _write(self, text: str) -> None:
        self.stream.write(text)
        self.stream.flush()
