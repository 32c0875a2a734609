"""`costcurves check`: whether prediction files keep the input contract."""

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Final

import yaml

from costcurves.command.ending import FINE
from costcurves.command.init import OF_FILES, initial_study
from costcurves.command.reading_options import FILES

if TYPE_CHECKING:
    import pandas as pd

DESCRIPTION: Final = """\
Hold prediction files to the input contract (config/README.md), and say what is in them. Files
without a column 'dataset' are taken as one dataset.
"""
EXAMPLES: Final = """\
examples:
  costcurves check predictions.csv
  costcurves check --positive ill screening-a.csv.gz screening-b.parquet
"""
OPTIONS: Final = {"files": FILES, **OF_FILES}


def run(told: Namespace) -> int:
    """Check the files, and say what each dataset in them is."""
    from costcurves.tables.configuration.study import parse_study
    from costcurves.tables.input.predictions import stage

    _, text = initial_study(told)
    for dataset in parse_study(yaml.safe_load(text)).datasets:
        sys.stdout.write(f"{dataset.name}: fine\n{_said(stage(dataset))}")
    return FINE


def _said(frame: "pd.DataFrame") -> str:
    """Say what a dataset has: of models that differ, the largest."""
    from costcurves.report.sentences import worse_than_chance
    from costcurves.report.text import plain
    from costcurves.tables.curves.headline import reversed_models
    from costcurves.tables.curves.ranked import ranking
    from costcurves.tables.input.headers import COSTS

    lines = [f"  {len(frame)} predictions by {_counted(frame, 'model')}"]
    for model, own in frame.groupby("model", sort=False, observed=True):
        instances = own.drop_duplicates("instance")
        positives = int((instances["label"] == 1).sum())
        kind = "scores" if own["score"].notna().all() else "decisions"
        parts = [
            f"{len(instances)} instances, {positives} of them positive",
            _counted(own, "repeat"),
            f"{own[['repeat', 'fold']].drop_duplicates().shape[0]} folds in all",
            kind,
        ]
        members = own["member"].nunique()
        parts += [f"{members} members"] if members > 1 else []
        lines.append(f"    {model}: {', '.join(parts)}")
    found = reversed_models(ranking(frame))
    cautions = map(worse_than_chance, found["model"], found["auc"])
    lines += [f"  {plain(one)}" for one in cautions]
    if costs := [name for name in COSTS if frame[name].notna().any()]:
        uses = "'costs:' in a configuration uses them; here all mistakes of a kind cost the same"
        lines.append(f"  its files say what mistakes cost ({', '.join(costs)}): {uses}")
    return "".join(f"{line}\n" for line in lines)


def _counted(frame: "pd.DataFrame", column: str) -> str:
    number = frame[column].nunique()
    return f"{number} {column}{'' if number == 1 else 's'}"
