"""A stage by its name: what runs it, imported when it is asked for."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from costcurves.pipeline.job import Job


def work(stage: str, threads: int | str, plan: str, log: str, *folders: str) -> int:
    """Run a stage in this process, and give its status; the last folder is that of its results."""
    from costcurves.pipeline.job import job, logged
    from costcurves.pipeline.plan import OF_STUDIES
    from costcurves.threads import allow

    allow(int(threads))
    *inputs, output = folders
    batch = "" if stage in OF_STUDIES else f"{Path(output).parent.name}: "
    with (
        logged(log, f"{batch}{stage.replace('_', ' ')}"),
        job(stage, plan, inputs, output) as own,
    ):
        _function(stage)(own)
    return 0


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
