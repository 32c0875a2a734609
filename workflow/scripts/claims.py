"""What the study claims, decided: the whole study."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.claims import CLAIMS, claims, read_data
from costcurves.tables.contract import write

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], "Claims"):
    claimed = snakemake.params.claims
    data = read_data(snakemake.input, {name for one in claimed for name in one["datasets"]})
    write(claims(data, claimed, snakemake.params.prior), snakemake.output[0], CLAIMS)
