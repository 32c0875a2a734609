"""What the lower envelopes of each model of one dataset leave out."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.contract import read, write
from costcurves.tables.criteria import CRITERIA
from costcurves.tables.measures import MEASURES
from costcurves.tables.optimism import OPTIMISM, optimism

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.dataset}: optimism of in-sample selection"):
    measures = read(snakemake.input.measures[0], MEASURES)
    criteria = read(snakemake.input.criteria[0], CRITERIA)
    write(optimism(measures, criteria), snakemake.output[0], OPTIMISM)
