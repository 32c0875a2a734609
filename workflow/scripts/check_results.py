"""Hold the results of one dataset to their invariants."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.check_results import CHECK_RESULTS, check_results
from costcurves.tables.contract import write
from costcurves.tables.results import read_results

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.dataset}: results checked"):
    tables = read_results(snakemake.input)
    write(check_results(tables), snakemake.output[0], CHECK_RESULTS)
