"""What must be true of any claims' verdicts: the whole study."""

from costcurves.jobs import job, told
from costcurves.tables.checks.check_results import CHECK_RESULTS
from costcurves.tables.checks.check_study import SOURCES, check_claims
from costcurves.tables.contract import read, read_all, write
from costcurves.tables.inference.claims import CLAIMS

with job(told.log[0], "Claims checked", told) as stamp:
    sources = {it.name: read_all(told.input[it.name], it) for it in SOURCES}
    frame = check_claims(read(told.input.claims, CLAIMS), sources)
    write(frame, told.output[0], CHECK_RESULTS, stamp)
