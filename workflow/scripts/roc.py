"""Averages of the ROC hulls of a batch of datasets, for contrast with averages in cost space."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.batches import each
from costcurves.tables.contract import read, write
from costcurves.tables.operating_points import OPERATING_POINTS
from costcurves.tables.roc import ROC, roc

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: ROC averages"):
    points = read(snakemake.input.operating_points[0], OPERATING_POINTS)
    write(each(roc, points, level=snakemake.params.level), snakemake.output[0], ROC)
