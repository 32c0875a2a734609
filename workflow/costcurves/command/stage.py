"""`costcurves stage`: one job of the workflow, as its rules call it."""

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from costcurves.command.ending import FINE
from costcurves.pipeline.server import forked

if TYPE_CHECKING:
    from collections.abc import Callable

    from costcurves.pipeline.job import Job

DESCRIPTION: Final = """\
Compute one stage of a study, for a batch of its datasets or for all, as the workflow's rules do.
"""
EXAMPLES: Final = """\
example:
  costcurves stage averages --plan results/s/plan-1f0c.json results/s/one/cost_lines-9a31
    results/s/one/averages-77e0
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


TOLD: Final = ("stage", "folders", "plan", "log", "threads")


def run(told: Namespace) -> int:
    """Run the stage: in a process forked from one that has all imports, if there is one."""
    own = Namespace(**{name: getattr(told, name) for name in TOLD})
    status = forked(own)
    return work(own) if status is None else status


def work(told: Namespace) -> int:
    """Run the stage in this process."""
    from costcurves.pipeline.job import job, logged
    from costcurves.pipeline.plan import OF_STUDIES
    from costcurves.threads import allow

    allow(told.threads)
    *inputs, output = told.folders
    batch = "" if told.stage in OF_STUDIES else f"{Path(output).parent.name}: "
    with (
        logged(told.log, f"{batch}{told.stage.replace('_', ' ')}"),
        job(told.stage, told.plan, inputs, output) as own,
    ):
        _function(told.stage)(own)
    return FINE


def _function(stage: str) -> "Callable[[Job], None]":
    """Import what a stage needs, and no more."""
    if stage == "report":
        from costcurves.pipeline.report import report

        return report
    if stage in ("figures", "map"):
        from costcurves.pipeline import figures

        return figures.figures if stage == "figures" else figures.study_figures
    from costcurves.pipeline import tables

    return {
        "predictions": tables.predictions,
        "cost_lines": tables.cost_lines,
        "averages": tables.averages,
        "hybrids": tables.hybrids,
        "duality": tables.duality,
        "resampling": tables.resampling,
        "confidence": tables.confidence,
        "comparisons": tables.comparisons,
        "claims": tables.claims,
    }[stage]
