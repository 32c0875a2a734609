"""What a file leaves open, and the options that answer it."""

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from costcurves.errors import InputError
from costcurves.printing import visible
from costcurves.settings import Dataset, ReadingKeys

PLAIN: Final = ReadingKeys()


def of_files(paths: Sequence[str], keys: ReadingKeys = PLAIN, **others: Any) -> Dataset:
    """Return the dataset of files that no configuration names."""
    return Dataset(**vars(keys), name="", predictions=tuple(paths), title="", slug="", **others)


def changed(dataset: Dataset, changes: Mapping[str, Any]) -> Dataset:
    """Return a dataset that is read otherwise; columns are added, or taken away if None."""
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
    parts += [f"--positive {shlex.quote(dataset.positive)}"] if dataset.positive else []
    return " ".join(filter(None, parts))


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


def proposals(
    question: Question,
    dataset: Dataset,
    written: Callable[[Dataset], str] = as_command,
) -> InputError:
    """Return a question with its answers, each as it is to be `written`."""
    path = dataset.predictions[0]
    answers = [
        f"{path}: if {choice.meaning}: {written(changed(dataset, choice.changes))}"
        for choice in question.choices
    ]
    return InputError([*question.findings, *answers])
