"""The bands of each headline curve of a batch of datasets."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.bands import BANDS, bands
from costcurves.tables.batches import each
from costcurves.tables.contract import read, write
from costcurves.tables.headline import HEADLINE
from costcurves.tables.operating_points import OPERATING_POINTS
from costcurves.tables.resampling import read_resamples

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: bands"):
    frame = each(
        bands,
        read(snakemake.input.operating_points[0], OPERATING_POINTS),
        read(snakemake.input.headline[0], HEADLINE),
        read_resamples(snakemake.input.resampling[0]),
        inference=snakemake.params.inference,
    )
    write(frame, snakemake.output[0], BANDS)
