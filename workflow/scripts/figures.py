"""Every figure of one dataset, as SVG and PDF, with the data that it shows as CSV."""

from pathlib import Path
from typing import TYPE_CHECKING

from costcurves.figures.catalogue import FIGURES
from costcurves.figures.context import context_from
from costcurves.figures.style import save
from costcurves.jobs import job
from costcurves.tables.contract import read, write_csv
from costcurves.tables.measures import MEASURES
from costcurves.tables.results import read_results
from costcurves.tables.study import Dataset, OperatingCondition

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.dataset}: figures drawn"):
    folder = Path(snakemake.output[0])
    tables = read_results(snakemake.input)
    context = context_from(
        Dataset.from_plain(snakemake.params.dataset),
        [OperatingCondition(**one) for one in snakemake.params.conditions],
        tables["measures"],
        [read(file, MEASURES) for file in snakemake.input.roster],
        snakemake.params.level,
    )
    for figure in (figure for figure in FIGURES if figure.applies(tables)):
        save(figure.draw(tables, context), folder / figure.name)
        write_csv(figure.data(tables, context), folder / f"{figure.name}.csv")
