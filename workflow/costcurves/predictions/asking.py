"""What files leave open: every question is asked at once, and how its answers are given."""

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, TypeVar

from costcurves.errors import InputError
from costcurves.printing import visible
from costcurves.settings import REST, Dataset, ReadingKeys

Answer = TypeVar("Answer")
PLAIN: Final = ReadingKeys()
MOST: Final = 20  # questions; an answer leaves fewer open, but for a mistake of ours


def of_files(paths: Sequence[str], keys: ReadingKeys = PLAIN, **others: Any) -> Dataset:
    """Return the dataset of files that no configuration names."""
    return Dataset(**vars(keys), name="", predictions=tuple(paths), title="", slug="", **others)


def changed(dataset: Dataset, changes: Mapping[str, Any]) -> Dataset:
    """Return a dataset that is read otherwise; columns are added, or taken away if None."""
    columns = {**(dataset.columns or {}), **changes.get("columns", {})}
    columns = {role: name for role, name in columns.items() if name is not None}
    return replace(dataset, **{**changes, "columns": columns or None})


def as_arguments(dataset: Dataset) -> str:
    """Return how files are read as arguments of `read_predictions`."""
    given = dataset.given() | ({"unpaired": True} if dataset.pairing == "unpaired" else {})
    return ", ".join(f"{name}={value!r}" for name, value in given.items())


def as_keys(dataset: Dataset) -> str:
    """Return how files are read as keys of a dataset in a configuration."""
    given = dataset.given()
    given |= {"positive": dataset.positive} if dataset.positive else {}
    given |= {"classes": REST} if dataset.rest else {}
    keys = ", ".join(f"{key}: {json.dumps(value)}" for key, value in given.items())
    of_study = "for the study 'pairing: unpaired'" if dataset.pairing == "unpaired" else ""
    return "; ".join(filter(None, (keys, of_study)))


def as_options(dataset: Dataset) -> str:
    """Return how files are read as options of a command, for a shell."""
    parts = [
        dataset.options(),
        f"--classes {REST}" if dataset.rest else "",
        "--unpaired" if dataset.pairing == "unpaired" else "",
        f"--positive {shlex.quote(dataset.positive)}" if dataset.positive else "",
    ]
    return " ".join(filter(None, parts))


class Choice(NamedTuple):
    """An answer: what it changes in the options, and what it means."""

    changes: Mapping[str, Any]
    meaning: str


def column(meaning: str, **columns: Any) -> Choice:
    """Return the answer that columns are of these roles."""
    return Choice({"columns": columns}, meaning)


class Question(InputError):  # noqa: N818 - it is no error, but open
    """Data that could be read in several ways; the likeliest answer comes first."""

    def __init__(self, message: str, choices: Sequence[Choice]) -> None:
        super().__init__([visible(message)])
        self.choices = choices


class OpenQuestions(InputError):  # noqa: N818
    """All that files leave open, with the answers."""

    @property
    def lines(self) -> list[str]:
        """The questions, answers below each."""
        return [*self.findings]


def answered(
    read: Callable[[Dataset], Answer],
    dataset: Dataset,
    written: Callable[[Dataset], str] = as_keys,
    whole: Callable[[str], str] = "in the configuration {}".format,
) -> Answer:
    """Return what is read; all that is open is refused at once.

    The next question is the one that follows the first answer to the last. Answers are `written` as
    keys, and `whole` is what reads the files with the first answer to each.
    """
    findings, first = list[str](), dataset
    for _ in range(MOST):
        try:
            result = read(first)
            if first is dataset:
                return result
            paths, answers = ", ".join(dataset.predictions), whole(written(first))
            findings.append(f"{paths}: with the first answer to each question: {answers}")
            break
        except Question as question:
            findings += question.findings
            for changes, meaning in question.choices:
                findings.append(f"  if {meaning}: {written(changed(of_files(()), changes))}")
            if not question.choices:
                break
            first = changed(first, question.choices[0].changes)
        except InputError as error:
            if first is dataset:
                raise
            findings += error.findings
            break
    raise OpenQuestions(findings)
