"""`costcurves stage`: one job of the workflow, where no server runs it (`pipeline/asking.py`)."""

from argparse import Namespace
from typing import Any, Final

from costcurves.pipeline.stages import work

DESCRIPTION: Final = """\
Compute one stage of a study, for a batch of its datasets or for all, as the workflow's rules do.
"""
EXAMPLES: Final = """\
example:
  costcurves stage averages 1 .snakemake/costcurves/plan-1f0c.json averages.log
    results/s/one/cost_lines-9a31 results/s/one/averages-77e0
"""
OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "stage": {"metavar": "STAGE", "help": "its name, that of a rule"},
    "threads": {"metavar": "THREADS", "type": int, "help": "how many it may use"},
    "plan": {"metavar": "PLAN", "help": "the file of the study's plan"},
    "log": {"metavar": "LOG", "help": "the file where it prints, too"},
    "folders": {"metavar": "FOLDER", "nargs": "+", "help": "what it reads, last what it writes"},
}


def run(options: Namespace) -> int:
    """Run the stage, in this process."""
    return work(options.stage, options.threads, options.plan, options.log, *options.folders)
