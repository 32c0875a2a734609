"""Sentences as values: words, names that users chose, and numbers that know their table."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from costcurves.formats import condition_by_ratio
from costcurves.maths.geometry.cost_space import ratio_from_pc

ISOLATE, POP = "\u2068", "\u2069"
NAMED = 4  # names in a list before "and n more"
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
    times: float | None = None  # PC(+), where it is that many times that a miss costs a false alarm


@dataclass(frozen=True)
class Ratio:
    """The cost ratio of a PC(+), as it is printed at a dataset's share of positives."""

    text: str
    pc: float


Part = str | Name | Number | Ratio
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
    """Join items with commas and a last "and"."""
    if len(items) < 2:
        return phrase("{}", *items) if items else ()
    return phrase("{}, " * (len(items) - 2) + "{} and {}", *items)


def names(models: Sequence[str]) -> Text:
    """List models, at most four by name."""
    return listed_at_most(NAMED, [Name(model) for model in models], "more")


def listed_at_most(most: int, items: Sequence[Name | Text], others: str) -> Text:
    """List the first items, and count the others."""
    hidden = len(items) - most
    return listed([*items[:most], f"{hidden} {others}"] if hidden > 0 else items)


def joined(between: str, items: Sequence[Part | Text]) -> Text:
    """Join items by the same words."""
    return phrase(between.join(["{}"] * len(items)), *items)


def plain(text: Part | Text) -> str:
    """Write a text without markup; a name with letters from right to left, or marks, is isolated.

    >>> plain(("costs ", Number("0.1", ""))), plain(Name("\u05d0"))
    ('costs 0.1', '\u2068\u05d0\u2069')
    """
    if isinstance(text, tuple):
        return "".join(plain(part) for part in text)
    if isinstance(text, Name):
        mixed = any(unicodedata.bidirectional(letter) not in LEFT_TO_RIGHT for letter in text.text)
        return f"{ISOLATE}{text.text}{POP}" if mixed else text.text
    return text if isinstance(text, str) else text.text


def condition_name(name: str, pc: float, prior: float) -> Name | Ratio:
    """Give an operating condition's name, which may be its cost ratio.

    >>> condition_name("1:1", 0.2, 0.2), condition_name("1:1", 0.5, 0.2)
    (Ratio(text='1:1', pc=0.2), Name(text='1:1'))
    """
    own = condition_by_ratio(ratio_from_pc(pc, prior)) if 0 < pc < 1 else ""
    return Ratio(name, pc) if name == own else Name(name)
