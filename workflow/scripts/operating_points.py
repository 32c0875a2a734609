"""Operating points of a batch of datasets: per fold, per repeat and pooled."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.batches import each
from costcurves.tables.contract import read, write
from costcurves.tables.operating_points import OPERATING_POINTS, operating_points
from costcurves.tables.predictions import PREDICTIONS

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: operating points"):
    predictions = read(snakemake.input.predictions, PREDICTIONS)
    write(each(operating_points, predictions), snakemake.output[0], OPERATING_POINTS)
