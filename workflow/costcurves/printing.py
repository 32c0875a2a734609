"""Lines that are printed, with the signs escaped that a terminal would obey."""

import codecs
import json
import sys
import unicodedata
from typing import Any, Final, TextIO

SHORT: Final = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def visible(line: str) -> str:
    r"""Escape, as JSON does, what draws nothing or moves what is drawn: names may hold it.

    Control characters, line ends, those that reorder or hide text, half characters. Doing it twice
    changes nothing, and text in a JSON document keeps its meaning.

    >>> print(visible("a\nb \x1b[2K \u202egpj.exe \ud800 \U000e0041, \u05d0"))
    a\nb \u001b[2K \u202egpj.exe \ud800 \udb40\udc41, א
    """
    return line if line.isprintable() else "".join(map(_visible, line))


def _visible(sign: str) -> str:
    if sign.isprintable() or unicodedata.category(sign) == "Zs":  # a space of any width
        return sign
    return _escaped(sign)


def _escaped(sign: str) -> str:
    units = sign.encode("utf-16-be", "surrogatepass").hex()
    escaped = "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))
    return SHORT.get(sign, escaped)


def _unencodable(error: UnicodeError) -> tuple[str, int]:
    """Return what stands for signs that an output's encoding lacks, and where to go on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_escaped, error.object[error.start : error.end])), error.end


codecs.register_error("costcurves", _unencodable)


def say(*lines: str, to: TextIO | None = None) -> None:
    """Print lines, each as one, to the standard output or another stream."""
    stream = sys.stdout if to is None else to
    if stream is None:  # it was closed before the command began
        return
    shown = [visible(line) for line in lines]
    text = "".join(f"{line}\n" for line in shown)
    if stream.encoding:  # such as latin-1, where no terminal says that it takes UTF-8
        text = text.encode(stream.encoding, "costcurves").decode(stream.encoding)
    stream.write(text)


def say_json(content: Any) -> None:
    """Print a JSON document."""
    say(*json.dumps(content, indent=1).split("\n"))
