"""What users see of an error: of bad input, and of what the machine refuses."""

import errno
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from costcurves.printing import visible

One = TypeVar("One")
Made = TypeVar("Made")

SHOWN = 20

MENDED_BY = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "make room"),
    **dict.fromkeys((errno.EROFS, errno.EACCES, errno.EPERM), "let this user read and write there"),
}

# Of errors, and of what libraries print before they give up.
NO_MEMORY: Final = re.compile(
    "MemoryError|Cannot allocate memory|Memory allocation|failed to map segment|"
    "start new thread|creating thread|worker thread"
)


class InputError(Exception):
    """Bad input or configuration: every finding at once, each for the person who can mend it.

    A finding says what was found and where, what was expected, and how to mend it.
    """

    def __init__(self, findings: Sequence[str]) -> None:
        super().__init__(findings)
        self.findings = tuple(findings)

    @property
    def lines(self) -> list[str]:
        """The finding, or how many there are and the first 20."""
        count = len(self.findings)
        return list(self.findings) if count == 1 else under(f"{count} findings:", self.findings)

    def __str__(self) -> str:
        """Return the lines; names in them can't break one."""
        return "\n".join(map(visible, self.lines))


def under(headline: str, findings: Sequence[str]) -> list[str]:
    """List the first 20 findings under a headline."""
    hidden = [f"... and {len(findings) - SHOWN} more"] if len(findings) > SHOWN else []
    return [headline, *(f"  {line}" for line in (*findings[:SHOWN], *hidden))]


def refuse(findings: Iterable[str]) -> None:
    """Raise an `InputError` of findings, if there are any."""
    if listed := list(findings):
        raise InputError(listed)


def of_all(
    make: Callable[[One], Made], each: Iterable[One], at_once: type[InputError]
) -> list[Made]:
    """Make something of each; all that is wrong is raised together, but an error `at_once`."""
    made: list[Made] = []
    findings: list[str] = []
    for part in each:
        try:
            made.append(make(part))
        except at_once:
            raise
        except InputError as error:
            findings += error.findings
    refuse(findings)
    return made


def half(error: UnicodeEncodeError) -> str:
    """Say which text holds half a character, as an argument or text of JSON or pandas may."""
    return f"{error.object[:60]!r} holds {error.object[error.start]!r}, which is half a character"


def encode(content: object) -> None:
    """Raise UnicodeEncodeError at a text with half a character, which it then names."""
    if isinstance(content, str):
        content.encode()
    elif isinstance(content, Mapping):
        encode([*content, *content.values()])
    elif isinstance(content, list | tuple):
        for value in content:
            encode(value)


def refused(error: Exception) -> str | None:
    """Say what the machine refused (room, memory, leave), and what to do; None: nothing."""
    again = "then run the same again. What was there is unchanged"
    if NO_MEMORY.search(f"{type(error).__name__}: {error}"):
        return f"there is not enough memory; free some, or use fewer cores, {again}"
    if isinstance(error, OSError) and error.errno in MENDED_BY:
        # Of a copy the second name is that of the file which can't be written.
        where = f": {error.filename2 or error.filename!r}" if error.filename else ""
        why = (error.strerror or str(error)).splitlines()[0]
        return f"{why}{where}; {MENDED_BY[error.errno]}, {again}"
    return None


def of_stranger(error: Exception) -> Sequence[str]:
    """Say what is wrong with a stranger's tables, which may break anything; the machine may not."""
    if refused(error):
        raise error
    return getattr(error, "findings", [f"{type(error).__name__}: {error}"])
