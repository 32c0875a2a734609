"""Every figure of a batch of datasets, as SVG and PDF, with the data that it shows as CSV."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from costcurves.figures.catalogue import figures_of
from costcurves.figures.context import context_from
from costcurves.figures.saving import save
from costcurves.figures.view_figures import BESIDE, beside
from costcurves.jobs import job
from costcurves.tables.configuration.batches import of
from costcurves.tables.configuration.dataset import Dataset
from costcurves.tables.configuration.operating_conditions import OperatingCondition
from costcurves.tables.contract import read, read_all, write_csv
from costcurves.tables.curves.headline import MEASURES
from costcurves.tables.making import CONTRACTS, read_results
from costcurves.tables.record.folders import replaced

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: figures drawn", snakemake):
    results = read_results(snakemake.input)
    conditions = [OperatingCondition(**one) for one in snakemake.params.conditions]
    roster = [read(file, MEASURES) for file in snakemake.input.roster]
    unweighted = {beside(it): read_all(snakemake.input[beside(it)], CONTRACTS[it]) for it in BESIDE}

    def drawn(fresh: Path) -> Iterator[tuple[Figure, Path]]:
        """Draw one figure after the other, and write its data."""
        for dataset in map(Dataset.from_plain, snakemake.params.datasets):
            own = {name: of(table, dataset.name) for name, table in unweighted.items()}
            tables, folder = results[dataset.name] | own, fresh / dataset.slug
            context = context_from(
                dataset, conditions, tables["measures"], roster, snakemake.params.level
            )
            for figure in figures_of(tables, snakemake.params.detail):
                data = figure.data(tables, context)
                write_csv(data, folder / f"{figure.name}.csv")
                yield figure.drawn(data, context), folder / figure.name

    with replaced(Path(snakemake.output[0])) as fresh:
        save(drawn(fresh))
