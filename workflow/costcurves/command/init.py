"""`costcurves init`: a configuration for prediction files, as other commands take one."""

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from costcurves.command.ending import FINE, USAGE, CommandError, configuring, write_new
from costcurves.command.reading_options import FILES, READING, reading, without_reading
from costcurves.errors import refuse
from costcurves.names import is_slug, not_local, quoted, some
from costcurves.printing import say
from costcurves.settings import repeated
from costcurves.study.reading import parse_study
from costcurves.study.strict_yaml import read_text

if TYPE_CHECKING:
    from costcurves.study.initial import FileDataset

DESCRIPTION: Final = """\
Write a configuration for prediction files, with comments that say what can be changed. An
existing file is never overwritten.
"""
EXAMPLES: Final = """\
examples:
  costcurves init predictions.csv
  costcurves init --positive ill --output screening.yaml screening-*.csv.gz
"""
OF_FILES: Final[dict[str, dict[str, Any]]] = {  # what can be said of prediction files
    "--study": {"metavar": "NAME", "help": "the study's name; default is that of the first file"},
    "--truth": {"metavar": "FILE", "help": "a file with the truth, where FILEs have none"},
    **READING,
}
OUTPUT: Final = "the file to write; default is the study's name + .yaml"
OPTIONS: Final = {
    "files": FILES,
    "--output": {"metavar": "CONFIG", "help": OUTPUT},
    "--cost-fn": {"type": float, "metavar": "COST", "help": "what a miss costs"},
    "--cost-fp": {"type": float, "metavar": "COST", "help": "what a false alarm costs"},
    "--unit": {"metavar": "UNIT", "help": "of these costs, such as EUR"},
    **OF_FILES,
}


def run(options: Namespace) -> int:
    """Write the configuration, and say how to go on."""
    costs = {key: getattr(options, key) for key in ("cost_fn", "cost_fp", "unit")}
    costs = {key: value for key, value in costs.items() if value is not None}
    name, text, datasets = initial_text(options, costs)
    with configuring():
        parse_study(read_text(text, name).content, source=name)
    path = Path(options.output or f"{name}.yaml")
    write_new(path, text)
    say(f"Wrote {path}; build its report with: costcurves report {path}", *map(_seen, datasets))
    return FINE


def initial_text(
    options: Namespace, costs: Mapping[str, Any] | None = None
) -> "tuple[str, str, tuple[FileDataset, ...]]":
    """Name a study of prediction files, say how these are read, and write its configuration.

    The datasets that they hold come with it. What files leave open is refused, with the command as
    it was typed and what answers it.
    """
    from costcurves.predictions.asking import answered, as_options, of_files
    from costcurves.predictions.sources import study_name
    from costcurves.study.initial import find_datasets, initial_config

    files = [*options.files, *([options.truth] if options.truth else [])]
    refuse(why for file in files if (why := not_local(file)))
    name = options.study or study_name(files[0])
    if not is_slug(name):
        expected = "letters, digits, '.', '_' and '-', at most 64, a letter or digit first"
        raise CommandError(USAGE, f"--study is {quoted(name)}, expected {expected}")
    if twice := repeated(files):
        raise CommandError(USAGE, f"{some(twice)} is given twice, expected each file once")
    pairing = "unpaired" if options.unpaired else "paired"
    rest = options.classes is not None
    how = of_files(files, reading(options), positive=options.positive, pairing=pairing, rest=rest)
    typed = without_reading(options.words)
    datasets = answered(find_datasets, how, as_options, lambda answers: f"{typed} {answers}")
    say(*dict.fromkeys(note for dataset in datasets for note in dataset.notes))
    return name, initial_config(name, datasets, how, costs), datasets


def _seen(dataset: "FileDataset") -> str:
    """Say what was seen of a dataset."""
    parts = [
        f"models {some(dataset.models)}",
        f"{'classes' if dataset.classes else 'labels'} {some(dataset.classes or dataset.labels)}",
        "costs of mistakes" if any(map(any, dataset.paid.values())) else "",
        "one instance in each fold" if dataset.alone else "",
    ]
    return f"  {quoted(dataset.name)}: {'; '.join(part for part in parts if part)}"
