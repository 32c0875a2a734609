"""The engine's log as `costcurves report` reads it: a line of JSON for each of a few events."""

import json
import os
import signal
import sys
from logging import LogRecord

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

BEGIN = "\x1e"  # of such a line: what jobs print can't begin so, as it is escaped


class LogHandler(LogHandlerBase):
    """Write events to stderr, in place of all that the engine says of itself."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = True
    needs_rulegraph = False

    def emit(self, record: LogRecord) -> None:
        """Write the fields of an event, if it is one of a few."""
        event = vars(record)
        match event.get("event"):
            case LogEvent.PROGRESS:
                _write(done=event["done"], total=event["total"])
            case LogEvent.JOB_INFO:
                _write(job=event["jobid"], does=event["rule_msg"] or "")
            case LogEvent.JOB_FINISHED:
                _write(job=event["job_id"], does="")
            case LogEvent.JOB_ERROR | LogEvent.GROUP_ERROR:
                for one in event.get("job_error_info", [event]):
                    _write(rule=one["rule_name"], logs=list(one["log"]))
            case LogEvent.ERROR:
                _write(exception=event["exception"], message=record.getMessage())


def _write(**fields: object) -> None:
    """Write a line; if the command was killed, which read it, end as after Ctrl-C, once."""
    try:
        print(f"{BEGIN}{json.dumps(fields)}", file=sys.stderr, flush=True)  # noqa: T201 - to the command
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
        os.kill(os.getpid(), signal.SIGINT)
