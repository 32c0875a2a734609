"""The headline curves of a batch of datasets in resamples of its instances."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.batches import of_each
from costcurves.tables.contract import read
from costcurves.tables.headline import HEADLINE
from costcurves.tables.operating_points import OPERATING_POINTS
from costcurves.tables.predictions import PREDICTIONS
from costcurves.tables.resampling import resampling, write_resamples

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: instances resampled"):
    found = of_each(
        resampling,
        read(snakemake.input.predictions, PREDICTIONS),
        read(snakemake.input.operating_points[0], OPERATING_POINTS),
        read(snakemake.input.headline[0], HEADLINE),
        level=snakemake.params.level,
        marked=snakemake.params.marked,
        inference=snakemake.params.inference,
        seed=snakemake.params.seed,
    )
    write_resamples(found, snakemake.output[0])
