"""`costcurves demo`: a small example of predictions, as a first report is made of."""

import shlex
from argparse import Namespace
from pathlib import Path
from random import Random
from typing import Final

from costcurves.command.ending import FINE, write_new
from costcurves.printing import say

DESCRIPTION: Final = "Write predictions.csv, an example: two models and a rule on 300 cases.\n"
EXAMPLES: Final = "examples:\n  costcurves demo .\n  costcurves demo ~/first\n"
OPTIONS: Final = {"folder": {"nargs": "?", "default": ".", "help": "the folder (default: here)"}}


def run(options: Namespace) -> int:
    """Write the example, and say how to go on."""
    path, draw = Path(options.folder, "predictions.csv"), Random(1).random  # noqa: S311
    rows = ["model,fold,instance,label,score,decision"]
    for case in range(300):
        label, luck = int(case % 4 == 0), draw()  # a hard case is hard for each model
        for model, skill in (("forest", 0.8), ("logit", 0.6), ("rule", 0.7)):
            score = (luck + 2 * draw() + skill * (2 * label - 1) + 1) / 5
            cells = f",{score > 0.5:d}" if model == "rule" else f"{score:.3f},"
            rows.append(f"{model},{case % 5 + 1},{case + 1},{label},{cells}")
    write_new(path, "\n".join([*rows, ""]))
    say(f"Wrote {path}; build its report with: costcurves report {shlex.quote(str(path))}")
    return FINE
