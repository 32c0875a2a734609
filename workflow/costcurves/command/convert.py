"""`costcurves convert`: prediction files of other tools, as one file with our columns."""

from argparse import Namespace
from pathlib import Path
from typing import Final

from costcurves.command.ending import FINE, check_new
from costcurves.command.reading_options import FILES, READING, reading
from costcurves.printing import say

DESCRIPTION: Final = """\
Write predictions of other tools with the columns of the input contract (config/README.md), as
Parquet or as CSV, and say how they were read. Scores of several classes stay a column each.
"""
EXAMPLES: Final = """\
examples:
  costcurves convert weka.csv -o predictions.parquet
  costcurves convert truth.csv forest.csv boosting.csv --output predictions.csv
"""
OUTPUT: Final = {"metavar": "FILE", "required": True, "help": "the file to write: .parquet or .csv"}
OPTIONS: Final = {"files": FILES, "--output": OUTPUT, **READING}


def run(options: Namespace) -> int:
    """Write the predictions, and say what was understood."""
    from costcurves.atomic import atomic
    from costcurves.tables.input.opening import read_table

    path = Path(options.output)
    check_new(path, ".parquet", ".csv")
    table, notes = read_table(options.files, reading(options))
    frame = table.to_pandas()
    with atomic(path) as file:
        frame.to_parquet(file) if path.suffix == ".parquet" else frame.to_csv(file, index=False)
    models = frame["model"].nunique()
    say(*notes, f"Wrote {path}: {len(frame)} predictions by {models} models")
    return FINE
