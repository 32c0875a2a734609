"""What must be true of any results: a batch of datasets."""

from typing import TYPE_CHECKING

from costcurves.errors import of_all
from costcurves.jobs import job
from costcurves.tables.checks.check_results import CHECK_RESULTS, check_results
from costcurves.tables.configuration.batches import joined, of
from costcurves.tables.contract import read, write
from costcurves.tables.input.predictions import PREDICTIONS
from costcurves.tables.making import read_results

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: results checked", snakemake) as stamp:
    results = read_results(snakemake.input)
    predictions = read(snakemake.input.predictions, PREDICTIONS)
    for name, tables in results.items():
        tables["predictions"] = of(predictions, name)
    checked = joined(of_all(check_results, results.values()))
    write(checked, snakemake.output[0], CHECK_RESULTS, stamp)
