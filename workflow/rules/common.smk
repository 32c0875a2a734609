"""The study, checked before any job runs, and the files of its results."""

import re
import shlex
import sys

from costcurves import workflow as plan

PRINT_ANSWER = config.pop("print_answer", True)  # `costcurves report` prints it itself
STUDY = plan.open_study(config, workflow.configfiles)
DATASETS = {dataset.slug: dataset for dataset in STUDY.datasets}
RESULTS = f"results/{STUDY.name}"
CHECKED = f"{RESULTS}/study.json"
LOGS = f"logs/{STUDY.name}"
THREADS = max(1, (workflow.cores or 1) // len(DATASETS))
STAGE = f"{shlex.quote(sys.executable)} -P -m costcurves stage"  # `costcurves stage`, by this Python


wildcard_constraints:
    dataset="|".join(map(re.escape, DATASETS)),


def of(stage, *tables):
    """The tables of a stage for one dataset, as files: all that the study has, or some."""
    return [f"{RESULTS}/{{dataset}}/{stage}/{table}.parquet" for table in tables or plan.tables(STUDY, stage)]


def made(stage):
    """What a stage makes for one dataset: its tables, and the sha256 of every file that it writes."""
    return [*of(stage), f"{RESULTS}/{{dataset}}/{stage}/SHA256SUMS"]


def made_of(stage):
    """A file of the code, parameters and sources that a stage uses; and the study, whose date does not count."""
    study = local(ancient(CHECKED))
    return lambda wildcards: [
        local(plan.made_of(STUDY, stage, DATASETS.get(wildcards.get("dataset")))),
        study,
    ]


def of_all(files, datasets=DATASETS):
    """The same files of several datasets."""
    return expand(files, dataset=datasets)
