"""How a command ends: the status that a script can ask for, and the one message for a person."""

import json
import os
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from costcurves.errors import InputError
from costcurves.printing import say, visible

FINE: Final = 0
USAGE: Final = 2
DATA: Final = 3
UNVERIFIED: Final = 4
INTERNAL: Final = 5
INTERRUPTED: Final = 130  # as a shell counts: 128 and the number of the signal
TERMINATED: Final = 143


def check_new(path: Path, *endings: str) -> None:
    """Make sure that a file can be written: a new one, in a folder that is there."""
    if why := not_new(path, *endings):
        raise CommandError(USAGE, why)


def write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        why = f"can't be written ({error.strerror}); name another place"
        raise CommandError(USAGE, f"{path}: {why}") from error


def not_new(path: Path, *endings: str) -> str | None:
    """Say why a file, which ends in one of some ways, can't be written, or give None."""
    if os.path.lexists(path):
        why = "exists and is left as it is"
    elif endings and path.suffix not in endings:
        why = f"does not end in {' or '.join(endings)}"
    elif not path.parent.is_dir():
        return f"{path}: there is no folder {str(path.parent)!r}; make it, or name another file"
    else:
        return None
    return f"{path}: {why}; name another file with --output"


class CommandError(Exception):
    """A command can't go on: what was found, what was expected, how to mend it."""

    def __init__(self, status: int, *lines: str) -> None:
        super().__init__("\n".join(map(visible, lines)))
        self.status, self.lines = status, lines


def failed(options: Namespace, status: int, message: str) -> None:
    """Print for programs, with --json, why a command gives no result."""
    if getattr(options, "json", False):
        say(*json.dumps({"error": {"status": status, "message": message}}, indent=1).split("\n"))


@contextmanager
def of_usage() -> Iterator[None]:
    """Take what is wrong with a configuration as a command that can't be used."""
    try:
        yield
    except InputError as error:
        raise CommandError(USAGE, *error.lines) from error


class Terminated(KeyboardInterrupt):
    """Told to end, as a batch system does when the time is up."""
