"""The stages that draw: the figures of each dataset, and those of all datasets together."""

from costcurves.figures.drawing import draw_datasets, draw_together
from costcurves.figures.view_figures import BESIDE
from costcurves.pipeline.job import Job
from costcurves.pipeline.tables import checked
from costcurves.tables.checks.check_study import check_map
from costcurves.tables.inference.map import study_map


def figures(job: Job) -> None:
    """Check the results of a batch, and draw every figure with the data that it shows as CSV."""
    study, plan = job.plan.study, job.plan
    results = checked(job)
    originals = {one.original for one in job.datasets if one.weighted}
    draw_datasets(
        job.fresh,
        ((dataset, results[dataset.name]) for dataset in job.datasets),
        {it: job.table_of(it, originals) for it in BESIDE},
        [job.table("measures", one) for one in plan.batches],
        study,
    )


def study_figures(job: Job) -> None:
    """Count verdicts over all datasets, check the map, and draw it."""
    study = job.plan.study
    stages = ("measures", "verdicts", "hybrids", "intervals", "crossovers")
    tables = {it: job.table_of(it, job.plan.counted) for it in stages}
    counts = study_map(
        tables["measures"],
        tables["verdicts"],
        tables["crossovers"],
        voters={one.name: one.in_files for one in study.counted},
        inference=study.inference.plain(),
        seed=study.seed,
    )
    job.write("map", counts)
    job.write("check_map", check_map(counts, tables["verdicts"]))
    folder = job.fresh / "figures"
    folder.mkdir()
    draw_together(folder, {**tables, "map": counts}, study)
