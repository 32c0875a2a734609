"""What must be true of any claims' verdicts: the whole study."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.check_claims import check_claims
from costcurves.tables.check_results import CHECK_RESULTS
from costcurves.tables.claims import CLAIMS
from costcurves.tables.contract import read, write
from costcurves.tables.headline import HEADLINE
from costcurves.tables.measures import MEASURES
from costcurves.tables.results import read_all

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], "Claims checked"):
    frame = check_claims(
        read(snakemake.input.claims[0], CLAIMS),
        read_all(snakemake.input.headline, HEADLINE),
        read_all(snakemake.input.measures, MEASURES),
    )
    write(frame, snakemake.output[0], CHECK_RESULTS)
