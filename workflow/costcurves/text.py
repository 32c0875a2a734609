"""Sentences as values: words, names that users chose, and cost ratios."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

ISOLATE, POP = "\u2068", "\u2069"
NAMED = 4  # names in a list before "and n more"
LEFT_TO_RIGHT = {"L", "EN", "ES", "ET", "CS", "B", "S", "WS", "ON", "NSM", "BN"}
PLACE: Final = re.compile(r"\{(\w*)\}")


@dataclass(frozen=True)
class Name:
    """A name that a user chose: shown as text, whatever it contains."""

    text: str


Part = str | Name
Text = tuple[Part, ...]


def phrase(pattern: str, *parts: Part | Text, **named: Part | Text) -> Text:
    """Put parts, which are not read as patterns, into a pattern's places: `{}`, or by their names.

    Parts without names fill all places; of those with names, some may have no place.

    >>> plain(phrase("{} is cheaper than {}.", Name("{}"), Name("1R")))
    '{} is cheaper than 1R.'
    >>> plain(phrase("{a} is cheaper than {b}.", b=Name("1R"), a=Name("{b}")))
    '{b} is cheaper than 1R.'
    """
    first, *rest = PLACE.split(pattern)
    each = [named[place] for place in rest[::2]] if named else parts
    text: list[Part] = [first]
    for part, words in zip(each, rest[1::2], strict=True):
        text.extend(part if isinstance(part, tuple) else (part,))
        text.append(words)
    return tuple(part for part in text if part != "")


def listed(items: Sequence[Part | Text]) -> Text:
    """Join items with commas and a last "and"."""
    first = joined(", ", items[:-1])
    return phrase("{} and {}", first, items[-1]) if first else joined("", items)


def names(models: Sequence[str]) -> Text:
    """List models, at most four by name."""
    return listed_at_most(NAMED, [Name(model) for model in models])


def listed_at_most(most: int, items: Sequence[Part | Text]) -> Text:
    """List the first items, and count the others."""
    hidden = len(items) - most
    return listed([*items[:most], f"{hidden} more"] if hidden > 0 else items)


def capital(sentence: str) -> str:
    """Begin a sentence with a capital; what is markup stays markup."""
    return sentence[:1].upper() + sentence[1:]


def joined(between: str, items: Sequence[Part | Text]) -> Text:
    """Join items by the same words."""
    return phrase(between.join(["{}"] * len(items)), *items) if items else ()


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
    return text if isinstance(text, str) else text.text
