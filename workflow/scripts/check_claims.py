"""What must be true of any claims' verdicts: the whole study."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.checks.check_results import CHECK_RESULTS
from costcurves.tables.checks.check_study import SOURCES, check_claims
from costcurves.tables.contract import read, read_all, write
from costcurves.tables.inference.claims import CLAIMS

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], "Claims checked", snakemake) as stamp:
    sources = {it.name: read_all(snakemake.input[it.name], it) for it in SOURCES}
    frame = check_claims(read(snakemake.input.claims, CLAIMS), sources)
    write(frame, snakemake.output[0], CHECK_RESULTS, stamp)
