"""What the lower envelopes of each model of a batch of datasets leave out."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.averages import AVERAGES
from costcurves.tables.batches import each
from costcurves.tables.contract import read, write
from costcurves.tables.criteria import CRITERIA
from costcurves.tables.optimism import OPTIMISM, optimism

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: optimism of in-sample selection"):
    averages = read(snakemake.input.averages[0], AVERAGES)
    criteria = read(snakemake.input.criteria[0], CRITERIA)
    write(each(optimism, averages, criteria), snakemake.output[0], OPTIMISM)
