"""Sentences as values: words, names that users chose, and numbers that know their table.

A name from a user is never part of a sentence's markup: it stays a `Name` until the page shows it
as isolated text. A `Number` carries the address of the table it comes from.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

ISOLATE, POP = "\u2068", "\u2069"
LEFT_TO_RIGHT = {"L", "EN", "ES", "ET", "CS", "B", "S", "WS", "ON", "NSM", "BN"}


@dataclass(frozen=True)
class Name:
    """A name that a user chose: shown as text, whatever it contains."""

    text: str


@dataclass(frozen=True)
class Number:
    """A number as it is printed, and the table (a relative address) that holds it."""

    text: str
    href: str


Part = str | Name | Number
Text = tuple[Part, ...]


def phrase(pattern: str, *parts: Part | Text) -> Text:
    """Put parts, which are not read as patterns, into the places ``{}`` of a pattern.

    >>> plain(phrase("{} is cheaper than {}.", Name("{}"), Name("1R")))
    '{} is cheaper than 1R.'
    """
    words = pattern.split("{}")
    text: list[Part] = [words[0]]
    for part, after in zip(parts, words[1:], strict=True):
        text.extend(part if isinstance(part, tuple) else (part,))
        text.append(after)
    return tuple(part for part in text if part != "")


def listed(items: Sequence[Part | Text]) -> Text:
    """Join items with commas and a last "and".

    >>> plain(listed(["a", "b", "c"])), plain(listed(["a", "b"])), plain(listed([]))
    ('a, b and c', 'a and b', '')
    """
    if len(items) < 2:
        return phrase("{}", *items) if items else ()
    return phrase("{}, " * (len(items) - 2) + "{} and {}", *items)


def plain(text: Part | Text) -> str:
    """Write a text without markup, as alternative texts need it.

    A name with right-to-left letters or marks is isolated by Unicode's own marks.

    >>> plain(("costs ", Number("0.1", "tables/measures/a.csv")))
    'costs 0.1'
    >>> plain(Name("\u05d0"))
    '\u2068\u05d0\u2069'
    """
    if isinstance(text, tuple):
        return "".join(plain(part) for part in text)
    if isinstance(text, Name):
        mixed = any(unicodedata.bidirectional(letter) not in LEFT_TO_RIGHT for letter in text.text)
        return f"{ISOLATE}{text.text}{POP}" if mixed else text.text
    return text.text if isinstance(text, Number) else text
