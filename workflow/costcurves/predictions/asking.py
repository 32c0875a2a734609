"""What a file leaves open, and the options that answer it, each tried before it is named."""

import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from costcurves.errors import InputError
from costcurves.names import some
from costcurves.printing import visible
from costcurves.settings import ReadingKeys, several

MOST: Final = 4  # choices of a question
FOLLOWING: Final = 2  # likewise of one that follows from another
DEPTH: Final = 5  # questions that follow from one another
OWN: Final = ("positive", "pairing", "rest")
LABEL: Final = "LABEL"  # in place of the positive class, which is never proposed


@dataclass(frozen=True)
class Options:
    """How files are to be read."""

    keys: ReadingKeys
    positive: str | None = None
    pairing: str = "paired"
    rest: bool = False  # whether all labels but the positive one are negative

    def changed(self, changes: Mapping[str, Any]) -> "Options":
        """Return these options with changes: columns (None: no longer), conditions, other keys."""
        keys = self.keys
        known = keys.columns or {}
        columns = {**known, **changes.get("columns", {})}
        if "unused" in changes.get("columns", {}):
            columns["unused"] = (*several(known.get("unused")), *changes["columns"]["unused"])
        columns = {role: name for role, name in columns.items() if name is not None}
        where = (*(keys.where or ()), *changes.get("where", ()))
        missing = (*(keys.missing or ()), *changes.get("missing", ()))
        others = {
            name: value
            for name, value in changes.items()
            if name not in ("columns", "where", "missing", *OWN)
        }
        keys = replace(keys, columns=columns or None, where=where or None, **others)
        keys = replace(keys, missing=missing or None)
        own = {name: changes[name] for name in OWN if name in changes}
        return replace(self, keys=keys, **own)

    def in_python(self, files: Sequence[str]) -> str:
        """Return the call that reads files so."""
        given = [f"{name}={value!r}" for name, value in self.keys.given().items()]
        given += ["unpaired=True"] if self.pairing == "unpaired" else []
        return f"read_predictions({', '.join([repr([*files]), *given])})"

    def in_configuration(self, _: Sequence[str]) -> str:
        """Return the keys of a dataset that say the same."""
        given = [f"{key}: {json.dumps(value)}" for key, value in self.keys.given().items()]
        given += ["classes: rest"] if self.rest else []
        own = "; for the study 'pairing: unpaired'" if self.pairing == "unpaired" else ""
        return f"in the configuration {', '.join(given)}{own}"

    def as_command(self, files: Sequence[str]) -> str:
        """Return the command that reads files so, for a shell."""
        line = f"costcurves check {shlex.join(files)} {self.typed()}"
        return line if self.positive is not None else f"{line} --positive {LABEL}"

    def typed(self) -> str:
        """Return the same as options of a command, for a shell."""
        parts = [self.keys.options()] if self.keys.options() else []
        parts += [] if self.positive is None else [f"--positive {shlex.quote(self.positive)}"]
        parts += ["--classes rest"] if self.rest else []
        parts += ["--unpaired"] if self.pairing == "unpaired" else []
        return " ".join(parts)


class Choice(NamedTuple):
    """An answer: what it changes in the options, and what it means."""

    changes: Mapping[str, Any]
    meaning: str


class Question(InputError):  # noqa: N818 - it is no error, but open
    """Data that could be read in several ways, or in one that was not asked for."""

    def __init__(self, message: str, choices: Sequence[Choice]) -> None:
        super().__init__([visible(message)])
        self.choices = choices


class Reading(NamedTuple):
    """What a trial has read: labels that do not say which is positive, and notes."""

    labels: Sequence[str]
    notes: Sequence[str]


def answers(
    question: Question, options: Options, read: Callable[[Options], Reading], depth: int = 0
) -> Iterator[tuple[Options, list[str], Reading]]:
    """Return options by which files can be read, with what they mean."""
    for choice in question.choices[: FOLLOWING if depth else MOST]:
        changed = options.changed(choice.changes)
        try:
            reading = read(changed)
        except Question as further:
            if depth < DEPTH:
                for made, meanings, reading in answers(further, changed, read, depth + 1):
                    yield made, [choice.meaning, *meanings], reading
        except InputError:
            continue
        else:
            yield changed, [choice.meaning], reading


def proposals(
    paths: Sequence[str],
    question: Question,
    options: Options,
    read: Callable[[Options], Reading],
    written: Callable[[Options, Sequence[str]], str] = Options.as_command,
) -> Iterator[str]:
    """Say by which commands files can be read, one for each answer."""
    known = set[str]()
    for made, meanings, reading in answers(question, options, read):
        line, also = written(made, paths), ""
        if reading.labels and made.positive is None:
            also = f"; {LABEL} is the positive class, one of {some(reading.labels)}"
        else:
            line = line.removesuffix(f" --positive {LABEL}")
        if line in known or not line.isprintable() or len(known) == 2 * MOST:
            continue
        known.add(line)
        notes = [note.partition(": ")[2] for note in reading.notes if ": " in note]
        shown = f" ({'; '.join(dict.fromkeys(notes))})" if notes else ""
        yield f"{paths[0]}: if {', '.join(dict.fromkeys(meanings))}: {line}{also}{shown}"
