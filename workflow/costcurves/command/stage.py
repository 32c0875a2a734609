"""`costcurves stage`: one job of the workflow, as its rules call it."""

from argparse import Namespace
from typing import Any, Final

from costcurves.pipeline.server import forked
from costcurves.pipeline.stages import work

DESCRIPTION: Final = """\
Compute one stage of a study, for a batch of its datasets or for all, as the workflow's rules do.
"""
EXAMPLES: Final = """\
example:
  costcurves stage averages --plan .snakemake/costcurves/plan-1f0c.json --log averages.log
    results/s/one/cost_lines-9a31 results/s/one/averages-77e0
"""
OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "stage": {"metavar": "STAGE", "help": "its name, that of a rule"},
    "folders": {
        "nargs": "+",
        "metavar": "FOLDER",
        "help": "the results that it reads, and last the one that it writes",
    },
    "--plan": {"required": True, "metavar": "FILE", "help": "the plan of the study"},
    "--log": {"required": True, "metavar": "FILE", "help": "where it prints, too"},
    "--threads": {"type": int, "default": 1, "metavar": "N", "help": "how many it may use"},
}


NAMES: Final = ("stage", "folders", "plan", "log", "threads")


def run(options: Namespace) -> int:
    """Run the stage: in a process forked from one that has all imports, if there is one."""
    own = Namespace(**{name: getattr(options, name) for name in NAMES})
    status = forked(own)
    return work(own) if status is None else status
