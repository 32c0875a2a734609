"""Where each model of one dataset costs less than each other one."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.averages import AVERAGES
from costcurves.tables.contract import read, write
from costcurves.tables.crossovers import CROSSOVERS, crossovers
from costcurves.tables.measures import MEASURES

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.dataset}: crossovers"):
    averages = read(snakemake.input.averages[0], AVERAGES)
    measures = read(snakemake.input.measures[0], MEASURES)
    write(crossovers(averages, measures, snakemake.params.level), snakemake.output[0], CROSSOVERS)
