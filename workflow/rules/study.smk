"""
The study: its configuration, checked before any job runs, and the plan of its results (costcurves.pipeline.plan).

A result lies in results/<study>/<batch>/<stage>-<key>: the key is a hash of code, parameters, sources and inputs.
"""

import atexit
import gc
import re
import shlex

from costcurves.pipeline.asking import COMMAND
from costcurves.pipeline.plan import read_plan
from costcurves.pipeline.server import is_of_parent, started
from costcurves.pipeline.upkeep import begin, end

# As the engine ends, it would look through all that it has imported.
atexit.register(gc.freeze)
PLAN = read_plan(config, workflow.configfiles)
STUDY = PLAN.study
RESULTS = PLAN.results
LOGS = f"logs/{STUDY.name}"
THREADS = max(1, (workflow.cores or 1) // len(PLAN.batches))
SERVER = is_of_parent() or started(at_once=False)  # which stages are forked from


wildcard_constraints:
    batch="|".join(re.escape(name) for name in PLAN.batches),
    key="|".join(PLAN.keys()),  # no result under any other


def made_of(stage):
    """
    The results that a stage is computed from; their names say what they are, so their dates decide nothing.

    The inputs of the report have dates: where a job runs again, the engine does not look at jobs beyond those to which its
    result is ancient, even if they lack theirs. All stages but resampling are inputs of the report.
    """
    return lambda wildcards: [
        ancient(PLAN.folder(*one)) if one[0] != "resampling" else PLAN.folder(*one)
        for one in PLAN.needed(stage, wildcards.get("batch", ""))
    ]


def stage(name):
    """The command that computes a stage, or asks for it: by the Python of the engine, with none of its settings."""
    ask = shlex.join(COMMAND).replace("{", "{{").replace("}", "}}")
    return f"{ask} {name} {{threads}} {{resources.plan}} {{log:q}} {{input:q}} {{output:q}}"


def resamples(folder):
    """Resamples take up to a thousand times the room of predictions: kept only for claims."""
    return folder if STUDY.claims else temp(folder)


def needs(stage):
    """What a job needs: the plan, and megabytes of memory, more each time that it was too little."""
    return {
        "mem_mb": lambda of, attempt: attempt * PLAN.memory(stage, of.get("batch", "")),
        "plan": PLAN.file,
    }
