"""What is wrong with a configuration, in words with the place of the key."""

from collections.abc import Iterable, Mapping

from costcurves.errors import refuse
from costcurves.names import quoted
from costcurves.settings import Place


def located(place: Place, message: str) -> str:
    """Put the key in front of a message: datasets[0].name is blank."""
    key = ""
    for part in place:
        plain = isinstance(part, str) and part.isidentifier() and len(part) < 60
        key += f".{part}" if plain else f"[{quoted(part)}]"
    return f"{key.removeprefix('.')} {message}" if place else message


def refuse_findings(
    findings: Iterable[tuple[Place, str]], source: str, lines: Mapping[Place, int] | None = None
) -> None:
    """Raise an `InputError` of all findings in order of their lines, if there are any."""
    messages = []
    for place, message in findings:
        number = _line(place, lines or {})
        where = f"{source} line {number}" if number else source
        messages.append((number, f"{where}: {located(place, message)}"))
    messages.sort(key=lambda pair: pair[0])
    refuse(dict.fromkeys(message for _, message in messages))


def _line(place: Place, lines: Mapping[Place, int]) -> int:
    """Return the line of a key, or else of what it is in; 0 if lines are not known."""
    for end in range(len(place), 0, -1):
        if place[:end] in lines:
            return lines[place[:end]]
    return 0
