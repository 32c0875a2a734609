"""What must be true of any results: a batch of datasets."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.batches import each
from costcurves.tables.check_results import CHECK_RESULTS, check_results
from costcurves.tables.contract import write
from costcurves.tables.results import read_results

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: results checked"):
    results = read_results(snakemake.input)
    write(each(check_results, results), snakemake.output[0], CHECK_RESULTS)
