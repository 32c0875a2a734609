"""Prediction files that a command is given, as a study."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from costcurves.command.ending import USAGE, CommandError
from costcurves.command.workflow import fetch
from costcurves.errors import InputError, refuse
from costcurves.tables.configuration.names import is_slug, quoted, some
from costcurves.tables.configuration.settings import Inference

if TYPE_CHECKING:
    import argparse

    from costcurves.tables.input.initial_config import FoundDataset

Ask = Callable[["FoundDataset"], str | None]


def add_options(parser: "argparse.ArgumentParser") -> None:
    """Add what can be said of prediction files."""
    parser.add_argument(
        "--positive",
        metavar="LABEL",
        help="the label of the positive class, where labels are not 0 and 1 or true and false",
    )
    parser.add_argument(
        "--study", metavar="NAME", help="the study's name; default is that of the first file"
    )


def initial_study(
    files: Sequence[str],
    positive: str | None,
    study: str | None,
    ask: Ask | None = None,
    *,
    compared: bool = False,
) -> tuple[str, str]:
    """Name a study of prediction files, and write its configuration.

    Its models are to be compared as it stands if `compared`; `ask` asks a person for a label.
    """
    from costcurves.tables.input.initial_config import find_datasets, initial_config, study_name

    name = study or study_name(files[0])
    if not is_slug(name):
        expected = "letters, digits, '.', '_' and '-', at most 64, a letter or digit first"
        raise CommandError(USAGE, f"--study is {quoted(name)}, expected {expected}")
    twice = sorted({file for file in files if files.count(file) > 1})
    if twice:
        raise CommandError(USAGE, f"{some(twice)} is given twice, expected each file once")
    refuse(f"{file}: {why}" for file, why in fetch(files, Path()).items())
    found = find_datasets(files)
    whys = [(one.name, Inference().too_many(len(one.models))) for one in found if compared]
    init = "'costcurves init' writes the configuration where that can be set"
    if findings := [f"{name}: {why}; {init}" for name, why in whys if why]:
        raise InputError(findings)
    positives = {
        one.name: _known(one, given=positive, ask=ask) for one in found if one.needs_positive
    }
    return name, initial_config(name, found, positives)


def _known(found: "FoundDataset", given: str | None, ask: Ask | None) -> str:
    """Give the label that is positive where labels do not say it."""
    label = given if given is not None or ask is None else ask(found)
    labels = f"labels of dataset {quoted(found.name)} are {some(found.labels)}"
    if label is None:
        raise CommandError(USAGE, f"{labels}: say with --positive which is the positive class")
    if label not in found.labels:
        raise CommandError(USAGE, f"--positive is {quoted(label)}, but {labels}")
    return label


def asked(found: "FoundDataset") -> str | None:
    """Ask the person at the terminal which label is positive; None: nobody is there."""
    if not sys.stdin.isatty():
        return None
    labels = some(found.labels)
    return input(f"Which label of {quoted(found.name)} is the positive class: {labels}? ").strip()
