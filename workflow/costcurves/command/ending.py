"""How a command ends: the status that a script can ask for, and the one message for a person."""

from typing import Final

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
    """Told to end, as a batch system does when the time is up."""
