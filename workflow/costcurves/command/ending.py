"""How a command ends: the status that a script can ask for, and the one message for a person."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from costcurves.errors import InputError
from costcurves.printing import visible

FINE: Final = 0
USAGE: Final = 2
DATA: Final = 3
UNVERIFIED: Final = 4
INTERNAL: Final = 5
INTERRUPTED: Final = 130  # as a shell counts: 128 and the number of the signal
TERMINATED: Final = 143


class CommandError(Exception):
    """A command can't go on: what was found, what was expected, how to mend it."""

    def __init__(self, status: int, *lines: str) -> None:
        super().__init__("\n".join(map(visible, lines)))
        self.status, self.lines = status, lines


class Terminated(KeyboardInterrupt):
    """Asked to end, as by a batch system when the time is up."""


def write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        why = f"can't be written ({error.strerror})"
        if isinstance(error, FileExistsError):
            why = "exists and is left as it is"
        raise CommandError(USAGE, f"{path}: {why}; name another file") from error


@contextmanager
def configuring() -> Iterator[None]:
    """Let what is wrong with a configuration end as what can't be used, not as data."""
    try:
        yield
    except InputError as error:
        raise CommandError(USAGE, *error.lines) from error
