"""Which threshold or member of each model of a batch of datasets to use from now on."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.batches import each
from costcurves.tables.contract import read, write
from costcurves.tables.deployment import DEPLOYMENT, deployment
from costcurves.tables.operating_points import OPERATING_POINTS

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: choices for deployment"):
    points = read(snakemake.input.operating_points[0], OPERATING_POINTS)
    write(each(deployment, points), snakemake.output[0], DEPLOYMENT)
