"""Every figure of a batch of datasets, as SVG and PDF, with the data that it shows as CSV."""

from collections.abc import Iterator
from pathlib import Path

from matplotlib.figure import Figure

from costcurves.figures.catalogue import figures_of
from costcurves.figures.context import context_from
from costcurves.figures.saving import save
from costcurves.figures.view_figures import BESIDE, beside
from costcurves.jobs import job, told
from costcurves.tables.configuration.dataset import Dataset
from costcurves.tables.configuration.stages import of
from costcurves.tables.contract import read, read_all, write_csv
from costcurves.tables.curves.conditions import conditions
from costcurves.tables.curves.headline import MEASURES
from costcurves.tables.making import CONTRACTS, read_results
from costcurves.tables.record.folders import replaced

with job(told.log[0], f"{told.wildcards.batch}: figures drawn", told):
    results = read_results(told.input)
    roster = [read(file, MEASURES) for file in told.input.roster]
    unweighted = {beside(it): read_all(told.input[beside(it)], CONTRACTS[it]) for it in BESIDE}

    def drawn(fresh: Path) -> Iterator[tuple[Figure, Path]]:
        """Draw one figure after the other, and write its data."""
        for dataset in map(Dataset.from_plain, told.params.datasets):
            own = {name: of(table, dataset.name) for name, table in unweighted.items()}
            tables, folder = results[dataset.name] | own, fresh / dataset.slug
            marked = conditions(tables["measures"], told.params.operating_conditions)
            context = context_from(dataset, marked, tables["measures"], roster, told.params.level)
            first = dataset.slug == told.params.first
            for figure in figures_of(tables, told.params.detail, first=first):
                data = figure.data(tables, context)
                write_csv(data, folder / f"{figure.name}.csv")
                yield figure.drawn(data, context), folder / figure.name

    with replaced(Path(told.output[0])) as fresh:
        save(drawn(fresh))
