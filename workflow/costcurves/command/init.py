"""`costcurves init`: a configuration for prediction files, as other commands take one."""

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from costcurves.command.ending import FINE, USAGE, CommandError, check_new, write_new
from costcurves.command.reading_options import FILES, READING, reading
from costcurves.errors import refuse
from costcurves.names import is_slug, not_local, quoted, some
from costcurves.printing import say
from costcurves.settings import Inference
from costcurves.tables.input.headers import several

if TYPE_CHECKING:
    from collections.abc import Callable

    from costcurves.settings import DatasetKeys
    from costcurves.study.initial import FoundDataset

DESCRIPTION: Final = """\
Write a configuration for prediction files, with comments that say what can be changed. An
existing file is never overwritten. At a terminal it asks for the positive class where labels do
not say it.
"""
EXAMPLES: Final = """\
examples:
  costcurves init predictions.csv
  costcurves init --positive ill --output screening.yaml screening-*.csv.gz
"""
OF_FILES: Final[dict[str, dict[str, Any]]] = {  # what can be said of prediction files
    "--positive": {
        "metavar": "LABEL",
        "help": "the label of the positive class, where labels are not 0 and 1 or true and false",
    },
    "--study": {"metavar": "NAME", "help": "the study's name; default is that of the first file"},
    **READING,
}
OUTPUT: Final = "the file to write; default is the study's name + .yaml"
OPTIONS: Final = {"files": FILES, "--output": {"metavar": "CONFIG", "help": OUTPUT}, **OF_FILES}


def run(options: Namespace) -> int:
    """Write the configuration, and say how to go on."""
    name, text, found = initial_study(options, _asked)
    path = Path(options.output or f"{name}.yaml")
    check_new(path)
    write_new(path, text)
    say(f"Wrote {path}; build its report with: costcurves report {path}", *map(_seen, found))
    return FINE


def initial_study(
    options: Namespace,
    ask: "Callable[[FoundDataset], str | None]" = lambda _: None,
    *,
    compared: bool = False,
    said: "DatasetKeys | None" = None,
) -> "tuple[str, str, tuple[FoundDataset, ...]]":
    """Name a study of prediction files, say how these are read, and write its configuration.

    The datasets that were found come with it. Its models are to be compared as it stands if
    `compared`; `ask` asks a person for a label. What is `said` of them is more than options say.
    """
    from costcurves.study.initial import find_datasets, initial_config
    from costcurves.tables.input.sources import study_name

    files = options.files
    refuse(why for file in files if (why := not_local(file)))
    positive, own = (options.positive, reading(options)) if said is None else (said.positive, said)
    classes = tuple((said and said.classes) or ())
    name = options.study or study_name(files[0])
    if not is_slug(name):
        expected = "letters, digits, '.', '_' and '-', at most 64, a letter or digit first"
        raise CommandError(USAGE, f"--study is {quoted(name)}, expected {expected}")
    twice = sorted({file for file in files if files.count(file) > 1})
    if twice:
        raise CommandError(USAGE, f"{some(twice)} is given twice, expected each file once")
    found = find_datasets(files, own, classes)
    say(*dict.fromkeys(note for one in found for note in one.notes))
    whys = [(one.name, Inference().too_many(len(one.models))) for one in found if compared]
    init = "'costcurves init' writes the configuration where that can be set"
    refuse(f"{name}: {why}; {init}" for name, why in whys if why)
    positives = {
        one.name: _known(one, ask(one) if positive is None else positive)
        for one in found
        if one.needs_positive or (positive in one.labels and not one.classes)
    }
    if positive is not None and not positives:
        _known(found[0], positive)
    return name, initial_config(name, found, positives, own), found


def _seen(found: "FoundDataset") -> str:
    """Say what was seen of a dataset."""
    parts = [
        f"models {some(found.models)}",
        f"{'classes' if found.classes else 'labels'} {some(found.classes or found.labels)}",
        "costs of mistakes" if found.paid else "",
        "one instance in each fold" if found.alone else "",
    ]
    return f"  {quoted(found.name)}: {'; '.join(part for part in parts if part)}"


def _known(found: "FoundDataset", label: str | None) -> str:
    """Make sure that a label is one that can be the positive one."""
    labels = f"labels of dataset {quoted(found.name)} are {some(found.labels)}"
    if len(found.labels) > 2 and not found.classes:
        columns = f"; its models are {some(found.models)}"
        raise CommandError(USAGE, f"{labels}; {several(found.labels)}{columns}")
    if label is None:
        raise CommandError(USAGE, f"{labels}: say with --positive which is the positive class")
    if found.classes:
        labels += ", of which each is positive in turn"
    if found.classes or label not in found.labels:
        raise CommandError(USAGE, f"--positive is {quoted(label)}, but {labels}")
    return label


def _asked(found: "FoundDataset") -> str | None:
    """Ask the person at the terminal which label is positive; None: nobody is there."""
    if not sys.stdin.isatty() or len(found.labels) > 2:
        return None
    labels = some(found.labels)
    return input(f"Which label of {quoted(found.name)} is the positive class: {labels}? ").strip()
