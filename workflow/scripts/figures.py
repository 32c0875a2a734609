"""Every figure of a batch of datasets, as SVG and PDF, with the data that it shows as CSV."""

from pathlib import Path

from costcurves.figures.context import Tables
from costcurves.figures.drawing import draw_datasets, with_unweighted
from costcurves.figures.view_figures import BESIDE, beside
from costcurves.jobs import job, told
from costcurves.tables.configuration.dataset import Dataset
from costcurves.tables.configuration.stages import of
from costcurves.tables.contract import read, read_all
from costcurves.tables.contracts import CONTRACTS, read_results
from costcurves.tables.curves.headline import MEASURES
from costcurves.tables.record.folders import replaced

with job(told.log[0], f"{told.wildcards.batch}: figures drawn", told):
    results = read_results(told.input)
    unweighted = {it: read_all(told.input[beside(it)], CONTRACTS[it]) for it in BESIDE}

    def tables_of(dataset: Dataset) -> Tables:
        """Give the tables of a dataset, and those beside them."""
        own = {stage: of(table, dataset.name) for stage, table in unweighted.items()}
        return with_unweighted(results[dataset.name], own)

    datasets = map(Dataset.from_plain, told.params.datasets)
    with replaced(Path(told.output[0])) as fresh:
        draw_datasets(
            fresh,
            ((dataset, tables_of(dataset)) for dataset in datasets),
            [read(file, MEASURES) for file in told.input.roster],
            operating_conditions=told.params.operating_conditions,
            level=told.params.level,
            detail=told.params.detail,
            first=told.params.first,
        )
