"""What a file leaves open, and the options that answer it, each tried before it is named."""

import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from costcurves.errors import InputError
from costcurves.names import some
from costcurves.printing import visible
from costcurves.settings import Dataset, ReadingKeys

MOST: Final = 4  # choices of a question
FOLLOWING: Final = 2  # likewise of one that follows from another
PLAIN: Final = ReadingKeys()
DEPTH: Final = 5  # questions that follow from one another
LABEL: Final = "LABEL"  # in place of the positive class, which is never proposed


def of_files(paths: Sequence[str], keys: ReadingKeys = PLAIN, **others: Any) -> Dataset:
    """Return the dataset of files that no configuration names."""
    return Dataset(**vars(keys), name="", predictions=tuple(paths), title="", slug="", **others)


def changed(dataset: Dataset, changes: Mapping[str, Any]) -> Dataset:
    """Return a dataset that is read otherwise; columns are added, or no longer said if None."""
    columns = {**(dataset.columns or {}), **changes.get("columns", {})}
    columns = {role: name for role, name in columns.items() if name is not None}
    return replace(dataset, **{**changes, "columns": columns or None})


def in_python(dataset: Dataset) -> str:
    """Return the call that reads files so."""
    given = [f"{name}={value!r}" for name, value in dataset.given().items()]
    given += ["unpaired=True"] if dataset.pairing == "unpaired" else []
    return f"read_predictions({', '.join([repr([*dataset.predictions]), *given])})"


def in_configuration(dataset: Dataset) -> str:
    """Return the keys of a dataset that say the same."""
    given = [f"{key}: {json.dumps(value)}" for key, value in dataset.given().items()]
    given += ["classes: rest"] if dataset.rest else []
    pairing = "; for the study 'pairing: unpaired'" if dataset.pairing == "unpaired" else ""
    return f"in the configuration {', '.join(given)}{pairing}"


def as_command(dataset: Dataset) -> str:
    """Return the command that reads files so, for a shell."""
    parts = ["costcurves check", shlex.join(dataset.predictions), dataset.options()]
    parts += ["--classes rest"] if dataset.rest else []
    parts += ["--unpaired"] if dataset.pairing == "unpaired" else []
    parts += ["--positive", LABEL if dataset.positive is None else shlex.quote(dataset.positive)]
    return " ".join(part for part in parts if part)


class Choice(NamedTuple):
    """An answer: what it changes in the options, and what it means."""

    changes: Mapping[str, Any]
    meaning: str


def column(meaning: str, **columns: Any) -> Choice:
    """Return the answer that columns are of these roles."""
    return Choice({"columns": columns}, meaning)


class Question(InputError):  # noqa: N818 - it is no error, but open
    """Data that could be read in several ways, or in one that was not asked for."""

    def __init__(self, message: str, choices: Sequence[Choice]) -> None:
        super().__init__([visible(message)])
        self.choices = choices


# Tries to read files, and returns labels that do not say which of them is positive.
Trial = Callable[[Dataset], Sequence[str]]


def answers(
    question: Question, dataset: Dataset, read: Trial, depth: int = 0
) -> Iterator[tuple[Dataset, list[str], Sequence[str]]]:
    """Return how files can be read, what that means, and the labels that are read."""
    for choice in question.choices[: FOLLOWING if depth else MOST]:
        answered = changed(dataset, choice.changes)
        try:
            yield answered, [choice.meaning], read(answered)
        except Question as further:
            if depth < DEPTH:
                for last, meanings, labels in answers(further, answered, read, depth + 1):
                    yield last, [choice.meaning, *meanings], labels
        except InputError:
            continue


def proposals(
    question: Question,
    dataset: Dataset,
    read: Trial,
    written: Callable[[Dataset], str] = as_command,
) -> InputError:
    """Return a question with what answers it, each as it is to be `written`."""
    lines = list[str]()
    for answered, meanings, labels in answers(question, dataset, read):
        line, also = written(answered), f"; {LABEL} is the positive class, one of {some(labels)}"
        if answered.positive is not None or not labels:
            line, also = line.removesuffix(f" --positive {LABEL}"), ""
        meant = ", ".join(dict.fromkeys(meanings))
        if line.isprintable() and not any(line in known for known in lines):
            lines.append(f"{dataset.predictions[0]}: if {meant}: {line}{also}")
    return InputError([*question.findings, *lines[: 2 * MOST]])
