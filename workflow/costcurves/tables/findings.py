"""What may be wrong with data that can be read: findings, whose words are in `findings.toml`."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, NamedTuple

Grade = Literal["grave", "look", "note"]


@dataclass(frozen=True)
class Kind:
    """A kind of finding: what was seen, why that matters for cost curves, and what to do."""

    grade: Grade
    what: str
    why: str
    mend: str


class Found(NamedTuple):
    """One finding: what was seen, and of which models."""

    finding: str
    seen: str = ""
    model: str = ""
    other: str = ""


_WORDS: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
KINDS: Final = {name: Kind(**words) for name, words in _WORDS.items()}
