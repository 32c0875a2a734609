"""The engine's log for `costcurves report`: a line a job, and what kept the engine from its work.

What a stage that failed has to say, the command reads from the file that it left.
"""

import os
import signal
import sys
import threading
from logging import LogRecord
from pathlib import Path

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent


class LogHandler(LogHandlerBase):
    """Write a few events to stderr, in place of all that the engine says of itself."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = True
    needs_rulegraph = False
    done, total, failed = 0, 0, False

    def __post_init__(self) -> None:
        """End when the command ends that has started the engine, even if it was killed."""
        if pipe := os.environ.get("COSTCURVES_PIPE"):
            threading.Thread(target=_end_with, args=(int(pipe),), daemon=True).start()

    def emit(self, record: LogRecord) -> None:
        """Write what a person needs of an event."""
        event = vars(record)
        match event.get("event"):
            case LogEvent.PROGRESS:
                self.done, self.total = event["done"], event["total"]
            case LogEvent.JOB_INFO if (
                event["rule_name"] != "all" and not self.common_settings.quiet
            ):
                where = (event["wildcards"] or {}).get("dataset", "")
                count = f"[{self.done}/{self.total}] " if self.total else ""
                self.write(f"{count}{event['rule_name']} {where}".rstrip())
            case LogEvent.JOB_ERROR | LogEvent.GROUP_ERROR:
                self.failed = True
                for job in event.get("job_error_info", [event]):
                    for log in map(Path, job["log"]):
                        if not log.with_suffix(".failed.json").is_file():
                            self.write(f"{job['rule_name']}: {last_line(log)}")
            case LogEvent.ERROR if event["exception"] != "RuleException" and not self.failed:
                self.write(record.getMessage())

    def write(self, line: str) -> None:
        """Write a line; on a terminal the next one takes its place."""
        start, end = ("\r\x1b[K", "") if sys.stderr.isatty() else ("", "\n")
        print(f"{start}{line}", end=end, file=sys.stderr, flush=True)  # noqa: T201


def last_line(log: Path) -> str:
    """Return what a job said last that left no message, or why it may have said nothing."""
    lines = log.read_text(encoding="utf-8").split("\n") if log.is_file() else []
    why = "the job was ended from outside, as the system does where memory is out"
    silent = f"{why}; free some, or use fewer cores (--cores 1), then run the same again"
    return next((line for line in reversed(lines) if line), silent)


def _end_with(pipe: int) -> None:
    """Wait until nobody holds the other end of a pipe, and interrupt this process and its jobs."""
    os.read(pipe, 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # nobody is there to whom it could be said
    os.killpg(0, signal.SIGINT)
