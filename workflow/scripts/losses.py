"""AUC, Brier score and expected losses of each ranking of a batch of datasets."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.batches import each
from costcurves.tables.contract import read, write
from costcurves.tables.losses import LOSSES, losses
from costcurves.tables.operating_points import OPERATING_POINTS

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: losses of rankings"):
    points = read(snakemake.input.operating_points[0], OPERATING_POINTS)
    write(each(losses, points), snakemake.output[0], LOSSES)
