"""The interval of every number of a batch of datasets."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.batches import each
from costcurves.tables.contract import read, write
from costcurves.tables.headline import HEADLINE
from costcurves.tables.intervals import INTERVALS, intervals
from costcurves.tables.operating_points import OPERATING_POINTS
from costcurves.tables.resampling import read_resamples

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: intervals"):
    frame = each(
        intervals,
        read(snakemake.input.operating_points[0], OPERATING_POINTS),
        read(snakemake.input.headline[0], HEADLINE),
        read_resamples(snakemake.input.resampling[0]),
        inference=snakemake.params.inference,
        prior=snakemake.params.prior,
        conditions=snakemake.params.conditions,
    )
    write(frame, snakemake.output[0], INTERVALS)
