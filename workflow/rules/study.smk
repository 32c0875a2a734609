"""
The study: its configuration, checked before any job runs, and the plan of its results (costcurves.pipeline.plan).

A result lies in results/<study>/<batch>/<stage>-<key>: the key is a hash of code, parameters, sources and inputs.
"""

import re
import shlex
import sys

from costcurves.pipeline.plan import read_plan
from costcurves.pipeline.upkeep import begin, end

PLAN = read_plan(config, workflow.configfiles)
STUDY = PLAN.study
RESULTS = PLAN.results
LOGS = f"logs/{STUDY.name}"
THREADS = max(1, (workflow.cores or 1) // len(PLAN.batches))
PYTHON = shlex.quote(sys.executable).replace("{", "{{").replace("}", "}}")
STAGE = (
    f"{PYTHON} -P -m costcurves stage --plan {PLAN.file}"  # by the Python of the engine
)


wildcard_constraints:
    batch="|".join(re.escape(name) for name in PLAN.batches),
    key="|".join(PLAN.keys()),  # no result under any other


def made_of(stage):
    """The results that a stage of a batch is computed from."""
    return lambda wildcards: PLAN.inputs(stage, wildcards.batch)


def memory(wildcards, attempt):
    """Megabytes that a job may take, and more each time that it was too little."""
    return attempt * PLAN.memory(wildcards.get("batch", ""))
