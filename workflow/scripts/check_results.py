"""What must be true of any results: a batch of datasets."""

from costcurves.errors import of_all
from costcurves.jobs import job, told
from costcurves.tables.checks.check_results import CHECK_RESULTS, check_results
from costcurves.tables.configuration.stages import of
from costcurves.tables.contract import read, stacked, write
from costcurves.tables.contracts import read_results
from costcurves.tables.input.predictions import PREDICTIONS

with job(told.log[0], f"{told.wildcards.batch}: results checked", told) as stamp:
    results = read_results(told.input)
    predictions = read(told.input.predictions, PREDICTIONS)
    for name, tables in results.items():
        tables["predictions"] = of(predictions, name)
    checked = stacked(of_all(check_results, results.values()))
    write(checked, told.output[0], CHECK_RESULTS, stamp)
