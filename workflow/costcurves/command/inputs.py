"""Prediction files that a command is given, as a study."""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from costcurves.command.ending import USAGE, CommandError
from costcurves.errors import InputError
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
    """Make a study of prediction files.

    Parameters
    ----------
    files
        The files.
    positive
        Which label is positive; None: not said.
    study
        The study's name; None: that of the first file.
    ask
        Asks a person which label of a dataset is positive; None: nobody is there.
    compared
        Whether their models are to be compared as the study stands.

    Returns
    -------
    name, configuration : str
        The study's name, and its configuration as YAML.

    Raises
    ------
    CommandError
        If the name can't be used, a file is named twice, or nobody says which class is positive.
    InputError
        If the files can't be read, or have too many models to be compared.
    """
    from costcurves.tables.input.initial_config import find_datasets, initial_config, study_name

    name = study or study_name(files[0])
    if not is_slug(name):
        expected = "letters, digits, '.', '_' and '-', at most 64, a letter or digit first"
        raise CommandError(USAGE, f"--study is {quoted(name)}, expected {expected}")
    twice = sorted({file for file in files if files.count(file) > 1})
    if twice:
        raise CommandError(USAGE, f"{some(twice)} is given twice, expected each file once")
    found = find_datasets(files)
    if compared:
        _comparable(found)
    return name, initial_config(name, found, _positives(found, positive, ask))


def _comparable(found: "Sequence[FoundDataset]") -> None:
    """Refuse datasets with more models than a study with defaults compares."""
    whys = [(one.name, Inference().too_many(len(one.models))) for one in found]
    init = "'costcurves init' writes the configuration where that can be set"
    if findings := [f"{name}: {why}; {init}" for name, why in whys if why]:
        raise InputError(findings)


def _positives(
    found: "Sequence[FoundDataset]", given: str | None, ask: Ask | None
) -> dict[str, str]:
    """Say which label is positive in the datasets whose labels do not say it."""
    known: dict[str, str] = {}
    for one in found:
        if one.needs_positive:
            label = given if given is not None or ask is None else ask(one)
            known[one.name] = _known(one, label)
    return known


def _known(found: "FoundDataset", label: str | None) -> str:
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
