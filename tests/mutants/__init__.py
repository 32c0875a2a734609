"""Deliberate mistakes, and whether tests find them.

Each area has a file of mistakes: a file of the project, the tests that are nearest to it (besides
the examples of its docstrings), and what of it is written wrong, as a tired person might write it
(`old`, which occurs once, and `new`), with what that would do to a reader. A mistake that may
survive says `why`.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

AREAS: Final = (
    *("maths", "tables", "readers", "figures", "sentences", "scripts"),
    *("workflow", "command", "bundle", "api"),
)


@dataclass(frozen=True)
class Mistake:
    """What is written wrong."""

    area: str
    file: str
    tests: tuple[str, ...]
    old: str
    new: str
    reader: str
    why: str = ""


def mistakes(area: str) -> list[Mistake]:
    """Read the mistakes of an area."""
    groups = yaml.safe_load(Path(__file__).with_name(f"{area}.yaml").read_text("utf-8"))
    return [
        Mistake(area, group["file"], tuple(group["tests"]), **one)
        for group in groups
        for one in group["mistakes"]
    ]
