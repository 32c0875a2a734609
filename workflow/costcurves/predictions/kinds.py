"""The kinds of findings about predictions, whose words are in ``findings.toml``."""

import tomllib
from pathlib import Path
from typing import Final, Literal, NamedTuple

Grade = Literal["grave", "look", "note"]


class Kind(NamedTuple):
    """A kind of finding: what was seen, why that matters for cost curves, and what to do."""

    grade: Grade
    what: str
    why: str
    mend: str


_WORDS: Final = tomllib.loads(Path(__file__).with_name("findings.toml").read_text("utf-8"))
KINDS: Final = {name: Kind(**each) for name, each in _WORDS.items()}
