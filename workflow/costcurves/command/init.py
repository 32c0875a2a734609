"""`costcurves init`: a configuration for given prediction files."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from costcurves.command import inputs
from costcurves.command.ending import FINE, USAGE, CommandError

if TYPE_CHECKING:
    import argparse

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


def add_options(parser: "argparse.ArgumentParser") -> None:
    """Add this command's options."""
    parser.add_argument("files", nargs="+", metavar="FILE", help=".csv, .csv.gz or .parquet")
    parser.add_argument(
        "--output", metavar="CONFIG", help="the file to write; default is the study's name + .yaml"
    )
    inputs.add_options(parser)


def run(told: "argparse.Namespace") -> int:
    """Write the configuration, and say how to go on."""
    name, text = inputs.initial_study(told.files, told.positive, told.study, inputs.asked)
    path = Path(told.output or f"{name}.yaml")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        message = f"{path}: exists and is left as it is; name another file with --output"
        raise CommandError(USAGE, message) from None
    except OSError as error:
        raise CommandError(USAGE, f"{path}: can't be written ({error.strerror})") from error
    sys.stdout.write(f"Wrote {path}; build its report with: costcurves report {path}\n")
    return FINE
