"""The engine's log for `costcurves report`: a line a job, and why the engine failed.

A stage that failed has left its message in a file, which the command reads.
"""

import sys
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
    count, failed = "", False

    def emit(self, record: LogRecord) -> None:
        """Write what a person needs of an event."""
        event = vars(record)
        match event.get("event"):
            case LogEvent.PROGRESS:
                self.count = f"[{event['done']}/{event['total']}] "
            case LogEvent.JOB_INFO:
                if event["rule_name"] != "all" and not self.common_settings.quiet:
                    dataset = (event["wildcards"] or {}).get("dataset", "")
                    write(f"{self.count}{event['rule_name']} {dataset}".rstrip())
            case LogEvent.JOB_ERROR | LogEvent.GROUP_ERROR:
                self.failed = True
                for job in event.get("job_error_info", [event]):
                    for log in map(Path, job["log"]):
                        if not log.with_suffix(".failed.json").is_file():
                            write(f"{job['rule_name']}: {last_line(log)}")
            case LogEvent.ERROR if event["exception"] != "RuleException" and not self.failed:
                write(record.getMessage())


def write(line: str) -> None:
    """Write a line."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201


def last_line(log: Path) -> str:
    """Return the last line of a job that left no message, or why there may be none."""
    lines = log.read_text(encoding="utf-8").splitlines() if log.is_file() else []
    silent = "the job was ended from outside, as the system does where memory is out; "
    silent += "free some, or use fewer cores (--cores 1), then run the same again"
    return lines[-1] if lines else silent
