"""Sentences as values: words, and names that users chose."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

ISOLATE, POP = "\u2068", "\u2069"
NAMED = 4  # names in a list before "and n more"
LEFT_TO_RIGHT = {"L", "EN", "ES", "ET", "CS", "B", "S", "WS", "ON", "NSM", "BN"}


@dataclass(frozen=True)
class Name:
    """A name that a user chose: shown as text, whatever it contains."""

    text: str


Part = str | Name
Text = tuple[Part, ...]


def listed_at_most(most: int, items: Sequence[Part | Text]) -> Text:
    """List the first items, and count the others.

    >>> plain(listed_at_most(2, ["A", "B", "C", "D"])), plain(listed_at_most(2, [Name("A"), "B"]))
    ('A, B and 2 more', 'A and B')
    """
    hidden = len(items) - most
    shown = [*items[:most], f"{hidden} more"] if hidden > 0 else items
    text: list[Part] = []
    for after, item in zip(range(len(shown) - 1, -1, -1), shown, strict=True):
        text.extend(item if isinstance(item, tuple) else (item,))
        if after:
            text.append(", " if after > 1 else " and ")
    return tuple(text)


def capital(sentence: str) -> str:
    """Begin a sentence with a capital; what is markup stays markup."""
    return sentence[:1].upper() + sentence[1:]


def plain(text: Part | Text) -> str:
    """Write a text without markup; a name with letters from right to left, or marks, is isolated.

    >>> plain(("costs ", Name("A"))), plain(Name("\u05d0"))
    ('costs A', '\u2068\u05d0\u2069')
    """
    if isinstance(text, tuple):
        return "".join(plain(part) for part in text)
    if isinstance(text, Name):
        mixed = any(unicodedata.bidirectional(letter) not in LEFT_TO_RIGHT for letter in text.text)
        return f"{ISOLATE}{text.text}{POP}" if mixed else text.text
    return text
