"""What must be true of any claims' verdicts: the whole study."""

from costcurves.jobs import job, told
from costcurves.tables.checks.check_results import CHECK_RESULTS
from costcurves.tables.checks.check_study import SOURCES, check_claims
from costcurves.tables.contract import read, stacked, write
from costcurves.tables.inference.claims import CLAIMS

with job(told.log[0], "Claims checked", told) as stamp:
    sources = {
        it.name: stacked(
            [
                read(file, it).assign(by_cost=by_cost)
                for file, by_cost in zip(files, told.params.by_cost, strict=True)
            ]
        )
        for it in SOURCES
        if (files := told.input[it.name])  # without claims about criteria there are none of these
    }
    frame = check_claims(read(told.input.claims, CLAIMS), sources)
    write(frame, told.output[0], CHECK_RESULTS, stamp)
