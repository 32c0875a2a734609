"""The stages that draw: the figures of each dataset, and those of all datasets together."""

import pandas as pd

from costcurves.figures.context import Tables
from costcurves.figures.drawing import draw_datasets, draw_together, with_unweighted
from costcurves.figures.view_figures import BESIDE
from costcurves.pipeline.job import Job
from costcurves.pipeline.tables import checked
from costcurves.tables.checks.check_study import check_map
from costcurves.tables.configuration.dataset import Dataset
from costcurves.tables.configuration.stages import of
from costcurves.tables.contract import stacked
from costcurves.tables.contracts import CONTRACTS
from costcurves.tables.inference.map import study_map


def figures(job: Job) -> None:
    """Check the results of a batch, and draw every figure with the data that it shows as CSV."""
    study, plan = job.plan.study, job.plan
    results = checked(job)
    others = plan.beside(job.batch)
    unweighted = {
        it: stacked([CONTRACTS[it].empty(), *(job.table(it, one) for one in others)])
        for it in BESIDE
    }

    def tables_of(dataset: Dataset) -> Tables:
        """Give the tables of a dataset, and those beside them."""
        own = {stage: of(table, dataset.name) for stage, table in unweighted.items()}
        return with_unweighted(results[dataset.name], own)

    draw_datasets(
        job.fresh,
        ((dataset, tables_of(dataset)) for dataset in job.datasets),
        [job.table("measures", one) for one in plan.batches],
        operating_conditions=[one.plain() for one in study.operating_conditions],
        level=study.level,
        detail=study.detail,
        first=study.datasets[0].slug,
    )


def study_figures(job: Job) -> None:
    """Count verdicts over all datasets, check the map, and draw it."""
    study = job.plan.study
    tables = {it: _of_all(job, it) for it in ("measures", "verdicts", "hybrids", "intervals")}
    counts = study_map(
        tables["measures"],
        tables["verdicts"],
        _of_all(job, "crossovers"),
        voters={one.name: one.in_files for one in study.datasets},
        inference=study.inference.plain(),
        seed=study.seed,
        chosen=study.map.models,
    )
    job.write("map", counts)
    job.write("check_map", check_map(counts, tables["verdicts"]))
    folder = job.fresh / "figures"
    folder.mkdir()
    titles = {one.name: one.title for one in study.datasets}
    draw_together(folder, counts, tables, study.title, titles)


def _of_all(job: Job, table: str) -> pd.DataFrame:
    return stacked([job.table(table, batch) for batch in job.plan.unweighted])
