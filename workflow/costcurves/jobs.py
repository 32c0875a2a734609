"""What a job of the workflow needs around its one call: a log, plain errors, a stamp."""

import sys
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, TextIO

from costcurves.code import bytes_of
from costcurves.errors import InputError, refused
from costcurves.locks import lock
from costcurves.stamps import check_inputs

# Statuses of a job, the same as those of the command.
UNUSABLE = 3
FAILED = 5


class _Tee:
    """Text goes to the log and to the terminal."""

    def __init__(self, *streams: TextIO) -> None:
        self._streams = streams

    def write(self, text: str) -> int:
        for stream in self._streams:
            stream.write(text)
        return len(text)

    def flush(self) -> None:
        for stream in self._streams:
            stream.flush()


@contextmanager
def job(log: str | Path, title: str, rule: Any = None) -> Iterator[str]:
    """Run a job: what it prints goes to its log and to the terminal, with one line for the reader.

    It yields the stamp that tables are to carry, if the engine told it a `rule`. It exits with
    status 3 after an `InputError`, without a traceback, and with 5 after any other error.
    """
    try:
        yield from _logged(Path(log), title, rule)
    except OSError as error:  # of the log itself
        sys.stderr.write(f"\n{title}: {refused(error) or error}\n")
        raise SystemExit(FAILED) from None


def _logged(log: Path, title: str, rule: Any) -> Iterator[str]:
    log.parent.mkdir(parents=True, exist_ok=True)
    terminal = sys.stderr
    started = time.perf_counter()
    with log.open("a", encoding="utf-8", errors="backslashreplace") as file:
        # The same job of a killed run may still be at work: what this one makes comes last.
        lock(file, wait=True)
        file.truncate(0)
        tee = _Tee(file, terminal)
        with redirect_stdout(tee), redirect_stderr(tee):
            try:
                if rule is None:
                    yield ""
                else:
                    stamp = rule.params.stamp
                    _check_code(stamp)
                    check_inputs(stamp["inputs"])
                    yield stamp["stamp"]
                    _check_code(stamp)
                    Path(rule.output.stamp).write_text(stamp["stamp"], encoding="utf-8")
            except InputError as error:
                tee.write(f"\n{title}: {error}\n\n")
                raise SystemExit(UNUSABLE) from None
            except Exception as error:
                traceback.print_exc(file=file)
                said = refused(error) or f"{type(error).__name__}: {error}"
                terminal.write(f"\n{title}: {said} (see {log})\n")
                raise SystemExit(FAILED) from error
            tee.write(f"{title} ({time.perf_counter() - started:.1f} s)\n")


def _check_code(stamp: Mapping[str, Any]) -> None:
    """Hold the code to that with which the run began; another branch may be there for a while."""
    if bytes_of(stamp["layer"]) != stamp["bytes"]:
        raise InputError(["the code has changed since the run began; run the same again"])
